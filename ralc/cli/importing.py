"""``ralc import``: what other tools saved, as a file of recorded samples, and of questions."""

from typing import Annotated

import typer

from ralc.cli import tables


def import_(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            help="table, batch, openai, vllm, lm_eval, helm, inspect_ai, uqlm, dlm_uncertainty, wang2025 or factscore.",
        ),
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
    requests: Annotated[
        str | None, typer.Option(help="The batch's input file, which has the questions (batch).")
    ] = None,
) -> None:
    """Make a file of recorded samples (engine `recorded`) of what another tool saved.

    A `table` is a .csv, .tsv, .jsonl or .parquet with question, accepted answers and a model's answers in a row.
    Where a file says which answers are right, `ralc fit` takes it as it is.

    \b
    Examples:
      ralc import table answers.csv --samples samples.jsonl --questions questions.jsonl
      ralc import batch output.jsonl --requests input.jsonl --samples samples.jsonl
      ralc import lm_eval samples_gsm8k.jsonl --correct exact_match --samples samples.jsonl
    """
    from ralc import importing, recorded

    tables.check_apart(
        {"FILE": source, "--requests": requests, "--samples": samples, "--questions": questions}
    )
    found = importing.read(form, source, correct=correct, filter_name=filter_name, requests=requests)
    made = importing.samples(found, source)
    asked = importing.questions(found, source) if questions else []
    importing.write(made, samples)
    for note in (f"{samples}: {len(made)} rows", *recorded.read(samples).notes):
        print(note)
    if questions:
        importing.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
