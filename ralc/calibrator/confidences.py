"""Confidences of answers as users give them: one an answer, or one for each of its claims."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ralc.beta import Beta
from ralc.beta.validation import as_floats, as_vector, same_shape
from ralc.calibrator.signal import as_confidence
from ralc.protocols import Protocol

#: Of an answer: the place of its confidence among those that are known, None without one; or those of its claims.
Places = list[int | list[int | None] | None]


def has_several(confidence: object) -> bool:
    """Return whether one entry of the confidences is a sequence: one for each claim of its answer.

    >>> has_several([0.9, [0.4, 0.8]]), has_several([0.9, None]), has_several(Beta([1, 2], 3))
    (True, False, False)
    """
    if isinstance(confidence, Beta) or (isinstance(confidence, np.ndarray) and confidence.dtype != object):
        return False
    return isinstance(confidence, Sequence | np.ndarray) and any(map(_is_several, confidence))


def check_claims(text: str, confidence: Sequence[Any]) -> None:
    """Raise ValueError, with the claims of an answer, if there are not as many confidences as claims."""
    from ralc.english.claim_sentences import claim_units

    claims = [unit.words for unit in claim_units(text)]
    if len(confidence) != len(claims):
        raise ValueError(
            f"{len(confidence)} confidences came for {len(claims)} sentences that claim something: "
            f"{'; '.join(map(repr, claims)) or 'none'}"
        )


def known_confidences(
    answers: Sequence[str], confidence: Any, protocol: Protocol
) -> tuple[Beta | None, Places]:
    """Return all confidences that are known as one vector (None without any), and which belong to which answer.

    Raises
    ------
    ValueError
        If there are not as many confidences as answers, or in an answer as claims, or a score is outside [0, 1].
    """
    if not has_several(confidence):
        if isinstance(confidence, Beta):
            same_shape((len(answers),), confidence.shape, names="texts and confidence")
            return confidence, list(range(len(answers)))
        scores = as_vector(as_floats(confidence, "confidence"))
        same_shape((len(answers),), scores.shape, names="texts and confidence")
        known = np.flatnonzero(~np.isnan(scores))
        places: Places = [None] * len(answers)
        for place, at in enumerate(known):
            places[at] = place
        return as_confidence(scores[known], protocol) if len(known) else None, places
    same_shape((len(answers),), (len(confidence),), names="texts and confidence")
    found: list[Beta] = []
    places = []
    for number, (text, one) in enumerate(zip(answers, confidence, strict=True)):
        if not _is_several(one):
            places.append(next(_placed([one], found, protocol)))
            continue
        try:
            check_claims(text, one)
        except ValueError as error:
            raise ValueError(f"answer {number}: {error}") from None
        places.append(list(_placed(one, found, protocol)))
    return (Beta([one.alpha for one in found], [one.beta for one in found]) if found else None), places


def _placed(entries: Sequence[Any], found: list[Beta], protocol: Protocol) -> Iterator[int | None]:
    """Add confidences to those that were found; yields the place of each, None of one that is missing."""
    for entry in entries:
        if not isinstance(entry, Beta):
            (score,) = as_floats([entry], "confidence")
            if np.isnan(score):
                yield None
                continue
            entry = as_confidence([score], protocol)[0]
        found.append(entry)
        yield len(found) - 1


def _is_several(one: object) -> bool:
    """Whether the confidence of an answer is a sequence."""
    return isinstance(one, list | tuple | np.ndarray) or (isinstance(one, Beta) and bool(one.shape))
