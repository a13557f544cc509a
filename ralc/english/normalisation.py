"""The words, numbers and sentences of an answer.

Every function takes any string, of any length, and returns in time linear in it: model output is untrusted.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from ralc.english.wordlists import LISTS, phrases, word_list

#: Longest text looked at; an answer is one sentence.
LONGEST = 2000

_NO_WORDS = frozenset({"a", "an", "the", ""})
#: How an apostrophe is written, and the letters of transliterations that stand for one (ʿ, ʾ, the ʻokina): inside a
#: word it is no letter.
_APOSTROPHES = "'’‘`´′ʹʻʼʽʾʿˈ"
#: Words. A number has its sign, but where "-" joins two ("1939-45"), and commas of thousands, but none of "(2,5)".
_WORD = re.compile(
    rf"(?:(?:(?<=[\s(\"'=])|^)[-−–])?\d+(?:(?:,\d\d)*,\d{{3}}(?!\d))*(?:\.\d+)*\w*|[^\W{_APOSTROPHES}]\w*(?:[.{_APOSTROPHES}]\w+)*"
)
#: "A" is a letter and no article where no word follows, or a small one follows within a sentence ("Vitamin A is").
_FOLLOWED = re.compile(r"\s+[\"'“‘]?\w")
_SMALL_AFTER_WORD = re.compile(r"(?<=\w )A\s+[^\W\d_A-Z]")
_POSSESSIVE = tuple(f"{mark}s" for mark in _APOSTROPHES)
#: The full stops of "U.S".
_INITIALS = re.compile(r"(?<=\b[A-Z])\.(?=[A-Z]\b)")
_LONGEST_INITIAL = 30
# A hyphen before a digit is a minus sign.
_LIST_MARK = re.compile(r"^(?:[\"'“*•\s]|-(?!\d))+")

#: The value of each word that numbers are made of.
SMALL = {word: value for value, word in enumerate(LISTS["units"])}
TENS = {word: 10 * place for place, word in enumerate(LISTS["tens"], start=2)}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_VALUES = SMALL | TENS
_MULTIPLES = SCALES | {"dozen": 12}
_ALONE = {word: str(value) for word, value in _VALUES.items()}
_ALONE |= {word: f"{value}{'rd' if value == 3 else 'th'}" for value, word in enumerate(LISTS["ordinals"], 3)}
_NUMERAL = (
    rf"\b(?=[{''.join({word[0] for word in _ALONE | _MULTIPLES})}])(?:{'|'.join(_ALONE | _MULTIPLES)})\b"
)
_PIECE = rf"(?:(?<![\d.,])\d++(?:,\d{{3}})*(?:\.\d++)?+(?!\.*\w)|{_NUMERAL})"
#: A number: pieces with nothing but spaces, a hyphen or "and" between them.
_RUN = re.compile(
    rf"(?:\ba (?=(?:dozen|hundred|thousand)\b))?{_PIECE}(?:(?: +and)?[ -]+{_PIECE}){{0,11}}", re.IGNORECASE
)
_MINUS = re.compile(r"\bminus\s+(?=\d)", re.IGNORECASE)
_NO_ZERO = re.compile(r"(?<![\w.,])\.(?=\d)")
_FINAL_ZEROS = re.compile(r"(?<=\d)(?:\.|(\.\d*[1-9]))0+")
_TIME = re.compile(r"\b0?(\d\d?)(?:\.(?=\d\d\s*[ap]\.?m\b)|:(?=\d\d\b))", re.IGNORECASE)
#: A time of twelve hours with the half of its day.
_TWELVE = re.compile(r"\b(1[0-2]|0?[1-9])(?:[:.](\d\d))?\s*([ap])\.?\s?m\b\.?", re.IGNORECASE)
_LATEX_FRACTION = re.compile(r"\\[dt]?frac *(?:\{(\d+)\}|(\d)) *(?:\{(\d+)\}|(\d))")
#: "½"; "1e3"; "025".
_VULGAR = re.compile("[\u00bc-\u00be\u2150-\u215e]")
_POWER = re.compile(r"(?<![\w.,])\d{1,6}(?:\.\d{1,6})?[eE][-+]?\d{1,2}\b")
_ZEROS = re.compile(r"(?<![\w.,:/-])0+(?=[1-9]\d*+(?![\w:/-]|[.,]\d))")
_FRACTION = re.compile(r"(?<![\w/.,])(?:(\d{1,3}) )?(\d{1,3}) ?/ ?([1-9]\d{0,2})(?![\w/])")
_PERCENTAGE = re.compile(r"\b(\d+(?:\.\d+)?)\s*(?:%|per ?cent\b)", re.IGNORECASE)
#: Who speaks; "we" is mostly anybody.
SPEAKERS = word_list("speakers")
_VOWELS = re.compile("[aeiou]")
_SUFFIXES = ("d", "s", "ed", "es", "ing")
#: Words that claim nothing of their own: function words, hedges, words that only place an answer.
NAMING_WORDS = word_list("function_words", "hedge_words")
IDLE_WORDS = NAMING_WORDS | word_list("placing_words")
#: What contracted words, and endings, are in full: "can't=can_not", "'m=am".
_CONTRACTIONS = dict(pair.split("=") for pair in word_list("contractions"))
_CONTRACTED = re.compile(r"\b(?:[^\W\d_]++['’](?:t|m|re|ll|ve|d|s)|cannot|dont|im)\b", re.IGNORECASE)


@lru_cache(maxsize=2_500)
def spell_out(word: str) -> tuple[str, ...]:
    """Return the words of one in lower case without contraction; a genitive's ending is a word of its own."""
    word = word.replace("’", "'")
    if word in _CONTRACTIONS:
        return tuple(_CONTRACTIONS[word].split("_"))
    place = max(len(word) - 3, 0) if word.endswith("n't") else word.rfind("'")
    stem, ending = (word[:place], word[place:]) if place > 0 else (word, "")
    if ending == "'s":
        return stem, "is" if stem in word_list("contracted_with_is") else ending
    return (stem, _CONTRACTIONS[ending]) if ending in _CONTRACTIONS else (word,)


def in_full(text: str) -> str:
    """Return a text as it is written, but with its contractions spelled out; genitives stay."""

    def full(match: re.Match[str]) -> str:
        parts = spell_out(match[0].lower())
        return match[0] if "'s" in parts else match[0][0] + " ".join(parts)[1:]

    return _CONTRACTED.sub(full, text)


@lru_cache(maxsize=2_500)
def spans(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the words of a text as they are written, each with its first and the end of its last character."""
    text = text[:LONGEST]
    pairs = ((_without_ending(match[0]), match.start()) for match in _WORD.finditer(text))
    return tuple(
        (_INITIALS.sub("", word) if "." in word else word, start, start + len(word))
        for word, start in pairs
        if plain(word) not in _NO_WORDS or _is_letter(word, start, text)
    )


def _without_ending(word: str) -> str:
    """A word without the ending of its genitive."""
    return word[:-2] if word.endswith(_POSSESSIVE) else word


def _is_letter(word: str, start: int, text: str) -> bool:
    """Whether "A" names a thing ("Vitamin A", a choice) and is no article."""
    alone = word == "a" and text.strip(" .()\"'“”") == "a"
    within = _SMALL_AFTER_WORD.match(text, start) or not _FOLLOWED.match(text, start + 1)
    return alone or bool(word == "A" and within)


def words(text: str, *, written: bool = False) -> list[str]:
    """Return the words of a text in SQuAD's official normalisation, also without diacritics and possessives.

    Lower case, no punctuation, no articles (a, an, the), plain letters; where `written`, as they stand there.
    """
    return [word for word, _, _ in spans(text)] if written else [*_plain_words(text)]


@lru_cache(maxsize=2_500)
def _plain_words(text: str) -> tuple[str, ...]:
    """The words of a text in plain letters."""
    return tuple(plain(word) for word, _, _ in spans(text))


def normalise(text: str) -> str:
    """Return a text in normalised form, words joined by spaces."""
    return " ".join(words(text))


@lru_cache(maxsize=2_500)
def plain(word: str) -> str:
    """Return one word in lower case, without diacritics and punctuation; a number without its commas.

    >>> plain("N'Djaména"), plain("Ṣanʿāʾ"), plain("1,234.50"), plain("−5")
    ('ndjamena', 'sana', '1234.5', '-5')
    """
    letters = unicodedata.normalize("NFKD", word.casefold())
    if is_number(letters):
        # DEVIATES from SQuAD, to which 3.5, 35 and -35 are the same: decimal point and sign stay.
        letters = letters.replace(",", "")
        letters = _FINAL_ZEROS.sub(r"\1", letters) if letters.count(".") == 1 else letters
        return letters if letters[0].isdigit() else f"-{letters[1:]}"
    return "".join(letter for letter in letters if letter.isalnum() and letter not in _APOSTROPHES)


@lru_cache(maxsize=2_500)
def alike(word: str, key: str) -> bool:
    """Return whether two plain words are one but for endings, vowels ("wrote"), or a slip ("Kazakhistan")."""
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


@lru_cache(maxsize=2_500)
def in_digits(text: str) -> str:
    """Return a text with its numbers written in digits: words, those with a scale, ordinals up to 20th, fractions.

    >>> in_digits("Twenty-one, 2 million, 1 1/2, .5, 10.30 pm, 09:05")
    '21, 2000000, 1.5, 0.5, 10:30 pm, 9:05'
    """
    text = _VULGAR.sub(
        lambda one: f" {unicodedata.normalize('NFKC', one[0])}".replace("\u2044", "/"), text[:LONGEST]
    )
    text = _POWER.sub(lambda number: _written(float(number[0])), _ZEROS.sub("", text))
    text = _MINUS.sub("-", _RUN.sub(_digits, _LATEX_FRACTION.sub(r"\1\2/\3\4", text)))
    return _FRACTION.sub(_decimal, _NO_ZERO.sub("0.", _TIME.sub(r"\1:", text)))


def _decimal(match: re.Match[str]) -> str:
    """The value of a fraction, and of a whole number before a proper one."""
    whole, top, bottom = (int(part or 0) for part in match.groups())
    return match[0] if whole and top >= bottom else _written(whole + top / bottom)


def _written(value: float) -> str:
    """How a number is written in digits."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def of_twenty_four_hours(text: str) -> str:
    """Return a text with its times of twelve hours, which say the half of the day, as times of twenty-four.

    >>> of_twenty_four_hours("12.05 am, 2 pm, 2:05 p.m., 2:05")
    '0:05, 14:00, 14:05, 2:05'
    """
    return _TWELVE.sub(lambda time: f"{int(time[1]) % 12 + 12 * (time[3] in 'pP')}:{time[2] or '00'}", text)


def in_shares(text: str) -> str:
    """Return a text with its percentages as shares of one: "80 %" is 0.8."""
    return _PERCENTAGE.sub(lambda match: _written(float(match[1]) / 100), text)


def _digits(match: re.Match[str]) -> str:
    """The digits of a number; of words that are no one number, such as "two and three", those of each."""
    words = re.split(r"[ -]+", re.sub(r"^a\b", "one", match[0].lower()))
    value = _value(words) if len(words) > 1 else None
    if value is not None:
        return _written(value)
    # "The right one" is no number.
    if words == ["one"] and phrases("one_thing").search(
        match.string, max(0, match.start() - 25), match.end()
    ):
        return match[0]
    return re.sub(_NUMERAL, lambda word: _ALONE.get(word[0].lower(), word[0]), match[0], flags=re.IGNORECASE)


def _value(words: list[str]) -> float | None:
    """The value of a number in words and scales; None where they are several numbers side by side."""
    total = current = last = 0.0
    for word in words:
        if word == "and":
            continue
        if word in _MULTIPLES:
            current = (current or 1) * _MULTIPLES[word]
            if word != "hundred":
                total += current
                current = 0.0
            last = 0.0
            continue
        value = float(word.replace(",", "")) if word[0].isdigit() else float(_VALUES.get(word, -1))
        # "twenty four" is one number, "four five" and "1066 1067" are two.
        if value < 0 or (last and not (last in range(20, 100, 10) and 0 < value < 10)):
            return None
        current += value
        last = value
    return total + current


def sentence_ends(text: str) -> Iterator[int]:
    """Yield where the sentences of a text end, but for its last one; abbreviations end none."""
    for end in phrases("sentence_end").finditer(text):
        stop = end.start() + len(end.group().rstrip())
        if not phrases("abbreviated").search(text, max(0, stop - _LONGEST_INITIAL), stop):
            yield end.end()


def first_sentence(
    text: str, *, cut: bool = False, ends: Callable[[str], Iterator[int]] = sentence_ends
) -> str:
    """Return the first sentence of an answer, without padding, quotes and list marks.

    Parameters
    ----------
    text
        The answer, of which `LONGEST` characters are looked at.
    cut
        Whether it was cut off. A sentence that then breaks off goes without its last clause, if three words are left.
    ends
        Yields where the sentences of a text end, but for its last one, in characters.
    """
    text = _LIST_MARK.sub("", text[:LONGEST].strip())
    text = phrases("answer_label").sub("", text).lstrip("\"'“ \n")
    sentence = " ".join(text[: next(ends(text), None)].split()).rstrip('"”*')
    if not cut or sentence.endswith((".", "!", "?")):
        return sentence
    ends = [end.start() for end in phrases("clause_end").finditer(sentence)]
    shortened = sentence[: ends[-1]].rstrip(" ,;:(") if ends else ""
    return shortened if len(shortened.split()) > 2 else sentence


def answer_line(text: str) -> str:
    """Return what a text says to be its answer in a line behind others; the whole text where it has no such line."""
    tail = text[-LONGEST:]
    lines = phrases("boxed").findall(tail)
    if not lines and ("\n" in text.strip() or len(text) > LONGEST):
        lines = phrases("answer_line").findall(tail)
    return lines[-1] if lines and words(lines[-1]) else text


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of an answer, each without padding, quotes and list marks."""
    text = text[:LONGEST]
    start = 0
    for end in (*sentence_ends(text), len(text)):
        sentence = first_sentence(text[start:end])
        start = end
        if sentence:
            yield sentence
