"""Whether what a text says is missing from the background is what was asked."""

import re

from ralc.english.alignment import alike, key_words
from ralc.english.denials import clauses
from ralc.english.normalisation import (
    NAMING_WORDS,
    denies_background,
    first_sentence,
    plain,
    set_of,
    tokens,
    words,
)

#: Words of the denial itself.
_DENIAL_WORDS = set_of(
    """
    background passage text context paragraph article information detail details mention mentions mentioned say says
    said state states stated contain contains contained any answer answers question specify specifies specified provide
    provides provided give gives given include includes included indicate indicates indicated reveal tell tells told
    know known explicitly directly enough available determine determined found find name names named nothing anything
    saying stating mentioning providing telling describing giving specifying providing able have
    above following detailed list typically leaves leave left open silent lack lacks omits never told
    figure figures data number word reference relevant related regarding concerning topic
    able unable possible impossible clear clearly definitive certain particular based question part only somewhere
    cannot cant couldnt doesnt isnt didnt sufficient insufficient unanswerable specific us need needed exact anywhere
    """
)
#: Ways to ask for one thing.
_SYNONYMS = (
    frozenset({"population", "people", "inhabitants", "live", "residents"}),
    frozenset({"location", "located", "where", "country", "continent", "place"}),
    frozenset({"age", "old", "born", "birth"}),
    frozenset({"date", "when", "year", "time"}),
    frozenset({"area", "size", "large", "big"}),
    frozenset({"height", "tall", "high"}),
    frozenset({"reason", "why", "cause"}),
    frozenset({"cost", "price", "much", "paid", "pay", "worth"}),
)
# What the background does not do to something, whatever it is.
_DENIED = re.compile(r"\b(?:do|does|did)(?:\snot|n['’]t)\s(?:\w+ly\s)?(\w+)(?=\s+\w)")
_PLACES = frozenset({"where", "when", "why", "who"})


def denies_asked(text: str, question: str) -> bool | None:
    """Return whether what a denial says is missing is what was asked, or nothing in particular.

    None where more of its words are the question's than are not, and no rule decides.

    >>> denies_asked("The background does not say where Chad is.", "How many people live in Chad?")
    False
    """
    clause = next((part for part, _ in clauses(first_sentence(text)) if denies_background(part)), text)
    keys = key_words(question)
    written = {plain(word) for word in tokens(clause)}
    idle = _DENIAL_WORDS.union(map(plain, _DENIED.findall(clause)))
    told = {word for word in written if word not in idle and (word in _PLACES or word not in NAMING_WORDS)}
    missing = {word for word in told if not any(alike(word, key) for key in keys)}
    asked = set(words(question))
    meant = asked | {word for group in _SYNONYMS if group & asked for word in group}
    foreign = {word for word in missing if not any(alike(word, other) for other in meant)}
    if not foreign:
        return True
    about = any(alike(word, key) for word in written for key in keys)
    # One word more than the question has: it is about what was asked if it shares more than the question's thing.
    if (
        len(foreign) == 1
        and not _PLACES & foreign
        and about
        and (missing - foreign or asked - keys <= NAMING_WORDS)
    ):
        return True
    named = {plain(word) for word in tokens(clause) if word[0].isupper()}
    return None if 2 * len(foreign) < len(told) and not named & foreign else False
