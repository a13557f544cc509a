"""Model calls: requests, the journal of what was answered, and the engines that answer."""

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
