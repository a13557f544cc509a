"""Ask whether the least likely token tells more of an answer than agreement: ``python -m studies.least_token RUN``.

RUN is a finished run with token log-probabilities (preset ``record.yaml``). A logistic regression of the grades on
agreement stands against one on agreement and the least token probability. Both are fitted on the train questions of a
model and dataset, with a standard normal prior of each slope in standard units, and scored on the test questions.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

RESAMPLES = 2_000
#: The nearest that agreement comes to 0 and 1 on the log-odds scale.
EDGE = 0.02


def answers(run: Path, model: str) -> pd.DataFrame:
    """Return a row a graded answer: ``dataset, split, agreement, least, right``, agreement as log-odds.

    Parameters
    ----------
    run
        The folder of a finished run.
    model
        A target of it.
    """
    tables = {
        name: pd.read_parquet(run / name / f"{model}.parquet") for name in ("samples", "grades", "signals")
    }
    samples, grades = (one[one["prompt"] == "direct"] for one in (tables["samples"], tables["grades"]))
    least = samples["token_logprobs"].map(lambda row: min(row, default=np.nan))
    signal = tables["signals"].query("signal == 'semantic_uncertainty'").set_index("question_id")
    mean = (signal["alpha"] / (signal["alpha"] + signal["beta"])).clip(EDGE, 1 - EDGE)
    questions = pd.concat(map(pd.read_parquet, sorted((run / "questions").glob("*.parquet"))))
    rows = questions.set_index("question_id")[["dataset", "split"]].assign(
        agreement=logit(mean),
        least=least.groupby(samples["question_id"]).mean(),
        right=grades.set_index("question_id")["outcome"].astype(float),
    )
    return rows.dropna()


def compare(rows: pd.DataFrame, seed: int = 2026) -> pd.Series:
    """Return both Brier scores and AUROCs on the test rows, and the differences with 95 % intervals by resampling."""
    train, test = (rows[rows["split"] == part] for part in ("train", "test"))
    right = test["right"].to_numpy()
    said = []
    for columns in (["agreement"], ["agreement", "least"]):
        fitted = make_pipeline(StandardScaler(), LogisticRegression(C=1.0)).fit(
            train[columns], train["right"]
        )
        said.append(fitted.predict_proba(test[columns])[:, 1])
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(0, len(right), len(right)) for _ in range(RESAMPLES)]
    drawn = [places for places in drawn if 0 < right[places].mean() < 1]
    scores = {"Brier": lambda p, y: np.mean((p - y) ** 2), "AUROC": lambda p, y: roc_auc_score(y, p)}
    told = {"n": f"{len(right)}"}
    for name, score in scores.items():
        both = [score(one, right) for one in said]
        gains = [
            score(said[1][places], right[places]) - score(said[0][places], right[places]) for places in drawn
        ]
        low, high = np.quantile(gains, [0.025, 0.975])
        told[name] = f"{both[0]:.3f}"
        told[f"{name}, with least token"] = f"{both[1]:.3f}"
        told[f"{name}, difference"] = f"{both[1] - both[0]:+.3f} [{low:+.3f}, {high:+.3f}]"
    return pd.Series(told)


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(
        prog="python -m studies.least_token", description=__doc__.splitlines()[0]
    )
    parser.add_argument("run", type=Path, metavar="RUN")
    run = parser.parse_args().run
    parts = {}
    for path in sorted((run / "samples").glob("*.parquet")):
        for dataset, rows in answers(run, path.stem).groupby("dataset"):
            if rows.groupby("split")["right"].nunique().eq(2).all():
                parts[f"{path.stem}, {dataset}"] = compare(rows)
    print(pd.DataFrame(parts).T.to_markdown())


if __name__ == "__main__":
    main()
