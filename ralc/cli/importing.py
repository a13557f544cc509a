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
    from ralc import recorded
    from ralc.recorded import convert

    made = convert.of_format(form, convert.FORMATS)(source)
    asked = convert.of_format(form, convert.QUESTIONS)(source) if questions else []
    convert.write(made, samples)
    for note in (f"{samples}: {len(made)} rows", *recorded.read(samples).notes):
        print(note)
    if questions:
        convert.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
