"""Entry point of ``python -m ralc.people``."""

from ralc.people.committed import main

main()
