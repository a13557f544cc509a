"""Whether a text names a choice by its letter, and whether a question has choices."""

import re

#: Characters of a letter in code.
_LONGEST = 60

#: Who chooses, before the letter.
_CHOOSING = (
    r"(?:(?:I(?:['’](?:d|ll|m)| would| will| am)? (?:answer|believe|choose|go(?:ing)? (?:for|with)|guess"
    r"|lean(?:ing)? (?:to|towards?)|opt(?:ing)? for|pick|select|think|vote for)|Let['’]s go with"
    r"|(?:Going|Leaning|Opting) (?:for|to|towards?|with)) )"
)
#: "B. Iron", "(B) iron", "[B. Iron]", "Correct answer: B", "B": a letter first, or all there is.
_CHOICE = re.compile(
    rf"\W*(?i:{_CHOOSING}?"
    r"(?:(?:the |my (?=choice|pick|vote))?(?:(?:correct|right|best|final) )?"
    r"(?:answer|choice|option|pick|vote)(?: letter)?(?: here)?(?: is| would be|:)* )?)"
    r"[\[(*_]*[A-J](?:[\])*_]*[.):\]]|[*_.\s]*$"
    r"|[*_]*(?= is (?:the )?(?:answer|best|correct|right)\b|, (?:as|because|since)\b))"
)

#: What is matched with what by marks alone: "1. b\n2. a", "A-3, B-1".
_MATCHES = re.compile(
    r"(?:[^\w\n,;]*(?:\d{1,2}\s?[-–—.):=→]+\s?(?:[A-Ja-jTF]|(?i:true|false|yes|no))|[A-Ja-j]\s?[-–—.):→]+\s?\d{1,2})"
    r"[^\w\n,;]*(?:[\s,;]+|\Z)){2,}"
)


def states_choice(text: str) -> bool:
    """Return whether a text names a choice by its letter, whatever its words say; the choices are not known.

    >>> states_choice("B. Lack of iron"), states_choice("[D. Neither]"), states_choice("A lack of iron")
    (True, True, False)
    """
    return bool(_CHOICE.match(text))


def is_matching(text: str) -> bool:
    """Return whether a text matches numbers with letters, and says nothing else.

    >>> is_matching("1. b\\n2. a"), is_matching("1. bat\\n2. ant")
    (True, False)
    """
    return _MATCHES.fullmatch(text) is not None


def without_choosing(text: str) -> str:
    """Return a text that names a choice by its letter without who chooses.

    >>> without_choosing("I'd go with **B. Iron**."), without_choosing("I'd go with iron.")
    ('**B. Iron**.', "I'd go with iron.")
    """
    return re.sub(_CHOOSING, "", text, count=1) if states_choice(text) else text


#: What programs read around a letter: code, a box of TeX, an element.
_MARKUP = re.compile(r"</?\w+>|\\(?:boxed|math(?:bf|rm)|text(?:bf)?)\b|[`$\\{}()\[\]*\s.]")
_LISTED = re.compile(r"(?:^|\s)\W?([A-J])[.):\]]\s")


def choice_in_code(text: str, question: str) -> str:
    """Return the letter of a choice of a question where code, a box or an element with it is all of a text; else "".

    >>> question = "Which is a metal?\\nA. Iron\\nB. Neon"
    >>> choice_in_code(r"$\\boxed{\\text{A}}$", question), choice_in_code("`A`", "What is its name?")
    ('A', '')
    """
    letter = _MARKUP.sub("", text) if len(text) <= _LONGEST else ""
    listed = _LISTED.findall(question)
    return letter if len(listed) > 1 and letter in listed else ""


def names_listed(text: str, question: str) -> bool:
    """Return whether a text names or repeats some of the choices that a question lists, or speaks of all of them.

    >>> question = "Which is a metal?\\nA. Iron\\nB. Neon"
    >>> names_listed("Not B.", question), names_listed("None of the above", question), names_listed("Not B.", "Which?")
    (True, True, False)
    """
    listed = "".join(_LISTED.findall(question))
    letter = rf"(?!A (?!(?:and|are|is|or)\b)[a-z])[{listed}]\b"  # no article
    named = rf"\b(?:{letter}|(?i:all|both|neither|none) of (?:the|them|these)\b)"
    return len(listed) > 1 and (text.strip(" .!") in question or re.search(named, text) is not None)
