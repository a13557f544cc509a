"""Rewriting tasks to the candidates that the reader in the loop chooses from (paper section 4.2)."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from ralc.io.console import followed
from ralc.names import METHODS
from ralc.rewriting import guided
from ralc.rewriting.bare import bare
from ralc.rewriting.tasks import ALONE, COLUMNS, check_method, replies_of, usable
from ralc.rewriting.together import rewrite_together


def list_candidates(
    tasks: pd.DataFrame,
    requests: pd.DataFrame | None,
    responses: pd.DataFrame | None,
    *,
    method: str,
    model_texts: str = "checked",
    **together: Any,
) -> pd.DataFrame:
    """Return the candidates of each task, the plainest first, each text once.

    Parameters
    ----------
    tasks, method
        As for `render_rewrites`.
    requests, responses
        What the models were asked and answered (`ralc.llm.complete_table`); None where none was.
    model_texts
        Whether the models' texts are ``checked`` and cleaned, or, of an open loop, ``kept`` as they are.
    **together
        How sentences that have a ``whole`` are rewritten (`ralc.rewriting.together.rewrite_together`).

    Returns
    -------
    DataFrame
        ``task, text, origin, hedge, shared, whole``. Origin is ``model``; ``grammar`` where a hedge was put into one of
        its places; ``template`` where that stands for a model's text that is not usable: without words, cut off, or
        where the loop is closed with another claim than the answer (`ralc.english.meaning`; what Direct Beta-guided
        claims is its own affair, and has a grade of its own); ``passed`` where the answer is not to be hedged or has
        no place for its hedges; ``dropped`` (its text is empty) or ``marked`` where it is told as unsupported;
        ``kept`` of a text that is not usable and stays; ``none`` where a model gave nothing usable and there is no
        hedge (Direct Beta-guided): in both the text is the original. hedge is null where the
        model was free. A sentence that is rewritten together with the others of its answer has one candidate, with
        the ``shared`` hedge before it whose reading it inherits (null where it has its own), in the ``whole``.

    Raises
    ------
    ValueError
        If a task was not asked, a request lacks an answer, or there is no such method.
    """
    check_method(method)
    replies = replies_of(requests, responses)
    candidates = []
    alone = tasks["whole"].isna()
    for row in followed(tasks[alone].itertuples(), "candidates", "rewrites", alone.sum()):
        try:
            candidates += _candidates(row, method, replies, kept=model_texts == "kept")
        except ValueError as error:
            raise ValueError(f"task {row.task!r} (row {row.Index}): {error}") from None
    listed = pd.DataFrame(candidates, columns=COLUMNS).assign(**ALONE)
    if alone.all():
        return listed
    return pd.concat([listed, rewrite_together(tasks[~alone], **together)], ignore_index=True)


def _candidates(
    row: Any, method: str, replies: Mapping[str, list[tuple[str, str]]], *, kept: bool
) -> list[tuple[Any, ...]]:
    """The candidates of one task."""
    if row.passes:
        return [(row.task, row.text, "passed", None)]
    if method == "guided" and not METHODS[row.method].free:
        return _placed(row)
    if row.task not in replies:
        raise ValueError("no request")
    if kept and row.loop == "open" and (said := replies[row.task][0][0].strip()):
        return [(row.task, said, "model" if usable(row, replies[row.task]) else "kept", None)]
    found: list[tuple[Any, ...]] = [
        (row.task, text, "model", None) for text in usable(row, replies[row.task])
    ]
    if found:
        return found
    return [(row.task, row.text, "none", None)] if METHODS[row.method].free else _placed(row, "template")


def _placed(row: Any, origin: str = "grammar") -> list[tuple[Any, ...]]:
    """A task's hedges in their places; only the nearest one's plainest where nothing is chosen by reading."""
    first = 1 if row.loop == "open" or origin == "template" else None
    found = guided.all_places(
        bare(row.text) or row.text,
        list(row.hedges)[:first],
        list(row.frames)[:first],
    )
    if not found:
        return [(row.task, row.text, "passed", None)]
    return [(row.task, place.text, origin, place.hedge) for place in found[:first]]
