"""Count what the models were asked."""

from ralc import io
from ralc.report import record

io.log_to(snakemake.log[0])
responses = (io.read_table(path, "responses", record.COUNTED) for path in snakemake.input.responses)
counted = record.count_calls(snakemake.params.asked, snakemake.params.prices, responses)
io.write_table(counted, snakemake.output[0], "calls")
