"""How a sentence is aligned with a question: whether it is about its thing, and what it adds to it."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from ralc.english.normalisation import (
    IDLE_WORDS,
    LONGEST,
    NAMING_WORDS,
    SPEAKERS,
    plain,
    set_of,
    tokens,
    words,
)
from ralc.english.quantities import in_digits

PRONOUNS = set_of("it its this these they them he she his her their answer one guess background passage text")
VERBS = set_of(
    """
    is are was were be been has have had does do did can could will would may might lies lie lived lives took takes
    became becomes stands means contains belongs wrote won said made built discovered invented founded developed led
    """
)
_ASKED = re.compile(r"\b(?:do|does|did)\s+(?:(?:a|an|the|you)\s+)?(.+?)\s+\w+\W*$", re.IGNORECASE)
#: What holds many places: said beside a place it claims nothing, alone it names none.
CONTAINERS = set_of(
    """
    africa african america americas american asia asian europe european union oceania caribbean latin world earth
    united states us usa uk north south east west central middle midwest southern northern eastern western
    northwest northeast southeast southwest pacific atlantic
    """
)
# What is in brackets, and what else the thing is that was named last: ", another Dutch master".
_BESIDE = re.compile(r"\([^()]*\)|, (?:an?|another|one)\b[^,]*$")
_VOWELS = re.compile("[aeiou]")
_ATTRIBUTE = re.compile(r"\bwhat (?:is|was) the (?:\w+ )*?(\w+) of\b", re.IGNORECASE)
_OF = re.compile(r".*\b(?:of|for|in|from|by|to)\s+(.+)$", re.IGNORECASE)
#: The unit in which an answer is asked for: "in grams per cubic centimetre".
_IN_UNITS = re.compile(r"(?<!\s)\s+in [a-z]+ per (?:(?:square|cubic) )?[a-z]+\W*+$", re.IGNORECASE)


def added_words(text: str, question: str) -> list[str]:
    """Return the words of a text that say more than the question, as they are written.

    >>> added_words("The capital is Nairobi, I think.", "What is the capital of Kenya?")
    ['Nairobi']
    """
    idle = idle_in(question)
    return [word for word in tokens(text) if plain(word) not in idle]


def is_name(word: str) -> bool:
    """Whether a word is written as a name or a number."""
    return word[0].isupper() or word[0].isdigit()


def on_topic(sentence: str, question: str) -> bool:
    """Return whether a sentence is about what was asked, or too short to be about anything else.

    It is not when it has a verb and, without the question's thing or a pronoun, speaks of other things on both
    sides of it: "Paris is in Texas" is no answer to the capital of France.

    >>> on_topic("The capital of Spain is Madrid.", "What is the capital of France?")
    False
    """
    if mentions_asked(sentence, question):
        return True
    spoken = words(sentence)
    place = next((place for place, word in enumerate(spoken) if word in VERBS), None)
    if place is None:
        return True
    written = tokens(sentence)
    asked = frozenset(words(question))
    return not (_foreign(written[:place], asked) and _foreign(written[place + 1 :], asked))


def mentions_asked(sentence: str, question: str) -> bool:
    """Return whether a sentence names the question's thing, or stands in for it by a pronoun."""
    spoken = words(sentence)
    keys = key_words(question)
    named = sum(any(alike(word, key) for word in spoken) for key in keys)
    # One word of a name is not the name: Fort Worth is not Fort Collins.
    return not keys or bool(PRONOUNS & set(spoken)) or named >= (2 if len(keys) in {2, 3} else 1)


def of_another(sentence: str, question: str, names: Sequence[str]) -> bool:
    """Return whether a sentence says some names of something that the question does not name.

    >>> of_another("A dog has eight legs.", "How many legs does a spider have?", ["eight"])
    True
    """
    said = words(_BESIDE.sub("", sentence))
    opinion = not SPEAKERS.isdisjoint(said) or said[:1] in (["that"], ["there"])
    elliptic = said[-1:] and said[-1] in VERBS  # "Fleming did."
    if opinion or elliptic or not has_verb(sentence) or mentions_asked(sentence, question):
        return False
    known = NAMING_WORDS.union(words(question), VERBS, *(words(name) for name in names))
    terms = {word for word in words(question) if word not in NAMING_WORDS}
    new = (word for word in set(said) - known if not word[0].isdigit())
    return any(not any(alike(word, term) for term in terms) for word in new)


def _foreign(written: list[str], asked: frozenset[str]) -> bool:
    """Whether one side of a verb speaks of other things than the question."""
    spoken = [plain(word) for word in written]
    other = [word not in asked and word not in IDLE_WORDS for word in spoken]
    if not any(other):
        return False
    named = any(new and word[0].isupper() for new, word in zip(other, written, strict=True))
    related = asked - IDLE_WORDS
    of_other = any(
        new and spoken[place - 1] in {"of", "for"} and related & set(spoken[: place - 1])
        for place, new in enumerate(other)
        if place
    )
    return named or of_other or not related & set(spoken)


@lru_cache(maxsize=50_000)
def key_words(question: str) -> frozenset[str]:
    """Return the words of a question for the thing that it asks about: its names, else its last noun phrase.

    >>> sorted(key_words("In which US state is the city of Fort Collins?")), sorted(key_words("How old is a cat?"))
    (['collins', 'fort'], ['cat', 'old'])
    >>> sorted(key_words("What is the density of zinc in grams per cubic centimetre?"))
    ['zinc']
    >>> sorted(key_words("What is the largest organ in humans?"))
    ['humans']
    """
    question = _IN_UNITS.sub("", question[:LONGEST])
    written = tokens(question)
    names = {plain(word) for word in written[1:] if word[0].isupper() and len(word) > 2}
    asked = _ASKED.search(question) or _OF.match(question)
    for found in (names, set(words(asked[1])) if asked else set(), set(words(question))):
        if found - IDLE_WORDS:
            return frozenset(found - IDLE_WORDS)
    return frozenset()


def alike(word: str, key: str) -> bool:
    """Return whether two words are one but for their endings, vowels ("sank") or a slip of the pen ("Kazakhistan").

    >>> alike("died", "die"), alike("diet", "die")
    (True, False)
    """
    if word == key or (len(key) >= 4 and _VOWELS.sub("", word) == _VOWELS.sub("", key)):
        return True
    if len(key) == 3:
        return word.startswith(key) and word[3:] in {"d", "s", "ed", "es", "ing"}
    shared = max(4, len(key) - 3)
    return abs(len(word) - len(key)) <= 3 and len(key) >= 4 and word[:shared] == key[:shared]


def among(some: Collection[str], others: Collection[str]) -> set[str]:
    """Return those of some words that are among others, but for their endings."""
    return {word for word in some if any(alike(word, other) for other in others)}


def has_verb(text: str) -> bool:
    """Return whether a text has one of the commonest finite verbs."""
    return not VERBS.isdisjoint(words(text))


def claim_words(text: str, question: str) -> list[str]:
    """Return the words of a text beyond the question's, as they are written.

    Function words, hedges and words that only place an answer ("located", "northern") are left out; where
    nothing is left, the question's own are kept.

    >>> claim_words("the capital of Kenya is Nairobi", "What is the capital of Kenya?")
    ['Nairobi']
    """
    asked = idle_in(question)
    written = tokens(text)
    kept = [word for word in written if plain(word) not in asked]
    return kept or [word for word in written if plain(word) not in NAMING_WORDS]


@lru_cache(maxsize=50_000)
def without_background(question: str) -> str:
    r"""Return a question without the background before it, as in a prompt.

    >>> without_background("Background: Oslo is cold.\n\nQuestion: Is it?")
    'Is it?'
    """
    return question.rpartition("\nQuestion: ")[2]


@lru_cache(maxsize=1000)
def idle_in(question: str) -> frozenset[str]:
    """The words that claim nothing in an answer to a question."""
    return IDLE_WORDS.union(words(question), words(in_digits(question)))


def relates(sentence: str, question: str) -> bool:
    """Return whether a sentence answers what was asked, however wrongly: a bare phrase, or one in its terms.

    >>> relates("Cobalt is a metal.", "What is the chemical symbol of cobalt?")
    False
    """
    spoken = set(words(sentence))
    if not spoken & VERBS or spoken & PRONOUNS:
        return True
    asked = _ATTRIBUTE.search(question)
    terms = set(words(asked[1] if asked else question)) - NAMING_WORDS
    return not terms or bool(terms & spoken)
