"""tf.keras.utils.get_file: files that are fetched once and kept."""
from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile

from evergraph.base import files
from evergraph.base.export import export

_FORMATS = {"tar": ["tar"], "zip": ["zip"], "auto": ["tar", "zip"], None: []}


@export("keras.utils.get_file")
def get_file(fname: str, origin: str, untar: bool = False, md5_hash: str | None = None, file_hash: str | None = None,
             cache_subdir: str = "datasets", hash_algorithm: str = "auto", extract: bool = False,
             archive_format: str | list[str] | None = "auto", cache_dir: str | None = None) -> str:
    """The path of a file in the cache, which is fetched if it is not there, or has another hash than it should.

    Args:
        fname: its name in the cache. An absolute path is taken as it is.
        origin: where to get it: a URL (http, https, ftp, file), a local path, or a path that tf.gfile knows.
        untar: whether it is `fname`.tar.gz, which is extracted; gives the path of what it holds.
        md5_hash: the older form of `file_hash`.
        file_hash: the hash that the file must have.
        cache_subdir: the folder below the cache. An absolute path is taken as it is.
        hash_algorithm: "md5", "sha256", or "auto", which knows by the length of the hash.
        extract: whether to extract the archive into the same folder.
        archive_format: "tar", "zip", "auto" for either, a list of them, or None for none.
        cache_dir: the cache; by default `.keras` in the user's home, or in the folder of temporary files if that cannot
            be written.

    Raises:
        Exception: it cannot be fetched.
        ValueError: what was fetched has another hash.
    """
    folder = os.path.join(_cache(cache_dir), cache_subdir)
    os.makedirs(folder, exist_ok=True)
    wanted = file_hash or md5_hash
    kept = os.path.join(folder, fname)
    path = f"{kept}.tar.gz" if untar else kept
    if not os.path.exists(path) or wanted and not _has_hash(path, wanted, hash_algorithm):
        _fetch(origin, path)
        if wanted and not _has_hash(path, wanted, hash_algorithm):
            os.remove(path)
            raise ValueError(f"{origin} has another hash than {wanted}, so that it is not kept")
    if untar:
        if not os.path.exists(kept):
            _extract(path, folder, ["tar"])
        return kept
    if extract:
        _extract(path, folder, archive_format)
    return path


def _cache(given: str | None) -> str:
    folder = given or os.path.join(os.path.expanduser("~"), ".keras")
    parent = folder if os.path.exists(folder) else os.path.dirname(folder)
    return folder if given or os.access(parent, os.W_OK) else os.path.join(tempfile.gettempdir(), ".keras")


def _has_hash(path: str, wanted: str, algorithm: str) -> bool:
    name = "sha256" if algorithm == "sha256" or algorithm == "auto" and len(wanted) == 64 else "md5"
    with open(path, "rb") as file:
        return hashlib.file_digest(file, name).hexdigest() == wanted


def _fetch(origin: str, path: str) -> None:
    """Copies what is at `origin`; until it is complete, the file has another name."""
    partial = f"{path}.partial{os.getpid()}"
    try:
        with open(partial, "wb") as target:
            if urllib.parse.urlsplit(origin).scheme in ("http", "https", "ftp", "file"):
                with urllib.request.urlopen(origin) as source:
                    shutil.copyfileobj(source, target)
            else:
                with files.GFile(origin, "rb") as source:
                    shutil.copyfileobj(source, target)
        os.replace(partial, path)
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise Exception(f"URL fetch failure on {origin}: {reason}. Without a connection, put the file at "
                        f"{path}") from error
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def _extract(path: str, folder: str, formats: str | list[str] | None) -> None:
    """Extracts an archive of one of the formats. Names in it cannot lead out of the folder."""
    chosen = formats if isinstance(formats, list) else _FORMATS[formats]
    if "tar" in chosen and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
    elif "zip" in chosen and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
