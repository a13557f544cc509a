"""The words and sentences of an answer.

Every function takes any string, of any length, and returns in time linear in it: model output is untrusted.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from ralc.english.wordlists import word_list

#: Longest text looked at; an answer is one sentence.
LONGEST = 2000

_NO_WORDS = frozenset({"a", "an", "the", ""})
#: How an apostrophe is written, and the letters of transliterations that stand for one (ʿ, ʾ, the ʻokina): inside a
#: word it is no letter.
_APOSTROPHES = "'’‘`´′ʹʻʼʽʾʿˈ"
#: Words; a number has its sign, but where "-" joins two ("1939-45").
_WORD = re.compile(
    rf"(?:(?:(?<=[\s(\"'=])|^)[-−–])?\d+(?:[.,]\d+)*\w*|[^\W{_APOSTROPHES}]\w*(?:[.{_APOSTROPHES}]\w+)*"
)
#: "A" is a letter and no article where no word follows, or a small one follows within a sentence ("Vitamin A is").
_FOLLOWED = re.compile(r"\s+[\"'“‘]?\w")
_SMALL_AFTER_WORD = re.compile(r"(?<=\w )A\s+[^\W\d_A-Z]")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s$")
#: The full stops of "U.S".
_INITIALS = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z]\b)")
#: What a full stop stands behind within a sentence: a mark of a list, an initial of a name, an abbreviation.
_ABBREVIATED = re.compile(
    r"(?:^|\n)\s*\w\.$|\b[A-Z][\w.'’-]*\s[A-Z]\.$|(?<!\w)(?:[A-Za-z]\.){2,}$"
    r"|\b(?:Jr|Sr|Mt|St|Dr|Mr|Mrs|Ms|vs|etc|approx|c|ca)\.$"
)
_LONGEST_INITIAL = 30  # characters of a name and the initial behind it
# A run of marks or of space is tried from its start alone: from everywhere in it, 40,000 dots took 21 seconds.
# "No. 4" is a number, "No. It is" an answer.
_SENTENCE_END = re.compile(
    r"(?<![.!?])(?<!\b[Nn]o(?=\.\s\d))[.!?]++[\"'”’)]*+(?=\s+[\"'“(]?[A-Z0-9])|(?<!\s)\s*\n"
)
_CLAUSE_END = re.compile(
    r"(?<!\s)\s+[;:(\[]|[;:(\[]|,(?!\d)(?!\s*(?:or|and|nor|perhaps|maybe)\b)|\s(?:which|who|where|while|because|but)\s"
)
# A hyphen before a digit is a minus sign.
_LIST_MARK = re.compile(r"^(?:[\"'“*•\s]|-(?!\d))+")
#: What stands before an answer and says that it is one.
LABEL = re.compile(r"^(?:the )?(?:(?:correct|final|best) )?answer(?: is)?\s*:\s*", re.IGNORECASE)
# Two words and the space after them; what a third is made of.
_TWO_WORDS, _MORE = re.compile(r"\s*\S+\s+\S+\s+"), re.compile(r"[^\s,;:(]")


def set_of(listed: str) -> frozenset[str]:
    """Return the words of a list as a set."""
    return frozenset(listed.split())


#: Who speaks; "we" is mostly anybody.
SPEAKERS = word_list("speakers")
_VOWELS, _SUFFIXES = re.compile("[aeiou]"), ("d", "s", "ed", "es", "ing")
#: Words that claim nothing of their own: function words, hedges, words that only place an answer.
NAMING_WORDS = word_list("function_words", "hedge_words")
IDLE_WORDS = NAMING_WORDS | word_list("placing_words")
#: Contracted words that no ending explains, spelled out; and endings.
_WHOLE = {
    "can't": "can not",
    "cannot": "can not",
    "won't": "will not",
    "shan't": "shall not",
    "ain't": "is not",
    "let's": "let us",
    "dont": "do not",
    "im": "i am",
}
_ENDINGS = {"n't": "not", "'m": "am", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would"}
_CONTRACTED = re.compile(r"\b(?:[^\W\d_]++['’](?:t|m|re|ll|ve|d|s)|cannot|dont|im)\b", re.IGNORECASE)
#: Words after which *'s* is *is*, and not a genitive.
_IS = frozenset(["it", "that", "this", "he", "she", "who", "what", "there", "here", "where", "how"])


def spell_out(word: str) -> tuple[str, ...]:
    """Return a word in lower case without contraction; a genitive's ending is a word of its own.

    >>> spell_out("can't"), spell_out("it’s"), spell_out("paris's"), spell_out("sure")
    (('can', 'not'), ('it', 'is'), ('paris', "'s"), ('sure',))
    """
    word = word.replace("’", "'")
    if word in _WHOLE:
        return tuple(_WHOLE[word].split())
    for ending, full in _ENDINGS.items():
        if word.endswith(ending) and word != ending:
            return word[: -len(ending)], full
    if word.endswith("'s"):
        return word[:-2], "is" if word[:-2] in _IS else "'s"
    return (word,)


def in_full(text: str) -> str:
    """Return a text as it is written, but with its contractions spelled out; genitives stay.

    >>> in_full("It isn’t Peter's, I'd say")
    "It is not Peter's, I would say"
    """

    def full(found: re.Match[str]) -> str:
        parts = spell_out(found[0].lower())
        return found[0] if "'s" in parts else found[0][0] + " ".join(parts)[1:]

    return _CONTRACTED.sub(full, text)


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are written, without possessive endings and articles.

    >>> tokens("The symbol of Iron's oxide"), tokens("A vitamin: A")
    (['symbol', 'of', 'Iron', 'oxide'], ['vitamin', 'A'])
    """
    return [word for word, _, _ in spans(text)]


@lru_cache(maxsize=4096)
def spans(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the words of a text as `tokens` gives them, each with its first and the end of its last character.

    >>> spans("the Nile's U.S. sources")
    (('Nile', 4, 8), ('US', 11, 14), ('sources', 16, 23))
    """
    text = text[:LONGEST]
    found = ((_POSSESSIVE.sub("", match.group()), match.start()) for match in _WORD.finditer(text))
    return tuple(
        (_INITIALS.sub("", word), start, start + len(word))
        for word, start in found
        if plain(word) not in _NO_WORDS or _is_letter(word, start, text)
    )


def _is_letter(word: str, start: int, text: str) -> bool:
    """Whether "A" names a thing ("Vitamin A", a choice) and is no article."""
    alone = word == "a" and text.strip(" .()\"'“”") == "a"
    within = _SMALL_AFTER_WORD.match(text, start) or not _FOLLOWED.match(text, start + 1)
    return alone or bool(word == "A" and within)


def words(text: str) -> list[str]:
    """Return the words of a text in SQuAD's official normalisation, also without diacritics and possessives.

    Lower case, no punctuation, no articles (a, an, the), plain letters.

    >>> words("The city of Yaoundé!")
    ['city', 'of', 'yaounde']
    """
    return [plain(word) for word, _, _ in spans(text)]


def normalise(text: str) -> str:
    """Return a text in normalised form, words joined by spaces.

    >>> normalise("  A Côte d'Ivoire. ")
    'cote divoire'
    """
    return " ".join(words(text))


@lru_cache(maxsize=100_000)
def plain(word: str) -> str:
    """Return one word in lower case, without diacritics and punctuation; a number without its commas.

    >>> plain("N'Djaména"), plain("Ṣanʿāʾ"), plain("1,234.0"), plain("−5")
    ('ndjamena', 'sana', '1234', '-5')
    """
    letters = unicodedata.normalize("NFKD", word.casefold())
    if is_number(letters):
        # DEVIATES from SQuAD, to which 3.5, 35 and -35 are the same: decimal point and sign stay.
        letters = letters.replace(",", "").removesuffix(".0")
        return letters if letters[0].isdigit() else f"-{letters[1:]}"
    return "".join(letter for letter in letters if letter.isalnum() and letter not in _APOSTROPHES)


def alike(word: str, key: str) -> bool:
    """Return whether two plain words are one but for endings, vowels ("wrote"), or a slip ("Kazakhistan").

    >>> alike("died", "die"), alike("diet", "die"), alike("founded", "found")
    (True, False, True)
    """
    if word == key or len(key) < 4:
        return word.startswith(key) and word[len(key) :] in ("", *(_SUFFIXES if len(key) == 3 else ()))
    begins = word[: max(4, len(key) - 3)] == key[: max(4, len(key) - 3)] and abs(len(word) - len(key)) <= 3
    return begins or _VOWELS.sub("", word) == _VOWELS.sub("", key)


def is_number(word: str) -> bool:
    """Return whether a word is written in digits, below zero or not."""
    return word.lstrip("-−–")[:1].isdigit()


def is_name(word: str) -> bool:
    """Return whether a word is written as a name or a number."""
    return word[0].isupper() or is_number(word)


def sentence_ends(text: str) -> Iterator[int]:
    """Yield where the sentences of a text end, but for its last one; abbreviations end none.

    >>> list(sentence_ends("It is St. Louis. It is large."))
    [16]
    """
    for end in _SENTENCE_END.finditer(text):
        stop = end.start() + len(end.group().rstrip())
        if not _ABBREVIATED.search(text, max(0, stop - _LONGEST_INITIAL), stop):
            yield end.end()


def first_sentence(text: str) -> str:
    """Return the first sentence of an answer, without padding, quotes and list marks.

    >>> first_sentence("The capital is St. John's. It lies on Antigua.")
    "The capital is St. John's."
    """
    text = _LIST_MARK.sub("", text[:LONGEST].strip())
    text = LABEL.sub("", text).lstrip("\"'“ \n")
    return " ".join(text[: next(sentence_ends(text), None)].split()).rstrip('"”*')


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of an answer, each without padding, quotes and list marks.

    >>> list(sentences("I have no idea. Paris?"))
    ['I have no idea.', 'Paris?']
    """
    text = text[:LONGEST]
    start = 0
    for end in (*sentence_ends(text), len(text)):
        sentence = first_sentence(text[start:end])
        start = end
        if sentence:
            yield sentence


def cut_off(sentence: str) -> str:
    """Return a sentence that breaks off without the clause in which it does, if three words are left.

    >>> cut_off("The symbol is Fe, which stands for")
    'The symbol is Fe'
    """
    two = _TWO_WORDS.match(sentence)
    third = _MORE.search(sentence, two.end()) if two else None
    ends = [end.start() for end in _CLAUSE_END.finditer(sentence)]
    if third is None or not ends or ends[-1] <= third.start():
        return sentence
    return sentence[: ends[-1]].rstrip(" ,;:(")
