"""``ralc check``: what a file of questions holds, before anything is spent on it."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer


def check(
    source: Annotated[str, typer.Argument(metavar="FILE", help="A .jsonl, .csv or .tsv file of questions.")],
    train: Annotated[float, typer.Option(help="Share of train questions, as `split.train`.")] = 0.3,
    seed: Annotated[int, typer.Option(help="Of the split, as `seed` in the configuration.")] = 2026,
    context: Annotated[
        int | None,
        typer.Option(min=1, help="Of the model that will be asked, in tokens: what will not fit is named."),
    ] = None,
    max_tokens: Annotated[int, typer.Option(min=1, help="Longest answer, as `sampling.max_tokens`.")] = 64,
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
        questions, findings = datasets.prepare(Path(source).stem, entry, train=train, seed=seed)
    except FaultsError as error:
        findings = datasets.Findings((), (), error.faults)
    else:
        asked = (
            (row.question_id, sampling.question_messages(row, "direct")) for row in questions.itertuples()
        )
        long = [sampling.beyond(asked, context, max_tokens)] if context else []
        findings = replace(findings, warnings=(*findings.warnings, *filter(None, long)))
    told = {"facts": dict(findings.facts), "warnings": findings.warnings, "errors": findings.errors}
    print(json.dumps(told, ensure_ascii=False) if as_json else f"{source}\n{findings}")
    sys.exit(1 if findings.errors else 0)
