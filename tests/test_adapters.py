"""The pieces of `docs/adapters.md` with the real packages, each in an environment of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import CODE, ROOT
from tests.test_wheel import wheel  # noqa: F401  (a fixture)

pytestmark = pytest.mark.long

FIT = """
from ralc import WordCalibrator
answers = ["It is certainly Paris.", "It is probably Rome."] * 40
WordCalibrator().fit_texts(answers, [1, 0, 0, 1] * 20).save("cal.json")
"""
FOREIGN = "Das ist nicht Paris, glaube ich."
INSPECT = f"""
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
outputs = [ModelOutput.from_content("m", one) for one in ["It is certainly Paris.", "Certainly Lyon.", "{FOREIGN}"]]
for one in outputs:
    one.usage = ModelUsage()
model = get_model("mockllm/model", custom_outputs=outputs)
task = Task([Sample("Capital of France?", target="Paris") for _ in outputs], scorer=words())
(log,) = eval(task, model=model, display="plain", max_connections=1, max_samples=1)
confidence, brier = log.results.scores
assert (confidence.scored_samples, confidence.unscored_samples) == (2, 1)
assert abs(confidence.metrics["mean"].value - 0.97) < 0.01
assert abs(brier.metrics["mean"].value - (0.03**2 + 0.97**2) / 2) < 0.01
"""
LANGCHAIN = f"""
from langchain_core.language_models import FakeListChatModel
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableLambda
model = FakeListChatModel(responses=["It is certainly Lima.", "{FOREIGN}"])
lima, foreign = (model | StrOutputParser() | RunnableLambda(calibrated)).batch(["a", "b"], {{"max_concurrency": 1}})
assert "Lima" in lima and "certainly" not in lima and foreign == "{FOREIGN}", (lima, foreign)
"""
LITELLM = """
import asyncio
guardrail = CalibratedWords(guardrail_name="words", event_hook="post_call", default_on=True)
def passed(kind):
    return asyncio.run(guardrail.apply_guardrail({"texts": ["It is certainly Lima."]}, {}, kind))["texts"]
assert passed("request") == ["It is certainly Lima."]
assert "Lima" in passed("response")[0] and "certainly" not in passed("response")[0]
"""
TASK = r"""
task: words
dataset_path: json
dataset_kwargs: {data_files: {test: questions.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["\n"]}
process_results: !function words.process_results
metric_list:
"""
HARNESS = f"""
import pathlib
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager
names = ["correct", "confidence", "brier", "unread"]
metrics = "".join(f"  - {{{{metric: {{name}}, aggregation: mean, higher_is_better: true}}}}\\n" for name in names)
pathlib.Path("task").mkdir()
pathlib.Path("task/words.yaml").write_text(r'''{TASK}''' + metrics)
pathlib.Path("task/words.py").write_text(pathlib.Path("block.py").read_text())
pathlib.Path("questions.jsonl").write_text('{{"question": "q", "answer": "Paris"}}\\n')
found = simple_evaluate("dummy", tasks=["words"], task_manager=TaskManager(include_path="task"))["results"]["words"]
assert 0 < found["confidence,none"] <= 1 and found["unread,none"] == 0, found
assert abs(found["brier,none"] - found["confidence,none"] ** 2) < 1e-9, found
"""
TRIED = {
    "inspect_ai": ("inspect-ai", INSPECT),
    "LangChain": ("langchain-core", LANGCHAIN),
    "LiteLLM": ("litellm", LITELLM),
    "lm-evaluation-harness": ("lm-eval", HARNESS),
}


def sections() -> dict[str, str]:
    """The code of each section of the page."""
    page = (ROOT / "docs/adapters.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)[1:]
    return {name: CODE.findall(text)[0] for name, text in zip(parts[::2], parts[1::2], strict=True)}


def test_each_section_is_tried():
    assert list(sections()) == list(TRIED)


@pytest.mark.parametrize("name", TRIED)
def test_it_does_with_the_package_what_the_page_says(name: str, wheel: Path, tmp_path: Path) -> None:  # noqa: F811
    package, program = TRIED[name]
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    installed = subprocess.run(
        [*install, f"{wheel}[parser]", package], capture_output=True, text=True, env=_apart()
    )
    if installed.returncode:
        pytest.skip(f"pip cannot bring {package}: {installed.stderr[-300:]}")
    (tmp_path / "block.py").write_text(sections()[name], encoding="utf-8")
    (tmp_path / "in_words.py").write_text(sections()["LangChain"], encoding="utf-8")
    (tmp_path / "tried.py").write_text(FIT + sections()[name] + program, encoding="utf-8")
    done = subprocess.run(
        [python, "tried.py"], cwd=tmp_path, capture_output=True, text=True, env=_apart(), timeout=600
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def _apart() -> dict[str, str]:
    """An environment in which nothing of this one's packages is found, and no prices are fetched."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return kept | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
