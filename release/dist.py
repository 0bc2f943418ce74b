"""Builds a release in build/dist: an sdist and wheels for several Linuxes, checked, and tried in fresh environments.

    python -m release.dist [PYTHON...]

runs by the tools of release/requirements.txt (`make dist` installs them into build/tools). The wheels hold C code for
the stable ABI, so that each serves every Python. They are tried with the Pythons that are named, by default with all on
the machine that evergraph supports: installed without a compiler, then they run examples/iris.py. A wheel for 64-bit
ARM is built where there is a compiler for it. RELEASING.md says what to do with the result.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent
DIST = ROOT / "build" / "dist"
SCRATCH = ROOT / "build" / "release"
ARM = "aarch64-linux-gnu-gcc"
OLDEST = (3, 11)


def main(arguments=None):
    """Builds, checks and tries a release; an error of any part ends it."""
    parser = argparse.ArgumentParser(prog="release.dist", description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", help="what to try the wheel with; all that are found by default")
    pythons = [found(python) for python in parser.parse_args(arguments).pythons] or every_python()
    for folder in (DIST, SCRATCH):
        shutil.rmtree(folder, ignore_errors=True)
    source = unpacked(sdist())
    wheels = [portable(built(source))]
    if shutil.which(ARM):
        wheels.append(portable(built(source, ARM)))
    else:
        print(f"no {ARM} here: no wheel for 64-bit ARM")
    run("twine", "check", "--strict", *DIST.iterdir())
    for path in sorted(DIST.iterdir()):
        print(contents(path))
    for python in pythons:
        print(tried(wheels[0], python))
    if not tomllib.loads((ROOT / "pyproject.toml").read_text())["project"].get("urls"):
        print("pyproject.toml has no [project.urls]: say where the project lives before you upload")


def run(tool, *arguments, **keywords):
    """Runs a tool of this environment."""
    subprocess.run([TOOLS / tool, *arguments], check=True, cwd=ROOT,
                   env={**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}", **keywords})


def sdist():
    """The path of the sdist."""
    run("python", "-m", "build", "--sdist", "--outdir", DIST)
    return next(DIST.glob("*.tar.gz"))


def unpacked(archive):
    """The folder of what an sdist holds, from which wheels are built, as users without a wheel do."""
    with tarfile.open(archive) as files:
        files.extractall(SCRATCH, filter="data")
    return SCRATCH / archive.name.removesuffix(".tar.gz")


def built(source, compiler=""):
    """The path of a wheel for this machine's Linux alone, or for that of another compiler."""
    folder = SCRATCH / (compiler or "here")
    for stale in (source / "evergraph" / "native").glob("*.so"):
        stale.unlink()
    flags = f"-include {ROOT / 'release' / 'old_glibc.h'} {os.environ.get('CFLAGS', '')}"
    run("python", "-m", "build", "--wheel", "--outdir", folder, source,
        CFLAGS=flags, EVERGRAPH_STRICT_C="1", EVERGRAPH_COMPILER=compiler)  # fmt: skip
    return next(folder.glob("*.whl"))


def portable(wheel):
    """The wheel with the libraries that not all Linuxes have, their licenses, and the tag that holds then."""
    folder = SCRATCH / "portable" / wheel.stem
    run("auditwheel", "repair", "--wheel-dir", folder, wheel)
    whole = next(folder.glob("*.whl"))
    run("python", "-m", "wheel", "unpack", "--dest", folder, whole)
    parts = next(path for path in folder.iterdir() if path.is_dir())
    for library in sorted(parts.glob("evergraph.libs/*.so*")):
        name = library.name.partition("-")[0]
        shutil.copy(license_of(name), parts / "evergraph.libs" / f"LICENSE.{name}.txt")
    run("python", "-m", "wheel", "pack", "--dest-dir", DIST, parts)
    return DIST / whole.name


def license_of(library):
    """Where Debian, or what is built like it, keeps the license of a library."""
    places = sorted(Path("/usr/share/doc").glob(f"{library}[0-9]*/copyright"))
    if not places:
        raise SystemExit(f"{library} goes into the wheel, and there is no license of it in /usr/share/doc")
    return places[0]


def contents(path):
    """The size of an archive and of its largest parts, as text."""
    parts, count = Counter(), 0
    for name, size in members(path):
        folders = name.split("/")[:-1]
        ours = folders and folders[0].startswith("evergraph")
        parts["/".join(folders[:2]) if ours else (folders or [name])[0]] += size
        count += 1
    rows = [f"    {size / 1e6:6.2f} MB  {part}" for part, size in parts.most_common(8)]
    packed, whole = path.stat().st_size / 1e6, sum(parts.values()) / 1e6
    return "\n".join([f"{path.name}: {packed:.1f} MB, {count} files, {whole:.1f} MB unpacked", *rows])


def members(path):
    """(name, size) of each file in an archive."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as files:
            return [(one.filename, one.file_size) for one in files.infolist() if not one.is_dir()]
    with tarfile.open(path) as files:
        return [(one.name.partition("/")[2], one.size) for one in files if one.isfile()]


def found(python):
    """The path of an interpreter, by its name or path."""
    path = shutil.which(python)
    if not path:
        raise SystemExit(f"there is no {python}")
    return path


def every_python():
    """One interpreter of each version that evergraph supports: those on the path, and pyenv's."""
    names = [path for k in range(OLDEST[1], 30) if (path := shutil.which(f"python3.{k}"))]
    here = {}
    for path in [*names, *sorted(map(str, Path.home().glob(".pyenv/versions/*/bin/python3")))]:
        question = "import ensurepip, sys; print(*sys.version_info[:2])"
        ask = subprocess.run([path, "-c", question], capture_output=True, text=True)
        version = tuple(map(int, ask.stdout.split()))
        if ask.returncode == 0 and version >= OLDEST:
            here.setdefault(version, path)
    return [here[version] for version in sorted(here)]


CHECK = """
import importlib, sys
from evergraph import native
missing = [name for name in sorted(native.MODULES) if getattr(native, name) is None]
assert not missing, missing
print(sys.version.split()[0])
"""


def tried(wheel, python):
    """Installs the wheel into a fresh environment, without a compiler, and runs the demo; says how it went."""
    room = SCRATCH / "tried" / re.sub(r"\W+", "_", python)
    subprocess.run([python, "-m", "venv", room], check=True)
    bare = {"PATH": str(room / "bin"), "HOME": str(room), "CC": "no-compiler", "TMPDIR": str(room),
            **{name: value for name, value in os.environ.items() if name.lower().startswith(("pip_", "ssl_", "http"))}}

    def inside(*command):
        return subprocess.run([room / "bin" / command[0], *command[1:]], env=bare, cwd=room, check=True,
                              stdout=subprocess.PIPE, text=True).stdout  # fmt: skip

    inside("python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel))
    version = inside("python", "-c", CHECK).strip()
    for name in ("iris.py", "iris_train.csv", "iris_test.csv"):
        shutil.copy(ROOT / "examples" / name, room)
    start = time.perf_counter()
    said = inside("evergraph", "run", "iris.py", "--model_dir", str(room / "model"))
    took = time.perf_counter() - start
    accuracy = re.search(r"accuracy [\d.]+", said)[0]
    size = sum(path.stat().st_size for path in (room / "lib").rglob("*") if path.is_file()) / 1e6
    return f"Python {version}: installed ({size:.0f} MB with all it needs), demo in {took:.1f} s, {accuracy}"


if __name__ == "__main__":
    main()
