#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes every call of a kind fail in turn, in `linnet convert` and `linnet-run`, and prints a table.

  fault_table.py --bin DIR --preload LIBRARY --model PBTXT [--every N] [--only ROW]...

Each row is a program and a call: malloc through a preloaded library, system calls through strace.
A failure is handled well when the program ends by itself within a minute, prints a message on standard
error unless it succeeded after all, and leaves the old file or the new one, complete, under the
output's name and no other file beside it. `kill` ends the program by SIGKILL in place of the call:
then only the file under the output's name counts. Exits with 1 when a failure is not handled well.

--every N tries only every N-th call, beginning with the first.
"""

import argparse
import collections
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

# The calls that fail, and the error that the kernel returns for each, for example without memory or space.
SYSTEM_CALLS = {
    "mmap": "ENOMEM", "openat": "EMFILE", "newfstatat": "EIO", "read": "EIO", "pread64": "EIO", "write": "ENOSPC",
    "writev": "ENOSPC", "pwrite64": "ENOSPC", "fsync": "EIO", "rename": "EACCES", "clone3": "EAGAIN"}
KILLED_AT = ("openat", "write", "writev", "pwrite64", "fsync", "rename", "close")
# Crashes in libraries that Linnet cannot fix: the call in the trace, and the reason. They are counted separately.
LIBRARY_ENDS = [
    (r"(read\(\d+<|openat\(.*\")/sys/devices/system/cpu/.*\(INJECTED\)", "cpuinfo follows a null pointer when a file about the CPU cannot be read")]
TIMEOUT_S = 60


class Program:
    """A command line that may write files in its own folder."""

    def __init__(self, name, command, folder, output):
        self.name, self.command, self.folder, self.output = name, command, folder, folder / output
        self.old = b"what was there before"
        self.runs = 0
        completed = self.run([])
        if completed.returncode != 0:
            sys.exit(f"{name} fails without a fault: {completed.stderr}")
        self.new = self.output.read_bytes()

    def run(self, prefix, environment=None):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.output.write_bytes(self.old)
        self.runs += 1
        return subprocess.run([*prefix, *map(str, self.command)], capture_output=True, text=True, errors="replace",
                              timeout=TIMEOUT_S, env=environment, check=False)

    def problem(self, prefix, environment=None, killed=False):
        """What is wrong with a run in which a call fails; "" when nothing is wrong."""
        try:
            completed = self.run(prefix, environment)
        except subprocess.TimeoutExpired:
            return f"hangs for {TIMEOUT_S} s"
        found = self.output.read_bytes() if self.output.exists() else b""
        if killed:
            return "" if found in (self.old, self.new) else "half a file under the output's name"
        others = [path.name for path in self.folder.iterdir() if path != self.output]
        if completed.returncode < 0 or completed.returncode >= 128:
            number = -completed.returncode if completed.returncode < 0 else completed.returncode - 128
            return f"dies of {signal.Signals(number).name}: {completed.stderr.strip()[-200:]}"
        if others:
            return f"leaves {', '.join(others)}"
        if completed.returncode == 0:
            return "" if found == self.new else "succeeds with another file"
        if not completed.stderr.strip():
            return f"exit {completed.returncode} without a word"
        if found == self.new and self.new != self.old:
            return ""  # a failure after the file had got its name
        return "" if found == self.old else "fails and leaves another file"


def system_calls(program, call, preload, log):
    """Numbers, from 1, of the calls after main began: earlier ones are the dynamic loader's."""
    pathlib.Path(log).unlink(missing_ok=True)
    completed = program.run(["strace", "-f", "-qq", "-o", log, "-e", f"trace={call},access,faccessat", "-e",
                             "signal=none", "-E", f"LD_PRELOAD={preload}"])
    before, mark, after = pathlib.Path(log).read_text().partition('"main begins"')
    if completed.returncode != 0 or not mark:
        sys.exit(f"{program.name} under strace does not come to main: {completed.stderr}")
    first = len(re.findall(rf"\b{call}\(", before))
    # strace counts each thread's calls from 1: call number n fails in every thread that makes so many.
    threads = collections.Counter(re.findall(rf"^(\d+) +{call}\(", before + after, re.MULTILINE))
    return range(first + 1, max(threads.values(), default=0) + 1)


def strace(call, action, number, preload, log):
    return ["strace", "-f", "-y", "-qq", "-o", log, "-e", f"trace={call}", "-e", "signal=none", "-E",
            f"LD_PRELOAD={preload}", "-e", f"inject={call}:{action}:when={number}"]


def rows(program, preload, log, only):
    """Yields (name of the row, numbers of the calls, function that runs with one of them failing, is it killed)."""
    def wanted(name):
        return not only or name in only

    if wanted("malloc"):
        count = pathlib.Path(f"{log}.count")
        program.run([], {"LD_PRELOAD": str(preload), "LINNET_MALLOC_COUNT": str(count)})
        yield ("malloc", range(int(count.read_text())),
               lambda i: ([], {"LD_PRELOAD": str(preload), "LINNET_FAIL_MALLOC": str(i)}), False)
    for call, error in SYSTEM_CALLS.items():
        if wanted(call):
            yield (call, system_calls(program, call, preload, log),
                   lambda i, call=call, error=error: (strace(call, f"error={error}", i, preload, log), None), False)
    for call in KILLED_AT:
        if wanted("kill"):
            yield (f"kill at {call}", system_calls(program, call, preload, log),
                   lambda i, call=call: (strace(call, "signal=SIGKILL", i, preload, log), None), True)


def library_end(text, log):
    """The reason why a library causes the problem; None when Linnet does."""
    if not text.startswith("dies"):
        return None
    trace = pathlib.Path(log).read_text() if pathlib.Path(log).exists() else ""
    return next((why for pattern, why in LIBRARY_ENDS if re.search(pattern, trace)), None)


def has_failed(log):
    """Was the call made that was to fail? The order of threads may differ in each run."""
    path = pathlib.Path(log)
    text = path.read_text(errors="replace") if path.exists() else ""
    return "(INJECTED)" in text or re.search(r"= \?$", text, re.MULTILINE) is not None


def try_row(program, name, calls, how, killed, log):
    """Returns (number of calls that failed, [(call, problem)], {reason why a library ended the program: how often})."""
    failed, problems, library = 0, [], collections.Counter()
    for number in calls:
        pathlib.Path(log).unlink(missing_ok=True)
        text = program.problem(*how(number), killed=killed)
        failed += name == "malloc" or has_failed(log)  # calls of malloc are not in a log
        if text and (why := library_end(text, log)):
            library[why] += 1
        elif text:
            problems.append((number, text))
    return failed, problems, library


def print_row(program, name, calls, failed, problems, library):
    answered = failed - len(problems) - library.total()
    print(f"{program.name:14} {name:18} {len(calls):7} calls {failed:7} failed {answered:7} answered")
    for why, times in library.items():
        print(f"    {times} times: {why}")
    for number, text in problems[:10]:
        print(f"    call {number}: {text}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--preload", type=pathlib.Path, required=True)
    parser.add_argument("--model", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], metavar="ROW")
    arguments = parser.parse_args()
    if subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode != 0:
        print("SKIPPED: strace may not trace here")
        return 77
    unanswered = rows_with_faults = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        plan = scratch / "model.linnet"
        subprocess.run([arguments.bin / "linnet", "convert", arguments.model, "-o", plan], check=True,
                       capture_output=True)
        programs = [
            Program("linnet convert", [arguments.bin / "linnet", "convert", arguments.model, "-o",
                                       scratch / "converted" / "out.linnet"], scratch / "converted", "out.linnet"),
            Program("linnet-run", [arguments.bin / "linnet-run", plan, "--threads", "2", "--output-dir",
                                   scratch / "ran"], scratch / "ran", arguments_output(arguments.bin, plan, scratch))]
        log = str(scratch / "log")
        for program in programs:
            for name, calls, how, killed in rows(program, arguments.preload, log, arguments.only):
                tried = calls[::arguments.every]
                failed, problems, library = try_row(program, name, tried, how, killed, log)
                print_row(program, name, calls, failed, problems, library)
                if tried and failed == 0:
                    problems = [(tried[0], "none of these calls came to fail")]
                    print(f"    {problems[0][1]}")
                unanswered += len(problems)
                rows_with_faults += failed > 0
    print(f"{unanswered} not answered")
    return 1 if unanswered or not rows_with_faults else 0


def arguments_output(programs, plan, scratch):
    """The name of the file that linnet-run writes for the plan's only output."""
    folder = scratch / "name"
    subprocess.run([programs / "linnet-run", plan, "--output-dir", folder], check=True, capture_output=True)
    files = [path.name for path in folder.iterdir()]
    if len(files) != 1:
        sys.exit(f"the model should have one output, not {files}")
    return files[0]


if __name__ == "__main__":
    sys.exit(main())
