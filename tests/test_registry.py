"""The vocabulary is declared once: a new metric, signal, method or evaluator is one definition and one declaration."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from ralc import metrics, registry
from ralc.pipeline.self_evaluation import QUESTIONS
from ralc.report.contents import FIGURES, TABLES
from ralc.signals import OF_ANSWERS, OF_SENTENCES

METRICS = "ralc.pipeline.metric_evaluation"
#: Declares a metric, a signal, a method and an evaluator before anything reads the declarations, and uses them
#: everywhere.
NEWCOMERS = """
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
from ralc import evaluators, metrics, registry, signals
from ralc.evaluators.evaluator import EvaluatorModel

registry.METRICS["regret"] = registry.Metric("Regret", "lower", low=0)
registry.SIGNALS["coin"] = registry.Signal("Coin")
registry.METHODS["shout"] = registry.Method("Shout", guided=True, trained=True, rewritten=True)
metrics.regret = lambda outcome, confidence: outcome * (1 - confidence.mean)
evaluators.EVALUATORS["capitals"] = "capitals.Capitals"

from ralc.beta import Beta
from ralc.config import Run, parse_config
from ralc.pipeline import confidence, measures, rewrite_plan, perceived_confidence
from ralc.pipeline.metric_evaluation import Settings
from ralc.planning import Size, plan
from ralc.protocols import resolve
from ralc.report.figures.style import SIGNAL_COLOURS
from ralc.report.tables import tabulate
from ralc.results.labels import label
from ralc.schemas import check
from tests.synthetic import make_items, make_questions


signals.OF_ANSWERS["coin"] = lambda answers, protocol: Beta(1.0, 1.0)


class Capitals(EvaluatorModel):
    def read(self, texts):
        return Beta([1.0 + 8.0 * text.isupper() for text in texts], 1.0)


sys.modules["ralc.evaluators.capitals"] = SimpleNamespace(Capitals=Capitals)
entry = {"evaluators": {"loud": {"method": "capitals"}}, "roles": {"test_evaluators": ["loud"]}}
heard = parse_config(entry).evaluators["loud"].model_dump()
heard = perceived_confidence.read(pd.DataFrame({"item": ["a", "b"], "text": ["OSLO", "Oslo"]}), {"loud": heard})
assert check(heard, "readings")["alpha"].tolist() == [9.0, 1.0] and set(heard["evaluator"]) == {"loud"}

run = Run(targets=["m"], datasets=["d"], signals=["coin"], methods=["shout"])
samples = pd.DataFrame({"question_id": ["q"], "prompt": "direct", "sample": 0, "text": "A"})
clusters = pd.DataFrame({"question_id": ["q"], "sample": 0, "cluster": 0})
answers = samples.drop(columns="sample").assign(sentence=0, parent_answer=None, support=1, samples=1)
readings = pd.DataFrame({"item": [], "evaluator": [], "alpha": [], "beta": []})
computed = confidence.compute(
    samples.assign(token_logprobs=None, token_ends=None), clusters, answers, readings, None,
    target="m", signals=run.signals, evaluator="cue_model", protocols={"ralc": resolve()},
)
check(computed, "signals")
calibrated = check(computed.assign(train="d", dataset="d", variant="default"), "calibrated")
lexicon = pd.DataFrame({"expression": ["certainly"], "source": "s", "frame": "adverb", "alpha": 9.0, "beta": 1.0})
how = {"k": 1, "shortlist": 1, "size": None}
check(
    rewrite_plan.retrieve(
        None, calibrated, None, lexicon.assign(n=9, flags=""), methods=run.methods, variants={"default": how}
    ),
    "retrieved",
)
size = {"worldfacts-qa": Size(3, 7, "short_answer")}
role = {"rewriter": {"method": "llm", "models": ["smollm2"]}}
whole = {"targets": ["smollm2"], "datasets": list(size), "signals": ["coin"], "methods": ["shout"]}
asked = plan(parse_config({"run": whole, "roles": role}), size, 10)
assert asked.loc[asked["stage"] == "rewrite", "calls"].tolist() == [7 * 4]
how = Settings({"default": 10}, resamples=5, null_repeats=5)
items = make_items(make_questions(("worldfacts-qa",), 12))
items["signal"] = items["signal"].replace("token_probability", "coin")
items["method"] = items["method"].replace("direct_beta", "shout")
table = check(measures.compute(check(items, "items"), how), "metrics")
assert {"shout", "constant_hedge"} <= set(table[table["method"] == "ralc"]["versus"])
assert {"coin"} <= set(table.signal) and {"shout"} <= set(table["method"]) and {"regret"} <= set(table.metric)
shown = tabulate("headline", {"metrics": table})
assert "shout" in shown.index.get_level_values("method") and "coin" in shown.index.get_level_values("signal")
assert SIGNAL_COLOURS["coin"] and [label(n) for n in ("coin", "shout", "regret")] == ["Coin", "Shout", "Regret"]
"""


@pytest.mark.long
def test_a_new_metric_signal_method_and_evaluator_need_one_declaration_each():
    subprocess.run([sys.executable, "-c", NEWCOMERS], check=True, cwd=Path(__file__).parents[1])


def test_every_declared_noun_has_its_function():
    for name in registry.metrics_by("items"):
        assert callable(getattr(metrics, name))
    assert {*OF_ANSWERS, *OF_SENTENCES, *QUESTIONS, registry.READ_SIGNAL} == set(registry.SIGNALS)


@pytest.mark.parametrize(
    ("declared", "entry", "module", "place"),
    [
        (registry.SIGNALS, registry.Signal("Coin"), "ralc.signals", "ralc/signals/"),
        (
            registry.SIGNALS,
            registry.Signal("Coin", needs_extra_call=True),
            "ralc.pipeline.self_evaluation",
            "QUESTIONS",
        ),
        (registry.METRICS, registry.Metric("Coin"), "ralc.metrics", "ralc/metrics/"),
        (registry.METRICS, registry.Metric("Coin", computed="losses"), METRICS, "metric_evaluation.py"),
        (registry.METRICS, registry.Metric("Coin", computed="toss"), METRICS, "metric_evaluation.py"),
        (TABLES, TABLES["counts"], "ralc.report.tables.specs", "specs.py"),
        (FIGURES, FIGURES["theory"], "ralc.report.figures", "ralc/report/figures/"),
    ],
)
def test_what_is_declared_without_its_function_is_an_error_at_import(
    declared, entry, module, place, monkeypatch
):
    found = importlib.util.find_spec(module)
    monkeypatch.setitem(declared, "coin", entry)
    with pytest.raises(ImportError, match=rf"'(coin|toss)' has no function: .*{place}"):
        found.loader.exec_module(importlib.util.module_from_spec(found))
