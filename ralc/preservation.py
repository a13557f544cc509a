"""Content preservation: how much of an original answer its rewrite keeps (paper section 5.3).

Two methods. ``overlap`` counts shared content words: it sees a lost or an added word, and nothing of what
words mean together, so it is no entailment and is never called so. ``entailment`` is the paper's, a
natural-language-inference model; torch and transformers load when it does (extra ``entailment``).
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from ralc.english.normalisation import normalise, words

Masses = npt.NDArray[np.float64]

#: The order in which masses are returned, whatever the order of the model.
LABELS = ("entailment", "neutral", "contradiction")

_IDLE = """
    is are was were be been being am in on at of to from for by with as it its this that these those there
    and or but do does did has have had i my me we you your he she they them his her will would so than then
    which who s t
"""
_IDLE_WORDS = frozenset(_IDLE.split())


def score(
    pairs: pd.DataFrame,
    *,
    hedges: Sequence[str],
    method: str = "overlap",
    model: str | None = None,
    revision: str | None = None,
) -> pd.DataFrame:
    """Return `pairs` (original, rewrite), each distinct one once, with what is preserved.

    Adds ``content_preservation`` in [0, 1] and ``p_entail``, ``p_neutral``, ``p_contradict``, original ->
    rewrite; by ``entailment`` also ``p_entail_back``, ``p_neutral_back``, ``p_contradict_back``, rewrite ->
    original. ``overlap`` has no masses: they are null. `hedges` are the run's expressions.

    Raises
    ------
    ValueError
        If there is no such method, `entailment` has no model, or a text is missing.
    """
    if method not in ("overlap", "entailment"):
        raise ValueError(f"preservation method {method!r} is not one of overlap, entailment")
    if method == "entailment" and not model:
        raise ValueError("preservation method 'entailment' needs a model")
    distinct = pairs[["original", "rewrite"]].drop_duplicates().reset_index(drop=True)
    for column in distinct:
        if distinct[column].isna().any():
            raise ValueError(f"pairs: {column} is missing in row {distinct[column].isna().idxmax()}")
    originals, rewrites = distinct["original"].tolist(), distinct["rewrite"].tolist()
    if method == "overlap":
        nothing = dict.fromkeys(("p_entail", "p_neutral", "p_contradict"), np.nan)
        return distinct.assign(content_preservation=overlap(originals, rewrites, hedges), **nothing)
    judge = EntailmentJudge.load(model, revision=revision)
    forth, back = judge.masses(originals, rewrites), judge.masses(rewrites, originals)
    named = {f"p_{mass}": forth[:, i] for i, mass in enumerate(("entail", "neutral", "contradict"))}
    named |= {f"p_{mass}_back": back[:, i] for i, mass in enumerate(("entail", "neutral", "contradict"))}
    return distinct.assign(content_preservation=entailment_score(forth), **named)


def overlap(originals: Sequence[str], rewrites: Sequence[str], hedges: Sequence[str]) -> Masses:
    """Return the Dice coefficient of the content words of originals and rewrites: 1 where they are the same.

    ``2 |A and B| / (|A| + |B|)``, over sets of words in normal form (`ralc.english.normalisation.words`) without
    function words and hedges: a hedge adds and takes no content. Two texts without any content words score 1.

    Parameters
    ----------
    originals, rewrites
        Texts, pair by pair.
    hedges
        The run's hedging expressions.

    Returns
    -------
    Scores in [0, 1], one a pair.

    Raises
    ------
    ValueError
        If there are not as many rewrites as originals.

    >>> overlap(["It was Paris.", "Paris"], ["Perhaps it was Paris.", "It is Lyon."], ["perhaps"]).tolist()
    [1.0, 0.0]
    """
    if len(originals) != len(rewrites):
        raise ValueError(f"originals and rewrites differ in length: {len(originals)} and {len(rewrites)}")
    content = Content(hedges)
    return np.array([content.dice(a, b) for a, b in zip(originals, rewrites, strict=True)], dtype=float)


class Content:
    """What an answer says, apart from the hedges of a lexicon."""

    def __init__(self, hedges: Sequence[str]) -> None:
        expressions = sorted({normalise(hedge) for hedge in hedges}, key=len, reverse=True)
        phrases = [f" {re.escape(hedge)}(?= )" for hedge in expressions if " " in hedge]
        self._phrases = re.compile("|".join(phrases) or r"(?!)")
        carriers = words("the answer is, my answer would be, it is not the case that")
        found = {word for hedge in hedges for word in words(hedge)}
        #: The words that hedges are made of, and those that carry them; negations are no hedging words.
        self.hedge_words = frozenset(found.union(carriers) - _IDLE_WORDS - {"not", "no", "never"})

    def words(self, text: str) -> frozenset[str]:
        """Return the words of a text, in normal form, that are no function words and belong to no hedge.

        Hedges of several words go as a whole, so that the *not* of "I am not sure" is no negation of the answer.

        >>> sorted(Content(["I am not sure"]).words("I am not sure, but the report is not accurate."))
        ['accurate', 'not', 'report']
        """
        return frozenset(self._phrases.sub(" ", f" {normalise(text)} ").split()) - _IDLE_WORDS

    def dice(self, original: str, rewrite: str) -> float:
        """Return the Dice coefficient of two texts' content words."""
        before, after = self.words(original), self.words(rewrite)
        # A hedging word that only one of the two has came or went with its hedge.
        before, after = before - (self.hedge_words - after), after - (self.hedge_words - before)
        if not before and not after:
            return 1.0
        return 2 * len(before & after) / (len(before) + len(after))


def entailment_score(masses: Masses) -> Masses:
    """Return ``p_entail + 0.5 p_neutral`` (paper section 5.3), in [0, 1].

    >>> entailment_score(np.array([[0.7, 0.2, 0.1]])).round(6).tolist()
    [0.8]
    """
    masses = np.asarray(masses, dtype=float)
    return np.clip(masses[..., 0] + 0.5 * masses[..., 1], 0.0, 1.0)


class EntailmentJudge:
    """A natural-language-inference model that says how far one text follows from another.

    Parameters
    ----------
    model, tokenizer
        A sequence classifier of three classes from transformers, and its tokenizer.
    batch_size
        Pairs a forward pass.
    max_length
        Longest pair in tokens; longer ones lose their end.

    Raises
    ------
    ValueError
        If the model's ``id2label`` does not name entailment, neutral and contradiction.
    """

    def __init__(self, model: Any, tokenizer: Any, *, batch_size: int = 32, max_length: int = 512) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.batch_size = batch_size
        self.max_length = max_length
        # Models order their labels differently; the names in the model's own config decide.
        self.columns = label_columns(model.config.id2label)

    @classmethod
    def load(
        cls, name: str, *, revision: str | None = None, device: str | None = None, **options: int
    ) -> Self:
        """Return the judge of a model of the Hugging Face hub, or of a folder.

        Raises
        ------
        ImportError
            If torch or transformers is not installed; the message says how to get them.
        """
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError as error:
            raise ImportError(
                f"preservation method 'entailment' needs {error.name}: pip install 'ralc[entailment]'"
            ) from error
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        model = AutoModelForSequenceClassification.from_pretrained(name, revision=revision)
        return cls(model.to(device), AutoTokenizer.from_pretrained(name, revision=revision), **options)

    def masses(self, premises: Sequence[str], hypotheses: Sequence[str]) -> Masses:
        """Return the masses of entailment, neutral and contradiction, shape (n, 3); rows sum to 1.

        Equal pairs are read once; pairs of similar length share a batch.

        Raises
        ------
        ValueError
            If there are not as many hypotheses as premises.
        """
        if len(premises) != len(hypotheses):
            raise ValueError(
                f"premises and hypotheses differ in length: {len(premises)} and {len(hypotheses)}"
            )
        pairs = list(zip(premises, hypotheses, strict=True))
        distinct = sorted(set(pairs), key=lambda pair: (-len(pair[0]) - len(pair[1]), pair))
        read = dict(zip(distinct, (row for batch in self._batches(distinct) for row in batch), strict=True))
        return np.array([read[pair] for pair in pairs], dtype=float).reshape(len(pairs), len(LABELS))

    def _batches(self, pairs: list[tuple[str, str]]) -> Iterator[Masses]:
        """The masses of consecutive batches."""
        import torch

        for start in range(0, len(pairs), self.batch_size):
            premises, hypotheses = zip(*pairs[start : start + self.batch_size], strict=True)
            inputs = self.tokenizer(
                list(premises),
                list(hypotheses),
                padding=True,
                truncation=True,
                max_length=self.max_length,
                return_tensors="pt",
            ).to(self.model.device)
            with torch.inference_mode():
                logits = self.model(**inputs).logits
            yield torch.softmax(logits.double(), dim=-1)[:, self.columns].cpu().numpy()


def label_columns(id2label: dict[int, str]) -> list[int]:
    """Return the model's columns of entailment, neutral and contradiction, in this order.

    Raises
    ------
    ValueError
        If one of the three is not named exactly once.

    >>> label_columns({0: "CONTRADICTION", 1: "entailment", 2: "Neutral"})
    [1, 2, 0]
    """
    named = {str(label).strip().lower(): int(index) for index, label in id2label.items()}
    if len(id2label) != len(LABELS) or set(named) != set(LABELS):
        raise ValueError(f"id2label must name {', '.join(LABELS)}, each once; it is {dict(id2label)}")
    return [named[label] for label in LABELS]
