"""Every shell line of README and docs that installs the package or calls ``ralc``, in order, outside the checkout."""

import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests import test_datasets_biographies as biographies
from tests.serving import calibrator
from tests.test_wheel import ROOT, python, said, source  # noqa: F401 - fixtures

pytestmark = pytest.mark.long
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: Of the checkout's own environment, which `make` and tests/workflow try.
OF_THE_CHECKOUT = (
    "--no-build-isolation",
    "snakemake",
    "make ",
    "pytest",
    "embedded",
    "workflow/",
    "docs/",
    "results",
)
ASKED = {"question": "What is the capital of Peru?", "accepted": ["Lima"]}
#: What other tools saved, by the names that docs/imports.md gives their files.
REPLIES = {
    "replies.jsonl": ASKED
    | {"response": {"choices": [{"finish_reason": "stop", "message": {"content": "Lima"}}]}},
    "outputs.jsonl": ASKED | {"outputs": [{"text": "Lima"}]},
    "json/my-log.json": {
        "samples": [
            {
                "id": 1,
                "input": ASKED["question"],
                "target": "Lima",
                "output": {"choices": [{"message": {"content": "Lima"}}]},
                "scores": {"includes": {"value": "C"}},
            }
        ]
    },
}


def lines(page: Path) -> list[str]:
    """The commands of a page's shell blocks, continuations joined, without comments."""
    blocks = "".join(SHELL.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ")
    told = [shlex.join(shlex.split(line, comments=True)) for line in blocks.splitlines()]
    return [line for line in told if line and not any(word in line for word in OF_THE_CHECKOUT)]


def example_files(folder: Path) -> None:
    """The files that the pages speak of, as they describe them."""
    with (folder / "scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["answer", "confidence", "correct"])
        writer.writerows([["It is Lima.", 0.9, int(i % 4 > 0)] for i in range(60)])
        writer.writerows([["It is Oslo.", 0.4, int(i % 4 == 0)] for i in range(60)])
    (folder / "answers.csv").write_text("answer,confidence\nIt is Lima.,0.9\nIt is Oslo.,0.4\n")
    (folder / "answers.jsonl").write_text('{"id": 1, "answer": "It is Lima.", "confidence": 0.9}')
    sets = [(["It is Lima."] * 3, 1), (["Quito.", "It is Lima.", "La Paz."], 0)] * 40
    rows = [json.dumps({"samples": samples, "correct": correct}) for samples, correct in sets]
    (folder / "samples.jsonl").write_text("\n".join(rows))
    capitals = {"Peru": "Lima", "Chad": "N'Djamena", "Laos": "Vientiane", "Mali": "Bamako"}
    questions = [
        {"question_id": land, "question": f"What is the capital of {land}?", "accepted": [capital]}
        for land, capital in capitals.items()
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, questions)))
    page = (ROOT / "docs/imports.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^```csv\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (folder / "exported.csv").write_text(table)
    shutil.copy(ROOT / "tests/data/recorded/samples_gsm8k_lm_eval.jsonl", folder / "samples_gsm8k.jsonl")
    (folder / "json").mkdir()
    for name, reply in REPLIES.items():
        (folder / name).write_text(json.dumps(reply))
    calibrator().save(folder / "cal.json")
    for name in ("labeled_data", "examples"):
        (folder / name).mkdir()
    biographies.write(folder / "labeled_data")


def test_every_line_of_the_pages_runs_in_a_clean_environment(source, python, tmp_path):  # noqa: F811
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    said(python, "", tmp_path, str(source))
    environment = os.environ | {"PATH": f"{python.parent}:/usr/bin:/bin"}
    environment.pop("PYTHONPATH", None)
    tried = []
    for page in PAGES:
        folder = tmp_path / page.stem
        folder.mkdir()
        example_files(folder)
        for line in lines(page):
            words = shlex.split(line)
            if words[:2] == ["pip", "install"]:
                # The package is there from the checkout; what it depends on is the tests' own.
                assert re.fullmatch(r"\.(\[[a-z,]+\])?", words[2]), line
                assert set(re.findall(r"[a-z]+", words[2])) <= set(known), line
            elif words[:2] == ["ralc", "serve"]:
                serves(line, folder, environment)
            elif words[0] == "ralc":
                done = subprocess.run(
                    line, shell=True, cwd=folder, env=environment, capture_output=True, text=True
                )
                # What breaks a bound is written, and the exit code says so.
                fine = (0, 1) if "--at-most" in line else (0,)
                assert done.returncode in fine, f"{page.name}: {line}: {done.stderr}"
            else:
                continue
            tried.append(line)
    assert len(tried) >= 12
    assert len([line for line in tried if line.startswith("ralc serve")]) >= 2


def serves(line: str, folder: Path, environment: dict[str, str]) -> None:
    """Start a server by its line, until it says that it serves."""
    process = subprocess.Popen(
        f"exec {line} --port 18437",
        shell=True,
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        told = ""
        for part in process.stderr:
            told += part
            if "ralc serves" in part:
                return
        raise AssertionError(f"{line}: {told}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=20)


def test_the_lines_are_found():
    assert any(line.startswith("ralc fit") for line in lines(ROOT / "README.md"))
