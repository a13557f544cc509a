"""Zip archives of JSON, whose members may be compressed by Zstandard, as inspect_ai writes them."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ralc.io.text import decode

#: Zstandard's number in a zip archive, which Python knows from 3.14 on.
_ZSTANDARD = 93
#: Bytes of the header in front of a member, where it says how long its name and its extra field are.
_HEADER, _LENGTHS = 30, slice(26, 30)
#: Longest member that is unpacked, in bytes.
_LONGEST = 200_000_000


def members(path: str | Path, folder: str) -> Iterator[tuple[str, str]]:
    """The names and texts of the members of an archive in a folder of it.

    Raises
    ------
    ValueError
        If it is no archive, or a member of it is damaged or too long.
    """
    with open(path, "rb") as file:
        try:
            with zipfile.ZipFile(file) as archive:
                for info in archive.infolist():
                    if info.filename.startswith(folder):
                        where = f"{path}, {info.filename}"
                        yield info.filename, decode(_unpacked(archive, info, file, where), where)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error) as error:
            raise ValueError(f"{path}: is damaged or no archive ({error!s:.200})") from None


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: BinaryIO, where: str) -> bytes:
    """The bytes of a member."""
    if info.file_size > _LONGEST:
        raise ValueError(f"{where}: unpacks to more than {_LONGEST} bytes")
    if info.compress_type != _ZSTANDARD:
        return archive.read(info)
    import pyarrow

    file.seek(info.header_offset)
    file.seek(sum(struct.unpack("<HH", file.read(_HEADER)[_LENGTHS])), io.SEEK_CUR)
    packed = pyarrow.BufferReader(file.read(info.compress_size))
    with pyarrow.CompressedInputStream(packed, "zstd") as stream:
        return stream.read(info.file_size)
