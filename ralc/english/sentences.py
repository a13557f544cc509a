"""What rewriting needs to know of an English answer: is it a sentence, where is its verb, how does it go on.

A few closed word lists take the place of a parser. They know what short answers look like; what they do not
know only costs a possible place for a hedge, never a word of the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ralc.english.contractions import spell_out
from ralc.english.normalisation import LABEL, set_of
from ralc.english.numerals import SMALL, TENS
from ralc.english.verbs import (
    ADVERB,
    BE,
    CONDITION,
    CONTRACTED,
    HAVE,
    KNOWN_VERBS,
    MODALS,
    PARTICIPLE,
    PAST,
    main_verb,
)

#: Sentences do not begin with these, and their subjects do not hold those.
_NO_SUBJECT = set_of(
    """
    how what why where who which whether than that to not is are was were be has have had do does did can cannot could
    would should must and or never
    """
)
_BREAKS = set_of(
    "because if when while although since whereas so but than how why what unless until before after"
)
#: First words that are written small inside a sentence.
_SMALL_STARTS = set_of(
    """
    a an the it its it's this that these those there he she they we you his her their our your my one
    all both each every some many most few several no not in on at of to from for by with as if when
    while where which who what how why because since during after before between among about over under
    according however and or but so then is are was were has have had do does did can could will would
    may might must should yes being based born called coming given known located named situated
    roughly approximately nearly almost exactly only usually generally
    """
)
#: Common nouns that answers start with; they are no names.
_SMALL_NOUNS = set_of(
    """
    air nothing something someone nobody everyone water light people humans scientists plants animals cats
    dogs birds children men women gold silver iron
    copper lead tin zinc mercury carbon oxygen hydrogen nitrogen helium neon argon krypton xenon radon
    fluorine chlorine bromine iodine sulfur sulphur phosphorus silicon boron sodium potassium calcium
    magnesium aluminum aluminium lithium nickel cobalt platinum tungsten uranium titanium chromium
    manganese arsenic antimony bismuth barium radium plutonium
    """
)
_PLURAL_VERBS = set_of("are were have do aren't weren't")
#: Words for the people and things of a place, which are written large everywhere.
_PEOPLE = re.compile(r"[A-Z][a-z]*(?:ans?|ese|ish|ch|eeks?|ais?|iss|is?)|Athens|Texas")
_ELEMENT = re.compile(r"(?!Belg|Byzant|Elys|Actium)[A-Z][a-z]+ium")
_ABBREVIATED = re.compile(
    r"(?:^|\s)(?:\w|(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]\w?|Mt|St|Dr|Mr|Mrs|No|vs|etc|approx)\.$"
)
_LEAD = re.compile(
    r"(?:yes|no|actually|well|honestly|frankly|to be honest|in short|overall|simply put),\s+", re.IGNORECASE
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
        The first sentence or phrase, without its final mark.
    rest
        The sentences after it, as they came; empty for most answers.
    is_clause
        Whether it is a sentence with a verb, and not a phrase such as ``Paris`` or ``B``.
    lead
        What stays in front of a hedge, with its comma: *yes*, *no*, *to be honest*.
    """

    words: str
    rest: str
    is_clause: bool
    lead: str = ""

    def finish(self, sentence: str) -> str:
        """Return a whole answer from its first sentence, as it is hedged."""
        sentence = f"{self.lead} {sentence}" if self.lead else sentence
        end = "" if sentence.endswith((".", "!", "?")) else "."
        return f"{sentence[:1].upper()}{sentence[1:]}{end}{' ' if self.rest else ''}{self.rest}"


def read_sentence(text: str) -> Sentence:
    """Return the sentence of an answer that takes the hedge.

    >>> read_sentence("The capital is St. Louis.  It is large.")
    Sentence(words='The capital is St. Louis', rest='It is large.', is_clause=True, lead='')
    >>> read_sentence("B. Paris").is_clause
    False
    """
    clean = _EMPHASIS.sub(r"\2", LABEL.sub("", _outer_quotes(text.strip())))
    if clean.count('"') == 1:
        clean = re.sub(r'(?:(?<=\s)|^)"(?=\S)', "", clean)  # the answer was cut off before the other one
    end = next(sentence_ends(clean), len(clean))
    first, rest = clean[:end], clean[end:]
    words = " ".join(first.split()).rstrip(" .!?,;:")
    lead = _LEAD.match(words)
    if lead and _is_clause(words[lead.end() :]):
        return Sentence(words[lead.end() :], " ".join(rest.split()), True, lead[0].strip())
    rest = " ".join(rest.split())
    if rest and not _is_clause(words) and not _is_clause(rest):
        # "Invalid. Counterexample when J is true": one answer, whole.
        whole = " ".join(clean.split()).rstrip(" .!?,;:")
        return Sentence(whole if '"' in whole else f'"{whole}"', "", False)
    return Sentence(words, rest, _is_clause(words))


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
    if len(text) > 1 and text[0] in "\"“'" and text[-1] in "\"”'" and not re.search(r"[\"“”]", text[1:-1]):
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
    if position is None:
        return False
    subject = [token.lower().strip("\"'()") for token in words.split(" ")[:position]]
    if any(token.endswith((";", ":")) for token in subject):
        return False  # "Neither; the meeting was cancelled" answers before its sentence
    opening = subject[0].rstrip(",")
    if opening in CONDITION:
        # "If it rains, the streets are wet" is a sentence, "when it rains" is none.
        said = " ".join(subject).partition(",")[2].split()
        return bool(said) and said[0] not in _BREAKS
    return (
        opening not in _NO_SUBJECT
        and not PAST.fullmatch(opening)
        and not all(ADVERB.fullmatch(token) for token in subject)
        and not any(token.rstrip(",") in _BREAKS for token in subject[1:])
    )


def middle(words: str) -> tuple[str, str] | None:
    """Return a sentence cut in two where a hedging adverb stands best; None where none is known.

    After a form of *be*, a modal, or *have* before a participle; else before the verb, and before a verb
    that is negated.

    >>> middle("The capital of France is Paris")
    ('The capital of France is', 'Paris')
    >>> middle("The background does not say")
    ('The background', 'does not say')
    """
    position = main_verb(words)
    if position is None:
        return None
    tokens = words.split(" ")
    bare = tokens[position].lower()
    following = [token.lower() for token in tokens[position + 1 :]]
    participle = next((token for token in following if not ADVERB.fullmatch(token)), "")
    negated = following[:1] == ["not"] or bare.endswith("n't")
    after = bare in BE | MODALS or (bare in HAVE and PARTICIPLE.fullmatch(participle) is not None)
    if tokens[0].lower() == "no":
        return None  # "no animals can probably do it" says less than "probably no animals can"
    if after and (not negated or (following[:1] == ["not"] and bare in BE)) and following:
        cut = position + 1
    else:
        cut = position
        while cut > 1 and (tokens[cut - 1].lower() == "cannot" or ADVERB.fullmatch(tokens[cut - 1].lower())):
            cut -= 1
    return " ".join(tokens[:cut]), " ".join(tokens[cut:])


def opening_words(words: str) -> str:
    """Return a sentence as it goes on after an opening, its first word small where that is known to be right.

    Function words and a few common nouns lose the capital that the start of the sentence gave them; any other
    word might be a name and keeps it.

    >>> opening_words("The capital is Paris"), opening_words("Gold is dense"), opening_words("Paris is large")
    ('the capital is Paris', 'gold is dense', 'Paris is large')
    >>> opening_words("Located in Asia, it is large")
    'located in Asia, it is large'
    """
    first = re.match(r"[A-Z][a-z'’]*(?=[\s,]|$)", words)
    if first and _is_small(first[0], words[first.end() :].split()):
        return words[0].lower() + words[1:]
    return words


def _is_small(first: str, others: list[str]) -> bool:
    """Whether a word at the start of a sentence is surely no name."""
    if first == "I" or first.startswith(("I'", "I’")):
        return False
    spelt = first.lower().replace("’", "'")
    if (
        spelt in _SMALL_STARTS | _SMALL_NOUNS
        or spell_out(spelt)[0] in _SMALL_STARTS
        or _ELEMENT.fullmatch(first)
    ):
        return True
    if not others or _PEOPLE.fullmatch(first):
        return False
    if spelt in SMALL | TENS:
        return others[0].islower()  # "Two thirds", and not "Seven Samurai"
    plural = first.endswith("s") and others[0] in _PLURAL_VERBS
    # "Magic mushrooms are": after a name comes its verb, or another name.
    described = re.fullmatch(r"[a-z]{3,}s", others[0]) and others[1:2] and others[1] in KNOWN_VERBS
    return plural or bool(described and others[0] not in KNOWN_VERBS)
