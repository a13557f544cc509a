"""Find hedging and boosting cues in running text.

A cue is the longest match of a pattern (:mod:`ralc.english.patterns`), with the degree word and the negation that
stand before it ("not entirely sure" is one cue: class ``sure``, degree ``max``, negated). Cues that the speaker
does not own are left out: those in quotation marks or names (see :mod:`ralc.english.tokens`) and those that speak of
the matter (see :mod:`ralc.english.ownership`), which the parse tells: a text without any that may do so is not parsed.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter

from ralc.english.numbers import begins_number, error_chance, percentage, ratio, score, self_rating
from ralc.english.ownership import is_speakers, may_be_content
from ralc.english.parse import parse, parse_all
from ralc.english.patterns import matches
from ralc.english.setting_aside import CLAUSE_REACH, set_aside
from ralc.english.tokens import Token, tokenise
from ralc.english.word_sets import (
    CHECKS,
    CLAUSE_MARKS,
    DEGREES,
    EARLIER,
    GRADABLE,
    NEGATABLE,
    NEGATING_PHRASES,
    NEGATIONS,
    NUMBER_NOUNS,
    NUMBERED,
    OPENING,
    PAST,
    RULED_BY_NUMBERS,
    STATE_CLASSES,
    TRANSPARENT,
)

#: A number in a text: start, end, probability, and whether it is a cue without another beside it.
Stated = tuple[int, int, float, bool]
CERTAIN_FROM = 0.995  # "100% sure" is certainty, not the number 1


@dataclass(frozen=True)
class Cue:
    """One cue found in a text: where, which, and how modified.

    ``start`` and ``end`` are token positions. ``degree`` is one of the groups of :data:`DEGREES` or ``""``.
    ``number`` is the probability that a number beside the cue states (``95% sure``), else None.
    """

    start: int
    end: int
    name: str
    expression: str
    degree: str = ""
    negated: bool = False
    number: float | None = None


def find_cues(text: str) -> list[Cue]:
    """The speaker's cues in a text, in order, not overlapping.

    >>> [(cue.name, cue.degree, cue.negated) for cue in find_cues("I'm not entirely sure, but maybe Oslo.")]
    [('sure', 'max', True), ('maybe', '', False)]
    """
    return find_cues_in(tokenise(text), text)


def find_cues_in(tokens: Sequence[Token], text: str) -> list[Cue]:
    """As :func:`find_cues`, for a text already split into tokens."""
    words = _heard(tokens)
    lines = _lines(text)
    numbered = [
        cue
        for cue in _with_numbers(_candidates(text), words)
        if not set_aside(cue.name, cue.start, cue.end, words) and _is_speakers(cue, tokens, lines)
    ]
    found = numbered + _question(words)
    return _without_earlier(found, words) if found else found


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
    """Numbers stated as the speaker's certainty: ``95% sure``, ``a 30% chance``, ``chance of 30%``, ``one in ten``."""
    stated = list(_stated(words))
    if not stated:
        return cues
    covered = {position for cue in cues for position in range(cue.start, cue.end)}
    numbered = _with_rated(_numbered(cues, words, stated), words, stated, covered)
    errors = _errors(words, stated)
    wrong = {place for error in errors for place in range(error.start, error.end)}
    numbered = [cue for cue in numbered if wrong.isdisjoint(range(cue.start, cue.end))] + errors
    # "I would say there is a 90% chance": the number says how sure.
    ruled = {cue.start - gap for cue in numbered if cue.number is not None for gap in range(5)}
    kept = [cue for cue in numbered if cue.name not in RULED_BY_NUMBERS or cue.end not in ruled]
    return sorted(kept, key=lambda cue: cue.start)


def _numbered(cues: Sequence[Cue], words: list[str], stated: list[Stated]) -> list[Cue]:
    """Cues with the numbers that stand beside them: "95% sure", "a chance of 30%"."""
    ending = {end: (start, value) for start, end, value, _ in stated}
    following = {start: value for start, _, value, _ in stated}
    numbered = []
    for cue in cues:
        none = (cue.start, None)
        first, value = (
            ending.get(cue.start, ending.get(cue.start - 1, none)) if cue.name in NUMBERED else none
        )
        if value is None and cue.name == "chance" and words[cue.end : cue.end + 1] == ["of"]:
            value = following.get(cue.end + 1)
        if value is None and cue.expression == "odds are":
            value = following.get(cue.end)
        sure = value is not None and value >= CERTAIN_FROM and not cue.negated
        numbered.append(replace(cue, start=first, name="certain" if sure else cue.name, number=value))
    return numbered


def _with_rated(cues: list[Cue], words: list[str], stated: list[Stated], covered: set[int]) -> list[Cue]:
    """Cues with those that numbers are without another beside them: "one in ten", "Confidence: 30%"."""
    for start, end, value, whole in stated:
        counted = whole or (end < len(words) and words[end] in NUMBER_NOUNS)
        if counted and covered.isdisjoint(range(start, end + 1)):
            last = end if whole else end + 1
            cues.append(Cue(start, last, "chance", words[last - 1], number=value))
        if covered.isdisjoint(range(start, end)) and (rated := self_rating(words, start)) is not None:
            cues = [cue for cue in cues if cue.end <= rated or cue.start >= end]
            cues.append(Cue(rated, end, "chance", words[end - 1], number=value))
    return cues


def _errors(words: list[str], stated: list[Stated]) -> list[Cue]:
    """The chances of being wrong, as cues of being right."""
    errors: list[Cue] = []
    for start, end, value, _ in stated:
        if error := error_chance(words, start, end):
            while errors and errors[-1].end > error[0]:
                errors.pop()
            errors.append(Cue(*error, "chance", "chance", number=1 - value))
    return errors


def _stated(words: list[str]) -> Iterator[Stated]:
    """The numbers of a text that may say how sure."""
    position = 0
    while position < len(words):
        if not begins_number(words[position]):
            position += 1
            continue
        chance = ratio(words, position)
        found = chance or percentage(words, position) or score(words, position)
        if found:
            yield position, *found, chance is not None
        position = found[0] if found else position + 1


def _question(words: list[str]) -> list[Cue]:
    """An answer put as a question: it ends in a question mark."""
    return [Cue(len(words) - 1, len(words), "question", "?")] if words and words[-1] == "?" else []


def _without_earlier(cues: list[Cue], words: list[str]) -> list[Cue]:
    """Drop the cues of a state of mind that the speaker has left: "I was unsure at first, but now I have checked".

    One alone is left only by a check of the speaker's.
    """
    checked = next((at for at in range(len(words) - 1, 1, -1) if _is_check(words, at)), 0)
    kept = []
    for cue in cues:
        clause = _clause(words, cue)
        left = cue.end <= checked or not EARLIER.isdisjoint(clause)
        if PAST.isdisjoint(clause) or not left:
            kept.append(cue)
    return kept if kept or checked else cues


def _is_check(words: list[str], at: int) -> bool:
    """Whether the speaker has made sure: "I have double-checked"."""
    return words[at] in CHECKS and "have" in words[max(at - 3, 0) : at] and "i" in words[max(at - 4, 0) : at]


def _clause(words: list[str], cue: Cue) -> list[str]:
    start, end = cue.start, cue.end
    first, last = max(0, start - CLAUSE_REACH), min(len(words), end + CLAUSE_REACH)
    while start > first and words[start - 1] not in CLAUSE_MARKS and words[start - 1] != "but":
        start -= 1
    while end < last and words[end] not in CLAUSE_MARKS and words[end] != "but":
        end += 1
    return words[start:end]
