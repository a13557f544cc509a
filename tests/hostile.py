"""A server that misbehaves as it is told, and how it is asked, for the tests of the openai engine."""

import json
import socket
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from ralc.llm import complete, request_for
from ralc.llm.engines import build

KEY = "sk-very-secret-4711"
TOKEN = {"token": "yes", "logprob": -0.5}


def choice(text, index=0, reason="stop", **fields):
    return {
        "index": index,
        "finish_reason": reason,
        "message": {"role": "assistant", "content": text},
        **fields,
    }


def good(body, **changes):
    """A right reply: answer i says the prompt and its seed."""
    texts = [f"{body['messages'][-1]['content']} {body.get('seed', 0) + i}" for i in range(body.get("n", 1))]
    choices = [choice(text, i) for i, text in enumerate(texts)]
    usage = {"prompt_tokens": 10, "completion_tokens": 4 * len(texts)}
    return {"choices": choices, "usage": usage} | changes


class Hostile(ThreadingHTTPServer):
    """Misbehaves as the prompt says (``fault`` or ``fault*times``), then answers rightly."""

    daemon_threads = True

    def __init__(self, owner="somebody"):
        super().__init__(("127.0.0.1", 0), Handler)
        self.owner = owner
        self.seen = Counter()
        self.bodies = []
        self.times = []
        self.refuse = self.habit = lambda body: None
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request, client_address):
        pass  # the client hung up, as it should

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def reply(self, status, content, headers=(), length=None):
        if not isinstance(content, bytes):
            content = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(length or len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def do_GET(self):
        self.reply(200, {"data": [{"id": "m", "owned_by": self.server.owner}]})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if said := self.server.habit(body):
            return self.reply(*said)
        prompt = body["messages"][-1]["content"]
        self.server.bodies.append(body)
        self.server.times.append((prompt, time.monotonic()))
        self.server.seen[prompt] += 1
        if refusal := self.server.refuse(body):
            return self.reply(400, {"error": {"message": refusal}})
        fault, _, times = prompt.split()[0].partition("*")
        if self.server.seen[prompt] > int(times or 1):
            return self.reply(200, good(body))
        if fault in REPLIES:
            status, content, *headers = REPLIES[fault]
            return self.reply(status, content(body) if callable(content) else content, *headers)
        return getattr(self, fault, lambda body: self.reply(200, good(body)))(body)

    def hangs(self, body):
        time.sleep(1.5)
        self.reply(200, good(body))

    def drips(self, body):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(30):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.05)

    def closes(self, body):
        self.reply(200, json.dumps(good(body)).encode()[:40], length=400)
        self.connection.shutdown(socket.SHUT_RDWR)

    def closes_at_once(self, body):
        self.connection.shutdown(socket.SHUT_RDWR)


ODD_CHOICES = [
    5,
    {},
    {"message": None},
    choice(None),
    choice(7),
    choice("x", "0"),
    choice("x", -1),
    choice("", 0, "odd"),
]
#: What is replied, by the fault's name: status, content (or how it is made of a request) and headers.
REPLIES = json.loads((Path(__file__).parent / "data" / "faulty_replies.json").read_text()) | {
    "deep_json": (200, b"[" * 200_000),
    "vast_nonsense": (200, b"x" * 10_000_000),
    "text_with_key": (200, f"who is {KEY}?".encode()),
    "key_at_the_cut": (500, b"x" * 295 + KEY.encode() + b"y" * 300),
    "unauthorised": (401, {"error": {"message": f"Incorrect API key provided: {KEY}."}}),
    "no_json": (200, lambda body: json.dumps(good(body)).encode()[:-5]),
    "cut_utf8": (200, lambda body: json.dumps(good(body, note="é"), ensure_ascii=False).encode()[:-3]),
    "no_choices": (200, lambda body: good(body, choices=[])),
    "null_choices": (200, lambda body: good(body, choices=None)),
    "odd_choices": (200, lambda body: good(body, choices=ODD_CHOICES)),
    "parts": (200, lambda body: good(body, choices=[choice([{"type": "image"}])])),
    "too_few": (200, lambda body: good(body, choices=good(body)["choices"][:1])),
    "too_many": (200, lambda body: good(body, choices=[*good(body)["choices"], choice("more", body["n"])])),
    "unordered": (200, lambda body: good(body, choices=good(body)["choices"][::-1])),
    "repeated": (200, lambda body: good(body, choices=good(body)["choices"][:1] * body["n"])),
    "vast": (200, lambda body: b" " * 10_000_000 + json.dumps(good(body)).encode()),
    "many_headers": (200, good, [("X-More", "x" * 50_000)] * 4),
    "filtered": (
        200,
        lambda body: good(body, choices=[choice("", i, "content_filter") for i in range(body["n"])]),
    ),
}
FAULTS = [name for name in REPLIES if name not in ("unauthorised", "filtered", "too_long")]
FAULTS += ["hangs", "drips", "closes", "closes_at_once"]


def entry(server, **fields):
    common = {"engine": "openai", "model": "m", "base_url": server.address, "api_key_env": "RALC_TEST_KEY"}
    return common | {"timeout_s": 0.7, "concurrency": 6} | fields


def prompts(server, texts, **fields):
    return [
        request_for(entry(server), [{"role": "user", "content": text}], **{"n": 3, **fields})
        for text in texts
    ]


def run(server, texts, tmp_path, *, allowed=0.0, model=None, **fields):
    engine = build(model or entry(server))
    try:
        requests = prompts(server, texts, **fields)
        return complete(requests, engine, tmp_path / "j.jsonl", failures_allowed=allowed)
    finally:
        engine.close()
