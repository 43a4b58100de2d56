# SPDX-License-Identifier: Apache-2.0
"""Runs one command in its own process and measures it."""

import dataclasses
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
    peak_bytes: int  # resident memory of the process itself, not of its children


def run_measured(command, timeout):
    """Runs `command`; raises CommandFailed unless it exits with 0 within `timeout` seconds."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.perf_counter()
        try:
            process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=err)
        except OSError as error:
            raise CommandFailed(str(error)) from error
        watch = _PeakWatch(process.pid)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired as error:
            process.kill()
            process.wait()
            raise CommandFailed(f"still running after {timeout} s") from error
        finally:
            watch.stop()
        seconds = time.perf_counter() - start
        out.seek(0)
        err.seek(0)
        if status != 0:
            raise CommandFailed(_last_line(err.read()) or f"exit status {status}")
        return Finished(out.read(), seconds, watch.peak_bytes)


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
