"""A command of `ralc`, as it is typed."""

import pytest

from ralc.cli.app import main


def exit_code(command: str, *arguments: object) -> int:
    """The exit code of a command, and of arguments that may hold spaces."""
    with pytest.raises(SystemExit) as stopped:
        main([*command.split(), *map(str, arguments)])
    return int(stopped.value.code or 0)


def run(capsys: pytest.CaptureFixture[str], command: str, *arguments: object) -> tuple[int, str, str]:
    """Its exit code, standard output and standard error."""
    return exit_code(command, *arguments), *capsys.readouterr()
