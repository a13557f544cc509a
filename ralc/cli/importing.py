"""``ralc import``: what other tools saved, as a file of recorded samples."""

from typing import Annotated

import typer


def import_(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="uqlm, lm_polygraph, batch, lm_eval, dlm_uncertainty or wang2025."
        ),
    ],
    source: Annotated[str, typer.Argument(metavar="FILE", help="What the tool saved.")],
    samples: Annotated[str, typer.Option(help="The file of recorded samples to write, .jsonl.")],
    questions: Annotated[
        str | None, typer.Option(help="A file of its questions to write, .jsonl, where it has them.")
    ] = None,
) -> None:
    """Make a file of recorded samples (engine `recorded`) of what another tool saved.

    \b
    Examples:
      ralc import batch batch_output.jsonl --samples samples.jsonl
      ralc import dlm_uncertainty mmlu_0_graded_responses.csv --samples llama3.jsonl --questions mmlu.jsonl
    """
    from ralc import importing, recorded

    made = importing.of_format(form, importing.FORMATS)(source)
    asked = importing.of_format(form, importing.QUESTIONS)(source) if questions else []
    importing.write(made, samples)
    for note in (f"{samples}: {len(made)} rows", *recorded.read(samples).notes):
        print(note)
    if questions:
        importing.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
