"""The reader by table: phrases of known readings."""

import json

import numpy as np
import pandas as pd
import pytest

from ralc.readers import build
from tests.imported import DATA

TABLE = {"Likely": [5, 5], "Highly likely": [7, 3], "Highly unlikely": [1, 9], "Maybe": [3, 7]}


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "phrases.json").write_text(json.dumps(TABLE))
    return build("phrases", {"method": "table", "path": str(tmp_path / "phrases.json")})


def test_the_longest_phrase_of_a_text_says_how_sure_it_sounds(reader):
    read = reader.read(["Oslo (highly likely)", "It is LIKELY Oslo.", "Oslo, highly  unlikely", "maybe Oslo"])
    assert read.alpha.tolist() == [7, 5, 1, 3]
    assert read.beta.tolist() == [3, 5, 9, 7]


def test_a_text_without_a_phrase_is_unread(reader):
    texts = pd.DataFrame({"item": ["a", "b"], "text": ["Oslo (maybe)", "Oslo, unlikelyish"]})
    table = reader.readings(texts)
    assert table["reader"].tolist() == ["phrases"] * 2
    assert np.isnan(table["alpha"]).tolist() == [False, True]
    with pytest.raises(ValueError, match=r"reader 'phrases': no phrase of its table in 'Oslo'"):
        reader.read(["Oslo"])


def test_a_csv_and_one_table_of_several_say_the_same(reader, tmp_path):
    rows = [f"{phrase},{a},{b}" for phrase, (a, b) in TABLE.items()]
    (tmp_path / "p.csv").write_text("\n".join(["phrase,alpha,beta", *rows]))
    (tmp_path / "several.json").write_text(json.dumps({"mine": TABLE, "other": {}}))
    others = [{"path": str(tmp_path / "p.csv")}, {"path": str(tmp_path / "several.json"), "table": "mine"}]
    for entry in others:
        other = build("x", {"method": "table"} | entry)
        assert other.read(["highly likely"]).alpha.tolist() == reader.read(["highly likely"]).alpha.tolist()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("p.json", '{"a": {"Likely": [1, 2]}}', "has no one table of phrases"),
        ("p.json", '{"Likely": [1]}', "alpha and beta must be above 0"),
        ("p.json", '{"Likely": [0, 2]}', "alpha and beta must be above 0"),
        ("p.json", "{}", "has no phrase"),
        ("p.json", '{"Likely": [1, 2], "Likely": [3, 4]}', "column 'Likely': stands 2 times"),
        ("p.json", '{"Likely": [1, 2], "LIKELY": [3, 4]}', "phrase 'LIKELY': stands twice"),
        ("p.json", '{" ": [1, 2]}', "the phrase is empty"),
        ("p.json", f'{{"Likely": [1, {"9" * 400}]}}', "hundreds of digits"),
        ("p.json", '{"Likely": [1, 1e300]}', "alpha and beta must be above 0 and at most 1e.15"),
        ("p.csv", "phrase,alpha,beta\nLikely,inf,1\n", "line 2, phrase 'Likely': alpha and beta must be"),
        ("p.csv", "phrase,alpha,beta\nLikely,1,1\nlikely ,1,2\n", "line 3, phrase 'likely': stands twice"),
        ("p.csv", "phrase,alpha,beta\n,1,1\n", "line 2: the phrase is empty"),
        ("p.csv", "phrase,alpha,beta\nLikely,x,1\n", "line 2: needs columns phrase, alpha and beta"),
    ],
)
def test_a_file_that_is_no_table_is_named(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=message) as caught:
        build("x", {"method": "table", "path": str(tmp_path / name)})
    assert str(tmp_path / name) in str(caught.value)


def test_the_stand_in_has_every_phrase_of_its_answers():
    entry = {"method": "table", "path": str(DATA / "wang2025_tables.json"), "table": "stand-in_size=12"}
    rows = [json.loads(line) for line in (DATA / "wang2025_answers.jsonl").read_text().splitlines()]
    assert len(build("x", entry).read([row["confidence"] for row in rows])) == len(rows)
