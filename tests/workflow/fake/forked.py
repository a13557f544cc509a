"""A Python that has loaded what jobs load and forks for each: a job takes its work, and not its imports.

`forked.py SOCKET` serves at a socket: a line with a folder and one with a script, then how the script ended.
"""

import importlib
import os
import pkgutil
import re
import runpy
import socketserver
import sys
import traceback

import ralc


class Job(socketserver.StreamRequestHandler):
    """A script in a process of its own."""

    def handle(self) -> None:
        """Run it where the caller stands; what it raised goes back."""
        folder, script = (self.rfile.readline().decode().rstrip("\n") for _ in range(2))
        os.chdir(folder)
        try:
            runpy.run_path(script, run_name="__main__")
            self.wfile.write(b"0")
        except BaseException:
            self.wfile.write(f"1{traceback.format_exc()}".encode())


class Server(socketserver.ForkingMixIn, socketserver.UnixStreamServer):
    """Forks a job."""

    max_children = 1000


if __name__ == "__main__":
    importlib.import_module("snakemake.script")
    for module in pkgutil.walk_packages(ralc.__path__, "ralc."):
        if not re.search(r"\.(cli|engines|integrations|serve)\b", module.name):
            importlib.import_module(module.name)
    ralc.english.sentences("Perhaps it is Lima.")
    Server(sys.argv[1], Job).serve_forever()
