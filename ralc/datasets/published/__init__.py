"""Published datasets, a module each, by its name in the configuration.

A module has ``SOURCES``, the official files, fetched once into the user's cache where no ``path`` is given;
``LICENCE``; ``FOLDER``, the part of an archive that has the questions; and ``load(path, dataset)``, which returns the
questions table. Nothing was fetched while this was written: addresses and checksums are those that others publish.
"""
