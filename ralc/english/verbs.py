"""The main verb of an English sentence, told from nouns and participles by closed word lists.

What the lists do not know is no verb: an answer that surely is a sentence has one, any other is a phrase to us.
"""

import re
from itertools import accumulate, pairwise

from ralc.english.normalisation import set_of

BE = set_of("am is are was were isn't aren't wasn't weren't")
MODALS = set_of(
    "can could will would shall should may might must cannot can't won't couldn't wouldn't shouldn't"
)
HAVE = set_of("has have had hasn't haven't hadn't")
_DO = set_of("does do did doesn't don't didn't")
_VERBS = set_of(
    """
    went came made became began left took got won wrote said held gave found lost met led kept knew grew
    fell ran sold bought built brought taught sent spent lies lay means makes takes gives serves
    contains includes belongs borders consists stands works lives likes wants needs uses comes goes
    plays rains improves shows causes occurs boils freezes melts refers represents describes ranks
    remains appears speaks has eat eats live make take give contain include belong border consist need
    come go become cause occur mean say says tell tells know knows think believe orbit orbits absorb
    absorbs produce produces form forms begin begins end ends rise rises set sets turn turns have
    requires allows provides happens depends exists arrives departs explains enables prevents reduces accepts
    converts creates determines ensures follows gets grows involves keeps maintains operates receives
    recommends seems tends varies
    """
)
_AUXILIARIES = BE | MODALS | HAVE | _DO
KNOWN_VERBS = _AUXILIARIES | _VERBS
PAST = re.compile(r"[a-z]{2,}[^e\W]ed|agreed|freed|died")
PARTICIPLE = re.compile(
    r"[a-z]{2,}(?:ed|en|wn|ne)|become|made|had|held|won|lost|led|kept|built|sold|found|said|met|left|sent|paid|told"
    r"|heard|[a-z]*[ao]ught"
)
ADVERB = re.compile(r"[a-z]+ly|first|also|never|always|often|already|only|still|just")
CONTRACTED = re.compile(
    r"(?:I['’](?:m|ve|ll|d)|\w+['’](?:re|ve|ll)|(?:it|that|there|he|she|what)['’]s)\b", re.IGNORECASE
)
_RELATIVE = set_of("that which who whose where when whether what how why")

CONDITION = set_of(
    "if when while until unless although though since as after before in on at during by with for from"
)
#: What the subject of a past form begins with, what the form takes, and what shows that it is no verb.
_PRONOUNS = set_of("he she it they we i you")
_SUBJECTS = _PRONOUNS | set_of("the a an his her their its this these some many most all no")
_TAKEN = set_of("the a an his her its it their them him that himself herself itself themselves")
_REDUCED = set_of("by as of")
_PREPOSITIONS = set_of(
    """
    in on at to from for into over with within during through under between among about against around across after
    before since until upon onto near via like than without throughout per along beside beyond despite behind off
    """
)
_PARTICLES = set_of("according away back down off out up")
_NO_VERB_AFTER = set_of("a an the to")
#: A noun or an adjective follows these; a verb that follows these is not the first.
_PHRASE_AFTER = _NO_VERB_AFTER | _REDUCED | _PREPOSITIONS | set_of("my your his its their our every")
_JOINED = set_of("and or nor")
#: What may stand before an article, beside a verb: prepositions and conjunctions.
LINKS = _PREPOSITIONS | _JOINED | _REDUCED | set_of("but")
#: Verbs that are nouns as well, in the singular and in the plural.
_NOUNS = set_of("rise end set form cause need turn border orbit mean")
_PLURAL_NOUNS = set_of(
    "ends sets forms turns orbits means takes works lives likes uses shows plays rains causes needs borders"
)
_LONGEST_SUBJECT = 12  # words
_PLURAL = re.compile(r".*[^s'’]s")
#: What stands for several without a plural's *s*.
_SEVERAL = _PRONOUNS | set_of("people children men women who")
#: Past forms that are participles as well, beside those in -ed ("advances made in botany").
_MADE = set_of("made left won held found lost met led kept sold bought built brought taught sent spent")
NAMED = set_of("called named known dubbed termed entitled titled headquartered")
#: Past forms that take no object, so that they are no participles before a preposition ("the war ended in 1648").
_INTRANSITIVE = set_of(
    """
    agreed appeared argued arrived attempted belonged ceased changed collapsed competed continued contributed
    crashed cried decided declined decreased depended desired died differed disagreed disappeared dropped
    emerged emigrated ended evolved existed expanded exploded failed flowed fought graduated happened helped
    hoped immigrated increased insisted intended journeyed jumped landed lasted laughed learned led left
    listened lived looked lost managed merged met migrated moved objected occurred originated participated
    planned played pretended promised reacted referred refused remained resigned responded resulted retired
    returned sailed seemed shifted smiled started stayed stopped succeeded surrendered talked tended
    threatened traveled travelled tried turned varied voted waited walked wanted won worked
    """
)
#: What stands beside a pronoun and is no verb.
_NO_VERBS = (
    _RELATIVE
    | _JOINED
    | _PREPOSITIONS
    | _PHRASE_AFTER
    | set_of("all both each two three alone too guys people")
)
_NO_VERB = re.compile(r".*sel(?:f|ves)|.*[aeiouy].*ing")
#: Words in -ed that are no past forms of anybody's doing.
_NO_PAST = set_of("based hundred hatred sacred naked wicked kindred infrared")


def main_verb(words: str) -> int | None:
    """The position of the main verb among the words; None where none is known.

    A verb inside a relative clause ("the element that has ...") does not count, and a past form only where
    there is no other verb ("a city located in Chad is ...").
    """
    raw = words.split(" ")
    tokens = [token.lower().replace("’", "'").strip(",;\"'()") for token in raw]
    # What is written large stands in a title, what is in brackets or quoted beside the sentence.
    depth = accumulate(token.count("(") - token.count(")") for token in raw)
    marks = list(accumulate(len(re.findall('["“”]', token)) for token in raw))
    shouting = words.isupper()
    aside = [
        inside > 0 or quoted % 2 > marks[-1] % 2 or (token[:1].isupper() and not shouting)
        for token, inside, quoted in zip(raw, depth, marks, strict=True)
    ]
    if (said := _after_pronoun(raw, tokens)) is not None:
        return said
    for past_forms in (False, True):
        relatives, helped = 0, False
        for position, token in enumerate(tokens[1:], start=1):
            past = PAST.fullmatch(token) is not None and ")" not in raw[position] and token not in _NO_PAST
            # "in which established leaders are ousted"
            past = past and not (tokens[position - 1] == "which" and tokens[position - 2] in CONDITION)
            if aside[position] or token == "not" or ADVERB.fullmatch(token):
                continue
            if helped:  # "the element that can take it is ..."
                helped = False
                continue
            helped = token in MODALS | _DO
            if token in _RELATIVE:
                relatives += 1
            elif (past or token in KNOWN_VERBS) and not _in_phrase(tokens, position, relatives > 0):
                if relatives:
                    relatives -= 1
                elif token in KNOWN_VERBS - _MADE or (past_forms and _finite(raw, tokens, position)):
                    return position
    return None


def _after_pronoun(raw: list[str], tokens: list[str]) -> int | None:
    """The position of the word that a pronoun at the start is the subject of, a verb whatever it is; None without one.

    "It leaves at noon", "we never charge for it"; but "you two", "he who dares", "they, too, sell it",
    "he himself said", "we humans are".
    """
    if tokens[0] not in _PRONOUNS or raw[0].endswith(","):
        return None
    said = next((at for at, word in enumerate(tokens) if at and not ADVERB.fullmatch(word)), None)
    if said is None or not (raw[said].isalpha() and raw[said].islower()):
        return None
    word, following = tokens[said], (tokens[said + 1 : said + 2] or [""])[0]
    several = tokens[0] in {"we", "you", "they"} and word.endswith("s") and word not in KNOWN_VERBS
    noun = several and (following in KNOWN_VERBS or PAST.fullmatch(following))
    return None if noun or word in _NO_VERBS or _NO_VERB.fullmatch(word) else said


def _in_phrase(tokens: list[str], position: int, in_relative: bool) -> bool:
    """Whether a word that may be a verb belongs to a noun, or to a verb that came before it.

    "the rise of", "the narrow end", "an increase in imported cars", "a newly conquered territory", "fail to give",
    "poverty and were ill treated".
    """
    token, before = tokens[position], tokens[position - 1]
    following = (tokens[position + 1 : position + 2] or [""])[0]
    if token in _AUXILIARIES:
        # "2:00 am", "Frankfurt am Main"
        other = (token in MODALS and following == "of") or (token == "am" and before != "i")
        return other or before in _NO_VERB_AFTER | _JOINED
    backwards = (tokens[place] for place in range(position - 1, -1, -1))
    noun = next((word for word in backwards if not ADVERB.fullmatch(word)), "the")
    if noun in _PHRASE_AFTER | _JOINED:
        return True
    after_modal = noun in MODALS or noun.endswith(("'ll", "’ll"))
    if token not in _NOUNS | _PLURAL_NOUNS or in_relative or after_modal:
        return False
    if not following or following in _AUXILIARIES | _JOINED | {"of", "such"}:
        return True
    opening = pairwise(tokens[: min(position, _LONGEST_SUBJECT)])
    head = next((word for word, after in opening if after in _PREPOSITIONS | {"of"}), noun)
    return token in _NOUNS and head not in _SEVERAL and not _PLURAL.fullmatch(head)


def _finite(raw: list[str], tokens: list[str], position: int) -> bool:
    """Whether a past form is the verb of a sentence, and no participle: by what its subject is and what it takes.

    "Systemic acquired resistance", "the votes received", "the treaty signed in 1648", "photons emitted by the star"
    and "advances made in botany" have none.
    """
    before, token = tokens[position - 1], tokens[position]
    onwards = (tokens[place] for place in range(position + 1, len(tokens)))
    following = next((word for word in onwards if not ADVERB.fullmatch(word)), "")
    if next((word for word in reversed(tokens[:position]) if not ADVERB.fullmatch(word)), "") in _AUXILIARIES:
        return False  # "the method by which it is requested"
    opens = position == 1 or raw[position - 2].endswith(",")
    if opens and (before in _PRONOUNS or CONTRACTED.fullmatch(before)):
        return True
    if raw[position - 1].endswith(",") or following in _REDUCED or token in NAMED:
        return False
    if following in _PREPOSITIONS | _PARTICLES or not following:
        return token in _INTRANSITIVE and position + 1 < len(tokens)
    if token in _MADE or following in _TAKEN | _SUBJECTS or following[:1].isdigit():
        return True
    if tokens[0] not in _SUBJECTS or position == 1:
        return False
    # "a modern canalized section" has none, but no participle stands between a name or a plural and a noun.
    named = raw[position - 1][:1].isupper() or raw[tokens.index(following, position)][:1].isupper()
    return named or token in _INTRANSITIVE or before in _SEVERAL or bool(_PLURAL.fullmatch(before))
