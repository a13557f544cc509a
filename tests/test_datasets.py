"""Questions: the official formats, the built-in ones, and the normalised table."""

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import datasets
from ralc.datasets.worldfacts import DRAWS, load_worldfacts

DATA = Path(__file__).parent / "data"


def test_mmlu_reads_both_published_forms() -> None:
    questions = datasets.load("mmlu", {"path": DATA / "mmlu_tiny"})
    assert questions["question_id"].tolist() == [
        "mmlu-anatomy-0000",
        "mmlu-anatomy-0001",
        "mmlu-anatomy-0002",
        "mmlu-zoology-0000",
        "mmlu-zoology-0001",
    ]
    first = questions.iloc[0]
    assert first["question"] == "Which bone is\nthe longest?"
    assert first["choices"] == ["Femur", "Tibia", "None", "Ulna, the"]
    assert (first["correct_choice"], first["accepted"]) == (0, ["Femur"])
    assert questions["correct_choice"].tolist() == [0, 1, 1, 3, 0]
    assert questions["group"].is_unique


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("q,a,b,c,d,E", "line 3, column 'answer': 'E' is not 0-3 or A-D"),
        ("q,a,b,c", "line 3: 4 columns"),
        ('"q\nq",a,b,c,d,A\nq,a,b,c', "line 5: 4 columns"),
        ('q,a,"b', "line 3: unexpected end of data"),
        ("q,,,,,A", "line 3: the question or a choice is empty"),
    ],
)
def test_mmlu_names_file_and_line_of_a_fault(tmp_path: Path, line: str, fault: str) -> None:
    (tmp_path / "law_test.csv").write_text(
        f"question,choice0,choice1,choice2,choice3,answer\nq,a,b,c,d,0\n{line}\n"
    )
    with pytest.raises(ValueError, match=f"law_test.csv, {fault}"):
        datasets.load("mmlu", {"path": tmp_path})


@pytest.mark.parametrize(
    ("name", "data", "fault"),
    [
        ("mmlu", "q,café,b,c,d,A\n".encode("latin-1"), r"x_test\.csv, line 1: not UTF-8"),
        ("mmlu", b"", r"x_test\.csv: is empty"),
        ("truthfulqa", "Question,A\nq,é\n".encode("utf-16"), r"x_test\.csv: is UTF-16"),
        ("truthfulqa", b"Question,A\nq,b,c\n", r"x_test\.csv, line 2: 3 cells where the header has 2"),
        ("squad2", b"\x1f\x8b broken", r"x_test\.csv\.gz: cannot be read"),
        ("squad2", b"{", r"not JSON"),
    ],
)
def test_damaged_official_files_are_named(tmp_path: Path, name: str, data: bytes, fault: str) -> None:
    path = tmp_path / ("x_test.csv.gz" if data[:2] == b"\x1f\x8b" else "x_test.csv")
    path.write_bytes(data)
    with pytest.raises(ValueError, match=fault):
        datasets.load(name, {"path": path})


@pytest.mark.parametrize("name", ["mmlu", "squad2", "truthfulqa"])
@pytest.mark.parametrize(
    ("form", "suffix"),
    [
        (gzip.compress, ".gz"),
        (lambda data: b"\xef\xbb\xbf" + data.removeprefix(b"\xef\xbb\xbf"), ""),
        (lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), ""),
    ],
    ids=["gzip", "BOM", "CRLF"],
)
def test_official_files_in_other_forms(tmp_path: Path, name: str, form: Callable, suffix: str) -> None:
    source = next(DATA.glob(f"{name}_tiny*"))
    files = sorted(source.glob("*")) if source.is_dir() else [source]
    copies = [tmp_path / (file.name + suffix) for file in files]
    for file, copy in zip(files, copies, strict=True):
        copy.write_bytes(form(file.read_bytes()))
    found = datasets.load(name, {"path": tmp_path if source.is_dir() else copies[0]})
    pd.testing.assert_frame_equal(found, datasets.load(name, {"path": source}))


def test_mmlu_keeps_rows_that_repeat(tmp_path: Path) -> None:
    for subject in ("law", "ethics"):
        (tmp_path / f"{subject}_test.csv").write_text("q,a,b,c,d,A\n" * 2)
    questions = datasets.load("mmlu", {"path": tmp_path})["question_id"].tolist()
    assert questions == [f"mmlu-{subject}-000{row}" for subject in ("ethics", "law") for row in (0, 1)]


def test_squad2() -> None:
    questions = datasets.load("squad2", {"path": DATA / "squad2_tiny.json"}).set_index("question_id")
    answerable = questions.loc["squad2-a1"]
    assert answerable["question"] == "Where does rain fall?"
    assert answerable["context"] == "Rain falls in Bergen. Bergen lies in Norway."
    assert answerable["accepted"] == ["Bergen", "in Bergen"]
    assert answerable["title"] == "Beyoncé Knowles"
    unanswerable = questions.loc["squad2-a2"]
    assert (unanswerable["answerable"], unanswerable["accepted"], unanswerable["wrong"]) == (
        False,
        [],
        ["Norway"],
    )
    assert questions.loc["squad2-a3", "wrong"] == []
    assert set(questions["group"]) == {"Beyonc%C3%A9_Knowles"}


ITEM = {"id": "a", "question": "Q?", "is_impossible": False, "answers": [{"text": "A"}]}


@pytest.mark.parametrize(
    "text",
    [
        "3",
        "[]",
        '{"data": 3}',
        '{"data": "abc"}',
        '{"data": [3]}',
        '{"data": []}',
        "[" * 100_000,
        f'{{"data": {"9" * 400}}}',
        *(
            json.dumps({"data": [{"title": "x", "paragraphs": [{"context": "C", "qas": [ITEM | change]}]}]})
            for change in (
                {"question": 3},
                {"question": "\ud800"},
                {"question": ""},
                {"answers": "A"},
                {"answers": {"text": ["A"]}},
                {"answers": []},
                {"is_impossible": "false"},
            )
        ),
    ],
)
def test_squad2_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "dev.json").write_text(text)
    with pytest.raises(ValueError, match=r"dev\.json(, article 1)?(, column 'data')?: ."):
        datasets.load("squad2", {"path": tmp_path / "dev.json"})


def test_truthfulqa_drops_empty_items() -> None:
    questions = datasets.load("truthfulqa", {"path": DATA / "truthfulqa_tiny.csv"})
    assert questions["accepted"].tolist() == [
        ["Light scatters", "Air scatters light", "I have no comment"],
        ["It depends"],
    ]
    assert questions["wrong"].tolist() == [
        ["It mirrors the sea"],
        ["It is always legal", "It is never legal"],
    ]
    assert questions["subject"].tolist() == ["Myths", "Law"]


@pytest.mark.shared
def test_official_files(shared_data: Path) -> None:
    mmlu = datasets.load("mmlu", {"path": shared_data / "mmlu/test"})
    assert (len(mmlu), mmlu["subject"].nunique()) == (14042, 57)
    assert sum(choice == "None" for choices in mmlu["choices"] for choice in choices) == 10
    assert mmlu["question"].str.contains("\n").any()
    asked = mmlu[["subject", "question"]].assign(
        choices=mmlu["choices"].map(tuple), right=mmlu["correct_choice"]
    )
    assert asked.duplicated().sum() == 27  # they are kept, with ids of their own
    assert asked.drop(columns="subject").duplicated().sum() == 105  # across subjects, too
    assert mmlu["question_id"].is_unique
    dev = datasets.load("mmlu", {"path": shared_data / "mmlu/dev"})
    assert (len(dev), set(dev["subject"])) == (285, set(mmlu["subject"]))
    squad = datasets.load("squad2", {"path": shared_data / "squad2/dev-v2.0.json.gz"})
    assert (len(squad), int((~squad["answerable"]).sum()), squad["group"].nunique()) == (11873, 5945, 35)
    assert (squad["question"] == squad["question"].str.strip()).all()  # 768 of the file's are padded
    assert squad.loc[~squad["answerable"], "wrong"].map(len).eq(0).sum() == 15
    plain = datasets.load("truthfulqa", {"path": shared_data / "truthfulqa/TruthfulQA.csv"})
    marked = datasets.load(
        "truthfulqa", {"path": shared_data / "truthfulqa/TruthfulQA.variant_jiveshj_BOM_CRLF.csv"}
    )
    assert len(plain) == 817  # lists of 11 and 20 of the file's rows hold an empty answer
    assert not any("" in answers for column in ("accepted", "wrong") for answers in plain[column])
    assert sum("I have no comment" in answers for answers in plain["accepted"]) == 109
    pd.testing.assert_frame_equal(plain, marked)


ALL = pd.concat(
    load_worldfacts(name, draw=draw).assign(draw=draw) for name in datasets.WORLDFACTS for draw in DRAWS
)


@pytest.mark.parametrize("name", datasets.WORLDFACTS)
def test_worldfacts_are_balanced_and_leave_a_hundred_held_out_questions(name: str) -> None:
    few = datasets.load(name, {"questions": 60})
    pd.testing.assert_frame_equal(few, datasets.load(name).head(60))
    shares = few["subject"].value_counts(normalize=True)
    assert shares.max() - shares.min() < 0.02
    asked = datasets.split(datasets.load(name, {"questions": 143}), 0.3)
    assert (asked["split"] == "test").sum() == 100
    assert asked["subject"].value_counts().agg(np.ptp) <= 1


def test_worldfacts_are_asked_apart() -> None:
    """Choices were made on other countries, elements and cities; what confirms was never asked before."""
    choices, development, confirming = (set(ALL.loc[ALL["draw"] == draw, "question_id"]) for draw in DRAWS)
    assert not development & confirming
    things = [{one.split("-", 3)[3] for one in of} for of in (choices, development | confirming)]
    assert not things[0] & things[1]
    assert (len(development), len(confirming)) == (3 * 143, 399)


def test_a_run_asks_for_development_unless_it_says_otherwise() -> None:
    asked = datasets.load("worldfacts-rc", {"questions": 20})["question_id"]
    assert set(asked) <= set(load_worldfacts("worldfacts-rc", draw="development")["question_id"])
    confirming = datasets.load("worldfacts-rc", {"draw": "confirming"})["question_id"]
    assert not set(asked) & set(confirming)
    with pytest.raises(ValueError, match="unknown worldfacts 'worldfacts-qa', 'lost'"):
        load_worldfacts("worldfacts-qa", draw="lost")
    with pytest.raises(ValueError, match="confirming: 144 questions wanted, 1 to 1"):
        load_worldfacts("worldfacts-qa", 144, draw="confirming")


def test_the_committed_questions_are_those_that_runs_asked() -> None:
    """The digest is of the questions of a default run before they were committed."""
    text = ALL.drop(columns="draw").to_json(orient="records", force_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "cef7dcc7155d5062"


@pytest.mark.parametrize(
    ("name", "entry", "fault"),
    [
        (
            "mine",
            {},
            "needs a `path`; without one there are: worldfacts-qa, worldfacts-mc, worldfacts-rc, factscore, mmlu",
        ),
        ("mine", {"path": "x", "format": "xml"}, "format 'xml' is not one of factscore, mmlu"),
        ("worldfacts-qa", {"questions": 0}, "1 to "),
        ("worldfacts-rc", {"questions": 10**6}, "1000000 questions wanted"),
        ("mmlu", {"path": DATA / "mmlu_tiny", "questions": 6}, "1 to 5 can be had"),
    ],
)
def test_load_refuses(name: str, entry: dict, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        datasets.load(name, entry)


def test_halves_by_lot_share_no_group_whatever_the_seed(tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    rows = ({"question": f"Q{i}?", "accepted": ["A"], "group": f"g{i % 20}"} for i in range(60))
    file.write_text("\n".join(map(json.dumps, rows)))

    def drawn(draw: str, seed: int = 0, questions: int | None = None) -> pd.DataFrame:
        return datasets.load("own", {"path": file, "draw": draw, "questions": questions}, seed)

    one, other = drawn("development"), drawn("confirming")
    assert len(one) + len(other) == 60
    assert not {*one["group"]} & {*other["group"]}
    few, more = (drawn("confirming", seed, n)["question_id"].tolist() for seed, n in ((1, 5), (2, 9)))
    assert set(few) < set(more)
    assert more == sorted(more)
    with pytest.raises(ValueError, match=f"99 questions wanted, 1 to {len(other)} can be had"):
        drawn("confirming", questions=99)


def test_load_takes_a_seeded_sample_in_order() -> None:
    entry = {"path": DATA / "mmlu_tiny", "questions": 3}
    few = datasets.load("mmlu", entry, seed=3)
    assert len(few) == 3
    assert few["question_id"].is_monotonic_increasing
    pd.testing.assert_frame_equal(few, datasets.load("mmlu", entry, seed=3))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"question": " "}, "the question is empty"),
        ({"subject": "all"}, "the subject means something else in the results"),
        ({"accepted": []}, "nothing is accepted though it is answerable"),
        ({"format": "multiple_choice", "choices": ["a", "b"], "correct_choice": 2}, "not one of the choices"),
        ({"format": "multiple_choice", "choices": ["a", "b"]}, "not one of the choices"),
    ],
)
def test_table_refuses_inconsistent_questions(change: dict, fault: str) -> None:
    good = {
        "question_id": "q1",
        "format": "short_answer",
        "question": "Who?",
        "accepted": ["I"],
        "subject": "s",
    }
    assert len(datasets.questions_table([good], "mine")) == 1
    with pytest.raises(ValueError, match=f"question 'q2': .*{fault}"):
        datasets.questions_table([good, {**good, "question_id": "q2", **change}], "mine")
