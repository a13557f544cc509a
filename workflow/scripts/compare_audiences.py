"""Compare audiences phrase by phrase."""

from ralc import io
from ralc.people.respondents import audience_differences

io.log_to(snakemake.log[0])
io.write_table(audience_differences(), snakemake.output[0], "audiences")
