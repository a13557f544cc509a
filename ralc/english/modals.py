"""What may be so, what may be done, and what a thing may do: whose doubt a modal verb is."""

from collections.abc import Sequence

from ralc.english.normalisation import set_of
from ralc.english.scope import ARTICLES, CONJUNCTIONS, QUESTIONS, SELVES, clause_start, of_matter, rest
from ralc.english.verbs import ADVERB, NAMED, PARTICIPLE
from ralc.english.vocabulary import DETERMINERS, SENTENCE_ENDS

_MODALS = frozenset({"may", "might", "could"})
#: What is so or is said, and not done: "a tenant may live there" doubts, "a tenant may leave" does not.
_STATES = set_of(
    "appear arise be belong come consist contain date derive exist have hold indicate know lie live mean need"
    " originate point refer remain represent say seem show stand stem suggest want argue think claim contend"
)
#: What is so of a thing ("the temple may be located in Athens"), and what is so or is permitted ("may be built").
_PLACED = set_of("located situated based dated")
_FOUND = set_of("found buried considered built")
_CONDITIONS = set_of("if when whenever unless")
#: Who is permitted something, as a kind.
_PEOPLE = set_of(
    "child judge judges court courts company member tenant tenants landlord landlords owner"
    " applicant driver teacher teachers employee employer employers visitor guest patient user student citizen"
    " resident passenger customer player parent pupil reader voter voters buyer buyers seller sellers visitors guests"
    " patients users members students citizens residents passengers customers drivers players parents owners pupils"
    " employees applicants travellers travelers readers children"
)
#: What says after a participle where a thing is from, and by what it comes about: "the fire may be caused by a leak".
_ORIGINS = set_of("from of")
_CAUSES = set_of("by to")
_RELATIVES = set_of("who which")


def heard(at: int, end: int, words: Sequence[str]) -> float:
    """Return the share of readers that take a cue, the words from `at` to `end`, for the speaker's.

    What may be so or have been ("may be old", "may have died") is doubted. What may be done with a thing is permitted,
    as is what holds under a condition or in a relative clause; and of what a thing may do ("the gas may harm the eyes")
    nothing shows whether it is doubted or known of its kind: every second reader hears a doubt.

    >>> [heard(2, 3, text.split()) for text in ("the poem may be old", "the poem may be printed", "the poem may harm")]
    [1.0, 0.0, 0.5]
    """
    if words[at] not in _MODALS or words[at + 1 : end] not in ([], ["be"]):
        return 1.0
    before = words[at - 1] if at else ""
    following = [word for word in words[at + 1 : at + 6] if word != "not" and not ADVERB.fullmatch(word)]
    verb, participle, after = [*following, "", "", ""][:3]
    if before in {"its", "their", "his", "her", "the", "military"}:
        return 0.0
    passive = (
        verb == "be" and PARTICIPLE.fullmatch(participle) and participle not in NAMED | _PLACED | QUESTIONS
    )
    # "Could the answer be Bonn?" does nothing; what you may want to do is what you may do.
    acts = verb.isalpha() and verb not in _STATES | DETERMINERS | SELVES
    acts = acts or (before == "you" and verb not in {"be", "have"})
    if before in SELVES:
        return 0.5 if passive and after not in _ORIGINS else 1.0
    first = clause_start(words, at, marks=SENTENCE_ENDS)
    # "If it is cold, the pipes may freeze", but "if I recall correctly, Paris may be it", "if you mean Rome, it may be
    # old" and "when he died, he may have been old".
    if words[first] in _CONDITIONS and of_matter(first, words):
        addressed = words[first + 1] == "you" and before != "you"
        if passive or acts or not (addressed or words[first] == "when"):
            return 0.0
    limits = (place for place in rest(at, words) if words[place] in {"if", "unless"})
    if (passive or acts) and any(of_matter(place, words) for place in limits):
        return 0.0
    # "a man who might be a spy": the spy is in the book.
    if before in _RELATIVES and verb != "have" and at > 1 and words[at - 2].isalpha():
        return 0.0
    if before in {"", "he", "she"} or not (passive or acts) or (passive and after in _ORIGINS):
        return 1.0
    if passive:
        return 0.5 if words[at] == "might" or after in _CAUSES or participle in _FOUND else 0.0
    return 0.0 if words[at] == "may" and _is_permitted(at, words) else 0.5


def _is_permitted(at: int, words: Sequence[str]) -> bool:
    """Whether a "may" before an act says what is permitted to people of a kind: "a tenant may leave"."""
    subject = words[clause_start(words, at) : at]
    while subject and subject[0] in CONJUNCTIONS:
        subject = subject[1:]
    return not _PEOPLE.isdisjoint(subject[:2] if subject[:1] and subject[0] in ARTICLES else subject[:1])
