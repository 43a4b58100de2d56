#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An app in C links each slice of the XCFramework that toolchains/xcframework.sh wrote, with nothing but -framework CLinnet, and uses it as a
module too; one in C++ compiles. Apple's libraries are replaced by lists of names, which say what they would have.

    link_test.py FOLDER/CLinnet.xcframework
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import apple_libraries
from apple_libraries import parts

import darwin_symbols

ROOT = parts.ROOT
APP = """
#include <CLinnet/linnet.h>
int main(void) {
  linnet_plan* plan;
  linnet_session* session;
  linnet_error error;
  if (linnet_plan_open_file("plan", 0, &plan, &error) || linnet_session_create(plan, 0, &session, &error)) return 1;
  return linnet_session_run(session);
}
"""
CXX_APP = """
#include <CLinnet/linnet.hpp>
int main(int, char** argv) {
  auto plan = linnet::Plan::Open(argv[1]);
  auto session = linnet::Session::Create(*plan);
  for (float& x : session->Input<float>(0)) x = 0.5f;
  return session->Run().has_value();
}
"""
# libc++ is found by the name that the objects give, libSystem because each program has it.
LIBRARIES = {"libSystem": "/usr/lib/libSystem.B.dylib", "libc++": "/usr/lib/libc++.1.dylib"}


def write_stubs(root, part):
    """The root folder of a system that has the functions of darwin_symbols.txt."""
    folder = root / "usr/lib"
    folder.mkdir(parents=True)
    targets = ", ".join(f"{name}-{part.macho_platform}" for name in part.architectures)
    for library, install_name in LIBRARIES.items():
        names = [symbol for symbol, (owner, _) in darwin_symbols.read_table().items() if owner == library]
        names += [f"'{name}$INODE64'" for name in names if name == "_fstat"] + ["dyld_stub_binder"] * (library == "libSystem")
        (folder / f"{library}.tbd").write_text(
            f"--- !tapi-tbd\ntbd-version: 4\ntargets: [ {targets} ]\ninstall-name: '{install_name}'\n"
            f"exports:\n  - targets: [ {targets} ]\n    symbols: [ {', '.join(names)} ]\n...\n")
    return root


def write_headers(folder):
    """The headers of C's that linnet.h includes are the compiler's own, of which stdint.h wants to go on to the system's."""
    folder.mkdir()
    (folder / "stdint.h").write_text("typedef __INT32_TYPE__ int32_t;\ntypedef __UINT32_TYPE__ uint32_t;\ntypedef __INT64_TYPE__ int64_t;\n")
    return folder


def check(part, architecture, xcframework, work):
    slice_folder = xcframework / part.identifier
    target, headers = part.target(architecture), write_headers(work / "include")
    options = ["-nostdlibinc", "-isystem", str(headers), "-F", str(slice_folder), "-Wall", "-Wextra", "-Werror"]
    app = apple_libraries.compile_object(work / "app.o", target, APP, options)
    root = write_stubs(work / "root", part)
    command = [apple_libraries.tool("ld64.lld"), "-arch", architecture, "-platform_version", part.macho_platform, part.minimum, part.minimum,
               "-syslibroot", str(root), "-F", str(slice_folder), "-framework", parts.NAME, "-lSystem", str(app), "-o", str(work / "app")]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode or done.stderr:
        sys.exit(f"{target}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    # Swift imports the module, by the same compiler.
    modules = ["-fmodules", f"-fmodules-cache-path={work / 'modules'}", "-fsyntax-only"]
    apple_libraries.compile_object(work / "module.o", target, APP.replace("#include <CLinnet/linnet.h>", "@import CLinnet;"),
                                   [*options, *modules, "-x", "objective-c"])
    compile_cxx(target, slice_folder, work)
    print(f"{target}: {(work / 'app').stat().st_size} bytes")


def compile_cxx(target, slice_folder, work):
    """With the compiler and the options of the slice itself, but in C++17, which is what linnet.hpp wants."""
    commands = json.loads((ROOT / f"build/apple-{target}/compile_commands.json").read_text())
    entry = next(entry for entry in commands if entry["file"].endswith("runtime/core/diagnostic.cc"))
    code = work / "app.cc"
    code.write_text(CXX_APP)
    words = shlex.split(entry["command"])
    words = words[next(i for i, word in enumerate(words) if word.endswith("zig_clang.sh")):words.index("-o")]  # without ccache
    command = [*words, "-std=c++17", "-Werror", "-F", str(slice_folder), "-fsyntax-only", str(code)]
    zig = subprocess.run([ROOT / "toolchains/zig.sh", "--print"], capture_output=True, text=True, check=True).stdout.strip()
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LINNET_ZIG": zig})
    if done.returncode:
        sys.exit(f"{target}: {' '.join(command)}\n{done.stdout}{done.stderr}")


def main(xcframework):
    for part in parts.SLICES:
        for architecture in part.architectures:
            with tempfile.TemporaryDirectory() as scratch:
                check(part, architecture, xcframework, pathlib.Path(scratch))


if __name__ == "__main__":
    why = apple_libraries.missing("clang", "ld64.lld")
    if not why and not pathlib.Path(sys.argv[1]).is_dir():
        why = "there is no XCFramework (toolchains/xcframework.sh writes it)"
    if why:
        print(f"SKIPPED: {why}")
        sys.exit()
    main(pathlib.Path(sys.argv[1]))
