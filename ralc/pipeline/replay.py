"""What would have been answered, and how confidently, had fewer answers been asked for: replayed from a run's own.

As if only the first n answers to each question had come, for several n, and as if it had been asked until the majority
was settled (`ralc.signals.stopping`): the answer is then the original among those, with a grade of its own. So fewer
calls pay twice: in how often the answer is right, and in how well the signal tells.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from ralc.grading import grade
from ralc.pipeline.confidence import answers_by_question
from ralc.pipeline.text_readings import read
from ralc.protocols import Protocol
from ralc.readers import ReaderModel, build
from ralc.recorded.file import Recorded
from ralc.signals import OF_ANSWERS, Answers, of_answers
from ralc.signals.stopping import SETTLED, answers_needed

#: Answers a question that are looked at, where there are so many; beside them all that there are.
BUDGETS = (1, 2, 3, 5, 10, 20)
#: Answers after which that is looked at: three first, then one more at a time.
FIRST_ROUND = 3


def replayed(
    samples: pd.DataFrame,
    clusters: pd.DataFrame,
    outcomes: pd.Series,
    spent: pd.DataFrame,
    p_true: pd.DataFrame | None = None,
    *,
    protocol: Protocol,
    reader: Mapping[str, Mapping[str, Any]],
) -> pd.DataFrame:
    """Return each signal of each question under each budget, with the outcome of the answer that it is of.

    Parameters
    ----------
    samples, clusters
        Of one target.
    outcomes
        1, 0 or null of each direct sample, by ``question_id, sample`` (`outcomes_of`).
    spent
        What each cost: ``question_id, sample, prompt_tokens`` (once a request), ``completion_tokens``
        (`ralc.pipeline.call_counts.spent_on`).
    p_true
        What the target says of its original answers (`ralc.pipeline.p_true`): those of all answers, so it is under no
        smaller budget.
    protocol
        Of the run.
    reader
        The reader in the loop, its entry by its name; one that asks models reads nothing here.

    Returns
    -------
    DataFrame
        ``question_id, signal, asked`` (a number of answers, or `SETTLED`), ``calls, tokens, outcome, alpha, beta``
        (null where an answer lacks what the signal needs).
    """
    answers = answers_by_question(samples, clusters)
    # What is in no cluster was never answered.
    given = pd.MultiIndex.from_frame(clusters[["question_id", "sample"]]).sort_values()
    costs, graded = spent.set_index(["question_id", "sample"]).reindex(given), outcomes.reindex(given)
    most = max(len(one.texts) for one in answers.values())
    budgets = {str(n): _first(n) for n in sorted({*(n for n in BUDGETS if n < most), most})}
    if most > FIRST_ROUND:
        budgets[SETTLED] = _settled(most)
    rows = []
    for question, of_question in answers.items():
        cost, grades = costs.loc[question], graded.loc[question].to_numpy(dtype=float, na_value=np.nan)
        tokens = cost["completion_tokens"].cumsum().to_numpy() + cost["prompt_tokens"].iloc[0]
        for asked, budget in budgets.items():
            part = of_question.first(budget(of_question))
            n, place = len(part.texts), part.members[0]
            about = (question, asked, n, tokens[n - 1], grades[place], part.texts[place])
            rows += [(*about, signal, *_parameters(signal, part, protocol)) for signal in OF_ANSWERS]
    columns = ["question_id", "asked", "calls", "tokens", "outcome", "text", "signal", "alpha", "beta"]
    made = pd.DataFrame(rows, columns=columns)
    beside = list(_as_read(made, reader))
    if p_true is not None:
        beside.append(_as_told(made[made["asked"] == str(most)], p_true))
    return pd.concat([made, *beside], ignore_index=True).drop(columns="text")


def _first(n: int) -> Callable[[Answers], int]:
    return lambda answers: min(n, len(answers.texts))


def _settled(most: int) -> Callable[[Answers], int]:
    return lambda answers: answers_needed(answers.clusters, range(FIRST_ROUND, most + 1))


def _parameters(signal: str, answers: Answers, protocol: Protocol) -> tuple[float, float]:
    found = of_answers(signal, answers, protocol)
    return (np.nan, np.nan) if found is None else (float(found.alpha), float(found.beta))


def _as_read(made: pd.DataFrame, reader: Mapping[str, Mapping[str, Any]]) -> Iterator[pd.DataFrame]:
    """The linguistic confidence of the answers, where the reader in the loop asks no model."""
    [(name, entry)] = reader.items()
    if not isinstance(build(name, entry), ReaderModel):
        print(
            f"linguistic_confidence is left out: {name} asks models, and what they read were the run's answers alone"
        )
        return
    answers = made.drop_duplicates(["question_id", "asked"]).drop(columns=["alpha", "beta"])
    texts = pd.DataFrame({"item": answers["text"].unique()}).assign(text=lambda table: table["item"])
    heard = read(texts, reader)[["text", "alpha", "beta"]]
    yield answers.assign(signal="linguistic_confidence").merge(
        heard, on="text", how="left", validate="many_to_one"
    )


def _as_told(made: pd.DataFrame, p_true: pd.DataFrame) -> pd.DataFrame:
    """What the target says of the answers, each for a call more; of one of several sentences it says more than one."""
    answers = made.drop_duplicates("question_id").drop(columns=["alpha", "beta"])
    whole = p_true.drop_duplicates("question_id", keep=False).set_index("question_id")
    told = answers.join(whole[["alpha", "beta"]], on="question_id", how="inner")
    more = told["question_id"].map(whole["tokens"])
    return told.assign(signal="p_true", calls=told["calls"] + 1, tokens=told["tokens"] + more)


def outcomes_of(
    samples: pd.DataFrame,
    questions: pd.DataFrame,
    *,
    method: str,
    not_attempted: str,
    recorded: Recorded | None = None,
) -> pd.Series:
    """Return the outcome of each direct sample, by ``question_id, sample``, from a grader that costs nothing.

    Raises
    ------
    ValueError
        If the grader is a language model, which graded one answer a question alone.
    """
    if method == "llm":
        raise ValueError(
            "roles.grader: an llm graded one answer a question, and here each needs a grade: reference or recorded"
        )
    direct = samples.loc[samples["prompt"] == "direct", ["question_id", "prompt", "sample", "text"]]
    on = ["question_id", "text"] if recorded is None else ["question_id", "sample"]
    graded = direct.drop_duplicates(on)
    answers = graded.assign(sentence=0, start=0, members=graded["sample"].map(lambda sample: [sample]))
    found = grade(answers, questions, method=method, not_attempted=not_attempted, recorded=recorded)
    known = graded[on].assign(outcome=found["outcome"].to_numpy())
    every = direct.merge(known, on=on, how="left", validate="many_to_one")
    return every.set_index(["question_id", "sample"])["outcome"]
