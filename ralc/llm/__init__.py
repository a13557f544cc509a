"""Model calls: requests, the record of what was answered (journal or memory), and the engines that answer.

Submodules load on first use: what renders and parses requests does not depend on what sends them.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "completing": ["complete", "complete_file", "complete_table"],
        "models": ["ModelConfig"],
        "record": ["Memory"],
        "requests": ["Request", "Response", "request_for"],
        "tables": ["from_table", "to_table"],
    },
)
