"""The infinitive of a finite verb group: what stands behind *may* or *is unlikely to*.

"It opened in 1869." has *have opened*, "It is red." *be red*, "It does not rain." *not rain*.
"""

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ralc import data
from ralc.english.hedges.parse import BE, finite_verb
from ralc.english.wordlists import case_of, word_list

if TYPE_CHECKING:
    from spacy.tokens import Token

#: Persons and nouns of several.
_PLURAL = frozenset(["we", "you", "they", "these", "those"])
_VOWELS = "aeiou"


class Infinitive(NamedTuple):
    """How a verb group becomes an infinitive.

    An auxiliary stands in place of the token ``first`` where it `replaces` it, else before it. ``forms`` are tokens
    and what stands in place of each; ``last`` is the token behind which ``tail`` stands.
    """

    first: "Token"
    replaces: bool
    forms: "dict[Token, str]"
    last: "Token"
    tail: str = ""

    @property
    def adverbs(self) -> "list[Token]":
        """*Not*, and the adverbs that stand in it."""
        start = self.first.i + self.replaces
        return [
            token for token in self.first.doc[start : self.last.i + self.replaces] if token not in self.forms
        ]


def infinitive_of(root: "Token") -> Infinitive | None:
    """Return how the verb group of a main clause becomes an infinitive; None where a form is not known.

    It has none beside another modal verb, nor where verbs of other tenses share the subject.
    """
    verb = finite_verb(root)
    if verb is None or any(child.dep_ == "ccomp" and child.i > root.i for child in root.children):
        return None  # "It is known that it rains."
    if verb.tag_ == "MD":
        return None
    joined = [one for one in root.conjuncts if _is_finite(one)]
    is_past = verb.tag_ == "VBD"
    if verb.lower_ in BE:
        if joined:
            return None
        return Infinitive(verb, True, {}, _behind(verb), "have been" if is_past else "be")
    if verb == root:
        forms = {one: _form(one, is_past) for one in (root, *joined) if one.tag_ == verb.tag_}
        if len(forms) <= len(joined) or None in forms.values():
            return None
        if root.lower_ == "used":
            return None
        forms[root] = f"have {forms[root]}" if is_past else forms[root]
        return Infinitive(_before(root), False, forms, root)
    if joined:
        return None
    return None


def takes_plural(subject: "Token", verb: "Token") -> bool:
    """Return whether a subject is of several: "Cats *are* unlikely to sleep."."""
    if verb.lower_ in ("is", "'s", "has", "does", "was") or verb.tag_ == "VBZ":
        return False
    if verb.lower_ in ("are", "'re", "do", "were") or verb.tag_ == "VBP":
        return True
    several = any(child.dep_ == "conj" for child in subject.children)
    names = subject.tag_ == "NNPS" and subject.left_edge.dep_ == "det"  # "The Alps", but not "Folkers"
    return several or names or subject.tag_ == "NNS" or subject.lower_ in _PLURAL


def base_form(verb: str) -> str | None:
    """Return the infinitive of a verb in its third person; None where it is not listed.

    >>> [base_form(verb) for verb in ("flies", "lies", "passes", "uses", "has", "xyzs")]
    ['fly', 'lie', 'pass', 'use', 'have', None]
    """
    if verb == "has":
        return "have"
    bases = (f"{verb[:-3]}y" if verb.endswith("ies") else "", verb[:-1], verb[:-2])
    return next((base for base in bases if len(base) > 1 and _is_listed(base)), None)


def participle_of(base: str) -> str | None:
    """Return the participle of an infinitive; None where it is not listed.

    >>> [participle_of(base) for base in ("write", "stop", "carry", "use", "play", "xyz")]
    ['written', 'stopped', 'carried', 'used', 'played', None]
    """
    if base in _irregular("base"):
        return _irregular("base")[base]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        regular = (f"{base[:-1]}ied",)
    else:
        regular = (f"{base}{base[-1:]}ed", f"{base}d" if base.endswith("e") else f"{base}ed")
    return next((form for form in regular if _is_listed(form)), None)


def _form(verb: "Token", is_past: bool) -> str | None:
    """The infinitive of a present verb, the participle of a past one."""
    if is_past:
        regular = verb.lower_ if verb.lower_.endswith("ed") else None
        return _irregular("past").get(verb.lower_, regular)
    return base_form(verb.lower_) if verb.tag_ == "VBZ" else verb.lower_


@cache
def _irregular(form: str) -> dict[str, str]:
    """The participles of irregular verbs, by their infinitive or their past."""
    return {row[form]: row["participle"] for row in data.rows("irregular_verbs.csv")}


def _is_listed(word: str) -> bool:
    return case_of(word) in ("small", "both")


def _is_finite(verb: "Token") -> bool:
    return finite_verb(verb) is not None


def _before(verb: "Token") -> "Token":
    """The first of the adverbs right before a verb, else the verb."""
    first = verb
    while first.i > verb.sent.start and first.nbor(-1).dep_ in ("advmod", "neg"):
        if first.nbor(-1).head not in (verb, first):
            break
        first = first.nbor(-1)
    return first


def _behind(verb: "Token") -> "Token":
    """The last of the words behind a verb that stay before an infinitive: *not*, *also*, *once*."""
    last = verb
    while last.i + 1 < verb.sent.end:
        word = last.nbor()
        if word.dep_ != "neg" and not (word.tag_ == "RB" and word.lower_ in word_list("mid_adverbs")):
            break
        last = word
    return last
