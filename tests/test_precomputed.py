"""What other tools save, in tiny files of their formats, becomes rows of samples and of questions."""

import dataclasses
import json
import re
import sys
import types

import pandas as pd
import pytest

from ralc import precomputed
from ralc.llm.engines import recorded
from ralc.llm.requests import Request
from ralc.registry import CORRECT
from tests.cases import cases
from tests.imported import CHAD, DATA, PERU, made_by, rows_of

#: A reply of OpenAI, and a sample in a log of inspect_ai.
CHAT, SAMPLE = (json.loads((DATA / f"{name}.json").read_text()) for name in ("openai_chat", "inspect_sample"))


@pytest.mark.parametrize(
    "name", ["table.csv", "table_of_an_answer_a_row.csv", "table.jsonl", "table.parquet"]
)
def test_a_table_of_questions_and_answers_is_both(tmp_path, capsys, name):
    path = DATA / name
    if name == "table.parquet":
        path = tmp_path / name
        pd.read_json(DATA / "table.jsonl", lines=True).assign(
            gold=[["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
        ).to_parquet(path)
    rows, questions = made_by(tmp_path, "table", path)
    assert [row.answers for row in rows] == [("Lima", "Cusco"), ("Abéché", "N'Djamena")]
    assert questions["question"].tolist() == [PERU, CHAD]
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
    said = capsys.readouterr()
    assert "samples.jsonl: 2 rows" in said.out
    if name == "table.csv":
        assert "left out: 'Temperature'" in said.err


def said(text, tokens, **more):
    """A choice of a chat reply; a token is its text, log-probability and bytes, where these are other."""
    content = [{"token": one, "logprob": nats, "bytes": list(*raw) or None} for one, nats, *raw in tokens]
    listed = [{"top_logprobs": [], **token} for token in content]
    return {"message": {"role": "assistant", "content": text}, "logprobs": {"content": listed}, **more}


@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_openais_replies_as_its_library_saves_them(tmp_path, ending):
    types = pytest.importorskip("openai.types")
    saved = types.chat.ChatCompletion.model_validate(CHAT).model_dump()
    known = {"accepted": ["Lima"], "response": saved}
    again = known | {"messages": [{"role": "user", "content": PERU}], "response": saved | {"id": "2"}}
    entries = [{"question": PERU, **known}, again, {"question": PERU, **known}]  # the last is a copy
    lines = "\n".join(map(json.dumps, entries))
    (tmp_path / f"a{ending}").write_text(lines if ending == ".jsonl" else json.dumps(entries))
    rows, asked = made_by(tmp_path, "openai", tmp_path / f"a{ending}")
    assert [(row.question, row.answers) for row in rows] == [(PERU, ("Lima", "Cusco") * 2)]
    assert rows[0].token_logprobs == ((-0.1,),) * 4
    assert rows[0].tokens == (("Lima",), ("Cusco",)) * 2
    assert asked["accepted"].tolist() == [["Lima"]]


def converted(form, path, correct):
    """The samples and the questions of a file."""
    return rows_of(form, path, correct=correct), precomputed.questions_of(
        precomputed.convert(form, path), path
    )


@cases
def test_what_a_file_lacks_is_named_with_its_place(tmp_path, form, entry, told, correct):
    path = tmp_path / {"inspect_ai": "a.json", "table": "a.csv"}.get(form, "a.jsonl")
    whole = {"samples": [entry]} if form == "inspect_ai" else entry
    path.write_text(entry if form == "table" else json.dumps(whole))
    with pytest.raises(ValueError, match=re.escape(told)):
        converted(form, path, correct)


def test_a_reply_without_a_text_is_left_out_and_counted(tmp_path, capsys):
    message = {"role": "assistant", "content": None, "refusal": "No."}
    refused = {"choices": [{"index": 0, "message": message}]}
    entries = [{"question": PERU, "response": CHAT}, {"question": CHAD, "response": refused}]
    precomputed.write(entries, tmp_path / "a.jsonl")
    assert [row["question"] for row in rows_of("openai", tmp_path / "a.jsonl")] == [PERU]
    left = f"have no text (a refusal, a tool's call) are left out ({tmp_path}/a.jsonl, line 2)"
    assert left in capsys.readouterr().err


def test_a_harness_logs_a_metric(tmp_path, capsys):
    source = DATA / "samples_gsm8k_lm_eval.jsonl"
    rows = rows_of("lm_eval", source, correct="exact_match")
    assert [(row["question_id"], row["correct"]) for row in rows] == [("0", [1]), ("1", [0])]
    assert rows[0]["answers"] == ("She has 2 + 3 = 5.\n#### 5",)
    with pytest.raises(ValueError, match="column 'acc': is missing; metrics are exact_match"):
        rows_of("lm_eval", source, correct="acc")
    with pytest.raises(ValueError, match=r"no filter 'strict'; filters are '"):
        rows_of("lm_eval", source, filter_name="strict")


def repeated(chosen, taken, right):
    """A logged line of a task with repeats, by one filter."""
    logged = {"doc_id": 3, "doc": {"question": "2 + 2?"}, "target": "2 and 2 is\n#### 4", "filter": chosen}
    logged |= {
        "resps": [["The answer is 4", "The answer is 5", "The answer is 4"]],
        "filtered_resps": [taken],
    }
    return json.dumps(logged | {"metrics": ["exact_match"], "exact_match": right})


def test_repeats_are_samples_and_a_metric_is_of_the_answer_that_the_filter_took(tmp_path, capsys):
    path = tmp_path / "samples_gsm8k.jsonl"
    path.write_text(repeated("score-first", "4", 1.0) + "\n" + repeated("maj@8", "4", 1.0))
    rows, asked = made_by(tmp_path, "lm_eval", path, "--correct", "exact_match")
    assert "filter 'score-first' is taken, of score-first, maj@8 (--filter-name)" in capsys.readouterr().err
    assert [row.answers for row in rows] == [("The answer is 4", "The answer is 5", "The answer is 4")]
    assert rows[0].correct == (CORRECT, None, CORRECT)
    assert asked[["question_id", "question", "accepted"]].to_numpy().tolist() == [["3", "2 + 2?", ["4"]]]
    with pytest.raises(ValueError, match=r"line 2, column 'exact_match': .*one of 3 answers is right"):
        rows_of("lm_eval", path, correct="exact_match", filter_name="maj@8")


def test_two_grades_of_one_answer_are_refused_with_the_remedy(tmp_path):
    line = {"doc_id": 0, "doc": {"question": "Q"}, "target": "a", "resps": [["a"]], "exact_match": 0.0}
    precomputed.write((line, line | {"exact_match": 1.0}), tmp_path / "s.jsonl")
    with pytest.raises(ValueError, match=r"line 2, column 'correct': .*leave --correct out"):
        rows_of("lm_eval", tmp_path / "s.jsonl", correct="exact_match")


def test_targets_are_what_is_accepted(tmp_path):
    targets = ["['Lima', 'La ciudad']", ["Lima"], " Lima", 3, "[2,5)", "[2, 5]"]
    document = {"doc": {"question": "Q"}, "resps": [["a"]]}
    logged = [document | {"doc_id": at, "target": target} for at, target in enumerate(targets)]
    precomputed.write(logged, tmp_path / "samples.jsonl")
    found = [row.cells.get("accepted") for row in precomputed.convert("lm_eval", tmp_path / "samples.jsonl")]
    assert found == [["Lima", "La ciudad"], ["Lima"], ["Lima"], None, ["[2,5)"], ["[2, 5]"]]


def test_a_log_of_inspect(tmp_path, capsys):
    failed = SAMPLE | {"id": 2, "error": {"message": "time-out"}}
    (tmp_path / "a.json").write_text(json.dumps({"samples": [SAMPLE, failed]}))
    rows, questions = made_by(tmp_path, "inspect_ai", tmp_path / "a.json", "--correct", "choice")
    assert [(row.question, row.answers, row.correct) for row in rows] == [("Q", ("y",), (CORRECT,))]
    assert rows[0].token_logprobs == ((-0.5,),)
    assert questions["correct_choice"].tolist() == [1]
    assert "1 entries that ended in an error are left out" in capsys.readouterr().err


def block_of(word):
    """The block of Python on the page that has a word in it."""
    page = (DATA.parents[2] / "docs/imports.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    (found,) = [block for block in blocks if word in block]
    return found


Logprob = dataclasses.make_dataclass("Logprob", ["logprob", "decoded_token"])
Output = dataclasses.make_dataclass("Output", ["text", "token_ids", "logprobs"])


def test_vllm_offline_as_the_page_saves_it(tmp_path, monkeypatch):
    drawn = [{7: Logprob(-0.1, " Li"), 9: Logprob(-3.0, "Cusco")}, {8: Logprob(-0.2, "ma")}]
    said = [Output("Lima", [7, 8], drawn), Output("Cusco", [9], drawn[:1])]
    chat = types.SimpleNamespace(chat=lambda turns, _: [types.SimpleNamespace(outputs=said) for _ in turns])
    module = types.SimpleNamespace(LLM=lambda model: chat, SamplingParams=dict)
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.chdir(tmp_path)
    exec(compile(block_of("import LLM"), "imports.md", "exec"), {})
    rows, questions = made_by(tmp_path, "table", "answers.jsonl")
    assert [(row.question, row.answers) for row in rows] == [(PERU, ("Lima", "Cusco"))]
    assert rows[0].token_logprobs == ((-0.1, -0.2), (-3.0,))
    assert ends_in_a_run(tmp_path, rows[0].model_dump()) == (2, 4)
    assert questions["accepted"].tolist() == [["Lima"]]


OSLO = [(" Os", -0.1), ("lo", -0.2), (". ", -0.3), ("<|im_end|>", -0.4)]
#: A character of two tokens, as OpenAI spells its halves.
NDJAMENA = [("N'Dj", -0.1, b"N'Dj"), ("bytes:\\xc3", -0.2, b"\xc3"), ("bytes:\\xa4", -0.3, b"\xa4")]


def reply_of(text, tokens):
    return {"question": "Q", "response": {"choices": [said(text, tokens, finish_reason="stop")]}}


def log_of(text, tokens):
    (choice,) = reply_of(text, tokens)["response"]["choices"]
    return {"samples": [{"id": 1, "input": "Q", "target": "", "output": {"choices": [choice]}}]}


FORMS = {"openai": (reply_of, "f.jsonl"), "inspect_ai": (log_of, "f.json")}


def of_tokens(folder, form, text, tokens):
    saved, name = FORMS[form]
    (folder / name).write_text(json.dumps(saved(text, tokens)))
    (row,) = rows_of(form, folder / name)
    return row


def ends_in_a_run(folder, row):
    """Where the tokens of a row's answer end when a run reads the file."""
    precomputed.write([row], folder / "samples.jsonl")
    (found,) = precomputed.read(folder / "samples.jsonl").rows
    asked = Request("m", ({"role": "system", "content": found.named("direct")},), logprobs=True)
    engine = recorded.start(
        recorded.Options(engine="recorded", path=str(folder / "samples.jsonl"), model="m")
    )
    ((_, (answer,)),) = engine.answer([asked])
    return answer.token_ends


@pytest.mark.parametrize("form", FORMS)
def test_tokens_are_pieces_of_the_answer(tmp_path, form):
    row = of_tokens(tmp_path, form, "Oslo.", OSLO)
    assert row["tokens"] == (("Os", "lo", ".", ""),)
    assert row["token_logprobs"] == ((-0.1, -0.2, -0.3, -0.4),)
    assert ends_in_a_run(tmp_path, row) == (2, 4, 5, 5)
    row = of_tokens(tmp_path, form, "N'Djä", NDJAMENA)  # a character of several tokens is the last one's
    assert row["tokens"] == (("N'Dj", "", "ä"),)
    assert ends_in_a_run(tmp_path, row) == (4, 4, 5)
    for spelt in ("▁lo", "Ġlo", "\ufffd"):  # not the text
        row = of_tokens(tmp_path, form, "Oslo.", [OSLO[0], (spelt, -0.2), OSLO[2]])
        assert "tokens" not in row
        assert len(*row["token_logprobs"]) == 3
    lacking = of_tokens(tmp_path, form, "Oslo.", [OSLO[0], ("lo.", None)])
    assert not {"tokens", "token_logprobs"} & lacking.keys()


def test_reasoning_goes_with_its_tokens(tmp_path):
    tokens = [("<think>", -0.1), ("Hm", -0.2), ("</think>", -0.3), ("Os", -0.4), ("lo.", -0.5)]
    row = of_tokens(tmp_path, "openai", "<think>Hm</think>Oslo.", tokens)
    assert row["answers"] == ("Oslo.",)
    assert row["raw_answers"] == ("<think>Hm</think>Oslo.",)
    assert row["tokens"] == (("Os", "lo."),)
    assert row["token_logprobs"] == ((-0.4, -0.5),)


def test_answers_of_one_question_in_several_rows_keep_theirs(tmp_path):
    said = [("Oslo.", OSLO[:3]), ("Rome", [("Ro", -0.1), ("me", -0.2)]), ("Bern", [("Basel", -0.1)])]
    (tmp_path / "f.jsonl").write_text("\n".join(json.dumps(reply_of(*one)) for one in said))
    (row,) = rows_of("openai", tmp_path / "f.jsonl")
    assert row["tokens"] == (("Os", "lo", "."), ("Ro", "me"), None)
