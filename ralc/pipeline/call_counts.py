"""What the models were asked: requests, tokens, and answers that were no good, by stage and model."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from ralc.llm.models import Price

#: The columns of a responses table that are counted.
COUNTED = ["key", "finish_reason", "prompt_tokens", "completion_tokens", "reasoning_tokens"]
COUNTED += ["error", "attempt", "valid"]


def count_calls(
    asked: Sequence[tuple[str, str]], prices: Mapping[str, Any], responses: Iterable[pd.DataFrame]
) -> pd.DataFrame:
    """Return one row a (stage, model): what was asked, and how the answers came back.

    Parameters
    ----------
    asked
        Stage and model of each table of `responses`.
    prices
        What a million tokens of each model cost, as in its entry in the configuration.
    responses
        Responses tables with at least the columns `COUNTED`, read one at a time.

    Returns
    -------
    stage, model, requests, answers, prompt_tokens (once a request), completion_tokens, reasoning_tokens,
    cut (answers that reached their longest length), second_attempts, invalid (answers that did not meet their
    constraint, by neither attempt), errors (answers that were not to be had), cost (in the currency of the
    model's `price`; null without one). Tokens and cost are those of the answers that stand: first attempts
    that a second replaced are not in them.
    """
    rows = [
        {"stage": stage, "model": model, **_counts(table, Price.model_validate(prices[model]))}
        for (stage, model), table in zip(asked, responses, strict=True)
    ]
    # Shards of one table share no request.
    return pd.DataFrame(rows).groupby(["stage", "model"], sort=False).sum(min_count=1).reset_index()


def _counts(answers: pd.DataFrame, price: Price) -> dict[str, float]:
    failed = answers["error"].notna()
    prompt = int(answers.drop_duplicates("key")["prompt_tokens"].sum())
    completion = int(answers["completion_tokens"].sum())
    cost = (prompt * price.prompt + completion * price.completion) / 1e6
    return {
        "requests": answers["key"].nunique(),
        "answers": len(answers),
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "reasoning_tokens": int(answers["reasoning_tokens"].sum()),
        "cut": int((answers["finish_reason"] == "length").sum()),
        "second_attempts": int((answers["attempt"] == 2).sum()),
        "invalid": int((~answers["valid"] & ~failed).sum()),
        "errors": int(failed.sum()),
        "cost": cost if price != Price() else float("nan"),
    }


def spent_on(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return the tokens of each direct sample: ``question_id, sample, prompt_tokens, completion_tokens``."""
    asked = requests.loc[requests["prompt"] == "direct", ["question_id", "key"]]
    columns = ["key", "sample", "prompt_tokens", "completion_tokens"]
    return asked.merge(responses[columns], on="key").drop(columns="key")


def by_question(requests: pd.DataFrame, responses: pd.DataFrame) -> pd.DataFrame:
    """Return what each question was asked, by its id: ``answers``, and ``tokens`` with the prompt once."""
    spent = spent_on(requests, responses)
    of = spent.groupby("question_id")
    tokens = of["completion_tokens"].sum() + of["prompt_tokens"].first()
    return pd.DataFrame({"answers": of.size(), "tokens": tokens})
