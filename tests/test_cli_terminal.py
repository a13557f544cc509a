"""What the command line shows on a terminal cannot steer it, and what goes to a file is as it was."""

import os
import pty
import subprocess
import sys

COMMAND = [sys.executable, "-c", "from ralc.cli.app import main; main()"]
STEERING = "Perhaps \x1b]0;owned\x07\x1b[2J\x9b31m\r\u202eParis."


def shown(*words: str) -> str:
    """What a terminal gets of a command."""
    ours, theirs = pty.openpty()
    done = subprocess.Popen([*COMMAND, *words], stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL)
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 10_000)
        except OSError:
            break
        if not part:
            break
        said += part
    done.wait()
    os.close(ours)
    return said.decode()


def test_no_control_character_reaches_a_terminal(tmp_path):
    table = tmp_path / "a.csv"
    table.write_text(f'text,"{STEERING}"\n"{STEERING}",1\nx\n')
    for words in (
        ["read", STEERING],
        ["read", str(table)],
        ["read", f"{STEERING}.csv"],
        ["card", str(table)],
    ):
        said = shown(*words)
        assert said
        # The bar of what takes long goes back to its line's beginning; nothing else does.
        assert all(one.isprintable() or one in "\r\n\t" for one in said), repr(said)


def test_a_pipe_gets_what_there_is():
    done = subprocess.run([*COMMAND, "read", STEERING, "--json"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "\u202e" in done.stdout
