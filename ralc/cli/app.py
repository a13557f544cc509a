"""The command ``ralc``: its commands, and what a mistake looks like.

Exit codes: 0 all is done; 1 nothing was done, standard error says why; 2 wrong usage; 3 done but for the rows
that standard error names. `ralc read` within bounds has codes of its own: an error says so (``exit_code``).
"""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import ralc
from ralc.cli.card import card
from ralc.cli.check import check
from ralc.cli.fit import fit
from ralc.cli.importing import import_
from ralc.cli.plan import plan
from ralc.cli.read import read
from ralc.cli.rewrite import rewrite
from ralc.cli.serve import serve
from ralc.io.text import visible

#: The extra that has what a command imports beside the core.
EXTRAS = {
    "spacy": "parser",
    **dict.fromkeys(["httpx", "starlette", "uvicorn"], "serve"),
    **dict.fromkeys(["gguf", "platformdirs", "xllamacpp"], "embedded"),
    **dict.fromkeys(["pandera", "yaml"], "workflow"),
}

app = typer.Typer(
    name="ralc",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _say_version(asked: bool) -> None:
    if asked:
        print(f"ralc {ralc.__version__}")
        raise typer.Exit


@app.callback()
def _ralc(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version, and end."),
    ] = False,
) -> None:
    """Make a language model's words match its certainty.

    \b
    Examples:
      ralc read "I think it might be Paris."
      ralc fit graded.csv --out cal.json && ralc rewrite answers.csv --calibrator cal.json
    """


for command in (read, fit, rewrite, card, serve, check, plan):
    app.command()(command)
app.command(name="import")(import_)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line on standard error and exit code 1."""
    # Its arrays are small: further threads would only wait for them, and make the start a fifth longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        app(args=None if arguments is None else list(arguments), prog_name="ralc")
    except (ValueError, OSError) as error:
        faults = error.errors() if hasattr(error, "errors") else ()  # pydantic's
        told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults) or error
        print("ralc:", visible(str(told), "\n"), file=sys.stderr)  # names of files could steer a terminal
        sys.exit(getattr(error, "exit_code", 1))
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        print(
            f"ralc: {error.name} is not installed: pip install 'pyralc[{EXTRAS[error.name]}]'",
            file=sys.stderr,
        )
        sys.exit(getattr(error, "exit_code", 1))
