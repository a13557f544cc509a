"""Sentences of an answer: which of them claim something about the world.

Only a claim can be doubted. The parse tells: a claim has a finite verb and a subject that is neither the speaker nor
the conversation. Questions, requests, thanks, apologies, refusals, offers and remarks on the answer itself claim
nothing.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ralc.english.hedges.cues import REMARK, Cue, read_ahead, read_cues, tokenise
from ralc.english.hedges.main_clause import clause_marks, contrary_verb, joined_verbs
from ralc.english.hedges.parse import (
    BE,
    FINITE,
    finite_verb,
    is_mine,
    named_subject,
    parse,
    parse_all,
    subject_of,
    text_of,
)
from ralc.english.hedges.verb_forms import base_form, participle_of
from ralc.english.negation import abstains, denies_background
from ralc.english.readable_text import TextSpan, is_english, text_spans
from ralc.english.wordlists import CLAUSE_MARKS, case_of, phrases, word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

Kind = Literal["claim", "phrase", "question", "request", "talk", "fragment", "foreign", "hedge"]

#: The lines of a letter: who is addressed, what it is about, how it ends.
_LETTER = re.compile(
    r"^[^\w\n]*(?:subject:|(?:dear|hi|hello|hey) [^\n.!?]{1,40},\s*$"
    rf"|(?:{phrases('closing').pattern}),?\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
#: What only a letter has that is drafted: what it is about, a place for a name.
_DRAFTED = re.compile(r"^\W*subject:|\[[A-Z][^\]\n]{2,40}\](?!\()", re.IGNORECASE | re.MULTILINE)
#: What stands in code (`ralc.english.readable_text`).
_CODE = re.compile(r"\bX+\b")
#: Words of a phrase; what is longer is a sentence that the parser took for none.
_PHRASE = 15
#: What a phrase begins with that names a lack, and lacks nothing itself.
_LACK = re.compile(r"\W*(?:an? |the )?(?:lack|missing|absen|omi)", re.IGNORECASE)
#: Clauses inside a clause.
_INNER_CLAUSES = frozenset(
    ["advcl", "acl", "relcl", "ccomp", "csubj", "csubjpass", "amod", "compound", "punct"]
)
#: Tokens before which the verb of a short sentence stands.
_OPENING = 2
#: Tokens of what may open a sentence, to its comma: "In the Calvin cycle,".
_OPENER = 12
#: What says that an answer follows.
_LABEL = re.compile(
    r"(?:(?:the )?(?:(?:final|correct|short|best) )?(?:answer|solution|result|response)|in short|tl;dr):"
    r"\s+(?=\S)",
    re.IGNORECASE,
)
#: A reply that the parser takes for a number, "No. Section 4 bans pets.", or a letter for an initial, "It's C. Plants
#: need light."; and what vouches: "Believe me: it is old.".
_REPLY = re.compile(
    r"(?:Yes|No)\.\s+(?=[A-Z][a-z]+ (?:\d|[A-Z]\b))|(?:(?:Believe|Trust) me|I promise)[,:]\s+(?=\S)"
    r"|(?:Please n|N)ote that\s+(?=\w)"
    r"|(?:(?:It|That)(?:['’]s| is| must be| has to be)|Must be|Has to be|I['’]d say|I think it(?:['’]s| is)"
    r"|(?:I['’]d go|I['’]m going|Going) with) [A-J]\.\s+(?=[A-Z][a-z]+ (?!that\b|who\b)[a-z])"
)
#: What says that news follows: "Quick update: the gate is shut.", "Sorry, I was wrong: it is shut.".
_NEWS = re.compile(
    r"(?:\A|(?<=[.!?] ))(?:(?:quick )?(?:note|reminder|update)|fun fact|fyi|heads[- ]up"
    r"|(?:[^.,!?:]{1,20}[,.!] )?i (?:made an? \w+|was (?:wrong|mistaken)|misspoke)):\s+(?=\S)",
    re.IGNORECASE,
)
#: A label before a sentence of three words or more.
_SENTENCE_LABEL = re.compile(r"[A-Z][^.:!?\n]{1,40}:\s+(?=[A-Z]\S*(?: \S+)+ \S+[.!]\W*\Z)")
#: A label before what is said, or what is said before a list.
_LABELLED = re.compile(r"\A(?:[^(:–—]|\([^()]{0,60}\)){1,60}(?::| [-–—]) |:\W*\Z")
#: Where something was read: "Source: the atlas.".
_SOURCE = re.compile(r"(?:sources?|references?|see also|via):\s", re.IGNORECASE)
#: An item of a list that says what it is: "Capital: Lima".
_ITEM = re.compile(r"[^:\n]{2,40}: +\S")
_HELLO = r"good (?:morning|afternoon|evening|day|night)|he(?:llo|y+a?)|hi(?:ya)?|howdy|yo"
#: A greeting, and what answers one or an order: "Good morning, and welcome.", "Dear customer,".
_GREETING = re.compile(
    rf"(?:{_HELLO}|dear(?= [^.]*,$)|cheers|greetings|noted|thanks(?! to)|welcome"
    r"|(?:so )?(?:glad|good|great|lovely|nice|pleased) to (?:\w+ )?(?:have|hear|meet|see))\b[^.\n]{0,40}[.,!]?",
    re.IGNORECASE,
)
#: A greeting that a picture ends, or a comma, and an apology: "hey there 👋 it is open.", "Hi Ms Lee, it is open.".
_HAIL = re.compile(
    rf"\A\W{{0,5}}(?:{_HELLO})\b(?: \w+)?\W{{0,3}}[^\w\s!-/:-@‘’“”–—-]\W{{0,5}}\s(?=\w)"
    rf"|\A(?:(?:{_HELLO}|dear|thanks(?! to)|welcome(?: back)?)"
    r"(?:,? (?:for asking|(?:(?:m(?:r|s|rs)|dr)\.? )?\w+(?: \w+)?))?"
    r"|(?:oh, )?(?:(?:(?:I['’]m|I am|we['’]re|we are) )?(?:so |very )?sorry|(?:we|I) apologi[sz]e|"
    r"(?:my |our )?apologies)(?: (?:for|if) [^,.!?\n]{1,60})?(?!, (?:but )?(?:I|we|that)\b))"
    r"[,!](?: but)?\s(?!thank|an? )(?=(?:\w+\W+){2}\w)",
    re.IGNORECASE,
)
#: A choice's letter that ends a sentence, to the parser an initial: "The answer is B. I doubt that this is right."
_LETTER_STOP = re.compile(
    rf"(?:^|\b(?:is|type|answer|option|choice)\W+|:\W+)[A-J]\)?\.(?=\s+(?P<remark>{REMARK}))"
)
#: Behind a time of day, a unit or *etc.* a word that begins a sentence, and names no zone: "at 7 p.m. Anything else?",
#: "It takes 240 V. Using less does no harm.".
_ABBREVIATION_STOP = re.compile(
    r"(?:\b(?:[ap]\.m|etc)|(?<=\d )[A-Z])\.\s+"
    r"(?P<remark>(?!Atlantic|Central|Eastern|Mountain|Pacific|Standard)[A-Z]\w*)"
)
#: Behind an answer, how sure its speaker is: a sentence by itself, so that neither is parsed anew beside the other.
#: Behind a footnote's mark, which the parser takes for a part of the word, another sentence: "It is old.¹ It is red."
_REMARK_BEHIND = re.compile(
    rf"(?:(?<=[.!?])\s+(?={REMARK}[^.!?\n]{{0,80}}\.\s*\Z)|[.!?][¹²³⁰⁴-⁹]+\s+(?=[A-Z]))(?P<remark>)"
)
_EQUATION = re.compile(r"=|\\\[")
_SUM = re.compile(r"\d[^\n=]{0,9}[-+*/×÷·][^\n=\w]{0,3}\d[^\n=]{0,40}=[^\n=\w]{0,3}\d")
#: What a result begins with.
_RESULT = re.compile(r"\W*(?:therefore|thus|hence|so|in conclusion)\b", re.IGNORECASE)
_STORY = re.compile(r"\bonce upon a time\b", re.IGNORECASE)


@dataclass(eq=False)
class Sentence:
    """A sentence of an answer: its kind, its parse, and the stretch of prose that it stands in.

    ``kind`` is ``hedge`` where it says how sure the speaker is of all of the answer, and nothing else. ``claims``:
    whether it claims something, so that a confidence is of it; a short answer that is no sentence does ("Paris").
    """

    kind: Kind
    words: "Span"
    stretch: TextSpan
    claims: bool = False

    @property
    def text(self) -> str:
        """Its text, with straight quotation marks."""
        return text_of(self.words)

    @property
    def start(self) -> int:
        """Where it begins in the answer, in characters."""
        return self.stretch.at[self.words.start_char]

    @property
    def end(self) -> int:
        """Where it ends in the answer, in characters."""
        return self.place(self.words[-1], end=True)

    @property
    def reasons(self) -> bool:
        """Whether it is a step towards an answer: "We need to find the height.", "Let's count them."."""
        subject = subject_of(self.words.root)
        told = _has(("know",), self.words)  # "Let me know what you need."
        ours = (_has(("let",), self.words) and not told) or (subject is not None and subject.lower_ == "we")
        return ours and _has(word_list("reasoning"), self.words)

    @property
    def supposes(self) -> bool:
        """Whether it says what may or should be: "He may have a cold.", "You should rest."."""
        # The first finite verb, not the root: "Illness: he may have a cold."
        verbs = [token for token in self.words if token.tag_ in FINITE]
        said = filter(None, (*verbs[:1], finite_verb(self.words.root)))
        return _has(("may", "might", "could", "should"), said)

    @property
    def promises(self) -> bool:
        """Whether it tells what follows from what it asks for: "Click it, and we will email a link."."""
        return self.kind == "claim" and self.words.root.tag_ == "VB" and subject_of(self.words.root) is None

    @property
    def states(self) -> bool:
        """Whether it is a whole sentence by itself: "Rome is old.", but not "Rome: it is old", "Bake it."."""
        whole = finite_verb(self.words.root) is not None and subject_of(self.words.root) is not None
        return whole and _LABELLED.search(self.text) is None

    @property
    def assents(self) -> bool:
        """Whether it is a reply in front of others, which says nothing of how sure they are: "Sure!", "Of course."."""
        said = "_".join(token.lower_ for token in self.words if token.is_alpha)
        return said in word_list("assent_replies") and self.words[-1].text in ".!"

    @property
    def refuses(self) -> bool:
        """Whether it only says what the speaker does not do: "I'm not able to prescribe drugs."."""
        cues = read_cues(self.text) if self.kind == "talk" else ()
        return any(cue.name == "abstention" for cue in cues) and self.abstention in ("", "refusal")

    @property
    def addresses(self) -> bool:
        """Whether it only says what the hearer may think: "You may be wrong.", "I realize that it may confuse you."."""
        if self.kind != "talk":
            return False
        subject = named_subject(self.words.root)
        granted = self.words.root.lower_ in word_list("granting")
        return granted or (subject is not None and subject.lower_ == "you")

    @property
    def of_whole(self) -> bool:
        """Whether it says how sure the speaker is of all of the others: "Most of this is probably right."."""
        if self.kind != "hedge":
            return False
        hedges = [range(*cue.span) for cue in read_cues(self.text)]  # "some chance", "most likely"
        told = (one for one in self.words if not any(one.idx - self.words.start_char in at for at in hedges))
        return _has(word_list("of_whole"), told)

    @property
    def declines(self) -> bool:
        """Whether it refuses to answer: "I can't help with that."."""
        return not self.claims and phrases("refusal").match(self.text) is not None

    @property
    def abstention(self) -> Literal["", "refusal", "not told", "unknown"]:
        """Whether it refuses to answer, or says that the answer is not known, or not told; conditions say of nobody.

        Of a sentence its main clause must say so, of the speaker or a source: "missing values become zero" does not.
        """
        if self.declines:
            return "refusal"
        text = phrases("condition").sub("", self.text)
        if not any(map(str.isalnum, text)) or not abstains(text) or not self._lacks_answer():
            return ""
        return "not told" if denies_background(text) else "unknown"

    def _lacks_answer(self) -> bool:
        """Whether what is not known or told is what its main clause says, and all that it says."""
        verb = finite_verb(self.words.root)
        text = self.text
        if verb is None:  # "Lack of iron" names something
            return not _LACK.match(text) and len(self.words) <= _PHRASE
        said = [verb, *_main_words(self.words.root)]
        if any(token.dep_ == "conj" and finite_verb(token) is not None for token in said):
            return all(abstains(part.text) for part in _clauses(self.words))
        subject = named_subject(self.words.root)
        sources = word_list("sources", "answering") | {"information"}
        if subject is not None and subject.lower_ not in sources and not denies_background(text):
            return False  # "The author of the poem is unknown."
        told = verb.lower_ in BE or subject is None
        if not told and subject.lower_ not in word_list("sources") | {"information"}:
            return False  # "The study found no information on children."
        places = {token.i for token in said if not any(map(_is_known_as, token.children))}
        kinds = ("not_known", "untold", "ungiven")
        matches = (match for kind in kinds for match in phrases(kind).finditer(text))
        spans = (
            self.words.char_span(match.end() - 1, match.end(), alignment_mode="expand") for match in matches
        )
        return any(span is not None and span[0].i in places for span in spans)

    def place(self, token: "Token", *, end: bool = False) -> int:
        """Return where one of its tokens begins, or ends, in the answer, in characters."""
        return self.stretch.at[token.idx + len(token) - 1] + 1 if end else self.stretch.at[token.idx]


@lru_cache(maxsize=2_500)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of an answer's prose, in order; a story, and a letter that is drafted, has none.

    A letter is drafted where something stands before it, or a subject, or a place for a name. Any other is an answer.

    >>> parts = sentences("Great question! The capital is Rome. I could be wrong. Do you want more?")
    >>> [(sentence.kind, sentence.claims) for sentence in parts]
    [('talk', False), ('claim', True), ('hedge', False), ('question', False)]
    """
    drafted = is_letter(text) and (not _LETTER.match(text) or _DRAFTED.search(text))
    end = _LETTER.search(text).start() if drafted else len(text)
    last = 0 if _STORY.search(text) else end
    spans = [span for span in _unlabelled(text) if span.at[-1] <= last]
    parse_all(span.words for span in spans)
    parts = [
        Sentence(kind, words, span) for span in spans for kind, words in _kinds(span.words, lone=span.lone)
    ]
    hedges = [
        one
        for one in parts
        if only_hedges(one.text)
        and not one.text.startswith(('"', "You"))
        and one.words[-1].text not in ("!", ":")
    ]
    for one in hedges if len(hedges) < len(parts) else ():
        one.kind = "hedge"
    alone = all(one.kind in ("talk", "phrase") for one in parts)  # "We offer two plans:", and their names
    for at, one in enumerate(parts):
        if one.kind != "talk" or one.words[-1].text != ":":
            continue
        later = parts[at + 1 : at + 2]
        behind = text[one.end : later[0].start if later else len(text)]
        # "The colours are:", before a list of names
        lists = alone or _has(word_list("listing"), one.words[-2:-1])
        lists = lists and [part.kind for part in later] == ["phrase"]
        if lists or any(map(str.isalpha, behind)):
            _take_ahead(one, alone=alone and lists)
    for at, one in enumerate(parts[:-1]):  # "No, that's a myth."
        claimed = any(later.kind in ("claim", "phrase") for later in parts[at + 1 :])
        if one.kind in ("claim", "phrase") and claimed and _leads_in(one.text.strip()):
            one.kind = "talk"
    for one in parts if any(one.kind == "claim" and not one.promises for one in parts) else ():
        one.kind = "request" if one.promises else one.kind
    short = {one.kind for one in parts} <= {"phrase", "talk", "hedge"}
    named = [one for one in parts if short and one.kind == "phrase"]
    lone = [one for one in named if one.stretch.lone]
    # "Here is what our hotel has:", but not "Here are some names:"
    led = parts and parts[0].words[-1].text == ":" and _has(word_list("definite"), parts[0].words)
    listed = named if led or all(_ITEM.match(one.text) for one in named) else []
    for one in [*(one for one in parts if one.kind == "claim"), *(lone[:1] or listed)]:
        one.claims = True
    return tuple(parts)


@lru_cache(maxsize=2_500)
def _leads_in(text: str) -> bool:
    """Whether a sentence before a claim claims nothing of its own."""
    kinds = ("verdict", "admission", "announcement", "surprise", "verse")
    return any(phrases(kind).fullmatch(text) for kind in kinds)


def is_derivation(text: str, question: str = "") -> bool:
    """Return whether an answer works its last claim out, so that it is the result, and the others are steps to it.

    Two signs tell: an equation outside code, one of numbers, what we do next or are to prove, and what follows.

    >>> is_derivation("Let's count them. One is red. So it is one."), is_derivation("It is old. So it is red.")
    (True, False)
    """
    parts = sentences(text)
    concludes = any(one.claims and _RESULT.match(one.text) for one in parts)
    equates = any(map(_EQUATION.search, text.split("```")[::2]))
    computes = any(one.claims and _SUM.search(one.text) for one in parts)
    reasons = any(one.reasons for one in parts) or "prove" in question.lower().split()
    return sum((concludes, equates, computes, reasons)) > 1


def is_letter(text: str) -> bool:
    """Return whether a text has two lines of a letter: who is addressed, what it is about, how it ends."""
    return len(_LETTER.findall(text)) > 1


def _take_ahead(one: Sentence, *, alone: bool) -> None:
    """Take what leads to code or a list for a claim, without its colon, where it would be one: "It broke by this:".

    Where it is all that may claim, it may speak of us.
    """
    words = one.words[:-1]
    speaks = not alone and any(word.lower_ in ("i", "we", "you") for word in words)
    kinds = _kinds(f"{words.text}.", lone=one.stretch.lone) if len(words) and not speaks else ()
    if [kind for kind, _ in kinds] == ["claim"]:
        one.kind, one.words = "claim", words


@lru_cache(maxsize=2_500)
def _unlabelled(text: str) -> tuple[TextSpan, ...]:
    """The stretches of prose of an answer, cut behind a label ("Answer:") and a stop that the parser may not see."""
    found: list[TextSpan] = []
    for span in text_spans(text):
        starts = _cuts(span.words, bold=text.endswith(("**", "__"), 0, span.at[0]))
        for start, end in pairwise(starts):
            words = span.words[start:end].rstrip() if end < len(span.words) else span.words[start:]
            found.append(TextSpan(words, span.at[start : start + len(words) + 1], lone=span.lone))
    return tuple(found)


@lru_cache(maxsize=2_500)
def _cuts(words: str, *, bold: bool) -> list[int]:
    """Where the parts of a stretch of prose begin, and where it ends; many wordings of an answer share a stretch.

    Behind bold type any label is one: "**Colour:** It is painted in orange.".
    """
    stops = (one for kind in (_ABBREVIATION_STOP, _REMARK_BEHIND) for one in kind.finditer(words))
    label = _LABEL.match(words) or _HAIL.match(words) or (bold and _SENTENCE_LABEL.match(words))
    labels = [one for one in (label, _REPLY.match(words), *_NEWS.finditer(words)) if one]
    starts = {0, *(one.start("remark") for one in stops), *(place for one in labels for place in one.span())}
    return [*sorted(starts), len(words)]


def parse_ahead(texts: Iterable[str], *, cues_alone: bool = False) -> None:
    """Parse, in one batch, what `sentences`, or `read_cues` alone, asks of some texts: one by one takes much longer."""
    if not cues_alone:
        spans = [span.words for text in texts for span in _unlabelled(text)]
        parse_all(spans)
        texts = (text_of(words) for span in spans for words in _split(span))
    read_ahead(texts)


def claiming_sentences(text: str) -> list[Sentence]:
    """Return the sentences of an answer that claim something, each with a confidence of its own."""
    return [sentence for sentence in sentences(text) if sentence.claims]


@lru_cache(maxsize=2_500)
def only_hedges(text: str) -> bool:
    """Return whether a text says how sure its speaker is, and nothing else, as of what a document lacks."""
    cues = [cue for cue in read_cues(text) if cue.name != "firm_abstention"]
    covered = {place for cue in cues for place in range(cue.start, cue.end)}
    rest = {token.text for place, token in enumerate(tokenise(text)) if place not in covered}
    return bool(cues) and rest <= word_list("idle") | CLAUSE_MARKS


def is_extent(cue: Cue) -> bool:
    """Return whether a cue says how far a claim goes, which is of the matter: "mostly", "in most cases"."""
    return not word_list("extents").isdisjoint(cue.expression.split())


def _main_words(root: "Token") -> "Iterator[Token]":
    """The words of a main clause, without the clauses that are in it."""
    yield root
    for child in root.children:
        if child.dep_ not in _INNER_CLAUSES:
            yield from _main_words(child) if child.dep_ not in ("conj", "prep", "agent") else (child,)


def _is_known_as(word: "Token") -> bool:
    """Whether a word says as, for or to whom something is known."""
    return word.dep_ in ("prep", "agent") and word.lower_ in ("as", "for", "to", "by")


def _clauses(words: "Span") -> "Iterator[Span]":
    """The main clauses of a sentence: that of its root, and those joined to it."""
    joined = [one for one in words.root.children if one.dep_ == "conj" and finite_verb(one) is not None]
    starts = [words.start, *(one.left_edge.i for one in joined), words.end]
    return (words.doc[start:end] for start, end in pairwise(starts))


@lru_cache(maxsize=2_500)
def _split(text: str) -> "tuple[Span, ...]":
    """Sentences as the parser cuts them, but none begins small, or inside "p.A"."""
    doc = parse(text)
    behind = (span for span in [*doc.sents][1:] if not span[0].is_lower and doc[span.start - 1].whitespace_)
    letters = (
        doc.char_span(*stop.span("remark"), alignment_mode="expand")
        for stop in _LETTER_STOP.finditer(doc.text)
    )
    starts = sorted({0, *(span.start for span in (*behind, *letters) if span is not None)})
    return tuple(doc[start:end] for start, end in pairwise([*starts, len(doc)]) if end)


@lru_cache(maxsize=2_500)
def _kinds(text: str, *, lone: bool) -> "tuple[tuple[Kind, Span], ...]":
    """The sentences of a stretch of prose, each with its kind."""
    return tuple((_kind_of(words, lone=lone), words) for words in _split(text))


def _kind_of(words: "Span", *, lone: bool) -> Kind:
    """The kind of a sentence, by its marks, then by its verb and subject; `lone`: whether it is of no list."""
    text = text_of(words).strip()
    if not text:
        return "fragment"
    if not is_english(text):
        return "foreign"
    if text.rstrip(")\"'”’").endswith("?"):
        return "question"
    if text.rstrip(".!").lower() in word_list("replies") or (len(text) == 1 and text.isalnum()):
        return "phrase"
    root = words.root
    if _SOURCE.match(text) or (root.lower_ == "thank" and _has(("you",), root.subtree)):
        return "talk"
    verb, subject = finite_verb(root), subject_of(root)
    # not "Many owls roost in barns."
    if words[0].lower_ not in word_list("quantities") | {"according"} and _is_request(words):
        # "Click it, and we will email you a link.", "It is closed, so please call back."
        told = [one for one in joined_verbs(root) if _has(("we",), one.children) or one.i < root.i]
        told = [one for one in told if not _has(("i", "you"), one.children)]
        courteous = any(_has(word_list("courtesy") | {"help"}, (one, *one.children)) for one in told)
        return "claim" if told and not courteous else "request"
    if (verb is None or subject is None) and _misses_verb(words):
        return "claim"
    if verb is None:
        # Code hides its verb as a name does: "Use `df -h`."
        if _CODE.search(text) and _is_request(next(parse(_CODE.sub("it", text)).sents)):
            return "request"
        has_verb = any(token.tag_ in FINITE for token in words)  # "No, because it is wet."
        # "Oh well.", "No, thanks.", but not "Yes, for up to a month."
        interjects = words[0].tag_ == "UH" and (words[0].lower_ not in word_list("replies") or len(words) < 5)
        called = (
            text.endswith(("!", ":"))
            or _GREETING.fullmatch(text) is not None
            or (interjects and not (has_verb or "=" in text))
        )
        # "Good point.", but not "2 km at its deepest point."
        praises = word_list("praise") - word_list("talk_nouns")
        praise = _has(word_list("talk_nouns"), words) and _has(praises, words)
        return "talk" if called or praise else "phrase"
    asks = words[0].tag_ in ("WRB", "WP")
    likened = words[0].lower_ != "as" and "as" in clause_marks(root.children)
    if (asks and (text[0].islower() or words[0].head == root)) or likened:
        return "phrase"  # "How it flies", "where a is old and b is new", "9 km as the crow flies"
    if _is_talk(words, root, subject):
        return "talk"
    counts = subject is not None and any(child.dep_ in ("det", "prep") for child in subject.children)
    joined = not text.endswith(".") or root.lower_ in BE
    large = subject is not None and subject.pos_ == "ADJ" and joined and not counts
    # An adjective that stands for who has it: "Each female lays eggs."
    headed = text.endswith(".") and root.tag_ in ("VBD", "VBZ") and root.i > words.start
    if len(words) == 2 and words[0].pos_ != "PRON" and words[1].lower_.endswith("s"):
        return "phrase"  # "Bus stops"
    return "phrase" if (subject is None and not headed) or large else "claim"


def _misses_verb(words: "Span") -> bool:
    """Whether the parser took the verb of a sentence for a noun: "Vinegar *damages* marble."."""
    if words[-1].text != ".":
        return False
    listed = any(
        token.lower_ in word_list("noun_verbs")
        and before.tag_.startswith(("JJ", "NN", "VB"))
        and after.is_alpha
        and after.tag_ not in ("IN", "CC")
        for before, token, after in zip(words, words[1:], words[2:], strict=False)
    )
    # "The ice melts, and the sea rises."
    behind = (one for child in words.root.conjuncts for one in child.children)
    ruled = any(one.dep_ == "nsubj" and one.pos_ == "NOUN" for one in behind)
    return listed or ruled or any(map(_agree, words, words[1:], words[2:])) or _is_clause(words)


def _agree(noun: "Token", verb: "Token", behind: "Token") -> bool:
    """Whether a word is in the form of a verb of the noun before it, as no modifier is: "Terraces slow erosion."."""
    may_be = verb.is_lower and verb.tag_.startswith(("NN", "VB", "JJ")) and behind.is_alpha
    if not may_be or behind.tag_ in ("CC", "TO", "VBN", "WDT"):
        return False
    first = _start(noun)
    base = _singular(verb.lower_)
    # "Ribosomes build proteins."
    unlisted = noun.lower_.endswith("s") and case_of(noun.lower_) == "unknown" and base is None
    several = unlisted or _singular(noun.lower_) is not None
    if several:
        base = None if base else verb.lower_
    if base is None or participle_of(base) is None:
        return False
    # "A layer of cells forms at the base.", "Some birds nest in chimneys.", "Turtles nest on beaches."
    if several and (noun == first or first.lower_ in word_list("quantities")):
        return noun == first or noun.tag_.startswith("NN")
    # behind "the" also "enzyme RuBisCO fixes"
    place = noun.i - first.i
    if place > _OPENING - (first.lower_ != "the" or noun.is_lower != noun.is_upper):
        return False
    if behind.tag_ == "IN":
        return False
    # No determiner stands behind a noun.
    return several or noun.tag_.startswith("NN") or behind.tag_ in ("DT", "PRP$")


def _start(noun: "Token") -> "Token":
    """The first word of the sentence of a noun, or the one behind "In the cycle,"."""
    first = noun.sent[0]
    commas = (token for token in noun.sent[:_OPENER] if token.text == "," and token.i < noun.i)
    return next((comma.nbor() for comma in commas if first.tag_ == "IN"), first)


def _singular(noun: str) -> str | None:
    """The singular of a noun; None where it is none of several."""
    return base_form(noun) if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else None


def _is_clause(words: "Span") -> bool:
    """Whether some words are a sentence to the parser behind "I believe that": "Terraces slow erosion."."""
    if len(words) < 4 or not words[0].is_alpha:
        return False
    root = next(parse(f"I believe that {words.text[0].lower()}{words.text[1:]}").sents).root
    clause = next((child for child in root.children if child.dep_ == "ccomp"), None)
    subject = named_subject(clause) if clause is not None else None
    return subject is not None and subject.pos_ in ("NOUN", "PROPN") and clause.tag_.startswith("VB")


def _is_request(words: "Span") -> bool:
    """Whether a sentence asks or advises somebody to do something."""
    root, subject = words.root, named_subject(words.root)
    if _has(("please",), words):
        return True
    if subject is None:
        # "HTTP 404", "Nguyễn"
        term = words[0].is_upper or not (words[0].is_alpha or words[0].is_punct) or not words[0].is_ascii
        noun = words[0].text.endswith("s")  # "Ribosomes build proteins."
        unlisted = (term or noun or len(words) == 1) and case_of(words[0].text) not in ("small", "both")
        # "Blot the stain, cover it with salt.": an article stands behind no noun.
        acts = len(words) > 1 and words[1].tag_ == "DT" and case_of(words[0].text) == "small"
        named = (words[0].pos_ in ("DET", "PROPN") and not acts) or unlisted
        # "To save fuel.", "In spring, to protect the nests."
        plain = root.tag_ in ("VB", "VBP") and root.pos_ != "AUX" and not _has(("to",), root.lefts)
        return plain and not named
    if subject.lower_ == "it" and _has(word_list("needed"), root.children):
        acts = [one for one in root.subtree if one.tag_ == "VB"]
        # "It is important to rest.", but not "It is important to note that it is old."
        return bool(acts) and acts[0].lower_ not in ("know", "note", "recognize", "remember", "understand")
    tries = root.lower_ in word_list("suggested") or any(one.dep_ == "xcomp" for one in root.children)
    can = _has(("can",), root.children) and not tries
    if subject.lower_ != "you" or can or contrary_verb(root) is not None:
        return False
    if root.lower_ in ("find", "see") and _has(("will", "'ll"), root.children):
        return False  # "You will find it in Florence."
    holds = root.lower_ == "need" or (root.lower_ == "have" and _has(("must",), root.children))
    if holds and any(child.dep_ == "dobj" for child in root.children):
        return False  # "You need the Pro plan."
    if root.lower_ == "be" and any(child.dep_ == "attr" for child in root.children):
        return False  # "You must be at least 18."
    # "You may call us.", but not "You find it in Florence."
    told = root.lower_ in word_list("instructed", "suggested") and finite_verb(root) != root
    return told or _has(word_list("advice"), (root, *root.children))


def _has(listed: Iterable[str], tokens: "Iterable[Token]") -> bool:
    """Whether one of some words is listed."""
    return any(token.lower_ in listed for token in tokens)


def _is_talk(words: "Span", root: "Token", subject: "Token | None") -> bool:
    """Whether a sentence speaks of the conversation, the answer or the speaker, and not of the world."""
    text = text_of(words).rstrip()
    if text.endswith(":") or words[0].lower_ in word_list("deictic") | word_list("struck"):
        return True
    told = [child for child in root.children if child.dep_ in ("attr", "acomp")]
    if text.endswith("!") and phrases("encouragement").search(text):
        return True
    if text.endswith("!") and _has(
        word_list("praise"), (words[0], *told, *(one for noun in told for one in noun.children))
    ):
        return True  # "Great minds think alike!", "Octopuses are remarkable animals!"
    if subject is None:
        return False
    nouns = [child for child in root.children if child.dep_ in ("attr", "acomp", "dobj")]
    if _has(("me",), nouns) and not _is_clause_of(root):
        return True  # "OpenAI trained me."
    if subject.lower_ == "we":
        courteous = _has(word_list("we_speak") | word_list("courtesy"), (root, *root.children))
        courteous = courteous or (root.lower_ in word_list("in_touch") and _has(("you",), root.subtree))
        # "First, we'll install it.", but not "We will refund it."
        plans = words[0].lower_ in word_list("planning") and _has(("'ll", "can"), root.children)
        steps = root.lower_ in word_list("reasoning") and not _has(("not", "n't"), root.children)
        return not _holds(root) and (courteous or plans or steps)
    if _has(("our",), subject.children):  # "Our office hours are 9 to 5."
        return subject.lower_ in word_list("talk_nouns")
    before = words.doc[max(subject.i - 1, 0)]
    regnal = before.pos_ == "PROPN" and before.dep_ in ("compound", "npadvmod")  # "Elizabeth I was crowned."
    if (subject.lower_ == "i" and not regnal) or is_mine(subject):
        holds = _holds(root) or contrary_verb(root) is not None
        return not (holds or (is_mine(subject) and subject.lower_ in word_list("answering")))
    if subject.lower_ == "you" or _has(("your",), subject.children):
        praised = subject.lower_ == "you" and _has(word_list("praise"), nouns)
        return (praised or root.lower_ in word_list("meant")) and contrary_verb(root) is None
    if subject.lower_ == "this" and root.lower_ == "assumes":
        return True  # of its own estimate
    if subject.lower_ not in word_list("demonstratives"):
        told = subject.lower_ in word_list("answering") and any(one.dep_ == "attr" for one in root.children)
        points = _has(word_list("deictic") | {"following"}, words)
        return points and not told and subject.lower_ in word_list("talk_nouns")
    if subject.lower_ == "that" and _has(word_list("sympathy"), nouns):
        return not _has(("but",), words) or phrases("consoling").search(text) is not None
    acts = subject.lower_ in ("it", "this") and root.lower_ not in ("answer", "answers", "help", "helps")
    done = acts and any(child.dep_ == "dobj" for child in nouns)  # "It returns a list."
    done = (
        done or contrary_verb(root) is not None or (acts and _is_clause_of(root))
    )  # "It is right that Ann won."
    return not done and _has(word_list("talk_nouns") | word_list("praise"), nouns)


def _is_clause_of(root: "Token") -> bool:
    """Whether a verb, or what is said by it, has a clause of its own that is not about the hearer or the speaker."""
    clauses = (
        word
        for word in root.subtree
        if word.dep_ in ("ccomp", "csubj") and word.head in (root, *root.children)
    )
    return any(not _has(("i", "you", "we"), clause.children) for clause in clauses)


def _holds(verb: "Token") -> bool:
    """Whether a speaker's verb says how sure he is of what follows: "I think that", "I am sure", "I would say"."""
    if verb.lower_ in BE or verb.lower_ == "have":
        return _has(word_list("sure"), verb.subtree)
    clause = any(child.dep_ in ("ccomp", "xcomp", "advcl") or names_claim(child) for child in verb.children)
    return verb.lower_ in word_list("holds") and clause


def names_claim(word: "Token") -> bool:
    """Return whether a word is what a speaker names: "I think Paris", "I'd say about 40 km"."""
    counted = any(child.dep_ == "nummod" for child in word.children)
    return word.dep_ in ("dobj", "attr", "npadvmod") and (counted or word.pos_ in ("PROPN", "NUM"))
