"""What a package with all newcomers in it does with them; run by `tests/test_registry.py` in a copy of the package."""

from pathlib import Path

import pandas as pd

import ralc
from ralc import datasets, evaluators
from ralc.config import parse_config
from ralc.llm import complete, request_for
from ralc.llm.engines import build
from ralc.pipeline import confidence, measures, perceived_confidence
from ralc.pipeline.metric_evaluation import Settings
from ralc.pipeline.rewrite_plan import Retrieval
from ralc.planning import Size, plan, sizes
from ralc.protocols import resolve
from ralc.report.figures.style import SIGNAL_LOOKS
from ralc.report.tables import tabulate
from ralc.results.labels import label
from ralc.schemas import check
from tests.synthetic import make_items, make_questions

ANSWERED = pd.DataFrame({"question_id": ["q"], "prompt": "direct", "sample": 0, "text": "A"})
LEXICON = pd.DataFrame(
    {"expression": ["certainly"], "source": "s", "frame": "adverb", "alpha": 9.0, "beta": 1.0}
)


def a_signal() -> pd.DataFrame:
    """It is computed, and calibrated."""
    answers = ANSWERED.drop(columns="sample").assign(sentence=0, parent_answer=None, support=1, samples=1)
    clusters = ANSWERED[["question_id", "sample"]].assign(cluster=0)
    computed = confidence.compute(
        ANSWERED.assign(token_logprobs=None, token_ends=None, finish_reason="stop"),
        clusters,
        answers,
        pd.DataFrame({"item": [], "evaluator": [], "alpha": [], "beta": []}),
        pd.DataFrame(),
        target="m",
        signals=["coin"],
        evaluator="cue_model",
        protocols={"ralc": resolve()},
    )
    assert check(computed, "signals")["signal"].tolist() == ["coin"]
    return check(computed.assign(train="d", dataset="d", variant="default"), "calibrated")


def a_method(calibrated: pd.DataFrame) -> None:
    """Its hedges are retrieved, and its rewrites planned."""
    how = {"k": 1, "shortlist": 1, "size": None}
    lexicon = LEXICON.assign(n=9, flags="")
    variants = {"methods": ["shout"], "variants": {"default": how}}
    check(Retrieval(**variants).result(None, calibrated, None, lexicon), "retrieved")
    run = {
        "targets": ["smollm2"],
        "datasets": ["worldfacts-qa"],
        "signals": ["coin"],
        "methods": ["ralc", "shout"],
    }
    roles = {"rewriter": {"method": "llm", "models": ["smollm2"]}}
    asked = plan(
        parse_config({"run": run, "roles": roles}), {"worldfacts-qa": Size(3, 7, "short_answer")}, 10
    )
    assert asked.loc[asked["stage"] == "rewrite", "calls"].tolist() == [2 * 7 * 4]


def an_evaluator() -> None:
    """It reads by its name in the configuration."""
    entry = {"evaluators": {"loud": {"method": "capitals"}}, "roles": {"test_evaluators": ["loud"]}}
    loud = {"loud": parse_config(entry).evaluators["loud"].model_dump()}
    read = perceived_confidence.Reading(evaluators=loud).result(
        perceived_confidence.list_texts(["OSLO", "Oslo"])
    )
    assert check(read, "readings")["alpha"].tolist() == [9.0, 1.0]
    assert evaluators.load("capitals").read(["OSLO"]).mean == 0.9
    assert label("capitals") == "capitals only"


def a_dataset(folder: Path) -> None:
    """It is loaded by its name, and planned without its file."""
    (folder / "towns.txt").write_text("Peru: Lima\n")
    loaded = datasets.load("towns", {"path": folder / "towns.txt"})
    assert check(loaded.assign(split="test"), "questions")["accepted"].map(list).tolist() == [["Lima"]]
    config = parse_config({"run": {"datasets": ["towns"]}, "datasets": {"towns": {}}})
    assert sum(sizes(config)["towns"][:2]) == 3
    assert label("towns") == "Towns"


def an_engine(folder: Path) -> None:
    """It answers."""
    entry = parse_config({"models": {"echo": {"engine": "echo", "model": "any"}}}).models["echo"]
    request = request_for(entry, [{"role": "user", "content": "Hi"}], n=2)
    assert [one.text for one in complete([request], build(entry), folder / "j.jsonl")] == ["Hi", "Hi"]


def a_metric_and_a_table() -> None:
    """The metric is a row of the metrics, and the table shows it."""
    items = make_items(make_questions(("worldfacts-qa",), 12))
    items["signal"] = items["signal"].replace("token_probability", "coin")
    items["method"] = items["method"].replace("direct_beta", "shout")
    settings = Settings({"default": 10}, resamples=5, null_repeats=5)
    table = check(measures.compute(check(items, "items"), settings), "metrics")
    assert {"shout", "constant_hedge"} <= set(table[table["method"] == "ralc"]["versus"])
    assert {"coin"} <= set(table["signal"])
    assert {"regret"} <= set(table["metric"])
    shown = tabulate("headline", {"metrics": table})
    assert {"shout"} <= set(shown.index.get_level_values("method"))
    assert {"coin"} <= set(shown.index.get_level_values("signal"))
    assert "regret" in tabulate("regrets", {"metrics": table}).columns.get_level_values("quantity")
    assert SIGNAL_LOOKS["coin"]
    assert [label(name) for name in ("coin", "shout", "regret")] == ["Coin", "Shout", "Regret"]


if __name__ == "__main__":
    here = Path(ralc.__file__).parents[1]
    a_method(a_signal())
    an_evaluator()
    a_dataset(here)
    an_engine(here)
    a_metric_and_a_table()
