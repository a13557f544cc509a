"""Beta distributions over confidence: the distribution, its fits, and distances between two."""

from ralc.beta.distribution import Beta, require_beta

__all__ = ["Beta", "require_beta"]
