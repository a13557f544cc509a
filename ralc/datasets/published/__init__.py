"""Published datasets, a module each, by its name in the configuration.

A module has ``TITLE``, ``SIZE`` (its number of questions, and their format), ``LICENCE`` and ``SOURCES``, the official
files. These are fetched once into the user's cache where no ``path`` is given. ``FOLDER`` is an archive's part with the
questions, and ``load(path, dataset)`` returns the questions table. Nothing was fetched while this was written: its
addresses and checksums are those that others publish.
"""
