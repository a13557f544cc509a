"""Entry point of ``python -m ralc.people``."""

from ralc.people.packaged import main

main()
