"""Fit what tells a line of code from prose on public text (`ralc.english.program_text`).

    python -m studies.program_text --checkouts DIR --data SHARED

writes ``ralc/data/program_text.json``. DIR holds checkouts, a folder each (MIT unless said): TheAlgorithms' Elixir, Go,
Haskell, Java, Julia, Kotlin, MATLAB-Octave, PHP, R, Ruby, Rust, Swift and TypeScript, exercism's batch, clojure,
haskell, perl5, powershell and x86-64-assembly, trekhleb/javascript-algorithms, expressjs/express, jqlang/jq,
nodejs/llhttp, bradymholt/cRonstrue, h5bp/html5-boilerplate, h5bp/server-configs-nginx, nvm-sh/nvm,
dylanaraps/pure-bash-bible, tobymao/sqlglot, graphql/swapi-graphql, docker/awesome-compose (CC0), kubernetes/examples,
terraform-aws-modules/terraform-aws-vpc and googleapis/api-common-protos (Apache-2.0), tstack/lnav (BSD-2-Clause),
Django's wheel (BSD-3-Clause) and tldr-pages/tldr (CC BY 4.0). Python is of the standard library (PSF) and Pygments
(BSD-2-Clause). Prose is SQuAD's, MMLU's (formulas, too) and TruthfulQA's, and the claims of
``tests/data/chat_replies.jsonl``.
"""

import argparse
import ast
import json
import math
import random
import re
import sysconfig
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pygments import lexers
from pygments.lexers import get_lexer_for_filename
from pygments.token import Comment, String
from pygments.util import ClassNotFound

from ralc import data
from ralc.english import CodeModel, is_words
from studies import study_folder
from studies.text_models import english, sparse_regression

#: Endings of files of code; of the first nine the conditions are drawn, too.
SOURCES = (
    ".js",
    ".ts",
    ".java",
    ".c",
    ".h",
    ".go",
    ".php",
    ".rs",
    ".rb",
    ".r",
    ".css",
    ".sh",
    ".html",
    ".yaml",
    ".yml",
    ".toml",
    ".asm",
    ".bat",
    ".clj",
    ".conf",
    ".exs",
    ".ex",
    ".graphql",
    ".hs",
    ".jl",
    ".kt",
    ".m",
    ".pl",
    ".pm",
    ".proto",
    ".ps1",
    ".swift",
    ".tf",
    "dockerfile",
    "makefile",
)
#: Lines of one source, and of one file. Fewest lines of code with a keyword; with a name; with a feature.
MOST = 2500
OF_A_FILE = 25
KEYWORD = 80
NAME = 3
FEATURE = 20
#: Words with which most lines of code begin.
FIRSTS = 300
#: How much likelier a name is in code than in prose.
RATIO = 40
#: Shares of prose held out that may be mistaken, of lines with marks and of words alone; they set the thresholds.
MISTAKEN = (0.0045, 0.0005)
#: Inverse strength of the penalty.
C = 2.0
#: In a page of tldr, what stands for a value: a choice of two options, or the value's name.
_PLACE = re.compile(r"\{\{(?:\[([^|\]]*)\|[^\]]*\]|(.*?))\}\}")
_QUOTED = re.compile(r"""(['"])(?P<inside>(?:(?!\1).){4,100})\1""")
_URL = re.compile(r"\b(?:https?|ftp)://[^\s\"'<>)`]+")
_BRACKETS = re.compile(r"\(([^()]{4,60})\)")
_OPERATORS = re.compile(r"&&|\|\||[=!<>]=|=>|[<>?]|\+\+")
_RULE = re.compile(r"[^{}/;@]+\{[^{}/]{2,80}\}")
_ERROR = re.compile(r"[ >]*((?:[a-z_]+\.)*[A-Z]\w*(?:Error|Exception|Warning): .+)")
_SCHEDULE = re.compile(r"[\d*/,?#LW-]+(?: [\w*/,?#-]+){4,5}")
#: What is no line of code: a word, no word, a sentence.
_UNLIKE = re.compile(r"[^\W\d_]+|[\d\W_]+|[\w ,.;'-]+ [\w ,.;'-]+ [\w ,.;'-]+ [\w ,.;'-]+ [\w ,.;'-]+\.")
_WORD = re.compile(r"[^\W\d_]+")


class Kind(NamedTuple):
    """A kind of lines: its name, the files that have some (by ending, and a part of the path), and where in them.

    So many are drawn of a file (0: all), until there are `most`.
    """

    name: str
    ending: str
    part: str
    found: Callable[[Path], Iterable[str]]
    each: int = 0
    most: float = math.inf


def code(checkouts: Path, rng: random.Random) -> list[str]:
    """Return lines of code, commands, logs, patterns, paths and addresses."""
    paths = sorted(path for path in checkouts.resolve().glob("**/*") if path.is_file())
    lines = of_files(paths, rng)
    schedules = lines.pop("schedules")
    commands = list(_commands(paths))
    lines["arguments"] = [quoted["inside"] for row in commands for quoted in _QUOTED.finditer(row)]
    lines["commands"] = rng.sample(commands, 4 * MOST)
    lines[".sql"] = rng.sample(lines[".sql"], min(2 * MOST, len(lines[".sql"])))
    lines[".sql"] += [row.lower() for row in lines[".sql"]]
    lines |= {kind: list(rows) for kind, rows in _python(rng).items()}
    lines["conditions"] = rng.sample(lines["conditions"], min(MOST, len(lines["conditions"])))
    lines["paths"] = [
        str(path) if at % 2 else "/".join(path.parts[-3:]) for at, path in enumerate(rng.sample(paths, 1500))
    ]
    lines["addresses"] = [url for rows in lines.values() for row in rows for url in _URL.findall(row)][:800]
    for name, rows in [*lines.items(), ("schedules", schedules)]:
        print(f"{name:<12}{len(rows):>7}")
    found = dict.fromkeys(row for rows in lines.values() for row in rows)
    return [*(row for row in found if row.strip() and not _UNLIKE.fullmatch(row)), *schedules]


def of_files(paths: list[Path], rng: random.Random) -> dict[str, list[str]]:
    """Return the lines of each of `_KINDS` in some files, which are looked at in a random order."""
    lines: dict[str, list[str]] = {kind: [] for kind in _ORDER}
    for path in rng.sample(paths, len(paths)):
        ending = path.suffix.lower() or path.name.lower()
        for kind in _KINDS:
            if kind.ending in ("", ending) and kind.part in str(path) and len(lines[kind.name]) < kind.most:
                rows = list(kind.found(path))
                lines[kind.name] += rng.sample(rows, min(kind.each, len(rows))) if kind.each else rows
    return lines


def _commands(paths: list[Path]) -> Iterator[str]:
    """The commands of the pages of tldr, with their values in place."""
    pages = {("pages", kind) for kind in ("common", "linux", "osx", "windows")}
    for path in paths:
        if path.parts[-3:-1] in pages:
            rows = (row[1:-1] for row in _lines(path) if row.startswith("`"))
            yield from (_PLACE.sub(lambda found: found[1] or found[2] or "", row) for row in rows)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _lines(path: Path) -> Iterator[str]:
    return (row.strip() for row in _text(path).split("\n") if 2 <= len(row.strip()) <= 200)


def _conditions(path: Path) -> Iterator[str]:
    """What stands in brackets and compares."""
    return filter(_OPERATORS.search, _BRACKETS.findall(_text(path)))


def _rules(path: Path) -> Iterator[str]:
    """Rules of CSS, each on one line."""
    return (" ".join(rule.split()) for rule in _RULE.findall(_text(path)))


def _queries(path: Path) -> Iterator[str]:
    """Lines of SQL without comments."""
    return (row for row in _lines(path) if not row.startswith(("--", "#")))


def _quoted(path: Path) -> Iterator[str]:
    return (row["inside"] for row in _QUOTED.finditer(_text(path)))


def _quoted_queries(path: Path) -> Iterator[str]:
    """Queries in quotation marks, four hundred at most."""
    return islice(filter(re.compile(r"[A-Z]{4,} \w").match, _quoted(path)), 400)


def _requests(path: Path) -> Iterator[str]:
    """The first lines of requests in Markdown."""
    blocks = re.findall(r"```http\n(.*?)```", _text(path), re.DOTALL)
    return (row for block in blocks for row in block.split("\n")[:3])


def _code_of(path: Path) -> Iterator[str]:
    """The lines of a file without its comments."""
    try:
        text = _text(path)[:40_000]
        tokens = get_lexer_for_filename(path.name, text).get_tokens(text)
    except ClassNotFound:
        return
    kept = "".join(
        "\n" * text.count("\n") if kind in Comment or kind in String.Doc else text for kind, text in tokens
    )
    for row in map(str.strip, kept.split("\n")):
        marked = path.suffix != ".html" or row.startswith("<")
        if 2 <= len(row) <= 200 and marked:
            yield row


#: What is drawn of each file, in this order.
_KINDS = (
    *(Kind("conditions", ending, "", _conditions) for ending in SOURCES[:9]),
    *(Kind(ending, ending, "", _code_of, OF_A_FILE, MOST) for ending in SOURCES),
    Kind("rules", ".css", "", _rules, 40, MOST),
    Kind(".sql", ".sql", "", _queries, 400),
    Kind(".sql", ".py", "sqlglot", _quoted_queries),
    Kind(".log", "", "/logfile_", _lines, 60),
    Kind("requests", ".md", "llhttp", _requests),
    Kind("schedules", ".ts", "cRonstrue", lambda path: filter(_SCHEDULE.fullmatch, _quoted(path))),
)
_ORDER = (*SOURCES, ".sql", ".log", "rules", "requests", "conditions", "schedules")


def _python(rng: random.Random) -> dict[str, Iterable[str]]:
    """The first line of statements of the standard library, its functions of a line, patterns and errors."""
    statements = []
    lambdas = []
    patterns = []
    errors = []
    library = Path(sysconfig.get_path("stdlib"))
    paths = sorted(path for path in library.glob("**/*.py") if "site-packages" not in path.parts)
    for path in [*rng.sample(paths, 900), *sorted(Path(lexers.__file__).parent.glob("*.py"))]:
        source = _text(path)
        patterns += [found[1] for found in re.findall(r"""\br(['"])((?:(?!\1)[^\n]){4,100})\1""", source)]
        try:
            nodes = list(ast.walk(ast.parse(source)))
        except (SyntaxError, ValueError):
            continue
        rows = source.split("\n")
        code = [
            rows[one.lineno - 1].strip()
            for one in nodes
            if isinstance(one, ast.stmt)
            and not isinstance(getattr(one, "value", None), ast.Constant | ast.Name)
        ]
        statements += rng.sample(code, min(15, len(code)))
        lambdas += [ast.unparse(one) for one in nodes if isinstance(one, ast.Lambda | ast.BoolOp)][:10]
    for path in sorted(library.glob("test/test_*.py")):
        errors += filter(None, map(_ERROR.fullmatch, _lines(path)))
    patterns = [one for one in dict.fromkeys(patterns) if re.search(r"[\\\[(|*+?^$]", one)]
    return {
        "python": rng.sample(statements, 3 * MOST),
        "lambdas": lambdas,
        "patterns": rng.sample(patterns, min(MOST, len(patterns))),
        "errors": [found[1] for found in errors],
    }


def prose(shared: Path, firsts: set[str], rng: random.Random) -> list[str]:
    """Return sentences, short answers, choices and their parts, a share behind a label or in quotation marks.

    More parts begin as code does, with one of `firsts`.
    """
    sentences, choices, answers = english(shared)
    drawn = rng.sample(choices, 8000)
    lettered = (f"{rng.choice('ABCD')}{rng.choice(['. ', ') '])}{choice}" for choice in drawn)
    texts = [*sentences, *choices, *lettered, *answers]
    replies = map(json.loads, Path("tests/data/chat_replies.jsonl").read_text(encoding="utf-8").splitlines())
    texts += [reply["reply"][start:end] for reply in replies for start, end in reply["claims"]]
    quoted = (f'{rng.choice(["", "He said: ", "It is called "])}"{text}"' for text in rng.sample(texts, 1500))
    leads = (f"{text.rstrip('.')}:" for text in rng.sample(texts, 1500))
    words = [text.split() for text in rng.sample(texts, 8000)]
    parts = (
        " ".join(row[(start := rng.randrange(len(row))) : start + rng.randint(1, 6)]) for row in words if row
    )
    rows = [text.split() for text in rng.sample(texts, len(texts))]
    alike = [
        " ".join(row[start : start + rng.randint(2, 6)])
        for row in rows
        for start in range(len(row) - 1)
        if row[start] in firsts
    ]
    named = (f"e.g. {text}" for text in rng.sample(texts, 300))
    return [
        text
        for text in dict.fromkeys([*texts, *quoted, *leads, *parts, *named, *rng.sample(alike, 12_000)])
        if text.strip() and "\n" not in text
    ]


def words_of(code: list[str], prose: list[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the keywords of code, and other words that name something in it and hardly ever stand in prose."""
    of_code, of_prose = (
        Counter(word for line in lines for word in {*_WORD.findall(line)}) for lines in (code, prose)
    )
    plain = {
        word for word in of_code if len(word) > 1 and word.isascii() and (word.islower() or word.isupper())
    }
    listed = {*data.path("words.txt").read_text(encoding="utf-8").lower().split()}
    keywords = frozenset(word for word in plain if of_code[word] >= KEYWORD)
    names = frozenset(
        word
        for word in plain - keywords
        if of_code[word] >= NAME and word.islower() and word not in listed
        if of_code[word] / len(code) > RATIO * (of_prose[word] + 0.5) / len(prose)
    )
    return keywords, names


def fit(code: list[str], prose: list[str], rng: random.Random) -> tuple[CodeModel, float, float]:
    """Return the model, and on a fifth of the lines that is held out the shares of prose and of code it mistakes."""
    known = words_of(code, prose)
    lines = rng.sample(both := [*((line, 1) for line in code), *((line, 0) for line in prose)], len(both))
    empty = CodeModel(*known, {}, 0.0, 0.0, 0.0)
    found = [dict.fromkeys(empty.features(line[:300]), 1.0) for line, _ in lines]
    is_code = np.array([label for _, label in lines]) == 1
    train = np.arange(len(lines)) < 0.8 * len(lines)
    weights, intercept, odds = sparse_regression(found, is_code, least=FEATURE, penalty=C, train=train)
    odds = odds[~train]
    truth = is_code[~train]
    words = np.array([is_words(line) for line, _ in lines])[~train]
    thresholds = [
        round(float(np.quantile(odds[~truth & alike], 1 - share)), 2)
        for share, alike in zip(MISTAKEN, (~words, words), strict=True)
    ]
    taken = odds > np.where(words, *thresholds[::-1])
    mistaken = float(np.mean(taken[~truth])), float(np.mean(~taken[truth]))
    return CodeModel(*known, weights, intercept, *thresholds), *mistaken


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="Fit what tells a line of code from prose.")
    parser.add_argument("--checkouts", type=Path, required=True)
    parser.add_argument("--data", type=study_folder, required=True)
    options = parser.parse_args()
    rng = random.Random(0)
    found = code(options.checkouts, rng)
    firsts = Counter(line.split()[0] for line in found)
    lines = found, prose(options.data, {word for word, _ in firsts.most_common(FIRSTS)}, rng)
    model, prose_mistaken, code_mistaken = fit(*lines, rng)
    table = {
        "provenance": (
            f"{len(lines[0]):,} lines of code and {len(lines[1]):,} of prose (studies/program_text.py); of a fifth"
            f" that was held out {prose_mistaken:.2%} of prose and {code_mistaken:.2%} of code are mistaken"
        ),
        "keywords": " ".join(sorted(model.keywords)),
        "names": " ".join(sorted(model.names)),
        **{name: getattr(model, name) for name in ("intercept", "threshold", "words_threshold")},
        "weights": model.weights,
    }
    data.path("program_text.json").write_text(
        json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(table["provenance"], len(model.weights))


if __name__ == "__main__":
    main()
