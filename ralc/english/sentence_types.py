"""Sentence types: only what claims something about the world can be doubted.

Told by the parse: a claim has a finite verb and a subject that is neither the speaker nor the conversation. Questions,
requests, thanks, apologies, refusals, offers and what is said of the answer itself claim nothing. A request for a piece
of writing is answered by one, which claims nothing either.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ralc.english.language_check import is_english
from ralc.english.markdown_text import TextSpan, text_spans
from ralc.english.normalisation import set_of
from ralc.english.parse import (
    FINITE,
    finite_verb,
    is_mine,
    named_subject,
    parse,
    parse_all,
    subject_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Kind = Literal["claim", "phrase", "question", "request", "talk", "quotation", "fragment", "foreign"]

#: What answers by itself, as a phrase does.
REPLIES = set_of("yes no")
_ADVICE = set_of("should could need want 'd better consider try must remember")
_INSTRUCTED = set_of("check find book visit use ask call contact see look reach")
_LONGEST_NAME = 4  # words
_ASKS = set_of("let remember note make")
#: The lines of a letter: who is addressed, what it is about, how it ends.
_LETTER = re.compile(
    r"^[^\w\n]*(?:subject:|(?:dear|hi|hello|hey) [^\n.!?]{1,40},\s*$"
    r"|(?:(?:yours )?(?:sincerely|faithfully|truly)|(?:(?:kind|best|warm) )?(?:regards|wishes)|love"
    r"|cheers|best),?\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
#: What stands in code (`ralc.english.markdown_text`).
_CODE = re.compile(r"\bX+\b")
_STORY = re.compile(r"\bonce upon a time\b", re.IGNORECASE)
#: Quotation marks around a whole sentence, and no others in it.
_QUOTED = re.compile(r"[\"'“‘][^\"“”]*[\"'”’][.,!]*", re.DOTALL)


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer: its kind, its parse, and the stretch of prose that it stands in."""

    kind: Kind
    words: "Span"
    stretch: TextSpan

    @property
    def text(self) -> str:
        """What it says, as it is written, without Markdown."""
        return self.stretch.words[self.words.start_char : self.words.end_char]

    @property
    def start(self) -> int:
        """Where it begins in the answer, in characters."""
        return self.stretch.at[self.words.start_char]

    @property
    def end(self) -> int:
        """Where it ends in the answer, in characters."""
        last = self.words.end_char
        return self.stretch.at[last - 1] + 1 if last else self.start


@lru_cache(maxsize=5_000)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer's prose, in order.

    >>> [sentence.kind for sentence in sentences("Great question! The capital is Rome. Do you want more?")]
    ['talk', 'claim', 'question']
    """
    prose = _spoken(text)
    parses = parse_all(stretch.words for stretch in prose)
    return tuple(
        Sentence(kind_of(words, lone=stretch.lone), words, stretch)
        for stretch, doc in zip(prose, parses, strict=True)
        for words in _split(list(doc.sents))
    )


def parse_ahead(texts: Iterable[str]) -> None:
    """Parse, in one batch, the prose of some texts: one by one their sentences take several times as long."""
    parse_all(stretch.words for text in texts for stretch in text_spans(text))


def _spoken(text: str) -> list[TextSpan]:
    """The stretches of prose of an answer that the speaker says: none of a story, nor of a letter he drafts."""
    letter = [match.start() for match in _LETTER.finditer(text)]
    end = 0 if _STORY.search(text) else letter[0] if len(letter) > 1 else len(text)
    return [stretch for stretch in text_spans(text) if stretch.at[-1] <= end]


def hedged_sentence(text: str) -> Sentence | None:
    """Return the sentence of an answer that takes the hedge: the first claim, or the first phrase of a short answer."""
    found = sentences(text)
    claim = next((sentence for sentence in found if sentence.kind == "claim"), None)
    if claim or any(sentence.kind not in ("phrase", "talk") for sentence in found):
        return claim
    return next((sentence for sentence in found if sentence.kind == "phrase" and sentence.stretch.lone), None)


def _split(found: "list[Span]") -> "Iterator[Span]":
    """Sentences as the parser cuts them, but none begins small, or inside "p.A"; a label ("Cost: ...") is one."""
    doc = found[0].doc if found else ()
    behind = (span for span in found[1:] if not span[0].is_lower and doc[span.start - 1].whitespace_)
    starts = [span.start for span in (*found[:1], *behind)]
    for start, end in pairwise([*starts, len(doc)]):
        label = _label(doc[start:end])
        if label:
            yield doc[start : start + label]
        yield doc[start + label : end]


def _label(words: "Span") -> int:
    """Tokens of a label in front of a sentence: a few words without a verb, and a colon."""
    colon = next((place for place, token in enumerate(words[:8]) if token.text == ":"), 0)
    if not colon or colon + 2 > len(words) or any(token.tag_ in FINITE for token in words[:colon]):
        return 0
    if words[colon - 1].lower_ == "answer":
        return colon + 1
    goes_on = words[colon + 1].is_lower or not any(token.tag_ in FINITE for token in words[colon + 1 :])
    return 0 if goes_on else colon + 1


def kind_of(words: "Span", *, lone: bool = True) -> Kind:
    """Return the kind of a sentence, by its parse; `lone`: whether it stands in a paragraph, and not in a list."""
    return _as_written(words) or _as_parsed(words, lone=lone)


def _as_written(words: "Span") -> Kind | None:
    """The kind of a sentence that its marks and letters tell; None where they do not."""
    text = words.text.strip()
    if not text:
        return "fragment"
    if not is_english(text):
        return "foreign"
    if text.rstrip(")\"'”’").endswith("?"):
        return "question"
    if _QUOTED.fullmatch(text) and not is_name(words):
        return "quotation"
    if text.rstrip(".!").lower() in REPLIES:
        return "phrase"
    return "phrase" if is_title(words) else None


def _as_parsed(words: "Span", *, lone: bool) -> Kind:
    """The kind of a sentence by its verb and subject."""
    root = words.root
    verb = finite_verb(root)
    if _is_request(words, root, verb):
        return "request"
    if verb is None:
        return "request" if _does_with_code(words) else "talk" if is_talk_phrase(words) else "phrase"
    if _is_led(words, root):
        return "phrase"
    if is_talk(words, root):
        return "talk"
    if words.text.strip()[0].islower() and not lone:
        return "fragment"
    subject = subject_of(root)
    return "phrase" if subject is None or subject.pos_ == "ADJ" else "claim"


def _is_led(words: "Span", root: "Token") -> bool:
    """Whether a word opens a sentence that makes a clause of it: "How it flies", "Because it is old"."""
    return words[0].head == root and (words[0].tag_ in ("WRB", "WP") or words[0].lower_ == "because")


def is_name(words: "Span") -> bool:
    """Return whether words are a few large ones: in quotation marks a name, and not what somebody said."""
    told = [token for token in words if token.is_alpha]
    return 0 < len(told) <= _LONGEST_NAME and all(token.text[0].isupper() for token in told)


def is_title(words: "Span") -> bool:
    """Return whether words are written as in a title: large but for the small ones, a verb among them."""
    told = [token for token in words if token.is_alpha and (len(token) > 3 or token.i == words.start)]
    verb = next((token for token in words if token.tag_ in FINITE), None)
    return len(words) > 1 and verb is not None and verb.is_title and all(token.is_title for token in told)


def _is_request(words: "Span", root: "Token", verb: "Token | None") -> bool:
    """Whether a sentence asks or advises somebody to do something."""
    subject = named_subject(root)
    if words[0].lower_ in _ASKS or any(token.lower_ == "please" for token in words):
        return True
    if subject is None:
        return root.tag_ in ("VB", "VBP") and root.pos_ != "AUX" and (verb is None or verb == root)
    advises = root.lower_ in _INSTRUCTED or any(token.lower_ in _ADVICE for token in (root, *root.children))
    return subject.lower_ == "you" and advises


def _does_with_code(words: "Span") -> bool:
    """Whether a sentence asks to do something with code, which hides its verb as a name does: "Use `df -h`."."""
    if not _CODE.search(words.text):
        return False
    called = next(parse(_CODE.sub("it", words.text)).sents)
    return _is_request(called, called.root, finite_verb(called.root))


#: Verbs by which the speaker says how sure he is of what follows; what he otherwise does is talk.
_HOLDS = set_of(
    "think thought believe guess suppose assume reckon suspect know expect imagine bet doubt figure presume find"
    " understand recall remember feel estimate tend inclined tempted"
)
_SURE = set_of(
    "sure certain confident positive convinced unsure uncertain guessing wrong mistaken confidence doubt"
    " impression inclined tempted"
)
#: What one says, and talks, about in a conversation.
_TALK = set_of(
    """
    question answer point idea help summary breakdown list table example examples overview version draft code guide
    outline explanation chat conversation message request response reply suggestion option apology apologies pleasure
    thanks problem worries rundown snippet steps tips script information advice news
    """
)
_PRAISE = set_of(
    "great good excellent wonderful fantastic interesting lovely glad happy sorry welcome right correct fair"
)
_MEANT = set_of("thinking asking referring looking mean")
_COMPLEMENTS = set_of("dobj ccomp xcomp")
_DEICTIC = set_of("here below above")
_THIS = set_of("this that it these those")
#: Exclamations: what follows tells how it strikes the speaker.
_STRUCK = set_of("wow ha haha ah aha ooh yay hooray phew")
_ANSWERING = set_of(
    "guess answer bet impression understanding estimate recollection belief memory opinion view"
)


def is_talk(words: "Span", root: "Token") -> bool:
    """Whether a sentence speaks of the conversation, the answer or the speaker, and not of the world."""
    if words.text.rstrip().endswith(":") or words[0].lower_ in _DEICTIC | _STRUCK:
        return True
    subject = subject_of(root)
    return subject is not None and _is_of_talk(subject, root, words)


def _is_of_talk(subject: "Token", root: "Token", words: "Span") -> bool:
    """Whether a sentence speaks of the conversation by its subject: the speaker, the other, or what was just said."""
    if subject.lower_ in ("i", "we") or is_mine(subject):
        return not (_holds(root) or (is_mine(subject) and subject.lower_ in _ANSWERING))
    if subject.lower_ == "you":
        return root.lower_ in _MEANT or not _PRAISE.isdisjoint(_said_of(root))
    if subject.lower_ in _THIS:
        return words.text.rstrip().endswith("!") or _is_of_answer(subject, root)
    return subject.lower_ in _TALK and any(token.lower_ in _DEICTIC | {"following"} for token in words)


def _is_of_answer(subject: "Token", root: "Token") -> bool:
    """Whether what is said of *this* is of the answer: "that helps", "this gives an overview", not "it helps them"."""
    if root.lower_ in ("helps", "help", "makes"):
        return all(child.lower_ in ("sense", "lot") for child in root.children if child.dep_ in _COMPLEMENTS)
    # "It returns a list" tells of a thing.
    done = subject.lower_ == "it" and any(child.dep_ == "dobj" for child in root.children)
    return not done and not (_TALK | _PRAISE).isdisjoint(_said_of(root))


def _said_of(root: "Token") -> set[str]:
    """What a verb says of its subject, small."""
    return {child.lower_ for child in root.children if child.dep_ in ("attr", "acomp", "dobj")}


def _holds(verb: "Token") -> bool:
    """Whether a speaker's verb says how sure he is of what follows: "I think that", "I am sure", "I would say"."""
    if verb.lower_ in _HOLDS | {"say"} and any(map(_is_name, verb.children)):
        return True
    if verb.lower_ == "guessing":
        return True
    if verb.lower_ == "say":
        return any(child.lower_ in ("would", "'d") for child in verb.children)
    if verb.lower_ in ("am", "'m", "be", "are", "'re", "have"):
        return any(child.lower_ in _SURE for child in verb.subtree)
    return verb.lower_ in _HOLDS and any(child.dep_ in ("ccomp", "xcomp", "advcl") for child in verb.children)


def _is_name(word: "Token") -> bool:
    """Whether a word is what a speaker names: "I think Paris", "I'd say about 40 km"."""
    counted = any(child.dep_ == "nummod" for child in word.children)
    return word.dep_ in ("dobj", "npadvmod") and (counted or word.pos_ in ("PROPN", "NUM"))


def is_talk_phrase(words: "Span") -> bool:
    """Whether what has no verb is a part of the conversation: "Great question!", "Sure thing!"."""
    return (
        words.text.rstrip().endswith(("!", ":"))
        or words[0].tag_ == "UH"
        or (
            not _TALK.isdisjoint(token.lower_ for token in words)
            and not _PRAISE.isdisjoint(t.lower_ for t in words)
        )
    )


#: What is written on order claims nothing: a story, a letter, the same in other words.
_ORDERED = re.compile(
    r"\s*(?:please |(?:can|could|would|will) you (?:please )?(?:help me (?:to )?)?)?"
    r"(?:(?:(?:write|compose|draft|structure|invent|make up|start|begin|continue|finish)\b[^.?!\n]{0,60}?\b"
    r"|an? (?:[\w-]+ ){0,3})"
    r"(?:story|tale|poem|haiku|limerick|verse|song|lyrics|letter|e-?mail|message|note|dialogue|scene|joke|riddle"
    r"|toast|speech|soliloquy|(?:movie|film|concert|book|product) review|podcast script"
    r"|script for an? [\w ]*(?:video|film))\b"
    r"|(?:translate|rephrase|paraphrase|proofread)\b"
    # What a conversation was about is said of the conversation.
    r"|(?:summari[sz]e|sum up|recap) (?:our|this|the) (?:whole )?(?:chat|conversation|discussion)\b"
    # So is what somebody else would say.
    r"|(?:pretend|picture yourself)\b|(?:imagine (?:that )?you(?: a|['’])re|if you were) an?\b"
    r"|(?:text|e-?mail|message) (?:my|our|the|her|him|them)\b|(?:continue|finish)(?: the text| this)?:)",
    re.IGNORECASE,
)


def orders_writing(question: str) -> bool:
    """Return whether a question asks for a piece of writing, which claims nothing: a poem, a letter, a translation.

    >>> orders_writing("Write a poem."), orders_writing("a two line poem on autumn"), orders_writing("Who wrote it?")
    (True, True, False)
    """
    return bool(_ORDERED.match(question))
