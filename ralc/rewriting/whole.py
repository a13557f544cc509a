"""An answer of several sentences, each in words that are as sure as it deserves; and the whole read again.

Each claim has a target of its own; what the answer said of how sure all of it is goes. What is sure is said plainly.
Where hedges would stand in most claims, these are said at fewer levels (`ralc.rewriting.levels`). Neighbours of one
level share a hedge in front of them (`ralc.rewriting.runs`), any other takes one in its place, and no hedge stands
twice in an answer. What the reader in the loop does not read as meant, in the whole, is put back as it came.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ralc.beta import Beta
from ralc.english.cues import read_cues
from ralc.english.kinds import parse_ahead
from ralc.english.units import units
from ralc.lexicon import Lexicon
from ralc.protocols import SURE, UNSUPPORTED, Below
from ralc.readers.by_sentence import SentenceRead, TextRead, read_sentences
from ralc.readers.reader import ReaderModel
from ralc.rewriting.bare import bare
from ralc.rewriting.drafts import Draft, Part
from ralc.rewriting.hedging import Hedger
from ralc.rewriting.passing import passes
from ralc.rewriting.reasons import ALREADY, MISSED, NO_CONFIDENCE, outcome_of, within_step

#: What stands behind what is hardly supported, where such is marked.
MARK = "[citation needed]"
_STOP = re.compile(r"[.!?]*[*_\"”’)]*$")
#: Answers that are rewritten side by side: their parses are kept until the last of them is read.
PART = 100
#: What opens a claim that answers the one before it: with a hedge between them it would answer that.
_CONTRASTS = re.compile(r"\W*(?:however|but|yet|instead|nevertheless|nonetheless)\b", re.IGNORECASE)
_TRIES = 3  # rounds of other hedges for what is not read as meant in the whole
#: Why a sentence that could be hedged is not.
PLAINLY, DROPPED, MARKED = "it is said plainly", "left out as unsupported", "marked as unsupported"


@dataclass(frozen=True)
class Said:
    """A sentence of an answer that claims something, as it is said.

    Parameters
    ----------
    start, end
        Its characters in the rewritten text; equal where it was left out.
    original
        As it came.
    target, read
        What it is to convey, said at the level of claims near it where the answer has many, and what the reader in the
        loop reads in it, each a single `Beta`; None where no confidence came, or nothing is read.
    hedge
        The expression that was put in, or that speaks for it; empty where none was.
    shared
        The sentence before it in which that stands, and whose reading it inherits; empty where it has its own.
    changed
        Whether it says something else than it did.
    reason
        Why it is left as it is, or otherwise than hedged; empty where it is in calibrated words.
    """

    start: int
    end: int
    original: str
    target: Beta | None
    read: Beta | None
    hedge: str
    shared: str
    changed: bool
    reason: str

    @property
    def calibrated(self) -> bool:
        """Whether it is read within .05 of its target, under a shared hedge within .06."""
        known = self.target is not None and self.read is not None
        return known and within_step(self.target, self.read, shared=bool(self.shared))


#: An answer as it is said and read, and what became of its claims.
Told = tuple[TextRead, tuple[Said, ...]]


class WholeRewriter:
    """Says answers of several sentences in the words of a lexicon, as a reader reads them.

    Parameters
    ----------
    lexicon
        Hedges and how they are read; flagged ones are never used.
    reader
        The reader in the loop.
    """

    def __init__(self, lexicon: Lexicon, reader: ReaderModel) -> None:
        self._hedger, self._reader = Hedger(lexicon, reader), reader

    def rewrite(
        self,
        answers: Sequence[str],
        targets: Sequence[Sequence[Beta | None]],
        *,
        sure: float = SURE,
        below: Below = "hedge",
        unsupported: float = UNSUPPORTED,
    ) -> list[Told]:
        """Return each answer as it is said and read, and what became of its claims.

        Parameters
        ----------
        answers
            As they came.
        targets
            Of each answer a single `Beta` for each of its claims (`ralc.english.units.claim_units`); None: it is left.
        sure
            Calibrated mean from which on a sentence is said plainly.
        below
            What becomes of a sentence whose calibrated mean is below `unsupported`: ``hedge`` it, ``drop`` it, ``mark``
            it.
        unsupported
            See `below`.

        Returns
        -------
        list
            Of an answer that cannot be read, no claims.

        Raises
        ------
        ValueError
            If an answer has not as many targets as claims.
        """
        legible = [at for at, answer in enumerate(answers) if not self._reader.unread(answer)]
        made = [(TextRead(answer, None, ()), ()) for answer in answers]
        for start in range(0, len(legible), PART):
            part = legible[start : start + PART]
            own = [answers[at] for at in part], [targets[at] for at in part]
            for at, one in zip(part, self._rewritten(*own, sure, below, unsupported), strict=True):
                made[at] = one
        return made

    def _rewritten(
        self,
        answers: Sequence[str],
        targets: Sequence[Sequence[Beta | None]],
        sure: float,
        below: Below,
        unsupported: float,
    ) -> list[Told]:
        """The same of some answers that can be read."""
        parse_ahead(answers)
        parse_ahead(one.words for answer in answers for one in units(answer))
        drafts = [_begun(*one) for one in zip(answers, targets, strict=True)]
        _tell_unsupported(_open(drafts), below, unsupported)
        self._say_plainly(_open(drafts), sure)
        for draft in drafts:
            self._hedger.level(draft)
        told: list[Told | None] = [None] * len(drafts)
        turn = 0
        while left := [at for at, one in enumerate(told) if one is None]:
            tried = self._tried([drafts[at] for at in left], "" if turn < _TRIES else MISSED)
            for at, one in zip(left, tried, strict=True):
                told[at] = one
            turn += 1  # what is put back for good wants no hedge: it ends
        return told

    def _tried(self, drafts: Sequence[Draft], reason: str) -> list[Told | None]:
        """Each answer hedged and read; None of one in which something was put back, for good with a reason."""
        self._hedger.hedge(drafts)
        texts, spans = zip(*(draft.written() for draft in drafts), strict=True)
        return [_told(*one, reason) for one in zip(drafts, spans, self._read(texts), strict=True)]

    def _read(self, texts: Sequence[str]) -> list[TextRead]:
        """How texts are read; one of which nothing is left is not."""
        legible = [text for text in texts if not self._reader.unread(text)]
        read = {one.text: one for one in read_sentences(self._reader, legible)} if legible else {}
        return [read.get(text) or TextRead(text, None, ()) for text in texts]

    def _say_plainly(self, parts: Sequence[Part], sure: float) -> None:
        """Leave what says so already, and say without a hedge what is sure."""
        as_they_came = self._reader.read([part.came for part in parts]) if parts else ()
        without = self._reader.read([part.bare for part in parts]) if parts else ()
        for part, came, plain in zip(parts, as_they_came, without, strict=True):
            if within_step(part.target, came):
                part.reason = ALREADY
            elif part.target.mean >= sure or within_step(part.target, plain):
                part.text, part.reason = part.bare, PLAINLY


def _begun(answer: str, targets: Sequence[Beta | None]) -> Draft:
    """The claims of an answer, and why some of them pass as they are."""
    own = units(answer)
    comments = [unit.sentence for unit in own if unit.kind == "hedge" and any(targets)]
    claims = [at for at, unit in enumerate(own) if unit.claims]
    if len(claims) != len(targets):
        raise ValueError(f"{answer!r:.60} has {len(claims)} claims, not {len(targets)}")
    parts = []
    for at, target in zip(claims, targets, strict=True):
        start, end = own[at].sentence.start, own[at].sentence.end
        while answer[start - 1 : start] in ("*", "_"):
            start -= 1
        came = answer[start:end]
        reason = NO_CONFIDENCE if target is None else passes(came)
        without = came if reason else (bare(came) or came)
        alone = not reason and bool(read_cues(without) or _CONTRASTS.match(without))
        parts.append(Part(own[at], start, end, target, came, without, came, reason, alone))
    return Draft(answer, claims, parts, comments)


def _open(drafts: Sequence[Draft]) -> list[Part]:
    """The claims that nothing is decided of."""
    return [part for draft in drafts for part in draft.parts if not part.reason]


def _told(draft: Draft, spans: Sequence[tuple[int, int]], read: TextRead, reason: str) -> Told | None:
    """What became of an answer; None where something was put back."""
    found = _readings(spans, read)
    if _put_back(draft, found, reason):
        return None
    return read, tuple(_said(read, *one) for one in zip(draft.parts, spans, found, strict=True))


def _tell_unsupported(parts: Sequence[Part], below: Below, unsupported: float) -> None:
    """Leave out, or mark, what is hardly supported."""
    for part in parts:
        if below != "hedge" and part.target.mean < unsupported:
            marked = _STOP.sub(rf" {MARK}\g<0>", part.came, count=1)
            part.text, part.reason = ("", DROPPED) if below == "drop" else (marked, MARKED)


def _readings(spans: Sequence[tuple[int, int]], read: TextRead) -> list[SentenceRead | None]:
    """How each claim is read: as the one sentence that stands in its place; None where there is not one."""
    claims = [one for one in read if one.confidence is not None]
    starts = [one.start for one in claims]
    own = [claims[bisect_left(starts, start) : bisect_left(starts, end)] for start, end in spans]
    return [one[0] if len(one) == 1 else None for one in own]


def _put_back(draft: Draft, found: Sequence[SentenceRead | None], reason: str) -> bool:
    """Put back what is not read as meant in the whole, a shared hedge with all that it speaks for; whether any was."""
    missed = set()
    for part, read in zip(draft.parts, found, strict=True):
        if part.hedge and (read is None or not within_step(part.target, read.confidence, shared=part.shared)):
            part.alone = True
            missed.add(part.hedge)
        elif read is not None and (read.under is not None) != part.shared:
            missed |= {one.hedge for one in draft.parts if one.shared}
    wrong = [part for part in draft.parts if part.hedge in missed]
    for part in wrong:
        part.put_back(reason)
    return bool(wrong)


def _said(text: TextRead, part: Part, span: tuple[int, int], read: SentenceRead | None) -> Said:
    """What became of a claim."""
    under = None if read is None or read.under is None else text[read.under]
    shared = text.text[under.start : under.end] if under else ""
    known = None if read is None else read.confidence
    changed = part.shared or part.text != part.came
    reason = part.reason
    if reason == PLAINLY and known is not None and within_step(part.target, known):
        reason = outcome_of(changed, part.target, known)
    return Said(*span, part.came, part.target, known, part.hedge, shared, changed, reason)
