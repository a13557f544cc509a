"""What rewriting needs to know of an English answer: is it a sentence, where is its verb, how does it go on.

A few closed word lists take the place of a parser. They know what short answers look like; what they do not
know only costs a possible place for a hedge, never a word of the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ralc.english.casing import capitalised
from ralc.english.normalisation import LABEL, set_of
from ralc.english.short import kind_of
from ralc.english.verbs import (
    ADVERB,
    BE,
    CONDITION,
    CONTRACTED,
    HAVE,
    KNOWN_VERBS,
    LINKS,
    MODALS,
    PARTICIPLE,
    PAST,
    main_verb,
)

#: What may be a part of a sentence, too: "arguing something is true".
_GERUND = re.compile(
    r"(?!according)\w+(?<!th)ing (?:(?:some|any|every)(?:thing|one|body)|that|an?|the|one['’]s|to|sure|immediately"
    r"|he|she|they|we|you|it)\b",
    re.IGNORECASE,
)
#: What may stand before the article of a noun; behind a noun, an article opens a clause of its own ("the talent the
#: student has").
_BEFORE_ARTICLE = re.compile(
    r".*(?:,|ing|ly|ed)|all|both|half|either|neither|not|only|even|also|just|such|quite|rather|what|twice|sometimes|often"
)
#: What makes a phrase with *as*, before it and behind it; any other opens a clause ("as consumption rises").
_WITH_AS = set_of("such well known seen a an many much their its his her")
_NEW_SUBJECTS = set_of("it he she they we you there that this")
#: Sentences do not begin with these, and their subjects do not hold those.
_NO_SUBJECT = set_of(
    """
    how what why where who which whether than that to not is are was were be has have had do does did can cannot could
    would should must and or because whenever never into onto upon via
    """
)
#: Subjects that deny what is said of them.
_NONE = re.compile(r"(?:(?:almost|nearly|virtually) )?(?:no|nothing|nobody|none|neither)\b", re.IGNORECASE)
_ARTICLES = set_of("a an the")
_RELATIVES = set_of("that which who whom whose")
_BREAKS = set_of(
    "because if when while although since whereas so but than how why what unless until before after"
)
_ABBREVIATED = re.compile(
    r"(?:^|\s)(?:\w|(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]\w?|Mt|St|Dr|Mr|Mrs|No|vs|etc|approx)\.$"
)
#: What keeps its full stop at the end.
_DOTTED = re.compile(r"(?:(?:^|[\s.(])[A-Za-z]\.[A-Za-z]|\b(?:etc|Inc|Ltd|Co|Jr|Sr))\.$")
_LEAD = re.compile(
    r"(?:(?:yes|no|actually|well|honestly|frankly|to be honest|in short|overall|simply put),|(?:yes|no)\.(?!\s*\d))\s+",
    re.IGNORECASE,
)
# Markdown around all of an answer.
_EMPHASIS = re.compile(r"^(\*\*?|__?)(?=\S)([^*_\n]+)(?<=\S)\1(?=[.!]*$)")
# A run of marks or of space is tried from its start alone: from everywhere in it, 40,000 dots took 21 seconds.
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]++[\"'”’)]*+(?=\s+[\"'“(]?[A-Z0-9])|(?<!\s)\s*\n")


@dataclass(frozen=True)
class Sentence:
    """The part of an answer that takes the hedge, and what follows it.

    Parameters
    ----------
    words
        The first sentence or phrase, without its final mark; an abbreviation keeps its full stop, and an
        answer that is quoted whole its "?" or "!".
    rest
        The sentences after it, as they came; empty for most answers.
    is_clause
        Whether it is a sentence with a verb, and not a phrase such as ``Paris`` or ``B``.
    lead
        What stays in front of a hedge, with its comma or full stop: *yes*, *no*, *to be honest*.
    """

    words: str
    rest: str
    is_clause: bool
    lead: str = ""

    def finish(self, sentence: str) -> str:
        """Return a whole answer from its first sentence, as it is hedged."""
        if not self.lead.endswith(","):
            sentence = capitalised(sentence)
        sentence = f"{self.lead} {sentence}".strip()
        end = "" if re.search(r"[.!?][\"”]?$", sentence) else "."
        return f"{capitalised(sentence)}{end}{' ' if self.rest else ''}{self.rest}"


def read_sentence(text: str) -> Sentence:
    """Return the sentence of an answer that takes the hedge.

    >>> read_sentence("The capital is St. Louis.  It is large.")
    Sentence(words='The capital is St. Louis', rest='It is large.', is_clause=True, lead='')
    >>> read_sentence("B. Paris").is_clause
    False
    """
    clean = _EMPHASIS.sub(r"\2", LABEL.sub("", _outer_quotes(text.strip())))
    if clean.count('"') == 1 and not re.search("[“”]", clean):
        clean = re.sub(r'(?:(?<=\s)|^)"(?=\S)', "", clean)  # the answer was cut off before the other one
    lead = _LEAD.match(clean)
    if lead:
        words, rest = _first_sentence(clean[lead.end() :])
        if _is_clause(words):
            return Sentence(words, rest, True, lead[0].strip())
    words, rest = _first_sentence(clean)
    is_clause = not lead and _is_clause(words)
    if rest and not is_clause and not _is_clause(rest):
        # "Invalid. Counterexample when J is true": one answer, whole.
        whole = _unmarked(clean, " .,;:")
        return Sentence(whole if '"' in whole else f'"{whole}"', "", False)
    if not is_clause and not rest and kind_of(words) == "quote":
        words = _unmarked(clean, " .,;:")
    return Sentence(words, rest, is_clause)


def _first_sentence(text: str) -> tuple[str, str]:
    """The first sentence of a text without its final mark, and the others."""
    end = next(sentence_ends(text), len(text))
    return _unmarked(text[:end]), " ".join(text[end:].split())


def _unmarked(text: str, marks: str = " .!?,;:") -> str:
    """A text without the marks at its end, but for the full stop of an abbreviation ("D.C.")."""
    text = " ".join(text.split())
    bare = text.rstrip(marks)
    dotted = f"{bare}."
    return dotted if text.startswith(dotted) and _DOTTED.search(dotted) else bare


def sentence_ends(text: str) -> Iterator[int]:
    """Yield where the sentences of a text end, but for its last one; abbreviations end none.

    >>> list(sentence_ends("It is St. Louis. It is large."))
    [16]
    """
    for end in _SENTENCE_END.finditer(text):
        if not _ABBREVIATED.search(text[max(0, end.end() - 12) : end.end()].rstrip()):
            yield end.end()


def _outer_quotes(text: str) -> str:
    """A text without quotes around all of it."""
    inside = re.search(r"[\"“”]|(?<!\w)['’]|['’](?!\w)", text[1:-1])
    if len(text) > 1 and text[0] in "\"“'" and text[-1] in "\"”'" and not inside:
        return text[1:-1].strip()
    return text


def _is_clause(words: str) -> bool:
    """Whether a phrase surely is a sentence: a subject, then a verb that is known, or a contracted one ("there's").

    What might be a title ("When We Were Kings"), a quotation, a list, `label: value`, a question or a part of a
    sentence ("guilty, because it was voluntary") is none.
    """
    if re.match(r"[^:]{1,40}:\s", words) or words[:1] in "\"“'(":
        return False
    if CONTRACTED.match(words):
        return True
    position = main_verb(words)
    tokens = words.lower().split(" ")
    if (
        position is None
        or re.match(r"[b-z] ", words)
        or (tokens[0] in MODALS and words[0].islower())
        or (tokens[-1] in BE | HAVE and position == len(tokens) - 1)
        or (tokens[-1] in MODALS and tokens[-2] not in {*_NEW_SUBJECTS, "i"} and position == len(tokens) - 1)
    ):
        return False  # "f has a minimum" and "will win" cannot begin a sentence, "inheritance has" goes on, "a will"
    subject = [token.lower().strip("\"'()") for token in words.split(" ")[:position]]
    if any(token.endswith((";", ":")) for token in subject):
        return False  # "Neither; the meeting was cancelled" answers before its sentence
    opening = subject[0].rstrip(",")
    if subject[0].endswith(",") and _NEW_SUBJECTS & set(subject[1:2]):
        return False  # "Nothing, there is no connection"
    if opening not in CONDITION and _NEW_SUBJECTS & set(subject[1:][-1:]) and subject[-2] != "of":
        return False  # "The earlier they surrendered"
    if opening in CONDITION:
        # "If it rains, the streets are wet" is a sentence, "when it rains" is none, nor "in case A, B or C is harmed".
        said = " ".join(subject).partition(",")[2].split()
        return bool(said) and said[0] not in _BREAKS and subject[:2] != ["in", "case"]
    return (
        opening not in _NO_SUBJECT
        and not _GERUND.match(words)
        and not PAST.fullmatch(opening)
        and not all(ADVERB.fullmatch(token) for token in subject)
        and not any(token.rstrip(",") in _BREAKS for token in subject[1:])
        and not _holds_clause(words.split(" ")[:position])
    )


def _holds_clause(subject: list[str]) -> bool:
    """Whether a clause without *that* begins in what stands before a verb.

    An article that follows a noun opens one ("the talent the student has"), and so does *as* ("as consumption rises").
    """
    words = ["", *subject, ""]
    for place, (before, word, after) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if word in _RELATIVES:
            return False
        if word == "as" and place and (before.endswith(",") or _WITH_AS.isdisjoint((before, after))):
            return True
        before = before.lower().lstrip('"“(')
        noun = not _BEFORE_ARTICLE.fullmatch(before) and before not in KNOWN_VERBS | LINKS
        if word in _ARTICLES and place and noun and words[place - 1] != "to":
            return True
    return False


def parted(text: str) -> tuple[str, str, str]:
    """Return an answer in three, as it is written: a label or lead, its first sentence, and what follows that.

    >>> parted("No, it is Rome. It is old.")
    ('No, ', 'it is Rome.', ' It is old.')
    """
    label = LABEL.match(text)
    start = label.end() if label else 0
    lead = _LEAD.match(text[start:])
    if lead and read_sentence(text[start + lead.end() :]).is_clause:
        start += lead.end()
    end = start + next(sentence_ends(text[start:]), len(text) - start)
    return text[:start], text[start:end], text[end:]


def is_possibility(sentence: Sentence) -> bool:
    """Whether the verb of a sentence is *may* or *might*.

    >>> is_possibility(read_sentence("It may rain.")), is_possibility(read_sentence("It can rain."))
    (True, False)
    """
    position = main_verb(sentence.words) if sentence.is_clause else None
    return position is not None and sentence.words.split(" ")[position].lower() in {"may", "might"}


def adverb_places(words: str) -> tuple[range, range]:
    """Return before which words of a sentence an adverb of the sentence stands, and before which one beside the verb.

    Of a sentence is what stands before its verb, or behind one that helps another and is not denied.

    >>> adverb_places("It is not Rome"), adverb_places("Tom went home")
    ((range(1, 3), range(1, 4)), (range(1, 2), range(1, 3)))
    """
    tokens = words.lower().split(" ")
    verb = 0 if CONTRACTED.match(words) else main_verb(words)
    if verb is None:
        return range(0), range(0)
    first, last = max(verb, 1), verb + 1
    while first > 1 and ADVERB.fullmatch(tokens[first - 1]):
        first -= 1
    while last < len(tokens) and (tokens[last] == "not" or ADVERB.fullmatch(tokens[last])):
        last += 1
    denied = tokens[verb].endswith(("n't", "n’t", "cannot"))
    helps = (verb == 0 or tokens[verb] in BE | MODALS | HAVE) and not denied
    return range(first, verb + 1 + helps), range(first, last + 1)


def middle(words: str) -> tuple[str, str] | None:
    """Return a sentence cut in two where a hedging adverb stands best; None where none is known.

    After a form of *be*, a modal, or *have* before a participle; else before the verb, and before a verb
    that is negated.

    >>> middle("The capital of France is Paris")
    ('The capital of France is', 'Paris')
    >>> middle("The background does not say")
    ('The background', 'does not say')
    """
    tokens = words.split(" ")
    if CONTRACTED.match(words) and len(tokens) > 1:
        return tokens[0], " ".join(tokens[1:])
    position = main_verb(words)
    if position is None:
        return None
    bare = tokens[position].lower().replace("’", "'")
    following = [token.lower() for token in tokens[position + 1 :]]
    participle = next((token for token in following if not ADVERB.fullmatch(token)), "")
    negated = following[:1] == ["not"] or bare.endswith(("n't", "cannot"))
    after = bare in BE | MODALS or (bare in HAVE and PARTICIPLE.fullmatch(participle) is not None)
    if _NONE.match(words):
        return None  # "no animals can probably do it" says less than "probably no animals can"
    if after and (not negated or (following[:1] == ["not"] and bare in BE)) and following:
        cut = position + 1
    else:
        cut = position
        while cut > 1 and ADVERB.fullmatch(tokens[cut - 1].lower()):
            cut -= 1
    return " ".join(tokens[:cut]), " ".join(tokens[cut:])
