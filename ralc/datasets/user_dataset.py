"""Files of questions: the user's own, and the hub's whose columns say what they are."""

import re
import string
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

import pandas as pd
from pydantic import AfterValidator, model_validator

from ralc.datasets.published.squad2 import load as load_squad2
from ralc.datasets.questions import distinct, questions_table
from ralc.io.history import HEADER, History
from ralc.io.rows import Cell, Id, RowModel, Text, Texts, located, parsed, read_text, texts_of
from ralc.registry import LONG

_LETTERS = string.ascii_uppercase
#: Behind GSM8K's mark, or in MATH's box, whose braces may be two deep.
_END = re.compile(r"####\s*(.+?)\s*\Z|\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")


def _end_of(text: str) -> str:
    """Return what a worked solution comes to (of GSM8K, of MATH); any other answer as it is.

    >>> _end_of("3 * 4 = 12\\n#### 12"), _end_of(r"So $x = \\boxed{\\frac{1}{2}}$."), _end_of("Lima")
    ('12', '\\\\frac{1}{2}', 'Lima')
    """
    ends = [end for found in _END.findall(text) for end in found if end]
    return ends[-1] if ends else text


class QuestionRow(RowModel):
    """A question: what is asked, what is accepted, and what is known to be wrong."""

    headers: ClassVar[dict[str, str]] = {
        "question_id": "question_id id qid",
        "format": "format",
        "question": "question prompt prompts query problem question_stem user_input input inputs "
        "inputs_question attributes_input_value gen_ai_prompt",
        "context": "context passage article body paragraph",
        "title": "title",
        "choices": "choices options",
        "distractors": "",  # GPQA, SciQ
        "correct_choice": "correct_choice answerkey answer_key answer_index answer_idx answer_letter correct_option "
        "cop",  # MedMCQA
        "label": "label",
        "best_answer": "best_answer",
        "wrong": "wrong incorrect_answers",
        "answerable": "answerable",
        "subject": "subject category topic",
        "group": "group conversation_id",
        "history": HEADER,
        "accepted": "accepted accepted_answer accepted_answers correct_answer correct_answers gold gold_answer "
        "gold_answers reference_answer reference_answers reference_output reference_outputs references reference "
        "expected_answer expected_response expected_output expected_outputs expected ground_truth target targets ideal "
        "aliases final_answer possible_answers answer answers solution",
    }

    question: Text
    question_id: Id | None = None
    format: Literal["short_answer", "multiple_choice", "reading_comprehension", "long_answer"] | None = None
    context: Text | None = None
    title: Text | None = None
    subject: Text | None = None
    group: Id | None = None
    history: History = ()
    accepted: Annotated[Texts, AfterValidator(lambda texts: tuple(map(_end_of, texts)))] = ()
    wrong: Texts = ()
    choices: Texts = ()
    correct_choice: int | None = None
    answerable: bool = True

    @model_validator(mode="before")
    @classmethod
    def _of_the_field(cls, cells: dict[str, Any]) -> dict[str, Any]:
        cells = dict(cells)
        accepted = cells.get("accepted")
        if isinstance(accepted, dict) and "value" in accepted:  # TriviaQA
            cells["accepted"] = distinct([accepted["value"], *(accepted.get("aliases") or [])])
        elif isinstance(accepted, dict) and "answer_start" in accepted:  # SQuAD
            cells["accepted"] = distinct(accepted["text"])
            cells = {"answerable": bool(accepted["text"]), "group": cells.get("title")} | cells
        has_choices = _list_choices(cells)
        label = cells.pop("label", None)
        if label is not None and not {"accepted", "correct_choice"} & cells.keys():
            if has_choices:
                cells["correct_choice"] = label
            elif "context" in cells and str(label) in ("0", "1"):  # BoolQ of SuperGLUE
                cells["accepted"] = bool(int(label))
        if best := cells.pop("best_answer", None):
            _accept_best(cells, best)
        if distractors := _texts(cells.pop("distractors", None)):  # in an order that says nothing
            cells["choices"] = sorted([*distractors, *_texts(accepted)])
        if cells.get("choices"):
            cells |= _keyed(_texts(cells["choices"]), cells.get("accepted"), cells.get("correct_choice"))
        return cells

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if not self.answerable and self.accepted:
            raise ValueError("column 'answerable': is false, and yet an answer is accepted (or 'wrong'?)")
        if self.format == "reading_comprehension" and self.context is None:
            raise ValueError("column 'context': is missing: reading comprehension is asked of a text")
        if self.answerable and not self.accepted and self.format != LONG:
            raise ValueError("column 'accepted': is missing (an answerable question needs an answer)")
        return self

    @property
    def implied_format(self) -> str:
        """The format, which the columns imply where none is named."""
        implied = "reading_comprehension" if self.context is not None else "short_answer"
        return self.format or ("multiple_choice" if self.choices else implied)


def _texts(value: Any) -> list[str]:
    """Return the texts of a cell before they are checked."""
    return [] if value is None else [str(text).strip() for text in texts_of(value) if str(text).strip()]


def _list_choices(cells: dict[str, Any]) -> bool:
    """Make a list of choices that have labels (ARC, MedQA), and a number of the right one's; tell if there are any."""
    choices = parsed(cells.get("choices"))
    if isinstance(choices, list) and all(isinstance(one, dict) and len(one) == 2 for one in choices):
        choices = dict(map(dict.values, choices))
    if isinstance(choices, dict):
        labels = [str(label) for label in choices.get("label", choices)]
        cells["choices"] = choices.get("text", [*choices.values()])
        if str(cells.get("correct_choice")) in labels:
            cells["correct_choice"] = labels.index(str(cells["correct_choice"]))
    return bool(choices)


def _accept_best(cells: dict[str, Any], best: Any) -> None:
    """Accept the best answer first (TruthfulQA, whose CSV joins by semicolons)."""
    for name in ("accepted", "wrong"):
        if isinstance(text := cells.get(name), Cell) and text[:1] != "[":
            cells[name] = Cell(text.replace(";", "|"))
    cells["accepted"] = distinct([best, *_texts(cells.get("accepted"))])


def _keyed(choices: list[str], accepted: Any, key: Any) -> dict[str, Any]:
    """Return the columns of multiple choice: the right one's number, and what is accepted and wrong."""
    if not 2 <= (n := len(choices)) <= len(_LETTERS):
        raise ValueError(f"column 'choices': {n} of them: from 2 to {len(_LETTERS)} can be a list")
    aliases = [accepted] if type(accepted) is int else _texts(accepted)
    correct = _right(choices, aliases, key)
    if [choice.casefold() for choice in choices].count(choices[correct].casefold()) > 1:
        raise ValueError(f"column 'choices': {choices[correct]!r}, which is right, stands twice")
    # A letter or number is accepted as the choice that it stands for.
    names = [one for one in aliases if isinstance(one, str) and len(one) > 1 and one != choices[correct]]
    wrong = [choice for place, choice in enumerate(choices) if place != correct]
    return {"correct_choice": correct, "accepted": [choices[correct], *names], "wrong": wrong}


def _right(choices: list[str], aliases: list[Any], key: Any) -> int:
    """Return the place of the choice that the key or an accepted answer names; ValueError if it is not one."""
    named = {place_of(alias, choices) for alias in aliases} - {None}
    if key is None and len(named) == 1:
        (correct,) = named
    else:
        correct = None if key is None else place_of(key, choices)
    if correct is None:
        raise ValueError(
            f"column 'correct_choice': {key!r} is not a number from 0 to {len(choices) - 1}, a letter from A or one "
            "of the choices; nor does the accepted answer name one"
        )
    number = int(key) if isinstance(key, str) and key.strip().isdecimal() else correct
    if named - {correct} or (number != correct and number < len(choices)):
        other = "and another of the choices is named: give a letter"
        raise ValueError(f"column 'correct_choice': is {choices[correct]!r}, {other}")
    return correct


def place_of(key: Any, choices: list[str]) -> int | None:
    """Return the place of the choice that a text, a letter from A (any case) or a number from 0 names; else None.

    >>> [place_of(key, ["Mars", "Venus"]) for key in ("venus", "b", "(B)", 1, "1", "Pluto")]
    [1, 1, 1, 1, 1, None]
    """
    text = str(key).strip()
    same = [place for place, choice in enumerate(choices) if choice.casefold() == text.casefold()]
    if same and type(key) is not int:
        return same[0]
    bare = text.strip("().: ").upper()
    place = _LETTERS.find(bare) if len(bare) == 1 else -1
    place = int(bare) if re.fullmatch("[0-9]{1,2}", bare) else place
    return place if 0 <= place < len(choices) else None


def load(path: str | Path, dataset: str) -> pd.DataFrame:
    """Return the questions of a file: a row a question (`QuestionRow`).

    ``.jsonl``, ``.csv``, ``.tsv``, ``.parquet``, or ``.json`` of SQuAD's schema; the hub's files of MMLU, SQuAD,
    TruthfulQA, TriviaQA, ARC and SimpleQA as they are. Needed are ``question`` and ``accepted`` (a list; in a cell
    joined by ``|``, or a JSON list). Multiple choice needs ``choices``, and ``correct_choice`` (counted from 0, a
    letter, or the choice's text) or an accepted answer that is one of them. A ``history`` is what a conversation said
    before. Nothing is accepted where ``answerable`` is
    false, or ``format`` is ``long_answer``.

    Raises
    ------
    ValueError
        Naming file, line and column of every fault.
    """
    if ".json" in Path(path).suffixes and '"paragraphs"' in read_text(path):
        return load_squad2(path, dataset)
    rows = []
    with located(str(path)):
        for at, row in QuestionRow.read(path, key=lambda row: row.question_id):
            cells = row.model_dump(mode="json", exclude_none=True)
            default = {"question_id": f"{dataset}-{at.line:05d}", "subject": dataset}
            rows.append(default | cells | {"format": row.implied_format})
        if not rows:
            raise ValueError(f"{path}: holds no row; give a row a question")
        return questions_table(rows, dataset)
