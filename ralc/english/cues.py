"""Read the hedging and boosting cues of running text: ``read_cues``.

A cue is the longest match of a pattern (:mod:`ralc.english.patterns`), with the degree word and the negation before it:
"not entirely sure" is class ``sure``, degree ``max``, negated. Only the speaker's cues are read. Words in quotation
marks and names are no cues (:mod:`ralc.english.cue_tokens`), nor are words about the matter, which the parse tells
(:mod:`ralc.english.epistemic_source`). A text without a doubtful word is not parsed.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter

from ralc.english.cue_tokens import Token, tokenise
from ralc.english.epistemic_source import is_speakers, may_be_content
from ralc.english.parse import parse, parse_all
from ralc.english.patterns import matches
from ralc.english.stated_numbers import StatedNumber, stated_numbers
from ralc.english.wordlists import (
    CLAUSE_MARKS,
    DEGREES,
    GRADABLE,
    NEGATABLE,
    NEGATING_PHRASES,
    NEGATIONS,
    NUMBERED,
    OPENING,
    OTHERS,
    REJECTING,
    RULED_BY_NUMBERS,
    STATE_CLASSES,
    TRANSPARENT,
)

CERTAIN_FROM = 0.995  # "100% sure" is certainty, not the number 1
CLAUSE_REACH = 40  # tokens to either side; keeps the work linear in texts without punctuation
#: The clause after a doubt that claims another answer: "I don't think it is Lagos; it is Abuja". A name is "_".
_CLAIM = r"(?:(?:i|we) \w+ )?(?:(?:it|they|he|she|(?:the )?answer) (?:is|are|was|were|must)(?!\S)|the \w+ (?:is|was) _)"
_REPLACED = re.compile(
    r"(?:(?!but |so )[^\W_]\S* |_ ){2,}?(?:[,;.] (?:because|since|as|for) [^.!?:;]*)?"
    rf"(?:(?:(?:[,;] )?(?:but|so|instead|rather) |[;.] )(?:(?:and|but|so|instead|rather|,) )*{_CLAIM}|, {_CLAIM} _)"
)
#: The clause that answers what others say: "Many say Sydney, but the capital of Australia is Canberra".
_COUNTERED = re.compile(r"[^.;!?]* but (?!i |we |my )")


@dataclass(frozen=True)
class Cue:
    """One cue found in a text: where, which, and how modified.

    ``start`` and ``end`` are positions of tokens, ``span`` of characters. ``degree`` is one of the groups of
    :data:`DEGREES` or ``""``.
    ``number`` is the probability that a number beside the cue states (``95% sure``), else None.
    """

    start: int
    end: int
    name: str
    expression: str
    degree: str = ""
    negated: bool = False
    number: float | None = None
    span: tuple[int, int] = (0, 0)


def read_cues(text: str) -> list[Cue]:
    """Return the speaker's cues in a text, in order, not overlapping.

    >>> [(cue.name, cue.degree, cue.negated) for cue in read_cues("I'm not entirely sure, but maybe Oslo.")]
    [('sure', 'max', True), ('maybe', '', False)]
    """
    return read_cues_in(tokenise(text), text)


def read_cues_in(tokens: Sequence[Token], text: str) -> list[Cue]:
    """Return the cues as `read_cues` does, of a text already split into tokens."""
    words = _heard(tokens)
    lines = _lines(text)
    numbered = [
        cue
        for cue in _with_numbers(_candidates(text), words)
        if not _is_replaced(cue, words) and _is_speakers(cue, tokens, lines)
    ]
    asked = [Cue(len(words) - 1, len(words), "question", "?")] if words[-1:] == ["?"] else []
    found = numbered + asked
    return [replace(cue, span=(tokens[cue.start].start, tokens[cue.end - 1].end)) for cue in found]


def read_ahead(texts: Iterable[str]) -> None:
    """Parse, in one batch, what finding the cues of some texts asks of the parse."""
    asked = []
    for text in texts:
        tokens, lines = tokenise(text), _lines(text)
        cues = (cue for cue in _candidates(text) if _may_be_content(cue, tokens))
        asked += [_line_at(tokens[cue.start].start, lines)[1] for cue in cues]
    parse_all(asked)


def _heard(tokens: Sequence[Token]) -> list[str]:
    """The words of a text, empty where no cue may use them."""
    return [token.text if token.usable else "" for token in tokens]


@lru_cache(maxsize=2_000)
def _candidates(text: str) -> tuple[Cue, ...]:
    """What may be a cue by its words alone; a text is asked ahead of its parse, and then again."""
    words = _heard(tokenise(text))
    found = [Cue(start, end, name, " ".join(words[start:end])) for start, end, name in matches(words)]
    return tuple(cue for cue in _modified(found, words) if cue.name != "none")


def _may_be_content(cue: Cue, tokens: Sequence[Token]) -> bool:
    """Whether the parse must tell whose doubt a cue is: not of an adverb that opens the text ("Perhaps Rome")."""
    opens = (
        cue.name in OPENING and cue.start < 3 and all(one.text in CLAUSE_MARKS for one in tokens[: cue.start])
    )
    return not opens and may_be_content(cue.name, cue.expression)


def _is_speakers(cue: Cue, tokens: Sequence[Token], lines: list[tuple[int, str]]) -> bool:
    """Whether a cue is the speaker's doubt of the claim."""
    if not _may_be_content(cue, tokens):
        return True
    first, last = tokens[cue.start].start, tokens[cue.end - 1].end
    start, line = _line_at(first, lines)
    words = parse(line).char_span(first - start, last - start, alignment_mode="expand")
    return words is None or is_speakers(words, cue.name, numbered=cue.number is not None)


def _lines(text: str) -> list[tuple[int, str]]:
    """The lines of a text, each with where it begins."""
    lines = text.split("\n")
    return list(zip(accumulate((len(line) + 1 for line in lines), initial=0), lines, strict=False))


def _line_at(at: int, lines: list[tuple[int, str]]) -> tuple[int, str]:
    """The line that holds a place."""
    return lines[bisect_right(lines, at, key=itemgetter(0)) - 1]


def _modified(cues: list[Cue], words: list[str]) -> list[Cue]:
    """Attach degree words and negations; a cue used up as the degree word of the next one goes."""
    kept: list[Cue] = []
    for cue in cues:
        start, degree, negated = _left_context(cue, words)
        while kept and kept[-1].end > start and kept[-1].name != "none":
            kept.pop()
        kept.append(Cue(start, cue.end, cue.name, cue.expression, degree, negated))
    return kept


def _left_context(cue: Cue, words: list[str]) -> tuple[int, str, bool]:
    """(start, degree, negated) of a cue once the words before it are read."""
    position, degree = cue.start, ""
    if cue.name in GRADABLE or cue.name in NEGATABLE:
        position, degree = _degree_before(words, position, cue.name)
    if cue.name not in NEGATABLE:
        return position, degree, False
    at = position
    for _ in range(6):
        if at >= 2 and tuple(words[at - 2 : at]) in NEGATING_PHRASES:
            return at - 2, degree, True
        before = words[at - 1] if at else ""
        if before in NEGATIONS:
            return at - 1, degree or ("at_all" if words[at : at + 2] == ["at", "all"] else ""), True
        inner, more = _degree_before(words, at, "sure")
        if more:
            at, degree = inner, degree or more
        elif before in TRANSPARENT and cue.name in STATE_CLASSES:
            at -= 1
        else:
            break
    return position, degree, False


def _degree_before(words: list[str], position: int, name: str) -> tuple[int, str]:
    for length in (3, 2, 1):
        if position >= length:
            group = DEGREES.get(tuple(words[position - length : position]))
            if group and (name in GRADABLE or group == "max"):
                return position - length, group
    return position, ""


def _with_numbers(cues: Sequence[Cue], words: list[str]) -> Sequence[Cue]:
    """Add the numbers that state the speaker's certainty: ``95% sure``, ``a chance of 30%``, ``Confidence: 30%``."""
    stated = stated_numbers(words)
    if not stated:
        return cues
    read = [_beside_number(cue, words, stated) for cue in cues]
    for number in stated:
        if number.alone is None:
            continue
        start, end = number.alone
        overlapping = [cue for cue in read if cue.start < end and start < cue.end]
        if not (overlapping and number.yields):
            read = [cue for cue in read if cue not in overlapping]
            read.append(Cue(start, end, "chance", words[end - 1], number=number.probability))
    # "I would say there is a 90% chance": the number says how sure.
    ruled = {cue.start - gap for cue in read if cue.number is not None for gap in range(5)}
    kept = [cue for cue in read if cue.name not in RULED_BY_NUMBERS or cue.end not in ruled]
    return sorted(kept, key=lambda cue: cue.start)


def _beside_number(cue: Cue, words: list[str], stated: Sequence[StatedNumber]) -> Cue:
    """A cue with the number beside it: "95% sure", "a chance of 30%"."""
    behind = cue.end + 1 if words[cue.end : cue.end + 1] == ["of"] else cue.end
    for number in stated:
        before = cue.name in NUMBERED and number.end in (cue.start, cue.start - 1)
        after = number.start == behind and (
            cue.expression == "odds are" or (cue.name == "chance" and behind > cue.end)
        )
        if before or after:
            sure = number.probability >= CERTAIN_FROM and not cue.negated
            start = number.start if before else cue.start
            return replace(cue, start=start, name="certain" if sure else cue.name, number=number.probability)
    return cue


def _is_replaced(cue: Cue, words: list[str]) -> bool:
    """Whether the next clause replaces what a cue doubts, or answers what others say."""
    behind = " ".join(word or "_" for word in words[cue.end : cue.end + CLAUSE_REACH])
    if cue.name in OTHERS:
        return {"i", "we", "my"}.isdisjoint(words[: cue.start]) and _COUNTERED.match(behind) is not None
    return cue.name in REJECTING and _REPLACED.match(behind) is not None
