#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails for a lowering or a shader of the Vulkan backend that is only partly added, and for shaders that do what some
devices cannot: vulkan_shader_lint.py says what. First makes sure that the lint finds planted faults."""
import pathlib
import re
import sys

import vulkan_shader_lint as lint

LOWERING = re.compile(r"^LINNET_LOWERING\((\w+), (\w+)\)$", re.MULTILINE)
SHADER = re.compile(r"^LINNET_SHADER\((\w+), ([a-z0-9]+(?:, [a-z0-9]+)*)\)$", re.MULTILINE)
OP = re.compile(r"^LINNET_OP\((\w+), (\w+)\)$", re.MULTILINE)


def rows(pattern, table):
    """The table's rows; a row that `pattern` does not match is an error."""
    text = table.read_text()
    found = pattern.findall(text)
    if not found or len(found) != len(re.findall(r"^LINNET_\w+\(", text, re.MULTILINE)):
        raise SystemExit(f"{table.name} has rows that this test does not understand")
    return found


def names(folder, suffix):
    return {path.name.removesuffix(suffix) for path in folder.glob("*" + suffix)}


def wrong_lowerings(root):
    vulkan = root / "runtime/backends/vulkan"
    lowerings = rows(LOWERING, vulkan / "lowerings.def")
    ops = rows(OP, root / "runtime/ops/op_list.def")
    if lowerings != [op for op in ops if op in lowerings]:
        yield "lowerings.def is not in the order of op_list.def, repeats a row or has one that is not there"
    for name, file in lowerings:
        source = vulkan / "ops" / f"{file}.cc"
        if not source.exists():
            yield f"{name}: there is no {source.relative_to(root)}"
        elif f"const OpLowering k{name}Lowering = " not in source.read_text():
            yield f"{source.relative_to(root)} does not define k{name}Lowering"
    for file in sorted(names(vulkan / "ops", ".cc") - {file for _, file in lowerings}):
        if "const OpLowering k" in (vulkan / "ops" / f"{file}.cc").read_text():
            yield f"ops/{file}.cc has no row in lowerings.def"


def wrong_shaders(root):
    vulkan = root / "runtime/backends/vulkan"
    modes = dict(rows(SHADER, vulkan / "shaders.def"))
    shaders = [name for name, _ in rows(SHADER, vulkan / "shaders.def")]
    if len(set(shaders)) != len(shaders):
        yield "shaders.def repeats a row"
    modules = {f"{name}.{mode}" for name in shaders for mode in modes[name].split(", ")}
    parts = (("shaders", ".comp", shaders, set()), ("abi", ".h", shaders, {"glsl", "epilogue", "filter"}), ("spirv", ".inc", modules, set()))
    for folder, suffix, wanted, others in parts:
        present = names(vulkan / folder, suffix)
        for name in sorted(set(wanted) - present):
            yield f"{name}: there is no {folder}/{name}{suffix}"
        for name in sorted(present - set(wanted) - others):
            yield f"{folder}/{name}{suffix} has no row in shaders.def"
    sources = {path.name: path.read_text() for path in (vulkan / "shaders").iterdir()}
    used = {name for text in sources.values() for name in re.findall(r'#include "([\w.]+)"', text)}
    for name in sorted(sources):
        if not name.endswith((".comp", ".glsl")):
            yield f"shaders/{name} is neither a shader nor included by one"
        if name.endswith(".glsl") and name not in used:
            yield f"shaders/{name} is included by no shader"
    lowered = "".join(path.read_text() for path in vulkan.rglob("*.cc"))
    for name in shaders:
        if f"Shader::k_{name}" not in lowered:
            yield f"{name}: nothing dispatches this shader"


def lint_problems(root):
    folder = root / "runtime/backends/vulkan/shaders"
    for path in sorted(folder.glob("*.comp")):
        for problem in lint.problems(lint.with_includes(path)):
            yield f"shaders/{path.name}: {problem}"
    threads = re.search(r"kWorkgroupSize =\s*(\d+);", (folder.parent / "lowering.h").read_text()).group(1)
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        if path.name != "linnet.glsl" and "local_size" in text:
            yield f"shaders/{path.name} sets a local_size, which only linnet.glsl does"
        for value in re.findall(r"const uint kGroupThreads = (\d+)", text):
            if value != threads:
                yield f"shaders/{path.name}: kGroupThreads is not kWorkgroupSize"


def main():
    root = pathlib.Path(sys.argv[1])
    found = list(lint.undetected_faults()) + list(wrong_lowerings(root)) + list(wrong_shaders(root)) + list(
        lint_problems(root))
    print("\n".join(found) or "every lowering and shader has its row and files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
