"""Entry point of ``python -m studies``."""

from studies.packaged import main

main()
