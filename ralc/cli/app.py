"""The command ``ralc``: its commands, and what a mistake looks like.

Exit codes: 0 all is done; 1 nothing was done, standard error says why; 2 wrong usage; 3 done but for the rows
that standard error names.
"""

import sys
from collections.abc import Sequence

import typer

from ralc.cli.card import card
from ralc.cli.check import check
from ralc.cli.fit import fit
from ralc.cli.importing import import_
from ralc.cli.plan import plan
from ralc.cli.read import read
from ralc.cli.rewrite import rewrite
from ralc.cli.serve import serve

app = typer.Typer(
    name="ralc",
    help="Make a language model's words match its certainty.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _ralc() -> None:
    """Make a language model's words match its certainty."""


for command in (read, fit, rewrite, card, serve, check, plan):
    app.command()(command)
app.command(name="import")(import_)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line on standard error and exit code 1."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="ralc")
    except (ValueError, OSError) as error:
        print(f"ralc: {error}", file=sys.stderr)
        sys.exit(1)
