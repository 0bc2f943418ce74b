"""Local and remote files and directories: tf.io.gfile, and its older spelling tf.gfile.

A plain path, or one that starts with file://, is the operating system's. A path with another scheme (gs://, s3://,
hdfs://, memory://, ...) goes to fsspec, which is imported at the first such path. Errors are TensorFlow's:
NotFoundError, AlreadyExistsError, PermissionDeniedError, FailedPreconditionError, ...
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Protocol

from evergraph.base import errors
from evergraph.base.export import export
from evergraph.base.text import as_bytes, as_text, path_to_str

_BUFFER = 1 << 16
_COPIED_AT_ONCE = 1 << 22
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9.+-]*)://")


class FileStatistics(NamedTuple):
    """The result of `stat`: length in bytes, time of the last modification, and whether the path is a directory."""

    length: int
    mtime_nsec: int
    is_directory: bool


Walked = tuple[str, list[str], list[str]]  # a directory, its subdirectories' names, its files' names


# ---- errors

_CODE_OF_CLASS: dict[type[OSError], int] = {  # fsspec raises these without an errno
    FileNotFoundError: errors.NOT_FOUND,
    FileExistsError: errors.ALREADY_EXISTS,
    PermissionError: errors.PERMISSION_DENIED,
    IsADirectoryError: errors.FAILED_PRECONDITION,
    NotADirectoryError: errors.FAILED_PRECONDITION,
    TimeoutError: errors.DEADLINE_EXCEEDED,
}
_CODE_OF_ERRNO = {
    number: code
    for code, numbers in {
        errors.NOT_FOUND: (errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ESRCH),
        errors.ALREADY_EXISTS: (errno.EEXIST,),
        errors.PERMISSION_DENIED: (errno.EPERM, errno.EACCES, errno.EROFS),
        errors.FAILED_PRECONDITION: (
            errno.ENOTEMPTY, errno.EISDIR, errno.ENOTDIR, errno.EBADF, errno.EBUSY, errno.EPIPE, errno.ETXTBSY),
        errors.INVALID_ARGUMENT: (errno.EINVAL, errno.ENAMETOOLONG, errno.ELOOP, errno.EFAULT),
        errors.RESOURCE_EXHAUSTED: (errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EDQUOT),
        errors.OUT_OF_RANGE: (errno.EFBIG, errno.EOVERFLOW),
        errors.UNIMPLEMENTED: (errno.ENOSYS, errno.ENOTSUP, errno.EXDEV),
        errors.UNAVAILABLE: (errno.ECONNREFUSED, errno.ECONNRESET, errno.EAGAIN, errno.EINTR, errno.ESTALE),
    }.items()
    for number in numbers
}  # fmt: skip


def as_op_error(error: OSError, path: str) -> errors.OpError:
    """Converts an OSError to TensorFlow's exception."""
    code = _CODE_OF_ERRNO.get(error.errno or 0)
    if code is None:
        code = next((known for kind, known in _CODE_OF_CLASS.items() if isinstance(error, kind)), errors.UNKNOWN)
    reason = error.strerror or str(error) or type(error).__name__
    return errors.make_error(code, f"{path}; {reason}")


@contextlib.contextmanager
def told_as_op_errors(path: str) -> Iterator[None]:
    """Context manager that converts OSErrors to TensorFlow's exceptions."""
    try:
        yield
    except OSError as error:
        raise as_op_error(error, path) from None


# ---- the two kinds of file system

class FileSystem(Protocol):
    """The operations that a file system must provide. They raise OSErrors."""

    def open(self, path: str, mode: str) -> BinaryIO: ...
    def exists(self, path: str) -> bool: ...
    def stat(self, path: str) -> FileStatistics: ...
    def names(self, path: str) -> list[str]: ...
    def mkdir(self, path: str) -> None: ...
    def makedirs(self, path: str) -> None: ...
    def remove(self, path: str) -> None: ...
    def remove_tree(self, path: str) -> None: ...
    def replace(self, source: str, target: str) -> None: ...
    def copy(self, source: str, target: str) -> None: ...


class _Local:
    """The operating system's file system."""

    def open(self, path: str, mode: str) -> BinaryIO:
        return open(path, mode, buffering=_BUFFER)  # type: ignore[return-value]

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def stat(self, path: str) -> FileStatistics:
        found = os.stat(path)
        return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(path))

    def names(self, path: str) -> list[str]:
        return os.listdir(path)

    def mkdir(self, path: str) -> None:
        os.mkdir(path, 0o755)

    def makedirs(self, path: str) -> None:
        os.makedirs(path, 0o755, exist_ok=True)

    def remove(self, path: str) -> None:
        os.remove(path)

    def remove_tree(self, path: str) -> None:
        if os.path.islink(path) or not os.path.isdir(path):
            os.remove(path)
        else:
            shutil.rmtree(path)

    def replace(self, source: str, target: str) -> None:
        os.replace(source, target)

    def copy(self, source: str, target: str) -> None:
        if os.path.exists(target) and not os.path.isfile(target):  # a device, say
            shutil.copyfile(source, target)
            return
        scratch = f"{os.path.realpath(target)}.tmp{uuid.uuid4().hex}"
        try:
            shutil.copyfile(source, scratch)
            shutil.copymode(source, scratch)
            os.replace(scratch, os.path.realpath(target))
        finally:
            if os.path.exists(scratch):
                os.remove(scratch)


@dataclass(frozen=True)
class _Remote:
    """A file system of fsspec."""

    system: Any

    def open(self, path: str, mode: str) -> BinaryIO:
        return self.system.open(path, mode)

    def exists(self, path: str) -> bool:
        return self.system.exists(path)

    def stat(self, path: str) -> FileStatistics:
        self.system.invalidate_cache()
        info = self.system.info(path)
        return FileStatistics(int(info.get("size") or 0), _changed_at(info), info["type"] == "directory")

    def names(self, path: str) -> list[str]:
        self.system.invalidate_cache()
        found = [info["name"].rstrip("/").rpartition("/")[2] for info in self.system.ls(path, detail=True)]
        return [name for name in found if name]

    def mkdir(self, path: str) -> None:
        self.system.mkdir(path, create_parents=False)

    def makedirs(self, path: str) -> None:
        self.system.makedirs(path, exist_ok=True)

    def remove(self, path: str) -> None:
        if self.system.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        self.system.rm_file(path)

    def remove_tree(self, path: str) -> None:
        self.system.rm(path, recursive=True)

    def replace(self, source: str, target: str) -> None:
        self.system.mv(source, target, recursive=self.system.isdir(source))

    def copy(self, source: str, target: str) -> None:
        self.system.copy(source, target)


def _changed_at(info: dict[str, Any]) -> int:
    """Modification time in nanoseconds since 1970, from any of the keys that fsspec's systems use; 0 if unknown."""
    for key in ("mtime", "LastModified", "last_modified", "updated", "created"):
        value: Any = info.get(key)
        if isinstance(value, (int, float)):
            return int(value * 1e9)
        if hasattr(value, "timestamp"):
            return int(value.timestamp() * 1e9)
    return 0


_LOCAL = _Local()


def located(path: Any) -> tuple[FileSystem, str]:
    """The file system of a path, and the path in that file system's form.

    Raises:
        TypeError: the value is not a path.
        UnimplementedError: no file system handles the path's scheme.
    """
    text = as_text(path_to_str(path))
    match = _SCHEME.match(text)
    if match is None:
        return _LOCAL, text
    scheme, inner = match[1].lower(), text[match.end():]
    if scheme == "file":
        return _LOCAL, inner
    if scheme == "ram":  # TensorFlow's name for files in memory
        text = f"memory://{inner}"
    return _remote(scheme, text), text


def local_path(path: Any) -> str | None:
    """The path in the operating system's form; None if the path belongs to another file system."""
    system, inner = located(path)
    return inner if system == _LOCAL else None


def is_local(path: Any) -> bool:
    """Whether the path belongs to the operating system's file system."""
    return located(path)[0] == _LOCAL


def configure_protocol(protocol: str, settings: dict[str, Any]) -> None:
    """Gives the file systems of a protocol, which fsspec makes from now on, these arguments."""
    import fsspec.config

    fsspec.config.conf.setdefault(protocol, {}).update(settings)


def _remote(scheme: str, path: str) -> FileSystem:
    from fsspec.core import url_to_fs

    try:
        return _Remote(url_to_fs(path)[0])
    except ValueError:
        reason = "not implemented"
    except ImportError as error:
        reason = f"needs another package: {error}"
    raise errors.UnimplementedError(None, None, f"File system scheme '{scheme}' {reason} (file: '{path}')")


# ---- one file

_MODES = ("r", "w", "a", "r+", "w+", "a+")


@export("gfile.GFile", "gfile.Open", "gfile.FastGFile", "io.gfile.GFile")
class GFile:
    """A file, opened for reading or writing at the first such operation.

    In the modes with a "+", written data can be read after `flush`. Reading and writing have separate positions: the
    first write truncates the file in modes "w+" and "r+", and appends to it in mode "a+".

    >>> with GFile("memory://notes", "w") as file:
    ...     file.write("one\\ntwo\\n")
    >>> [line for line in GFile("memory://notes")]
    ['one\\n', 'two\\n']

    Args:
        name: the path.
        mode: "r", "w", "a", "r+", "w+" or "a+", with a "b" for bytes in place of text (UTF-8).

    Raises:
        InvalidArgumentError: the mode is none of these.
    """

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name, self._mode = name, mode
        kind = mode.replace("b", "")
        if kind not in _MODES:
            raise errors.InvalidArgumentError(None, None, f"mode is not {' or '.join(map(repr, _MODES))}")
        self._is_binary = "b" in mode
        self._may_read = kind == "r" or "+" in kind
        self._may_write = kind != "r"
        self._writer_mode = "ab" if "a" in kind else "wb"
        self._reader: BinaryIO | None = None
        self._writer: BinaryIO | None = None

    @property
    def name(self) -> Any:
        """The path as given."""
        return self._name

    @property
    def mode(self) -> str:
        """The mode as given."""
        return self._mode

    def _opened(self, mode: str) -> BinaryIO:
        system, path = located(self._name)
        with told_as_op_errors(path):
            return system.open(path, mode)

    def _input(self) -> BinaryIO:
        if self._reader is None:
            if not self._may_read:
                raise errors.PermissionDeniedError(None, None, "File isn't open for reading")
            self._reader = self._opened("rb")
        return self._reader

    def _output(self) -> BinaryIO:
        if self._writer is None:
            if not self._may_write:
                raise errors.PermissionDeniedError(None, None, "File isn't open for writing")
            self._writer = self._opened(self._writer_mode)
        return self._writer

    def _given(self, data: bytes) -> Any:
        return data if self._is_binary else data.decode()

    def size(self) -> int:
        """The length of the file in bytes, without unflushed writes."""
        return stat(self._name).length

    def read(self, n: int = -1) -> Any:
        """Reads `n` bytes, fewer at the end of the file; the rest of the file for -1. Returns str in text modes."""
        with told_as_op_errors(str(self._name)):
            return self._given(self._input().read(n))

    def readline(self) -> Any:
        """The next line with its newline; empty at the end of the file."""
        with told_as_op_errors(str(self._name)):
            return self._given(self._input().readline())

    def readlines(self) -> list[Any]:
        """Reads the remaining lines."""
        return list(self)

    def write(self, file_content: Any) -> None:
        """Writes text or bytes, in any mode."""
        data = as_bytes(file_content)
        with told_as_op_errors(str(self._name)):
            self._output().write(data)

    def seek(self, offset: int | None = None, whence: int = 0, position: int | None = None) -> None:
        """Sets the read position.

        Args:
            offset: the position in bytes.
            whence: 0 counts from the start of the file, 1 from the current position, 2 from the end.
            position: an older name of `offset`.

        Raises:
            TypeError: neither or both of offset and position are given.
            InvalidArgumentError: the position is negative, or `whence` is invalid.
            OutOfRangeError: the position is past the end of the file.
        """
        reader = self._input()
        if offset is not None and position is not None:
            raise TypeError("seek takes an offset or a position, got both")
        target = position if offset is None else offset
        if target is None:
            raise TypeError("seek(): offset argument required")
        start = {0: lambda: 0, 1: reader.tell, 2: self.size}.get(whence)
        if start is None:
            raise errors.InvalidArgumentError(
                None, None, f"Invalid whence argument: {whence}. 0 counts from the beginning, 1 from here, 2 from "
                            "the end.")
        target += start()
        if target < 0:
            raise errors.InvalidArgumentError(None, None, f"Seeking to a negative position: {target}")
        if target > reader.tell() and target > self.size():
            raise errors.OutOfRangeError(None, None, "reached end of file")
        reader.seek(target)

    def tell(self) -> int:
        """The read position; the write position in a file that is open for writing only."""
        if self._may_read:
            return self._input().tell()
        return self._output().tell()

    def seekable(self) -> bool:
        """True: files that are open for reading support `seek`."""
        return True

    def flush(self) -> None:
        """Writes buffered data to the file system."""
        if self._writer is not None:
            with told_as_op_errors(str(self._name)):
                self._writer.flush()

    def close(self) -> None:
        """Closes the file. The next operation reopens it."""
        reader, self._reader = self._reader, None
        writer, self._writer = self._writer, None
        with told_as_op_errors(str(self._name)):
            if reader is not None:
                reader.close()
            if writer is not None:
                writer.close()

    def __del__(self) -> None:
        # Programs drop files without closing them, and rely on their writes.
        if getattr(self, "_reader", None) is not None or getattr(self, "_writer", None) is not None:
            self.close()

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __iter__(self) -> GFile:
        return self

    def __next__(self) -> Any:
        """The next line."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    next = __next__


def read_file(path: Any) -> bytes:
    """The content of a file."""
    with GFile(path, "rb") as file:
        return file.read()


def write_file(path: Any, content: str | bytes) -> None:
    """Writes a file with this content, replacing an existing one."""
    with GFile(path, "wb") as file:
        file.write(content)
        file._output()  # an empty file must exist too


def write_file_atomically(path: Any, content: str | bytes, overwrite: bool = True) -> None:
    """As `write_file`, but atomic: writes a temporary file, then renames it."""
    scratch = f"{as_text(path_to_str(path))}.tmp{uuid.uuid4().hex}"
    try:
        write_file(scratch, content)
        rename(scratch, path, overwrite)
    except errors.OpError:
        with contextlib.suppress(errors.OpError):
            remove(scratch)
        raise


# ---- tf.io.gfile: operations on paths

@export("io.gfile.exists")
def exists(path: Any) -> bool:
    """Whether a file or directory exists at this path."""
    system, inner = located(path)
    with told_as_op_errors(inner):
        return bool(inner) and system.exists(inner)


@export("io.gfile.stat")
def stat(path: Any) -> FileStatistics:
    """The length of a file, the time of its last modification, and whether it is a directory.

    Raises:
        NotFoundError: the path does not exist.
    """
    system, inner = located(path)
    with told_as_op_errors(inner):
        return system.stat(inner)


@export("io.gfile.isdir")
def isdir(path: Any) -> bool:
    """Whether the path is a directory."""
    try:
        return stat(path).is_directory
    except (errors.NotFoundError, errors.FailedPreconditionError):  # the latter: its parent is a file
        return False


@export("io.gfile.listdir")
def listdir(path: Any) -> list[str]:
    """The names in a directory, sorted, without "." and "..".

    Raises:
        NotFoundError: the directory does not exist.
    """
    if not isdir(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {as_text(path_to_str(path))}")
    system, inner = located(path)
    with told_as_op_errors(inner):
        return sorted(system.names(inner))


@export("io.gfile.mkdir")
def mkdir(path: Any) -> None:
    """Creates a directory, unless it exists.

    Raises:
        NotFoundError: the parent directory does not exist.
    """
    system, inner = located(path)
    with told_as_op_errors(inner), contextlib.suppress(FileExistsError):
        if inner:
            system.mkdir(inner)


@export("io.gfile.makedirs")
def makedirs(path: Any) -> None:
    """Creates a directory and its missing parents.

    Raises:
        FailedPreconditionError: a component of the path is a file.
    """
    system, inner = located(path)
    with told_as_op_errors(inner):
        try:
            if inner:
                system.makedirs(inner)
        except (FileExistsError, NotADirectoryError):
            raise errors.FailedPreconditionError(None, None, f"{inner} is not a directory") from None


@export("io.gfile.remove")
def remove(path: Any) -> None:
    """Deletes a file.

    Raises:
        NotFoundError: the file does not exist.
        FailedPreconditionError: the path is a directory.
    """
    system, inner = located(path)
    with told_as_op_errors(inner):
        system.remove(inner)


@export("io.gfile.rmtree")
def rmtree(path: Any) -> None:
    """Deletes a directory with its contents, or a file. Symbolic links are not followed.

    Raises:
        NotFoundError: the path does not exist.
    """
    system, inner = located(path)
    with told_as_op_errors(inner):
        system.remove_tree(inner)


@export("io.gfile.rename")
def rename(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Renames a file or directory; atomic within one file system.

    Raises:
        AlreadyExistsError: the destination exists, and `overwrite` is false.
        NotFoundError: the source does not exist.
    """
    _spare(dst, overwrite)
    system, source = located(src)
    other, target = located(dst)
    with told_as_op_errors(source):
        if system == other:
            system.replace(source, target)
        else:
            _copy_bytes(system, source, other, target)
            system.remove(source)


@export("io.gfile.copy")
def copy(src: Any, dst: Any, overwrite: bool = False) -> None:
    """Copies a file, also between file systems.

    Raises:
        AlreadyExistsError: the destination exists, and `overwrite` is false.
        NotFoundError: the source does not exist.
        InvalidArgumentError: the source is a directory.
    """
    _spare(dst, overwrite)
    system, source = located(src)
    other, target = located(dst)
    with told_as_op_errors(source):
        if system.stat(source).is_directory:
            raise errors.InvalidArgumentError(None, None, f"{source}; a directory cannot be copied")
    with told_as_op_errors(target):
        if system == other:
            system.copy(source, target)
        else:
            _copy_bytes(system, source, other, target)


def _spare(path: Any, overwrite: bool) -> None:
    if not overwrite and exists(path):
        raise errors.AlreadyExistsError(None, None, f"file already exists: {as_text(path_to_str(path))}")


def _copy_bytes(system: FileSystem, source: str, other: FileSystem, target: str) -> None:
    with system.open(source, "rb") as reader, other.open(target, "wb") as writer:
        shutil.copyfileobj(reader, writer, _COPIED_AT_ONCE)


@export("io.gfile.walk")
def walk(top: Any, topdown: bool = True, onerror: Callable[[errors.OpError], Any] | None = None) -> Iterator[Walked]:
    """Walks a directory tree: yields (directory, subdirectories' names, files' names) for each directory.

    Args:
        top: the root directory. If it does not exist, nothing is yielded.
        topdown: whether a directory comes before its subdirectories, or after.
        onerror: called with the error if a directory cannot be read; by default the directory is skipped.
    """
    top = as_text(path_to_str(top))
    try:
        names = listdir(top)
    except errors.OpError as error:
        if onerror is not None:
            onerror(error)
        return
    is_directory = {name: isdir(os.path.join(top, name)) for name in names}
    below = [name for name in names if is_directory[name]]
    here = top, below, [name for name in names if not is_directory[name]]
    if topdown:
        yield here
    for name in below:
        yield from walk(os.path.join(top, name), topdown, onerror)
    if not topdown:
        yield here


# ---- patterns

_WILD = re.compile(r"[*?\[\\]")


@export("io.gfile.glob")
def glob(pattern: Any) -> list[str]:
    """The paths of files and directories that match a pattern, sorted.

    In a pattern, `*` matches any characters but a slash, `?` one character, `[a-c]` a character of a set, `[^a-c]` one
    that is not in it; a backslash escapes the next character. Names that start with a dot match too.

    Args:
        pattern: one pattern, or several, whose matches are concatenated.
    """
    if isinstance(pattern, (str, bytes, os.PathLike)):
        return _matches(as_text(path_to_str(pattern)))
    return [path for each in pattern for path in _matches(as_text(path_to_str(each)))]


def _matches(pattern: str) -> list[str]:
    parts = pattern.split("/")
    fixed = next((place for place, part in enumerate(parts) if _WILD.search(part)), None)
    if fixed is None:
        return [pattern] if exists(pattern) else []
    folders = ["".join(f"{part}/" for part in parts[:fixed])]
    for part in parts[fixed:-1]:
        folders = [f"{path}/" for path in _children(folders, part) if isdir(path)]
    return sorted(_children(folders, parts[-1]))


def _children(folders: list[str], part: str) -> Iterator[str]:
    """The entries of these directories that match one component of a pattern."""
    if not _WILD.search(part):
        yield from (folder + part for folder in folders if exists(folder + part))
        return
    matches = re.compile(_translated(part)).fullmatch
    for folder in folders:
        with contextlib.suppress(errors.OpError):  # an unreadable directory matches nothing
            yield from (folder + name for name in listdir(folder or ".") if matches(name))


def _translated(part: str) -> str:
    """Translates a component of a pattern to a regular expression."""
    out, at = [], 0
    while at < len(part):
        char, at = part[at], at + 1
        if char in "*?":
            out.append("[^/]*" if char == "*" else "[^/]")
        elif char == "[" and (end := part.find("]", at + 1 + (part[at:at + 1] in ("^", "!")))) > 0:
            negated = part[at] in "^!"
            body = part[at + negated:end].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
            out.append(f"[{'^' * negated}{body}]")
            at = end + 1
        else:
            if char == "\\" and at < len(part):
                char, at = part[at], at + 1
            out.append(re.escape(char))
    return "".join(out)


# ---- tf.gfile: the same functions under their older names

@export("gfile.Copy")
def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    """See `tf.io.gfile.copy`."""
    copy(oldpath, newpath, overwrite)


@export("gfile.DeleteRecursively")
def DeleteRecursively(dirname: Any) -> None:
    """See `tf.io.gfile.rmtree`."""
    rmtree(dirname)


@export("gfile.Exists")
def Exists(filename: Any) -> bool:
    """See `tf.io.gfile.exists`."""
    return exists(filename)


@export("gfile.Glob")
def Glob(filename: Any) -> list[str]:
    """See `tf.io.gfile.glob`."""
    return glob(filename)


@export("gfile.IsDirectory")
def IsDirectory(dirname: Any) -> bool:
    """See `tf.io.gfile.isdir`."""
    return isdir(dirname)


@export("gfile.ListDirectory")
def ListDirectory(dirname: Any) -> list[str]:
    """See `tf.io.gfile.listdir`."""
    return listdir(dirname)


@export("gfile.MakeDirs")
def MakeDirs(dirname: Any) -> None:
    """See `tf.io.gfile.makedirs`."""
    makedirs(dirname)


@export("gfile.MkDir")
def MkDir(dirname: Any) -> None:
    """See `tf.io.gfile.mkdir`."""
    mkdir(dirname)


@export("gfile.Remove")
def Remove(filename: Any) -> None:
    """See `tf.io.gfile.remove`."""
    remove(filename)


@export("gfile.Rename")
def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    """See `tf.io.gfile.rename`."""
    rename(oldname, newname, overwrite)


@export("gfile.Stat")
def Stat(filename: Any) -> FileStatistics:
    """See `tf.io.gfile.stat`."""
    return stat(filename)


@export("gfile.Walk")
def Walk(top: Any, in_order: bool = True) -> Iterator[Walked]:
    """See `tf.io.gfile.walk`; `in_order` is its `topdown`."""
    return walk(top, in_order)
