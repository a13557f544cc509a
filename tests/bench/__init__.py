"""Speed and accuracy of the package, measured on this machine: ``python -m tests.bench [name ...]``."""
