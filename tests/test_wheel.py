"""The built wheel, installed outside the checkout: the package needs nothing that only the checkout has."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BUILT_FROM = ("ralc", "pyproject.toml", "README.md", "LICENSE")
PROGRAM = """
from pathlib import Path
import sys
import ralc
from ralc import Beta, config, lexicon, metrics, prompts, evaluators
from ralc.report import pages, tables

assert Path(ralc.__file__).is_relative_to(sys.prefix), ralc.__file__
assert float(metrics.faithfulness_divergence(1, Beta(20, 1))) > 0
assert evaluators.load("cue_model").read(["It is certainly Oslo."]).mean[0] > 0.9
assert len(lexicon.load_hedges()) > 100
assert pages.page
print("works")
"""


pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout in a folder of its name, so that nothing is built inside it."""
    source = tmp_path_factory.mktemp("source") / "ralc"
    source.mkdir()
    for part in BUILT_FROM:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, source / part)
    return source


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    out = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(out), str(source)], check=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_data_prompts_templates_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    packaged = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "ralc").rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert "ralc/py.typed" in names
    assert packaged <= names


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The interpreter of an environment of its own, in which there is nothing."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    return tmp_path / "venv/bin/python"


def said(python: Path, program: str, folder: Path, *package: str) -> str:
    """What a program in a folder says once the package is there; what that depends on is the tests' own."""
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    environment = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib")}
    subprocess.run(
        [*install, "--no-build-isolation", "--ignore-installed", *package], check=True, env=environment
    )
    # An editable install of the tests' own environment is found through a hook, which is left behind here.
    found = Path(sysconfig.get_path("purelib", vars={"base": str(python.parents[1])}))
    (found / "tests_own.pth").write_text(sysconfig.get_path("purelib"))
    environment.pop("PYTHONPATH")
    command = [str(python), "-c", program]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout


def test_the_wheel_works_in_an_environment_of_its_own(wheel: Path, python: Path, tmp_path: Path) -> None:
    assert said(python, PROGRAM, tmp_path, str(wheel)) == "works\n"


def test_the_commands_of_the_wheel_fit_and_rewrite_someones_scores(
    wheel: Path, python: Path, tmp_path: Path
) -> None:
    graded = "answer,confidence,correct\n" + "It is Lima.,0.9,1\nIt is Oslo.,0.2,0\nIt is Bonn.,0.6,1\n" * 40
    (tmp_path / "scores.csv").write_text(graded)
    said(python, "", tmp_path, str(wheel))

    def ralc(*words: str) -> str:
        command = [str(python.parent / "ralc"), *words]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    assert ralc("read", "I think it might be Paris.").startswith("mean 0.4")
    ralc("fit", "scores.csv", "--out", "cal.json")
    assert "120 answers, 67% right" in ralc("card", "cal.json")
    ralc("rewrite", "scores.csv", "--calibrator", "cal.json", "--out", "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 121


def test_a_folder_of_the_packages_name_does_not_hide_an_editable_install(source: Path, python: Path) -> None:
    assert (
        said(python, "from ralc import Beta; print(Beta(1, 1).mean)", source.parent, "-e", str(source))
        == "0.5\n"
    )
