"""`ralc read`: texts, files, standard input, bad rows."""

import contextlib
import io
import json

import pytest

from ralc import readers
from ralc.cli import rows
from ralc.cli.app import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command line."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    out, err = capsys.readouterr()
    return int(stopped.value.code or 0), out, err


def test_a_text_is_read_with_its_cues_in_their_places(capsys):
    text = "I can’t be sure — probably Paris."
    code, out, _ = run(capsys, "read", text, "--json")
    reading = json.loads(out)
    assert code == 0
    assert reading["mean"] == round(float(readers.load("cues").read([text]).mean[0]), 3)
    assert [text[cue["start"] : cue["end"]] for cue in reading["cues"]] == [c["cue"] for c in reading["cues"]]
    assert reading["cues"][-1]["cue"] == "probably"


def test_each_sentence_is_read_too(capsys, tmp_path):
    text = "It is old. I think that the rest is right. It is large."
    reading = json.loads(run(capsys, "read", text, "--sentences", "--json")[1])
    assert [text[one["start"] : one["end"]] for one in reading["sentences"]][2] == "It is large."
    assert [(one["kind"], one["under"]) for one in reading["sentences"]] == [
        ("claim", None),
        ("hedge", None),
        ("claim", 1),
    ]
    assert reading["sentences"][1]["mean"] is None
    assert "It is large. (as sentence 2 says)" in run(capsys, "read", text, "--sentences")[1]
    (tmp_path / "in.csv").write_text(f"text\n{text}\n")
    run(capsys, "read", str(tmp_path / "in.csv"), "--sentences", "--out", str(tmp_path / "out.csv"))
    (row,) = rows.load(str(tmp_path / "out.csv")).rows
    assert json.loads(row.cells["sentences"]) == reading["sentences"]


def test_a_text_with_a_dot_is_no_file(capsys):
    assert run(capsys, "read", "It is perhaps in file.csv")[0] == 0


def test_a_file_that_is_not_there_is_named(capsys):
    code, out, err = run(capsys, "read", "nowhere.csv")
    assert (code, out) == (1, "")
    assert "nowhere.csv: no such file" in err


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_files_of_each_format(capsys, tmp_path, ending):
    from ralc.cli import rows

    source, out = tmp_path / f"in.{ending}", tmp_path / f"out.{ending}"
    table = [{"id": "1", "text": 'She said "Oslo",\nperhaps.'}, {"id": "2", "text": "Certainly Rome."}]
    rows.save(table, str(source))
    assert run(capsys, "read", str(source), "--out", str(out))[0] == 0
    read = [row.cells for row in rows.load(str(out)).rows]
    assert [row["text"] for row in read] == [row["text"] for row in table]
    assert float(read[0]["mean"]) < float(read[1]["mean"])


def test_no_text_of_a_csv_is_a_formula_and_numbers_stay_numbers(capsys, tmp_path):
    source, out = tmp_path / "in.jsonl", tmp_path / "out.csv"
    source.write_text(
        '{"text": "=1+1, perhaps", "by": "@me", "degrees": -4.5, "as_text": "-4.5e3", "@b": 1}\n'
    )
    assert run(capsys, "read", str(source), "--out", str(out))[0] == 0
    assert "\"'=1+1, perhaps\",'@me,-4.5,-4.5e3,1," in out.read_text()
    assert out.read_text().startswith("text,by,degrees,as_text,'@b,")


def test_bad_rows_are_named_and_kept_apart(capsys, tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"text": "Perhaps."}\n{"text": 3}\nnot json\n[1]\n{"text": "Surely."}\n')
    code, out, err = run(capsys, "read", str(source))
    assert code == 3
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["Perhaps.", "Surely."]
    assert "line 2: text is no text: 3" in err
    bad = [json.loads(line) for line in (tmp_path / "in.bad.jsonl").read_text().splitlines()]
    assert [row["line"] for row in bad] == [2, 3, 4]


def test_rows_with_too_many_or_too_few_fields_are_bad_rows(capsys, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("id,text\n1,Perhaps.\n2,a,b\n3\n")
    code, _, err = run(capsys, "read", str(source))
    assert code == 3
    assert "line 3: 3 cells where the header has 2: 2 | a | b" in err
    assert "line 4: 1 cells where the header has 2: 3" in err
    kept = [json.loads(line) for line in (tmp_path / "in.bad.jsonl").read_text().splitlines()]
    assert [(row["line"], row["raw"]) for row in kept] == [(3, ["2", "a", "b"]), (4, ["3"])]


def test_a_missing_column_is_named_with_those_there_are(capsys, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("id,answer\n1,Perhaps.\n")
    assert "no column 'text'; there are id, answer" in run(capsys, "read", str(source))[2]


def test_no_column_of_ones_own_is_overwritten(capsys, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("text,mean,cues\nPerhaps.,7,mine\n")
    code, out, err = run(capsys, "read", str(source))
    assert (code, out) == (1, "")
    assert "in.csv: has 'mean', 'cues', which the output would overwrite: rename these columns" in err


def test_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("\ufefftext\nPerhaps Oslo.\n".encode())))
    code, out, _ = run(capsys, "read")
    assert code == 0
    assert out.startswith("text,mean,spread,cues\nPerhaps Oslo.,0.3")


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ("Perhaps Paris.\n", ["Perhaps Paris."]),
        ("No, surely.\r\n\nYes,maybe\n", ["No, surely.", "Yes,maybe"]),
        ("Yes, maybe", ["Yes, maybe"]),
        ('id,"text"\n1,Surely.\n', ["Surely."]),
        ('{"text": "Surely."}\n', ["Surely."]),
    ],
)
def test_standard_input_may_be_plain_lines(capsys, monkeypatch, given, texts):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    code, out, _ = run(capsys, "read", "--json")
    assert code == 0
    assert [json.loads(line)["text"] for line in out.splitlines()] == texts


def test_a_table_on_standard_input_needs_the_column(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"id,answer\n1,Perhaps.\n")))
    assert "no column 'text'; there are id, answer" in run(capsys, "read")[2]


@pytest.mark.parametrize(
    ("reader", "why"),
    [
        ("nobody", "no reader 'nobody'"),
        (
            "probe",
            "reader 'probe' asks a language model, as a run of the workflow can (readers, roles.judges)",
        ),
    ],
)
def test_a_reader_that_cannot_be_had_by_its_name_is_refused(capsys, reader, why):
    code, _, err = run(capsys, "read", "Perhaps.", "--reader", reader)
    assert (code, err) == (1, f"ralc: {why}: choose one of cues, judge\n")


def test_a_flipped_bit_of_a_written_parquet_file_is_seen(tmp_path):
    path = tmp_path / "out.parquet"
    rows.save([{"text": f"It is answer {i}.", "mean": i / 100} for i in range(100)], str(path))
    content = path.read_bytes()
    for at in range(4, len(content) // 2, 97):
        path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        with contextlib.suppress(ValueError):
            assert [row.cells["mean"] for row in rows.load(str(path)).rows] == [i / 100 for i in range(100)]
