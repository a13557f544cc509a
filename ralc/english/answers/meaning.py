"""Whether two answers to a question mean the same: what each claims, yes or no or in words, and how far two are one."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from ralc.english.answers.choices import added_choices, picked
from ralc.english.answers.claims import (
    CONTAINERS,
    CONTAINING,
    VERBS,
    Claim,
    all_affirmed,
    best_clauses,
    claim_words,
    claimed,
    mentions_asked,
    name_spans,
    of_another,
    relates,
)
from ralc.english.answers.names import NEW_NAME, adjectives, also_called, is_slip, named
from ralc.english.negation import abstains, affirmed_and_denied, clauses
from ralc.english.normalisation import (
    alike,
    in_full,
    in_shares,
    is_number,
    of_twenty_four_hours,
    plain,
    sentences,
    spans,
    words,
)
from ralc.english.wordlists import case_of, phrases, word_list

Verdict = Literal["yes", "no", "unsure"]
#: Least F1 overlap of two claims' words that makes them one, where neither holds the other; and that leaves it open.
OVERLAP, UNSURE = 0.7, 0.5
_ENDINGS = frozenset({"ern", "n", "an", "s", "a"})
_YES, _NO, _AUXILIARIES = word_list("yes"), word_list("no"), word_list("auxiliaries")
#: What assents by itself ("Definitely."), and what may stand before yes or no and says neither.
_ASSENTS = word_list("assents")
_LEADS = word_list("leads", "subjects", "assents", "opinions", "auxiliaries")
_Name = tuple[str, ...]


class Meaning(NamedTuple):
    """What an answer claims, as it is compared: its words beyond the question's, and the names and numbers of these.

    It is an ``answer``, ``several``, ``elsewhere`` (about something else), ``denied``, a ``choice``, ``polar`` (yes or
    no), or ``none``.
    """

    kind: str
    words: frozenset[str] = frozenset()
    names: frozenset[_Name] = frozenset()
    numbers: frozenset[str] = frozenset()

    def same_as(self, other: "Meaning") -> bool:
        """Return whether another claim is the same."""
        if self.kind != other.kind or (self.numbers and other.numbers and self.numbers != other.numbers):
            return False
        if self.kind in {"choice", "polar", "none"} or self.words == other.words:
            return self.words == other.words
        if self.kind in {"elsewhere", "denied"}:
            return overlap(self, other) >= OVERLAP and self.names == other.names
        few, many = sorted((self, other), key=lambda claim: len(claim.names))
        if few.numbers and many.numbers and few.names == many.names:
            return True
        if few.names and many.names:
            return _among(few.names, many.names)
        within = few.words <= many.words or many.words <= few.words
        return not few.words.isdisjoint(many.words) and (within or overlap(few, many) >= OVERLAP)


def same_answer(a: str, b: str, question: str, choices: Sequence[str] = ()) -> Verdict:
    """Return whether two answers to a question mean the same: ``yes``, ``no``, or ``unsure``.

    Numbers must have the same value ("eight" and "8"). The other claim must have all names of one, in full or by their
    end. So "West Bengal, India" is "India", but "Papua New Guinea" is not "Guinea". Other words must overlap by at
    least `OVERLAP` (F1). Yes is not no.
    Several answers in one, denials and sentences about something else are compared among themselves: "It is not Paris"
    leaves open that it is Rome. Abstentions are the same.

    Parameters
    ----------
    a, b
        The answers, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    choices
        Those of a multiple-choice question, in the order of their letters. An answer that names one (by letter, text,
        or the adjective of a country) claims that choice.

    Returns
    -------
    str
        A `Verdict`. Unsure are other words that overlap by `UNSURE`, or of which one claim holds the other's.

    Examples
    --------
    >>> [same_answer("It is Paris.", other, "What is the capital of France?") for other in ("Paris", "Lyon")]
    ['yes', 'no']
    """
    one, other = (meaning(text, question, tuple(choices)) for text in (a, b))
    in_words = one.kind == other.kind == "answer" and not (one.names and other.names)
    least = OVERLAP if (same := one.same_as(other)) else UNSURE
    if in_words and one.numbers == other.numbers and (overlap(one, other) >= least) != same:
        return "unsure"
    return "yes" if same else "no"


@lru_cache(maxsize=5_000)
def meaning(text: str, question: str, choices: tuple[str, ...] = ()) -> Meaning:
    """Return what an answer claims, as it is compared with others.

    Parameters
    ----------
    text
        The answer, of any length.
    question
        What was asked; a background may stand before it, as in a prompt.
    choices
        Those of a multiple-choice question, in the order of their letters.
    """
    question = question.rpartition("\nQuestion: ")[2]
    if chosen := picked(text, question, choices):
        return Meaning("several" if len(chosen) > 1 else "choice", frozenset(map(str, chosen)))
    in_percent = in_shares(question) != question or not {"percent", "percentage"}.isdisjoint(words(question))
    text = of_twenty_four_hours(in_full(phrases("formula_marks").sub("", text)))
    text = text if choices or in_percent else in_shares(text)
    if (yes := polarity(text, question)) is not None and not choices:
        return Meaning("polar", frozenset({str(yes)}))
    claim = claimed(text, question)
    if claim is None:
        return Meaning("none")
    stated = all_affirmed(text, question)
    best = best_clauses(stated, question, choices)
    affirmed = best or stated
    parts = {
        frozenset(words(" ".join(claim_words(part, question))))
        for part in phrases("alternative").split(affirmed)
    }
    several = len(parts - {frozenset()}) > 1 or phrases("names_joined").search(affirmed) is not None
    kind = "several" if several else "answer"
    if _is_elsewhere(claim, best, question):
        kind = "elsewhere"
    elif not words(affirmed):
        kind = "denied"
    ids = choices and _named_choices(affirmed, question, choices, verbatim=several or kind == "elsewhere")
    if len(ids) == 1:
        return Meaning("choice", frozenset(map(str, ids)))
    return _meaning(kind, claim.denied if kind == "denied" else affirmed, question)


def _named_choices(affirmed: str, question: str, choices: Sequence[str], *, verbatim: bool) -> set[int]:
    """The choices that an answer adds to the question word by word or (not `verbatim`) names."""
    ids = added_choices(affirmed, question, choices)
    if ids or verbatim:
        return ids
    return {place for place, choice in enumerate(choices) if named(affirmed, [choice, *adjectives(choice)])}


def _is_elsewhere(claim: Claim, best: str, question: str) -> bool:
    """Whether an answer speaks of something else than was asked."""
    main = claim.affirmed
    if not words(main) or (best and mentions_asked(best, question)):
        return False
    capitals = [word for word in words(main, written=True) if word[0].isupper()]
    other = all(of_another(part, question, capitals) for part in (main, best or main))
    refers = words(main)[0] in VERBS | {"that", "there", "i"}
    return other or not (refers or (claim.on_topic and relates(main, question)))


def _meaning(kind: str, text: str, question: str) -> Meaning:
    """The words, names and numbers of a text."""
    beyond = _words_beyond(text, question)
    written = [one for one in spans(text) if one[0] in beyond]
    name_words = [words(text[first:last], written=True) for first, last in name_spans(written, text)]
    named_all = {tuple(_key(word) for word in name if not is_number(word)) for name in name_words} - {()}
    # Of names those count that hold no others: "New York, United States".
    names = {name for name in named_all if not set(name) <= CONTAINING} or _containers(text, question)
    keys = {_key(word) for word, _, _ in written}
    held = {word for name in named_all - names for word in name}
    numbers = frozenset(filter(is_number, keys))
    return Meaning(kind, frozenset((keys - held).union(*names)), frozenset(names), numbers)


def _key(word: str) -> str:
    """A word as it is compared: plain, or a symbol as it is written."""
    return word if len(word) <= 2 and not is_number(word) else plain(word)


def _words_beyond(text: str, question: str) -> set[str]:
    """The words of a text beyond the question's; symbols that are written like function words ("As"), too."""
    beyond = set(claim_words(text, question))
    written = words(text, written=True)
    beyond = {word for word in beyond if plain(word) not in word_list("hesitation")}
    if "symbol" not in words(question):
        return beyond
    symbols = word_list("word_symbols").intersection(written[1:] or written)
    return beyond | (symbols - {"I"})


def _containers(text: str, question: str) -> set[_Name]:
    """Names of large places in a text, in one writing, each as one name; of a part of the United States the part."""
    outer = CONTAINERS.intersection(words(text)) - set(words(question))
    names = {
        next((bare for bare in outer | CONTAINERS if word.removeprefix(bare) in _ENDINGS), word)
        for word in outer
    }
    if "states" in names or names == {"america"}:
        names = names - {"united", "states", "america"} | {"us"}
    names = names - {"us"} or names
    if not names:
        return set()
    return {tuple(sorted("US" if word == "us" else word for word in names))}


def overlap(a: Meaning, b: Meaning) -> float:
    """Return the F1 of the words that two claims share; 0 where neither has any."""
    return 2 * len(a.words & b.words) / max(len(a.words) + len(b.words), 1)


def _among(few: frozenset[_Name], many: frozenset[_Name]) -> bool:
    """Whether all of a few names are among many, in full, or without what only says their kind."""
    return all(
        any(_one(name, other) or _ends(name, other) or _ends(other, name) for other in many) for name in few
    )


def _ends(name: _Name, other: _Name) -> bool:
    """Whether a name is the end of another: the last name of a person, or what stands behind its kind."""
    rest = other[: -len(name)]
    if not rest or not _one(name, other[-len(name) :]):
        return False
    if rest[-1] == "of":
        return word_list("kinds").issuperset(rest[:-1])
    common = any(case_of(word) == "small" for word in (*rest, *name))
    return not common and NEW_NAME.isdisjoint(rest)


def _one(name: _Name, other: _Name) -> bool:
    """Whether two names are one but for a slip of a long word, of one country, or one is the other's adjective."""
    if " ".join(other) in map(str.lower, also_called(" ".join(name))):
        return True
    return len(name) == len(other) and all(
        a == b
        or (min(len(a), len(b)) >= 8 and is_slip(a, b))
        or a.capitalize().removesuffix("s") in adjectives(b)
        or b.capitalize().removesuffix("s") in adjectives(a)
        for a, b in zip(name, other, strict=True)
    )


@lru_cache(maxsize=1000)
def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is answered by yes or no."""
    match = phrases("asks_yes_or_no").search(question)
    return bool(match) and ("or" not in words(question) or " or " in match[0].lower()[:13])


def polarity(text: str, question: str) -> bool | None:
    """Return whether an answer to such a question says yes; None where it says neither."""
    if not (asks_yes_or_no(question) or lone_verdict(text) is not None):
        return None
    parts = phrases("turn").split(in_full(text))
    return next((side for part in reversed(parts) if (side := _verdict(part, question)) is not None), None)


def lone_verdict(text: str) -> bool | None:
    """Return whether a text says yes and nothing else; None where it does not say yes or no alone."""
    terms = set(words(text))
    alone = terms and terms <= _YES | _NO and not terms <= {"right", "fact", "course"}
    return not terms <= _NO if alone else None


def _verdict(text: str, question: str) -> bool | None:
    """What the first sentence says that says either."""
    for sentence in sentences(text):
        for clause, _ in clauses(sentence):
            if words(clause) and not abstains(clause) and (yes := _says_yes(clause)) is not None:
                about_truth = not word_list("truth").isdisjoint(words(clause))
                return yes != bool(about_truth and phrases("for_false").search(question))
        if not abstains(sentence) and (stated := _repeated(sentence, question)) is not None:
            return stated
    return None


def _says_yes(clause: str) -> bool | None:
    """What a clause says by a word of its own: "I think so", "It is not", "of course"."""
    terms = words(clause)
    denied = False
    for place, word in enumerate(terms):
        if word in word_list("reversing"):
            denied = not denied
        elif word in _YES or (word == "so" and place and terms[place - 1] in word_list("opinions")):
            return denied == (terms[place + 1 : place + 2] == ["not"])
        elif word in _NO:
            return denied
        elif word not in _LEADS:
            return None
    subjects = word_list("subjects") - ({"i"} if len(terms) >= 4 else set())
    elliptic = any(a in subjects and b in _AUXILIARIES for a, b in pairwise(terms))  # "It is."
    return not denied if denied or elliptic or not _ASSENTS.isdisjoint(terms) else None


def _repeated(sentence: str, question: str) -> bool | None:
    """Whether a sentence repeats half of what was asked; not where it denies a word of it, or calls it false."""
    query = _content(question)
    affirmed, denied = (
        {key for key in query if any(alike(word, key) for word in _content(part))}
        for part in affirmed_and_denied(sentence)
    )
    said, asked = (phrases("said_false").search(text) is not None for text in (sentence, question))
    no = (" not " in in_full(question)) != (
        said != asked and not word_list("truth").isdisjoint(words(sentence))
    )
    if denied:
        return no
    return not no if 2 * len(affirmed) > len(query) else None


def _content(text: str) -> frozenset[str]:
    """The words of a text that say something."""
    return frozenset(words(text)) - word_list("function_words", "hedge_words", "reversing", "truth")
