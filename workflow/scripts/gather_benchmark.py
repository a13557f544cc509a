"""List the texts of the human studies."""

from pathlib import Path

import pandas as pd

from ralc import benchmark, io

io.log_to(snakemake.log[0])
texts = benchmark.benchmark_texts(Path(snakemake.input.data))
io.write_frame(pd.DataFrame({"text": texts}), snakemake.output[0])
