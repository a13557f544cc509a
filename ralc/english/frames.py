"""Where a hedge can stand in an answer, by its grammatical frame; nothing but the hedged sentence is touched.

A place is a few edits of the answer: the hedge goes in, the first word behind it is written small. So the words of the
answer are carried over whatever they are, and each byte outside the sentence stays.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache

from ralc.english.cues import read_cues
from ralc.english.kinds import REPLIES, Sentence, claims, sentences
from ralc.english.normalisation import set_of
from ralc.english.rooms import Claim, Edit, Phrase, Said

#: Adverbs that open a sentence without a comma, those that stand before it alone, and only where nothing else is free.
_NO_COMMA = set_of("perhaps maybe possibly probably")
_FRONT = set_of("maybe")
_INSIDE = ("probably", "very probably")
#: Hedges that take a sentence without *that*: a few verbs of the speaker's mind.
_PERSONAL = re.compile(r"I (?:think|believe|guess|suppose|expect|suspect|am sure|am certain)$")
#: Openers that do not join a sentence by a comma alone.
_JOINTS = {
    "take this with a grain of salt": ", but",
    "rumor has it": " that",
    "chances are": " that",
    "odds are": " that",
}
#: Nouns of a hedge that name the answer itself ("my guess is Paris"); any other speaks of it ("my impression is that").
_NAMING = re.compile(r"\b(?:answer|bet|choice|estimate|guess|pick|reply|response) is$", re.IGNORECASE)
#: Classes of cues by which what follows is hardly so, and hedges that say it of the speaker's confidence.
_DENYING = set_of("doubt unlikely improbable almost_none slight remote conceivable")
_HARDLY = re.compile(r"\b(?:little|hardly any) confidence$")
#: What says of a whole answer how sure it is, behind an answer of several sentences.
_WHOLE = "All of this is right."


@dataclass(frozen=True)
class Place:
    """A hedge in its place, and the whole answer that results."""

    hedge: str
    text: str


def places(hedge: str, frame: str, text: str, *, names: Collection[str] = ()) -> list[Place]:
    """Return the places of a hedge in an answer, the plainest first; none where nothing is claimed, or it fits nowhere.

    The first sentence that claims something takes the hedge, or a short answer that is no sentence. A *yes* or *no* in
    front would contradict a doubt, and beside *may* an adverb would hedge twice. A first word that is one of `names`
    stays large.

    Raises
    ------
    ValueError
        If the frame is unknown.

    Examples
    --------
    >>> [place.text for place in places("probably", "adverb", "Sure! The capital is Paris.")]
    ['Sure! The capital is probably Paris.']
    >>> [place.text for place in places("I think", "clause", "Paris")]
    ['I think that it is Paris.', 'I think that the answer is Paris.']
    >>> places("I doubt", "clause", "No, it is Rome."), places("perhaps", "adverb", "Thanks!")
    ([], [])
    """
    if frame not in FRAMES:
        raise ValueError(f"hedge {hedge!r}: frame {frame!r} is not one of {', '.join(FRAMES)}")
    sentence = hedged_sentence(text)
    if sentence is None:
        return []
    said = (Claim if sentence.kind == "claim" else Phrase)(sentence, text, names)
    if _contradicts(said, hedge, frame):
        return []
    written = FRAMES[frame](hedge.strip().rstrip(",."), said)
    if said.is_led:
        written = [edits for edits in written if edits[0][:2] != (said.start, said.start)]
    return [Place(hedge, _edited(text, edits)) for edits in written]


def notes(hedge: str, frame: str, text: str, *, least: int = 2) -> list[Place]:
    """Return an answer of `least` claims or more with a sentence behind them that says how sure all of them are.

    None by a hedge that stands alone: "I am not certain, but all of this is right." takes back what it says.

    >>> notes("I think", "clause", "Rome is old. It is large.")[0].text
    'Rome is old. It is large. I think that all of this is right.'
    """
    said = claims(text)
    if len(said) < least or frame == "standalone":
        return []
    last, written = said[-1], places(hedge, frame, _WHOLE)
    if last.stretch.lone:
        return [Place(hedge, f"{text[: last.end]} {note.text}{text[last.end :]}") for note in written]
    return [Place(hedge, f"{text.rstrip()}\n\n{note.text}") for note in written]


def hedged_sentence(text: str) -> Sentence | None:
    """Return the sentence of an answer that takes the hedge: the first claim, or the first phrase of a short answer."""
    found = sentences(text)
    claim = next((sentence for sentence in found if sentence.kind == "claim"), None)
    if claim or any(sentence.kind not in ("phrase", "talk") for sentence in found):
        return claim
    return next((sentence for sentence in found if sentence.kind == "phrase" and sentence.stretch.lone), None)


@cache
def denies(hedge: str) -> bool:
    """Return whether what follows a hedge is said to be hardly so.

    >>> denies("the chances are low"), denies("I am only about 15 percent sure"), denies("perhaps")
    (True, True, False)
    """
    cues = read_cues(f"{hedge} it is so.")
    low = any(cue.name in _DENYING or (cue.number is not None and cue.number < 0.5) for cue in cues)
    return low or bool(_HARDLY.search(hedge))


def _contradicts(said: Said, hedge: str, frame: str) -> bool:
    """Whether the reply in front of a sentence says something else than a hedge would."""
    return said.lead.lower().rstrip(",. ") in REPLIES and (frame == "standalone" or denies(hedge))


def _edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after some edits, none of which overlap."""
    parts, last = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[last:start], new]
        last = end
    return "".join([*parts, text[last:]])


def _adverb(hedge: str, said: Claim | Phrase) -> list[list[Edit]]:
    """Inside the sentence, after *be* or before another verb; before the sentence.

    *Likely* and *unlikely* are adjectives ("it is unlikely that X"), *maybe* stands in front, and *probably not*
    negates the verb.
    """
    words = hedge.lower()
    if words.endswith("likely") and words != "most likely":
        return _clause(f"it is {hedge}", said)
    if words.endswith(" not"):
        return said.clauses(f"it is {hedge} the case that")
    if said.may_be:
        return []
    front = said.before(f"{hedge}{'' if words in _NO_COMMA else ','}")
    inside = said.inside(hedge) if words not in _FRONT else None
    return [inside, *([] if words in _INSIDE else [front])] if inside else [front]


def _clause(hedge: str, said: Claim | Phrase) -> list[list[Edit]]:
    """Before a that-clause, or an indirect question if the hedge asks for one; *I think* needs no *that*."""
    if hedge.endswith((" that", " whether", " if")):
        return said.clauses(hedge)
    if isinstance(said, Phrase) and _NAMING.search(hedge):
        return [said.before(hedge)]
    free = isinstance(said, Claim) and _PERSONAL.match(hedge) and said.opens_with_subject
    return [*said.clauses(f"{hedge} that"), *([said.before(hedge)] if free else [])]


def _opener(hedge: str, said: Claim | Phrase) -> list[list[Edit]]:
    """Before the sentence, with a comma."""
    joint = _JOINTS.get(hedge.lower(), ",")
    return said.clauses(f"{hedge}{joint}") if joint.endswith("that") else [said.before(f"{hedge}{joint}")]


def _tag(hedge: str, said: Claim | Phrase) -> list[list[Edit]]:
    """After the sentence."""
    return [said.behind(hedge)]


def _standalone(hedge: str, said: Claim | Phrase) -> list[list[Edit]]:
    """A sentence of its own, with *but* before the answer."""
    if isinstance(said, Phrase):
        return [said.before(f"{hedge}, but my answer is{said.colon}")]
    return [said.before(f"{hedge}, but")]


#: How an expression stands in a sentence.
#: adverb: before or inside ("Perhaps X", "X is perhaps ...") | clause: takes a that-clause ("I think that X") |
#: opener: before, with a comma ("As far as I know, X") | tag: after, with a comma ("X, I think") |
#: standalone: a sentence of its own ("I am not sure, but X").
FRAMES: dict[str, Callable[[str, Claim | Phrase], list[list[Edit]]]] = {
    "adverb": _adverb,
    "clause": _clause,
    "opener": _opener,
    "tag": _tag,
    "standalone": _standalone,
}
