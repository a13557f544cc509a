"""What other tools save, in tiny files of their formats, and how tests read it."""

import os
from pathlib import Path

from ralc import datasets, precomputed
from tests.commands import exit_code

DATA = Path(__file__).parent / "data" / "recorded"
PERU = "What is the capital of Peru?"
CHAD = "What is the capital of Chad?"


def rows_of(form, path, **options):
    """The rows of samples in a file of a format."""
    return precomputed.samples_of(precomputed.convert(form, path, **options), path)


def made_by(folder, *arguments):
    """The samples and questions that the command makes."""
    files = [str(folder / name) for name in ("samples.jsonl", "questions.jsonl")]
    assert exit_code("import", *arguments, "--samples", files[0], "--questions", files[1]) == 0
    return precomputed.read(files[0]).rows, datasets.load("mine", {"path": files[1]})


def files_of(name):
    """The files of an example: the real ones, else the committed stand-ins."""
    folder = Path(os.environ.get("RALC_SHARED_DATA", Path(__file__).resolve().parents[1] / "../shared/data"))
    if name == "wang2025":
        real = folder / "wang2025" / "answers_eval_correctness.jsonl"
        return real if real.is_file() else DATA / "wang2025_answers.jsonl"
    model = {"llama": "Meta-Llama-3-8B-Instruct", "llada": "LLaDA-8B-Instruct"}[name]
    real = folder / "dlm_uncertainty/mmlu_mini" / model / "semantic_uncertainty/mmlu_0_graded_responses.csv"
    return real if real.is_file() else DATA / f"dlm_uncertainty_{name}.csv"
