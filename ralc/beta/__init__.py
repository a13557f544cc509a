"""Beta distributions over confidence: the distribution, its fits, and distances between two."""

from ralc.beta.distribution import Beta

__all__ = ["Beta"]
