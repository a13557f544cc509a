"""The command ``ralc`` itself: its help, its version, and what it says where an extra is missing."""

import sys

import pytest

import ralc
from tests.test_cli_read import run


def test_version_and_help(capsys):
    assert run(capsys, "--version") == (0, f"ralc {ralc.__version__}\n", "")
    told = run(capsys, "--help")[1]
    assert "Make a language model's words match its certainty." in told
    assert 'ralc read "I think it might be Paris."\n' in told


@pytest.mark.parametrize(
    ("command", "module", "package", "extra"),
    [
        (["plan"], "ralc.configfiles", "yaml", "workflow"),
        (["serve", "--calibrator", "x", "--upstream", "x"], "ralc.serve.application", "uvicorn", "serve"),
    ],
)
def test_a_missing_extra_is_named(capsys, monkeypatch, command, module, package, extra):
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    code, out, err = run(capsys, *command)
    assert (code, out) == (1, "")
    assert err == f"ralc: {package} is not installed: pip install 'pyralc[{extra}]'\n"
