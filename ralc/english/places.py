"""Where a hedge can stand in an answer, by its grammatical frame; the answer keeps its words."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ralc.english.casing import opening_words
from ralc.english.cues import find_cues
from ralc.english.sentences import Sentence, is_possibility, middle
from ralc.english.short import framed, quoted
from ralc.english.verbs import CONDITION

#: Adverbs that open a sentence without a comma.
_NO_COMMA = frozenset({"perhaps", "maybe", "possibly", "probably"})
#: Adverbs that open a sentence only where there is no place inside it.
_INSIDE = frozenset({"probably", "very probably"})
#: Adverbs that stand before the sentence alone.
_FRONT = frozenset({"maybe"})
#: Hedges that take a sentence without *that*: a few verbs of the speaker's mind.
_PERSONAL = (
    "I think",
    "I believe",
    "I guess",
    "I suppose",
    "I expect",
    "I suspect",
    "I am sure",
    "I am certain",
)
#: Openers that do not join a sentence by a comma alone.
_JOINTS = {
    "take this with a grain of salt": ", but",
    "rumor has it": " that",
    "chances are": " that",
    "odds are": " that",
}
#: What begins a sentence before its subject.
_ADJUNCT = re.compile(rf"\w+ing\b[^,]*,|(?:{'|'.join(sorted(CONDITION))})\b")
#: Nouns of a hedge that name the answer itself ("my guess is Paris"); any other speaks of it ("my impression is that").
_NAMING = re.compile(r"\b(?:answer|bet|choice|estimate|guess|pick|reply|response) is$", re.IGNORECASE)
#: Classes of cues by which what follows is hardly so, and hedges that say it of the speaker's confidence.
_DENYING = frozenset({"doubt", "unlikely", "improbable", "almost_none", "slight", "remote", "conceivable"})
_HARDLY = re.compile(r"\b(?:little|hardly any) confidence$")


@dataclass(frozen=True)
class Place:
    """A hedge in its place: the hedge, the whole answer that results, and whether a sentence is quoted in it."""

    hedge: str
    text: str
    quotes: bool = False


def places(hedge: str, frame: str, sentence: Sentence) -> list[Place]:
    """Return the places of a hedge in a sentence, the plainest first; never empty.

    Raises
    ------
    ValueError
        If the frame is unknown.

    >>> from ralc.english.sentences import read_sentence
    >>> [place.text for place in places("probably", "adverb", read_sentence("The capital is Paris."))]
    ['The capital is probably Paris.']
    >>> [place.text for place in places("I think", "clause", read_sentence("Paris"))]
    ['I think that it is Paris.', 'I think that the answer is Paris.']

    A *yes* or *no* that stays in front would contradict a doubt, and "No, I am not sure" answers something else; beside
    *may* an adverb would hedge twice ("it may probably rain").

    >>> places("I doubt", "clause", read_sentence("No, it is Rome."))[0].text
    'I doubt that the answer is "No, it is Rome".'
    """
    if frame not in FRAMES:
        raise ValueError(f"hedge {hedge!r}: frame {frame!r} is not one of {', '.join(FRAMES)}")
    whole = sentence.is_clause
    contradicts = sentence.lead.lower()[:-1] in {"yes", "no"} and (frame == "standalone" or denies(hedge))
    if contradicts or (frame == "adverb" and is_possibility(sentence)):
        words = quoted(f"{sentence.lead} {sentence.words}".strip())
        sentence = Sentence(words, sentence.rest, is_clause=False)
    written = FRAMES[frame](hedge.strip().rstrip(",."), sentence)
    marked = quoted(sentence.words)
    return [Place(hedge, sentence.finish(text), whole and marked in text) for text in written]


@cache
def denies(hedge: str) -> bool:
    """Return whether what follows a hedge is said to be hardly so.

    >>> denies("the chances are low"), denies("I am only about 15 percent sure"), denies("perhaps")
    (True, True, False)
    """
    cues = find_cues(f"{hedge} it is so.")
    low = any(cue.name in _DENYING or (cue.number is not None and cue.number < 0.5) for cue in cues)
    return low or bool(_HARDLY.search(hedge))


def _opened(sentence: Sentence) -> str | None:
    """A sentence as it goes on after an opening; None for a phrase, and where its first word may be a name or not."""
    return opening_words(sentence.words) if sentence.is_clause else None


def _clauses(sentence: Sentence) -> list[str]:
    """An answer as what follows "that": itself, or a short one in its frames."""
    opened = _opened(sentence)
    return [opened] if opened else [f"{frame} {phrase}" for frame, phrase in framed(sentence.words)]


def _adverb(hedge: str, sentence: Sentence) -> list[str]:
    """Inside the sentence, after *be* or before another verb; before the sentence.

    *Likely* and *unlikely* are adjectives ("it is unlikely that X"), *maybe* stands in front, and *probably not*
    negates the verb.
    """
    words = hedge.lower()
    if words.endswith("likely") and words != "most likely":
        return _clause(f"it is {hedge}", sentence)
    if words.endswith(" not"):
        return [f"it is {hedge} the case that {clause}" for clause in _clauses(sentence)]
    front = [f"{hedge}{'' if words in _NO_COMMA else ','} {clause}" for clause in _clauses(sentence)]
    if words in _FRONT:
        return front
    if not sentence.is_clause:
        return [f"{frame} {hedge} {phrase}" for frame, phrase in framed(sentence.words)]
    cuts = middle(sentence.words)
    inside = [f"{cuts[0]} {hedge} {cuts[1]}".strip()] if cuts else []
    if cuts and _opened(sentence) and re.match(r"[a-z]+ly\b", cuts[1]):
        return front  # not "it is possibly approximately 243"
    return inside if inside and (words in _INSIDE or not _opened(sentence)) else inside + front


def _clause(hedge: str, sentence: Sentence) -> list[str]:
    """Before a that-clause, or an indirect question if the hedge asks for one; *I think* needs no *that*."""
    if hedge.endswith((" that", " whether", " if")):
        return [f"{hedge} {clause}" for clause in _clauses(sentence)]
    if opened := _opened(sentence):
        # "I believe coming from Nigeria, Uganda is small" misreads.
        free = hedge.startswith(_PERSONAL) and not _ADJUNCT.match(opened)
        return [f"{hedge} that {opened}", *([f"{hedge} {opened}"] if free else [])]
    if _NAMING.search(hedge):
        return [f"{hedge} {phrase}" for _, phrase in framed(sentence.words)[:1]]
    return [f"{hedge} that {clause}" for clause in _clauses(sentence)]


def _opener(hedge: str, sentence: Sentence) -> list[str]:
    """Before the sentence, with a comma."""
    opening = hedge + _JOINTS.get(hedge.lower(), ",")
    return [f"{opening} {clause}" for clause in _clauses(sentence)]


def _tag(hedge: str, sentence: Sentence) -> list[str]:
    """After the sentence."""
    whole = [sentence.words] if sentence.is_clause else _clauses(sentence)
    return [f"{text}, {hedge}" for text in whole]


def _standalone(hedge: str, sentence: Sentence) -> list[str]:
    """A sentence of its own, with *but* before the answer."""
    if opened := _opened(sentence):
        return [f"{hedge}, but my answer is that {opened}", f"{hedge}, but {opened}"]
    return [f"{hedge}, but my answer is {framed(sentence.words)[0][1]}"]


#: How an expression stands in a sentence.
#: adverb: before or inside ("Perhaps X", "X is perhaps ...") | clause: takes a that-clause ("I think that X") |
#: opener: before, with a comma ("As far as I know, X") | tag: after, with a comma ("X, I think") |
#: standalone: a sentence of its own ("I am not sure, but X").
FRAMES: dict[str, Callable[[str, Sentence], list[str]]] = {
    "adverb": _adverb,
    "clause": _clause,
    "opener": _opener,
    "tag": _tag,
    "standalone": _standalone,
}
