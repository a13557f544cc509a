"""What other tools save, in tiny files of their formats, becomes rows of samples and of questions."""

import dataclasses
import io
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
from tests.imported import CHAD, DATA, PERU, made_by, rows_of

TABLES = {
    "a.csv": """Question,Accepted answers,Model answers,Temperature
What is the capital of Peru?,Lima | Ciudad de los Reyes,"[""Lima"", ""Cusco""]",1
What is the capital of Chad?,N'Djamena,"['Abéché', ""N'Djamena""]",1
""",
    "an_answer_a_row.csv": """id;question;answer;response;model
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Lima;gpt
8;What is the capital of Chad?;N'Djamena;Abéché;gpt
7;What is the capital of Peru?;Lima|Ciudad de los Reyes;Cusco;gpt
8;What is the capital of Chad?;N'Djamena;N'Djamena;gpt
""",
    "a.jsonl": """{"query": "What is the capital of Peru?", "gold": ["Lima", "Ciudad de los Reyes"], \
"answers": ["Lima", "Cusco"]}

{"query": "What is the capital of Chad?", "gold": "N'Djamena", "answers": ["Abéché", "N'Djamena"]}
""",
}


@pytest.mark.parametrize("name", [*TABLES, "a.parquet"])
def test_a_table_of_questions_and_answers_is_both(tmp_path, capsys, name):
    if name == "a.parquet":
        pd.read_json(io.StringIO(TABLES["a.jsonl"]), lines=True).assign(
            gold=[["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
        ).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_text(TABLES[name])
    rows, questions = made_by(tmp_path, "table", tmp_path / name)
    assert [row.answers for row in rows] == [("Lima", "Cusco"), ("Abéché", "N'Djamena")]
    assert questions["question"].tolist() == [PERU, CHAD]
    assert questions["accepted"].tolist() == [["Lima", "Ciudad de los Reyes"], ["N'Djamena"]]
    said = capsys.readouterr()
    assert "samples.jsonl: 2 rows" in said.out
    if name == "a.csv":
        assert "left out: 'Temperature'" in said.err


def said(text, tokens, **more):
    """A choice of a chat reply; a token is its text, log-probability and bytes, where these are other."""
    content = [{"token": one, "logprob": nats, "bytes": list(*raw) or None} for one, nats, *raw in tokens]
    listed = [{"top_logprobs": [], **token} for token in content]
    return {"message": {"role": "assistant", "content": text}, "logprobs": {"content": listed}, **more}


CHOICES = [
    said(text, [(text, -0.1)], index=at, finish_reason="stop") for at, text in enumerate(["Lima", "Cusco"])
]
CHAT = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1760000000, "model": "gpt-4o-mini"}
CHAT |= {"choices": CHOICES, "usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}


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


PARTS = [{"type": "reasoning", "reasoning": "r"}, {"type": "text", "text": "y"}]
SAMPLE = {
    "id": 1,
    "input": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Q"}],
    "target": "B",
    "choices": ["x", "y"],
    "output": {"choices": [said(PARTS, [("y", -0.5)])]},
    "scores": {"choice": {"value": "C"}, "likert": {"value": 3}},
}
TOKENLESS = {"text": "a", "token_ids": [1], "logprobs": [{"2": {"logprob": -1}}]}
UNCLEAR = "question': is missing, and a reply does not say what was asked"
#: The format, an entry or a whole table, what is wrong with it, and options.
FAULTS = [
    ("openai", {"response": CHAT}, f"line 1, column '{UNCLEAR}"),
    ("openai", CHAT | {"question": "Q"}, "line 1, column 'response': is missing"),
    ("openai", {"question": "Q", "response": {"id": 1}}, "line 1, column 'choices': is missing"),
    ("openai", {"question": "Q", "response": {"choices": [{}]}}, "line 1, column 'message': is missing"),
    ("vllm", {"prompt": "Q"}, "line 1, column 'outputs': is missing"),
    ("vllm", {"outputs": [{"text": "a"}]}, f"line 1, column '{UNCLEAR}"),
    ("vllm", {"prompt": "Q", "outputs": ["a"]}, "line 1, column 'outputs': 'a' is no object"),
    ("vllm", {"prompt": "Q", "outputs": []}, "line 1, column 'answers'"),
    (
        "vllm",
        {"prompt": "Q", "outputs": [TOKENLESS]},
        "line 1, column 'logprobs': has not one entry for each",
    ),
    ("lm_eval", {"doc": {}}, "line 1, column 'resps': is missing"),
    ("lm_eval", {"doc_id": 0, "resps": "a"}, "line 1, column 'resps': 'a' is no list"),
    ("lm_eval", {"doc_id": 0, "resps": [["a"]], "doc": None}, "line 1, column 'arguments': is missing"),
    ("lm_eval", {"doc_id": 0, "doc": {}, "resps": [[["-1.5", "False"]]]}, "resps holds likelihoods and no"),
    ("lm_eval", 3, "line 1: not a JSON object"),
    ("lm_eval", [], "a.jsonl: holds no answer"),
    ("inspect_ai", SAMPLE, "column 'match': is missing; scorers are choice, likert", "match"),
    ("inspect_ai", SAMPLE, "samples 1, column 'correct', value 1: 3 is not one of 0, 1", "likert"),
    ("inspect_ai", SAMPLE | {"target": ["A", "B"]}, "column 'target': A, B are right, and one choice can be"),
    ("inspect_ai", SAMPLE | {"output": None}, "samples 1, column 'output': None is no object"),
    ("table", "question,output\nQ,a\n", "table takes no --correct", "acc"),
    ("table", "Question,Answer\nQ,a\n", ": no row has an accepted answer"),
    ("table", "Question,Answer,Output\n,a,b\nR,,b\nS,a,\n", "line 2, column 'question': is missing"),
    ("table", "question,gold,output,model\nQ,a,b,x\nQ,a,c,y\n", ": holds answers of 2 models (x, y)"),
    (
        "table",
        "question_id,question,gold,output\n1,Q,a,b\n1,R,a,c\n",
        "line 3, column 'question': 'R' differs from 'Q' in",
    ),
    ("table", "question,gold,output\nQ,a,\"['b' 'c']\"\n", "line 2, column 'answers': begins with ["),
    ("table", "question,gold\nQ,a\nR,b\n", "line 3, column 'answers': is missing"),
    ("table", "question,gold,output\nQ,a,b\nR,b\n", "line 3: 2 cells where the header has 3"),
]


def converted(form, path, correct):
    """The samples and the questions of a file."""
    return rows_of(form, path, correct=correct), precomputed.questions_of(
        precomputed.convert(form, path), path
    )


@pytest.mark.parametrize(("form", "entry", "told", "correct"), [(*one, None)[:4] for one in FAULTS])
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
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, entries)))
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
    (tmp_path / "s.jsonl").write_text("\n".join(map(json.dumps, (line, line | {"exact_match": 1.0}))))
    with pytest.raises(ValueError, match=r"line 2, column 'correct': .*leave --correct out"):
        rows_of("lm_eval", tmp_path / "s.jsonl", correct="exact_match")


def test_targets_are_what_is_accepted(tmp_path):
    targets = ["['Lima', 'La ciudad']", ["Lima"], " Lima", 3, "[2,5)", "[2, 5]"]
    document = {"doc": {"question": "Q"}, "resps": [["a"]]}
    logged = [document | {"doc_id": at, "target": target} for at, target in enumerate(targets)]
    (tmp_path / "samples.jsonl").write_text("\n".join(map(json.dumps, logged)))
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


Logprob = dataclasses.make_dataclass("Logprob", ["logprob"])
Output = dataclasses.make_dataclass("Output", ["text", "token_ids", "logprobs"])


def test_vllm_offline_as_the_page_saves_it(tmp_path, monkeypatch):
    drawn = [{7: Logprob(-0.1), 9: Logprob(-3.0)}, {8: Logprob(-0.2)}]
    said = [Output("Lima", [7, 8], drawn), Output("Cusco", [9], [{9: Logprob(-3.0)}])]
    chat = types.SimpleNamespace(chat=lambda turns, _: [types.SimpleNamespace(outputs=said) for _ in turns])
    module = types.SimpleNamespace(LLM=lambda model: chat, SamplingParams=dict)
    monkeypatch.setitem(sys.modules, "vllm", module)
    monkeypatch.chdir(tmp_path)
    exec(compile(block_of("import LLM"), "imports.md", "exec"), {})
    rows, questions = made_by(tmp_path, "vllm", "outputs.jsonl")
    assert [(row.question, row.answers) for row in rows] == [(PERU, ("Lima", "Cusco"))]
    assert rows[0].token_logprobs == ((-0.1, -0.2), (-3.0,))
    assert questions["accepted"].tolist() == [["Lima"]]


OSLO = [(" Os", -0.1), ("lo", -0.2), (". ", -0.3), ("<|im_end|>", -0.4)]
#: A character of two tokens, as OpenAI spells its halves.
NDJAMENA = [("N'Dj", -0.1, b"N'Dj"), ("bytes:\\xc3", -0.2, b"\xc3"), ("bytes:\\xa4", -0.3, b"\xa4")]


def reply_of(text, tokens):
    return {"question": "Q", "response": {"choices": [said(text, tokens, finish_reason="stop")]}}


def output_of(text, tokens):
    ids = list(range(len(tokens)))
    logprobs = [{str(at): {"logprob": one[1], "decoded_token": one[0]}} for at, one in enumerate(tokens)]
    return {"question": "Q", "outputs": [{"text": text, "token_ids": ids, "logprobs": logprobs}]}


def log_of(text, tokens):
    (choice,) = reply_of(text, tokens)["response"]["choices"]
    return {"samples": [{"id": 1, "input": "Q", "target": "", "output": {"choices": [choice]}}]}


SAVED = {"openai": (reply_of, "f.jsonl"), "vllm": (output_of, "f.jsonl"), "inspect_ai": (log_of, "f.json")}


def of_tokens(folder, form, text, tokens):
    saved, name = SAVED[form]
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


@pytest.mark.parametrize("form", SAVED)
def test_tokens_are_pieces_of_the_answer(tmp_path, form):
    row = of_tokens(tmp_path, form, "Oslo.", OSLO)
    assert row["tokens"] == (("Os", "lo", ".", ""),)
    assert row["token_logprobs"] == ((-0.1, -0.2, -0.3, -0.4),)
    assert ends_in_a_run(tmp_path, row) == (2, 4, 5, 5)
    if form != "vllm":  # a character of several tokens is the last one's
        row = of_tokens(tmp_path, form, "N'Djä", NDJAMENA)
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
    assert (row["answers"], row["raw_answers"]) == (("Oslo.",), ("<think>Hm</think>Oslo.",))
    assert (row["tokens"], row["token_logprobs"]) == ((("Os", "lo."),), ((-0.4, -0.5),))


def test_answers_of_one_question_in_several_rows_keep_theirs(tmp_path):
    said = [("Oslo.", OSLO[:3]), ("Rome", [("Ro", -0.1), ("me", -0.2)]), ("Bern", [("Basel", -0.1)])]
    (tmp_path / "f.jsonl").write_text("\n".join(json.dumps(reply_of(*one)) for one in said))
    (row,) = rows_of("openai", tmp_path / "f.jsonl")
    assert row["tokens"] == (("Os", "lo", "."), ("Ro", "me"), None)
