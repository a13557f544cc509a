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
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the checkout."""
    source = tmp_path_factory.mktemp("source") / "ralc"
    out = tmp_path_factory.mktemp("wheel")
    source.mkdir()
    for part in ("ralc", "pyproject.toml", "README.md", "LICENSE"):
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, source / part)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "--wheel-dir", str(out), str(source)], check=True)
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_carries_data_prompts_templates_and_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = (
        file for file in (ROOT / "ralc").rglob("*") if file.is_file() and "__pycache__" not in file.parts
    )
    assert {"ralc/py.typed", *(str(file.relative_to(ROOT)) for file in files)} <= names


def test_its_commands_fit_and_rewrite_in_an_environment_of_their_own(wheel: Path, tmp_path: Path) -> None:
    """There is nothing else in it; what the package depends on is the tests' own."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv/bin/python"
    own = sysconfig.get_path("purelib")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run(
        [*install, "--ignore-installed", str(wheel)], check=True, env=os.environ | {"PYTHONPATH": own}
    )
    # An editable install of the tests' own environment is found through a hook, which is left behind here.
    found = Path(sysconfig.get_path("purelib", vars={"base": str(tmp_path / "venv")}))
    (found / "tests_own.pth").write_text(own)
    graded = "answer,confidence,correct\n" + "It is Lima.,0.9,1\nIt is Oslo.,0.2,0\nIt is Bonn.,0.6,1\n" * 40
    (tmp_path / "scores.csv").write_text(graded)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def said(*command: str) -> str:
        words = [str(python.parent / command[0]), *command[1:]]
        done = subprocess.run(
            words, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    assert said("python", "-c", "import ralc; print(ralc.__file__)").startswith(str(tmp_path))
    assert said("ralc", "read", "I think it might be Paris.").startswith("mean 0.4")
    said("ralc", "fit", "scores.csv", "--out", "cal.json")
    assert "120 answers, 67% right" in said("ralc", "card", "cal.json")
    said("ralc", "rewrite", "scores.csv", "--calibrator", "cal.json", "--out", "out.csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 121
