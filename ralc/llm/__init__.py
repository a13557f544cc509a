"""Model calls: requests, the journal of what was answered, and the engines that answer."""

from ralc.llm.complete import complete, complete_file, complete_table
from ralc.llm.models import ModelConfig
from ralc.llm.requests import Request, Response, request_for
from ralc.llm.tables import from_table, to_table

__all__ = [
    "ModelConfig",
    "Request",
    "Response",
    "complete",
    "complete_file",
    "complete_table",
    "from_table",
    "request_for",
    "to_table",
]
