"""Answers whose sentences have a confidence each, as `WordCalibrator.rewrite` takes and returns them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ralc.beta import Beta
from ralc.beta.validation import as_floats, same_shape
from ralc.calibrator.short import Aims
from ralc.calibrator.words import Rewritten
from ralc.english.beside import orders_writing
from ralc.english.kinds import parse_ahead
from ralc.protocols import Below
from ralc.readers.by_sentence import TextRead
from ralc.rewriting.passing import passes
from ralc.rewriting.whole import PART, Said, WholeRewriter

#: Why an answer passes in which nothing is claimed.
_SILENT = "it claims nothing"


def has_several(confidence: object) -> bool:
    """Return whether one entry of the confidences is a sequence: one for each claim of its answer.

    >>> has_several([0.9, [0.4, 0.8]]), has_several([0.9, None]), has_several(Beta([1, 2], 3))
    (True, False, False)
    """
    if isinstance(confidence, Beta) or (isinstance(confidence, np.ndarray) and confidence.dtype != object):
        return False
    return isinstance(confidence, Sequence | np.ndarray) and any(map(is_several, confidence))


def is_several(one: object) -> bool:
    """Return whether the confidence of an answer is a sequence."""
    return isinstance(one, list | tuple | np.ndarray) or (isinstance(one, Beta) and bool(one.shape))


def claimed(text: str, confidence: Any) -> tuple[np.ndarray, Beta | np.ndarray]:
    """Return which claims of an answer have a confidence, and the confidences of those.

    Raises
    ------
    ValueError
        If there are not as many as the answer has claims; its claims are named.
    """
    from ralc.english.units import claim_units

    claims = [unit.words for unit in claim_units(text)]
    given = confidence if isinstance(confidence, Beta) else as_floats(list(confidence), "confidence")
    if len(given) != len(claims):
        raise ValueError(
            f"{len(given)} confidences came for {len(claims)} sentences that claim something: "
            f"{'; '.join(map(repr, claims)) or 'none'}"
        )
    if isinstance(given, Beta):
        return np.ones(len(claims), dtype=bool), given
    known = ~np.isnan(given)
    return known, given[known]


def rewrite_each(
    texts: Sequence[str],
    asked: Sequence[str],
    confidence: Sequence[Any],
    short: Callable[..., list[Rewritten]],
    long: Callable[[Sequence[tuple[int, str, Any]]], list[Rewritten]],
) -> list[Rewritten]:
    """Return answers some of which have a confidence for each claim.

    Parameters
    ----------
    texts, asked
        The answers as they came, and what was asked.
    confidence
        Of each one confidence, or a sequence for its claims; None or NaN leaves it as it is.
    short
        Rewrites answers (texts, what was asked, confidences) of one confidence each: one by one, as if it came alone.
    long
        Rewrites the others (numbers, texts, confidences of their claims), together.
    """
    same_shape((len(texts),), (len(confidence),), names="texts and confidence")
    ordered = [orders_writing(question) for question in asked]
    several = [at for at, one in enumerate(confidence) if is_several(one) and not ordered[at]]
    made = dict(zip(several, long([(at, texts[at], confidence[at]) for at in several]), strict=True))
    for at, one in enumerate(confidence):
        if at not in made:
            single = isinstance(one, Beta) and not one.shape
            own = one[None] if single else [np.nan if ordered[at] or one is None else one]
            made |= {at: short([texts[at]], [asked[at]], own)[0]}
    return [made[at] for at in range(len(texts))]


def rewrite_long(
    answers: Sequence[tuple[int, str, Any]],
    *,
    calibrate: Callable[[Any], Aims],
    writer: WholeRewriter,
    below: Below,
    unsupported: float,
) -> list[Rewritten]:
    """Return answers whose claims each say their calibrated confidence.

    Parameters
    ----------
    answers
        Of each its number, its text and the confidences of its claims, in order; None or NaN leaves one as it is.
    calibrate
        What becomes of the confidences of some claims.
    writer
        What writes.
    below, unsupported
        As for `WholeRewriter.rewrite`.
    """
    made = []
    for start in range(0, len(answers), PART):
        part = answers[start : start + PART]
        texts = [text for _, text, _ in part]
        parse_ahead(texts)
        known = [_of(*one) for one in part]
        told = [calibrate(own) if which.any() else (None, None, None) for which, own in known]
        targets = [_placed(which, said) for (which, _), (*_, said) in zip(known, told, strict=True)]
        written = writer.rewrite(texts, targets, below=below, unsupported=unsupported)
        made += [_rewritten(*one, *read) for *one, read in zip(texts, told, written, strict=True)]
    return made


def _of(place: int, text: str, confidence: Any) -> tuple[np.ndarray, Beta | np.ndarray]:
    """The same of an answer by its number, which an error names."""
    try:
        return claimed(text, confidence)
    except ValueError as error:
        raise ValueError(f"answer {place}: {error}") from None


def _placed(known: np.ndarray, target: Beta | None) -> list[Beta | None]:
    """The target of each claim; None where it has none."""
    found = iter(target if target is not None else ())
    return [next(found) if one else None for one in known]


def _rewritten(text: str, told: tuple[Beta | None, ...], read: TextRead, said: tuple[Said, ...]) -> Rewritten:
    """What became of an answer."""
    before, target, _ = told
    hedges = "; ".join(dict.fromkeys(one.hedge for one in said if one.hedge))
    missed = (one.reason for one in said if not one.calibrated)
    reason = next(missed, "") if said else passes(text) or _SILENT
    return Rewritten(
        read.text, before, target, read.confidence, hedges, text, read.text != text, reason, said
    )
