"""Questions: the official formats, the built-in ones, the normalised table, and its split."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ralc import data, datasets, precomputed
from ralc.datasets.worldfacts import DRAWS, load_worldfacts
from tests.cases import cases

DATA = Path(__file__).parent / "data"


def test_mmlu_reads_both_published_forms() -> None:
    questions = datasets.load("mmlu", {"path": DATA / "mmlu_tiny"})
    places = [("anatomy", 0), ("anatomy", 1), ("anatomy", 2), ("zoology", 0), ("zoology", 1)]
    assert questions["question_id"].tolist() == [f"mmlu-{subject}-000{row}" for subject, row in places]
    first = questions.iloc[0]
    assert first["question"] == "Which bone is\nthe longest?"
    assert first["choices"] == ["Femur", "Tibia", "None", "Ulna, the"]
    assert first["correct_choice"] == 0
    assert first["accepted"] == ["Femur"]
    assert questions["correct_choice"].tolist() == [0, 1, 1, 3, 0]
    assert questions["group"].is_unique


@cases
def test_damaged_official_files_are_named(
    tmp_path: Path, name: str, data: str, encoding: str, fault: str
) -> None:
    path = tmp_path / ("x_test.csv.gz" if fault.startswith(r"x_test\.csv\.gz") else "x_test.csv")
    path.write_bytes(data.encode(encoding))
    with pytest.raises(ValueError, match=fault):
        datasets.load(name, {"path": path})


def test_squad2_accepts_nothing_where_it_cannot_be_answered() -> None:
    questions = datasets.load("squad2", {"path": DATA / "squad2_tiny.json"}).set_index("question_id")
    answerable = questions.loc["squad2-a1"]
    unanswerable = questions.loc["squad2-a2"]
    assert answerable[["question", "title"]].tolist() == ["Where does rain fall?", "Beyoncé Knowles"]
    assert answerable["context"] == "Rain falls in Bergen. Bergen lies in Norway."
    assert answerable["accepted"] == ["Bergen", "in Bergen"]
    assert unanswerable[["answerable", "accepted", "wrong"]].tolist() == [False, [], ["Norway"]]
    assert questions.loc["squad2-a3", "wrong"] == []
    assert set(questions["group"]) == {"Beyonc%C3%A9_Knowles"}


ITEM = {"id": "a", "question": "Q?", "is_impossible": False, "answers": [{"text": "A"}]}
CHANGES = ({"question": 3}, {"question": "\ud800"}, {"question": ""}, {"answers": "A"}, {"answers": []})
CHANGES += ({"answers": {"text": ["A"]}}, {"is_impossible": "false"})


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
        *(
            json.dumps({"data": [{"title": "x", "paragraphs": [{"context": "C", "qas": [ITEM | change]}]}]})
            for change in CHANGES
        ),
    ],
)
def test_squad2_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "dev.json").write_text(text)
    with pytest.raises(ValueError, match=r"dev\.json(, article 1)?(, column 'data')?: ."):
        datasets.load("squad2", {"path": tmp_path / "dev.json"})


def test_truthfulqa_drops_empty_items() -> None:
    questions = datasets.load("truthfulqa", {"path": DATA / "truthfulqa_tiny.csv"})
    right = [["Light scatters", "Air scatters light", "I have no comment"], ["It depends"]]
    wrong = [["It mirrors the sea"], ["It is always legal", "It is never legal"]]
    assert questions[["accepted", "wrong"]].to_numpy().T.tolist() == [right, wrong]
    assert questions["subject"].tolist() == ["Myths", "Law"]


@pytest.mark.shared
def test_official_files_have_their_published_sizes(shared_data: Path) -> None:
    def load(name: str, path: str) -> pd.DataFrame:
        return datasets.load(name, {"path": shared_data / path})

    mmlu = load("mmlu", "mmlu/test")
    assert len(mmlu) == 14042
    assert mmlu["subject"].nunique() == 57
    assert sum(choice == "None" for choices in mmlu["choices"] for choice in choices) == 10
    asked = mmlu[["subject", "question"]].assign(
        choices=mmlu["choices"].map(tuple), right=mmlu["correct_choice"]
    )
    # Repeats within a subject, and across, are kept, with ids of their own.
    assert [asked.duplicated().sum(), asked.drop(columns="subject").duplicated().sum()] == [27, 105]
    assert mmlu["question_id"].is_unique
    dev = load("mmlu", "mmlu/dev")
    assert len(dev) == 285
    assert set(dev["subject"]) == set(mmlu["subject"])
    squad = load("squad2", "squad2/dev-v2.0.json.gz")
    assert len(squad) == 11873
    assert int((~squad["answerable"]).sum()) == 5945
    assert squad["group"].nunique() == 35
    assert (squad["question"] == squad["question"].str.strip()).all()  # 768 of the file's are padded
    assert squad.loc[~squad["answerable"], "wrong"].map(len).eq(0).sum() == 15
    plain = load("truthfulqa", "truthfulqa/TruthfulQA.csv")
    assert len(plain) == 817  # lists of 11 and 20 of the file's rows hold an empty answer
    assert not any("" in answers for column in ("accepted", "wrong") for answers in plain[column])
    assert sum("I have no comment" in answers for answers in plain["accepted"]) == 109
    marked = load("truthfulqa", "truthfulqa/TruthfulQA.variant_jiveshj_BOM_CRLF.csv")
    pd.testing.assert_frame_equal(plain, marked)


ALL = pd.concat(
    load_worldfacts(name, draw=draw).assign(draw=draw)
    for name in datasets.WORLDFACTS
    for draw in DRAWS
    if (name, draw) != ("worldfacts-mc", "record")
)


@pytest.mark.parametrize("name", datasets.WORLDFACTS)
def test_worldfacts_are_balanced_and_leave_a_hundred_held_out_questions(name: str) -> None:
    few = datasets.load(name, {"questions": 60})
    pd.testing.assert_frame_equal(few, datasets.load(name).head(60))
    assert few["subject"].value_counts(normalize=True).agg(np.ptp) < 0.02
    asked = datasets.split(datasets.load(name, {"questions": 143}), 0.3)
    assert (asked["split"] == "test").sum() == 100
    assert asked["subject"].value_counts().agg(np.ptp) <= 1


def test_worldfacts_are_asked_apart_and_are_those_that_runs_asked() -> None:
    """Choices were made on other countries, elements and cities; what confirms was never asked before."""
    of = {draw: ALL[ALL["draw"] == draw] for draw in DRAWS}
    choices, development, confirming, record = (set(of[draw]["question_id"]) for draw in DRAWS)
    assert not development & confirming
    assert len(record) == 2 * 150
    assert not set(of["record"]["question"]) & set(ALL.loc[ALL["draw"] != "record", "question"])
    things = [{one.split("-", 3)[3] for one in of} for of in (choices, development | confirming)]
    assert not things[0] & things[1]
    assert len(development) == 3 * 143
    assert len(confirming) == 399
    assert set(datasets.load("worldfacts-rc")["question_id"]) <= development
    assert set(datasets.load("worldfacts-rc", {"draw": "confirming"})["question_id"]) <= confirming
    earlier = ALL[ALL["draw"] != "record"].drop(columns=["draw", "history", "turn"])
    text = earlier.to_json(orient="records", force_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "cef7dcc7155d5062"  # before they were committed


@pytest.mark.parametrize(
    ("name", "entry", "fault"),
    [
        ("mine", {}, "without one there are: worldfacts-qa, worldfacts-mc, worldfacts-rc, .*mmlu"),
        ("mine", {"path": "x", "format": "xml"}, "format 'xml' is not one of .*mmlu"),
        (
            "worldfacts-qa",
            {"questions": 144, "draw": "confirming"},
            "confirming: 144 questions wanted, 1 to 1",
        ),
        ("worldfacts-qa", {"draw": "lost"}, "dataset .worldfacts-qa. has no questions"),
        ("mmlu", {"path": DATA / "mmlu_tiny", "questions": 6}, "1 to 5 can be had"),
    ],
)
def test_what_is_no_dataset_is_refused(name: str, entry: dict, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        datasets.load(name, entry)


def test_halves_by_lot_share_no_group_whatever_the_seed(tmp_path: Path) -> None:
    rows = ({"question": f"Q{i}?", "accepted": ["A"], "group": f"g{i % 20}"} for i in range(60))
    precomputed.write(rows, tmp_path / "own.jsonl")

    def drawn(draw: str, seed: int = 0, questions: int | None = None) -> pd.DataFrame:
        entry = {"path": tmp_path / "own.jsonl", "draw": draw, "questions": questions}
        return datasets.load("own", entry, seed)

    one = drawn("development")
    other = drawn("confirming")
    assert len(one) + len(other) == 60
    assert not {*one["group"]} & {*other["group"]}
    few, more = (drawn("confirming", seed, n)["question_id"].tolist() for seed, n in ((1, 5), (2, 9)))
    assert set(few) < set(more)
    assert more == sorted(more)


def test_the_record_has_no_question_that_was_seen(tmp_path: Path) -> None:
    seen = [row["question_id"] for row in data.rows("seen_questions.csv")]
    assert len(seen) == len(set(seen))
    ids = [*seen[:5], "new-1", "new-2"]
    rows = ({"question_id": name, "question": f"{name}?", "accepted": ["A"]} for name in ids)
    precomputed.write(rows, tmp_path / "own.jsonl")
    asked = datasets.load("own", {"path": tmp_path / "own.jsonl", "draw": "record"})
    assert asked["question_id"].tolist() == ["new-1", "new-2"]


def test_load_takes_a_seeded_sample_in_order() -> None:
    entry = {"path": DATA / "mmlu_tiny", "questions": 3}
    few = datasets.load("mmlu", entry, seed=3)
    assert len(few) == 3
    assert few["question_id"].is_monotonic_increasing
    pd.testing.assert_frame_equal(few, datasets.load("mmlu", entry, seed=3))


@cases
def test_table_refuses_inconsistent_questions(change: dict, fault: str) -> None:
    good = {"format": "short_answer", "question": "Who?", "accepted": ["I"], "subject": "s"}
    with pytest.raises(ValueError, match=f"question 'q2': .*{fault}"):
        datasets.questions_table(
            [{**good, "question_id": "q1"}, {**good, "question_id": "q2", **change}], "d"
        )


def made(sizes: dict[str, int]) -> pd.DataFrame:
    """Questions of some subjects, every other one of which is answerable."""
    names = [(subject, i) for subject, n in sizes.items() for i in range(n)]
    rows = [{"question_id": f"{s}-{i}", "subject": s, "answerable": i % 2 == 0} for s, i in names]
    return pd.DataFrame(rows).assign(group=lambda table: table["question_id"], turn=1)


@pytest.mark.parametrize("method", ["stratified", "first"])
@cases
def test_train_is_the_ceiling_of_the_share(method: str, count: int, train: int) -> None:
    split = datasets.split(made({"a": count}), 0.3, method)["split"]
    assert (split == "train").sum() == train
    assert method != "first" or set(split[:train]) == {"train"}


def test_strata_keep_their_share_and_seed_decides_not_row_order() -> None:
    table = made({"a": 400, "b": 100, "c": 20})
    first = datasets.split(table, 0.3, seed=4)
    shares = (first["split"] == "train").groupby([first["subject"], first["answerable"]]).mean()
    assert shares.between(0.19, 0.41).all()
    np.testing.assert_allclose(shares["a"], 0.3, atol=0.01)
    again = datasets.split(table.sample(frac=1, random_state=0), 0.3, seed=4).sort_index()
    pd.testing.assert_frame_equal(again, first)
    assert (datasets.split(table, 0.3, seed=2)["split"] != first["split"]).any()


@pytest.mark.parametrize("method", ["stratified", "first"])
def test_a_conversation_is_on_one_side(method: str) -> None:
    """Its questions share an answer, so that a map would be tested on what it was fitted to."""
    table = made({"a": 200}).assign(turn=[1, 2, 3, 1] * 50)
    table["group"] = [
        f"c{place // 4}" if place < 100 else name for place, name in enumerate(table["question_id"])
    ]
    table.loc[100:, "turn"] = 1
    divided = datasets.split(table, 0.3, method, seed=1)
    assert len(divided[["group", "split"]].drop_duplicates()) == divided["group"].nunique()
    assert divided["split"].value_counts()["train"] == pytest.approx(60, abs=20)


def test_an_article_is_on_one_side_but_by_the_papers_letter() -> None:
    table = made({"a": 200})
    table["group"] = [f"article {place // (5 if place < 100 else 20)}" for place in range(200)]
    shares = []
    for seed in range(20):
        divided = datasets.split(table, 0.3, seed=seed)
        assert len(divided[["group", "split"]].drop_duplicates()) == divided["group"].nunique()
        shares.append((divided["split"] == "train").mean())
    assert np.mean(shares) == pytest.approx(0.3, abs=0.02)
    assert np.abs(np.array(shares) - 0.3).max() <= 0.05  # half of the largest article
    assert (datasets.split(table, 0.31, "first")["split"] == "train").sum() == 62


@cases
def test_few_articles_leave_no_side_empty(sizes: list[int], fraction: float) -> None:
    groups = [f"article {i}" for i, n in enumerate(sizes) for _ in range(n)]
    for seed in range(4):
        table = made({"a": 10}).assign(group=groups)
        assert datasets.split(table, fraction, seed=seed)["split"].nunique() == 2


@cases
def test_a_split_that_is_none_is_refused(arguments: tuple, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        datasets.split(made({"a": 1}), *arguments)
