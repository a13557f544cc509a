"""Signals: the confidence behind each original answer, as tables (paper sections 3.1 and 4.3)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from ralc.conditions import answer_items
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
    protocols: Mapping[str, Protocol],
) -> pd.DataFrame:
    """Return the signals table: protocol, question_id, signal, alpha, beta of each original answer of `target`.

    Under each of `protocols`, by their labels, from the same answers and readings. A signal that an answer lacks
    (no reading, no log-probabilities) has null parameters.
    """
    originals = answers[answers.prompt == "direct"].assign(target=target)
    heard = readings[readings.reader == reader]
    parts = []
    for label, protocol in protocols.items():
        sources = _Sources(originals, samples, clusters, heard, protocol)
        parts += [_MADE_BY[signal](sources).assign(signal=signal, protocol=label) for signal in signals]
    return pd.concat(parts, ignore_index=True)


class _Sources(NamedTuple):
    """What signals are made from: the original answers of a target, and what is known about them."""

    originals: pd.DataFrame
    samples: pd.DataFrame
    clusters: pd.DataFrame
    readings: pd.DataFrame
    protocol: Protocol


#: The function that makes each signal's table: question_id, alpha, beta.
_MADE_BY: dict[str, Callable[[_Sources], pd.DataFrame]] = {}


def makes(signal: str) -> Callable[[Callable[[_Sources], pd.DataFrame]], Callable[[_Sources], pd.DataFrame]]:
    """Mark the function that makes a signal; its name and title are declared in `ralc.names`."""

    def register(function: Callable[[_Sources], pd.DataFrame]) -> Callable[[_Sources], pd.DataFrame]:
        _MADE_BY[signal] = function
        return function

    return register


@makes("linguistic_confidence")
def _linguistic_confidence(sources: _Sources) -> pd.DataFrame:
    """The reading of each original answer."""
    originals = sources.originals
    read = pd.DataFrame({"question_id": originals.question_id, "item": answer_items(originals)})
    read = read.merge(
        sources.readings[["item", "alpha", "beta"]], on="item", how="left", validate="one_to_one"
    )
    return read.drop(columns="item")


@makes("token_probability")
def _token_probability(sources: _Sources) -> pd.DataFrame:
    """The token probabilities of the members of each question's largest cluster."""
    members = _largest_cluster(sources.samples, sources.clusters)
    members = members[members.token_logprobs.map(lambda values: values is not None and len(values) > 0)]
    by_question = members.groupby("question_id")["token_logprobs"]
    rows = [(question, token_probability(list(group), sources.protocol)) for question, group in by_question]
    confidence = pd.DataFrame(
        [(question, float(beta.alpha), float(beta.beta)) for question, beta in rows],
        columns=["question_id", "alpha", "beta"],
    )
    return sources.originals[["question_id"]].merge(
        confidence, on="question_id", how="left", validate="one_to_one"
    )


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


@makes("semantic_uncertainty")
def _semantic_uncertainty(sources: _Sources) -> pd.DataFrame:
    """How many of the samples mean what the original says."""
    originals = sources.originals
    confidence = semantic_uncertainty(originals.support, originals.samples, protocol=sources.protocol)
    return pd.DataFrame(
        {"question_id": originals.question_id.to_numpy(), "alpha": confidence.alpha, "beta": confidence.beta}
    )
