"""Entry point of ``python -m ralc.benchmark``."""

from ralc.benchmark.committed import main

main()
