# SPDX-License-Identifier: Apache-2.0
"""Makes libraries for Android's CPUs without the NDK: clang compiles, lld links them with libraries that have the names of bionic's and no
code."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "platform/android"))
import bionic_symbols

TARGETS = {"arm64-v8a": ("arm64", "aarch64-linux-android21"), "armeabi-v7a": ("arm", "armv7a-linux-androideabi21"),
           "x86_64": ("x86_64", "x86_64-linux-android21"), "x86": ("x86", "i686-linux-android21")}
SOURCE = """
void* malloc(unsigned long); float sinf(float);
__attribute__((visibility("default"))) float linnet_answer(float x) { return malloc(1) ? sinf(x) : x; }
"""
# As the NDK's clang asks for it with API level 21.
LINK = ["-shared", "-nostdlib", "-fuse-ld=lld", "-Wl,--hash-style=both", "-Wl,--no-undefined"]
PAGES = "-Wl,-z,max-page-size=16384"


def missing():
    """Why libraries cannot be made, or None."""
    lacking = [tool for tool in ("clang", "ld.lld") if not shutil.which(tool)]
    return f"there is no {' and no '.join(lacking)} (toolchains/setup.sh android installs them)" if lacking else None


def _clang(abi, *arguments):
    command = ["clang", f"--target={TARGETS[abi][1]}", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def make_system(folder, abi, level=21):
    """Makes libc.so, libm.so, libdl.so and liblog.so in `folder` with the names that API level `level` has."""
    folder.mkdir(parents=True, exist_ok=True)
    for library, names in bionic_symbols.read_table().items():
        source = folder / f"{library}.s"
        known = (name for name, since in names[TARGETS[abi][0]].items() if since <= level)
        source.write_text("".join(f".globl {name}\n.type {name},%function\n{name}:\n" for name in known))
        _clang(abi, "-shared", "-nostdlib", "-fuse-ld=lld", f"-Wl,-soname,{library}.so", source, "-o", folder / f"{library}.so")
    return folder


def make_library(path, abi, system, *arguments, source=SOURCE, soname="liblinnet.so", pages=PAGES, needed=("c", "m")):
    """Links `source` to `path`: without further arguments, a library as it should be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    code = path.with_suffix(".c")
    code.write_text(source)
    options = [*LINK, pages, f"-L{system}", *(f"-l{name}" for name in needed), *arguments]
    if soname:
        options.append(f"-Wl,-soname,{soname}")
    _clang(abi, "-O1", "-fPIC", code, *options, "-o", path)
    code.unlink()
    return path
