"""Long steps say how far they are, where the model stages do; short ones say nothing."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from ralc import clustering, evaluators, grading, io, preservation
from ralc.io.console import Progress, followed
from ralc.llm import Request, to_table
from ralc.rewriting import choose_rewrites, list_candidates
from tests.synthetic import make_items, make_questions

QUESTIONS = make_questions(("worldfacts-qa",), 2)
IDS = QUESTIONS["question_id"].tolist()
ANSWERS = pd.DataFrame(
    {
        "question_id": IDS,
        "sentence": 0,
        "prompt": "direct",
        "sample": 0,
        "text": "Aville.",
        "finish_reason": "stop",
    }
)
TEXTS = pd.DataFrame({"item": ["a", "b"], "text": ["Perhaps Oslo.", "Surely Oslo."]})
READ = TEXTS[["text"]].assign(alpha=[2.0, 9.0], beta=[3.0, 1.0])
TASK = {"task": "t", "method": "ralc", "text": "It is Oslo.", "hedges": ["perhaps"], "frames": ["adverb"]}
TASK |= {"loop": "closed", "passes": "", "whole": None, "hedge_alpha": [2.0], "hedge_beta": [3.0]}
TASKS = pd.DataFrame([TASK | {"alpha": 2.0, "beta": 3.0}])
HEDGES = pd.DataFrame({"expression": ["perhaps"], "frame": ["adverb"]})
FOUND = TEXTS[["text"]].assign(task="t", origin="grammar", hedge="perhaps")


def candidates() -> None:
    in_the_loop = {"lexicon": None, "evaluator": {"cue_model": {"method": "cue_model"}}, "how": {}}
    list_candidates(TASKS, None, None, method="guided", **in_the_loop)


#: What takes minutes at the size of the paper's experiment and asks no model, and what it says at its end.
STEPS = {
    "clusters: 2/2 questions (100 %)": lambda: clustering.cluster(ANSWERS, QUESTIONS),
    "grades: 2/2 answers (100 %)": lambda: grading.grade(ANSWERS, QUESTIONS),
    "candidates: 1/1 rewrites (100 %)": candidates,
    "readings by cue_model: 2/2 texts (100 %)": lambda: evaluators.load("cue_model").readings(TEXTS),
    "choices: 1/1 rewrites (100 %)": lambda: choose_rewrites(TASKS, FOUND, READ, seed=1),
    "preservation: 2/2 pairs (100 %)": lambda: preservation.overlap(["Oslo"] * 2, ["Bergen"] * 2, []),
    "requests: 1/1 rendered (100 %)": lambda: to_table([Request("m", ({"role": "user", "content": "x"},))]),
}


@pytest.mark.parametrize("said", STEPS)
def test_a_long_step_says_how_far_it_is_and_a_short_one_nothing(said, capsys, monkeypatch):
    STEPS[said]()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("ralc.io.console.EVERY_S", 0.0)
    STEPS[said]()
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(said)
    assert re.fullmatch(r", [\d.]+ a second, 00:00 left", last.removeprefix(said))


def test_a_line_comes_every_ten_seconds_with_rate_and_time_left(capsys, monkeypatch):
    clock = iter([0.0, 4.0, 12.0, 16.0, 24.0, 25.0])
    monkeypatch.setattr("ralc.io.console.time.monotonic", lambda: next(clock))
    assert list(followed("abcde", "maps", "fits", 5)) == list("abcde")
    assert capsys.readouterr().err.splitlines() == [
        "maps: 2/5 fits (40 %), 0.17 a second, 00:18 left",
        "maps: 4/5 fits (80 %), 0.17 a second, 00:06 left",
    ]


def test_nothing_is_said_where_nothing_is_to_be_shown(capsys, monkeypatch):
    monkeypatch.setattr("ralc.io.console.EVERY_S", 0.0)
    Progress("x", 1, "texts", show=False).add()
    assert capsys.readouterr().err == ""


MEASURED = """
import sys
import pandas as pd
from ralc import io
from ralc.pipeline import measures
from ralc.pipeline.settings import Settings

__file__ = "stub.py"  # as Snakemake calls its script, and what a spawned process would run anew
io.log_to(sys.argv[1])
settings = Settings({"default": 10}, resamples=20, null_repeats=2)
measures.compute(pd.read_parquet(sys.argv[2]), settings, processes=2)
"""


@pytest.mark.long
@pytest.mark.parametrize("quiet", ["", "1"])
def test_metrics_of_targets_side_by_side_are_heard_on_the_console_of_the_step(tmp_path, quiet):
    """In processes of their own, whose standard error is the log."""
    items = make_items(QUESTIONS, targets=("one", "two"))
    items.to_parquet(tmp_path / "items.parquet")
    (tmp_path / "measured.py").write_text(MEASURED)
    (tmp_path / "stub.py").write_text("raise NameError('snakemake')")
    (tmp_path / "sitecustomize.py").write_text("import ralc.io.console\nralc.io.console.EVERY_S = 0.0\n")
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "measured.py", "a.log", "items.parquet"],
        cwd=tmp_path,
        env=os.environ | {io.QUIET: quiet, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    for text in ((tmp_path / "a.log").read_text(), *([] if quiet else [done.stderr])):
        for target in ("one", "two"):
            assert re.search(
                rf"^metrics of {target} on worldfacts-qa: (\d+)/\1 conditions \(100 %\)", text, re.M
            )
    assert quiet == "" or done.stderr == ""
