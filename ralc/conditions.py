"""Conditions: what an answer's confidence belongs to, and what each is compared with.

A condition says who answered which questions, what made the confidence, and who read it. The tables `items` and
`metrics` have a column for each field; what does not apply is ``none``. A variant is what an ablation changed.
"""

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple, Self

import pandas as pd

from ralc.registry import METHODS

DEFAULT = "default"
#: What stands where a column does not apply, and for the mean over models, datasets or signals.
NONE = "none"
MEAN = "mean"
#: What stands for the dataset and the train set of what is pooled over all datasets and models.
POOLED = "pooled"
#: The evaluator that has people's own numbers.
PEOPLE = "people"
#: Names of those columns that no entry of a section of the configuration may have.
RESERVED = {"models": (NONE, MEAN), "datasets": (NONE, MEAN, POOLED), "evaluators": (NONE, PEOPLE)}


class Variant(NamedTuple):
    """What an ablation changed: a part of the method, and to what.

    The parts are ``map``, ``bins``, ``hedges``, ``lexicon``, ``loop`` and ``not_attempted``. In the tables of results a
    variant is its name.

    >>> Variant("map", "isotonic").name
    'map=isotonic'
    """

    part: str
    value: int | str

    @property
    def name(self) -> str:
        """As in the column `variant`."""
        return f"{self.part}={self.value}"


def changed_to(variants: pd.Series, part: str) -> pd.Series:
    """Return to what variants, by their names, changed a part of the method; null where they did not.

    >>> changed_to(pd.Series(["default", "map=isotonic", "bins=100"]), "map").tolist()
    [nan, 'isotonic', nan]
    """
    return variants.str.removeprefix(f"{part}=").where(variants.str.startswith(f"{part}="))


#: The variant whose lexicon is the phrases that people were asked about; that which no evaluator chooses; that without
#: the answers that are not attempted.
SURVEYED = Variant("lexicon", PEOPLE).name
UNREAD = Variant("loop", "open").name
ATTEMPTED = Variant("not_attempted", "dropped").name


class Condition(NamedTuple):
    """One way in which the answers of one target to one dataset have a confidence.

    >>> words = Condition("ralc", "m", "mmlu", "squad2", "token_probability", "ralc", "linguistic", "cue_model_b")
    >>> words.name
    'ralc/m/mmlu/squad2/token_probability/ralc/linguistic/cue_model_b/default'
    >>> [versus for versus, _ in words.counterparts()]
    ['original', 'in_domain']
    """

    protocol: str
    target: str
    dataset: str
    train: str
    signal: str
    method: str
    space: str
    evaluator: str
    variant: str = DEFAULT

    @property
    def name(self) -> str:
        """All fields as one text, from which random numbers of this condition derive."""
        return "/".join(self)

    @property
    def calibrated_signal(self) -> Self:
        """The calibrated signal that the words of a guided rewrite are to carry."""
        return self._replace(method="ralc", space="signal", evaluator=NONE)

    @property
    def plain(self) -> Self:
        """The same condition in the default variant."""
        return self._replace(variant=DEFAULT)

    def counterparts(self) -> Iterator[tuple[str, Self]]:
        """Yield what this condition is compared with, each with its name in the column `versus`.

        Each other method is compared with the original, and each variant with the default. RALC by another dataset's
        map is compared with the own map; by the own, in words, with every other method and the calibrated signal.
        """
        linguistic = self.space == "linguistic"
        if self.method != "original":
            signal = NONE if linguistic else self.signal
            yield "original", self._replace(method="original", train=NONE, signal=signal)
        if self.method == "ralc":
            if self.train != self.dataset:
                yield "in_domain", self._replace(train=self.dataset)
            elif linguistic:
                yield from ((name, self._by(name)) for name in METHODS if name not in ("original", "ralc"))
                yield "signal", self.calibrated_signal
            if self.signal == "support":
                yield "answer_support", self._replace(signal="answer_support")
        if self.variant != DEFAULT:
            yield "default", self.plain

    def _by(self, method: str) -> Self:
        """The same answers by another method; nobody reads the base rate, which is a number."""
        return self._replace(
            method=method,
            train=self.train if METHODS[method].trained else NONE,
            signal=self.signal if METHODS[method].guided else NONE,
            evaluator=NONE if method == "base_rate" else self.evaluator,
        )

    def among(self, present: Collection[Self]) -> Self | None:
        """Return this condition where it is present, else its default variant (what no ablation touches), else None."""
        return next((condition for condition in (self, self.plain) if condition in present), None)


#: What an answer's name as an item ends in where its signal has a reading of its own.
SIGNAL_READING = "/signal"
#: The columns of a condition, in the tables of results.
COLUMNS = list(Condition._fields)
#: What names a unit of a target's answers: a question, and which claim sentence of its answer; 0 of an answer of one.
UNIT = ["question_id", "sentence"]


def having(rows: pd.DataFrame, **values: Any) -> pd.DataFrame:
    """Return the rows whose columns have these values: one of a column, or any of several.

    >>> having(pd.DataFrame({"space": ["signal", "linguistic"], "n": [1, 2]}), space="linguistic", n=[2, 3])["n"].item()
    2
    """
    for column, value in values.items():
        rows = rows[rows[column].isin(value if pd.api.types.is_list_like(value) else [value])]
    return rows


def averaged(metrics: pd.DataFrame) -> pd.Series:
    """Return which rows of metrics are over several datasets or signals: means, and the primary endpoints."""
    return metrics[["dataset", "signal"]].isin([MEAN, POOLED]).any(axis=1)


def answer_items(answers: pd.DataFrame) -> pd.Series:
    """Return the names of answers as items that are read; columns ``target, question_id, prompt``."""
    return _joined(answers["target"], _unit(answers), answers["prompt"])


def rewrite_items(plan: pd.DataFrame) -> pd.Series:
    """Return the names of rewritten answers as items that are read, one a condition of the plan and question."""
    names = _joined(plan["target"], _unit(plan), plan["train"], plan["signal"], plan["method"])
    # Names of the default variant stay as they are when an ablation is added, and with them what was read.
    return names.where(plan["variant"] == DEFAULT, names.str.cat(plan["variant"], sep="/"))


def _unit(rows: pd.DataFrame) -> pd.Series:
    """The name of each unit: its question's, with its number from the second sentence on."""
    name = rows["question_id"].astype("str")
    return name.where(rows["sentence"] == 0, name.str.cat(rows["sentence"].astype("str"), sep="#"))


def _joined(first: pd.Series, *columns: pd.Series) -> pd.Series:
    return first.astype("str").str.cat([column.astype("str") for column in columns], sep="/")
