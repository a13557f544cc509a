"""``ralc rate``: a page on which people say what they believe of a run's answers."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def rate(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The folder of a finished run, such as results.")],
    out: Annotated[
        str, typer.Option(help="The file of ratings, JSON lines; it is written on.")
    ] = "ratings.jsonl",
    target: Annotated[
        str | None, typer.Option(help="Whose answers; by default the run's first model's.")
    ] = None,
    trials: Annotated[
        int, typer.Option(help="Questions for each person, a multiple of the ways of speaking.")
    ] = 12,
    seed: Annotated[int, typer.Option(help="Of who is asked what.")] = 2026,
    test: Annotated[
        bool, typer.Option("--test", help="Mark the ratings as made for a test: they enter no figure.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for phones in the same network.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8090,
) -> None:
    """Ask people, on a page of this machine, how sure answers sound and which they would accept.

    Each question comes once a person, as the answer came, in RALC's words, or with a constant hedge: as many of each,
    right and wrong mixed, drawn anew for each person. Every visit to the page is a new person; there is no account, and
    what is said stays in the file.

    \b
    Examples:
      ralc rate results --out ratings.jsonl
      ralc rate results --out tried.jsonl --test
    """
    import uvicorn

    from ralc.rating.design import WAYS, Design
    from ralc.rating.form import make_app
    from ralc.rating.materials import of_run

    texts = of_run(Path(run), target)
    ways = tuple(way for way in WAYS if (texts["way"] == way).any())
    design = Design(texts, ways, trials, seed)
    app = make_app(design, Path(out), purpose="test" if test else "study")
    print(
        f"{trials} of {texts['question_id'].nunique()} questions a person, in {len(ways)} ways ({', '.join(ways)}); "
        f"{design.people_needed():,} people would mostly show a fifth fewer wrong answers accepted.\n"
        f"Open http://{host}:{port}/ ; ratings go to {out}; stop with Ctrl-C.",
        file=sys.stderr,
        flush=True,
    )
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)
