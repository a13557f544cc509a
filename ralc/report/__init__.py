"""The report: tables, figures and pages, all of them views of the results."""
