"""Signals: the confidence behind each original answer, as tables (paper sections 3.1 and 4.3)."""

from collections.abc import Sequence

import pandas as pd

from ralc.beta import Beta
from ralc.pipeline.reading import answer_items
from ralc.protocols import Protocol
from ralc.signals import semantic_uncertainty, token_probability


def compute(
    samples: pd.DataFrame,
    clusters: pd.DataFrame,
    answers: pd.DataFrame,
    readings: pd.DataFrame,
    *,
    target: str,
    signals: Sequence[str],
    reader: str,
    protocol: Protocol,
) -> pd.DataFrame:
    """Return the signals table: question_id, signal, alpha, beta of each original answer of `target`.

    A signal that an answer lacks (no reading, no log-probabilities) has null parameters.
    """
    originals = answers[answers.prompt == "direct"].assign(target=target)
    tables = {
        "linguistic_confidence": lambda: _linguistic_confidence(
            originals, readings[readings.reader == reader]
        ),
        "token_probability": lambda: _token_probability(originals, samples, clusters, protocol),
        "semantic_uncertainty": lambda: _frame(
            originals, semantic_uncertainty(originals.support, originals.samples, protocol=protocol)
        ),
    }
    return pd.concat([tables[signal]().assign(signal=signal) for signal in signals], ignore_index=True)


def _frame(originals: pd.DataFrame, confidence: Beta) -> pd.DataFrame:
    """One Beta a question as a table."""
    return pd.DataFrame(
        {"question_id": originals.question_id.to_numpy(), "alpha": confidence.alpha, "beta": confidence.beta}
    )


def _linguistic_confidence(originals: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    """The reading of each original answer."""
    read = pd.DataFrame({"question_id": originals.question_id, "item": answer_items(originals)})
    read = read.merge(readings[["item", "alpha", "beta"]], on="item", how="left", validate="one_to_one")
    return read.drop(columns="item")


def _token_probability(
    originals: pd.DataFrame, samples: pd.DataFrame, clusters: pd.DataFrame, protocol: Protocol
) -> pd.DataFrame:
    """The token probabilities of the members of each question's largest cluster."""
    members = _largest_cluster(samples, clusters)
    members = members[members.token_logprobs.map(lambda values: values is not None and len(values) > 0)]
    by_question = members.groupby("question_id")["token_logprobs"]
    rows = [(question, token_probability(list(group), protocol)) for question, group in by_question]
    confidence = pd.DataFrame(
        [(question, float(beta.alpha), float(beta.beta)) for question, beta in rows],
        columns=["question_id", "alpha", "beta"],
    )
    return originals[["question_id"]].merge(confidence, on="question_id", how="left", validate="one_to_one")


def _largest_cluster(samples: pd.DataFrame, clusters: pd.DataFrame) -> pd.DataFrame:
    """The direct samples in each question's largest cluster; ties go to the one whose first member came first."""
    labelled = samples[samples.prompt == "direct"].merge(
        clusters, on=["question_id", "sample"], validate="one_to_one"
    )
    sizes = (
        labelled.groupby(["question_id", "cluster"], as_index=False)
        .agg(size=("sample", "size"), first=("sample", "min"))
        .sort_values(["size", "first"], ascending=[False, True])
        .drop_duplicates("question_id")
    )
    return labelled.merge(sizes[["question_id", "cluster"]], on=["question_id", "cluster"])
