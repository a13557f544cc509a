"""Tables whose rows have a question and what a model answered: plain ones, and results of uqlm."""

import ast
import re
import sys
from pathlib import Path
from typing import Any

from ralc.datasets.user_dataset import QuestionRow
from ralc.io.rows import Faults, FaultsError, Row, json_value, placed, read_named, read_text
from ralc.precomputed.entries import columns_of, converted, list_of, listed
from ralc.precomputed.samples import SampleRow

#: The columns, and by which other names they are known, likeliest first: what is left of them is accepted.
HEADERS = {
    **{name: name for name in SampleRow.model_fields},
    "answers": "samples sampled_answers responses response model_answers model_answer model_responses model_response "
    "model_outputs model_output predictions prediction generations generation completions completion outputs output "
    "answers answer",
    "correct": "correct is_correct grade",
    "token_logprobs": "token_logprobs logprobs",
    "model": "model model_name",
    **QuestionRow.headers,
}
_LOGPROBS = ("logprob", "sampled_logprob")
#: The text of a message in a prompt as LangChain writes it.
_MESSAGE = re.compile(r"""\bcontent=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def from_table(path: str | Path) -> list[Row]:
    """Return the rows of a table (``.csv``, ``.tsv``, ``.jsonl`` or ``.parquet``), named as in `HEADERS`.

    A row a question, with its answers as a list (in a cell as JSON, or as Python writes it), or a row an answer. How
    the columns were taken is said on standard error, and which were not. One model is one file.
    """
    faults: Faults = []
    taken, called, unknown = read_named(path, HEADERS, faults)
    if faults:
        raise FaultsError(faults)
    models = list(dict.fromkeys(str(row.cells.pop("model")) for row in taken if "model" in row.cells))
    if len(models) > 1:
        raise ValueError(
            f"{path}: holds answers of {len(models)} models ({', '.join(models[:4])}); keep those of one in a file"
        )
    told = ", ".join(f"{here} is {there!r}" if here != there else here for there, here in called.items())
    left = ", ".join(map(repr, unknown))
    hint = (
        ""
        if {"accepted", "correct", "correct_choice"} & {*called.values()}
        else (" (a column named response has the model's answers, and then Answer what is accepted)")
    )
    print(f"{path}: columns: {told}" + (f"; left out: {left}{hint}" if left else ""), file=sys.stderr)
    return taken


def from_uqlm(path: str | Path) -> list[Row]:
    """Return the rows of a result of uqlm (``UQResult.to_dict()`` as ``.json``).

    The prompt, or the text of its last message, is the question. The response and the sampled ones are the answers;
    their log-probabilities are taken where all have some. A response without a text is left out.
    """
    with placed(str(path), "no result of uqlm"):
        data = json_value(read_text(path), str(path))["data"]
        columns = [list_of(data[name], name) for name in ("prompts", "responses")]
        n = len(columns[0])
        columns += [list_of(data.get(name) or [[]] * n, name) for name in ("sampled_responses", *_LOGPROBS)]
        entries = [
            Row(at, f"{path}, entry {at}", one) for at, one in enumerate(zip(*columns, strict=True), 1)
        ]
    return [row for row in converted(entries, _of_uqlm) if row.cells["answers"]]


def _of_uqlm(entry: tuple[Any, ...]) -> dict[str, Any]:
    prompt, response, sampled, own, others = entry
    messages = _MESSAGE.findall(prompt)
    tokens = [listed(one) for one in (own, *(others or [None] * len(sampled)))]
    known = [(text, one) for text, one in zip([response, *sampled], tokens, strict=True) if text]
    answers = [text for text, _ in known]
    row = {"question": ast.literal_eval(messages[-1]) if messages else prompt, "answers": answers}
    return row | (columns_of(answers, [one for _, one in known]) if any(tokens) else {})
