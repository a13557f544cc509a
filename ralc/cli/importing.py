"""``ralc import``: what other tools saved, as a file of recorded samples."""

from functools import partial
from typing import Annotated

import typer


def import_(
    form: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="uqlm, batch, lm_eval, dlm_uncertainty, wang2025 or factscore."
        ),
    ],
    source: Annotated[str, typer.Argument(metavar="FILE", help="What the tool saved.")],
    samples: Annotated[str, typer.Option(help="The file of recorded samples to write, .jsonl.")],
    questions: Annotated[
        str | None, typer.Option(help="A file of its questions to write, .jsonl, where it has them.")
    ] = None,
    correct: Annotated[
        str | None,
        typer.Option(help="The metric whose 0 or 1 says whether an answer is right (lm_eval)."),
    ] = None,
) -> None:
    """Make a file of recorded samples (engine `recorded`) of what another tool saved.

    Where it says which answers are right, `ralc fit` takes it as it is.

    \b
    Examples:
      ralc import batch batch_output.jsonl --samples samples.jsonl
      ralc import lm_eval samples_gsm8k.jsonl --correct exact_match --samples samples.jsonl
      ralc import dlm_uncertainty mmlu_0_graded_responses.csv --samples llama3.jsonl --questions mmlu.jsonl
    """
    from ralc import importing, recorded

    convert = importing.of_format(form, importing.FORMATS)
    if correct:
        convert = partial(importing.of_format(form, importing.GRADED), correct=correct)
    made = convert(source)
    asked = importing.of_format(form, importing.QUESTIONS)(source) if questions else []
    importing.write(made, samples)
    for note in (f"{samples}: {len(made)} rows", *recorded.read(samples).notes):
        print(note)
    if questions:
        importing.write(asked, questions)
        print(f"{questions}: {len(asked)} questions")
