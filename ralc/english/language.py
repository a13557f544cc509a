"""The language of a text: English, or another one in Latin letters; a few words must do.

A logistic regression on words and their letters (``ralc/data/language.json``, made by ``studies/language.py``) gives
the log-odds of another language. Names are of any language, so what is written with a capital says nothing.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from ralc import data
from ralc.english.wordlists import case_of, word_list

#: Letters of a feature.
_SIZES = (2, 3)
#: Words of a text that are looked at.
_MOST = 200
#: Contractions, which are of English alone; a verb and a word behind it that no other language has together ("Eine
#: kleine Nachtmusik is by Mozart."), a pronoun and its verb, and a date ("Neil Armstrong, on July 20, 1969.").
_JOINED = re.compile(
    r"(?i:\b(?:I['’](?:m|d|ve|ll)|(?:it|that|there|he|she)['’]s|\w+n['’]t)\b)"
    r"|\b(?:is|was|are|were) (?:an?|born|called|from|in the|not|of|one|the|(?:\w+ )?by)\b"
    r"|\b(?:[Ii]t|[Tt]here|[Tt]hey|[Ss]he) (?:is|was|are|were)\b"
    r"|\b(?:in|on) (?:January|February|March|April|May|June|July|August|September|October|November|December) \d"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TERM = re.compile(rf"\d+|{_WORD.pattern}")


#: A day and its month ("14 juillet 1789"), a case or *is* behind a name ("Ankara'da", "Ankara'dır"), whose something is
#: ("Penulisnya Toer."), a verb ("Kedi uyuyor"), what something is in Dutch ("Sneeuw is wit."), two words with letters
#: that no loan has ("Kot śpi.", not "Salade niçoise."), a word with a tone of Vietnamese inside, none of English.
_FOREIGN = (
    r"[ıiuü]yor\b|^[^\W\d_]+ (?=\S*[äåæğıöøüāăąćčďđėęěīįķĺľłļńňőœřśšşťţůűźżžșțý])[a-zß-žșț]+[.!]$"
    r"| is (?:bang|boos|diep|dood|droog|hoog|jong|lang|licht|moe|mooi|rauw|snel|sterk|vals|vers|wit|zwak)[.!]$"
    r"|\b(?:\d{{1,2}}\.?(?: de)?|[ei]n) (?:{months})\b|^[A-Z][a-z]{{4,}}nya (?=[A-Z])"
    r"|\b[A-ZÇĞİÖŞÜ]\w+['’](?:[dt][ae]n?|[dt][ıiuü]r|y[aeıi]|n[ıiuü]n)\b"
    r"|\s[a-zà-ỹ]*[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]\w*\s"
)
#: An article or a preposition that is one word with a name: "d'Ivoire".
_ELIDED = re.compile(r"[dl]['’][A-ZÀ-Þ]")
#: A letter of a choice; a capital, and what ends a sentence.
_LETTER = re.compile(r"^\W*[A-Z][.):]\s+")
_SENTENCE = re.compile(r"[\W\d]*+(?![a-zà-ÿ]).*[.!?]\W*", re.DOTALL)


#: Log-odds from which two words are no English where nobody asked. Of SQuAD's and MMLU's answers of two words 0.3 %
#: are mistaken; of sentences of two words (Polish-LFG, Portuguese-Bosque and others) nine in ten are found.
_UNASKED = 2.5


class LanguageModel(NamedTuple):
    """A logistic regression on the words of a text that are no names.

    ``weights`` are of words (``^ist$``), of two and three letters of a word that is not listed as English (``sch``), of
    a listed word (``+``), of one that is not (``?``), also with letters that English has not (``ñ``), of one that is
    English alone (``!``). A verb of another language that is listed (``=``) has no weight. ``thresholds`` are the
    log-odds from which a text of each kind is of another language.
    """

    weights: dict[str, float]
    intercept: float
    thresholds: dict[str, float]

    @staticmethod
    def kind(text: str, features: Mapping[str, int]) -> str:
        """Return whether a text is a ``sentence`` or a ``phrase``, of one or two words a ``remark`` or a ``pair``.

        A sentence is ``unsure`` without a word that is English alone, where it does not open with an English word.
        """
        whole = _SENTENCE.fullmatch(text)
        terms = _TERM.findall(text)
        if len(terms) < 3:
            return "remark" if whole else "pair"
        if not whole:
            return "phrase"
        first = terms[0]
        shared = first.lower() in word_list("shared_function_words")  # "On part demain."
        # "Call me Ishmael.", "MRI visualises tissue.", but not "Water is nat."
        opens = (
            first == "I"
            or first[1:].isupper()
            or (case_of(first.lower()) == "small" and not (shared or features["?"]))
        )
        return "sentence" if features["!"] or opens else "unsure"

    @staticmethod
    def features(text: str) -> Counter[str]:
        """Return how often a text has each feature; a name, and its first word before one, has none."""
        found = _WORD.findall(text)[:_MOST]
        counts = Counter({"!": sum(map(_is_sure, found))})
        for at, written in enumerate(found):
            if _is_name(found, at):
                continue
            word = written.lower()
            marked = f"^{word}$"
            counts[marked] += not _is_sure(word)
            if case_of(word) in ("small", "both"):
                counts["=" if word in word_list("foreign_verbs") else "+"] += 1
                continue
            counts["?"] += 1
            counts["ñ"] += not word.isascii()
            counts.update(
                marked[start : start + size] for size in _SIZES for start in range(len(marked) - size + 1)
            )
        return counts

    def log_odds(self, features: Mapping[str, int]) -> float:
        """Return the log-odds that a text with these features is of another language."""
        return self.intercept + sum(self.weights.get(name, 0.0) * count for name, count in features.items())


def _is_name(words: list[str], at: int) -> bool:
    """Whether a word is a name, or stands inside one ("Ludwig van der Rohe"); the first may be written so."""
    word = words[at]
    particles = word_list("particles")
    if word[0].isupper():
        if at > 0 or word.isupper():
            return True
        opens = len(words) > 1 and words[1][0].islower()
        listed = case_of(re.split("['’]", word)[0]) == "large"  # "Bangkok is in Thailand."
        return listed or not (opens or word.lower() in _english_words())
    if word not in particles:
        return _ELIDED.match(word) is not None
    before = next((word for word in reversed(words[max(at - 2, 0) : at]) if word not in particles), "")
    behind = next((word for word in words[at + 1 : at + 3] if word not in particles), "")
    return before[:1].isupper() and behind[:1].isupper()


@cache
def _model() -> LanguageModel:
    table = json.loads(data.path("language.json").read_text(encoding="utf-8"))
    return LanguageModel(**{field: table[field] for field in LanguageModel._fields})


@lru_cache(maxsize=5_000)
def is_english(text: str) -> bool:
    """Return whether a text is, or may be, English: a name alone may, in any Latin spelling.

    >>> is_english("Die Testphase dauert 14 Tage."), is_english("Die Zauberflöte is by Mozart."), is_english("Łódź")
    (False, True, True)
    """
    text = _LETTER.sub("", text, count=1)
    words = _WORD.findall(text)[:_MOST]
    if not (text.isascii() or _is_latin(words)):
        return False
    if _JOINED.search(text):
        return True
    if _foreign_subject("foreign_pronouns").match(text):
        return False
    small = {word for word in words if word[0].islower()}
    if small - word_list("particles") == {"in"}:  # "Vasco da Gama, in 1498."
        return True
    model = _model()
    features = LanguageModel.features(text)
    forms = (_foreign_verb(), _foreign_form(), _foreign_subject("foreign_articles"))
    if not features["!"] and any(one.search(text) for one in forms):
        return False
    if _joins_names(words):
        return True
    names_alone = len({*words}) < 2 or features.keys().isdisjoint("+=?")
    threshold = model.thresholds[model.kind(text, features)]
    return names_alone or model.log_odds(features) < threshold or _follows_title(words)


def replies_in_english(text: str, question: str) -> bool:
    """Return whether a text that may be English is, by a word of English alone or what was asked in English.

    >>> replies_in_english("Water is nat.", "Wat is het antwoord?"), replies_in_english("Water is nat.", "Is it wet?")
    (False, True)
    """
    sure = any(map(_is_sure, _WORD.findall(text)[:_MOST]))
    return sure or bool(_JOINED.search(text)) or is_english(question)


def is_odd_remark(text: str) -> bool:
    """Return whether two words are rather a sentence of another language, where no question says which is spoken.

    >>> is_odd_remark("Oggi piove."), is_odd_remark("Homo sapiens."), is_odd_remark("Björk sings.")
    (True, False, False)
    """
    features = LanguageModel.features(text)
    return LanguageModel.kind(text, features) == "remark" and _model().log_odds(features) >= _UNASKED


def _follows_title(words: list[str]) -> bool:
    """Whether words behind a title are English: "Cien años de soledad appeared in 1967."."""
    unlisted = [
        at for at, word in enumerate(words) if case_of(word.lower()) == "unknown" and word[0].islower()
    ]
    behind = words[unlisted[-1] + 1 :] if unlisted else []
    return len(behind) > 1 and any(map(_is_sure, behind))


def _is_latin(words: list[str]) -> bool:
    """Whether at least half of the letters of some words are Latin ones."""
    letters = [one for word in words if len(word) > 1 or not word.islower() for one in word if one.isalpha()]
    return sum("LATIN" in unicodedata.name(one, "") for one in letters) >= len(letters) / 2


def _joins_names(words: list[str]) -> bool:
    """Whether a verb of English joins a name to another, or to English words: "Guernica hangs in Madrid."."""
    at = next((at for at, word in enumerate(words) if word[0].islower()), 0)
    verb = words[at] if words else ""
    behind = [word for word in words[at + 1 :] if word not in ("at", "for", "from", "in", "on", "to")]
    plural = verb.endswith("s") and case_of(verb) == "small"
    # "Bach was in Leipzig geboren.", but not "It is in Las Palmas de Gran Canaria."
    known = {*map(case_of, takewhile(str.islower, reversed(behind)))} <= {"small", "both"}
    joins = behind and (behind[0][0].isupper() or {*map(case_of, behind)} == {"small"})
    return at > 0 and bool(joins) and (_is_sure(verb) or (plural and known))


@cache
def _foreign_subject(listed: str) -> re.Pattern[str]:
    """What opens a sentence of another language: a pronoun, or an article and a noun that is written small."""
    words = "|".join(sorted(map(str.capitalize, word_list(listed))))
    latin = "|".join(sorted(word_list("latin_behind_de")))
    return re.compile(rf"\A(?:{words}) (?!(?:{latin})\b)[a-zà-ÿ]\S* \S.*[.!?]")


@cache
def _foreign_form() -> re.Pattern[str]:
    """Dates and cases of other languages."""
    return re.compile(_FOREIGN.format(months="|".join(sorted(word_list("foreign_months")))))


@cache
def _foreign_verb() -> re.Pattern[str]:
    """Verbs of other languages that join an answer to what was asked; no part of a word ("process(es)").

    One that is a word of English, too, stands behind a name or opens ("Mozart war in Wien.", not "just war theory").
    """
    verbs = word_list("foreign_verbs") - word_list("particles")
    both = {verb for verb in verbs if case_of(verb) == "small"}
    first = {verb.capitalize() for verb in verbs - both} - {"São"}  # "Fue Pablo Picasso."
    behind, either, opening = ("|".join(sorted(some)) for some in (both, verbs - both, first))
    return re.compile(rf"(?:[\s'’](?:{either})|^(?:{opening})|\b[A-ZÀ-Þ][\w'’-]*[^\Ws]\s(?:{behind}))\s")


@lru_cache(maxsize=2_500)
def _is_sure(word: str) -> bool:
    """Whether a word is English alone: a listed one that ends as verbs do, a genitive, or one of `_english_words`."""
    ends = ("ed", "ing") if len(word) > 4 else "ied"
    inflected = word.endswith(ends) and case_of(word) == "small"
    genitive = word[0].isupper() and word.endswith(("'s", "’s"))
    return inflected or genitive or word.lower() in _english_words()


@cache
def _english_words() -> frozenset[str]:
    """Function words, verbs and words of hedges that no other language has."""
    return word_list("function_words", "english", "hedge_words", "verbs") - word_list("shared_function_words")
