"""The command line ``ralc``: one module a command, registered in :mod:`ralc.cli.app`.

A command's module is imported at every start, so it imports what is heavy (numpy, pandas, the package's own
science) inside its function.
"""
