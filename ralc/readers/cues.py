"""Find hedging and boosting cues in running text.

A cue is the longest match of a pattern of ``ralc/data/cues.csv``, with the degree word and the negation that
stand before it ("not entirely sure" is one cue: class ``sure``, degree ``max``, negated). Cues that the
speaker does not own are left out: those in quotation marks or names (see :mod:`ralc.readers.tokens`) and those
said of somebody else ("he was certain of victory").

Patterns: words in sequence; ``a|b`` one of several words; ``[a|b c]`` a group whose alternatives may have several
words; ``(a|b c)`` the same, optional; ``_`` joins the words of an alternative outside a group.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ralc.readers.tokens import Token, tokenise

Alternatives = frozenset[tuple[str, ...]]
_SLOT = re.compile(r"\(([^)]*)\)|\[([^\]]*)\]|([^\s()\[\]]+)")


@dataclass(frozen=True)
class CueClass:
    """A family of cues: its direction (+1 speaks for the statement, -1 against) and its assumed place."""

    name: str
    direction: int
    prior: float


@dataclass(frozen=True)
class Cue:
    """One cue found in a text: where, which, and how modified.

    ``start`` and ``end`` are token positions. ``degree`` is one of :data:`DEGREES`' groups or ``""``.
    ``number`` is the probability that a number beside the cue states (``95% sure``), else None.
    """

    start: int
    end: int
    name: str
    expression: str
    degree: str = ""
    negated: bool = False
    number: float | None = None


DEGREES: dict[tuple[str, ...], str] = {
    **{
        (word,): "max"
        for word in "absolutely completely entirely totally utterly fully perfectly wholly altogether 100% dead"
        " definitively positively crystal abundantly overwhelmingly".split()
    },
    **{
        (word,): "high"
        for word in "very highly extremely really strongly most exceptionally exceedingly truly deeply"
        " increasingly remarkably so particularly extraordinarily incredibly overly super especially far"
        " too much genuinely honestly".split()
    },
    **{
        (word,): "mid"
        for word in "fairly pretty quite reasonably rather relatively moderately sufficiently mostly largely"
        " generally more cautiously".split()
    },
    **{
        (word,): "low"
        for word in "somewhat slightly mildly vaguely marginally partially barely tentatively only partly"
        " less least".split()
    },
    ("kind", "of"): "low",
    ("sort", "of"): "low",
    ("a", "bit"): "low",
    ("a", "little"): "low",
    ("at", "all"): "at_all",
    ("even", "remotely"): "at_all",
    ("remotely",): "at_all",
    ("in", "the", "least"): "at_all",
    ("the", "least"): "at_all",
    ("the", "least", "bit"): "at_all",
    ("100", "percent"): "max",
    ("one", "hundred", "percent"): "max",
    ("a", "hundred", "percent"): "max",
    ("hundred", "percent"): "max",
}
NEGATIONS = frozenset("not never hardly scarcely nor neither barely".split())
NEGATING_PHRASES = (
    ("far", "from"),
    ("less", "than"),
    ("anything", "but"),
    ("nowhere", "near"),
    ("without", "being"),
)
# Words that may stand between a negation and the cue that it negates.
_TRANSPARENT = frozenset(
    "be being been say feel feeling i am is are was were too that so it all yet able to 100 entirely claim"
    " state with any still quite".split()
)
_COPULAS = frozenset(
    "am is are was were be being been feel feels felt remain remains seem seems become".split()
)
_SPEAKERS = frozenset(
    "from than i we it you one that this there here and but or though although while so yet not can could would will may"
    " might now still also personally me honestly to must never".split()
)
_CLAUSE_MARKS = frozenset('.,;:!?…—()[]{}"“”«»')
# Adjectives of a person's state of mind, which may be somebody else's.
_STATES = frozenset(
    "certain sure positive convinced assured confident unsure uncertain hesitant insecure puzzled confused"
    " shaky hazy fuzzy vague unclear wavering ambiguous skeptical sceptical doubtful unconvinced iffy torn"
    " undecided ambivalent murky indeterminate undetermined".split()
)
_FIRST_PERSON_ONLY = frozenset(
    "positive assured insecure puzzled confused shaky hazy fuzzy vague murky torn".split()
)
_DETERMINERS = frozenset("a an the of in under on at these those its his her their by as".split())
_GRADABLE = frozenset(
    "sure confident likely probable possible unsure unlikely doubt improbable clearly good_chance clueless"
    " plausible conceivable hard_to_say impossible".split()
)
_NEGATABLE = frozenset(
    "certain sure confident clearly must unsure doubt fact almost_certain presume majority hard_to_say".split()
)
_EARLIER = frozenset("first initially originally once formerly previously".split())


def find_cues(text: str) -> list[Cue]:
    """The speaker's cues in a text, in order, not overlapping.

    >>> [(cue.name, cue.degree, cue.negated) for cue in find_cues("I'm not entirely sure, but maybe Oslo.")]
    [('sure', 'max', True), ('maybe', '', False)]
    """
    return find_cues_in(tokenise(text))


def find_cues_in(tokens: list[Token]) -> list[Cue]:
    """As :func:`find_cues`, for a text already split into tokens."""
    words = [token.text if token.usable else "" for token in tokens]
    cues = _modified([cue for cue in _matches(words) if _owned(cue, words)], words)
    cues = [cue for cue in cues if cue.name != "none"]
    numbered = _with_numbers(cues, words)
    return _without_earlier(numbered + _question(words, numbered), words)


def _matches(words: list[str]) -> Iterator[Cue]:
    """Longest match first, left to right."""
    patterns = _patterns()
    position = 0
    while position < len(words):
        best_end, best_name = position, ""
        for name, slots in patterns.get(words[position], ()):
            end = _longest(slots, 0, words, position)
            if end > best_end or (end == best_end > position and name == "none"):
                best_end, best_name = end, name
        if best_name:
            yield Cue(position, best_end, best_name, " ".join(words[position:best_end]))
            position = best_end
        else:
            position += 1


def _longest(
    slots: tuple[tuple[Alternatives, bool], ...], index: int, words: list[str], position: int
) -> int:
    """End of the longest match of ``slots[index:]`` at ``position``; -1 where there is none."""
    if index == len(slots):
        return position
    alternatives, optional = slots[index]
    best = _longest(slots, index + 1, words, position) if optional else -1
    for option in alternatives:
        end = position + len(option)
        if (
            words[position] == option[0] and tuple(words[position:end]) == option
            if position < len(words)
            else False
        ):
            best = max(best, _longest(slots, index + 1, words, end))
    return best


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
    if cue.name in _GRADABLE or cue.name in _NEGATABLE:
        position, degree = _degree_before(words, position, cue.name)
    if cue.name not in _NEGATABLE:
        return position, degree, False
    at = position
    for _ in range(6):
        if any(
            words[at - len(phrase) : at] == list(phrase) for phrase in NEGATING_PHRASES if at >= len(phrase)
        ):
            return at - 2, degree, True
        before = words[at - 1] if at else ""
        if before in NEGATIONS:
            return at - 1, degree or ("at_all" if words[at : at + 2] == ["at", "all"] else ""), True
        inner, more = _degree_before(words, at, "sure")
        if more:
            at, degree = inner, degree or more
        elif before in _TRANSPARENT and _is_state(cue):
            at -= 1
        else:
            break
    return position, degree, False


def _is_state(cue: Cue) -> bool:
    return cue.name in {"sure", "confident", "unsure", "doubt", "clearly", "fact"}


def _degree_before(words: list[str], position: int, name: str) -> tuple[int, str]:
    for length in (3, 2, 1):
        if position >= length:
            group = DEGREES.get(tuple(words[position - length : position]))
            if group and (name in _GRADABLE or group == "max"):
                return position - length, group
    return position, ""


def _owned(cue: Cue, words: list[str]) -> bool:
    """Whether the speaker holds the state of mind that the cue names."""
    if cue.expression not in _STATES:
        return True
    at = cue.start
    for _ in range(4):
        at, degree = _degree_before(words, at, "sure")
        if not degree and not (at and words[at - 1] in NEGATIONS):
            break
        at -= 0 if degree else 1
    while at and (words[at - 1].endswith("%") or words[at - 1] == "percent" or words[at - 1].isdigit()):
        at -= 1
    before = words[at - 1] if at else "."
    if before in _DETERMINERS:
        return False
    first_only = cue.expression in _FIRST_PERSON_ONLY
    if before in _COPULAS:
        subject = words[at - 2] if at >= 2 else "."
        return subject in {"i", "we"} if first_only else subject in _SPEAKERS or subject in _CLAUSE_MARKS
    if first_only:
        return before in _CLAUSE_MARKS and cue.end < len(words) and words[cue.end] in {"that", ",", "about"}
    return before in _SPEAKERS or before in _CLAUSE_MARKS or before in NEGATIONS or before in _TRANSPARENT


def _with_numbers(cues: list[Cue], words: list[str]) -> list[Cue]:
    """Numbers stated as the speaker's certainty: ``95% sure``, ``a 30% chance``, ``chance of 30%``."""
    numbered = []
    for cue in cues:
        value = None
        if cue.name in {"sure", "confident", "chance", "likely", "good_chance", "probable"}:
            value = _percentage_beside(words, cue)
        name = "certain" if value is not None and value >= 0.995 and not cue.negated else cue.name
        numbered.append(Cue(cue.start, cue.end, name, cue.expression, cue.degree, cue.negated, value))
    found = {cue.end for cue in numbered}
    for index, word in enumerate(words[:-1]):
        value = _percentage(words, index)
        after = index + (1 if word.endswith("%") else 2)
        if value is None or after >= len(words) or any(cue.start <= after < cue.end for cue in numbered):
            continue
        if words[after] in {"chance", "probability", "likelihood", "possibility", "confidence", "certainty"}:
            if after + 1 not in found:
                numbered.append(Cue(index, after + 1, "chance", words[after], number=value))
    return sorted(numbered, key=lambda cue: cue.start)


def _percentage_beside(words: list[str], cue: Cue) -> float | None:
    for index in range(cue.start - 1, max(-1, cue.start - 3), -1):
        value = _percentage(words, index)
        if value is not None:
            return value
    if cue.name == "chance" and cue.end + 1 < len(words) and words[cue.end] == "of":
        return _percentage(words, cue.end + 1)
    return None


def _percentage(words: list[str], index: int) -> float | None:
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else ""
    digits = word[:-1] if word.endswith("%") else word if following in {"percent", "per"} else ""
    try:
        value = float(digits) / 100
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None


def _question(words: list[str], cues: list[Cue]) -> list[Cue]:
    """An answer put as a question: it ends in a question mark."""
    return [Cue(len(words) - 1, len(words), "question", "?")] if words and words[-1] == "?" else []


def _without_earlier(cues: list[Cue], words: list[str]) -> list[Cue]:
    """Drop the cues of a state of mind that the speaker has left: "I was unsure at first, but now ..."."""
    if len(cues) < 2:
        return cues
    kept = []
    for cue in cues:
        clause = _clause(words, cue)
        gone = not _EARLIER.isdisjoint(clause) and not {
            "was",
            "were",
            "had",
            "doubted",
            "thought",
        }.isdisjoint(clause)
        if not gone:
            kept.append(cue)
    return kept or cues


def _clause(words: list[str], cue: Cue) -> list[str]:
    start, end = cue.start, cue.end
    while start > 0 and words[start - 1] not in _CLAUSE_MARKS and words[start - 1] != "but":
        start -= 1
    while end < len(words) and words[end] not in _CLAUSE_MARKS and words[end] != "but":
        end += 1
    return words[start:end]


@cache
def cue_classes() -> dict[str, CueClass]:
    """The classes of cues, by name, from ``ralc/data/cue_classes.csv``."""
    with resources.files("ralc.data").joinpath("cue_classes.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {row["class"]: CueClass(row["class"], int(row["direction"]), float(row["prior"])) for row in rows}


@cache
def _patterns() -> dict[str, tuple[tuple[str, tuple[tuple[Alternatives, bool], ...]], ...]]:
    """The patterns of ``ralc/data/cues.csv`` by the words that they can begin with."""
    by_first: dict[str, list[tuple[str, tuple[tuple[Alternatives, bool], ...]]]] = defaultdict(list)
    with resources.files("ralc.data").joinpath("cues.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            slots = parse_pattern(row["pattern"])
            for first in _first_words(slots):
                by_first[first].append((row["class"], slots))
    return {first: tuple(found) for first, found in by_first.items()}


def _first_words(slots: tuple[tuple[Alternatives, bool], ...]) -> set[str]:
    first: set[str] = set()
    for alternatives, optional in slots:
        first |= {option[0] for option in alternatives}
        if not optional:
            break
    return first


def parse_pattern(pattern: str) -> tuple[tuple[Alternatives, bool], ...]:
    """A pattern as slots: the alternatives of each and whether it is optional.

    >>> parse_pattern("no (real) clue")
    ((frozenset({('no',)}), False), (frozenset({('real',)}), True), (frozenset({('clue',)}), False))
    """
    slots: list[tuple[Alternatives, bool]] = []
    for match in _SLOT.finditer(pattern):
        optional, required, word = match.groups()
        if word is not None:
            slots.append((frozenset(tuple(option.split("_")) for option in word.split("|")), False))
        else:
            group = required if optional is None else optional
            slots.append(
                (frozenset(tuple(option.split()) for option in group.split("|")), optional is not None)
            )
    return tuple(slots)
