"""The configuration, typed: what may stand in ``config.yaml``, checked before any job starts.

Every error is one line that names the key, the value and what is allowed.
"""

from ralc.config.parsing import check_partitions, main, merged, parse_config, read_config
from ralc.config.sections import EvaluatorEntry, Run
from ralc.config.settings import Config, ConfigError

__all__ = ["Config", "ConfigError", "EvaluatorEntry", "Run"]
__all__ += ["check_partitions", "main", "merged", "parse_config", "read_config"]
