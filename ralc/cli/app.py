"""The command ``ralc``: its commands, and what a mistake looks like.

Exit codes: 0 all is done; 1 nothing was done, standard error says why; 2 wrong usage; 3 done but for the rows
that standard error names. `ralc read` within bounds has codes of its own: an error says so (``exit_code``).
"""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Annotated

import typer

import ralc
from ralc.io.console import visible

#: The module of each command; a command waits for no other's imports.
COMMANDS = {"read": "read", "fit": "fit", "rewrite": "rewrite", "serve": "serve"} | dict.fromkeys(
    ("card", "check", "plan", "import"), "files"
)
#: The extra that has what a command imports beside the core.
EXTRAS = {
    "spacy": "parser",
    **dict.fromkeys(["httpx", "starlette", "uvicorn"], "serve"),
    **dict.fromkeys(["gguf", "platformdirs", "xllamacpp"], "embedded"),
    **dict.fromkeys(["pandera", "yaml"], "workflow"),
}


def make_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the command line with some of its commands."""
    app = typer.Typer(
        name="ralc",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_ralc)
    for name in names:
        module = import_module(f"ralc.cli.{COMMANDS[name]}")
        app.command(name=name)(getattr(module, "import_" if name == "import" else name))
    return app


def _say_version(asked: bool) -> None:
    if asked:
        print(f"ralc {ralc.__version__}")
        raise typer.Exit


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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line on standard error and exit code 1."""
    # Its arrays are small: further threads would only wait for them, and make the start a fifth longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    try:
        app = make_app(arguments[:1] if arguments[:1] and arguments[0] in COMMANDS else COMMANDS)
        app(args=arguments, prog_name="ralc")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        text = str(error)
        if isinstance(error, ModuleNotFoundError):
            if error.name not in EXTRAS:
                raise
            text = f"{error.name} is not installed: pip install 'pyralc[{EXTRAS[error.name]}]'"
        elif hasattr(error, "errors"):  # pydantic's
            text = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        print("ralc:", visible(text, "\n"), file=sys.stderr)  # names of files could steer a terminal
        sys.exit(getattr(error, "exit_code", 1))
