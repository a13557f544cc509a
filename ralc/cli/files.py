"""``ralc card | check | plan | import``: what a file of a calibrator, of questions, of a run or of samples holds."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ralc.cli import tables

_ANSWER_TOKENS = 64  # the longest answer, by default (`sampling.max_tokens`)


def card(
    calibrator: Annotated[str, typer.Argument(metavar="FILE", help="A calibrator.")],
    as_json: Annotated[bool, typer.Option("--json", help="The card as one JSON object.")] = False,
) -> None:
    """Show the card of a calibrator: what it was fitted on, its figures, and what they promise.

    \b
    Examples:
      ralc card cal.json
      ralc card results/calibrators/smollm2/worldfacts-qa/semantic_uncertainty.json --json
    """
    from ralc.calibrator import serialization

    saved = serialization.read(calibrator)
    print(json.dumps(saved.card.model_dump(), indent=1) if as_json else saved)


def check(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A .jsonl, .csv or .tsv file of questions.")],
    context: Annotated[
        int | None,
        typer.Option(min=1, help="Of the model that will be asked, in tokens: what will not fit is named."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The findings as one JSON object.")] = False,
) -> None:
    """What is understood of a file of questions: counts, formats, accepted answers, the split; and what looks wrong.

    Every row that is wrong is named. Exit code 1 if something is. A run makes the same checks before its first call.

    \b
    Example:
      ralc check questions.csv
    """
    from ralc import datasets, sampling
    from ralc.io.rows import FaultsError

    entry = {"path": source, "format": "file"}
    try:
        questions, findings = datasets.prepare(Path(source).stem, entry, train=0.3, seed=2026)
    except FaultsError as error:
        findings = datasets.Findings((), (), error.faults)
    else:
        asked = (
            (row.question_id, sampling.question_messages(row, "direct")) for row in questions.itertuples()
        )
        long = [sampling.beyond(asked, context, _ANSWER_TOKENS)] if context else []
        findings = replace(findings, warnings=(*findings.warnings, *filter(None, long)))
    report = {"facts": dict(findings.facts), "warnings": findings.warnings, "errors": findings.errors}
    print(json.dumps(report, ensure_ascii=False) if as_json else f"{source}\n{findings}")
    sys.exit(1 if findings.errors else 0)


def plan(
    configfile: Annotated[
        list[Path], typer.Option(help="As of snakemake; again for a further overlay.")
    ] = [],  # noqa: B006
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line of the plan.")] = False,
) -> None:
    """Return the calls, tokens, hours and money of a run, by stage and model, and in all.

    No data and no model is needed. Calls are at most so many: equal requests are sent once. Tokens and what follows
    from them rest on the assumptions in ralc/planning.py.

    \b
    Example:
      ralc plan --configfile workflow/presets/paper.yaml
    """
    import pandas as pd

    from ralc import planning
    from ralc.config import read_config
    from ralc.lexicon import load_hedges

    config = read_config(configfile)
    hedges = len(load_hedges(config.lexicon.path, extend=config.lexicon.extend))
    table = planning.plan(config, planning.sizes(config), hedges)
    if as_json:
        return print(table.to_json(orient="records", lines=True).rstrip())
    if table.empty:
        return print("no model is asked")
    whole = table.sum(numeric_only=True, min_count=1).to_frame().T.assign(stage="all", model="")
    lines = pd.concat([table, whole], ignore_index=True)
    tokens = ["prompt_tokens", "completion_tokens"]
    lines[tokens] /= 1e6
    formats = dict.fromkeys(["requests", "calls"], "{:,.0f}".format)
    formats |= dict.fromkeys(tokens, "{:,.1f} M".format)
    formats |= dict.fromkeys(["hours", "cost"], "{:,.2f}".format)
    print(f"protocol {config.resolved_protocol().label}")
    print(lines.to_string(index=False, na_rep="", formatters=formats))
    print("Calls are at most so many; tokens and hours (of a GPU or a CPU thread) are estimates.")
    if not config.people.data:
        print("human benchmark: not asked (people.data is not set)")
    return None


def import_(
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help="table, openai, vllm, lm_eval, inspect_ai or uqlm.")
    ],
    source: Annotated[str, typer.Argument(metavar="FILE", help="What the tool saved.")],
    samples: Annotated[str, typer.Option(help="The file of recorded samples to write, .jsonl.")],
    questions: Annotated[
        str | None,
        typer.Option(help="A file of its questions to write, .jsonl, where it says what is accepted."),
    ] = None,
    correct: Annotated[
        str | None,
        typer.Option(help="The metric or scorer that says whether an answer is right (lm_eval, inspect_ai)."),
    ] = None,
    filter_name: Annotated[
        str | None, typer.Option(help="The filter whose metric is taken, where there are several (lm_eval).")
    ] = None,
) -> None:
    """Make a file of recorded samples (engine `recorded`) of what another tool saved.

    A `table` is a .csv, .tsv, .jsonl or .parquet with question, accepted answers and a model's answers in a row.
    Where a file says which answers are right, `ralc fit` takes it as it is.

    \b
    Examples:
      ralc import table answers.csv --samples samples.jsonl --questions questions.jsonl
      ralc import lm_eval samples_gsm8k.jsonl --correct exact_match --samples samples.jsonl
    """
    from ralc import precomputed

    tables.check_apart({"FILE": source, "--samples": samples, "--questions": questions})
    rows = precomputed.convert(form, source, correct=correct, filter_name=filter_name)
    converted = precomputed.samples_of(rows, source)
    asked = precomputed.questions_of(rows, source) if questions else []
    precomputed.write(converted, samples)
    for note in (f"{samples}: {len(converted)} rows", *precomputed.read(samples).notes):
        print(note)
    if questions:
        precomputed.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
