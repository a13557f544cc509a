"""``ralc import``: what other tools saved, as a file of recorded samples, and of questions."""

from typing import Annotated

import typer

from ralc.cli import tables


def import_(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            help="table, openai, vllm, lm_eval or inspect_ai.",
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
    found = precomputed.convert(form, source, correct=correct, filter_name=filter_name)
    made = precomputed.samples_of(found, source)
    asked = precomputed.questions_of(found, source) if questions else []
    precomputed.write(made, samples)
    for note in (f"{samples}: {len(made)} rows", *precomputed.read(samples).notes):
        print(note)
    if questions:
        precomputed.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
