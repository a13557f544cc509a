"""The main clause of a sentence: what stands before it, what reports it, and what is joined to it.

Nobody doubts what stands before it: a remark or a source ("As I said,"), a clause with a verb of its own ("If it
rains,"), a time or a place ("In 2009,").
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from ralc.english.hedges.parse import BE, finite_verb, named_subject
from ralc.english.wordlists import word_list

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

#: What stands before a main clause, up to its comma; "" for nothing.
Opening = Literal["", "remark", "clause", "setting"]


#: Who speak and are spoken to.
_PERSONS = ("i", "we", "you")


def opening_of(words: "Span", lead: int) -> "tuple[Opening, Span]":
    """Return the kind and the words of what stands between the first `lead` words of a sentence and its main clause."""
    subject = named_subject(words.root)
    until = (words.root if subject is None else subject.left_edge).i - words.start
    comma = max((at for at in range(lead, until) if words[at].text == ","), default=-1)
    front = words[lead : max(comma + 1, lead)]
    if comma < 0:
        return "", front
    first = front[0].lower_
    small = {token.lower_ for token in front}
    says = first == "as" and small & word_list("stated")
    if first in word_list("remarked") or says or small & word_list("documents", "lore", "reconsidered"):
        return "remark", front
    has_verb = any(token.dep_ == "advcl" and finite_verb(token) is not None for token in front)
    return "clause" if has_verb else "setting", front


def clause_marks(words: "Iterable[Token]") -> set[str]:
    """Return those of some words that mark clauses: *although*, *because*."""
    return {token.lower_ for token in words if token.dep_ == "mark"}


def reported_verb(root: "Token") -> "Token | None":
    """Return the verb of what a document says, or the speaker meant: *take* of "The handbook says it takes long."."""
    subject = named_subject(root)
    if subject is None:
        return None
    mine = subject.lower_ == "i"
    if mine and (other := contrary_verb(root)) is not None:
        return other
    told = root.lower_ in word_list("opining") and subject.lower_ not in _PERSONS
    # "In her email Ann writes that it rains." is of the email, "Ann says that it rains." of Ann.
    told = told or (root.lower_ in word_list("hearsay") and _is_common(subject))
    meant = root.lower_ == "meant" if mine else root.lower_ in BE and _is_common(subject)
    if not (is_document(subject) or told or meant):
        return None
    if is_negative(root):
        return None  # "The background does not say how many live there."
    said = (child for child in root.children if child.dep_ == "ccomp" and child.i > root.i)
    said = (verb for verb in said if not verb.left_edge.tag_.startswith("W"))  # "It says what happened."
    return next((verb for verb in said if finite_verb(verb) is not None), None)


def _is_common(noun: "Token") -> bool:
    """Whether a noun is no name: *it*, "the notice", "her CV"."""
    determined = any(child.dep_ in ("det", "poss") for child in noun.children)
    return noun.pos_ == "NOUN" or noun.lower_ == "it" or noun.dep_ == "csubj" or determined


def contrary_verb(root: "Token") -> "Token | None":
    """Return the verb of what is claimed beside what is said of a speaker: *is* of "I understand, but it is old.".

    It may be a cause: *has* of "I erred because it has none."; or a reason: *is* of "It is old, so you are right.".
    """
    said = {child.lower_ for child in root.children}
    places = {
        "conj": True,
        "advcl": "because" in clause_marks(root.subtree),
        "ccomp": bool(said & {"so", ":"}),
    }
    joined = [child for child in root.children if places.get(child.dep_)]
    heads = (head for head in (root, *root.children) if head.lower_ in word_list("confirming"))
    told = (child for head in heads for child in head.children if child.dep_ == "ccomp")
    subjects = ((verb, named_subject(verb)) for verb in (*joined, *told) if finite_verb(verb) is not None)
    return next((verb for verb, one in subjects if one is not None and one.lower_ not in _PERSONS), None)


def is_document(noun: "Token") -> bool:
    """Return whether a noun is something that one reads, or who wrote it: "sources", "the author"."""
    return bool({noun.lower_, noun.lower_.removesuffix("s")} & word_list("documents"))


def joined_verbs(root: "Token") -> "list[Token]":
    """Return the verbs of the clauses that claim something beside the main one, each with a subject of its own."""
    return [
        child
        for child in root.children
        if finite_verb(child) is not None and named_subject(child) is not None and _is_beside(child)
    ]


def _is_beside(verb: "Token") -> bool:
    """Whether a clause is joined to the main one, contrasted with it, or set before it by a comma."""
    first = verb.left_edge
    if verb.dep_ == "conj":  # what else the parser calls so is misread
        return verb.i > verb.head.i and first.nbor(-1).lower_ in {",", *word_list("coordinators")}
    if verb.dep_ == "advcl":
        return verb.i > verb.head.i and bool(clause_marks(verb.children) & {"while", "whereas"})
    return verb.dep_ in ("ccomp", "parataxis") and verb.i < verb.head.i


def is_negative(root: "Token") -> bool:
    """Return whether a main clause denies: "It is not Rome.", "Nobody knows.", "There is no evidence of it."."""
    if any(child.dep_ == "neg" for child in root.children):
        return True
    named = [child for child in root.children if child.dep_ in ("nsubj", "nsubjpass", "attr", "dobj")]
    heads = [root, *named] if finite_verb(root) is None else named
    inner = [word for head in heads for word in (head, *head.children)]
    return any(word.lower_ in word_list("none", "scarce") for word in inner)
