"""Read the committed hedges by a model that has no part in any run, and write what it reads.

    python -m studies.second_screening --data DIR --journal FILE [--model NAME_OR_FOLDER]

writes ``ralc/data/hedges_second_screening.csv``, a mean reading in [0, 1] of each committed hedge. By it the lexicon
leaves out what independent evaluators read differently (`ralc.lexicon.estimation`). It prints what the evaluator is
worth. FILE keeps the embeddings that ``embedding_regression`` asks for, since errors are compared. It needs the extra
``entailment``; run it after each change of the hedges.

The evaluator is a ridge regression on the mean-pooled embeddings of all-mpnet-base-v2 (Apache-2.0; Song et al. 2020;
Reimers and Gurevych 2019). Nothing else here uses this model. It is taught with the sentences of Tao et al. that no
evaluator of a run learns from (the held-out ones). It is also taught with the surveys' phrases over contents that
``embedding_regression`` is neither taught nor checked with, masked in the same way. So it shares no grammar with
``cue_model``. With ``embedding_regression`` it shares the phrases and their readings, no embeddings and no texts. Its
one constant is chosen by cross-validation over questions and phrases. It is no evaluator of whole answers: on them it
is worse than ``embedding_regression``, on hedges alone better.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from ralc import data
from ralc.beta import Beta
from ralc.evaluators.embedding_regression import known_stems, masked
from ralc.human_benchmark.studies import read_benchmark
from ralc.io import write_text
from ralc.lexicon.expressions import committed
from studies import study_folder
from studies.checks import compared
from studies.contents import contents, hedged
from studies.fit_embedding_regression import FOLDS, fitting_phrases, fitting_sentences
from studies.packaged import read_packaged
from studies.writing import SEED

FloatArray = NDArray[np.float64]
MODEL = "sentence-transformers/all-mpnet-base-v2"
#: Texts that share a forward pass, and what is tried of the regression's penalty.
BATCH = 64
PENALTIES = (10.0, 30.0, 100.0, 300.0, 1000.0)
#: A hedge is read over every fourth of the contents that nothing was taught with.
EVERY = 4


class Encoder:
    """The mean-pooled embeddings of a model of transformers."""

    def __init__(self, model: str) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer = AutoTokenizer.from_pretrained(model)
        self.model = AutoModel.from_pretrained(model).eval()

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Return the embeddings of texts, contents masked, a row each; texts of similar length share a batch."""
        import torch

        shown = [masked(text, known_stems()) for text in texts]
        distinct = sorted(set(shown), key=len)
        rows: dict[str, FloatArray] = {}
        for start in range(0, len(distinct), BATCH):
            batch = distinct[start : start + BATCH]
            read = self.tokenizer(batch, padding=True, truncation=True, return_tensors="pt")
            with torch.no_grad():
                states = self.model(**read).last_hidden_state
            mask = read["attention_mask"].unsqueeze(-1)
            rows.update(zip(batch, ((states * mask).sum(1) / mask.sum(1)).double().numpy(), strict=True))
        return np.array([rows[text] for text in shown])


def regression(embeddings: FloatArray, targets: FloatArray, groups: Sequence[str]) -> GridSearchCV:
    """Return a ridge regression on standardised embeddings, fitted.

    Its penalty is of `PENALTIES` the one with the least squared error on groups (questions, phrases) left out.
    """
    steps = Pipeline([("scale", StandardScaler()), ("ridge", Ridge())])
    search = GridSearchCV(
        steps, {"ridge__alpha": PENALTIES}, cv=GroupKFold(FOLDS), scoring="neg_mean_squared_error"
    )
    return search.fit(embeddings, targets, groups=groups)


def own_contents(folder: Path) -> tuple[list[str], list[str]]:
    """Return contents to teach with, and others; ``embedding_regression`` has none of them."""
    return contents(folder, SEED, without=[text for part in contents(folder, SEED) for text in part])


def taught(folder: Path) -> pd.DataFrame:
    """Return what the regression is taught with: ``text, group, target``; groups are the questions, and the phrases."""
    sentences = fitting_sentences(folder, "held_out")
    phrases = fitting_phrases(folder, own_contents(folder)[0], SEED).dropna(subset=["target"])
    parts = {"question": sentences, "phrase": phrases}
    return pd.concat(
        [rows.rename(columns={name: "group"}).assign(kind=name) for name, rows in parts.items()],
        ignore_index=True,
    )[["kind", "group", "text", "target"]]


def worth(rows: pd.DataFrame, left_out: FloatArray) -> list[str]:
    """Return Pearson's correlation of held-out readings with the targets, of sentences and of phrases' means."""
    read = rows.assign(read=left_out)
    phrases = read[read["kind"] == "phrase"].groupby("group")[["target", "read"]].mean()
    parts = {"sentences": read[read["kind"] == "question"], "phrases": phrases}
    return [
        f"left out, {len(part)} {name}: Pearson {part['read'].corr(part['target']):.3f}"
        for name, part in parts.items()
    ]


def errors_shared(read: FloatArray, items: pd.DataFrame, journal: Path) -> list[str]:
    """Return Pearson on the 1,622 sentences: with people, and of errors with each packaged evaluator's."""
    human = items["score"].to_numpy()
    lines = []
    for name, rows in read_packaged(items["text"].tolist(), journal).groupby("evaluator"):
        means = pd.Series(Beta.from_table(rows).mean, index=rows["text"]).groupby(level=0).first()
        found = compared(read, human, means[items["text"]].to_numpy())
        figures = ", ".join(f"{metric} {statistic.value:.3f}" for metric, statistic in found.items())
        lines.append(f"{len(items)} sentences, beside {name}: {figures}")
    return lines


def main() -> None:
    """Write the readings, and print what the evaluator is worth."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.second_screening", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--data", type=study_folder, required=True, help="folder of the studies")
    parser.add_argument("--journal", type=Path, required=True, help="where the embeddings are kept")
    parser.add_argument("--model", default=MODEL, help="all-mpnet-base-v2, by its name or its folder")
    arguments = parser.parse_args()
    encoder = Encoder(arguments.model)
    rows = taught(arguments.data)
    hedges = committed()
    foreign = own_contents(arguments.data)[1][::EVERY]
    sentences = [hedged(content, one["expression"], one["frame"]) for one in hedges for content in foreign]
    embeddings = encoder.embed(rows["text"].tolist())
    fitted = regression(embeddings, rows["target"].to_numpy(), rows["group"].tolist())
    read = fitted.predict(encoder.embed(sentences)).reshape(len(hedges), -1)
    table = pd.DataFrame({"expression": [one["expression"] for one in hedges]})
    table["mean"] = np.clip(read.mean(axis=1), 0, 1)
    text = table.to_csv(index=False, float_format="%.3f", lineterminator="\n")
    write_text(text, data.path("hedges_second_screening.csv"))

    folds = GroupKFold(FOLDS)
    left_out = cross_val_predict(
        fitted.best_estimator_, embeddings, rows["target"], groups=rows["group"], cv=folds
    )
    items = read_benchmark(arguments.data)
    on_items = fitted.predict(encoder.embed(items["text"].tolist()))
    lines = [*worth(rows, left_out), *errors_shared(on_items, items, arguments.journal)]
    print("\n".join([f"penalty {fitted.best_params_['ridge__alpha']:g}", *lines]))


if __name__ == "__main__":
    main()
