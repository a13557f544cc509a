"""Requests for precomputed samples: each names a row of the file by what it answers (`SampleRow.named`)."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.llm.requests import Request, request_for
from ralc.llm.tables import to_table
from ralc.precomputed.samples import SampleRow, Samples


def render_precomputed(
    questions: pd.DataFrame,
    samples: Samples,
    model: Mapping[str, Any],
    *,
    hedged: Sequence[str] = ("test",),
    seed: int = 0,
) -> pd.DataFrame:
    """Return the requests for the samples of the questions: as many answers as there are.

    A request holds a digest of its row, so that a row that was changed is asked for anew, and no other. Questions
    without a row are not asked; how many there are is printed. The parameters are those of `ralc.sampling.render`.

    Raises
    ------
    ValueError
        If no question has a row.
    """
    found = [(row, samples.of(row.question_id, row.question)) for row in questions.itertuples(index=False)]
    matched = [(question, row) for question, row in found if row is not None]
    if not matched:
        first = samples.rows[0]
        raise ValueError(
            f"{samples.path}: none of its {len(samples.rows)} rows is about one of the run's {len(questions)} "
            f"questions; the first row: {first.question_id or first.question!r:.80}, the first question: "
            f"{questions['question_id'].iloc[0]!r}, {questions['question'].iloc[0]!r:.80}"
        )
    unused = len(samples.rows) - len({id(row) for _, row in matched})
    counts = f"{len(matched)} of {len(questions)} questions have a row, {unused} rows have no question"
    print("\n".join([counts, *samples.notes]), file=sys.stderr)
    rows = [asked for question, row in matched for asked in _requests(question, row, model, hedged, seed)]
    return to_table(
        [request for _, _, request in rows],
        question_id=[question_id for question_id, _, _ in rows],
        prompt=[prompt for _, prompt, _ in rows],
    )


def _requests(
    question: Any, row: SampleRow, model: Mapping[str, Any], hedged: Sequence[str], seed: int
) -> Iterator[tuple[str, str, Request]]:
    """Yield question, prompt and request of the samples of one question."""
    counts = {"direct": len(row.answers)}
    if row.hedged_answer is not None and question.split in hedged:
        counts["hedged"] = 1
    for prompt, n in counts.items():
        messages = [
            {"role": "system", "content": row.named(prompt)},
            {"role": "user", "content": question.question},
        ]
        logprobs = prompt == "direct" and any(row.token_logprobs)
        request = request_for(model, messages, n=n, logprobs=logprobs)
        yield question.question_id, prompt, request.with_content_seed(seed)
