#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C of platform/android/jni compiles without warnings for each of Android's CPUs, and needs the C library, which has the functions that
`libc` beside this file declares, and the public API; of a C++ library nothing. elf_check.py accepts what is linked of it, with empty functions
in place of the API's.

    jni_link_test.py JNI_INCLUDE     JNI_INCLUDE: the folder of the JDK's jni.h
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import android_libraries

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "platform/android/jni").glob("*.c"))
OPTIONS = ["-std=c99", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror", "-nostdlibinc", "-ffreestanding"]


def missing():
    """Why this cannot be tested, or None."""
    try:
        import elf_check  # noqa: F401
    except ImportError as why:
        return f"{why} (toolchains/setup.sh android installs python3-pyelftools)"
    return android_libraries.missing()


def api():
    """C source with an empty function for each of linnet.h."""
    header = (ROOT / "runtime/include/linnet/linnet.h").read_text()
    names = re.findall(r"LINNET_API[^;]*?\b(linnet_\w+)\(", header)
    return "".join(f"void {name}(void) {{}}\n" for name in names)


def link(abi, folder, include):
    """Returns the library, or what the compiler says."""
    system = android_libraries.make_system(folder / "system", abi)
    (folder / "api.c").write_text(api())
    library = folder / "liblinnet.so"
    command = ["clang", f"--target={android_libraries.TARGETS[abi][1]}", *OPTIONS, *(f"-I{path}" for path in (
        ROOT, ROOT / "runtime/include", include, include / "linux", ROOT / "tests/platform/android/libc")), *SOURCES, folder / "api.c",
        *android_libraries.LINK, android_libraries.PAGES, f"-L{system}", "-lc", "-Wl,-soname,liblinnet.so",
        f"-Wl,--version-script={ROOT / 'platform/android/jni/exported.map'}", "-o", library]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.stderr if done.returncode else library


def main(include):
    why = missing()
    if why:
        print(f"SKIPPED: {why}")
        return 0
    import elf_check
    wrong = []
    for abi in android_libraries.TARGETS:
        with tempfile.TemporaryDirectory() as scratch:
            library = link(abi, pathlib.Path(scratch), include)
            wrong += [f"{abi}: {problem}" for problem in ([library] if isinstance(library, str) else elf_check.problems(library, abi))]
    print("\n".join(wrong) or f"{len(SOURCES)} files link for {', '.join(android_libraries.TARGETS)}")
    return 1 if wrong or not SOURCES else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
