"""What a stub depends on, against what really is loaded, and the lists that were once wrong."""

import ast
import os
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ralc.dependencies import PACKAGE, dependencies

STUBS = sorted(Path(__file__).parents[1].joinpath("workflow/scripts").glob("*.py"))


def reached(stub: str) -> set[str]:
    """What a stub of the workflow depends on, as paths below the package."""
    return names(next(file for file in STUBS if file.stem == stub))


def names(script: Path, *without: str) -> set[str]:
    """What a script depends on, as paths below the package."""
    return {file.relative_to(PACKAGE).as_posix() for file in dependencies(script, without)}


@pytest.fixture
def script(tmp_path):
    """A function that gives the dependencies of a script of some lines."""

    def of(*lines: str) -> set[str]:
        path = tmp_path / f"script_{len(list(tmp_path.iterdir()))}.py"
        path.write_text("\n".join(lines))
        return names(path)

    return of


@pytest.fixture(scope="module")
def modules_of():
    """The modules that each stub depends on, all of them loaded, with all that is slow to load beneath them."""
    found = {stub: {module_of(file) for file in dependencies(stub) if file.suffix == ".py"} for stub in STUBS}
    for module in set().union(*found.values()):
        import_module(module)
    return found


@pytest.mark.long
@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.stem)
def test_what_a_stub_depends_on_loads_nothing_else_of_the_package(stub, modules_of):
    modules = modules_of[stub]
    # In a process of its own, which loads anew what is ours.
    child = os.fork()
    if child == 0:
        for name in [name for name in sys.modules if name.split(".")[0] == "ralc"]:
            del sys.modules[name]
        for module in modules:
            import_module(module)
        loaded = {name for name in sys.modules if name.split(".")[0] == "ralc"}
        os._exit(loaded != modules)
    assert os.waitpid(child, 0)[1] == 0


def test_a_stub_is_short():
    assert [stub.name for stub in STUBS if len(stub.read_text().splitlines()) > 20] == []


def module_of(file: Path) -> str:
    """The name of a module's file."""
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def test_every_module_that_a_stub_names_is_among_its_dependencies():
    for stub in STUBS:
        for node in ast.walk(ast.parse(stub.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "ralc":
                for name in node.names:
                    place = f"{node.module}.{name.name}".removeprefix("ralc.").replace(".", "/")
                    module = PACKAGE / f"{place}.py"
                    assert not module.is_file() or f"{place}.py" in reached(stub.stem)


@pytest.mark.parametrize(
    ("stub", "file"),
    [
        ("list_hedges", "data/hedges.csv"),
        ("read_texts", "pipeline/text_readings.py"),
        ("render_rewrites", "pipeline/rewrite_plan.py"),
        ("list_candidates", "pipeline/rewrite_plan.py"),
        ("score_preservation", "pipeline/rewrite_plan.py"),
        ("retrieve_hedges", "lexicon/table.py"),
        ("fit_lexicon", "data/reader_cues.json"),
        ("render_readings", "prompts/evaluator.j2"),
        ("render_samples", "prompts/short_direct_qa_short_answer.j2"),
        ("write_overview", "report/templates/base.html.j2"),
        ("write_overview", "report/templates/style.css"),
    ],
)
def test_what_a_stub_uses_is_found(stub, file):
    assert file in reached(stub)


#: Who opens what. A reader is chosen by its name in the configuration: who may read may open any reader's files.
READ = {
    "fit_lexicon",
    "list_candidates",
    "measure_signals",
    "read_texts",
    "render_readings",
    "save_calibrators",
}
OPENED = {
    "data/cues.csv": READ
    | {
        "cluster_answers",
        "list_hedges",
        "parse_lexicon",
        "assemble_items",
        "plan_rewrites",
        "render_rewrites",
        "choose_rewrites",
        "render_corrections",
        "list_corrections",
        "render_preservation",
        "score_preservation",
    },
    "data/hedges.csv": {"list_hedges", "parse_hedges", "save_calibrators"},
    "data/lexicon_cues.csv": {"save_calibrators"},
    "data/human_benchmark.csv": {"measure_readers", "recall_readers"},
    "data/capphrase_audiences.csv": READ | {"compare_audiences"},
    "prompts/clusterer.j2": {"render_clusters"},
    "prompts/direct_beta.j2": {"render_rewrites"},
    "prompts/direct_qa_short_answer.j2": {"render_samples"},
    "prompts/evaluator.j2": READ,
    "prompts/grader.j2": {"render_grades", "render_rewrite_grades"},
    "prompts/guided_direct_beta.j2": {"render_rewrites"},
    "prompts/hedge_sourcing.j2": {"render_hedges"},
    "prompts/lexicon_sentence.j2": {"render_lexicon"},
    "prompts/rewrite.j2": {"render_rewrites", "render_corrections"},
    "prompts/correction.j2": {"render_corrections"},
}


@pytest.mark.parametrize("file", OPENED)
def test_a_file_is_of_exactly_the_steps_that_open_it(file):
    assert {stub.stem for stub in STUBS if file in reached(stub.stem)} == OPENED[file]


def test_a_file_counts_where_the_function_that_opens_it_is_reached(script):
    assert "prompts/rewrite.j2" in script("from ralc.rewriting import paper", "paper.rewrite_request('a')")
    assert "prompts/rewrite.j2" not in script("from ralc.rewriting import paper", "paper.hedge_lines([])")
    assert "prompts/rewrite.j2" in script("from ralc.rewriting import paper", "write = getattr(paper, name)")
    assert "prompts/rewrite.j2" in script(
        "from ralc.rewriting.paper import rewrite_request", "[rewrite_request]"
    )


@pytest.mark.parametrize("stub", [stub.stem for stub in STUBS if stub.stem != "complete"])
def test_no_step_depends_on_engines_journals_or_downloads(stub):
    asks = {"llm/completing.py", "llm/journal.py", "llm/engines/__init__.py", "people/download.py"}
    assert not reached(stub) & asks


def test_an_edit_of_the_downloads_makes_the_questions_again_and_no_grade():
    downloads = {"downloads.py", "datasets/fetching.py"}
    assert {stub.stem for stub in STUBS if downloads & reached(stub.stem)} == {"make_questions"}


def test_who_lists_hedges_does_not_depend_on_how_they_are_read():
    said_of_phrases = {
        "readers/__init__.py",
        "readers/humancues.py",
    }  # by people: whether an entry can be used
    files = set(reached("list_hedges")) - said_of_phrases
    assert not any(file.startswith(("readers/", "llm/", "beta/")) for file in files)


def test_of_a_lazy_package_the_names_that_are_used_count(script):
    assert "lexicon/estimation.py" not in script("from ralc import lexicon", "lexicon.load_hedges()")
    assert "lexicon/estimation.py" in script("from ralc import lexicon", "getattr(lexicon, name)()")
    assert "beta/wasserstein.py" in script("from ralc import Beta")
    assert "lexicon/expressions.py" in script("import ralc", "ralc.lexicon.load_hedges()")


def test_of_a_package_that_is_handed_on_what_is_not_taken_does_not_count():
    read = next(stub for stub in STUBS if stub.stem == "read_texts")
    others = names(read, "ralc.readers.ProbeReader")
    assert names(read) - others == {"readers/probe.py", "data/reader_probe.json"}


def test_imports_inside_functions_count(script):
    assert "signals/likelihood.py" in script("def f():", "    import ralc.signals")


def test_files_are_named_where_they_are_opened(script):
    opens = ("from ralc import data as d", "NAME = 'judge'")
    assert "data/cues.csv" in script(*opens, "d.path('cues.csv')")
    figures = {name for name in script(*opens, "d.path(f'reader_{NAME}.json')") if name.endswith(".json")}
    assert figures == {"data/reader_judge.json"}
    assert {"data/reader_cues.json", "data/reader_judge.json"} < script(*opens, "d.path(f'reader_{x}.json')")
    assert "data/hedges.csv" in script(*opens, "d.path(anything())")


def test_a_relative_import_is_refused(script):
    with pytest.raises(ValueError, match=r"line 1: write `from ralc\.\.\.`"):
        script("from . import io")


def test_every_data_file_and_prompt_is_used_by_some_step():
    used = set().union(*(reached(stub.stem) for stub in STUBS))
    carried = {
        file.relative_to(PACKAGE).as_posix()
        for folder in ("data", "prompts", "report/templates")
        for file in (PACKAGE / folder).iterdir()
        if file.is_file()
    }
    assert carried - used == {"report/templates/rate.html.j2"}  # what `ralc rate` shows, which is no step


def test_every_rule_but_complete_depends_on_what_its_own_stub_reaches():
    rules = "".join(file.read_text() for file in sorted(STUBS[0].parents[1].glob("rules/*.smk")))
    for block in re.split(r"^(?: {4})?rule\b", rules, flags=re.M)[1:]:
        stub = re.search(r'"\.\./scripts/(\w+)\.py"', block)[1]
        assert re.findall(r'\bcode\w*\(\s*"(\w+)"', block) == ([stub] if stub != "complete" else [])
