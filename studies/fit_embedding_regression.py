"""Fit the evaluator ``embedding_regression`` on what people read, and write its figures.

    python -m studies.fit_embedding_regression --data DIR --journal FILE

writes ``ralc/data/embedding_regression.json``. Texts are ``cue_model_b``'s sentences of Tao et al. (none of the 1,622
of ``tao_benchmark``, none held out, none of ``cue_model``) and phrases over many contents (`studies.contents`).
SmolLM2 embeds them once, on the embedded engine; FILE keeps the embeddings.

- Targets: of a sentence the mean of its band-filtered human scores. Where there is none, it is the middle of the level
  asked of its writer. Of a phrase it is the mean of the surveys that ``cue_model_b`` knows, whatever it stands over.
- Features: word sequences of at least `SENTENCES` sentences and `QUESTIONS` questions, and those of the phrases. Beside
  them the standardised embedding of the text, with the words of fewer questions masked
  (`ralc.evaluators.embedding_regression.masked`). The `DIRECTIONS` directions in which it moves most when only the
  content changes are taken out.
- Ridge regression. Its constants were chosen by cross-validation over the questions of these sentences, and on hedges
  and contents other than the check's. The correlation with people is at least 0.85, that of errors with ``cue_model``'s
  at most 0.45, the SD within a hedge at most 0.06. Of those the best at ranking unseen hedges won. The masks came
  later, and were chosen in the same way. `PHRASE` came last, out of 0.3, 0.6, 1 and 2. It is the least whose SD within
  a hedge is at most 0.06 on average over three draws of 20 hedges and 40 contents.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from ralc import data
from ralc.evaluators.embedding_regression import STEM, masked, sequences, vectors, words
from ralc.human_benchmark.studies import LEVEL_MIDDLE, read_tao
from ralc.io import write_json
from ralc.lexicon import load_hedges
from ralc.llm import complete, request_for
from ralc.llm.engines import build
from studies import study_folder
from studies.contents import TAUGHT, contents, taught
from studies.estimate import survey_figures
from studies.packaged import MODEL
from studies.sources import PROVENANCE, read_tao_filtered
from studies.spread import spread_figures
from studies.writing import SEED

FloatArray = NDArray[np.float64]
SENTENCES = 5
QUESTIONS = 3
DIRECTIONS = 60
WEIGHT = 5.0
PHRASE = 1.0
RIDGE = 10.0
FOLDS = 10


def fitting_sentences(folder: Path, part: str = "cue_model_b") -> pd.DataFrame:
    """Return sentences of a part of Tao et al.'s (`read_tao`), ``cue_model_b``'s unless another is named.

    ``text, question, human, target``; `human` is null where every score was filtered.
    """
    tao = read_tao(folder)
    one = tao[tao["part"] == part].drop_duplicates("text")[["text", "question", "level"]]
    human = one["text"].map(read_tao_filtered(folder).drop_duplicates("text").set_index("text")["score"])
    return one.assign(human=human, target=human.fillna(one["level"].map(LEVEL_MIDDLE))).reset_index(drop=True)


def embed(texts: Sequence[str], journal: Path) -> FloatArray:
    """Return the embeddings of texts, a row each."""
    turns = [[{"role": "user", "content": text}] for text in texts]
    asked = [request_for(MODEL, turn, embedding=True) for turn in turns]
    by_key = {one.key: one.embedding for one in complete(asked, lambda: build(MODEL), journal)}
    return vectors([by_key[request.key] for request in asked])


def fitting_phrases(folder: Path, contents: Sequence[str], seed: int) -> pd.DataFrame:
    """Return the phrases over contents: ``phrase, text, target``; `target` is null where there is no phrase."""
    table = taught(contents, seed)
    return table.assign(target=table["phrase"].map(survey_figures(folder).set_index("phrase")["mean"]))


def vocabulary(sentences: pd.DataFrame) -> list[str]:
    """Return the word sequences that count: those of sentences on several questions, and those of the phrases."""
    counted = CountVectorizer(analyzer=sequences, min_df=SENTENCES)
    counts = pd.DataFrame(counted.fit_transform(sentences["text"]).toarray())
    questions = counts.groupby(sentences["question"].to_numpy()).max().sum()
    often = counted.get_feature_names_out()[questions >= QUESTIONS]
    return list(dict.fromkeys([*often, *(s for hedge, _ in TAUGHT.values() for s in sequences(hedge))]))


def known_stems(sentences: pd.DataFrame) -> list[str]:
    """Return the stems that are not masked: of sentences on several questions, of phrases, of any hedge."""
    counted = sentences.assign(word=sentences["text"].map(words)).explode("word")
    questions = counted.groupby("word")["question"].nunique()
    hedges = [*(hedge for hedge, _ in TAUGHT.values()), *load_hedges()["expression"], "per cent", "percent"]
    said_in_hedges = (word for hedge in hedges for word in words(hedge))
    return sorted({word[:STEM] for word in [*questions[questions >= QUESTIONS].index, *said_in_hedges]})


def content_directions(embeddings: FloatArray, phrases: Sequence[str]) -> FloatArray:
    """Return the directions in which embeddings move most when only the content changes; (`DIRECTIONS`, dimensions)."""
    within = embeddings - pd.DataFrame(embeddings).groupby(np.asarray(phrases)).transform("mean").to_numpy()
    return np.linalg.svd(within, full_matrices=False)[2][:DIRECTIONS]


class Regression:
    """The ridge regression as weights of word sequences and of the embedding as it comes.

    Parameters
    ----------
    sentences, phrases
        As `fitting_sentences` and `fitting_phrases` give them.
    embeddings, moved
        The embeddings of the sentences and of the phrases, masked.
    """

    def __init__(
        self, sentences: pd.DataFrame, embeddings: FloatArray, phrases: pd.DataFrame, moved: FloatArray
    ) -> None:
        self.counter = CountVectorizer(analyzer=sequences, vocabulary=vocabulary(sentences))
        centre = embeddings.mean(axis=0)
        scale = embeddings.std(axis=0) * np.sqrt(embeddings.shape[1])
        directions = content_directions(moved / scale, phrases["phrase"])
        left = (np.eye(len(scale)) - directions.T @ directions) * WEIGHT
        full = phrases["target"].notna().to_numpy()
        features = np.vstack(
            [
                np.hstack([self.counter.transform(texts).toarray(), (vectors - centre) / scale @ left])
                for texts, vectors in (
                    (sentences["text"], embeddings),
                    (phrases["text"][full], moved[full]),
                )
            ]
        )
        targets = np.concatenate([sentences["target"], phrases["target"][full]])
        weights = np.repeat([1.0, PHRASE], [len(sentences), full.sum()])
        fitted = Ridge(RIDGE).fit(features, targets, sample_weight=weights)
        self.words, rest = np.split(fitted.coef_, [len(self.counter.vocabulary)])
        self.embedding = left @ rest / scale
        self.intercept = float(fitted.intercept_ - centre @ self.embedding)

    def predict(self, texts: Sequence[str], embeddings: FloatArray) -> FloatArray:
        """Return the mean that people read in each text, not clipped."""
        return self.intercept + self.counter.transform(texts) @ self.words + embeddings @ self.embedding

    def figures(self) -> dict[str, Any]:
        """Return the weights, as the evaluator takes them."""
        pairs = zip(self.counter.vocabulary, self.words, strict=True)
        return {
            "intercept": round(self.intercept, 5),
            "sequences": {name: round(float(weight), 4) for name, weight in pairs},
            "embedding": [round(float(value), 4) for value in self.embedding],
        }


def cross_validated(
    sentences: pd.DataFrame, embeddings: FloatArray, phrases: pd.DataFrame, moved: FloatArray
) -> FloatArray:
    """Return what each sentence is read as by a regression that was not fitted on its question."""
    read = np.empty(len(sentences))
    for fit, rest in GroupKFold(FOLDS).split(sentences, groups=sentences["question"]):
        regression = Regression(sentences.iloc[fit], embeddings[fit], phrases, moved)
        read[rest] = regression.predict(sentences["text"].iloc[rest], embeddings[rest])
    return read


def estimate(folder: Path, journal: Path) -> dict[str, Any]:
    """Return the figures of ``embedding_regression``."""
    sentences = fitting_sentences(folder)
    phrases = fitting_phrases(folder, contents(folder, SEED)[0], SEED)
    stems = known_stems(sentences)
    embeddings, moved = (
        embed([masked(text, set(stems)) for text in table["text"]], journal) for table in (sentences, phrases)
    )
    read = cross_validated(sentences, embeddings, phrases, moved)
    spread = spread_figures(survey_figures(folder))
    return {
        "evaluator": "embedding_regression",
        "model": MODEL["model"],
        "provenance": {study: PROVENANCE[study] for study in ("tao2025", "wadefagen", "zonination")},
        "sentences": len(sentences),
        "phrases": len(TAUGHT) - 1,
        "cross_validated": {
            method: round(float(sentences["human"].corr(pd.Series(read), method=method)), 3)
            for method in ("pearson", "spearman")
        },
        "spread": {name: spread[name] for name in ("mean", "sd")},
        "stems": stems,
        **Regression(sentences, embeddings, phrases, moved).figures(),
    }


def main() -> None:
    """Fit and write the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.fit_embedding_regression", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=study_folder, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the model's embeddings are kept")
    arguments = parser.parse_args()
    write_json(estimate(arguments.data, arguments.journal), data.path("embedding_regression.json"))


if __name__ == "__main__":
    main()
