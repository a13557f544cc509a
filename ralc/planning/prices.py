"""What is asked has a price: tokens, hours, money, disk."""

import math
import re
from collections.abc import Mapping

import pandas as pd

from ralc.config import Config
from ralc.llm.models import ModelConfig
from ralc.names import SIGNALS
from ralc.planning.demand import Line, lines
from ralc.planning.sizes import Size

#: ASSUME: tokens a second of prompts and of answers: of a GPU for a model of 8 billion parameters (a larger one in
#: proportion to the number in its name), of a CPU thread for the embedded model (measured: 129).
SPEED = {"vllm": (20_000, 2_500), "entailment": (30_000, 30_000), "embedded": (600, 129)}
#: ASSUME: bytes on disk of a request, of an answer and of its token (journal and table; measured on the smoke preset).
DISK = (600, 250, 25)


def plan(
    config: Config,
    sizes: Mapping[str, Size],
    hedges: int,
    answered: Mapping[tuple[str, str], int] | None = None,
    expected: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """Return what is to be asked, a row a part, stage and model.

    Parameters
    ----------
    config
        The run's.
    sizes
        Questions of each dataset of the run.
    hedges
        Entries of the lexicon.
    answered
        Answers that the journals of a (stage, model) have already; they are taken off, first line first.
    expected
        Answers a question that a target which is asked in rounds will take; without it, all.

    Returns
    -------
    DataFrame
        ``part, stage, model, calls`` (answers wanted in all), ``answered`` (of them, in the journal), ``requests``
        (still to be sent), ``prompt_tokens``, ``completion_tokens``, ``hours`` (of a GPU or a CPU thread; null for
        a server), ``cost`` (null without prices), ``gigabytes``.
    """
    have = dict(answered or {})
    rows = []
    for line in lines(config, sizes, hedges, expected):
        place = line.stage, line.model
        known = min(have.get(place, 0), line.answers)
        have[place] = have.get(place, 0) - known
        rows.append(_priced(line, known, config.models[line.model]))
    return pd.DataFrame(rows)


def of_signals(
    config: Config, sizes: Mapping[str, Size], expected: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Return what each signal of a run would ask if there were no other: ``signal`` and the columns of `plan`, summed.

    One answer a question where it compares none; else as many as are asked for, and their clusters; readings of the
    originals where it is the words'; what is asked about them where it asks. Empty where no model is asked for them.
    """
    rows = []
    for signal in config.run.signals:
        compares, asks = SIGNALS[signal].compares, SIGNALS[signal].asks
        sampling = config.sampling.model_copy(update={"answers": config.sampling.answers if compares else 1})
        run = config.run.model_copy(update={"methods": ["ralc"]})  # no hedged answers
        table = plan(
            config.model_copy(update={"sampling": sampling, "run": run}),
            sizes,
            0,
            expected=expected if compares else None,
        )
        wanted = {
            "sample": True,
            "cluster": compares,
            "read_answers": signal == "linguistic_confidence",
            "p_true": asks,
        }
        stages = [name for name, taken in wanted.items() if taken]
        asked = table[table["stage"].isin(stages)] if len(table) else table
        if len(asked):
            rows.append({"signal": signal, **asked.sum(numeric_only=True, min_count=1)})
    return pd.DataFrame(rows)


def _priced(line: Line, answered: int, model: ModelConfig) -> dict[str, str | float]:
    """A line's tokens, time, money and disk, without what is answered already; reasoning is paid and not kept."""
    left = 1 - answered / line.answers if line.answers else 0.0
    requests = math.ceil(line.requests * left)
    prompt = requests * line.prompt
    completion = left * line.answers * (line.completion + model.reasoning_tokens)
    price = model.price
    cost = (prompt * price.prompt + completion * price.completion) / 1e6
    per_request, per_answer, per_token = DISK
    disk = per_request * line.requests + line.answers * (per_answer + per_token * line.completion)
    return {
        "part": line.part,
        "stage": line.stage,
        "model": line.model,
        "calls": line.answers,
        "answered": answered,
        "requests": requests,
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "hours": _hours(model, prompt, completion),
        "cost": cost if price != type(price)() else math.nan,
        "gigabytes": disk / 1e9,
    }


def _hours(model: ModelConfig, prompt: float, completion: float) -> float:
    """Hours of a GPU or of a CPU thread."""
    if model.engine not in SPEED:
        return math.nan
    billions = re.search(r"(\d+(?:\.\d+)?)b\b", model.model, re.IGNORECASE)
    larger = float(billions[1]) / 8 if billions and model.engine == "vllm" else 1.0
    of_prompts, of_answers = SPEED[model.engine]
    return larger * (prompt / of_prompts + completion / of_answers) / 3600
