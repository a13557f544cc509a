"""Count what the models were asked."""

from ralc import io
from ralc.pipeline import run_costs

io.log_to(snakemake.log[0])
responses = (io.read_table(path, "responses", run_costs.COUNTED) for path in snakemake.input.responses)
counted = run_costs.count_calls(snakemake.params.asked, snakemake.params.prices, responses)
io.write_table(counted, snakemake.output[0], "calls")
