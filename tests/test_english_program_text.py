"""What a program reads stays byte for byte, with or without a fence; short prose beside it is read."""

import ast
import json
import random
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ralc.english import unread
from ralc.english.program_text import is_code, without_program_text
from tests.cases import cases
from tests.harm import as_it_comes

DATA = Path(__file__).parent / "data"
NO_PROSE = "it holds no prose"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
).filter(lambda value: isinstance(value, list | dict))
PARTS = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=2, max_size=12)
URLS = st.builds(
    "{}://{}.{}/{}".format,
    st.sampled_from(["https", "http", "ftp"]),
    PARTS,
    st.sampled_from(["org", "com", "io"]),
    PARTS,
)
PROGRAM_TEXT = json.loads((DATA / "program_text.json").read_text(encoding="utf-8"))
AROUND = [
    ("The city is Lima.\n\n{}", "The city is Lima."),
    ("{}\n\nThe city is Lima.", "The city is Lima."),
]


def hedged_ones(texts: list[str]) -> list[str]:
    """Return those of some texts that are hedged at one of two targets."""
    changed = [
        one.original
        for target in (0.1, 0.35)
        for one in as_it_comes().rewrite(texts, [target] * len(texts))
        if one.changed
    ]
    return list(dict.fromkeys(changed))


@cases
def test_short_prose_is_prose(text):
    assert unread(text) == ""


def test_what_a_program_reads_is_no_prose_and_stays():
    fenced = [f"```\n{text}\n```" for text in PROGRAM_TEXT]
    assert [text for text in (*PROGRAM_TEXT, *fenced) if unread(text) != NO_PROSE] == []
    assert hedged_ones([*PROGRAM_TEXT, *fenced]) == []


@pytest.mark.parametrize(("frame", "hedged"), AROUND)
def test_prose_around_it_is_hedged_alone(frame, hedged):
    texts = [frame.format(text) for text in PROGRAM_TEXT if "\n\n" not in text]
    for made in as_it_comes().rewrite(texts, [0.35] * len(texts)):
        body = made.original.replace(hedged, "").strip()
        assert body in made.text
        assert made.changed
        assert hedged not in made.text


def test_public_structured_texts_stay():
    rows = map(json.loads, (DATA / "structured.jsonl").read_text(encoding="utf-8").splitlines())
    texts = [row["answer"] for row in rows]
    assert [text for text in texts if unread(text) != NO_PROSE] == []
    assert hedged_ones(texts) == []


@settings(max_examples=60, deadline=None)
@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_json_stays(value, ascii_alone, indent):
    text = json.dumps(value, ensure_ascii=ascii_alone, indent=indent)
    assert not any(map(str.isalnum, without_program_text(text)))
    assert hedged_ones([text, f"```json\n{text}\n```"]) == []


@settings(max_examples=40, deadline=None)
@given(URLS)
def test_addresses_stay(url):
    assert is_code(url)
    assert hedged_ones([url]) == []


def statements(path: Path) -> list[str]:
    """Each statement of a module that is more than a word or a text, as it is written but for its indentation."""
    source = path.read_text(encoding="utf-8", errors="replace")
    lines = source.split("\n")
    found = []
    for node in ast.walk(ast.parse(source)):
        bare = isinstance(getattr(node, "value", None), ast.Constant | ast.Name) and isinstance(
            node, ast.Expr
        )
        if (
            isinstance(node, ast.stmt)
            and not bare
            and not isinstance(node, ast.Pass | ast.Break | ast.Continue)
        ):
            rows = lines[node.lineno - 1 : node.end_lineno]
            space = len(rows[0]) - len(rows[0].lstrip())
            found.append("\n".join(row if row[:space].strip() else row[space:] for row in rows))
    return found


def library() -> list[Path]:
    """The modules of the standard library that can be parsed."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    return [path for path in paths if path.stem not in ("this", "antigravity")]


def test_statements_of_the_standard_library_stay():
    rng = random.Random(0)
    texts = [text for path in rng.sample(library(), 12) for text in statements(path)]
    assert hedged_ones(rng.sample(texts, 150)) == []


@pytest.mark.long
def test_every_statement_of_the_standard_library_stays():
    """But what may be a formula ("x = 0") or words ("del word"): fewer than one in a hundred, each of one line."""
    texts = list(dict.fromkeys(text for path in library() for text in statements(path)))
    hedged = hedged_ones([text for text in texts if unread(text) == ""])
    assert len(hedged) < len(texts) / 100
    assert [text for text in hedged if text.count("\n") > 1] == []
