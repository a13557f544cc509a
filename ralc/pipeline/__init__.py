"""The pipeline's joins: which row meets which, one module a step.

The science works on arrays and lives in the modules of the paper's words (`ralc.signals`,
`ralc.calibration`, `ralc.lexicon`, ...). Here their inputs are gathered from tables, and their
results become tables again (see `ralc.schemas`).
"""
