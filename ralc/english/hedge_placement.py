"""Where a hedge can stand in a sentence of an answer: before its clause, beside its verb, or behind it.

A place is a few edits of the answer: the hedge goes in, the first word behind it is written small. So the words of the
answer are carried over whatever they are, and each byte outside the sentence stays. A short answer that is no sentence
is made one.
"""

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ralc.english.cues import read_cues
from ralc.english.normalisation import set_of
from ralc.english.parse import BE, finite_verb, named_subject, subject_of
from ralc.english.sentence_types import REPLIES, Sentence, claims, is_title, sentences
from ralc.english.truecasing import capitalised, is_small

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: A change of an answer: from where to where, in characters, and what stands there instead.
Edit = tuple[int, int, str]

#: What stays in front of a hedge, behind which a comma stands or not.
_LEADS = set_of(
    "yes no actually well honestly frankly overall however therefore also additionally furthermore moreover instead"
    " meanwhile finally first second third next then thus hence besides similarly conversely"
    " sadly unfortunately tragically interestingly notably"
)
_CONJUNCTIONS = set_of("and but so or yet")
_NOTING = set_of("note noting noted remember remembering mention mentioning recognize understand")
_NONE = set_of("no nothing nobody none neither")
_MARKS = "*_[~`("  # before the first word of a sentence; what opens it stands before them


class Said:
    """A sentence of an answer, and the edits that put something before, into or behind it."""

    def __init__(self, sentence: Sentence, text: str, names: Collection[str] = ()) -> None:
        self.sentence, self.text, self.names = sentence, text, names
        self.words = sentence.words
        lead = _lead(self.words)
        self.lead = self.words[:lead].text
        self.root = _noted(self.words) or self.words.root
        self.first = self.words[lead]
        self.start = self._place(self.first)
        if lead == 0:
            while self.start > 0 and text[self.start - 1] in _MARKS:
                self.start -= 1

    @property
    def is_led(self) -> bool:
        """Whether a participle leads it, before which no hedge stands: "that born in Rome, she"."""
        return self.first.tag_ == "VBN" and self.first.dep_ in ("advcl", "acl")

    def _place(self, token: "Token", *, end: bool = False) -> int:
        """Where a token begins, or ends, in the answer."""
        at = token.idx - self.words.doc[0].idx
        places = self.sentence.stretch.at
        return places[at + len(token) - 1] + 1 if end else places[at]

    def _is_small(self) -> bool:
        """Whether the first word is written small behind an opening: not that of a title, nor a letter."""
        return (
            is_small(self.first)
            and self.first.text not in self.names
            and not is_title(self.words)
            and not (len(self.words) < 3 and len(self.first) == 1)
        )

    def before(self, opening: str) -> list[Edit]:
        """An opening before the sentence, whose first word is then written small."""
        opening = (
            opening if self.lead and not self.lead.rstrip().endswith((".", "!")) else capitalised(opening)
        )
        at = self._place(self.first)
        small = [(at, at + 1, self.text[at].lower())] if self._is_small() else []
        return [(self.start, self.start, f"{opening} "), *small, *self.stop()]

    def behind(self, tag: str) -> list[Edit]:
        """A tag behind the sentence, before its full stop."""
        last = next(
            (token for token in reversed(self.words) if not token.is_punct or token.text in ")]\"'”’"), None
        )
        at = self._place(last or self.words[-1], end=True)
        first = self._place(self.first)
        large = [(first, first + 1, self.text[first].upper())] if first == 0 else []
        return [*large, (at, at, f", {tag}"), *self.stop()]

    def stop(self) -> list[Edit]:
        """A full stop, where the sentence has none."""
        end = self.sentence.end
        if self.words[-1].text in ",;:" and not self.text[end:].strip():
            return [(end - 1, end, ".")]
        if re.search(r"[.!?…:;][\"'”’)*_]*$", self.text[self.sentence.start : end]):
            return []
        while end < len(self.text) and self.text[end] in "*_`":
            end += 1
        return [(end, end, ".")] if not self.text[end:].strip() else []


class Claim(Said):
    """A sentence with a verb."""

    def clauses(self, opening: str) -> list[list[Edit]]:
        """What introduces it, with a clause behind."""
        return [self.before(opening)]

    def inside(self, adverb: str) -> list[Edit] | None:
        """An adverb behind a form of *be* or a verb that helps another, else before the verb; None where none fits."""
        root = self.root
        verb, subject = finite_verb(root), subject_of(root)
        if (
            verb is None
            or subject is None
            or verb.i < subject.i
            or _is_none(subject)
            or self._is_titled(subject)
        ):
            return None
        following = verb.nbor() if verb.i + 1 < len(verb.doc) else verb
        does = verb.lower_ in ("do", "does", "did")
        if (verb.lower_ in BE or (verb != root and not does)) and not _is_denied(verb, following, does):
            if re.match(r"[a-z]+ly\b", following.text):
                return None  # not "it is possibly approximately 243"
            at = self._place(verb, end=True)
            return [(at, at, f" {adverb}"), *self.stop()]
        first = self._with_adverbs(verb)
        if not first.nbor(-1).whitespace_:
            return None  # what the parser takes for a verb is a part of a word: "D°z"
        at = self._place(first)
        return [(at, at, f"{adverb} "), *self.stop()]

    def _is_titled(self, subject: "Token") -> bool:
        """Whether a subject stands in a title: "in films including There's No Business Like Show Business"."""
        return subject.dep_ == "expl" and subject.is_title and subject.i > self.first.i

    def _with_adverbs(self, verb: "Token") -> "Token":
        """The first of the adverbs that stand right before a verb; itself where none does."""
        root = self.root
        while verb.i > self.words.start + 1:
            before = verb.nbor(-1)
            if before.dep_ not in ("advmod", "neg") or before.head != root:
                break
            verb = before
        return verb

    @property
    def opens_with_subject(self) -> bool:
        """Whether nothing stands before its subject."""
        subject = subject_of(self.root)
        return subject is not None and subject.left_edge.i == self.first.i

    @property
    def may_be(self) -> bool:
        """Whether its verb is *may*, *might* or *could*."""
        verb = finite_verb(self.root)
        return verb is not None and verb.lower_ in ("may", "might", "could")


class Phrase(Said):
    """A short answer that is no sentence: "Paris", "about 40 km", "via ballast tanks"."""

    may_be = False

    def clauses(self, opening: str) -> list[list[Edit]]:
        """What introduces it, with what makes a sentence of it."""
        return [self.before(f"{opening}{frame}") for frame in self._frames()]

    def inside(self, adverb: str) -> list[Edit] | None:
        """What makes a sentence of it, with an adverb; None where it is no noun."""
        return None if self.colon else self.before(f"{self._frames()[0].strip()} {adverb}")

    @property
    def is_reply(self) -> bool:
        """Whether it is *yes* or *no*."""
        return self.words.text.rstrip(".!").lower() in REPLIES

    @property
    def colon(self) -> str:
        """What stands before it behind a verb: nothing before a noun."""
        if self.is_reply:
            return ""
        noun = self.words.root.pos_ in ("NOUN", "PROPN", "NUM", "PRON", "SYM", "X")
        return "" if noun and self.words[0].dep_ != "prep" else ":"

    def _frames(self) -> list[str]:
        """What says what it is: "it is" for one thing, "the answer is" for anything."""
        root = self.words.root
        if root.pos_ == "ADP":
            return [" it is"]
        if self.colon or self.is_reply:
            return [f" the answer is{self.colon}"]
        several = root.tag_ in ("NNS", "NNPS") or any(token.dep_ == "conj" for token in root.children)
        bare = (
            root.tag_ == "NN"
            and len(root) > 1
            and not any(child.dep_ in ("det", "poss", "nummod") for child in root.children)
        )
        names = [" it is", " the answer is"]
        return names[1:] if several or bare or "=" in self.words.text else names


def _is_none(subject: "Token") -> bool:
    """Whether a subject says that there is none: "no city"."""
    return not _NONE.isdisjoint(token.lower_ for token in subject.subtree)


def _is_denied(verb: "Token", following: "Token", does: bool) -> bool:
    """Whether what follows a verb denies it: "cannot", "isn't", "does not"; beside "is not" there is room."""
    together = following.lower_ == "not" and not verb.whitespace_
    return together or following.lower_ == "n't" or (following.lower_ == "not" and does)


def _noted(words: "Span") -> "Token | None":
    """The verb of what is said to be worth noting, which alone can be doubted: "It is important to note that ..."."""
    subject = named_subject(words.root)
    if subject is None or subject.lower_ != "it":
        return None
    clauses = (child for verb in words if verb.lower_ in _NOTING for child in verb.children)
    marked = (one for one in clauses if one.dep_ == "ccomp" and one.left_edge.lower_ == "that")
    return next((one for one in marked if one.left_edge.dep_ == "mark"), None)


def _lead(words: "Span") -> int:
    """Tokens in front of a sentence that stay before a hedge: *yes*, *oh*, *however*, "it is worth noting that"."""
    tokens = list(words)
    noted = _noted(words)
    if noted is not None:
        return noted.left_edge.i + 1 - words.start
    leads = tokens[0].lower_ in _LEADS or tokens[0].tag_ == "UH"
    if len(tokens) > 3 and leads and tokens[1].text in (",", "."):
        return 2
    return int(len(tokens) > 3 and tokens[0].lower_ in _CONJUNCTIONS)


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


def place_hedge(hedge: str, frame: str, text: str, *, names: Collection[str] = ()) -> list[Place]:
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
    >>> [place.text for place in place_hedge("probably", "adverb", "Sure! The capital is Paris.")]
    ['Sure! The capital is probably Paris.']
    >>> [place.text for place in place_hedge("I think", "clause", "Paris")]
    ['I think that it is Paris.', 'I think that the answer is Paris.']
    >>> place_hedge("I doubt", "clause", "No, it is Rome."), place_hedge("perhaps", "adverb", "Thanks!")
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
    last, written = said[-1], place_hedge(hedge, frame, _WHOLE)
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
