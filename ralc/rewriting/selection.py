"""The choice of words: the plainest hedge that is read as meant, and notes where none is (SPEC step 9).

Most claims are read as they came, and with the plainest few hedges of what is meant. Only where these miss are all
places of the nearest hedges read. An answer of many claims opens with a note of the whole.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Literal, NamedTuple

import numpy as np

from ralc.beta import Beta
from ralc.english import (
    Sentence,
    contradicts,
    denies,
    is_matching,
    is_sourced,
    is_supported,
    misstates,
    of_all,
    parse_ahead,
    passes_on,
    place_aside,
    place_behind,
    place_hedge,
    place_note,
    read_cues,
    remove_hedge,
    sentences,
    states_choice,
    unread,
    without_assurance,
    without_vouching,
)
from ralc.evaluators.evaluator import CLOSE, EvaluatorModel
from ralc.rewriting.doors import Reason
from ralc.rewriting.notes import STEP, Scope, best_opening, drawn, notes_for

#: Hedges of a claim that another stage reads (paper: k = 5), and those whose places are all read where the plain miss.
HEDGES, TRIED = 5, 10
#: Wordings among which a draw decides, so that a hundred answers do not all read the same.
DRAWN = 3
#: How plain a hedge is by its frame, 0 where it stands inside the sentence. What is stiff is drawn only among its like;
#: where two wordings stand inside, only these are, else where two are spoken.
PLAINNESS = {"adverb": 0, "modal": 0, "tag": 1, "opener": 2, "standalone": 3, "clause": 4}
STIFF, SPOKEN = 3, 1
#: What is taken only where nothing else is read as meant.
LAST = 6
#: What a note has that contrasts with its claim: "but I'm not sure I have that right".
_DOUBTING = re.compile(r"\b(?:doubtful|far|not)\b")
#: What nobody infers: a number, or what is cited.
_FIGURE = re.compile(r"\d")
#: A claim that is meant below is denied, so that what is beside the question has a note.
DENIED = 0.5
#: What is read farther than so from what is meant has a note where no hedge conveys it.
FAR = 0.10
#: Hedges that a long answer may have, however few its claims; without a note of the whole, more may stand in at most
#: half of them.
FEWEST = 4
#: Standard deviation of what is meant by claims that explain, above which a note of the whole says too little of each.
APART = 0.3
#: How far below a note of the whole a claim may be meant for which it speaks.
BELOW = 0.35
#: What opens a condition, beside which no hedge is one, nor goes: not "If I had to guess, if it rains".
_CONDITION = re.compile(r"\bif\b", re.IGNORECASE)
#: What becomes of a claim that no hedge conveys: a note, as it came, or the best wording.
OnMiss = Literal["note", "leave", "best"]


class Hedge(NamedTuple):
    """A hedge of the lexicon, how it stands in a sentence, and how far its confidence is from a claim's target.

    ``distance`` is by 1-Wasserstein, ``gap`` between the means.
    """

    expression: str
    frame: str
    distance: float
    gap: float = 0.0

    @property
    def key(self) -> str:
        """Its words but for those in front: "it is likely" and "likely" are heard as the same."""
        return self.expression.removeprefix("it is ")


class Option(NamedTuple):
    """A wording of a claim, and the hedge that was put in; None of a draft. `bare`: the claim is no sentence."""

    text: str
    hedge: Hedge | None
    bare: bool = False

    @property
    def plainness(self) -> int:
        """How plain it is, the plainest 0: inside the sentence, "I think", in front or behind, "It is ... that"."""
        if self.hedge is None:
            return 0
        words, frame = self.hedge.expression, self.hedge.frame
        if frame == "clause" and words.startswith(("I ", "my ", "there ")):
            return SPOKEN if words.startswith("I ") or f"{words} that" not in self.text.lower() else 2
        if re.search(rf"\bit (?:is )?{re.escape(words)} (?:be |the case )?that\b", self.text, re.I):
            return PLAINNESS["clause"] + (frame == "modal")  # "It is possible that" before "It may be that"
        outside = frame == "adverb" and not self.bare and words[:1].upper() + words[1:] in self.text
        # "Possibly he died.", "Probably it usually takes an hour.", "It is presumably 12 km long."
        if outside and words.endswith(("possibly", "probably")):
            return LAST
        if words == "presumably" and _FIGURE.search(self.text):
            return STIFF
        return PLAINNESS["opener" if outside else frame]


@dataclass(eq=False)
class Claim:
    """A claim on its way into calibrated words.

    `original` is as it came, at the characters `start` to `end` of the answer of that number. `drafts` of a model
    compete with the nearest `hedges`, nearest first. `before` is what stands before the first claim of an answer.
    `whole`: it is all of its answer, so that a note can stand beside it, and a low target may deny it. `responsive`: it
    answers what was asked, so that a low target denies it; asked only where the target is low.
    `derived`: it ends a derivation, with all that stands behind it, so that a doubt is a sentence behind that.
    `explains`: it tells of nothing particular, so that where two such want a hedge a note of the whole speaks for all.
    `doubted`: it answers who doubts it; `verdict`: who asks whether something is so. `title`: its first word, where
    that has a capital in the question. `lacks`: it says that a document does not tell. `apart`: its note is a sentence
    of its own.
    `text`, `hedge` and `read` are its words, the expression that was put in, and the evaluator's reading. `reason` is
    why it is as it came.
    `origin` is ``left`` if it was already read as meant, ``unhedged`` if only its own hedges went. ``grammar``: a hedge
    was put in. ``model``: a draft. ``note``: a note stands beside it. ``covered``: a note of the whole speaks for it.
    ``crowded``: the answer has hedges enough.
    """

    original: str
    target: Beta | None
    answer: int = 0
    hedges: Sequence[Hedge] = ()
    drafts: Sequence[str] = ()
    before: str = ""
    start: int = 0
    end: int = 0
    whole: bool = False
    responsive: bool = True
    derived: bool = False
    explains: bool = False
    states: bool = True
    doubted: bool = False
    verdict: bool = False
    title: str = ""
    lacks: bool = False
    apart: bool = False
    reason: Reason = Reason.NONE
    text: str = ""
    hedge: str = ""
    read: Beta | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        self.text = self.original

    @cached_property
    def unassured(self) -> str:
        """The claim without an assurance before it that its target belies."""
        return (
            self.original
            if self.target is None
            else without_assurance(
                self.original, float(self.target.mean), doubted=self.doubted, verdict=self.verdict
            )
        )

    @cached_property
    def only_assures(self) -> bool:
        """Whether it only says, to who doubts an answer, how sure of it the speaker is: "Yes, I am certain."."""
        return self.doubted and not without_vouching(self.original)

    @cached_property
    def unhedged(self) -> str:
        """The claim without hedges of its own; with those that cannot be taken off."""
        return remove_hedge(self.unassured).text or self.unassured

    @cached_property
    def legible(self) -> str:
        """The claim as it is read before it has other words: of a letter in code the letter."""
        return "".join(filter(str.isupper, self.original)) if unread(self.original) else self.original

    @property
    def calibrated(self) -> bool:
        """Whether it is read within 0.05 of its target."""
        return self.target is not None and self.read is not None and is_within_step(self.target, self.read)

    @property
    def says_meant(self) -> bool:
        """Whether it is calibrated, or has a note that is read near to its target."""
        noted = self.origin == "note" and self.read is not None and _distance(self.read, self) <= FAR
        return self.calibrated or noted

    def to_dict(self) -> dict[str, Any]:
        """Return it as an object of JSON."""
        names = ("start", "end", "original", "hedge", "calibrated")
        numbers = {name: as_numbers(getattr(self, name)) for name in ("target", "read")}
        return {name: getattr(self, name) for name in names} | numbers | {"reason": self.reason.value}

    def options(self, hedges: Iterable[Hedge], *, each: int | None = None) -> list[Option]:
        """Return the `places` of hedges that are legible."""
        options = self.places(hedges, each=each)
        if not self.whole:
            parse_ahead(one.text for one in options)
        return [*filter(self.is_legible, options)]

    def places(self, hedges: Iterable[Hedge], *, each: int | None = None) -> list[Option]:
        """Return the places of hedges, each text once; of `each` hedge so many, the plainest first.

        Beside a hedge of its own that cannot be taken off there is no place for another. What is beside the question
        may be true, so that nothing denies it. A claim among others is not denied, since these rest on it: a note ends
        it. No hedge contradicts the rest.
        """
        options: dict[str, Option] = {}
        if (
            self.lacks
            or self.only_assures
            or self.derived
            or not self.states
            or self.is_beside_question
            or self.spreads
            or remove_hedge(self.unassured).text is None
        ):
            return []
        whole = f"{self.before}{self.unhedged}"
        bare = not _is_claim(self.unhedged)
        mean = float(self.target.mean)
        apt = [one for one in hedges if not contradicts(one.expression, one.frame, whole, mean)]
        # "The port is in use. Stop what uses it."
        if not self.whole or any(one.kind == "request" for one in sentences(self.unhedged)):
            apt = [one for one in apt if not denies(one.expression)]
        if _CONDITION.search(self.unhedged):
            apt = [one for one in apt if not _CONDITION.match(one.expression)]
        for hedge in apt:
            for text in place_hedge(hedge.expression, hedge.frame, self.unhedged)[:each]:
                if f"it {hedge.expression} be that " in text.lower():
                    continue  # nobody says so
                if not self.whole and not self.original.endswith("."):
                    text = text.removesuffix(".")  # the sentence may go on
                if not self.whole and self.original[:1].islower() and text[1:2].islower():
                    text = text[0].lower() + text[1:]  # "Hi Ann, maybe it is old."
                if self.title not in text:  # *Beloved* is no common word, *basil* no name
                    text = re.sub(rf"(?<=[a-z,] ){self.title}\b", self.title, text, count=1, flags=re.I)
                options.setdefault(text, Option(text, hedge, bare))
        return list(options.values())

    def is_legible(self, option: Option) -> bool:
        """Return whether an evaluator can read a wording, and finds the claim still in its place in the answer."""
        return not unread(option.text) and (self.whole or _is_claim(option.text))

    def fitting(self, drafts: Iterable[str]) -> list[str]:
        """Return the drafts that contradict nothing, and doubt nothing that nobody doubts."""
        mean = float(self.target.mean)
        return [draft for draft in drafts if not misstates(draft, self.original, mean)]

    @property
    def is_beside_question(self) -> bool:
        """Whether it does not answer, and is meant below 0.5 for that."""
        return not self.responsive and float(self.target.mean) < DENIED

    @property
    def spreads(self) -> bool:
        """Whether its answer claims something in several lines, so that a hedge would doubt one of them alone."""
        lines = {self.unhedged.count("\n", 0, one.start) for one in sentences(self.unhedged) if one.claims}
        return self.whole and len(lines) > 1

    @property
    def telling(self) -> tuple[Sentence, ...]:
        """Its sentences that tell something, be they none to the parser: claims, and phrases of four words or more."""
        parts = sentences(self.unhedged)
        return tuple(one for one in parts if one.claims or (one.kind == "phrase" and len(one.words) > 3))

    @property
    def ends_its_answer(self) -> bool:
        """Whether it is all that its answer claims, in one sentence and the last, which a note may end."""
        if self.apart or self.lacks or self.only_assures:
            return False
        parts = sentences(self.unhedged)
        alone = bool(parts) and [*self.telling] == [parts[-1]] and parts[-1].claims
        # Behind a letter stand the words of a choice: "A. It rises, I think." is one.
        free = alone and not (
            states_choice(self.unhedged) or is_matching(self.unhedged) or parts[-1].promises
        )
        return free and place_aside("I think", self.unhedged) != self.unhedged

    @property
    def scope(self) -> Scope:
        """Of what its note speaks: beside a source of whether the speaker has it right, which doubts no source."""
        if self.derived or self.lacks or is_sourced(self.unhedged) or is_supported(self.unhedged):
            return "support"
        if self.whole and self.is_beside_question:
            return "beside"
        if self.whole and passes_on(self.unhedged):
            return "question"
        return "answer" if self.whole and not self.ends_its_answer else "aside"

    def notes(self, notes: Iterable[str]) -> list[Option]:
        """Return it with each of some notes, which stand in place of a mere assurance."""
        if self.only_assures:
            return [Option(f"{note}.", Hedge(note, "note", 0.0)) for note in notes]
        if not self.states and not self.derived:
            return []
        scope = self.scope
        place = place_note if self.whole else place_behind
        if scope == "support" and not (self.whole or self.derived):  # a sentence would speak of all claims
            place = place_aside
            notes = (f"{'but' if _DOUBTING.search(note) else 'and'} {note}" for note in notes)
        elif scope == "aside":
            place = place_aside
        # Beside cues of its own a claim is read by these, whatever a note says of all.
        elif scope == "answer" and len(self.telling) > 1 and not read_cues(self.unhedged):
            notes = map(of_all, notes)
        return [Option(place(note, self.unhedged), Hedge(note, "note", 0.0)) for note in notes]

    def put_back(self, reason: Reason) -> None:
        """Let it stand as it came."""
        self.text = self.original
        self.hedge = ""
        self.origin = ""
        self.read = None
        self.reason = reason


#: Origins of claims that are left on purpose, and why they are as they came.
_REASONS = {"left": Reason.ALREADY, "covered": Reason.COVERED, "crowded": Reason.CROWDED}
_DECIDED = (*_REASONS, "unhedged")


def _is_claim(sentence: str) -> bool:
    """Whether the parser takes a sentence for a claim still: "She quite possibly sang." it does not."""
    return any(part.kind == "claim" for part in sentences(sentence))


def as_numbers(confidence: Beta | None) -> float | list[float] | None:
    """Return the mean of a confidence, or those of several, to four places; None where there is none.

    >>> as_numbers(Beta(1, 2)), as_numbers(Beta([1, 3], 1))
    (0.3333, [0.5, 0.75])
    """
    return None if confidence is None else np.round(confidence.mean, 4).tolist()


def is_within_step(target: Beta, read: Beta) -> bool:
    """Return whether a reading is as near to its target as evaluators' steps tell.

    >>> is_within_step(Beta(6, 4), Beta(13, 7)), is_within_step(Beta(4, 6), Beta(13, 7))
    (True, False)
    """
    return abs(float(read.mean - target.mean)) <= STEP + 1e-9


def nearest(distances: Sequence[float], texts: Sequence[str], key: str) -> int:
    """Return the place of the smallest distance; among those within `CLOSE` of it a draw by `key` decides.

    Parameters
    ----------
    distances
        At least one.
    texts
        The text of each distance, on which the draw depends.
    key
        Of the draw: equal keys draw the same.

    Examples
    --------
    >>> nearest([0.3, 0.1, 0.2], ["a", "b", "c"], "seed")
    1
    """
    best = min(distances)
    near = [at for at, far in enumerate(distances) if far <= best + CLOSE]
    return drawn(near, [texts[at] for at in near], key)


def choose(
    claims: Sequence[Claim],
    evaluator: EvaluatorModel,
    *,
    keep: bool = True,
    on_miss: OnMiss = "note",
    plain: bool = True,
    seed: int = 0,
    sizes: Mapping[int, int] | None = None,
) -> dict[int, str]:
    """Choose the words of each claim: fill in its text, hedge, origin, reading and reason.

    Parameters
    ----------
    claims
        Each with a target; those of one answer stand in its order.
    evaluator
        Says how sure a text sounds; it asks no model.
    keep
        Whether a claim stays that is read within `STEP` of its target as it came, or without its own hedges.
    on_miss
        What becomes of a claim that no hedge conveys.
    plain
        Whether the plainest hedge that is read as meant is taken; else the nearest, as in the paper.
    seed
        Draws among wordings that are equally plain or near.
    sizes
        How many claims each answer has, by `Claim.answer`; without it no answer is crowded.

    Returns
    -------
    dict
        The note with which an answer opens, by the number of the answer; none of an answer that opens with none.
    """
    came = _readings(evaluator, (claim.legible for claim in claims))
    for claim in claims:
        claim.read = came[claim.legible]
        if keep and claim.calibrated and claim.unassured == claim.original:  # "Absolutely! I doubt it."
            claim.origin = "left"
    if keep:
        _take_off(_open(claims), evaluator)
    openings = _open_with_notes(claims, evaluator, sizes or {}, seed) if on_miss == "note" else {}
    _leave_crowded([claim for claim in _open(claims) if claim.answer not in openings], sizes or {})
    used = _Used(claims)
    if plain:
        _take_plainest(_plain_options(_open(claims)), evaluator, used, seed)
    everywhere = {}
    for claim in _open(claims):
        free = [hedge for hedge in claim.hedges if used.admits(claim, hedge)]
        everywhere[claim] = [*(Option(draft, None) for draft in claim.drafts), *claim.options(free[:TRIED])]
    _take_plainest(everywhere, evaluator, used, seed, plain=plain, nearest_else=True)
    missed = [claim for claim in claims if claim.origin not in _DECIDED and not claim.calibrated]
    if on_miss == "note":
        _take_notes(missed, evaluator, came, used, seed)
        apart = [claim for claim in missed if claim.whole and claim.origin != "note"]
        for claim in apart:  # "It is free if you return it within 60 days, I think." doubts the condition
            claim.apart = True
        _take_notes(apart, evaluator, came, used, seed)
    for claim in claims:
        claim.reason = _REASONS.get(claim.origin, Reason.NONE)
    for claim in (one for one in missed if one.origin != "note"):
        if on_miss == "best":
            claim.reason = Reason.MISSED
        else:
            claim.put_back(Reason.MISSED if _distance(came[claim.legible], claim) > FAR else Reason.NEAR)
    return openings


def _distance(read: Beta, claim: Claim) -> float:
    """How far a mean reading is from what a claim is to say."""
    return abs(float(read.mean - claim.target.mean))


class _Used:
    """The hedges of answers: one stands at most twice in an answer, and not in claims side by side."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._place = {claim: place for place, claim in enumerate(claims)}
        self._places: dict[tuple[int, str], list[int]] = defaultdict(list)

    def add(self, claim: Claim, hedge: Hedge) -> None:
        """Note that a claim has a hedge."""
        self._places[claim.answer, hedge.key].append(self._place[claim])

    def is_new(self, claim: Claim, hedge: Hedge) -> bool:
        """Return whether no claim of its answer has a hedge."""
        return not self._places[claim.answer, hedge.key]

    def admits(self, claim: Claim, hedge: Hedge) -> bool:
        """Return whether a claim may have a hedge."""
        places = self._places[claim.answer, hedge.key]
        return len(places) < 2 and all(abs(place - self._place[claim]) > 1 for place in places)


def _open(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of which nothing is decided."""
    return [claim for claim in claims if not claim.origin]


def _readings(evaluator: EvaluatorModel, texts: Iterable[str]) -> dict[str, Beta]:
    """The reading of each text; equal ones are read once."""
    unique = list(dict.fromkeys(texts))
    return dict(zip(unique, evaluator.read(unique), strict=True)) if unique else {}


def _take_off(claims: Sequence[Claim], evaluator: EvaluatorModel) -> None:
    """Take off the hedges of claims that are read as meant without them."""
    hedged = [
        claim
        for claim in claims
        if claim.unhedged != claim.original
        and not unread(claim.unhedged)
        and not _CONDITION.search(claim.original)
    ]
    read = _readings(evaluator, (claim.unhedged for claim in hedged))
    for claim in hedged:
        if is_within_step(claim.target, read[claim.unhedged]):
            claim.text = claim.unhedged
            claim.origin = "unhedged"
            claim.read = read[claim.unhedged]


def _open_with_notes(
    claims: Sequence[Claim], evaluator: EvaluatorModel, sizes: Mapping[int, int], seed: int
) -> dict[int, str]:
    """Choose the note with which each answer of many claims opens, and leave the claims that it speaks for.

    Two claims that explain are many, unless what they are to say is far apart. Open stay the claims that are farthest
    from its level, upwards and downwards; of those that explain only what is meant far below it.
    """
    openings: dict[int, str] = {}
    for answer, group in groupby(claims, key=lambda claim: claim.answer):
        parts = list(group)
        wanting = [claim for claim in parts if claim.origin in ("", "unhedged") and not claim.calibrated]
        explain = [claim.target.mean for claim in wanting if claim.explains]
        alone = len(explain) < 2 or np.std(explain) > APART
        if alone and len(wanting) <= max(FEWEST, sizes.get(answer, 0) // 2):
            continue
        silent = [claim for claim in parts if not read_cues(claim.text)]
        # Beneath a note at most half of the claims say something else.
        hedges = min(FEWEST, (len(parts) + 1) // 2, len(wanting) - len(explain))
        note, level = best_opening(parts, silent, evaluator, hedges=hedges, seed=seed)
        if not note:
            continue
        openings[answer] = note
        for claim in silent:
            claim.read = level
            claim.origin = "left" if claim.calibrated else ""
        ranked = sorted(_open(parts), key=lambda claim: (claim.explains, -_distance(claim.read, claim)))
        for place, claim in enumerate(ranked):
            near = place >= hedges and _distance(claim.read, claim) <= 2 * FAR
            belied = claim.read.mean - claim.target.mean > BELOW
            if not belied and (claim.explains or near or place >= FEWEST):
                claim.origin = "covered"
    return openings


def _leave_crowded(claims: Sequence[Claim], sizes: Mapping[int, int]) -> None:
    """Leave the claims of an answer that are read nearest to their targets, where too many want a hedge."""
    for answer, group in groupby(claims, key=lambda claim: claim.answer):
        ranked = sorted(group, key=lambda claim: _distance(claim.read, claim))
        most = max(FEWEST, sizes.get(answer, 2 * len(ranked)) // 2)
        for claim in ranked[: max(len(ranked) - most, 0)]:
            claim.origin = "crowded"


def _take_notes(
    claims: Sequence[Claim], evaluator: EvaluatorModel, came: Mapping[str, Beta], used: "_Used", seed: int
) -> None:
    """Put the nearest note beside each claim: it is read within `FAR` of its target, and a step nearer than alone."""
    options = {
        claim: [one for one in claim.notes(notes_for(claim, evaluator)) if not evaluator.unread(one.text)]
        for claim in claims
    }
    read = _readings(evaluator, (one.text for each in options.values() for one in each))
    for claim, listed in options.items():
        each = [one for one in listed if claim.whole or used.admits(claim, one.hedge)]
        meant = [one for one in each if is_within_step(claim.target, read[one.text])]
        each = meant or each
        distances = [_distance(read[one.text], claim) for one in each]
        if not meant and min(distances, default=1) > min(FAR, _distance(came[claim.legible], claim) - STEP):
            continue
        note = each[nearest(distances, [one.text for one in each], f"{seed}/{claim.original}")]
        claim.text = note.text
        claim.hedge = note.hedge.expression
        claim.origin = "note"
        claim.read = read[note.text]
        used.add(claim, note.hedge)


def _plain_options(claims: Iterable[Claim]) -> dict[Claim, list[Option]]:
    """The drafts of each claim, and the plainest place of the plainest hedges that mean what it is to say."""
    meant = {
        claim: claim.places((hedge for hedge in claim.hedges if hedge.gap <= STEP + 1e-9), each=1)
        for claim in claims
    }
    for options in meant.values():
        options.sort(key=lambda option: option.plainness)
    parse_ahead(one.text for claim, options in meant.items() if not claim.whole for one in options[:DRAWN])
    return {
        claim: [
            *(Option(draft, None) for draft in claim.drafts),
            *islice(filter(claim.is_legible, options), DRAWN),
        ]
        for claim, options in meant.items()
    }


def _take_plainest(
    listed: Mapping[Claim, list[Option]],
    evaluator: EvaluatorModel,
    used: "_Used",
    seed: int,
    *,
    plain: bool = True,
    nearest_else: bool = False,
) -> None:
    """Read options, and take for each claim the plainest that is read as meant: one of a few, by a draw.

    Where none is, or without `plain`, with `nearest_else` the one that is read nearest to its target.
    """
    if not any(listed.values()):
        return
    read = _readings(evaluator, (option.text for options in listed.values() for option in options))
    # Among so few that one is drawn of them all, no distance counts.
    ranked = [claim for claim, options in listed.items() if nearest_else or len(options) > DRAWN]
    pairs = [(claim, option) for claim in ranked for option in listed[claim]]
    both = ((read[option.text], claim.target) for claim, option in pairs)
    a, b, c, d = np.array([(s.alpha, s.beta, t.alpha, t.beta) for s, t in both]).reshape(-1, 4).T
    far = dict(zip(pairs, Beta(a, b).wasserstein_distance(Beta(c, d)).tolist(), strict=True))
    for claim, options in listed.items():
        free = [one for one in options if one.hedge is None or used.admits(claim, one.hedge)]
        meant = [one for one in free if plain and is_within_step(claim.target, read[one.text])]
        meant.sort(key=lambda option: (option.plainness, far.get((claim, option), 0.0)))
        # Among other claims "I am 90 percent sure that" is stiff.
        counted = () if claim.whole else [one for one in meant if one.hedge and _FIGURE.search(one.hedge[0])]
        meant = [one for one in meant if one.plainness < LAST and one not in counted] or meant
        few = [one for one in meant if (one.plainness < STIFF) == (meant[0].plainness < STIFF)][:DRAWN]
        for plainness in (PLAINNESS["clause"], SPOKEN):
            plainest = [one for one in few if one.plainness <= plainness]
            few = plainest if len(plainest) > 1 else few
        few = [one for one in few if one.hedge is None or used.is_new(claim, one.hedge)] or few
        key = f"{seed}/{claim.original}"
        if few:
            inside = [one for one in few if not one.plainness]
            # Two have two lots each; one alone, which has a place in nearly all, would have most of a level.
            inside = inside if len(inside) > 1 else []
            lots = [one.text for one in few] + [f"{one.text}/" for one in inside]
            option = drawn(few + inside, lots, key)
        elif free and nearest_else:
            option = free[nearest([far[claim, one] for one in free], [one.text for one in free], key)]
        else:
            continue
        claim.text, hedge, _ = option
        claim.hedge = ""
        claim.origin = "model"
        claim.read = read[claim.text]
        if hedge is not None:
            claim.hedge = hedge.expression
            claim.origin = "grammar"
            used.add(claim, hedge)
