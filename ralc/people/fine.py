"""Fit the fine term of word sequences (:class:`ralc.readers.ngrams.NgramTerm`) to what the cues leave over."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import diags, vstack
from scipy.special import expit
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge

from ralc.english.tokens import tokenise
from ralc.people.latent import LatentScale, Observations
from ralc.readers.ngrams import NgramTerm, ngrams

MIN_QUESTIONS = 20  # a word takes part where it occurs with that many of the questions: it is no content then
MIN_SENTENCES = 5
PENALTY = 3.0
LIMIT = 0.5  # log-odds: the fine term never outweighs a cue
SMALLEST = 0.01  # log-odds: smaller weights are not kept


def fit_fine_term(
    scale: LatentScale, data: Sequence[tuple[list[str], Observations]], questions: Sequence[str]
) -> NgramTerm:
    """Ridge regression of the working residuals of a fitted scale on masked word sequences.

    Parameters:
        scale: fitted to the same observations.
        data: texts and their observations; the first entry's texts belong to ``questions``, one each.
        questions: the question that each text of the first entry answers.
    """
    vocabulary = _vocabulary(data[0][0], questions)
    masked = [[list(ngrams(tokenise(text), vocabulary)) for text in texts] for texts, _ in data]
    vectorizer = CountVectorizer(analyzer=lambda found: found, min_df=MIN_SENTENCES).fit(masked[0])
    features, residuals, weights = [], [], []
    for found, (_, observed) in zip(masked, data, strict=True):
        places = scale.places(observed.cues)
        reading = expit(places)
        width = scale.width if observed.linked else 1.0
        expected = scale.floor + width * reading if observed.linked else reading
        slope = width * reading * (1 - reading)
        kept = np.array([bool(cues) for cues in observed.cues])
        features.append(_lengthwise(vectorizer.transform(found), found)[kept])
        residuals.append(((observed.values - expected) / slope)[kept])
        weights.append(((slope / observed.sd) ** 2)[kept])
    ridge = Ridge(alpha=PENALTY, fit_intercept=False)
    ridge.fit(vstack(features), np.concatenate(residuals), sample_weight=np.concatenate(weights))
    named = zip(vectorizer.get_feature_names_out(), ridge.coef_, strict=True)
    return NgramTerm(vocabulary, {ngram: float(w) for ngram, w in named if abs(w) >= SMALLEST}, LIMIT)


def _vocabulary(texts: Sequence[str], questions: Sequence[str]) -> frozenset[str]:
    asked: dict[str, set[str]] = defaultdict(set)
    for text, question in zip(texts, questions, strict=True):
        for token in tokenise(text):
            if token.usable:
                asked[token.text].add(question)
    return frozenset(
        word for word, found in asked.items() if len(found) >= MIN_QUESTIONS and not word[0].isdigit()
    )


def _lengthwise(counts: NDArray[np.float64], found: list[list[str]]) -> NDArray[np.float64]:
    return diags(1 / np.sqrt([max(len(ngrams_), 1) for ngrams_ in found])) @ counts.astype(float)


def save_fine_term(term: NgramTerm, path: Path) -> None:
    """Write a term as the compressed arrays that :meth:`NgramTerm.load` reads."""
    ordered = dict(sorted(term.weights.items()))
    np.savez_compressed(
        path,
        vocabulary=np.array(sorted(term.vocabulary)),
        ngrams=np.array(list(ordered)),
        weights=np.array(list(ordered.values()), dtype=np.float32),
        limit=np.array(term.limit),
    )
