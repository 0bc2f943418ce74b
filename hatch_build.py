"""Builds the C code of evergraph/native where there is a compiler; elsewhere the package goes without it.

EVERGRAPH_STRICT_C=1 makes each warning of the compiler an error, and a failed build one of the installation: for those
who work on the C code. `python hatch_build.py FOLDER` builds into a folder, which EVERGRAPH_NATIVE=FOLDER loads; with
EVERGRAPH_SANITIZE=1 the modules there check each address and each operation that C leaves undefined
(`make sanitize`). `python hatch_build.py FOLDER COMPILER` builds for another processor (`make aarch64`), and
EVERGRAPH_COMPILER=COMPILER a wheel for it; `make dist` says how releases are made of these.
"""

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOM = os.path.join("evergraph", "native")
OPTIONAL = {"jpeg": ["jpeg"]}  # modules that need libraries, which are left out where these are missing
OLDEST = "cp311"  # the first Python whose stable ABI has all that the C code uses


class NativeBuild(BuildHookInterface):
    """Compiles into the source tree, from where an editable install runs and a wheel is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version, build_data):
        if self.target_name != "wheel":
            return
        compiler = os.environ.get("EVERGRAPH_COMPILER")
        try:
            built = compiled_for(self.root, ROOM, compiler) if compiler else compiled(self.root)
        except BaseException as error:  # distutils ends in SystemExit when the compiler does not run
            if isinstance(error, KeyboardInterrupt) or _is_set("EVERGRAPH_STRICT_C"):
                raise
            if version == "editable":  # an older build would not fit what the sources have become
                for stale in glob.glob(os.path.join(self.root, ROOM, "_[!_]*.*")):
                    os.remove(stale)
            self.app.display_warning(f"evergraph goes without its C code, which reads records and Examples faster: "
                                     f"it could not be compiled ({type(error).__name__}: {error})")
            return
        build_data["artifacts"].extend(f"/{file}" for file in built)
        build_data["pure_python"] = False
        build_data["tag"] = f"{OLDEST}-abi3-{_platform(compiler)}"


def compiled(root, folder=ROOM):
    """Compiles each C file to a module in a folder, and returns where they are, relative to the root."""
    import numpy
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    headers = glob.glob(os.path.join(root, ROOM, "*.h"))
    sources = sorted(glob.glob(os.path.join(root, ROOM, "*.c")))
    options = _options()
    extensions = [Extension(f"_{name}", [source], py_limited_api=True, depends=headers, extra_compile_args=options,
                            include_dirs=[numpy.get_include()],
                            extra_link_args=[option for option in options if option.startswith("-fsanitize")],
                            libraries=OPTIONAL.get(name, []), optional=name in OPTIONAL)
                  for source in sources for name in [os.path.basename(source)[: -len(".c")]]]
    with tempfile.TemporaryDirectory() as scratch:
        command = build_ext(Distribution({"name": "evergraph", "ext_modules": extensions}))
        command.build_temp = command.build_lib = scratch
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
        return [_moved(made, root, folder) for made in command.get_outputs() if os.path.exists(made)]


def compiled_for(root, folder, compiler):
    """Builds each C file for another processor, against the headers of this machine's Python, NumPy and libjpeg."""
    import numpy

    machine = f"/usr/include/{sysconfig.get_config_var('MULTIARCH')}"  # where libjpeg's configuration is
    include = [f"-I{sysconfig.get_path('include')}", f"-I{numpy.get_include()}", "-idirafter", machine]
    os.makedirs(os.path.join(root, folder), exist_ok=True)
    flags = [*_options(), *os.environ.get("CFLAGS", "").split(), "-shared", "-fPIC", "-s", *include]

    def built(source):
        name = os.path.basename(source)[: -len(".c")]
        target = os.path.join(folder, f"_{name}.abi3.so")
        libraries = [f"-l{library}" for library in OPTIONAL.get(name, [])]
        command = [compiler, *flags, source, "-o", os.path.join(root, target), *libraries, "-lm"]
        done = subprocess.run(command, check=name not in OPTIONAL)
        return [target.replace(os.sep, "/")] if done.returncode == 0 else []

    with ThreadPoolExecutor(os.cpu_count()) as several:
        return sum(several.map(built, sorted(glob.glob(os.path.join(root, ROOM, "*.c")))), [])


def _options():
    """What the compiler is asked for."""
    if sys.platform == "win32":
        return []
    strict = ["-Wall", "-Wextra", "-Werror"] if _is_set("EVERGRAPH_STRICT_C") else []
    plain = ["-std=c11", "-fno-math-errno", "-fno-trapping-math"]  # nobody asks for errno or for exceptions' flags
    if _is_set("EVERGRAPH_SANITIZE"):
        return [*plain, "-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined",
                "-fno-sanitize-recover=undefined", *strict]
    return [*plain, "-O3", "-g0", *strict]


def _is_set(variable):
    return os.environ.get(variable, "0") != "0"


def _moved(made, root, folder):
    """Puts a built module into its place; a Python that runs keeps the old one."""
    os.makedirs(os.path.join(root, folder), exist_ok=True)
    target = os.path.join(folder, os.path.basename(made))
    shutil.copyfile(made, os.path.join(root, f"{target}.new"))
    os.replace(os.path.join(root, f"{target}.new"), os.path.join(root, target))
    return target.replace(os.sep, "/")


def _platform(compiler=None):
    """What the machine calls itself, or that of a compiler; `auditwheel` finds out on which Linuxes a wheel runs."""
    from packaging.tags import sys_tags

    if compiler:
        return "linux_" + subprocess.check_output([compiler, "-dumpmachine"], text=True).partition("-")[0]
    return next(tag.platform for tag in sys_tags() if "manylinux" not in tag.platform and "musl" not in tag.platform)


if __name__ == "__main__":
    work = compiled_for if len(sys.argv) > 2 else compiled
    print(f"{len(work(os.curdir, *sys.argv[1:]))} modules")
