"""Files and the console: a run's own tables, users' tables, downloads, progress."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submodules=["files", "rows"],
    submod_attrs={
        "console": ["QUIET", "log_to", "say"],
        "files": ["REMEDY", "read_json", "whole_file", "write_json", "write_text"],
        "tables": [
            *("read_benchmarks", "read_per_target", "read_requests", "read_results"),
            *("read_table", "read_tables", "write_csv", "write_table"),
        ],
    },
)
