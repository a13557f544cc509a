"""Paths in the configuration: from the working directory, or from the file that names them."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo


def _placed(path: str, info: ValidationInfo) -> str:
    """Return the path of the first folder in which it exists; as it is where it exists nowhere."""
    folders = (info.context or {}).get("folders", ())
    found = (Path(folder) / path for folder in ("", *folders) if (Path(folder) / path).exists())
    return os.path.relpath(next(found, path)) if path else path


#: A file or folder; folders to look in after the working directory are `folders` of the validation's context.
Place = Annotated[str, AfterValidator(_placed)]
