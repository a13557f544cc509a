"""The words and sentences of an answer.

Every function takes any string, of any length, and returns in time linear in it: model output is untrusted.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

#: Longest text looked at; an answer is one sentence.
LONGEST = 2000

_NO_WORDS = frozenset({"a", "an", "the", ""})
#: How an apostrophe is written, and the letters of transliterations that stand for one (ʿ, ʾ, the ʻokina): inside a
#: word it is no letter.
_APOSTROPHES = "'’‘`´′ʹʻʼʽʾʿˈ"
_WORD = re.compile(rf"\d+(?:[.,]\d+)*\w*|[^\W{_APOSTROPHES}]\w*(?:[.{_APOSTROPHES}]\w+)*")
#: "A" is a letter and no article where no word follows, or a small one follows within a sentence ("Vitamin A is").
_FOLLOWED = re.compile(r"\s+[\"'“‘]?\w")
_SMALL_AFTER_WORD = re.compile(r"(?<=\w )A\s+[^\W\d_A-Z]")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}]s$")
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
SPEAKERS = set_of("i me my mine")
_FUNCTION_WORDS = set_of(
    """
    a an the is are was were be been being am in on at of to from for by with as it its this that
    these those there and or not no do does did has have had i my me we you your he she they their
    them his her him will would can could may might must should very also so than then into over under
    about what which who whom whose where when why how if but however though although now today here
    indeed actually really fact
    """
)
_HEDGE_WORDS = set_of(
    """
    think believe guess suppose assume estimate reckon bet probably possibly perhaps maybe likely
    unlikely certainly definitely surely sure certain confident uncertain unsure seems seem appears apparently
    presumably answer option choice correct right cannot
    """
)
_PLACING_WORDS = set_of(
    """
    located situated found lies part known called named city country state capital region area
    province northern southern eastern western northeast northwest southeast
    southwest central largest major official specifically
    """
)
#: Words that claim nothing of their own: function words, hedges, words that only place an answer.
NAMING_WORDS = _FUNCTION_WORDS | _HEDGE_WORDS
IDLE_WORDS = NAMING_WORDS | _PLACING_WORDS


def tokens(text: str) -> list[str]:
    """Return the words of a text as they are written, without possessive endings and articles.

    >>> tokens("The symbol of Iron's oxide"), tokens("A vitamin: A")
    (['symbol', 'of', 'Iron', 'oxide'], ['vitamin', 'A'])
    """
    return [word for word, _, _ in spans(text)]


@lru_cache(maxsize=4096)
def spans(text: str) -> tuple[tuple[str, int, int], ...]:
    """Return the words of a text as `tokens` gives them, each with its first and the end of its last character.

    >>> spans("the Nile's")
    (('Nile', 4, 8),)
    """
    text = text[:LONGEST]
    found = ((match.group(), match.start()) for match in _WORD.finditer(text))
    bare = ((_POSSESSIVE.sub("", word), start) for word, start in found)
    return tuple(
        (word, start, start + len(word))
        for word, start in bare
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

    >>> plain("N'Djaména"), plain("Ṣanʿāʾ"), plain("1,234.0")
    ('ndjamena', 'sana', '1234')
    """
    letters = unicodedata.normalize("NFKD", word.casefold())
    if letters[:1].isdigit():
        # DEVIATES from SQuAD, to which 3.5 and 35 are the same: a decimal point stays.
        letters = letters.replace(",", "")
        return letters[:-2] if letters.endswith(".0") else letters
    return "".join(letter for letter in letters if letter.isalnum() and letter not in _APOSTROPHES)


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
