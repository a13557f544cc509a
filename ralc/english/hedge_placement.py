"""Where a hedge can stand in a sentence of an answer: before its clause, beside its verb, or behind it.

A place is a few edits of the answer: the hedge goes in, the first word behind it is written small. So the words of the
answer are carried over whatever they are, and each byte outside the sentence stays. A short answer that is no sentence
is made one.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import TYPE_CHECKING

from ralc.english.cues import read_cues
from ralc.english.normalisation import set_of
from ralc.english.parse import BE, finite_verb, named_subject, subject_of
from ralc.english.sentence_types import REPLIES, Sentence, hedged_sentence, is_title, sentences
from ralc.english.truecasing import capitalised, is_small

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: How an expression stands in a sentence.
#: adverb: before or inside ("Perhaps X", "X is perhaps ...") | clause: takes a that-clause ("I think that X") |
#: opener: before, with a comma ("As far as I know, X") | tag: after, with a comma ("X, I think") |
#: standalone: a sentence of its own ("I am not sure, but X").
FRAMES = ("adverb", "clause", "opener", "tag", "standalone")
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
#: Adverbs that open a sentence without a comma, those that stand before it alone, and only where nothing else is free.
_NO_COMMA = set_of("perhaps maybe possibly probably")
_FRONT = set_of("maybe")
_INSIDE = ("probably", "very probably")
#: Hedges that take a sentence without *that*: a few verbs of the speaker's mind.
_PERSONAL = re.compile(r"I (?:think|believe|guess|suppose|expect|suspect|am sure|am certain)$")
#: Nouns of a hedge that name the answer itself ("my guess is Paris"); any other speaks of it ("my impression is that").
_NAMING = re.compile(r"\b(?:answer|bet|choice|estimate|guess|pick|reply|response) is$", re.IGNORECASE)
#: Classes of cues by which what follows is hardly so, and hedges that say it of the speaker's confidence.
_DENYING = set_of("doubt unlikely improbable almost_none slight remote conceivable")
_HARDLY = re.compile(r"\b(?:little|hardly any) confidence$")


def place_hedge(hedge: str, frame: str, text: str, *, names: Collection[str] = ()) -> list[str]:
    """Return an answer with a hedge in each of its places, the plainest first; none where it fits nowhere.

    The first sentence that claims something takes the hedge, or a short answer that is no sentence. A *yes* or *no* in
    front would contradict a doubt, and beside *may* an adverb would hedge twice. A first word that is one of `names`
    stays large. Behind several claims a sentence can speak of all of them, which is the last place.

    Raises
    ------
    ValueError
        If the frame is unknown.

    Examples
    --------
    >>> place_hedge("probably", "adverb", "Sure! The capital is Paris.")
    ['Sure! The capital is probably Paris.']
    >>> place_hedge("I think", "clause", "Paris")
    ['I think that it is Paris.', 'I think that the answer is Paris.']
    >>> place_hedge("I doubt", "clause", "No, it is Rome."), place_hedge("perhaps", "adverb", "Thanks!")
    ([], [])
    """
    if frame not in FRAMES:
        raise ValueError(f"hedge {hedge!r}: frame {frame!r} is not one of {', '.join(FRAMES)}")
    sentence = hedged_sentence(text)
    if sentence is None:
        return []
    site = _Site(sentence, text, names)
    # A reply in front says something else than a doubt would.
    if site.lead.lower().rstrip(",. ") in REPLIES and (frame == "standalone" or denies(hedge)):
        return []
    written = _placed(hedge.strip().rstrip(",."), frame, site)
    if site.is_led:
        written = [edits for edits in written if edits[0][:2] != (site.start, site.start)]
    return [*(_edited(text, edits) for edits in written), *_notes(hedge, frame, text)]


def _notes(hedge: str, frame: str, text: str) -> list[str]:
    """An answer of several claims with a sentence behind them that says how sure all of them are.

    None by a hedge that stands alone: "I am not certain, but all of this is right." takes back what it says.
    """
    claims = [sentence for sentence in sentences(text) if sentence.kind == "claim"]
    if len(claims) < 2 or frame == "standalone":
        return []
    last, notes = claims[-1], place_hedge(hedge, frame, "All of this is right.")
    if last.stretch.lone:
        return [f"{text[: last.end]} {note}{text[last.end :]}" for note in notes]
    return [f"{text.rstrip()}\n\n{note}" for note in notes]


@cache
def denies(hedge: str) -> bool:
    """Return whether what follows a hedge is said to be hardly so.

    >>> denies("the chances are low"), denies("I am only about 15 percent sure"), denies("perhaps")
    (True, True, False)
    """
    cues = read_cues(f"{hedge} it is so.")
    low = any(cue.name in _DENYING or (cue.number is not None and cue.number < 0.5) for cue in cues)
    return low or bool(_HARDLY.search(hedge))


def _placed(hedge: str, frame: str, site: "_Site") -> list[list[Edit]]:
    """The edits of each place of a hedge."""
    if frame == "adverb":
        return _placed_adverb(hedge, site)
    if frame == "tag":
        return [site.behind(hedge)]
    if frame == "opener":
        return [site.before(f"{hedge},")]
    if frame == "standalone":
        return [site.before(f"{hedge}, but" if site.is_claim else f"{hedge}, but my answer is{site.colon}")]
    if hedge.endswith((" that", " whether", " if")):
        return site.clauses(hedge)
    if not site.is_claim and _NAMING.search(hedge):
        return [site.before(hedge)]
    free = site.is_claim and _PERSONAL.match(hedge) and site.opens_with_subject
    return [*site.clauses(f"{hedge} that"), *([site.before(hedge)] if free else [])]


def _placed_adverb(hedge: str, site: "_Site") -> list[list[Edit]]:
    """Inside the sentence, after *be* or before another verb; before the sentence.

    *Likely* and *unlikely* are adjectives ("it is unlikely that X"), *maybe* stands in front, and *probably not*
    negates the verb.
    """
    words = hedge.lower()
    if words.endswith("likely") and words != "most likely":
        return _placed(f"it is {hedge}", "clause", site)
    if words.endswith(" not"):
        return site.clauses(f"it is {hedge} the case that")
    if site.may_be:
        return []
    front = site.before(f"{hedge}{'' if words in _NO_COMMA else ','}")
    inside = site.inside(hedge) if words not in _FRONT else None
    return [inside, *([] if words in _INSIDE else [front])] if inside else [front]


class _Site:
    """The sentence of an answer that takes a hedge, and the edits that put something before, into or behind it."""

    def __init__(self, sentence: Sentence, text: str, names: Collection[str]) -> None:
        self.sentence, self.text, self.names = sentence, text, names
        self.is_claim = sentence.kind == "claim"
        self.words = sentence.words
        noted = _noted(self.words)
        lead = _lead(self.words, noted)
        self.lead = self.words[:lead].text
        self.root = noted or self.words.root
        self.first = self.words[lead]
        self.start = self._place(self.first)
        while lead == 0 and self.start > 0 and text[self.start - 1] in _MARKS:
            self.start -= 1

    @property
    def is_led(self) -> bool:
        """Whether a participle leads it, before which no hedge stands: "that born in Rome, she"."""
        return self.first.tag_ == "VBN" and self.first.dep_ in ("advcl", "acl")

    @property
    def opens_with_subject(self) -> bool:
        """Whether nothing stands before its subject."""
        subject = subject_of(self.root)
        return subject is not None and subject.left_edge.i == self.first.i

    @property
    def may_be(self) -> bool:
        """Whether its verb is *may*, *might* or *could*."""
        verb = finite_verb(self.root)
        return self.is_claim and verb is not None and verb.lower_ in ("may", "might", "could")

    @property
    def colon(self) -> str:
        """What stands before a phrase behind a verb: nothing before a noun, *yes* or *no*."""
        if self._is_reply:
            return ""
        noun = self.words.root.pos_ in ("NOUN", "PROPN", "NUM", "PRON", "SYM", "X")
        return "" if noun and self.words[0].dep_ != "prep" else ":"

    @property
    def _is_reply(self) -> bool:
        return self.words.text.rstrip(".!").lower() in REPLIES

    def _place(self, token: "Token", *, end: bool = False) -> int:
        """Where a token begins, or ends, in the answer."""
        at = token.idx - self.words.doc[0].idx
        places = self.sentence.stretch.at
        return places[at + len(token) - 1] + 1 if end else places[at]

    def before(self, opening: str) -> list[Edit]:
        """An opening before the sentence, whose first word is then written small, but for a name, title or letter."""
        if not self.lead or self.lead.rstrip().endswith((".", "!")):
            opening = capitalised(opening)
        at = self._place(self.first)
        kept = (
            self.first.text in self.names
            or is_title(self.words)
            or (len(self.words) < 3 and len(self.first) == 1)
        )
        changed = [(at, at + 1, self.text[at].lower())] if is_small(self.first) and not kept else []
        return [(self.start, self.start, f"{opening} "), *changed, *self._stop()]

    def clauses(self, opening: str) -> list[list[Edit]]:
        """What introduces it, with a clause behind; a phrase is made one."""
        return [self.before(f"{opening}{frame}") for frame in ([""] if self.is_claim else self._frames())]

    def behind(self, tag: str) -> list[Edit]:
        """A tag behind the sentence, before its full stop."""
        last = next(
            (token for token in reversed(self.words) if not token.is_punct or token.text in ")]\"'”’"), None
        )
        at = self._place(last or self.words[-1], end=True)
        first = self._place(self.first)
        large = [(first, first + 1, self.text[first].upper())] if first == 0 else []
        return [*large, (at, at, f", {tag}"), *self._stop()]

    def inside(self, adverb: str) -> list[Edit] | None:
        """An adverb behind a form of *be* or a verb that helps another, else before the verb; None where none fits.

        What makes a sentence of a phrase has the adverb inside.
        """
        if not self.is_claim:
            return None if self.colon else self.before(f"{self._frames()[0].strip()} {adverb}")
        verb, subject = finite_verb(self.root), subject_of(self.root)
        if verb is None or subject is None or verb.i < subject.i or _is_none(subject):
            return None
        following = verb.nbor() if verb.i + 1 < len(verb.doc) else verb
        does = verb.lower_ in ("do", "does", "did")
        if (verb.lower_ in BE or (verb != self.root and not does)) and not _is_denied(verb, following, does):
            if re.match(r"[a-z]+ly\b", following.text):
                return None  # not "it is possibly approximately 243"
            at = self._place(verb, end=True)
            return [(at, at, f" {adverb}"), *self._stop()]
        while verb.i > self.words.start + 1 and verb.nbor(-1).dep_ in ("advmod", "neg"):
            if verb.nbor(-1).head != self.root:
                break
            verb = verb.nbor(-1)
        if not verb.nbor(-1).whitespace_:
            return None  # what the parser takes for a verb is a part of a word: "D°z"
        at = self._place(verb)
        return [(at, at, f"{adverb} "), *self._stop()]

    def _frames(self) -> list[str]:
        """What says what a phrase is: "it is" for one thing, "the answer is" for anything."""
        root = self.words.root
        if root.pos_ == "ADP":
            return [" it is"]
        if self.colon or self._is_reply:
            return [f" the answer is{self.colon}"]
        several = root.tag_ in ("NNS", "NNPS") or any(token.dep_ == "conj" for token in root.children)
        determined = any(child.dep_ in ("det", "poss", "nummod") for child in root.children)
        bare = root.tag_ == "NN" and len(root) > 1 and not determined
        names = [" it is", " the answer is"]
        return names[1:] if several or bare or "=" in self.words.text else names

    def _stop(self) -> list[Edit]:
        """A full stop, where the sentence has none."""
        end = self.sentence.end
        if self.words[-1].text in ",;:" and not self.text[end:].strip():
            return [(end - 1, end, ".")]
        if re.search(r"[.!?…:;][\"'”’)*_]*$", self.text[self.sentence.start : end]):
            return []
        while end < len(self.text) and self.text[end] in "*_`":
            end += 1
        return [(end, end, ".")] if not self.text[end:].strip() else []


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


def _lead(words: "Span", noted: "Token | None") -> int:
    """Tokens in front of a sentence that stay before a hedge: *yes*, *oh*, *however*, "it is worth noting that"."""
    tokens = list(words)
    if noted is not None:
        return noted.left_edge.i + 1 - words.start
    leads = tokens[0].lower_ in _LEADS or tokens[0].tag_ == "UH"
    if len(tokens) > 3 and leads and tokens[1].text in (",", "."):
        return 2
    return int(len(tokens) > 3 and tokens[0].lower_ in _CONJUNCTIONS)


def _edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after some edits, none of which overlap."""
    parts, last = [], 0
    for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[last:start], new]
        last = end
    return "".join([*parts, text[last:]])
