"""Where a hedge can stand in a sentence of an answer: before its clause, beside its verb, or behind it.

A place is a few edits of the answer: the hedge goes in, and the first word behind it is written small. Each byte
outside the sentence stays. A short answer that is no sentence is made one.
"""

import re
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from ralc.english.choice_letters import is_matching, states_choice
from ralc.english.hedges.cues import Cue, read_ahead, read_cues
from ralc.english.hedges.main_clause import (
    clause_marks,
    is_document,
    is_negative,
    joined_verbs,
    opening_of,
    reported_verb,
)
from ralc.english.hedges.parse import BE, FINITE, finite_verb, named_subject, subject_of
from ralc.english.hedges.sentence_types import Sentence, claiming_sentences, sentences
from ralc.english.hedges.verb_forms import infinitive_of, takes_plural
from ralc.english.normalisation import spell_out
from ralc.english.readable_text import prose, unread
from ralc.english.wordlists import case_of, phrases, word_list
from ralc.registry import FRAMES

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: A change of an answer: from where to where, in characters, and what stands there instead.
Edit = tuple[int, int, str]

_MARKS = "*_[~`("  # before the first word of a sentence; what opens it stands before them
#: Nouns of a hedge that name the answer itself ("my guess is Paris"); any other speaks of it ("my impression is that").
_NAMING = re.compile(r"\b(?:answer|bet|choice|estimate|guess|pick|reply|response) is$", re.IGNORECASE)
#: What ends a sentence; no word stands behind its mark.
_ENDED = frozenset(".!?…。！？｡")
#: Characters of a text that is short.
_SHORT = 400
#: Words of an answer that need not end as a sentence does.
_PHRASE = 15
#: The end of data: "[1, 2]", "{'a': 1}".
_DATA = re.compile(r"[\"'\d}]\s*[\]}]\s*\Z")
#: References behind a sentence: "It is closed.[1][2]", "It is closed.¹".
_REFERENCE = r"(?:\[\^?\d{1,3}(?:[,;–-] ?\d{1,3})*\]|\(\d{1,3}\)|[¹²³⁰⁴-⁹])"
_REFERENCES = re.compile(rf"{_REFERENCE}+\Z")
#: Characters of a text that may be an acronym.
_SHORTEST = 10
#: Words of a phrase that may end with a stop.
_FEW = 5
#: Marks and references behind a sentence.
_CLOSED = re.compile(rf"(?:(?: (?=\[\^?\d))?{_REFERENCE}|[^\w\s\[(])*")
#: Lines before the first sentence that are titles.
_TITLES = re.compile(r"(?:(?:#[^\n]*)?\n)*")
#: Tags of a word that ends no sentence.
_GOES_ON = frozenset(["DT", "IN", "CC", "TO", "PRP$", "VBZ", "MD"])
#: Tokens of a head.
_HEAD = 8
#: Tokens of a letter in brackets: "(B)".
_BRACKETED = 3
#: What ends a sentence or a clause; no word stands behind its mark.
_STOPPED = _ENDED | {":", ";"}
#: What says where the answer itself stands.
_LATER = re.compile(
    r"\\boxed\b|^[^\w\n]{0,20}(?:(?:the )?(?:final|correct) )?answer[^\w\n]{0,6}:"
    r"|[.!?]\s+(?:\w+,? ){0,2}(?:(?:answer|choice|option) is|it(?:['’]s| is))\W{1,4}[A-J]\W*\Z",
    re.IGNORECASE | re.MULTILINE,
)
#: What speaks of the sentences around it, and not of the world, or is a part of one: "In which it lies."
_REMARK = re.compile(
    r"(?:overall|in (?:summary|conclusion)|it(?:['’]s| is) (?:important|worth|essential|helpful)|(?:please )?note"
    r"|\w+ wh(?:ich|om))\b",
    re.IGNORECASE,
)
#: What relates two numbers, and names no answer: "91 = 7 x 13", "12 > 7".
_EQUATION = re.compile(r"(?<![\w=] )(?<![\w.,])\d[\d.,]*\s?[=<>≤≥≠≈]")
_QUOTES = frozenset('"“”«»')
#: What closes emphasis, code or a link behind a word.
_CLOSES = re.compile(r"([*_`~])\1*|(?P<link>\]\([^()\s]*\))")
_CLOSING = str.maketrans("([{", ")]}")
#: What follows of a claim for those who speak: "It is old, so you are right.".
_SO = re.compile(r"(?:, so|\bright|\bcorrect)\b.*\b(?:I|your?)\b")
#: What an aside that begins with *though* would say twice.
_THOUGH = re.compile(r"\b(?:al)?though\b", re.IGNORECASE)
_LAST_MARKS = re.compile(rf"(?:[.!…]+[*_]*{_REFERENCE}+|[.!…]*[*_]*)\s*\Z")
_LETTERED = re.compile(r"\W*[A-J]\W*[.):]")
_NOT = re.compile(r"\bnot\W*\Z")
#: What keeps its point before a comma: "Washington, D.C.".
_INITIALS = re.compile(r"\.[A-Z]\Z")
#: What a note behind a text speaks of it by: "That's a guess", "I think that's right".
_THAT = re.compile(r"\b(?:(T)hat|that|this)('s)?\b")


def place_hedge(hedge: str, frame: str, text: str) -> list[str]:
    """Return an answer with a hedge in each of its places, the plainest first; none where it fits nowhere.

    The first sentence that claims something takes the hedge, or a short answer that is no sentence. It stands in the
    main clause, behind what nobody doubts ("As I said,"), and covers each clause that claims something. Beside *may* or
    another adverb an adverb would hedge twice.

    Parameters
    ----------
    hedge
        The expression, with or without a mark at its end.
    frame
        How it stands in a sentence, one of `ralc.registry.FRAMES`.
    text
        The answer, of any length.

    Raises
    ------
    ValueError
        If the frame is unknown.

    Examples
    --------
    >>> place_hedge("probably", "adverb", "Sure! The capital is Paris.")
    ['Sure! The capital is probably Paris.']
    >>> place_hedge("I think", "clause", "Paris")
    ['I think it is Paris.']
    >>> place_hedge("probably", "adverb", "According to the manual, it starts at once.")
    ['According to the manual, it probably starts at once.']
    >>> place_hedge("may", "modal", "It opened in 1869.")
    ['It may have opened in 1869.', 'It may be that it opened in 1869.']
    """
    if frame not in FRAMES:
        raise ValueError(f"hedge {hedge!r}: frame {frame!r} is not one of {', '.join(FRAMES)}")
    site = first_site(text)
    if site is None:
        return []
    # A reply in front says something else than a doubt would, and a reason that is denied is none.
    if site.is_closed or _answers_later(text, site.start):
        return []
    edits = _places(hedge.strip().rstrip(",."), frame, site)
    # No hedge stands before a participle: "that born in Rome, she", "that counting outwards you".
    if site.first.dep_ in ("advcl", "acl"):
        edits = [edit for edit in edits if edit[0][:2] != (site.start, site.start)]
    placed = [_edited(text, [*edit, *site.stop()]) for edit in edits]
    if frame == "modal":  # "You may leave." permits
        read_ahead(placed)
        placed = [one for one in placed if any(hedge in cue.expression for cue in read_cues(one))]
    return [one for one in placed if keeps_marks(text, one)]


def _answers_later(text: str, start: int) -> bool:
    """Whether the answer itself stands behind a place, under a label or in a box."""
    return _LATER.search(text, start) is not None


def ends_with_address(text: str) -> bool:
    """Return whether a text ends with an address or data, which a full stop would change.

    >>> ends_with_address("It is at https://example.org/a"), ends_with_address("It is 120 km/h")
    (True, False)
    """
    last = text.split()[-1] if text.strip() else ""
    marks = last.count("/") + last.count(".")
    path = "/" in last and (last.lstrip(".~").startswith("/") or marks > 1)
    named = path or "www." in last or "@" in last[1:]
    return (named and last[-1] not in ".!?)]") or last.endswith("/") or _DATA.search(text) is not None


def place_note(note: str, text: str) -> str:
    """Return a text with a sentence of its own that says how sure all of it is.

    It stands behind the last sentence that claims, or below the line of a choice or what a program reads. It stands
    before claims that go on in lines, or are cut. Every word of the text stays, but that a full stop may go behind it.

    >>> place_note("I'm not sure about that", "Paris"), place_note("That may be right", "1. Mix it.\\n2. Wait.")
    ("Paris. I'm not sure about that.", 'What follows may be right.\\n\\n1. Mix it.\\n2. Wait.')
    >>> place_note("I'm not sure about that", "Hi! It is old. Take care!")
    "Hi! It is old. I'm not sure about that. Take care!"
    """
    first, gap, _ = text.rstrip().partition("\n")
    if gap and states_choice(first) and is_short(first):  # the letter stays in front, its explanation behind
        return f"{first}\n\n{note}.\n\n{text[len(first) :].lstrip()}"
    if unread(text):
        return f"{text.rstrip()}\n\n{note}."
    start, end = _claimed(text)
    claimed = text[start:end]
    ended = _ENDED & _tail(claimed)
    leads = text[end:].strip() and not ended  # to code or a formula
    if leads or not is_short(claimed):
        return place_opening(note, text)
    if not ended and ends_with_address(claimed):
        return f"{text[:end]}\n\n{note}.{text[end:]}"
    stop = "" if ended else "."
    return f"{text[:end]}{stop} {note}.{text[end:]}"


def pointing_on(note: str) -> str:
    """Return a note as it stands before what it speaks of.

    >>> pointing_on("That's only a guess"), pointing_on("I think most of this is right")
    ('What follows is only a guess', 'I think most of what follows is right')
    """
    return _THAT.sub(lambda that: f"{'W' if that[1] else 'w'}hat follows{' is' if that[2] else ''}", note)


def of_all(note: str) -> str:
    """Return a note as it speaks of several claims, and not of the last alone.

    >>> of_all("I'm not sure about that"), of_all("I think that's right")
    ("I'm not sure about any of that", 'I think all of that is right')
    """
    share = "any" if denies(note) or " not " in note else "all"
    return capitalised(_THAT.sub(lambda that: f"{share} of that{' is' if that[2] else ''}", note))


def _claimed(text: str) -> tuple[int, int]:
    """From where to where a text claims something, without what is said to somebody around it; else all of it."""
    parts = [*takewhile(lambda one: not phrases("farewell").match(one.text), _worded(text))]
    claims = [one for one in parts if one.claims]
    if not claims:
        return 0, len(text.rstrip())
    content = [one for one in parts if one.claims or not _is_addressed(one)]
    return claims[0].start, _CLOSED.match(text, content[-1].end).end()


def _worded(text: str) -> list[Sentence]:
    """The sentences of a text that have words: no picture alone."""
    return [one for one in sentences(text) if any(map(str.isalnum, one.text))]


def _is_addressed(sentence: Sentence) -> bool:
    """Whether a sentence is to somebody, and not of the world: a farewell, an offer, a question, an instruction."""
    words = sentence.text.rstrip()
    talks = sentence.kind in ("talk", "question", "request")
    return talks or words.endswith("!")


def place_aside(note: str, text: str) -> str:
    """Return a sentence with a note behind its last word; as it came where it ends with a quotation, or lacks its end.

    Behind a *though* of its own the note is a sentence.

    >>> place_aside("though I am not sure", "It is old."), place_aside("I think", "**It is old**")
    ('It is old, though I am not sure.', '**It is old, I think**')
    >>> place_aside("though I am not sure", "It is old, though tidy.")
    'It is old, though tidy. I am not sure.'
    >>> place_aside("though I am not sure", "It is in Washington, D.C.")
    'It is in Washington, D.C., though I am not sure.'
    """
    end = _LAST_MARKS.search(text).start()
    lacks = BE.union(("as", "by")).intersection(text[:end].split()[-1:])  # "So it is:"
    if lacks or text[:end][-1:] in _QUOTES:
        return text
    said = note.removeprefix("though ")
    if said != note and _THOUGH.search(text):
        return place_behind(capitalised(said), text)
    aside = f", {note}"
    point = "." if _INITIALS.search(text[:end]) else ""
    return f"{text[:end]}{point}{aside}{text[end:]}"


def place_behind(note: str, text: str) -> str:
    """Return a text with a sentence behind all of it, in a paragraph of its own where that ends with no sentence.

    >>> place_behind("That's a guess", "So it is 3."), place_behind("That's a guess", "So it is:\\n\\\\[ 3 \\\\]")
    ("So it is 3. That's a guess.", "So it is:\\n\\\\[ 3 \\\\]\\n\\nThat's a guess.")
    """
    gap = " " if _ENDED & _tail(text) and "\n" not in text else "\n\n"
    return f"{text}{gap}{note}."


def place_opening(note: str, text: str) -> str:
    """Return a text with a sentence before what it claims, in a paragraph of its own where the text has several lines.

    It stands behind what begins as a reply does.

    >>> place_opening("That may be right", "Hi there! It is old.")
    'Hi there! What follows may be right. It is old.'
    >>> place_opening("That may be right", "Yes, it is old. It is red. Thanks!")
    'Yes, it is old. It is red. That may be right. Thanks!'
    """
    return _edited(text, [opening_edit(note, text)])


def opening_edit(note: str, text: str) -> Edit:
    """Return what puts a sentence before what a text claims: behind greetings, thanks and code, but before a title."""
    parts = _worded(text)
    around = [*takewhile(lambda one: one.kind != "request" and _is_addressed(one), parts)]
    behind = parts[len(around) :]
    if behind and behind[0].words[0].lower_ in word_list("kept_leads", "replies"):
        at = _claimed(text)[1]
        if "\n" in text:
            at = f"{text}\n".index("\n", at)  # behind what is said to somebody in the same line
        return at, at, place_behind(note, text[:at])[at:]
    note = pointing_on(note)
    at = behind[0].start if behind else 0
    line = text.rfind("\n", 0, at) + 1
    while around and _leads(around[-1], text, line):
        at = around.pop().start
        line = text.rfind("\n", 0, at) + 1
    if around and around[-1].end > line:
        at -= len(_opening_marks(text, at))
        return at, at, f"{note}. "
    at = 0 if _TITLES.fullmatch(text, 0, line) else line
    return at, at, f"{note}.{opening_gap(text)}"


def _leads(sentence: Sentence, text: str, line: int) -> bool:
    """Whether a sentence leads to a line of a text: "Here is the list:"."""
    return sentence.words[-1].text == ":" and not any(map(str.isalnum, text[sentence.end : line]))


def opening_gap(text: str) -> str:
    """Return what parts a text from a sentence before it."""
    return "\n\n" if "\n" in text else " "


def _tail(text: str) -> set[str]:
    """The marks behind the last word of a text, without references."""
    text = _REFERENCES.sub("", text)
    last = next((at for at in range(len(text) - 1, -1, -1) if text[at].isalnum()), -1)
    return set(text[last + 1 :])


def is_short(text: str) -> bool:
    """Return whether a text is of one line and some sentences, the last of which is whole."""
    if "\n" in text or len(text) > _SHORT:
        return False
    whole = bool(_ENDED & _tail(text))
    return whole or len(text.split()) <= _PHRASE


@lru_cache(maxsize=1_000)
def first_site(text: str) -> "Site | None":
    """Return the sentence of an answer that takes a hedge; None where none claims something."""
    sentence = next(iter(claiming_sentences(text)), None)
    return Site(sentence, text) if sentence else None


def is_sourced(text: str) -> bool:
    """Return whether the first claim of an answer is of what a document says.

    >>> is_sourced("According to the report, it fell."), is_sourced("The author argues that it fell.")
    (True, True)
    """
    site = first_site(text)
    return site is not None and site.is_sourced


def passes_on(text: str) -> bool:
    """Return whether the first claim of an answer is of what somebody says or thinks.

    >>> passes_on("In her view, it is old."), passes_on("The witness claims that it is old."), passes_on("It is old.")
    (True, True, False)
    """
    site = first_site(text)
    return site is not None and site.is_claim and site.passes_on


@cache
def denies(hedge: str) -> bool:
    """Return whether what follows a hedge is said to be hardly so.

    >>> denies("the chances are low"), denies("I am only about 15 percent sure"), denies("perhaps")
    (True, True, False)
    """
    return any(map(is_denial, read_cues(f"{hedge} it is so.")))


def is_denial(cue: Cue) -> bool:
    """Return whether a cue says that a claim is hardly so."""
    return cue.name in word_list("denying") or (cue.number is not None and cue.number < 0.5)


def _places(hedge: str, frame: str, site: "Site") -> list[list[Edit]]:
    """The edits of each place of a hedge."""
    if site.is_stated:  # who reads it doubts what it says, and not whether it may say so
        return [site.before(_leading(hedge))] if frame == "clause" and hedge.startswith("I ") else []
    if frame in ("adverb", "modal") and site.root.lower_ in BE and " because " in site.words.text:
        return []  # nobody doubts that the sky is blue
    if site.lists and denies(hedge):
        return []  # not each of "Brazil, Peru and Chile"
    if frame == "adverb":
        return _places_of_adverb(hedge, site)
    if not site.is_claim and (site.first.lower_ == "not" or _NOT.search(site.words.text)):
        return []  # "Not my field.", "Of course not."
    if frame == "modal":
        return _places_of_modal(hedge, site)
    if frame == "tag":
        return [] if site.joined or site.is_reported else [site.behind(hedge)]
    if site.lies_inside or (site.sets_scene and frame == "opener"):
        return []
    if frame == "opener":
        return [site.before(f"{hedge},")]
    if frame == "standalone":
        return [site.before(f"{hedge}, but" if site.is_claim else f"{hedge}, but my answer is{site.colon}")]
    if not site.is_claim and _NAMING.search(hedge) and not site.lacks_subject and site.root.pos_ != "ADP":
        return [site.before(hedge)]
    return site.clause(_leading(hedge))


def _leading(hedge: str) -> str:
    """A hedge as it stands before a clause: "I suspect that", but "I think"."""
    return hedge if hedge.endswith((" that", " whether", " if", " think")) else f"{hedge} that"


def _places_of_adverb(hedge: str, site: "Site") -> list[list[Edit]]:
    """Inside the sentence, after *be* or before another verb, or before it: *maybe*, "in all likelihood".

    *Unlikely* and *highly likely* are adjectives: "It is unlikely to be old.".
    """
    word = hedge.lower()
    raises = word.endswith("likely") and word.replace(" ", "_") not in word_list("adverbs_too")
    if raises or word.endswith(" not"):  # *probably not* negates the verb
        raised = site.raised(hedge) if raises else None
        that = site.clause(f"it is {hedge} {'' if raises else 'the case '}that")
        return [raised, *that] if raised else that
    if site.joined or site.parts or site.is_possible:
        return []
    comma = "" if word in word_list("no_comma") or not site.is_claim else ","
    outside = site.sets_scene or site.lies_inside or (site.is_claim and word.endswith("likely"))
    front = [] if outside else [site.before(f"{hedge}{comma}")]
    inside = None if word == "maybe" or word.startswith("in ") else site.inside(hedge)
    if inside is None:
        return front or (site.clause(f"it is {hedge} that") if word.endswith("likely") else [])
    before = site.is_claim and inside[0][2].endswith(" ")
    if word in ("perhaps", "possibly") and (before or states_choice(site.words.text)):
        # "He perhaps died", "It is perhaps A" read as translations.
        return [*front, inside] if front else []
    return [inside] if word in ("probably", "very probably") else [inside, *front]


def _places_of_modal(hedge: str, site: "Site") -> list[list[Edit]]:
    """The main verb as its infinitive, else "It may be that"; none of what a document says."""
    if not site.is_claim:
        naming = site.naming(f"{hedge} be")
        return [naming] if naming else []
    if site.is_possible or site.is_reported:
        return []
    # "It might have sunk, which led to a war." sounds as if it had not.
    verb = site.verb
    perfect = verb is not None and verb.tag_ == "VBD"
    # "According to the handbook, you may leave." permits it.
    # So does "When it is wet, it may rust." tell what happens at times.
    at_times = site.undoubted and site.undoubted[0].lower_ in ("if", "when")
    told = perfect if hedge == "might" else (site.is_sourced or at_times) and not perfect
    inside = None if told or site.joined or site.parts else site.auxiliary(hedge)
    return [*([inside] if inside else []), *site.clause(f"it {hedge} be that")]


class Site:
    """The sentence of an answer that takes a hedge, and the edits that put something before, into or behind it."""

    def __init__(self, sentence: Sentence, text: str) -> None:
        self.sentence = sentence
        self.text = text
        self.words = sentence.words
        self.is_claim = sentence.kind == "claim"
        lead = min(_lead(self.words), len(self.words) - 1)
        opening, front = opening_of(self.words, lead) if self.is_claim else ("", self.words[lead:lead])
        reported = reported_verb(self.words.root) if self.is_claim else None
        #: What nobody doubts: a remark or a clause before the main one, or what reports it.
        self.undoubted = self.words[lead : reported.left_edge.i - self.words.start] if reported else front
        if opening == "setting":
            self.undoubted = front[:0]
        self.is_reported = reported is not None
        #: Whether it tells what a document says: "The report says ...", "According to the report, ...".
        root = self.words.root
        quoted = (child for child in root.children if child.dep_ == "ccomp" and child.i < root.i)
        quotes = root.lower_ in word_list("hearsay", "stated") and any(True for _ in quoted)
        verbs = (phrases(kind).match(root.lower_) for kind in ("telling", "giving"))
        #: Whether a document is said to tell it: "The notice gives the date.".
        self.is_told = (
            root.tag_ != "VBN"
            and _is_of_document(root)
            and (root.lower_ in word_list("stating") or any(verbs))
            and root.lower_ not in word_list("suggesting")
        )
        later = self.undoubted and self.undoubted[0].lower_ in word_list("later")
        sources = () if later else self.undoubted
        behind = self._source_behind
        self.is_sourced = quotes or self.is_told or behind or any(map(is_document, sources))
        #: Whether a hedge can only stand inside the main clause.
        # "Then my best guess is that it expands" would be a step of the speaker's.
        then = self.words[:lead].text.rstrip(",").lower() == "then"
        self.lies_inside = self.is_reported or then or opening == "remark"
        #: The time or place before the main clause.
        self.front = front if opening == "setting" else front[:0]
        if opening == "clause" or (self.front and front[0].tag_ not in ("VBN", "VBG")):
            lead += len(front)
        self.lead = self.words[:lead].text
        self.first = self.words[lead]
        self.root = reported or self.words.root
        self.joined = joined_verbs(self.root) if self.is_claim else []
        self.verb, self.subject = finite_verb(self.root), subject_of(self.root)
        self.is_reply = self.words.text.rstrip(".!").lower() in word_list("replies")
        noun = self.root.pos_ in ("NOUN", "PROPN", "NUM", "PRON", "SYM", "X", "ADJ") or len(self.words) == 1
        noun = noun or self.root.text[0].isdigit()  # "Brazil 2–0"
        # It stands before a phrase behind a verb: none before a noun, an adjective, *yes* or *no*.
        noun = noun or phrases("past").match(self.words.text)
        self.colon = "" if self.is_reply or noun else ":"
        #: Whether it is a verb that somebody left without its subject: "Becomes a dragon".
        self.lacks_subject = not self.is_claim and self.verb is not None and len(self.words) > 1
        self.start = sentence.place(self.first)
        #: Whether no word stands before the hedge.
        self.opens = not any(map(str.isalnum, self.lead))
        marked = _opening_marks(text, self.start)
        # Marks of the first words stand behind the hedge, those of the whole sentence around it.
        self.closing = _closing(marked)
        around = text.startswith(self.closing or "\0", sentence.end)
        if lead == 0 and not around:
            self.start -= len(marked)

    @property
    def is_labelled(self) -> bool:
        """Whether a label stands before it: "Answer: Rome"."""
        return self.text[: self.start].rstrip(" *_\n").endswith(":")

    @cached_property
    def is_closed(self) -> bool:
        """Whether nothing fits into it.

        It is a quotation, in capitals, of two clauses, a name in a list, or the parser took it for no sentence.
        """
        words = self.words.text.strip()
        if _REMARK.match(words) or not (self.is_claim or self.sentence.stretch.lone):
            return True
        last = self.words[-1]
        if not self.is_claim and _EQUATION.search(words):
            return True  # "2 + 2 = 4"
        if self.is_claim and (last.tag_ in _GOES_ON or last.lower_ in word_list("listing")):
            return True  # it is cut: "The capital is", or leads to a list
        marks = clause_marks(self.words.root.children)
        if not marks.isdisjoint(word_list("subordinators")):
            return True  # "Only if it rains."
        choice = states_choice(words)
        lettered = self.is_claim and _LETTERED.match(words) is not None  # "A. It rises."
        named_first = choice and (lettered or len(words.split()) > _FEW)
        clauses = ";" in words or named_first or is_matching(self.text)
        named = words.rpartition(": ")[2]  # For example: "It rains."
        quoted = named[:1] in _QUOTES and words[-1:] in _QUOTES
        alike = len(words) > _SHORTEST and words.isupper()
        # "Because it is tilted, we have seasons." answers by its cause; "The author argues" has the author's opinion.
        caused = "because" in clause_marks(self.undoubted)
        root = self.words.root
        addressed = _SO.search(words) or phrases("conceded").match(words)
        # "Ti. Sorry, I meant Sn.", but not "I meant that it is old."
        mended = not self.is_reported and phrases("correction").search(self.text)
        if (
            mended
            or caused
            or (self.passes_on and not self.is_stated)
            or (self.is_told and is_negative(root))
            or self._source_behind
            or addressed
            or _hides_clause(root)
        ):
            return True
        if self.is_claim and self.root.tag_ == "VB" and self.subject is None:
            return True  # "Click it, and we will email you a link."
        # No noun has a subject or an object: "The Titanic sank in 1912", "Salt dissolves in water".
        relations = {child.dep_ for child in self.words.root.children} & {"nsubj", "dobj"}
        governs = self.words.root.pos_ == "NOUN" and relations and not choice
        missed = words.endswith(".") and (len(words.split()) > _FEW or _has_verb(self.words))
        return bool(clauses or quoted or alike or (not self.is_claim and (governs or missed)))

    @cached_property
    def passes_on(self) -> bool:
        """Whether it tells what somebody says or thinks, or a document states: "The author argues that it is old."."""
        root = self.words.root
        told = root.lower_ in word_list("opining", "hearsay")
        opined = self.is_stated or (self.is_reported and told)
        passed_on = root.tag_ == "VBN" and any(child.dep_ in ("oprd", "xcomp") for child in root.children)
        # "As the minutes show, it fell.", "According to legend, it fell.", "In her view, it fell."
        before = [token.lower_ for token in self.undoubted]
        shown = before[:1] == ["as"] and any(map(is_document, self.undoubted))
        lore = not word_list("lore").isdisjoint(before) and {"my", "our"}.isdisjoint(before)
        return opined or (passed_on and told) or shown or lore

    @property
    def leads_to_place(self) -> bool:
        """Whether it opens with a preposition: "Possibly in Australia.", where they live, not "It is in Australia."."""
        placed = self.root.pos_ == "ADP" and self._frame() == "it is"
        return not self.is_claim and (placed or self.departs)

    @property
    def departs(self) -> bool:
        """Whether it opens with what may be a verb of what was asked: "Departs from Terminal 5."."""
        return self.first.tag_ == "NNS" and self.words[1:2].text in ("at", "from") and not self.is_claim

    @property
    def lists(self) -> bool:
        """Whether it is a phrase of several things."""
        return not self.is_claim and any(one.dep_ == "conj" for one in self.root.children)

    @property
    def parts(self) -> bool:
        """Whether what it says ends in another tense, which no hedge inside covers: "It left and will arrive soon."."""
        behind = (one for one in self.root.children if one.dep_ == "conj" and self.is_claim)
        return any(child.dep_ == "aux" and child.tag_ in FINITE for one in behind for child in one.children)

    @cached_property
    def is_stated(self) -> bool:
        """Whether a document states it, which it does not do in doubt: "The report says that it is old."."""
        root, subject = self.words.root, named_subject(self.words.root)
        firm = subject is not None and is_document(subject) and root.lower_ not in word_list("suggesting")
        return firm and (self.is_reported or (self.is_told and not is_negative(root)))

    @property
    def defines(self) -> bool:
        """Whether it says what a kind of thing is: "A haiku is a poem of three lines."."""
        subject = self.subject
        if self.root.lower_ not in ("is", "are") or subject is None or subject.pos_ != "NOUN":
            return False
        bare = subject.left_edge == subject or subject.left_edge.lower_ in ("a", "an")
        kinds = (child for child in self.root.children if child.dep_ == "attr")
        return bare and any(one.dep_ in ("relcl", "acl", "prep") for kind in kinds for one in kind.children)

    @property
    def _source_behind(self) -> bool:
        """Whether it ends with the document that says so: "It lasts 14 days, as stated on page 3."."""
        if not self.is_claim or phrases("source_behind").search(self.words.text) is None:
            return False
        return any(map(is_document, self.words[-_FEW:]))

    def before(self, opening: str) -> list[Edit]:
        """Return an opening before the sentence, whose first word is then written small, but for a name or letter."""
        front = self.text[: self.start].rstrip(" *_\n")[-1:]
        # "Quick note: it is old.", "Hi Ann, it is old.", "Sorry, but it is old."
        goes_on = (front.isalpha() or front in (":", ",")) and self.text[self.start].islower()
        if self.opens and not goes_on:
            opening = capitalised(opening)
        at = self.sentence.place(self.first)
        small = [(at, at + 1, self.text[at].lower())] if self._opens_small(at) else []
        return [(self.start, self.start, f"{opening} "), *small]

    def _opens_small(self, at: int) -> bool:
        """Whether the first word, at a place, is written small behind a hedge; a title in marks is not."""
        marks = self.text[self.start : at]
        if marks and (marks != "**" or not self.text[at:].partition("**")[0][1:].islower()):
            return False  # *Pride and Prejudice*
        word = self.first.text
        unlisted = case_of(word) == "unknown" and word[1:].islower()
        elsewhere = unlisted and re.search(rf"(?<!`)\b{re.escape(word.lower())}\b", prose(self.text))
        return bool(elsewhere) or self.departs or _is_small(self.first)

    def clause(self, opening: str) -> list[list[Edit]]:
        """Return an introduction with a clause behind, if it covers all that is claimed; a phrase is made one."""
        if (
            self.lies_inside
            or self.lacks_subject
            or (self.is_claim and self.first.lower_ in ("that", "because"))
        ):
            return []
        if not self.is_claim:
            leads = self.first.lower_ in word_list("leading") or self.leads_to_place
            return [] if leads else [self.before(f"{opening} {self._frame()}")]
        parts = opening.startswith("I ") and len(opening.split()) <= _BRACKETED and not denies(opening)
        if self.front and parts and not self.joined and self.first.tag_ not in ("VBN", "VBG"):
            at = self.sentence.place(self.front[-1], end=True)
            return [[(at, at, f" {opening.removesuffix(' that')},")]]  # "In 1912, I think, it sank."
        if self.front and not denies(opening):
            return []  # "In 1912, I am sure that it sank."
        if self.joined and denies(opening):  # "I don't think that it sank, and that it burnt" denies which?
            return []
        # "I think that it sank, and that it burnt."
        edits = self.before(f"{opening.removesuffix(' that')} that" if self.joined else opening)
        for verb in (one for one in self.joined if one.dep_ != "advcl"):
            joint = verb.left_edge
            if joint.i == self.words.start or joint.nbor(-1).lower_ != "and":
                return []
            at = self.sentence.place(joint)
            edits.append((at, at, "that "))
        return [edits]

    def behind(self, tag: str) -> list[Edit]:
        """Return a tag behind the sentence, before its full stop."""
        ends = (token for token in reversed(self.words) if not token.is_punct or token.text in ")]\"'”’")
        last = next(ends, self.words[-1])
        at = self.sentence.place(last, end=True)
        if last.text[0].isupper() and last.text[1:] == ".":  # a letter: "It is B."
            return [(at - 1, at - 1, f", {tag}")]
        at = self._behind_marks(at)
        return [(at, at, f", {tag}")]

    def _behind_marks(self, at: int) -> int:
        """The place behind the marks that close some of the last words: "It is by *Bach*."."""
        inside = self.text[self.sentence.place(self.words[0]) : at]
        while (marks := _CLOSES.match(self.text, at)) and ("[" if marks["link"] else marks[0]) in inside:
            at = marks.end()
        return at

    def inside(self, adverb: str) -> list[Edit] | None:
        """Return an adverb behind a form of *be* or an auxiliary verb, else before the verb; None where none fits.

        What makes a sentence of a phrase has the adverb inside.
        """
        if not self.is_claim:
            frame = self._frame()
            outside = self.colon or self.is_labelled or frame == "the answer is" or self.leads_to_place
            return None if outside else self.before(f"{frame} {adverb}")
        verb = self.verb
        if not self._has_subject():
            return None
        following = verb.nbor().lower_ if verb.i + 1 < len(verb.doc) else ""
        does = verb.lower_ in ("do", "does", "did")
        # "cannot", "isn't", "does not"; beside "is not" there is room
        denied = following == "n't" or (following == "not" and (does or not verb.whitespace_))
        helps = verb != self.root and verb.lower_ in word_list("auxiliaries") and not does
        if (verb.lower_ in BE or helps) and not (denied or self.is_elliptic):
            if not self._admits(adverb, verb.i, verb.i + 1):
                return None
            at = self.sentence.place(verb, end=True)
            return [(at, at, f" {adverb}")]
        while verb.i > self.words.start + 1 and verb.nbor(-1).dep_ in ("advmod", "neg"):
            verb = verb.nbor(-1)
        if not self._admits(adverb, verb.i, verb.i):
            return None
        at = self.sentence.place(verb)
        # What the parser takes for a verb may be a part of a word: "D°z".
        return [(at, at, f"{adverb} ")] if verb.nbor(-1).whitespace_ else None

    @property
    def is_elliptic(self) -> bool:
        """Whether its verb is its last word, or stands before a mark: "It is, up to 220 °C.", "Yes, there is!"."""
        return self.verb.i + 1 >= self.words.end or self.verb.nbor().text in (*_ENDED, ",", "–", "—")

    def _has_subject(self) -> bool:
        """Whether a subject that exists stands before the verb, so that something fits behind it."""
        verb, subject = self.verb, self.subject
        if verb is None or subject is None or verb.i < subject.i or states_choice(self.words.text):
            return False  # "A. Cannot be determined"
        # "A fluid called a refrigerant *flows*": the parser may have missed the verb.
        # "no city", "only a tenth of it"
        return all(token.lower_ not in word_list("none") | {"only"} for token in subject.subtree)

    def auxiliary(self, verb: str, adjective: str = "") -> list[Edit] | None:
        """Return a verb before the infinitive of the main one, with an adjective; None where there is no infinitive.

        Beside an adjective stands no denial, and no adverb but *also*.
        """
        fits = self._has_subject()
        group = infinitive_of(self.root) if fits else None
        if group is None:
            return None
        if adjective and any(word.lower_ != "also" or denies(adjective) for word in group.adverbs):
            return None
        first, last = group.first, group.last
        place, end = self.sentence.place(first), self.sentence.place(first, end=True)
        space = "" if first.nbor(-1).whitespace_ else " "  # "It's old."
        edits = [(place, end, f"{space}{verb}") if group.replaces else (place, place, f"{verb} ")]
        forms = {token: " not" for token in group.adverbs if token.lower_ == "n't"} | group.forms
        if adjective and not group.replaces:
            forms[last] = f"{adjective} {forms[last]}"
        for token, form in forms.items():
            edits.append((self.sentence.place(token), self.sentence.place(token, end=True), form))
        tail = " ".join(filter(None, (adjective if group.replaces else "", group.tail)))
        behind = self.sentence.place(last, end=True)
        return [*edits, (behind, behind, f" {tail}")] if tail else edits

    def raised(self, adjective: str) -> list[Edit] | None:
        """Return an adjective before the infinitive of the main verb: "It is unlikely to be old."; None as `inside`."""
        if not self.is_claim:
            return self.naming(f"{'are' if self._frame() == 'there are' else 'is'} {adjective} to be")
        if self.joined or self.is_possible or self.subject is None or self.verb is None:
            return None
        # Not "In 1989, it is unlikely to have fallen.", nor a denial of what somebody says, of each of many or of us.
        many = self.subject.lower_ == "we" or self.subject.left_edge.lower_ in word_list("quantities")
        barred = many or self.undoubted if denies(adjective) else self.undoubted and not self.lies_inside
        if self.front or barred or self.is_elliptic:
            return None
        return self.auxiliary("are" if takes_plural(self.subject, self.verb) else "is", f"{adjective} to")

    def naming(self, verb: str) -> list[Edit] | None:
        """Return what says what a phrase is, with some words for its *is*: "It may be Paris."."""
        opening = self._frame()
        truth = self.first.lower_ in ("false", "true")  # "The answer may be false."
        bare = truth or self.colon or self.is_labelled or opening == "it was" or self.leads_to_place
        return None if bare else self.before(f"{opening.rpartition(' ')[0]} {verb}")

    @property
    def sets_scene(self) -> bool:
        """Whether a time or place stands in front, which a hedge before it would doubt: "In March 415 a mob ..."."""
        led = self.is_claim and self.first.tag_ == "IN"
        return bool(self.front) or led

    @property
    def is_possible(self) -> bool:
        """Whether it says *may*, *might*, *could* or *must* itself."""
        return self.is_claim and self.verb is not None and self.verb.lower_ in word_list("modals_alone")

    def _admits(self, adverb: str, verb: int, place: int) -> bool:
        """Whether an adverb may stand beside a verb, before a token, and not beside another one.

        *Perhaps* or *possibly* before a number would mean *about*, but for "perhaps lasts ten days".
        """
        following = self.words.doc[place] if place < self.words.end else self.words[-1]
        counts = (
            place > verb
            and adverb in ("perhaps", "possibly")
            and any(token.tag_ == "CD" for token in self.words.doc[place : place + 2])
        )
        beside = (self.words.doc[verb - 1], following)
        stacked = any(
            _is_adverb(token) and (token.head in (self.root, self.verb) or token.head.tag_ == "CD")
            for token in beside
        )
        able = adverb == "possibly" and self.words.doc[verb].lower_ in ("can", "could")
        return not (counts or stacked or able)

    def _frame(self) -> str:
        """What says what a phrase is: "it is" for one thing, "the answer is" for anything."""
        root = self.root
        if phrases("past").match(self.words.text):
            return "it was"
        if self.first.lower_ == "no" and not self.is_reply:
            return "there are" if root.tag_ == "NNS" else "there is"
        several = root.tag_ in ("NNS", "NNPS") or any(token.dep_ == "conj" for token in root.children)
        determined = any(child.dep_ in ("det", "poss", "nummod") for child in root.children)
        named = root.tag_ != "NN" and case_of(root.text) in ("small", "both")  # "United States"
        bare = named or root.pos_ == "NUM"
        answers = several or (bare and not determined) or "=" in self.words.text
        anything = self.colon or self.is_reply or answers
        return f"the answer is{self.colon}" if anything and root.pos_ != "ADP" else "it is"

    def stop(self) -> list[Edit]:
        """Return a full stop, where the sentence has none."""
        end = self.sentence.end
        if self.words[-1].text in ",;:" and not self.text[end:].strip():
            return [(end - 1, end, ".")]
        end = self._behind_marks(end)
        cut = self.is_claim and len(self.words) > _PHRASE  # an answer that was not finished
        cut = cut or ends_with_address(self.text[:end])
        ended = cut or _STOPPED & _tail(self.text[self.sentence.start : end])
        return [] if ended or self.text[end:].strip("*_` \n") else [(end, end, ".")]


def _lead(words: "Span") -> int:
    """Tokens in front of a sentence that stay before a hedge: *yes*, *oh*, *however*, "Cost:"."""
    tokens = list(words)
    symbols = next((at for at, token in enumerate(tokens) if _is_word(token)), 0)
    called = tokens[0].text.startswith("@")
    if symbols and (not called or tokens[symbols - 1].whitespace_):  # "✅Rome", "@anna Rome"
        return symbols
    if len(tokens) > _BRACKETED and (tokens[0].text, tokens[-1].text) == ("(", ")"):
        return 1
    head = next((at for at, token in enumerate(tokens[:_HEAD]) if _ends_head(token, words)), 0)
    bare = head and (tokens[head].text != ":" or not any(token.tag_ in FINITE for token in tokens[:head]))
    if bare and head < len(tokens) - 1:
        return head + 1
    leads = tokens[0].lower_ in word_list("kept_leads") or tokens[0].tag_ == "UH"
    parted = "-" if tokens[0].whitespace_ else ","  # "Second-degree burns"
    if len(tokens) > 3 and leads and tokens[1].text in (parted, ",", ".", "...", "…", "—", "–"):
        return 2 + (tokens[2].lower_ in word_list("coordinators"))
    joins = len(tokens) > 3 and tokens[0].lower_ in word_list("coordinators") | {"then"}
    return int(joins and tokens[0].head != tokens[1])  # not "So far"


def _has_verb(words: "Span") -> bool:
    """Whether the parser missed the verb of a sentence: "Your order ships on Monday.", "The word X means Y."."""
    related = any(token.lower_ == "that" for token in words)
    root = words.root
    plural = root.tag_ == "NNS" and {"compound", "prep"} <= {child.dep_ for child in root.children}
    return plural or any(
        token.dep_ == "compound" if token.tag_ == "NNS" else token.tag_ in FINITE and not related
        for token in words
    )


def _ends_head(token: "Token", words: "Span") -> bool:
    """Whether a colon, or a dash before the subject, parts a head from a sentence: "Step 2 – It dries."."""
    if token.text == ":":
        return True
    if token.i and token.text == "-" and not token.nbor(-1).whitespace_:
        return False  # "In-house"
    subject = named_subject(words.root)
    before = subject is not None and token.i < subject.left_edge.i
    return token.text in ("–", "—", "-") and before


def _is_of_document(verb: "Token") -> bool:
    """Whether a verb says what a document does."""
    subject = named_subject(verb)
    return subject is not None and any(map(is_document, (subject, subject.left_edge)))


def _hides_clause(root: "Token") -> bool:
    """Whether the parser took the verb before *and*, or the subject behind it, for another noun.

    "The ice *melts*, and sea levels rise.", "The cell divides, and two new *cells* form."
    """
    verbs = root.conjuncts if finite_verb(root) is not None else ()
    subjects = (child for child in root.children if child.dep_ in ("nsubj", "nsubjpass"))
    joints = (one for noun in subjects for one in noun.children if one.dep_ == "cc")
    compounds = any(one.dep_ == "compound" for verb in verbs for one in verb.lefts)
    return compounds or any(one.nbor(-1).text == "," for one in joints)


def _is_adverb(token: "Token") -> bool:
    """Whether another adverb beside a word would be one too many: "possibly typically"."""
    return token.tag_ == "RB" and token.lower_.endswith("ly") and token.lower_ not in ("only", "early")


def _is_word(token: "Token") -> bool:
    """Whether a token is of the sentence: no picture before it, and nobody who is called."""
    return not token.text.startswith("@") and (
        token.is_ascii or token.is_currency or any(map(str.isalnum, token.text))
    )


def _opening_marks(text: str, start: int) -> str:
    """The marks right before a place."""
    before = start
    while before > 0 and text[before - 1] in _MARKS:
        before -= 1
    return text[before:start]


def _closing(marks: str) -> str:
    """The marks that close some opening ones."""
    return marks[::-1].translate(_CLOSING)


def keeps_marks(before: str, after: str) -> bool:
    """Return whether a change left no mark of Markdown and no bracket alone.

    >>> keeps_marks("**Rome** (old)", "**Perhaps Rome** (old)"), keeps_marks("Rome (maybe).", "Rome).")
    (True, False)
    """
    return _unpaired(before) == _unpaired(after)


def _unpaired(text: str) -> tuple[int, ...]:
    """How many more brackets of each kind open than close, and whether a mark stands alone."""
    brackets = (text.count(opening) - text.count(closing) for opening, closing in ("()", "[]", "{}", "“”"))
    return (*brackets, *(text.count(mark) % 2 for mark in ("**", "*", "__", "_", "~~", "`", '"')))


def _edited(text: str, edits: Iterable[Edit]) -> str:
    """A text after some edits, none of which overlap."""
    for start, end, new in sorted(edits, key=lambda edit: edit[:2])[::-1]:
        text = text[:start] + new + text[end:]
    return text


def capitalised(text: str) -> str:
    """Return a text with a large first letter, where that is one letter ("ß" is none)."""
    large = text[:1].upper()
    return large + text[1:] if len(large) == 1 else text


def _is_title(token: "Token") -> bool:
    """Whether the first word is a name by its verb, which is of one thing: "Cats is a musical"."""
    if token.i + 1 == len(token.doc):
        return False
    if token.lower_.endswith("ing") and case_of(token.text) == "both" and token.nbor().tag_ == "VBD":
        return True  # "Hawking predicted"
    if token.nbor().tag_ != "VBZ" and token.nbor().lower_ != "was":
        return False
    return token.lower_.endswith("s") and not token.lower_.endswith(("ics", "is", "ss", "us", "tes", "news"))


def _is_small(token: "Token") -> bool:
    """Whether the first word of a sentence is written small inside one: function words are, names are not."""
    word = token.text
    if word[1:] != word[1:].lower():
        return False  # "YAML"
    openers = word_list("statement_openers") | word_list("replies")
    if sum(one.is_alpha for one in token.sent) == 1 and not (token.like_num or word.lower() in openers):
        if case_of(word) == "unknown":
            return False
        noun = token.tag_ in ("NN", "NNP")
        return noun and case_of(word) == "small"  # "Skin", but "Gates"
    behind = token.doc[token.i + 1 : token.i + 2]
    # "A and C", "A is a metal", but not "A by-product"
    named = any(one.whitespace_ and one.tag_ in ("CC", "IN", "TO", *FINITE) for one in behind)
    article = (
        word == "A"
        and not named
        and (behind.text.isalpha() or (behind.text.isdigit() and token.dep_ == "det"))
    )
    letter = len(word.rstrip(".")) == 1 and not article  # of a choice
    if not (word[:1].isupper() and word.isascii()) or letter:
        return False
    if spell_out(word.lower())[0] in word_list("statement_openers"):
        return True
    words = (one for one in token.sent if one.is_alpha and one.lower_ not in word_list("function_words"))
    titles = [one.text[:1].isupper() for one in words]
    if all(titles) and behind.text.isalpha():
        return False  # "Graphics Interchange Format"
    if re.search(rf"(?<=[a-z,] ){re.escape(word)}\b", token.doc.text):
        return False  # "Hicks has", of Adam Hicks
    particle = word.lower() in word_list("particles") | {"die"}
    # "Die Zauberflöte", "Article 5"
    if particle or _is_title(token) or (is_document(token) and re.match(r"\d", behind.text)):
        return False
    named = token.doc[token.i + 1 : token.i + 3]
    in_name = named.text.removeprefix("of ")[:1].isupper()  # "Grand Canyon", "Republic of Ireland"
    several = word.endswith("s") and behind and behind[0].tag_ in ("VBP", "MD")
    if case_of(word) == "unknown" and (several or word.endswith("ans")):
        return not word.endswith("ans")  # "Axolotls can", but not "Ghanaians speak"
    if token.tag_ not in ("NNP", "NNPS"):
        # Whose plural is a name's is one: "Roman". A word that is not listed may be: "Maneka was", "Adán Augusto".
        common = case_of(word) == "both" and case_of(f"{word}s") != "large"
        return (
            common
            or case_of(word) == "small"
            or (case_of(word) == "unknown" and token.tag_ in ("JJ", "RB", "NNS"))
        )
    return case_of(word) == "small" and not in_name
