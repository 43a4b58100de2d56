# SPDX-License-Identifier: Apache-2.0
"""Makes static libraries for Apple's systems from a few lines of C: Debian's clang and LLVM can do that without Apple's headers."""
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "platform/apple"))
import xcframework_parts as parts

# What the checker looks for: the API, a function that has to be declared, and one of the C++ library.
SOURCE = """
int fstat(int, void*);
void lock(void*) __asm__("__ZNSt3__15mutex4lockEv");
const char* linnet_version(void) { return "0.1.0"; }
int linnet_plan(void* mutex) { lock(mutex); return fstat(0, mutex); }
"""
LINKED = ("-Xclang", "--linker-option=-lc++")


def tool(name):
    """Debian's, whatever its version; None without one."""
    versions = [path.name for folder in ("/usr/bin", "/usr/local/bin") for path in sorted(pathlib.Path(folder).glob(f"{name}-[0-9]*"))]
    return next((found for found in map(shutil.which, (name, *reversed(versions))) if found), None)


def missing(*names):
    """Why libraries cannot be made, or None."""
    lacking = [name for name in names or ("clang", "llvm-ar") if not tool(name)]
    return f"there is no {' and no '.join(lacking)} (toolchains/setup.sh apple installs them)" if lacking else None


def run(name, *arguments):
    command = [tool(name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def compile_object(path, target, source=SOURCE, options=LINKED):
    path.parent.mkdir(parents=True, exist_ok=True)
    code = path.with_suffix(".c")
    code.write_text(source)
    run("clang", f"--target={target}", "-O1", "-c", *options, code, "-o", path)
    return path


def make_archive(path, objects, form="darwin", index=True):
    path.unlink(missing_ok=True)
    run("llvm-ar", "rc" if index else "rcS", f"--format={form}", path, *objects)
    return path


def make_library(path, target, **changes):
    """Compiles SOURCE to the archive `path`: without changes, a library as it should be."""
    return make_archive(path, [compile_object(path.with_suffix(".o"), target, **changes)])


def make_all(folder):
    """{(slice, architecture): library}"""
    return {(part.identifier, name): make_library(folder / part.identifier / f"{name}.a", part.target(name))
            for part in parts.SLICES for name in part.architectures}
