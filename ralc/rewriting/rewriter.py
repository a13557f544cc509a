"""The Rewriter: answers and target confidences in, calibrated words and the outcome of each claim out.

An answer with one target is one claim, all of it; one with a target a claim keeps every byte between its claims. Each
claim has its words by `ralc.rewriting.selection`. The whole of a long answer is read again; a claim that is read
otherwise then is put back.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ralc.beta import Beta
from ralc.english import (
    Sentence,
    asks_yes_or_no,
    is_derivation,
    is_given,
    is_pushback,
    may_be_beside,
    opening_edit,
    parse_ahead,
    pointing_on,
    sentences,
    states_choice,
    without_assurance,
    without_vouching,
    words,
)
from ralc.evaluators.evaluator import EvaluatorModel, TextRead
from ralc.lexicon import Lexicon
from ralc.lexicon.table import on_hedge_grid
from ralc.preservation import overlap
from ralc.retrieval import nearest_hedges
from ralc.rewriting.doors import Door, Reason, claims_lack, is_written_on_order, skip_reason
from ralc.rewriting.selection import DENIED, Claim, Hedge, OnMiss, as_numbers, choose, is_within_step

Style = Literal["words", "range"]
#: What becomes of a claim whose target is below `UNSUPPORTED`.
Below = Literal["hedge", "drop", "mark"]
UNSUPPORTED = 0.25
#: Writes a claim freely: takes it, the nearest hedges and the target's mean; returns its texts.
Writer = Callable[[str, list[str], float], Sequence[str]]

#: Hedges retrieved for a claim: a long answer needs more than `selection.HEDGES`, since none stands twice.
SHORTLIST = 24
#: Shortlists that a Rewriter keeps.
KEPT_SHORTLISTS = 4_000
#: Answers that are rewritten side by side: their parses are kept meanwhile.
PART = 100
#: Words of a question that says nothing by itself: "Why?".
ELLIPTIC = 2
#: Share of the content words that a freely written text must keep.
KEPT = 0.8
#: What stands behind an unsupported claim that is marked.
MARK = "[citation needed]"
#: The first word of an answer, which may be of a title; no name: "King John", "Table 2".
_FIRST = re.compile(
    r"(?!(?:All|An|At|Both|For|From|He|His|Her|If|In|It|Its|Most|My|No|On|Our|She|So|The|There|These|They|"
    r"This|That|Those|To|We|With|Yes|You|Your)\b)[A-Z]\w++(?! [A-Z\d])"
)
#: Whose answer of one word is a name: "Who led it?", "Which band was it?".
_NAMED = re.compile(
    r"(?:who(?:m|se)?\b.*\n(?!(?:any|every|no|some)(?:body|one)\b)\w+(?<!s)"
    r"|(?:what|which) (?:\w+ ){0,3}(?:album|band|book|brand|browser|company|film|game|magazine|movie|musical"
    r"|newspaper|novel|opera|play|program|ship|show|song)\b.*\n\w+)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
#: What somebody may look up: a number, a name inside a sentence, who did it; no name that explains in brackets.
_PARTICULAR = re.compile(
    r"\([A-Z][^()]*\)|(\b\d[\d.,]*\d|(?<=[a-z,] )[A-Z][a-z]{2,}|\b(?:[Hh]e|[Ss]he|[Hh]is|[Hh]er)\b)"
)
#: What can be or would be is nothing that somebody may look up.
_CAN = re.compile(r"\b(?:can|must|shall|will|would)\b")
#: References behind a claim: "It is old.[2]".
_REFERENCES = re.compile(r"(?: ?\[\^?\d{1,3}\])*")
_STOP = re.compile(r"[.!?]*[*_\"”’)]*$")


@dataclass(frozen=True)
class Rewrite:
    """An answer in calibrated words.

    Parameters
    ----------
    text
        What to say.
    target, read
        The confidence that it should convey, of each claim in a long answer; and the evaluator's reading of `text`.
        None where no confidence came, or nothing can be read.
    hedge
        The expressions and notes that were put in, joined by "; ".
    original, changed
        The answer as it came, and whether `text` differs from it.
    reason
        Why the answer was not rewritten; ``Reason.NONE``, which is "", if it was. For several claims: the first such
        reason.
    door
        What became of it; None where it claims something and stays as it came.
    sentences
        Each claim of a long answer, with its `text`, `target`, `read`, `hedge` and `reason`. `start` and `end` are its
        characters in the rewritten text, equal where it was left out.
    confidence
        The confidence before calibration (`WordCalibrator.rewrite` fills it in).
    """

    text: str
    target: Beta | None
    read: Beta | None
    hedge: str
    original: str
    changed: bool
    reason: Reason
    door: Door | None = None
    sentences: tuple[Claim, ...] = ()
    confidence: Beta | None = None

    @property
    def calibrated(self) -> bool:
        """Whether `text`, or each of its claims, is read within 0.05 of the target."""
        if self.reason not in (Reason.NONE, Reason.ALREADY):
            return False
        return all(
            one.target is not None and one.read is not None and is_within_step(one.target, one.read)
            for one in self.sentences or (self,)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all but the text as an object of JSON: numbers as means, the reason for people."""
        told = {name: getattr(self, name) for name in ("calibrated", "hedge", "original", "changed")}
        told |= {name: as_numbers(getattr(self, name)) for name in ("confidence", "target", "read")}
        told |= {"door": self.door and self.door.value, "reason": self.reason.text}
        return told | ({"sentences": [one.to_dict() for one in self.sentences]} if self.sentences else {})


@dataclass
class _Draft:
    """An answer on its way.

    `comments` said how sure all of it was, and go; `long`: it has a target a claim; `spans`: its claims in the text.
    `opening` is a note of the whole.
    """

    answer: str
    claims: list[Claim]
    long: bool
    reason: Reason = Reason.NONE
    opening: str = ""
    comments: list[Claim] = field(default_factory=list)
    text: str = ""
    spans: list[tuple[int, int]] = field(default_factory=list)
    read: Beta | None = None

    def write(self) -> None:
        """Put the text together: every byte beside the claims is the answer's."""
        others = [*self.comments]
        if self.opening:
            place, _, note = opening_edit(self.opening, self.answer)
            if note[-1].isspace():
                place = min(place, self.claims[0].start)
            others.append(Claim(note, None, start=place, end=place))
        pieces: list[str] = []
        self.spans = []
        at = 0
        length = 0
        placed = sorted([*others, *self.claims], key=lambda claim: claim.start)
        for claim in placed:
            start, end = (claim.start, claim.end) if claim.text else _with_space(self.answer, claim)
            pieces += [self.answer[at : max(start, at)], claim.text]
            length += len(pieces[-2]) + len(claim.text)
            at = max(end, at)
            if claim not in others:
                self.spans.append((length - len(claim.text), length))
        text = "".join([*pieces, self.answer[at:]])
        gone = at == len(self.answer) and not all(claim.text for claim in placed)
        self.text = text.rstrip(" ") if gone else text


class Rewriter:
    """Puts answers into the words of a lexicon that an evaluator reads as meant.

    Parameters
    ----------
    lexicon
        Hedges and how they are read; flagged entries are never used.
    evaluator
        Says how sure a text sounds; it asks no model.
    keep
        Whether a claim that is already read within 0.05 of its target stays as it came.
    seed
        Draws among hedges that are equally near.
    """

    def __init__(
        self, lexicon: Lexicon, evaluator: EvaluatorModel, *, keep: bool = True, seed: int = 0
    ) -> None:
        usable = lexicon.usable()
        self._expressions = list(lexicon.table["expression"])
        self._hedges = list(zip(usable.table["expression"], usable.table["frame"], strict=True))
        self._confidence = usable.confidence
        self._evaluator = evaluator
        self._keep = keep
        self._seed = seed
        self._nearest: dict[tuple[float, float], list[Hedge]] = {}

    def rewrite(
        self,
        answers: Sequence[str],
        targets: Sequence[Beta | Sequence[Beta | None] | None],
        *,
        questions: Sequence[str] | None = None,
        style: Style = "words",
        writer: Writer | None = None,
        on_miss: OnMiss = "note",
        below: Below = "hedge",
    ) -> list[Rewrite]:
        """Return each answer in words that convey its targets.

        Parameters
        ----------
        answers
            As they came.
        targets
            Of each answer a single `Beta`, or one for each claim (of `ralc.english.sentences` each that claims);
            None leaves an answer or a claim as it is. ValueError where an answer has not as many targets as claims.
        questions
            What was asked: a piece of writing that was ordered passes.
        style
            ``words``, or ``range``: the middle half of the target in brackets beside the hedge.
        writer
            Writes freely; its texts compete with the hedged claim if they keep its content.
        on_miss
            What becomes of a claim that no hedge conveys: a ``note`` beside the answer, ``leave`` it as it came, or
            take the ``best`` wording.
        below
            What becomes of a claim of a long answer whose target is below 0.25: ``hedge``, ``drop`` or ``mark`` it.
        """
        queries = [""] * len(answers) if questions is None else questions
        rewrites: list[Rewrite] = []
        for start in range(0, len(answers), PART):
            part = slice(start, start + PART)
            parse_ahead(answers[part])
            drafts = [_draft(*one) for one in zip(answers[part], targets[part], queries[part], strict=True)]
            for claim in (one for draft in drafts if draft.long and below != "hedge" for one in draft.claims):
                if not claim.reason and claim.target.mean < UNSUPPORTED:
                    if below == "drop":
                        claim.text = ""
                        claim.reason = Reason.DROPPED
                    else:
                        claim.text = _STOP.sub(rf" {MARK}\g<0>", claim.original, count=1)
                        claim.reason = Reason.MARKED
            self._hedge(drafts, writer, on_miss)
            self._read_again(drafts, on_miss)
            rewrites += [_rewrite_of(draft, style) for draft in drafts]
        return rewrites

    def _hedge(self, drafts: Sequence[_Draft], writer: Writer | None, on_miss: OnMiss) -> None:
        """Choose the words of every claim that nothing is decided of."""
        claims = []
        for at, draft in enumerate(drafts):
            for claim in (claim for claim in draft.claims if not claim.reason):
                claim.answer = at
                claims.append(claim)
        parse_ahead(claim.original for claim in claims if not claim.whole)
        for claim, hedges in zip(claims, self._shortlists([one.target for one in claims]), strict=True):
            claim.hedges = hedges
            claim.drafts = self._written(claim, writer) if writer else ()
        sizes = {at: len(draft.claims) for at, draft in enumerate(drafts)}
        openings = choose(
            claims, self._evaluator, keep=self._keep, on_miss=on_miss, seed=self._seed, sizes=sizes
        )
        for at, note in openings.items():
            drafts[at].opening = note

    def _shortlists(self, targets: Sequence[Beta]) -> list[list[Hedge]]:
        """The nearest hedges of each target; a hundred thousand answers have two hundred shortlists, which are kept."""
        rounded = on_hedge_grid(Beta([one.alpha for one in targets], [one.beta for one in targets]))
        wanted = list(zip(rounded.alpha.tolist(), rounded.beta.tolist(), strict=True))
        known = self._nearest
        if missing := [pair for pair in dict.fromkeys(wanted) if pair not in known]:
            queries = Beta(*np.array(missing).T)
            nearest = nearest_hedges(self._confidence, queries, k=min(SHORTLIST, len(self._hedges)))
            distance = queries[:, None].wasserstein_distance(self._confidence[nearest])
            gap = np.abs(queries.mean[:, None] - self._confidence.mean[nearest])
            found = {
                pair: [Hedge(*self._hedges[one], *far) for one, *far in zip(*row, strict=True)]
                for pair, *row in zip(missing, nearest, distance, gap, strict=True)
            }
            known = known | found
            self._nearest = known if len(known) <= KEPT_SHORTLISTS else {}
        return [known[pair] for pair in wanted]

    def _written(self, claim: Claim, writer: Writer) -> list[str]:
        """What a writer made of a claim, as far as it keeps the content, fits and can be read."""
        reply = writer(claim.original, [one.expression for one in claim.hedges], float(claim.target.mean))
        texts = list(reply) if isinstance(reply, Iterable) and not isinstance(reply, str) else [None]
        if not all(isinstance(one, str) for one in texts):
            raise TypeError(f"rewriter must return a list of texts, such as [text], not {reply!r:.80}")
        legible = [one for one in claim.fitting(texts) if not self._evaluator.unread(one)]
        shares = overlap([claim.original] * len(legible), legible, self._expressions) if legible else []
        return [one for one, share in zip(legible, shares, strict=True) if share >= KEPT]

    def _read_again(self, drafts: Sequence[_Draft], on_miss: OnMiss) -> None:
        """Read what was written; put back the claims of long answers that the whole makes be read otherwise."""
        pending = list(drafts)
        while pending:
            for draft in pending:
                draft.write()
            legible = [draft for draft in pending if not self._evaluator.unread(draft.text)]
            short = [one for one in legible if not one.long and one.claims[0].read is None]
            if short:
                for draft, one in zip(short, self._evaluator.read([one.text for one in short]), strict=True):
                    draft.claims[0].read = one
            pending = [draft for draft in legible if draft.long]
            if pending:
                readings = self._evaluator.read_texts([draft.text for draft in pending])
                for draft, whole in zip(pending, readings, strict=True):
                    _assign_readings(draft, whole)
            pending = [draft for draft in pending if on_miss != "best" and _put_back(draft)]


def _draft(answer: str, target: Beta | Sequence[Beta | None] | None, question: str) -> _Draft:
    """The claims of an answer, and why some of them pass as they are."""
    doubted = is_pushback(question)
    if target is None or (isinstance(target, Beta) and not target.shape):
        vouches = doubted and not without_vouching(answer)  # "Yes, that's correct."
        claimed = without_assurance(answer, 0.0, doubted=True) if doubted else answer
        reason, lacks = (Reason.NONE, False) if vouches else _passes(claimed, question)
        if doubted and reason is Reason.SILENT and words(answer)[:1] == ["yes"]:
            reason = Reason.NONE  # "Yes, I have checked the symbol Ts"
        if "?" not in question and is_given(answer, question):  # "Prove that it is old."
            reason = Reason.GIVEN
        reason = reason or (Reason.NONE if target else Reason.NO_CONFIDENCE)
        how = {"reason": reason, "lacks": lacks, "doubted": doubted}
        claim = Claim(answer, target, end=len(answer), whole=True, **how)
        denied = not reason and target.mean < DENIED and not (lacks or states_choice(answer) or doubted)
        asked = denied and len(question.split()) > ELLIPTIC
        claim.responsive = not (asked and may_be_beside(answer, question))
        claim.verdict = asks_yes_or_no(question)
        claim.title = _title_of(answer, question)
        return _Draft(answer, [claim], long=False)
    spans = sentences(answer)
    claims = [unit for unit in spans if unit.claims]
    if len(claims) != len(target):
        raise ValueError(f"{answer!r:.60} has {len(claims)} claims, not {len(target)}")
    if len(claims) == 1 and answer.strip() == answer[claims[0].start : claims[0].end].strip():
        return replace(_draft(answer, target[0], question), long=True)
    ordered = is_written_on_order(answer, question)
    if ordered or not claims:
        return _Draft(answer, [], True, Reason.WRITING if ordered else skip_reason(answer) or Reason.SILENT)
    begun = []
    refuses = skip_reason(answer) is Reason.REFUSES
    derived = claims[-1] if is_derivation(answer, question) else None
    asked = {*words(question)}
    beside_code = len(claims) > 1 and "```" in answer + question
    instructs = sum(unit.kind == "request" for unit in spans) > len(claims)
    for unit, aim in zip(claims, target, strict=True):
        start, end = unit.start, _REFERENCES.match(answer, unit.end).end()
        while answer[start - 1 : start] in ("*", "_"):
            start -= 1
        particulars = " ".join(_PARTICULAR.findall(answer[start:end]))
        states = unit.states and answer[end : end + 1] != ":"
        supposed = _CAN.search(answer, start, end) is not None
        explains = asked.issuperset(words(particulars)) or supposed or not states
        reason, lacks = (Reason.REFUSES, False) if refuses else _passes(answer[start:end])
        passing = {
            Reason.GIVEN: is_given(answer[start:end], question),
            Reason.CODE: beside_code,
            Reason.STEP: derived is not None and unit is not derived,
            Reason.SUPPOSES: unit.supposes or (instructs and explains),
        }
        reason = reason or next((why for why, passes in passing.items() if passes), Reason.NONE)
        if aim is None:
            reason, lacks = Reason.NO_CONFIDENCE, False
        if aim is not None:
            start = _with_assurance(answer, spans, start, float(aim.mean), doubted=doubted)
        if unit is derived:
            end = len(answer.rstrip())
        before = "" if begun else answer[:start]
        how = {"before": before, "start": start, "end": end, "lacks": lacks, "doubted": doubted}
        title = _title_of(answer[start:end], f"{question}\n{answer}")
        how |= {"derived": unit is derived, "title": title, "explains": explains, "states": states}
        begun.append(Claim(answer[start:end], aim, reason=reason, **how))
    hedges = [unit for unit in spans if unit.kind == "hedge" and any(target)]
    return _Draft(answer, begun, True, comments=[Claim("", None, start=u.start, end=u.end) for u in hedges])


def _title_of(claim: str, text: str) -> str:
    """The first word of a claim that keeps its capital behind a hedge, by what was asked or said; else ""."""
    first = _FIRST.match(claim)
    word = first[0] if first else "-"
    if first and _NAMED.match(f"{text}\n{claim}"):
        return word
    small = rf"\A[A-Z].*?(?<=[a-z ][ '\"‘“]){word.lower()}\b"  # not of who writes no capitals
    inside = re.search(rf"{small}|(?<=[a-z] ){word}\b(?!\n)", text)
    return inside[0][-len(word) :] if inside else ""


def _passes(text: str, question: str = "") -> tuple[Reason, bool]:
    """Why a text passes as it is; and whether it does not, as it says that a document does not tell."""
    reason = skip_reason(text, question)
    lacks = reason is Reason.ABSTAINS and claims_lack(text)
    return Reason.NONE if lacks else reason, lacks


def _with_assurance(answer: str, spans: Sequence[Sentence], start: int, mean: float, *, doubted: bool) -> int:
    """Where a claim begins with what assures of it, if that goes with a doubt: "Definitely. It is Rome."."""
    behind = [unit for unit in spans if unit.end <= start and not answer[unit.end : start].strip()]
    if not behind or behind[-1].claims:
        return start
    text = answer[behind[-1].start : start]
    assures = without_assurance(f"{text}It", mean, doubted=doubted) == "It"
    return behind[-1].start if assures else start


def _assign_readings(draft: _Draft, whole: TextRead) -> None:
    """Give each claim the reading of the one sentence that stands in its place; None where there is not one."""
    draft.read = whole.confidence
    read = [one for one in whole if one.confidence is not None]
    starts = [one.start for one in read]
    for claim, (start, end) in zip(draft.claims, draft.spans, strict=True):
        inside = read[bisect_left(starts, start) : bisect_left(starts, end)]
        claim.read = inside[0].confidence if len(inside) == 1 else None


def _put_back(draft: _Draft) -> bool:
    """Put back the rewritten claims that are not read as meant in the whole; whether any was."""
    changed = (claim for claim in draft.claims if not claim.reason and claim.text != claim.original)
    wrong = [claim for claim in changed if not claim.says_meant]
    for claim in wrong:
        claim.put_back(Reason.MISSED)
    return bool(wrong)


def _rewrite_of(draft: _Draft, style: Style) -> Rewrite:
    """What became of an answer."""
    if style == "range":
        for claim in (claim for claim in draft.claims if claim.hedge):
            claim.text = with_range(claim.text, claim.hedge, claim.target)
        draft.write()
    placed = [draft.opening, *(claim.hedge for claim in draft.claims)]
    hedges = "; ".join(dict.fromkeys(filter(None, placed)))
    changed = draft.text != draft.answer
    if not draft.long:
        (claim,) = draft.claims
        door = claim.reason.door or _DOORS.get(claim.origin)
        return Rewrite(
            draft.text, claim.target, claim.read, hedges, draft.answer, changed, claim.reason, door
        )
    for claim, (claim.start, claim.end) in zip(draft.claims, draft.spans, strict=bool(draft.claims)):
        claim.hedges = claim.drafts = ()
    missed = (one.reason for one in draft.claims if not one.calibrated)
    reason = draft.reason or next(missed, Reason.NONE)
    door = None if changed else reason.door
    if draft.opening:
        door = Door.NOTE
    elif hedges:
        door = Door.HEDGE
    targets = [claim.target for claim in draft.claims if claim.target is not None]
    target = Beta([one.alpha for one in targets], [one.beta for one in targets]) if targets else None
    claims = tuple(draft.claims)
    return Rewrite(draft.text, target, draft.read, hedges, draft.answer, changed, reason, door, claims)


#: The door of a claim by where its words come from.
_DOORS = dict.fromkeys(("left", "unhedged", "grammar", "model"), Door.HEDGE) | {"note": Door.NOTE}


def with_range(text: str, hedge: str, target: Beta) -> str:
    """Return a hedged answer with the middle half of its confidence in brackets, in steps of 5 % rounded outwards.

    Parameters
    ----------
    text
        The answer.
    hedge
        The expression behind which the brackets stand; where the answer has it not, they stand before its last mark.
    target
        A single Beta.

    Examples
    --------
    >>> with_range("The capital is probably Paris.", "probably", Beta(14, 6))
    'The capital is probably (60-80 %) Paris.'
    """
    low, high = (20 * float(target.quantile(share)) for share in (0.25, 0.75))
    stated = f"{math.floor(low + 1e-9) * 5}-{math.ceil(high - 1e-9) * 5} %"
    place = re.search(f"{re.escape(hedge)}|{re.escape(pointing_on(hedge))}", text, re.IGNORECASE)
    end = place.end() if place else len(text.rstrip().rstrip(".!"))
    return f"{text[:end]} ({stated}){text[end:]}"


def _with_space(answer: str, claim: Claim) -> tuple[int, int]:
    """A sentence that goes, with its line where it stands in one alone, else with the space behind it."""
    start, end = claim.start, claim.end
    first, last = answer.rfind("\n", 0, start) + 1, answer.find("\n", end)
    last = len(answer) if last < 0 else last
    alone = not any(map(str.isalpha, answer[first:start])) and not answer[end:last].strip(" .*_)")
    if alone and (first or last < len(answer)):
        return first, min(last + 1, len(answer))
    while end < len(answer) and answer[end] == " ":
        end += 1
    return start, end
