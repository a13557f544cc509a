"""To which of several answers a text commits itself, by how its clauses align with the question."""

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from ralc.english.alignment import CONTAINERS, SPEAKERS, VERBS, alike, asked_words, is_name, mentions_asked
from ralc.english.candidates import Mention, mentions
from ralc.english.normalisation import NAMING_WORDS, plain, set_of, spans, words
from ralc.english.verbs import ADVERB, PAST

#: What is said by the way begins so.
_ASIDES = set_of(
    "while although though because since as than after before with which who whom whose where when if"
)
_IDLE = NAMING_WORDS | _ASIDES
#: What puts in the past what a speaker says: what was thought is no answer.
_PAST_FORMS = set_of("was were had did thought said once")
#: What withdraws, even with a verb: "that is wrong", "that was a mistake".
_INTERRUPTING = set_of(
    "wait sorry hold hmm oops again actually correction wrong mistake mistaken reflection rephrase thoughts scratch"
)
_ASIDE = rf"\b(?:{'|'.join(sorted(_ASIDES))})\b"
_BY_THE_WAY = re.compile(rf"\W*{_ASIDE}", re.IGNORECASE)
_COMPARED = re.compile(r"\W*than\b", re.IGNORECASE)
# Where a clause may end. What "or" joins is one clause: an alternative has no role of its own.
_CUT = re.compile(
    rf"(?:[,;:!?()—–…]+|\.{{2,}}|\.(?=\s|$)|\s-\s)(?!\d|\s*or\b)|\b(?:and|but|yet|so|whereas)\b|(?={_ASIDE})",
    re.IGNORECASE,
)
# Between names of one list: "Paris, Lyon and the Nice".
_LISTED = re.compile(r"[\s,&]*(?:\b(?:and|the|an?|both|as well as)\b[\s,]*)*", re.IGNORECASE)
#: The index of an answer that is none of those known.
UNKNOWN = -1


@dataclass(frozen=True)
class Clause:
    """A clause that gives answers.

    Attributes
    ----------
    names
        Which, by their place in right ones followed by wrong ones; `UNKNOWN` for another one.
    score
        How well it aligns: all words of the question where it adds nothing to them but its answers, else how many have
        been said up to its end, less what it adds, and how many it says itself.
    related
        Whether it speaks of what was asked, or of nothing else.
    interrupted
        Whether something without a verb ("wait, no"), a speaker's remark ("let me see") or what withdraws stands before
        it, and since then nothing that speaks of the question or gives an answer without adding to it.
    withdraws
        Whether that is one of `_INTERRUPTING`, or "no": what was said before is withdrawn, however well it aligns.
    start, end
        Where it stands in the text.
    """

    names: frozenset[int]
    score: tuple[int, int]
    related: bool
    interrupted: bool
    withdraws: bool
    start: int
    end: int


def committed(found: Sequence[Clause]) -> frozenset[int]:
    """Return the answers in the clauses that align best with a question; the last of them after an interruption.

    What stands before something withdrawn does not count.

    >>> said = "It died in Bonn, but was born in Ulm."
    >>> committed(list(aligned(said, "Where was it born?", ["Ulm"], ["Bonn"])))
    frozenset({0})
    """
    turns = [place for place, clause in enumerate(found) if clause.withdraws and clause.related]
    found = found[turns[-1] :] if turns else found
    best = max((clause.score for clause in found if clause.related), default=None)
    chosen: frozenset[int] = frozenset()
    for clause in found:
        if clause.related and clause.score == best:
            chosen = clause.names if clause.interrupted else chosen | clause.names
    return chosen.union(*(clause.names for clause in found if clause.names & chosen))


def aligned(text: str, question: str, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Clause]:
    """Yield the clauses of a text that give answers, with how well each aligns with a question.

    A name or number that no known answer has is one, too, where its clause repeats half of the question and adds
    nothing else.
    """
    found = list(mentions(text, [*right, *wrong]))
    asked = set(words(question)) - NAMING_WORDS
    named_asked, about = mentions_asked(text, question), _about(text, question, asked)
    kinds = {name[:1].isdigit() for name in right}
    numeric = any(word[0].isdigit() for word in asked) or any(text[place.start].isdigit() for place in found)
    said: set[str] = set()
    label: set[str] = set()  # what is said of the question since the last answer: "second place: Max Orr"
    interrupted = withdraws = False
    free = _outside(text, found)
    begins, named = [first for _, first in free], [place.start for place in found]
    for start, end in _clauses(text, found):
        within = found[_between(named, start, end)]
        spoken = [word for word, _ in free[_between(begins, start, end)]]
        ahead = bisect_left(begins, within[0].start if within else end) - bisect_left(begins, start)
        told = [word for word in _told(spoken, ahead) if numeric or not word[0].isdigit()]
        repeated = {word: {key for key in asked if alike(plain(word), key)} for word in told}
        shared = set[str]().union(*repeated.values())
        said |= shared
        added = [word for word in told if not repeated[word]]
        given = frozenset[int]().union(*(place.names for place in within))
        if not given and 2 * len(shared) >= len(asked) and _is_answer(added, text[start:end], kinds):
            given, added = frozenset({UNKNOWN}), []
        idle = not given and not shared and not any(map(is_name, told[1:]))
        if given and not _COMPARED.match(text, start, end):
            less = len(added) + bool(_BY_THE_WAY.match(text, start, end))
            score = (len(said) - less, len(shared)) if less else (len(asked), len(label))
            related = not told or named_asked or (about and score[0] >= 0)
            yield Clause(given, score, related, interrupted, withdraws, start, end)
            idle = less > 0
        plainly = set(map(plain, spoken))
        label = set() if given or plainly & VERBS else label | shared
        breaks = (VERBS.isdisjoint(plainly) or _is_speech(spoken)) and bool(spoken)
        withdraws = idle and (withdraws or not _INTERRUPTING.isdisjoint(plainly) or plainly == {"no"})
        interrupted = idle and (interrupted or breaks or withdraws)


def _told(spoken: Sequence[str], ahead: int) -> list[str]:
    """The words of a clause that say something: only names where a speaker chooses, `ahead` of the answers.

    "I would venture the piano on that" chooses, "I think that the piano is older" states.
    """
    said = [word for word in spoken if plain(word) not in _IDLE]
    chooses = _is_speech(spoken) and not _IDLE.issuperset(map(plain, spoken[:ahead]))
    comment = chooses or all(ADVERB.fullmatch(word) for word in said)
    return [word for word in said if is_name(word) or not comment]


def _is_speech(spoken: Sequence[str]) -> bool:
    """Whether the speaker is the subject of a clause that is not in the past."""
    plainly = [plain(word) for word in spoken]
    return not SPEAKERS.isdisjoint(plainly[:3]) and not any(map(_is_past, plainly))


def _is_past(word: str) -> bool:
    return word in _PAST_FORMS or PAST.fullmatch(word) is not None


def _about(text: str, question: str, asked: set[str]) -> bool:
    """Whether a text repeats what is asked, a word of the question's thing, or several other words of it."""
    spoken = set(words(text))
    repeated = {key for key in asked if any(alike(word, key) for word in spoken)}
    return len(repeated) > 1 or bool(repeated & asked_words(question))


def _is_answer(added: Sequence[str], clause: str, kinds: set[bool]) -> bool:
    """Whether what a clause adds is one name or number, as the known answers are, and holds no others."""
    return (
        bool(added)
        and all(map(is_name, added))
        and {word[0].isdigit() for word in added} <= kinds
        and not CONTAINERS.issuperset(map(plain, added))
        and " ".join(added) in clause
    )


def _clauses(text: str, found: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Where the clauses of a text begin and end; names and lists of names are not cut."""
    start = 0
    whole = [(place.start, place.end) for place in found]
    whole += [(a.end, b.start) for a, b in pairwise(found) if _LISTED.fullmatch(text, a.end, b.start)]
    whole.sort()
    for cut in _CUT.finditer(text):
        before = bisect(whole, cut.start(), key=itemgetter(0))
        if not before or whole[before - 1][1] <= cut.start():
            yield start, cut.start()
            start = cut.end()
    yield start, len(text)


def _outside(text: str, found: Sequence[Mention]) -> list[tuple[str, int]]:
    """The words of a text that are in no mention, with where they begin."""
    ends = [place.end for place in found]
    return [
        (word, first)
        for word, first, _ in spans(text)
        if (after := bisect(ends, first)) == len(found) or first < found[after].start
    ]


def _between(places: Sequence[int], start: int, end: int) -> slice:
    """Which of some places in their order are from `start` to before `end`."""
    return slice(bisect_left(places, start), bisect_left(places, end))
