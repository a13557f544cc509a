"""`ralc read` within bounds: what breaks them and where, exit codes, several files, running text, SARIF."""

import json

import jsonschema
import pytest

from tests.test_cli_read import run

#: What the schema of SARIF 2.1.0 requires of the parts that are used here.
MESSAGE = {"type": "object", "required": ["text"]}
LEVELS = {"enum": ["none", "note", "warning", "error"]}
COUNTED = {"type": "integer", "minimum": 1}
REGION = {"additionalProperties": False} | {
    "properties": dict.fromkeys(["startLine", "startColumn", "endLine", "endColumn"], COUNTED)
}
RESULT = {
    "required": ["message", "ruleId"],
    "properties": {
        "message": MESSAGE,
        "level": LEVELS,
        "kind": {"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
        "locations": {"items": {"properties": {"physicalLocation": {"properties": {"region": REGION}}}}},
    },
}
RULE = {"required": ["id"], "properties": {"shortDescription": MESSAGE}}
RUN = {
    "required": ["tool"],
    "properties": {
        "tool": {
            "required": ["driver"],
            "properties": {"driver": {"required": ["name"], "properties": {"rules": {"items": RULE}}}},
        },
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"items": RESULT},
    },
}
SARIF = {
    "required": ["version", "runs"],
    "properties": {"version": {"const": "2.1.0"}, "runs": {"minItems": 1, "items": RUN}},
}
PAGE = "# Rome\r\n\r\nNaïve 𝔘 is a letter. It is perhaps\r\nold, and Rome is **large**.\r\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder, in which the command runs, with a page, one that is not in English, and two tables of answers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a page.md").write_bytes(PAGE.encode())
    (tmp_path / "german.md").write_text("Das ist nicht die Hauptstadt, glaube ich.\n")
    (tmp_path / "good.csv").write_text('text\nPerhaps Oslo.\n"Certainly,\nRome."\n')
    (tmp_path / "bad.jsonl").write_text('{"text": "Perhaps Oslo."}\n{"text": ""}\n')
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "lines"),
    [
        (["good.csv", "--at-most", "1"], 0, []),
        (["good.csv", "--at-most", "0.9"], 1, ['good.csv:3: 0.97 is surer than 0.9: "Certainly, Rome."']),
        (["good.csv", "--at-least", "0.5"], 1, ['good.csv:2: 0.305 is less sure than 0.5: "Perhaps Oslo."']),
        (["good.csv", "--at-least", "0.305", "--at-most", "0.97"], 0, []),
        (["bad.jsonl", "--at-least", "0.1"], 2, []),
        (
            ["bad.jsonl", "--at-least", "0.5"],
            2,
            ['bad.jsonl:1: 0.305 is less sure than 0.5: "Perhaps Oslo."'],
        ),
        (["german.md", "--at-most", "1"], 2, []),
        (["nowhere.csv", "--at-most", "1"], 2, []),
        (["good.csv", "--column", "answer", "--at-most", "1"], 2, []),
        (["good.csv", "--at-most", "1.1"], 2, []),
        (["Certainly Rome.", "--at-most", "0.9"], 1, ['text: 0.97 is surer than 0.9: "Certainly Rome."']),
    ],
)
def test_what_is_out_of_bounds_is_a_line_and_an_exit_code(capsys, folder, arguments, code, lines):
    found, out, err = run(capsys, "read", *arguments)
    assert (found, out.splitlines()) == (code, lines)
    assert bool(err) == (code == 2)


def test_a_missing_extra_is_not_taken_for_a_text_out_of_bounds(capsys, monkeypatch):
    def missing(*_, **__):
        raise ModuleNotFoundError("No module named 'spacy'", name="spacy")

    monkeypatch.setattr("ralc.cli.read.read_texts", missing)
    assert run(capsys, "read", "Certainly.", "--sentences")[0] == 1
    code, _, err = run(capsys, "read", "Certainly.", "--sentences", "--at-most", "1")
    assert (code, err) == (2, "ralc: spacy is not installed: pip install 'pyralc[parser]'\n")


@pytest.mark.parametrize("form", [["--json"], ["--out", "out.jsonl"]])
def test_of_rows_those_out_of_bounds_are_written(capsys, folder, form):
    code, out, _ = run(capsys, "read", "good.csv", "--at-most", "0.9", *form)
    (row,) = map(json.loads, (out or (folder / "out.jsonl").read_text()).splitlines())
    assert (code, row["text"], row["mean"]) == (1, "Certainly,\nRome.", 0.97)


def test_a_page_is_one_text_and_its_sentences_have_their_places(capsys, folder):
    assert run(capsys, "read", "a page.md")[1].startswith("mean ")
    _, out, _ = run(capsys, "read", "a page.md", "--sentences", "--at-most", "0.5")
    assert out.startswith('a page.md:3:1: 0.95 is surer than 0.5: "Naïve 𝔘 is a letter."\n')


def test_sarif_has_rule_message_and_place(capsys, folder):
    code, _, err = run(
        capsys,
        *["read", "--sentences", "--at-least", "0.9", "--format", "sarif", "--out", "r.sarif"],
        "a page.md",
        "bad.jsonl",
    )
    log = json.loads((folder / "r.sarif").read_text(encoding="utf-8"))
    jsonschema.validate(log, SARIF)
    (made,) = log["runs"]
    rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    assert [rules[result["ruleIndex"]] for result in made["results"]] == [
        "too-unsure",
        "too-unsure",
        "unread",
    ]
    page, row, unread = (result["locations"][0]["physicalLocation"] for result in made["results"])
    assert page == {
        "artifactLocation": {"uri": "a%20page.md"},
        "region": {"startLine": 3, "startColumn": 22, "endLine": 4, "endColumn": 28},
    }
    assert (row["region"], unread["region"]) == ({"startLine": 1}, {"startLine": 2})
    assert (code, "bad.jsonl, line 2: text is empty" in err) == (2, True)


def test_sarif_without_bounds_holds_every_reading(capsys, folder):
    code, out, _ = run(capsys, "read", "good.csv", "a page.md", "--format", "sarif")
    log = json.loads(out)
    jsonschema.validate(log, SARIF)
    found = [(one["ruleId"], one["kind"], one["level"]) for one in log["runs"][0]["results"]]
    assert (code, found) == (0, [("reading", "informational", "none")] * 3)
    (result,) = json.loads(run(capsys, "read", "Certainly.", "--format", "sarif")[1])["runs"][0]["results"]
    assert "locations" not in result


def test_rows_of_several_files_say_where_they_are_from(capsys, folder):
    code, out, _ = run(capsys, "read", "good.csv", "bad.jsonl", "--json")
    assert [(row["file"], row["line"]) for row in map(json.loads, out.splitlines())] == [
        ("good.csv", 2),
        ("good.csv", 3),
        ("bad.jsonl", 1),
    ]
    assert code == 3
    assert (folder / "bad.bad.jsonl").is_file()
    assert "good.csv:3: mean 0.97" in run(capsys, "read", "good.csv", "bad.jsonl")[1]
    (folder / "own.csv").write_text("text,line\nPerhaps.,7\n")
    assert "own.csv: has 'line'" in run(capsys, "read", "good.csv", "own.csv", "--json")[2]


def test_what_is_not_english_is_named_and_the_rest_is_read(capsys, folder):
    code, out, err = run(capsys, "read", "german.md", "a page.md")
    assert (code, err) == (3, "ralc: german.md, line 1: text cannot be read: it is not in English\n")
    assert out.startswith("a page.md: mean ")
    assert not list(folder.glob("*.bad.jsonl"))
    assert run(capsys, "read", "german.md")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["Perhaps", "so"], "'Perhaps' is no file: of several arguments each is one; quote a text"),
        (
            ["Perhaps.", "--at-least", "0.8", "--at-most", "0.2"],
            "nothing is at least 0.8 sure and at most 0.2",
        ),
        (["Perhaps.", "--json", "--format", "text"], "--json and --format text ask for different things"),
    ],
)
def test_wrong_usage_is_told(capsys, arguments, why):
    code, out, err = run(capsys, "read", *arguments)
    assert (code, out) == (2, "")
    assert why in " ".join(err.split())
