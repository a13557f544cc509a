"""Recorded samples: answers that somebody else sampled, from a file, as a target like any other.

`read` reads such a file; `ralc.sampling` makes requests of its rows, which the engine ``recorded`` answers from the
file; so everything after the sampling is the same as for a model that is asked. `ralc.importing` makes such files of
what others saved.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={"file": ["Recorded", "Row", "read", "read_first"]},
)
