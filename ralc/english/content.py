"""Words that look like a hedge and speak of the matter, not of what the speaker holds of it.

"The tablets may be taken with food" permits, "possible side effects" names a kind of effect, "its author is unknown"
is an answer, and "I don't think it is Lagos; it is Abuja" says nothing about how sure the speaker is of Abuja.
"""

from collections.abc import Sequence

from ralc.english.normalisation import set_of
from ralc.english.vocabulary import CLAUSE_MARKS

REACH = 40  # tokens to either side; keeps the work linear in texts without punctuation


_MODALS = frozenset({"may", "might", "could"})
#: Whom something is permitted to, and what one is permitted to do with a thing.
_PERMITTED = set_of(
    "visitors guests patients users members students citizens residents passengers customers drivers players parents"
    " owners pupils employees applicants travellers travelers readers children"
)
_DONE_WITH = set_of(
    "taken used eaten consumed served applied given added stored reheated renewed entered visited parked carried worn"
    " returned cancelled canceled purchased bought paid submitted sent opened closed removed replaced repeated"
)
#: How: "it may be taken with food" permits, "it may be taken from Homer" doubts.
_MANNERS = set_of("with without before after daily orally")
#: What things do now and then: "hours may vary".
_DISPOSED = set_of("vary change differ depend include")
_CONDITIONS = set_of("if when whenever unless")
_ARTICLES = set_of("a an any every each some")
_RELATIVES = set_of("who that which")
#: Verbs by which somebody else says or thinks what follows.
_SAYS = set_of("says say said states state argues argue holds claims claim predicts predict implies teaches")
_SELVES = set_of("i we it this that")
#: What a matter has possible ones of.
_ENDS = set_of(
    "effects risks causes uses consequences complications outcomes interactions solutions symptoms"
)
_BE = set_of("is are was were remains remain")
_ITSELF = set_of("it this that answer which what still")
#: Classes of cues by which an answer is thought little of, and those of what others hold.
_REJECTING = set_of("doubt unlikely probably_not improbable impossible")
_OTHERS = set_of("reported majority alleged presume")
_TURNS = set_of("but so instead rather and")
_CLAIMS = frozenset(
    (subject, verb)
    for subject, verbs in {
        "it": "is was must",
        "they": "are were",
        "he": "is was",
        "she": "is was",
        "answer": "is was",
    }.items()
    for verb in verbs.split()
)
_CONCESSIVE = set_of("although though while")


def of_content(name: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether a cue of class `name`, the words from `start` to `end`, speaks of the matter.

    >>> of_content("may", 2, 3, "the tablets may be taken with food".split())
    True
    >>> of_content("may", 1, 2, "it may be taken from homer".split())
    False
    """
    before, after = words[start - 1] if start else "", words[end] if end < len(words) else ""
    if end - start == 1 and words[start] in _MODALS:
        return _of_what_can_be(start, words, before, after)
    if name == "possible" and words[start:end] == ["possible"]:
        return after in _ENDS or (after == "side" and words[end + 1 : end + 2] == ["effects"])
    if name == "hard_to_say":
        # "The author is unknown" answers; "it is unknown" and "the answer is unknown" do not.
        subject = before if words[start] in _BE else ""
        if "unknown" in words[start:end] and words[start] in _BE:
            return subject not in _ITSELF and subject != ""
    return False


def _of_what_can_be(at: int, words: Sequence[str], before: str, after: str) -> bool:
    """Whether a modal says what is permitted, what things do, or what somebody else says."""
    if before in {"its", "their", "his", "her", "the", "military"} or after in _DISPOSED:
        return True
    if before in _PERMITTED:
        return True
    done = after == "be" and words[at + 2 : at + 3] and words[at + 2] in _DONE_WITH
    if before in _SELVES:
        return bool(done and words[at + 3 : at + 4] and words[at + 3] in _MANNERS)
    if done:
        return True
    first = _clause_start(words, at, marks=frozenset(".!?;"))
    # "If it is cold, the pipes may freeze", but "if I recall correctly, Paris may be it".
    if words[first] in _CONDITIONS and words[first + 1] not in {"i", "memory", "my"}:
        return True
    # "a man who might be a spy": the spy is in the book.
    if before in _RELATIVES and at >= 3 and words[at - 3] in _ARTICLES:
        return True
    return any(
        words[place] in _SAYS and words[place - 1] not in _SELVES and words[place + 1] == "that"
        for place in range(max(first + 1, 1), at - 1)
    )


def set_aside(name: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether what a cue speaks of is set aside by the claim of the next clause.

    >>> set_aside("doubt", 1, 4, "i do not think it is lagos ; it is abuja".split())
    True
    >>> set_aside("doubt", 1, 4, "i do not think it is lagos .".split())
    False

    A name is an empty word (`ralc.english.cues`).

    >>> set_aside("doubt", 1, 4, [*"i do not think it is".split(), "", ",", "it", "is", "", "."])
    True
    """
    if name not in _REJECTING and name not in _OTHERS:
        return False
    stop = min(len(words), end + REACH)
    place = end
    while place < stop and words[place] not in CLAUSE_MARKS and words[place] not in {"but", "so"}:
        place += 1
    if place - end < 2 and name in _REJECTING:
        return False  # "I am doubtful, but it is ..." rejects nothing else
    concessive = name in _OTHERS and words[_clause_start(words, start)] in _CONCESSIVE
    turned = False
    while place < stop and (words[place] in CLAUSE_MARKS or words[place] in _TURNS):
        turned = turned or words[place] in {"but", ";", ".", "so", "instead", "rather"}
        place += 1
    if concessive and place < stop:
        return True
    claim, said = tuple(words[place : place + 2]), words[place + 2 : place + 3]
    if claim[:1] == ("the",) and ("answer" in claim or words[place + 3 : place + 4] == [""]):
        claim = ("answer", *said)  # "the capital is Rome"
    # "I don't think it is Sydney, it is Canberra": a name stands in the other's place.
    turned = turned or (name in _REJECTING and said == [""])
    return turned and claim in _CLAIMS and (name in _REJECTING or words[place - 1] == "but")


def _clause_start(words: Sequence[str], at: int, marks: frozenset[str] = CLAUSE_MARKS) -> int:
    """Where the clause of a position begins."""
    start = at
    while start > max(0, at - REACH) and words[start - 1] not in marks:
        start -= 1
    return start
