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
from ralc import Beta, config, lexicon, metrics, prompts, readers
from ralc.report import pages, tables

assert Path(ralc.__file__).is_relative_to(sys.prefix), ralc.__file__
assert float(metrics.faithfulness_divergence(1, Beta(20, 1))) > 0
assert readers.load("cues").read(["It is certainly Oslo."]).mean[0] > 0.9
assert len(lexicon.load_hedges()) > 100
assert pages.page
print("works")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the checkout, so that nothing is built inside it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for part in BUILT_FROM:
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, source / part)
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


def test_the_wheel_works_in_an_environment_of_its_own(wheel: Path, tmp_path: Path) -> None:
    """What the package depends on comes from the environment of the tests, the package from the wheel alone."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv/bin/python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*install, str(wheel)], check=True)
    environment = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib")}
    done = subprocess.run(
        [str(python), "-c", PROGRAM], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.stdout == "works\n", done.stderr
