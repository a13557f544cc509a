"""Files of three published studies become the files that the presets read."""

import pytest

from ralc import precomputed
from studies import published
from tests.imported import files_of


def made(study, source):
    rows = published.read(study, source)
    return precomputed.samples_of(rows, source), precomputed.questions_of(rows, source)


@pytest.mark.parametrize("name", ["llama", "llada"])
def test_dlm_uncertainty(tmp_path, capsys, name):
    source = files_of(name)
    rows, asked = made("dlm_uncertainty", source)
    precomputed.write(rows, tmp_path / "s.jsonl")
    found = precomputed.read(tmp_path / "s.jsonl")
    size = 100 if len(rows) == 100 else 10
    assert len(rows) == len(asked) == size
    for row, question in zip(rows, asked, strict=True):
        right = question["choices"][question["correct_choice"]]
        assert [answer == right for answer in row["answers"]] == [bool(one) for one in row["correct"]]
    if size == 100:
        lost = {
            "llama": "18 of 1000 answers lack token_logprobs",
            "llada": "token_logprobs of 983 of 983 answers are exactly 0: placeholders, all left out, and with them "
            "the signal token_probability",
        }
        assert lost[name] in (found.notes[0], capsys.readouterr().err.removeprefix(f"{source}: ").strip())


@pytest.mark.parametrize("unit", ["\nA. \nB. \nC. ", "\nA. x\nB. "])
def test_what_is_no_question_of_mmlu_is_named(tmp_path, unit):
    path = tmp_path / "x.csv"
    path.write_text(f'question,answer_key\n"Question: {unit * 5_000}",A\n')
    with pytest.raises(ValueError, match=r"line 2, column 'question': no question with the choices A to D"):
        published.read("dlm_uncertainty", path)


def test_wang2025():
    rows, asked = made("wang2025", files_of("wang2025"))
    assert len(rows) == len(asked)
    assert not any(row["answers"][0].endswith((".)", '")')) for row in rows)
    if len(rows) == 817:
        assert sum(row["correct"][0] for row in rows) / 817 == pytest.approx(0.315789, abs=1e-6)
