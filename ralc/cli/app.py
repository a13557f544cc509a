"""The command ``ralc``: what a mistake looks like, and the commands that are one call.

Exit codes: 0: all is done. 1: `read` found texts out of bounds, `check` faulty rows, `plan` a file that is not
there, `evaluate` or `monitor` a map that no longer holds. 2: nothing was done, and standard error says why. 3: all is
done but for the rows that standard error names.
"""

import gc
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from textwrap import shorten
from types import SimpleNamespace
from typing import Annotated, Any

import typer

import ralc
from ralc.cli import AsJson, reliability, tables
from ralc.io.console import visible
from ralc.io.files import json_line
from ralc.io.rows import FaultsError, is_missing

#: The module of each command; a command waits for no other's imports.
COMMANDS = {"read": "read", "fit": "answers", "evaluate": "answers", "rewrite": "answers"} | dict.fromkeys(
    ("card", "check", "plan", "import"), "app"
)
COMMANDS |= {"serve": "server", "monitor": "server"}
#: The extra that has what a command imports beside the core.
EXTRAS = {"spacy": "parser", "pyarrow": "parquet", "pandera": "workflow", "yaml": "workflow"}
EXTRAS |= {"matplotlib": "plots"}
EXTRAS |= dict.fromkeys(["httpx", "starlette", "uvicorn"], "serve")
EXTRAS |= dict.fromkeys(["gguf", "platformdirs", "xllamacpp"], "embedded")


def card(
    calibrator: Annotated[str, typer.Argument(metavar="FILE", help="A calibrator.")],
    html: Annotated[str, typer.Option(help="Also as a page with its figure, .html.")] = "",
    as_json: AsJson = False,
) -> None:
    """Show the card of a calibrator: what it was fitted on, its figures, and what they promise."""
    from ralc.calibrator import serialization

    tables.check_ending(html, ".html")
    saved = serialization.read(calibrator)
    if html:
        from ralc.report.rendering import embedded, page

        evaluation = saved.card.evaluation
        name = visible(Path(calibrator).name)
        bins = evaluation.bins if evaluation else []
        image = None
        if bins:
            image = embedded(reliability(bins, evaluation.n, f"Reliability of {name}"))
        tables.write(page("card.html.j2", title=f"The card of {name}", card=str(saved), image=image), html)
    print(json.dumps(saved.card.model_dump(), indent=1) if as_json else saved)


def check(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A file of questions.")],
    as_json: AsJson = False,
) -> None:
    """Say how a file of questions is understood, and name every wrong row; exit code 1 if there is one."""
    from ralc import datasets

    entry = {"path": source, "format": "file"}
    rows = []
    try:
        questions, findings = datasets.prepare(Path(source).stem, entry, train=0.3, seed=2026)
        columns = ["question", "context", "choices", "accepted"]
        rows = questions.head(3)[columns].to_dict("records")
    except FaultsError as error:
        findings = datasets.Findings((), (), error.faults)
    shown = {"facts": dict(findings.facts), "rows": rows}
    shown |= {"warnings": findings.warnings, "errors": findings.errors}
    lines = [f"{source}\n{findings}", *["first:"] * bool(rows), *map(_row_of_questions, rows)]
    print(json_line(shown) if as_json else "\n".join(lines))
    sys.exit(1 if findings.errors else 0)


def _row_of_questions(row: dict[str, Any]) -> str:
    """A question, what it is asked of, and what is accepted, on one line."""
    context = "" if is_missing(row["context"]) else f" [of: {shorten(row['context'], 40)}]"
    choices = f" [choices: {' | '.join(row['choices'])}]" if len(row["choices"]) else ""
    accepted = " | ".join(row["accepted"]) or "nothing"
    return (
        f"  {shorten(row['question'], 80)}{shorten(context + choices, 100)} accepted: {shorten(accepted, 80)}"
    )


def plan(
    overlays: Annotated[
        list[Path], typer.Argument(metavar="[FILE]...", help="More of --configfile, as snakemake takes them.")
    ] = [],  # noqa: B006
    configfile: Annotated[list[Path], typer.Option(help="As of snakemake; again for an overlay.")] = [],  # noqa: B006
    as_json: AsJson = False,
) -> None:
    """Estimate a run's calls, tokens, hours, money and jobs, by stage and model; fetches nothing, asks no model.

    Warns of jobs that end after their time limit. Exit code 1: a file is not there that the run needs.

    \b
    ralc plan --configfile workflow/presets/paper.yaml workflow/presets/paper_plus.yaml
    """
    import pandas as pd

    from ralc import planning
    from ralc.config import ConfigError, read_config
    from ralc.lexicon import load_hedges

    # As Snakemake does: the folder's own, else the checkout's.
    checkout = Path(__file__).parents[2] / "config.yaml"
    config = read_config(
        [*configfile, *overlays], "config.yaml" if Path("config.yaml").exists() else checkout
    )
    listed = config.lexicon
    missing = False
    try:
        config.check_files()
    except ConfigError as error:
        print(error, file=sys.stderr)
        missing = True
    if not all(Path(path).exists() for path in planning.opened(config)):
        sys.exit(1)
    hedges = len(load_hedges(listed.path, extend=listed.extend, voice=config.voice()))
    table = planning.plan(config, planning.sizes(config), hedges)
    if as_json:
        print(table.to_json(orient="records", lines=True).rstrip())
    elif table.empty:
        print("no model is asked")
    else:
        whole = table[planning.SUMMED].sum(min_count=1).to_frame().T.assign(stage="all", model="")
        lines = pd.concat([table, whole], ignore_index=True)
        counted = ["requests", "calls", "prompt_tokens", "completion_tokens", "jobs", "gpus", "memory_mb"]
        formats = dict.fromkeys(counted, lambda value: "" if pd.isna(value) else f"{value:,.0f}")
        print(f"protocol {config.resolved_protocol().label}")
        print(lines.to_string(index=False, na_rep="", formatters=formats, float_format="{:,.2f}".format))
        print(
            "Calls are at most so many. Tokens and hours (of a GPU or a CPU thread) are our estimates, not measured."
        )
        if not config.people.data:
            print("human benchmark: not asked (people.data is not set)")
    for line in planning.overdue(table):
        print(line, file=sys.stderr)
    if missing:
        sys.exit(1)


def import_(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="table, openai, lm_eval, inspect_ai, uqlm.")],
    source: Annotated[str, typer.Argument(metavar="FILE", help="What the tool saved.")],
    samples: Annotated[str, typer.Option(help="The file of recorded samples to write, .jsonl.")],
    questions: Annotated[str | None, typer.Option(help="A file of its questions to write, .jsonl.")] = None,
    correct: Annotated[str | None, typer.Option(help="The metric or scorer that says what is right.")] = None,
    filter_name: Annotated[str | None, typer.Option(help="The filter that counts (lm_eval).")] = None,
    requests: Annotated[
        str | None, typer.Option(help="What a batch was asked, by custom_id (openai).")
    ] = None,
) -> None:
    """Make a file of recorded samples (engine `recorded`) of what another tool saved.

    \b
    ralc import table answers.csv --samples samples.jsonl --questions questions.jsonl
    ralc import lm_eval samples_gsm8k.jsonl --correct exact_match --samples samples.jsonl
    """
    from ralc import precomputed

    tables.check_distinct(
        {"FILE": source, "--requests": requests, "--samples": samples, "--questions": questions}
    )
    rows = precomputed.convert(form, source, correct=correct, filter_name=filter_name, requests=requests)
    converted = precomputed.samples_of(rows, source)
    entries = precomputed.questions_of(rows, source) if questions else []
    precomputed.write(converted, samples)
    if correct and not any("correct" in row for row in converted):
        print(f"{samples}: all answers are ungraded: {correct} calls none right or wrong")
    for note in (f"{samples}: {len(converted)} rows", *precomputed.read(samples).notes):
        print(note)
    if questions:
        precomputed.write(entries, questions)
        print(f"{questions}: {len(entries)} questions")


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"ralc {ralc.__version__}")
        raise typer.Exit


def _ralc(
    version: Annotated[bool, typer.Option("--version", callback=_say_version, is_eager=True)] = False,
) -> None:
    """Make a language model's words match its certainty.

    \b
    ralc read "I think it might be Paris."
    ralc fit graded.csv --out cal.json && ralc rewrite answers.csv --calibrator cal.json
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a mistake of the user's is one line on standard error and exit code 2."""
    # Its arrays are small: further threads would only wait for them, and make the start a fifth longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # spaCy's own commands are half of the time that its import takes: they load three clients of HTTP.
    for name in () if "spacy" in sys.modules else ("spacy.cli", "spacy.cli.info"):
        sys.modules[name] = SimpleNamespace(info=None, __path__=[])  # type: ignore[assignment]
    gc.set_threshold(50_000)  # else searches for garbage are 6 % of what answers take
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    plain = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}
    app = typer.Typer(name="ralc", no_args_is_help=True, **plain)
    app.callback()(_ralc)
    try:
        for name in [argument for argument in arguments[:1] if argument in COMMANDS] or COMMANDS:
            module = import_module(f"ralc.cli.{COMMANDS[name]}")
            app.command(name=name)(getattr(module, "import_" if name == "import" else name))
        app(args=arguments, prog_name="ralc")
    except (ValueError, OSError, ModuleNotFoundError) as error:
        text = str(error)
        if isinstance(error, ModuleNotFoundError):
            if error.name not in EXTRAS:
                raise
            text = f"{error.name} is not installed: pip install 'pyralc[{EXTRAS[error.name]}]'"
        print("ralc:", visible(text, "\n"), file=sys.stderr)  # names of files could steer a terminal
        sys.exit(2)
