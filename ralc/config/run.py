"""What runs: targets, datasets, signals and methods; how questions are divided and asked."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from ralc.config.types import Count, Fraction, Section, distinct
from ralc.datasets import READERS, WORLDFACTS
from ralc.io.paths import Place
from ralc.registry import PAPER_SIGNALS, SIGNALS, methods_by

Signal = Literal[tuple(SIGNALS)]  # type: ignore[valid-type]
Method = Literal[tuple(methods_by(always=False))]  # type: ignore[valid-type]


class Run(Section):
    """What runs."""

    targets: list[str] = Field(["smollm2"], min_length=1)
    """Models that answer: keys of `models`."""
    datasets: list[str] = Field(list(WORLDFACTS), min_length=1)
    """Datasets to use: keys of `datasets`. Maps are fitted on each and tried on all."""
    signals: list[Signal] = Field(list(PAPER_SIGNALS), min_length=1)
    """Confidence signals that are calibrated."""
    methods: list[Method] = Field(methods_by(always=False), min_length=1)
    """RALC, and the ways of saying an answer that it is compared with."""

    @field_validator("*")
    @classmethod
    def _no_repeats(cls, values: list[str]) -> list[str]:
        return distinct(values)


class Dataset(Section):
    """Where questions come from: a built-in dataset (by its name or ``format``) or a file of the user's own."""

    path: Place | None = None
    """File or folder of the questions; none for a built-in dataset (`worldfacts-qa`, `worldfacts-mc`,
    `worldfacts-rc`), and for published datasets (`mmlu`, `squad2`, `truthfulqa`, `factscore`), which are then fetched
    once into the user's cache and checked by SHA-256."""
    format: Literal[READERS] | None = None  # type: ignore[valid-type]
    """How `path` is read, where the dataset's name does not say it: the format of one of the published datasets, or
    `file` for JSON lines or CSV of your own."""
    questions: Count | None = None
    """How many to take; all of them without it."""
    draw: Literal["development", "confirming"] | None = None
    """`development`, or `confirming`: questions that no run asked while choices were made (preset `confirming.yaml`);
    halves by lot, the same for every seed. Without it all questions; of worldfacts and factscore `development`."""


class Split(Section):
    """How questions are divided into train (map fitting) and test."""

    train: Fraction = 0.3
    """Share of questions that the calibration maps are fitted on; the rest is the test split."""


class Sampling(Section):
    """How targets are asked."""

    answers: Annotated[int, Field(ge=1, le=10_000)] = 20
    """Answers sampled a question (the paper's n); one is enough for signals that compare none."""
    max_tokens: Count = 64
    """Longest answer; answers cut there keep the finish reason `length`."""
    prompts: Literal["paper", "short"] = "paper"
    """`paper` (the paper's prompts) or `short` (for a very small model: answer in one short sentence)."""
