"""Attack for as many seconds as the first word says, and print the table."""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.attacker.siege import besieged

with tempfile.TemporaryDirectory() as folder:
    siege = asyncio.run(besieged(Path(folder), float(sys.argv[1])))
print(siege.table())
sys.exit(bool(siege.faults()))
