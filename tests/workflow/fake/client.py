"""In place of python: has a script run by `forked.py`, whose socket lies beside it, and ends as it did."""

import os
import socket
import sys
from pathlib import Path

with socket.socket(socket.AF_UNIX) as server:
    server.connect(str(Path(sys.argv[0]).with_name("socket")))
    server.sendall("".join(f"{line}\n" for line in (os.getcwd(), sys.argv[1])).encode())
    reply = server.makefile().read()
print(reply[1:], end="", file=sys.stderr)
sys.exit(reply[:1] != "0")
