"""Answers that have one confidence each, as `WordCalibrator.rewrite` takes and returns them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import as_floats, as_vector, same_shape
from ralc.calibrator.words import FreeWriter, OnMiss, Rewritten, Style, WordChooser, Written, with_range
from ralc.rewriting.passing import passes
from ralc.rewriting.reasons import NO_CONFIDENCE, NO_PLACE, outcome_of


class Aims(NamedTuple):
    """Confidences as they came, calibrated, and as words are to say them."""

    given: Beta
    target: Beta
    said: Beta


def rewrite_short(
    texts: Sequence[str],
    asked: Sequence[str],
    confidence: Beta | ArrayLike | Sequence[Any],
    *,
    calibrate: Callable[[Any], Aims],
    chooser: WordChooser,
    style: Style = "words",
    free: FreeWriter | None = None,
    on_miss: OnMiss = "leave",
) -> list[Rewritten]:
    """Return answers in words that say their calibrated confidence (see `WordCalibrator.rewrite`)."""
    known, told = _calibrated(confidence, len(texts), calibrate)
    reasons = list(map(passes, texts, asked))
    hedged = [at for at, why in enumerate(reasons) if not why and known[at]]
    chosen = chooser.choose([texts[at] for at in hedged], told.said[hedged], free=free) if hedged else []
    written: dict[int, Written | None] = {}
    for at, one in zip(hedged, chosen, strict=True):
        written[at], reasons[at] = _taken(texts[at], told.said[at], one, chooser, on_miss)
    left = [at for at in range(len(texts)) if not written.get(at)]
    as_read = dict(zip(left, chooser.read([texts[at] for at in left]), strict=True))
    made = []
    for at, text in enumerate(texts):
        aims = Aims(*(one[at] for one in told)) if known[at] else None
        made.append(_rewritten(text, aims, written.get(at), as_read.get(at), reasons[at], style))
    return made


def _calibrated(confidence: Any, n: int, calibrate: Callable[[Any], Aims]) -> tuple[np.ndarray, Aims]:
    """Which answers have a confidence, and what becomes of each; where none came, of one that no one sees."""
    if isinstance(confidence, Beta):
        same_shape((n,), confidence.shape, names="texts and confidence")
        return np.ones(n, dtype=bool), calibrate(confidence)
    scores = as_vector(as_floats(confidence, "confidence"))
    same_shape((n,), scores.shape, names="texts and confidence")
    known = ~np.isnan(scores)
    return known, calibrate(np.where(known, scores, 0.5))


def _taken(
    text: str, said: Beta, nearest: Written | None, chooser: WordChooser, on_miss: OnMiss
) -> tuple[Written | None, str]:
    """What is written of an answer, or why it is left."""
    missed = NO_PLACE if nearest is None else outcome_of(True, said, nearest.read)
    if nearest and (on_miss == "best" or not missed):
        return nearest, ""
    noted = chooser.note(text, said) if on_miss == "note" else None
    return noted, "" if noted else missed


def _rewritten(
    original: str, aims: Aims | None, written: Written | None, as_read: Beta | None, reason: str, style: Style
) -> Rewritten:
    """What became of an answer; `as_read`: how it is read as it came."""
    text, hedge, read = written or (original, "", as_read)
    if aims is None:
        return Rewritten(text, None, None, read, hedge, original, False, reason or NO_CONFIDENCE)
    if style == "range" and written:
        text = with_range(text, hedge, aims.target)
    changed = text != original
    reason = reason or outcome_of(changed, aims.said, read)
    return Rewritten(text, aims.given, aims.target, read, hedge, original, changed, reason)
