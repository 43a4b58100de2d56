# SPDX-License-Identifier: Apache-2.0
"""Runs one command in its own process and measures it."""

import dataclasses
import os
import pathlib
import subprocess
import tempfile
import threading
import time

POLL_SECONDS = 0.001


class CommandFailed(Exception):
    """The message is one line that says why."""


@dataclasses.dataclass
class Finished:
    stdout: str
    seconds: float
    peak_bytes: int  # resident memory of the process itself, not of its children; 0: not watched


def run_measured(command, timeout, watch_memory=True, variables=None):
    """Runs `command` with further environment variables; raises CommandFailed unless it exits with 0 within `timeout`
    seconds.

    Watching takes some time from one core: do without it where latency is measured.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        try:
            process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err,
                                       env={**os.environ, **(variables or {})})
        except OSError as error:
            raise CommandFailed(str(error)) from error
        watch = _PeakWatch(process.pid) if watch_memory else None
        try:
            late = _wait(process, timeout)
            seconds = time.perf_counter() - start
        finally:
            if watch:
                watch.stop()
        if late:
            raise CommandFailed(f"still running after {timeout} s")
        out.seek(0)
        err.seek(0)
        if process.returncode != 0:
            raise CommandFailed(_last_line(err.read()) or f"exit status {process.returncode}")
        return Finished(out.read(), seconds, watch.peak_bytes if watch else 0)


def _wait(process, timeout):
    """Returns whether it had to be killed. Popen.wait(timeout) polls up to 50 ms apart, so a process that takes
    17 ms would be measured as 32 ms."""
    late = threading.Event()

    def end():
        late.set()
        process.kill()

    deadline = threading.Timer(timeout, end)
    deadline.start()
    try:
        process.wait()
    finally:
        deadline.cancel()
    return late.is_set()


class _PeakWatch:
    """Polls VmHWM: unlike ru_maxrss it does not begin at the size of the process that forked."""

    def __init__(self, pid):
        self.peak_bytes = 0
        self._status = pathlib.Path(f"/proc/{pid}/status")
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._poll, daemon=True)
        self._thread.start()

    def stop(self):
        self._stopped.set()
        self._thread.join()

    def _poll(self):
        while not self._stopped.wait(POLL_SECONDS):
            try:
                lines = self._status.read_text().splitlines()
            except OSError:
                return
            for line in lines:
                if line.startswith("VmHWM:"):
                    self.peak_bytes = int(line.split()[1]) * 1024


def _last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
