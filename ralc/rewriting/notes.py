"""Notes: sentences of their own that say how sure an answer is, where no hedge has a place in it (SPEC steps 9 and 10).

They are in one voice and cover the scale (``ralc/data/notes.csv``). A note of scope ``answer`` speaks of all of a short
answer; one of scope ``support`` doubts the speaker, by a source or a derivation. One of scope ``question`` speaks of
whether what somebody says or thinks answers, one of scope ``beside`` of whether a reply answers what was asked. One of
scope ``aside`` ends an answer of one claim, or a claim of a long one. One of scope ``whole`` opens an answer of many.
"""

import hashlib
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from ralc import data, evaluators
from ralc.beta import Beta
from ralc.english import place_aside, place_note, place_opening, pointing_on, read_cues
from ralc.evaluators.evaluator import CLOSE, EvaluatorModel

if TYPE_CHECKING:
    from ralc.rewriting.selection import Claim

Scope = Literal["answer", "support", "question", "beside", "aside", "whole"]
#: Evaluators answer in steps of five per cent: a text is in calibrated words that is read within one of its target.
STEP = 0.05
#: What a note of the whole must save of the mean squared distance between what is read and what is meant.
WORTH = 0.005
#: How far a note by itself may be read from what is meant.
NOTED = 0.15


@cache
def load_notes(scope: Scope) -> tuple[str, ...]:
    """Return the notes of a scope, without full stops.

    >>> load_notes("question")[0]
    "That's almost certainly the right answer"
    """
    return tuple(row["expression"] for row in data.rows("notes.csv") if row["scope"] == scope)


def opening_of(answer: str) -> str:
    """Return the note of the whole with which what an answer claims opens; "" where it opens with none.

    >>> opening_of("Most of what follows is probably right. It is old."), opening_of("It is old.")
    ('Most of what follows is probably right.', '')
    """
    forms = (f"{form}." for note in load_notes("whole") for form in (note, pointing_on(note)))
    return next((form for form in forms if form in answer), "")


def nearest_notes(scope: Scope, mean: float, few: int = 2) -> list[str]:
    """Return the few notes of a scope that the cue model reads nearest to a mean confidence.

    Parameters
    ----------
    scope
        Of what the notes speak.
    mean
        The confidence, in [0, 1].
    few
        How many notes; fewer come where the scope has no more.

    Returns
    -------
    list of str
        The nearest first, without full stops.
    """
    far = np.abs(_levels(scope, _cue_model()).mean - mean)
    return [load_notes(scope)[place] for place in np.argsort(far, kind="stable")[:few]]


def notes_for(claim: "Claim", evaluator: EvaluatorModel) -> Sequence[str]:
    """Return the notes that are read near to a claim's target by themselves.

    Beside a claim without cues an evaluator of cues alone reads each note as it does beside any other. So of use to a
    whole answer are those alone that are read as meant, or the nearest. A note says by itself what is meant, whatever
    the cues of the claim add.
    """
    alone = evaluator.cues_alone and not read_cues(claim.unhedged)
    levels = _levels(claim.scope, evaluator if alone else _cue_model())
    far = np.abs(levels.mean - float(claim.target.mean))
    most = max(STEP, far.min() + CLOSE) + 1e-9 if alone and claim.whole else NOTED
    return [load_notes(claim.scope)[place] for place in np.flatnonzero(far <= min(most, NOTED))]


@cache
def _cue_model() -> EvaluatorModel:
    return evaluators.load("cue_model")


@lru_cache(maxsize=32)
def _levels(scope: Scope, evaluator: EvaluatorModel) -> Beta:
    """How sure each note of a scope sounds to an evaluator of cues alone, beside what has none."""
    place = {"whole": place_opening, "aside": place_aside}.get(scope, place_note)
    return evaluator.read([place(note, "It is so.") for note in load_notes(scope)])


def best_opening(
    claims: "Sequence[Claim]",
    silent: "Sequence[Claim]",
    evaluator: EvaluatorModel,
    *,
    hedges: int,
    seed: int,
) -> tuple[str, Beta | None]:
    """Return the note of the level that all claims of an answer have on average, and its reading; "" for none.

    It must bring the readings nearer to what is meant. "Most of this" is said only where more than half of the claims
    are meant above 0.5.

    Parameters
    ----------
    claims
        Of one answer, each with its target and its reading.
    silent
        Those that say nothing of how sure they are: they are read at the level of the note.
    hedges
        How many of them may say something else than the note; the farthest count as said.
    seed
        Draws among notes that are equally near.
    """
    notes = load_notes("whole")
    if not silent:
        return "", None
    levels = (
        _levels("whole", evaluator)
        if evaluator.cues_alone
        else evaluator.read([place_opening(note, silent[0].text) for note in notes])
    )
    target = np.array([float(claim.target.mean) for claim in claims])
    read = np.array([float(claim.read.mean) for claim in claims])
    spoken_for = np.isin(np.arange(len(claims)), [claims.index(claim) for claim in silent])
    under = np.where(spoken_for, levels.mean[:, None], read)
    errors = np.sort((np.vstack([read, under]) - target) ** 2, axis=1)
    cost = errors[:, : max(len(claims) - hedges, 0)].sum(axis=1) / len(claims)
    far = np.abs(levels.mean - target.mean())
    if np.mean(target > 0.5) <= 0.5:
        far[["most of" in note.lower() for note in notes]] = np.inf
    near = np.flatnonzero(far <= far.min() + CLOSE).tolist()
    best = drawn(near, [notes[place] for place in near], f"{seed}/{claims[0].original}")
    return (notes[best], levels[best]) if cost[0] - cost[1 + best] > WORTH else ("", None)


def drawn(places: Sequence[int], texts: Sequence[str], key: str) -> int:
    """Return one of some places by a draw that depends on a key and their texts alone.

    Parameters
    ----------
    places
        At least one.
    texts
        The text of each place.
    key
        Equal keys draw the same.
    """
    digests = [hashlib.sha256(f"{key}/{text}".encode(errors="surrogatepass")).digest() for text in texts]
    return places[digests.index(min(digests))]
