"""The configuration, typed: what may stand in ``config.yaml``, checked before any job starts.

Every error is one line that names the key, the value and what is allowed.
"""

from ralc.config.parsing import parse_config
from ralc.config.roles import EvaluatorEntry
from ralc.config.run import Run
from ralc.config.settings import Config
from ralc.config.types import ConfigError

__all__ = ["Config", "ConfigError", "EvaluatorEntry", "Run", "parse_config"]
