"""The pieces of `docs/adapters.md` with the real packages, each in an environment of its own."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_docs import ROOT
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
DSPY = """
dspy.configure(lm=dspy.utils.DummyLM([{"reasoning": "none", "answer": "It is certainly Lima."}]))
told = qa(question="What is the capital of Peru?")
assert "Lima" in told.answer and "certainly" not in told.answer and 0 < told.confidence < 1, told
"""
MODEL = """
from langchain_core.language_models import FakeListChatModel
model = FakeListChatModel(responses=["It is certainly Lima."])
"""
LANGCHAIN = """
message = agent.invoke({"messages": "What is the capital of Peru?"})["messages"][-1]
assert "Lima" in message.text and "certainly" not in message.text, message
assert 0 < message.response_metadata["ralc"]["target"] < 1
"""
LITELLM = r"""
import json, os, pathlib, subprocess, sys, time, urllib.request
model = {"model_name": "m", "litellm_params": {"model": "openai/m", "mock_response": "It is certainly Lima."}}
config = "model_list: " + json.dumps([model]) + "\n" + pathlib.Path("block.yaml").read_text()
pathlib.Path("config.yaml").write_text(config)
key = "sk-" + "4711" * 16
command = [pathlib.Path(sys.executable).parent / "litellm", "--config", "config.yaml", "--port", "14711"]
proxy = subprocess.Popen([*command, "--host", "127.0.0.1"], env=os.environ | {"LITELLM_MASTER_KEY": key})
def ask(**more):
    body = {"model": "m", "messages": [{"role": "user", "content": "What is the capital of Peru?"}], **more}
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    url = "http://127.0.0.1:14711/v1/chat/completions"
    return urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)).read().decode()
try:
    for _ in range(600):
        try:
            urllib.request.urlopen("http://127.0.0.1:14711/health/liveliness")
            break
        except OSError:
            assert proxy.poll() is None
            time.sleep(0.5)
    reply = json.loads(ask())
    text = reply["choices"][0]["message"]["content"]
    assert "Lima" in text and "certainly" not in text and 0 < reply["ralc"]["target"] < 1, reply
    lines = [line[6:] for line in ask(stream=True).splitlines() if line.startswith("data: {")]
    chunks = [json.loads(line) for line in lines]
    streamed = "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks)
    assert streamed == text and any("ralc" in chunk for chunk in chunks), chunks
finally:
    proxy.terminate()
    proxy.wait()
"""
MCP = """
import asyncio, json, pathlib, sys
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
server = json.loads(pathlib.Path("block.json").read_text())["mcpServers"]["ralc"]
async def ask():
    async with Client(stdio_client(StdioServerParameters(**server | {"command": sys.executable}))) as client:
        return await client.call_tool("confidence", {"samples": ["It is certainly Lima."]})
told = asyncio.run(ask()).structured_content
assert "Lima" in told["text"] and "certainly" not in told["text"] and 0 < told["target"] < 1, told
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
#: By section: the extra, or what is installed beside the parser; what comes before its code, and after it.
TRIED = {
    "DSPy": ("dspy", "", DSPY),
    "inspect_ai": ("inspect-ai", "", INSPECT),
    "LangChain": ("langchain", MODEL, LANGCHAIN),
    "Langfuse": ("langfuse", "told = {'target': 0.6}", "assert score(told) == 0.6"),
    "LiteLLM": ("litellm", "", LITELLM),
    "lm-evaluation-harness": ("lm-eval", "", HARNESS),
    "MCP": ("mcp", "", MCP),
}
BLOCK = re.compile(r"^```(python|yaml|json)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def sections() -> dict[str, tuple[str, str]]:
    """The language and the code of each section of the page."""
    page = (ROOT / "docs/adapters.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)[1:]
    return {name: BLOCK.findall(text)[0] for name, text in zip(parts[::2], parts[1::2], strict=True)}


def extras() -> dict[str, list[str]]:
    """What each extra installs."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_each_section_is_tried_and_each_module_has_its_extra():
    assert list(sections()) == list(TRIED)
    modules = {file.stem for file in (ROOT / "ralc/integrations").glob("*.py")} - {"__init__", "answers"}
    assert modules == {package for package, *_ in TRIED.values() if package in extras()}


@pytest.mark.parametrize("name", TRIED)
def test_it_does_with_the_package_what_the_page_says(name: str, wheel: Path, tmp_path: Path) -> None:  # noqa: F811
    package, before, after = TRIED[name]
    language, code = sections()[name]
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    wanted = [f"{wheel}[{package}]"] if package in extras() else [f"{wheel}[parser]", package]
    installed = subprocess.run([*install, *wanted], capture_output=True, text=True, env=_apart())
    if installed.returncode:
        pytest.skip(f"pip cannot bring {package}: {installed.stderr[-300:]}")
    (tmp_path / f"block.{language.replace('python', 'py')}").write_text(code, encoding="utf-8")
    program = [FIT, before, code if language == "python" else "", after]
    (tmp_path / "tried.py").write_text("\n".join(program), encoding="utf-8")
    done = subprocess.run(
        [python, "tried.py"], cwd=tmp_path, capture_output=True, text=True, env=_apart(), timeout=600
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def _apart() -> dict[str, str]:
    """An environment in which nothing of this one's packages is found, and no prices are fetched."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return kept | {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "HF_HUB_OFFLINE": "1"}
