"""Conversations as data: the history of a question, through every door."""

import hashlib
import json

import pytest

from ralc import WordCalibrator, datasets, precomputed, prompts
from ralc.calibrator import SamplingDesign
from ralc.datasets import questions_table
from ralc.datasets.worldfacts import load_worldfacts
from ralc.io import read_table, write_table
from ralc.io.history import turn_of
from ralc.llm import from_table
from ralc.pipeline.self_evaluation import SelfEvaluation
from ralc.precomputed import read
from ralc.precomputed.samples import SampleRow
from ralc.sampling import Sampling
from tests.cases import cases
from tests.commands import exit_code
from tests.imported import made_by

MODEL = {"engine": "embedded", "model": "m"}
SYSTEM = {"role": "system", "content": "Be brief."}
FIRST = "What is the capital of Peru?"
FURTHER = "And what is its currency?"
HISTORY = [{"role": "user", "content": FIRST}, {"role": "assistant", "content": "It is Lima."}]
ROWS = [
    {"question_id": "a", "question": FIRST, "accepted": ["Lima"]},
    {"question_id": "b", "question": FURTHER, "accepted": ["sol"], "history": HISTORY},
]


def written(folder, kind, *rows):
    """Rows as a file of a kind."""
    path = folder / f"mine.{kind}"
    if kind == "csv":
        cells = [
            {name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in row.items()}
            for row in rows
        ]
        names = list(dict.fromkeys(name for row in rows for name in row))
        lines = [
            ",".join('"' + row.get(name, "").replace('"', '""') + '"' for name in names) for row in cells
        ]
        path.write_text("\n".join([",".join(names), *lines]))
    else:
        precomputed.write(rows, path)
    return path


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_a_file_of_questions_may_have_histories(tmp_path, kind):
    table = datasets.load("mine", {"path": str(written(tmp_path, kind, *ROWS))})
    assert table["history"].tolist() == [[], HISTORY]
    assert table["turn"].tolist() == [1, 2]
    assert table["group"].tolist() == ["a", "a"]


@cases
@pytest.mark.parametrize("kind", ["csv", "jsonl"])
@pytest.mark.parametrize("read_file", [lambda path: datasets.load("mine", {"path": str(path)}), read])
def test_a_bad_history_is_named_with_its_file_and_row(tmp_path, kind, history, fault, read_file):
    rows = [ROWS[0], ROWS[1] | {"history": history}]
    rows = [{**row, "answers": ["x"]} for row in rows] if read_file is read else rows
    path = written(tmp_path, kind, *rows)
    line = 3 if kind == "csv" else 2
    with pytest.raises(ValueError, match=f"mine.{kind}, line {line}, column 'history': .*{fault}"):
        read_file(path)


def test_a_question_is_of_the_conversation_that_its_history_began_with():
    other = [{**HISTORY[0], "content": "Hi"}, HISTORY[1]]
    shared = {"format": "short_answer", "subject": "s", "accepted": ["x"]}
    of = {
        "opening": ([], FIRST),
        "opening again": ([], FIRST),
        "second": (HISTORY, FURTHER),
        "with a system": ([SYSTEM, *HISTORY], FURTHER),
        "third": ([*HISTORY, {"role": "user", "content": FURTHER}, HISTORY[1]], "Are you sure?"),
        "unknown opening": (other, FURTHER),
        "unknown opening, too": (other, "Really?"),
        "named": (HISTORY, "Really?"),
        "first turn": ([SYSTEM], "Who?"),
    }
    rows = [
        shared | {"question_id": name, "history": before, "question": text}
        for name, (before, text) in of.items()
    ]
    table = questions_table(
        [row | {"group": "g"} if row["question_id"] == "named" else row for row in rows], "d"
    )
    assert dict(zip(table["question_id"], table["group"], strict=True)) == {name: name for name in of} | {
        **dict.fromkeys(["second", "with a system", "third"], "opening"),
        "named": "g",
    }
    assert table["turn"].tolist() == [1, 1, 2, 2, 3, 2, 2, 2, 1]


def test_questions_that_ask_the_same_in_other_conversations_are_no_repeats(tmp_path):
    other = [{**HISTORY[0], "content": "What is the capital of Chad?"}, HISTORY[1]]
    rows = [*ROWS, ROWS[1] | {"question_id": "c", "history": other}, ROWS[1] | {"question_id": "d"}]
    table = datasets.load("mine", {"path": str(written(tmp_path, "jsonl", *rows))})
    found = datasets.check(table.assign(split="train"))
    assert [text for text in found.warnings if "more than once" in text] == [
        "asked more than once: 'And what is its currency?' (b, d)"
    ]
    assert ("turns", "2 3, 1 1") in found.facts


@cases
def test_the_history_stands_before_the_question(style, history, roles):
    table = questions_table([ROWS[1] | {"history": history, "format": "short_answer", "subject": "s"}], "d")
    (request,) = from_table(Sampling(style=style).ask(table.assign(split="train"), model=MODEL))
    messages = list(request.messages)
    assert " ".join(message["role"] for message in messages) == roles
    assert FURTHER in messages[-1]["content"]
    said = [message for message in history if message["role"] != "system"]
    assert messages[len(messages) - 1 - len(said) : -1] == said
    if SYSTEM in history:
        assert messages[0] == SYSTEM


def test_requests_without_a_history_have_the_keys_that_they_had():
    """So old journals replay; the digests were taken before questions had histories."""
    questions = load_worldfacts("worldfacts-qa", 5).assign(split="test")
    answers = questions[["question_id"]].assign(sentence=0, prompt="direct", text="Oslo.", samples=2)
    tables = [Sampling(style=style).ask(questions, model=MODEL) for style in ("paper", "short")]
    tables.append(SelfEvaluation(signals=["p_true"]).ask(answers, questions, model=MODEL))
    digests = [hashlib.sha256("".join(table["key"]).encode()).hexdigest()[:16] for table in tables]
    assert digests == ["d011f1fa3b29a922", "4cb9b6b01824be17", "03147898354f7c2d"]
    assert SampleRow(question="Capital of Peru?", answers=["Lima."]).digest == "491b9999395c25fe"


def test_a_target_is_asked_about_its_answer_below_the_history():
    table = questions_table([ROWS[1] | {"format": "short_answer", "subject": "s"}], "d")
    answers = table[["question_id"]].assign(sentence=0, prompt="direct", text="The sol.", samples=2)
    (request,) = from_table(SelfEvaluation(signals=["p_true"]).ask(answers, table, model=MODEL))
    assert list(request.messages[:2]) == HISTORY
    assert "Proposed Answer: The sol." in request.messages[2]["content"]


def test_recorded_samples_are_of_one_conversation(tmp_path):
    other = [{**HISTORY[0], "content": "What is the capital of Chad?"}, HISTORY[1]]
    rows = [
        {"question": FURTHER, "history": one, "answers": [text]}
        for one, text in ((HISTORY, "Sol."), (other, "Franc."))
    ]
    path = written(tmp_path, "jsonl", *rows)
    shared = {"format": "short_answer", "subject": "s", "accepted": ["x"], "question": FURTHER}
    asked = [
        shared | {"question_id": name, "history": one}
        for name, one in (("a", other), ("b", [SYSTEM, *HISTORY]), ("c", []))
    ]
    table = questions_table(asked, "d")
    samples = read(path)
    found = [samples.of(row) for row in table.itertuples(index=False)]
    assert [row and row.answers for row in found] == [("Franc.",), ("Sol.",), None]
    assert len(samples.by_digest) == 2
    with pytest.raises(ValueError, match="line 1, too: keep one"):
        read(written(tmp_path, "jsonl", rows[0], rows[0]))


CHAT = [SYSTEM, *HISTORY, {"role": "user", "content": FURTHER}]
REPLY = {
    "choices": [{"message": {"role": "assistant", "content": "Sol."}}, {"message": {"content": "Peso."}}]
}
CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
TOLD = {"role": "tool", "content": "x", "tool_call_id": "1"}


@cases
def test_an_import_has_what_was_said_before(tmp_path, form, entry, system):
    path = written(tmp_path, "jsonl", entry | {"accepted": "sol", "target": "sol"})
    rows, questions = made_by(tmp_path, form, path)
    expected = [SYSTEM, *HISTORY] if system else HISTORY
    assert [(row.question, list(row.history), row.answers) for row in rows] == [
        (FURTHER, expected, ("Sol.", "Peso."))
    ]
    assert questions["history"].tolist() == [expected]
    assert questions["turn"].tolist() == [2]


def test_inspect_ai_s_messages_before_the_last_are_the_history(tmp_path):
    output = {"choices": REPLY["choices"]}
    sample = {"id": 1, "epoch": 1, "input": CHAT, "target": "sol", "output": output}
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"eval": {}, "samples": [sample]}))
    rows, questions = made_by(tmp_path, "inspect_ai", path)
    assert rows[0].question == FURTHER
    assert list(rows[0].history) == CHAT[:-1]
    assert questions["turn"].tolist() == [2]


def test_what_tools_said_is_left_out_of_histories_and_counted(tmp_path, capsys):
    messages = [*CHAT[:2], CALL, TOLD, *CHAT[2:]]
    path = written(tmp_path, "jsonl", {"messages": messages, "accepted": "sol", "response": REPLY})
    made_by(tmp_path, "openai", path)
    assert "2 messages of tools, or without a text, are left out of histories" in capsys.readouterr().err


def test_rows_of_one_question_in_two_conversations_are_two(tmp_path):
    later = {"question": FURTHER, "accepted": "sol"}
    entries = [later | {"history": HISTORY, "answers": [text]} for text in ("Sol.", "Peso.")]
    entries.append(later | {"history": [{**HISTORY[0], "content": "Chad?"}], "answers": ["Franc."]})
    rows, _ = made_by(tmp_path, "table", written(tmp_path, "jsonl", *entries))
    assert [row.answers for row in rows] == [("Sol.", "Peso."), ("Franc.",)]
    bad = written(tmp_path, "jsonl", entries[0] | {"history": "x"})
    with pytest.raises(ValueError, match=r"mine.jsonl, line 1, column 'history': 'x' is no list of messages"):
        precomputed.convert("table", bad)


def test_a_prompt_keeps_its_form_without_a_history():
    prompt = prompts.messages("rewrite", response="Paris.", hedges="probably")
    assert prompts.conversation([], prompt) == prompt
    assert turn_of([SYSTEM]) == 1


def graded(folder, *, later=True, shift=0):
    """Forty answers with samples, half of them in second turns of twenty conversations."""
    rows = []
    for place in range(20):
        first = {
            "question": f"What is the capital of country {place + shift}?",
            "samples": SAMPLES[place % 4],
        }
        said = [{"role": "user", "content": first["question"]}, {"role": "assistant", "content": "Lima."}]
        rows.append(first | {"correct": int(place % 4 < 2)})
        if later:
            rows.append(
                {"question": FURTHER, "history": said, "samples": SAMPLES[place % 3], "correct": place % 2}
            )
    return written(folder, "jsonl", *rows)


SAMPLES = (
    ["Lima."] * 5,
    ["Lima."] * 4 + ["Oslo."],
    ["Lima."] * 2 + ["Oslo.", "Rome.", "Bern."],
    ["A.", "B.", "C.", "D.", "E."],
)


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """Two calibrators of the command: of first turns, and of first and second ones."""
    made = {}
    for name, later in (("first", False), ("both", True)):
        folder = tmp_path_factory.mktemp(name)
        exit_code("fit", graded(folder, later=later), "--out", folder / "cal.json")
        made[name] = folder / "cal.json"
    return made


def test_a_calibrator_records_its_turns_and_promises_nothing_beyond(fitted, tmp_path, capsys):
    first, both = (WordCalibrator.load(fitted[name]) for name in ("first", "both"))
    assert [one.design_.turns for one in (first, both)] == [(1, 1), (1, 2)]
    assert [first.beyond(turn) for turn in (1, 2)] == [
        "",
        "the calibrator was fitted on turn 1, not on turn 2",
    ]
    assert [both.beyond(turn) for turn in (1, 2, 3)] == [
        "",
        "",
        "the calibrator was fitted on turns 1 to 2, not on turn 3",
    ]
    exit_code("card", fitted["both"])
    assert (
        "turns       turns 1 to 2 of conversations; of others nothing is promised" in capsys.readouterr().out
    )
    old = json.loads(fitted["first"].read_text())
    del old["card"]["design"]["turns"], old["sha256"]
    (tmp_path / "old.json").write_text(json.dumps(old))
    assert WordCalibrator.load(tmp_path / "old.json").beyond(2) == first.beyond(2)


@pytest.mark.parametrize("command", ["evaluate", "rewrite"])
def test_rows_of_other_turns_are_refused_by_name_and_the_rest_is_done(fitted, tmp_path, capsys, command):
    fresh = graded(tmp_path, shift=20)
    for name, refused in (("first", 20), ("both", 0)):
        arguments = (fitted[name], fresh) if command == "evaluate" else (fresh, "--calibrator", fitted[name])
        code = exit_code(command, *arguments)
        told = capsys.readouterr().err
        assert told.count("history: the calibrator was fitted on turn 1, not on turn 2") == refused
        assert (code == 3) == bool(refused) or command == "evaluate"


def test_answers_of_a_conversation_are_held_out_together(tmp_path, capsys):
    assert exit_code("fit", graded(tmp_path), "--out", tmp_path / "cal.json") == 0
    assert "20 answers or conversations of 40 parts" in capsys.readouterr().out
    lines = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()]
    named = [line | {"conversation_id": place // 4} for place, line in enumerate(lines)]
    assert exit_code("fit", written(tmp_path, "jsonl", *named), "--out", tmp_path / "cal.json") == 0
    assert "10 answers or conversations of 40 parts" in capsys.readouterr().out


@pytest.mark.parametrize("columns", [("confidence",), ("answer",), ("answer", "confidence")])
def test_scores_and_words_of_later_turns_are_known_for_such(tmp_path, columns):
    rows = [json.loads(line) for line in graded(tmp_path).read_text().splitlines()]
    for place, row in enumerate(rows):
        cells = {"confidence": place / 50, "answer": ("It is Lima.", "It may be Lima.")[place % 2]}
        row |= {name: cells[name] for name in columns}
        del row["samples"]
    exit_code("fit", written(tmp_path, "jsonl", *rows), "--out", tmp_path / "cal.json")
    loaded = WordCalibrator.load(tmp_path / "cal.json")
    assert loaded.beyond(2) == ""
    exit_code("fit", written(tmp_path, "jsonl", *rows[::2]), "--out", tmp_path / "cal.json")
    assert WordCalibrator.load(tmp_path / "cal.json").beyond(2) != ""


def test_a_twentieth_of_other_turns_is_no_reason_to_promise():
    assert SamplingDesign.of([10] * 100, turns=[1] * 97 + [7] * 3).turns == (1, 1)
    assert SamplingDesign.of([10] * 100, turns=[2] * 50 + [4] * 50).turns == (2, 4)
    samples = [["Lima."] * 5, ["Lima.", "Oslo.", "Rome.", "Bern.", "Bonn."]] * 10
    correct = [1, 0] * 10
    fitted = WordCalibrator().fit_samples(samples, correct, turns=[2, 3] * 10)
    assert fitted.beyond(1) == "the calibrator was fitted on turns 2 to 3, not on turn 1"


def test_a_table_of_questions_keeps_histories_on_its_way_between_rules(tmp_path):
    shared = {"format": "short_answer", "subject": "s"}
    for name, rows in (("both", ROWS), ("none", ROWS[:1])):
        table = questions_table([shared | row for row in rows], "d").assign(split="train")
        write_table(table, tmp_path / name, "questions")
        again = read_table(tmp_path / name, "questions")
        keys = [Sampling().ask(one, model=MODEL)["key"].tolist() for one in (table, again)]
        assert keys[0] == keys[1]
        assert again["turn"].tolist() == table["turn"].tolist()
