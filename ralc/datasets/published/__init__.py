"""Published datasets, a module each, by its name in the configuration.

A module has ``SOURCES``, the official files, which are fetched once into the user's cache where no ``path`` is given.
It has ``LICENCE``, ``FOLDER`` (an archive's part with the questions) and ``load(path, dataset)``, which returns the
questions table. Nothing was fetched while this was written: addresses and checksums are those that others publish.
"""
