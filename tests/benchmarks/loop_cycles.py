#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of inner loops of 64-bit ARM by two models, beside the least that their multiply-adds allow.

Reads compiled files (objects, libraries, programs), finds in each function the innermost loops with multiply-adds of vectors,
and prints for each core the cycles of a pass if all loads hit the first cache. Figures of models, no measurements:

- neoverse-n1 is llvm-mca's, and stands for the Cortex-A76, which has the same pipelines: to llvm-mca that is a Cortex-A57.
- cortex-a55 is by the rules below (Issue). llvm-mca (19) lets this core begin two multiply-adds of 4 floats a cycle and a load of
  16 bytes beside one of them, so that the loops that are slowest there would be the best; `--mca-a55` prints that too.

Needs objdump for 64-bit ARM and a recent llvm-mca; version 14 does not know the Neoverse N1.

Usage: loop_cycles.py [--function REGEX] [--least-fmas N] [--mca-a55] [--llvm-mca COMMAND] [--objdump COMMAND] FILE...
"""

import argparse
import dataclasses
import re
import shlex
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S.*)$")
BRANCH = re.compile(r"^(b\.\w+|cbn?z|tbn?z|b)\s+(?:.*[\s,])?([0-9a-f]+) <")
FMA = re.compile(r"^fmla\s+v\d+\.(4s|8h)")
NO_RESULT = re.compile(r"b|b\.\w+|cbn?z|tbn?z|cmp|cmn|tst|prfm|st\w+")
ACCESS = re.compile(r"ld|st|prfm")
REGISTER = re.compile(r"\b([vqdsxw])(\d+|zr)\b")


@dataclasses.dataclass
class Loop:
    function: str
    address: int
    instructions: list[str]

    @property
    def fmas(self) -> int:
        return sum(bool(FMA.match(text)) for text in self.instructions)


def functions_of(path: str, objdump: str):
    """(name, [(address, instruction)]) of each function of a file."""
    command = [*shlex.split(objdump), "-d", "-C", "--no-show-raw-insn", path]
    name, body = None, []
    for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines():
        if match := FUNCTION.match(line):
            if name:
                yield name, body
            name, body = match[1], []
        elif match := INSTRUCTION.match(line):
            body.append((int(match[1], 16), re.sub(r"\s*//.*", "", match[2]).replace("\t", " ")))
    if name:
        yield name, body


def loops_of(name: str, body: list[tuple[int, str]]) -> list[Loop]:
    """Innermost loops: from the target of a branch backwards to it, without such a loop inside."""
    place = {address: i for i, (address, _) in enumerate(body)}
    ranges = []
    for i, (_, text) in enumerate(body):
        if (match := BRANCH.match(text)) and (first := place.get(int(match[2], 16), i + 1)) <= i:
            ranges.append((first, i))
    inner = [r for r in ranges if not any(o != r and r[0] <= o[0] and o[1] <= r[1] for o in ranges)]
    return [Loop(name, body[first][0], [text for _, text in body[first:last + 1]]) for first, last in inner]


def mca_cycles(loop: Loop, core: str, mca: str) -> float:
    code = "\n".join(BRANCH.sub("b 0 <", text).split("<")[0] for text in loop.instructions) + "\n"
    totals = []
    for iterations in (100, 300):
        command = [*shlex.split(mca), "-mtriple=aarch64", f"-mcpu={core}", f"-iterations={iterations}",
                   "-instruction-info=0", "-resource-pressure=0"]
        done = subprocess.run(command, input=code, check=True, capture_output=True, text=True)
        totals.append(int(re.search(r"Total Cycles:\s+(\d+)", done.stdout)[1]))
    return (totals[1] - totals[0]) / 200  # without the start


@dataclasses.dataclass
class Instruction:
    """What an instruction does, as far as it matters for when it begins and when its result is there."""

    kind: str  # "vector", "insertion" (of a general register into a vector), "memory", "other"
    reads: set[str]
    writes: set[str]
    latency: int
    wide_loads: int = 0  # registers that get 16 bytes from memory
    moved: set[str] = dataclasses.field(default_factory=set)  # registers of an address that changes


def registers(text: str) -> set[str]:
    """Of all names of a register, one."""
    return {("x" if kind in "xw" else "v") + number for kind, number in REGISTER.findall(text) if number != "zr"}


def split_operands(name: str, operands: str) -> tuple[str, str]:
    """What an instruction writes, and the rest."""
    if operands.startswith("{"):
        end = operands.index("}")
        last, _, rest = operands[end:].partition(",")
        return operands[:end] + last, rest
    parts = operands.split(",")
    count = 2 if name == "ldp" else 1
    return ",".join(parts[:count]), ",".join(parts[count:])


def decoded(text: str) -> Instruction:
    name, _, operands = text.partition(" ")
    first, rest = split_operands(name, operands)
    writes, reads = registers(first), registers(rest)
    if NO_RESULT.fullmatch(name):
        reads, writes = reads | writes, set()
    elif name == "fmla" or "]" in first:  # a part of the register stays
        reads |= writes
    if ACCESS.match(name):
        return decoded_access(name, first, rest, reads, writes)
    if first.endswith(".d[1]") and rest.strip().startswith("x"):
        return Instruction("insertion", reads, writes, 4)
    return Instruction("vector", reads, writes, 4) if re.search(r"\bv\d", operands) else Instruction("other", reads, writes, 1)


def decoded_access(name: str, first: str, rest: str, reads: set[str], writes: set[str]) -> Instruction:
    address = rest[rest.find("["):] if "[" in rest else ""
    moved = {r for r in registers(address) if r[0] == "x"} if re.search(r"\],|\]!", address) else set()
    wide = 0
    if writes and name != "ld1r":
        wide = len(re.findall(r"\bq\d|\bv\d+\.(?:4s|2d|16b|8h)", first))
        if name == "ldp" and not wide:
            wide = 1  # two registers of 8 bytes
    to_vector = re.match(r"[{\s]*[qdsv]\d", first) is not None
    indexed = re.search(r"\[x\d+, x", address) is not None
    return Instruction("memory", reads, writes, 2 + to_vector + indexed + (wide > 1), wide, moved)


class Issue:
    """How a Cortex-A55 issues: two instructions a cycle, in order, of these one vector operation of 16 bytes and one access to memory.
    A load of 16 bytes keeps it for two cycles in which nothing else begins; a load of 8, also into a vector register, and the
    insertion of a general register into a vector begin beside a multiply-add. So have others measured it (ncnn,
    docs/developer-guide/arm-a53-a55-dual-issue.md); latencies are LLVM's, with loads into general registers a cycle shorter.
    By these rules the loop that XNNPACK has for this core reaches its bound, as its authors will have intended."""

    def __init__(self):
        self.cycle = 0
        self.begun: list[str] = []  # kinds, in this cycle
        self.ready: dict[str, int] = {}

    def run(self, instruction: Instruction) -> None:
        kind = instruction.kind
        start = max([self.ready.get(register, 0) for register in instruction.reads] + [self.cycle])
        full = len(self.begun) == 2 or kind != "other" and kind in self.begun or instruction.wide_loads and self.begun
        if start == self.cycle and full:
            start += 1
        if start > self.cycle:
            self.cycle, self.begun = start, []
        self.begun.append(kind)
        self.ready.update({register: self.cycle + instruction.latency for register in instruction.writes})
        self.ready.update({register: self.cycle + 1 for register in instruction.moved})
        if instruction.wide_loads:
            self.cycle, self.begun = self.cycle + 2 * instruction.wide_loads, []


def in_order_cycles(loop: Loop) -> float:
    issue, ends = Issue(), []
    instructions = [decoded(text) for text in loop.instructions]
    for _ in range(60):
        for instruction in instructions:
            issue.run(instruction)
        ends.append(issue.cycle)
    return (ends[-1] - ends[19]) / 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--function", default="", help="only functions whose name this finds")
    parser.add_argument("--least-fmas", type=int, default=8, help="only loops with so many multiply-adds")
    parser.add_argument("--mca-a55", action="store_true", help="also llvm-mca's figures for the Cortex-A55")
    parser.add_argument("--llvm-mca", default="llvm-mca")
    parser.add_argument("--objdump", default="aarch64-linux-gnu-objdump")
    args = parser.parse_args()
    # Name of a core, multiply-adds of 4 floats that it begins in a cycle, and the model.
    cores = [("cortex-a55", 1, in_order_cycles), ("neoverse-n1", 2, lambda loop: mca_cycles(loop, "neoverse-n1", args.llvm_mca))]
    if args.mca_a55:
        cores.append(("cortex-a55 of llvm-mca", 1, lambda loop: mca_cycles(loop, "cortex-a55", args.llvm_mca)))
    print("| function | multiply-adds | instructions |", " | ".join(f"{core} | of the bound" for core, *_ in cores), "|")
    print("|---|---|---|" + "---|---|" * len(cores))
    for path in args.files:
        for name, body in functions_of(path, args.objdump):
            if not re.search(args.function, name):
                continue
            for loop in loops_of(name, body):
                if loop.fmas < args.least_fmas:
                    continue
                cells = [f"{cycles:.1f} | {100 * loop.fmas / rate / cycles:.0f} %"
                         for _, rate, model in cores for cycles in [model(loop)]]
                print(f"| `{name}` | {loop.fmas} | {len(loop.instructions)} | {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
