"""Imported by every Python that has this folder on its path: engines that need a GPU or a server are `fake_engine`."""

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

FAKE = Path(__file__).with_name("fake_engine.py")
REPLACED = tuple(f"ralc.llm.engines.{name}" for name in ("vllm", "entailment", "openai"))


class Finder:
    """Finds the fake engine where one of those that it replaces is looked for."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The fake engine's module, by the name of the real one."""
        return importlib.util.spec_from_file_location(name, FAKE) if name in REPLACED else None


sys.meta_path.insert(0, Finder)
