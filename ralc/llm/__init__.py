"""Model calls: requests, the journal of what was answered, and the engines that answer.

Submodules load on first use: what renders and parses requests does not depend on what sends them.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "completing": ["complete", "complete_file"],
        "engines": ["ModelConfig", "request_for"],
        "journal": ["Journal"],
        "requests": ["Request", "Response"],
        "tables": ["from_table", "to_table"],
    },
)
