"""Choosing the words of claims: the nearest hedges, read in their places, by 1-Wasserstein distance (SPEC step 9).

Most claims are read twice: as they came, and with one drawn hedge in its plainest place. Only where that misses are
all places of the nearest hedges read.
"""

import hashlib
import zlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from ralc.beta import Beta
from ralc.english.hedge_placement import Place, notes, place_hedge
from ralc.english.hedge_removal import remove_hedge
from ralc.evaluators.evaluator import CLOSE, EvaluatorModel

#: Evaluators answer in steps of five per cent: a text is in calibrated words that is read within one of its target.
STEP = 0.05
#: Hedges among which one is drawn (paper: k = 5), and whose places are all read where it misses.
HEDGES, TRIED = 5, 10
#: Hedges that a long answer may have, however few its claims; more may stand in at most half of them.
FEWEST = 4


class Hedge(NamedTuple):
    """A hedge of the lexicon, how it stands in a sentence, and how far its confidence is from a claim's target."""

    expression: str
    frame: str
    distance: float


@dataclass(frozen=True)
class Claim:
    """A claim to be put into words.

    Parameters
    ----------
    text
        As it came.
    target
        The confidence that it should convey, a single `Beta`.
    answer
        The number of the answer that it belongs to: no hedge stands twice in one.
    hedges
        The nearest ones, nearest first.
    drafts
        Texts of a model, which compete with the hedges.
    names
        Words that stay capitalised behind a hedge.
    """

    text: str
    target: Beta
    answer: int
    hedges: Sequence[Hedge] = ()
    drafts: Sequence[str] = ()
    names: Collection[str] = ()

    @cached_property
    def unhedged(self) -> str:
        """The claim without hedges of its own; as it came where they cannot be taken off."""
        return remove_hedge(self.text) or self.text


class Choice(NamedTuple):
    """The words of a claim, and the evaluator's reading of them.

    `origin` is ``left`` where it was already read as meant, ``unhedged`` where it is without its own hedges,
    ``grammar`` where a hedge was put in, ``model`` of a draft, ``crowded`` where the answer has hedges enough, and
    ``none`` where no hedge has a place in it.
    """

    text: str
    hedge: str
    origin: str
    read: Beta


def is_within_step(target: Beta, read: Beta) -> bool:
    """Return whether a reading is as near to its target as evaluators' steps tell.

    >>> is_within_step(Beta(6, 4), Beta(13, 7)), is_within_step(Beta(4, 6), Beta(13, 7))
    (True, False)
    """
    return abs(float(read.mean - target.mean)) <= STEP + 1e-9


def options(claim: Claim, hedges: Sequence[Hedge] | None = None, *, each: int | None = None) -> list[Place]:
    """Return the places of hedges in a claim, each text once; of `each` hedge so many, the plainest first.

    Of a text of several claims, the places of a sentence behind it that speaks of all of them come last.
    """
    wanted = claim.hedges[:HEDGES] if hedges is None else hedges
    found: dict[str, Place] = {}
    for where in (partial(place_hedge, names=claim.names), notes):
        for hedge in wanted:
            for place in where(hedge.expression, hedge.frame, claim.unhedged)[:each]:
                found.setdefault(place.text, place)
    return list(found.values())


def nearest(distances: Sequence[float], texts: Sequence[str], key: str) -> int:
    """Return the place of the smallest distance; among those within `CLOSE` of it a draw by `key` decides.

    >>> nearest([0.3, 0.1, 0.2], ["a", "b", "c"], "seed")
    1
    """
    best = min(distances)
    near = [at for at, far in enumerate(distances) if far <= best + CLOSE]
    return min(near, key=lambda at: hashlib.sha256(f"{key}/{texts[at]}".encode()).digest())


def choose(
    claims: Sequence[Claim],
    evaluator: EvaluatorModel,
    *,
    keep: bool = True,
    seed: int = 0,
    claims_of: Mapping[int, int] | None = None,
) -> list[Choice]:
    """Return the words of each claim.

    Parameters
    ----------
    claims
        Those of one answer stand in its order.
    evaluator
        Who reads them.
    keep
        Whether a claim stays that is read within `STEP` of its target as it came, or without its own hedges.
    seed
        Of the draw among hedges that are equally near.
    claims_of
        How many claims each answer has, by `Claim.answer`; without it no answer is crowded.
    """
    if not claims:
        return []
    came = _read(evaluator, [claim.text for claim in claims])
    found = [Choice(claim.text, "", "none", read) for claim, read in zip(claims, came, strict=True)]
    if keep:
        _keep(claims, found, evaluator)
    _leave_crowded(claims, found, claims_of or {})
    used: dict[int, set[str]] = defaultdict(set)
    drawn, bounds = _drawn(claims, found, seed)
    _take_nearest(claims, found, evaluator, drawn, used, bounds, seed)
    _take_nearest(claims, found, evaluator, _all_options(claims, found, used), used, {}, seed)
    return found


def _read(evaluator: EvaluatorModel, texts: Sequence[str]) -> list[Beta]:
    """The readings of some texts; equal ones are read once."""
    unique = list(dict.fromkeys(texts))
    read = dict(zip(unique, evaluator.read(unique), strict=True)) if unique else {}
    return [read[text] for text in texts]


def _stacked(confidences: Sequence[Beta]) -> Beta:
    """Single confidences as one vector."""
    return Beta([one.alpha for one in confidences], [one.beta for one in confidences])


def _open(found: Sequence[Choice]) -> list[int]:
    """The claims of which nothing is decided."""
    return [at for at, choice in enumerate(found) if choice.origin == "none"]


def _keep(claims: Sequence[Claim], found: list[Choice], evaluator: EvaluatorModel) -> None:
    """Leave what is read as meant as it came, or without its own hedges."""
    for at, choice in enumerate(found):
        if is_within_step(claims[at].target, choice.read):
            found[at] = choice._replace(origin="left")
    hedged = [at for at in _open(found) if claims[at].unhedged != claims[at].text]
    read = _read(evaluator, [claims[at].unhedged for at in hedged])
    for at, one in zip(hedged, read, strict=True):
        if is_within_step(claims[at].target, one):
            found[at] = Choice(claims[at].unhedged, "", "unhedged", one)


def _leave_crowded(claims: Sequence[Claim], found: list[Choice], claims_of: Mapping[int, int]) -> None:
    """Leave the claims of an answer that are read nearest to their targets, where too many want a hedge."""
    wanting: dict[int, list[int]] = defaultdict(list)
    for at in _open(found):
        wanting[claims[at].answer].append(at)
    for answer, own in wanting.items():
        most = max(FEWEST, claims_of.get(answer, 0) // 2)
        far = [abs(float(found[at].read.mean - claims[at].target.mean)) for at in own]
        for place in np.argsort(far, kind="stable")[: max(len(own) - most, 0)] if answer in claims_of else ():
            found[own[place]] = found[own[place]]._replace(origin="crowded")


def _drawn(
    claims: Sequence[Claim], found: Sequence[Choice], seed: int
) -> tuple[list[tuple[int, Place]], dict[int, float]]:
    """The plainest place of one hedge of each open claim, beside its drafts, and how near it must be read.

    The hedge is drawn among those that are as near as the nearest, so that a hundred answers do not all say the same;
    the draw depends on seed and text alone.
    """
    listed: list[tuple[int, Place]] = []
    bounds: dict[int, float] = {}
    taken: dict[int, set[str]] = defaultdict(set)
    for at in _open(found):
        claim, own = claims[at], taken[claims[at].answer]
        free = [one for one in claim.hedges if words_of(one.expression) not in own][:HEDGES]
        near = [one for one in free if one.distance <= free[0].distance + CLOSE]
        first = zlib.crc32(claim.text.encode(errors="surrogatepass"), seed) % len(near) if near else 0
        ordered = [*near[first:], *near[:first], *free[len(near) :]]
        placed = ((one, place) for one in ordered for place in options(claim, [one], each=1))
        if drawn := next(placed, None):
            own.add(words_of(drawn[0].expression))
            bounds[at] = drawn[0].distance + CLOSE
            listed += [(at, drawn[1]), *((at, Place("", draft)) for draft in claim.drafts)]
    return listed, bounds


def _all_options(
    claims: Sequence[Claim], found: Sequence[Choice], used: Mapping[int, set[str]]
) -> list[tuple[int, Place]]:
    """All places of the nearest hedges of each open claim, and its drafts."""
    listed: list[tuple[int, Place]] = []
    for at in _open(found):
        claim = claims[at]
        own = used.get(claim.answer, set())
        free = [one for one in claim.hedges if words_of(one.expression) not in own]
        listed += [(at, Place("", draft)) for draft in claim.drafts]
        listed += [(at, place) for place in options(claim, free[:TRIED])]
    return listed


def _take_nearest(
    claims: Sequence[Claim],
    found: list[Choice],
    evaluator: EvaluatorModel,
    listed: Sequence[tuple[int, Place]],
    used: dict[int, set[str]],
    bounds: Mapping[int, float],
    seed: int,
) -> None:
    """Read options, and take for each claim the one that is read nearest to its target, if within its bound."""
    if not listed:
        return
    read = _read(evaluator, [place.text for _, place in listed])
    far = _stacked(read).wasserstein_distance(_stacked([claims[at].target for at, _ in listed]))
    rows: dict[int, list[int]] = defaultdict(list)
    for row, (at, _) in enumerate(listed):
        rows[at].append(row)
    for at, own in rows.items():
        free = [row for row in own if words_of(listed[row][1].hedge) not in used[claims[at].answer]]
        if not free:
            continue
        texts = [listed[row][1].text for row in free]
        row = free[nearest([float(far[row]) for row in free], texts, f"{seed}/{claims[at].text}")]
        if float(far[row]) <= bounds.get(at, np.inf):
            place = listed[row][1]
            found[at] = Choice(place.text, place.hedge, "grammar" if place.hedge else "model", read[row])
            used[claims[at].answer] |= {words_of(place.hedge)} - {""}


def words_of(hedge: str) -> str:
    """Return a hedge without the words that may stand in front of it: in an answer it is heard as the same.

    >>> words_of("it is highly likely"), words_of("highly likely")
    ('highly likely', 'highly likely')
    """
    return hedge.removeprefix("it is ")
