# SPDX-License-Identifier: Apache-2.0
"""Programs of ours, started as people start them: none runs for ever, none outlives its test."""
import os
import pathlib
import subprocess

BIN = pathlib.Path(os.environ["GS_BIN_DIR"])
PATIENCE_S = 400  # of a busy machine; ctest has more
# What programs date by the clock has the same bytes every time.
SAME_TIME = {"SOURCE_DATE_EPOCH": "1772359200"}


def run(program, *arguments, **options):
    """Its exit code and what it printed, as text."""
    return subprocess.run([BIN / program, *map(str, arguments)],
                          **{"capture_output": True, "text": True, "timeout": PATIENCE_S,
                             "env": {**os.environ, **SAME_TIME}, **options})


def start(test, program, *arguments, **options):
    """Runs beside the test, with stderr to read, until it ends or the test does."""
    process = subprocess.Popen([BIN / program, *map(str, arguments)], text=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)

    def end():
        process.kill()
        process.wait()
        process.stderr.close()
    test.addCleanup(end)
    return process


def wait_for(test, what, holds, process, seconds=PATIENCE_S):
    """Until it holds; fails when the process ends before, or does not get there."""
    for _ in range(int(seconds / 0.02)):
        if holds():
            return
        try:
            process.wait(timeout=0.02)
        except subprocess.TimeoutExpired:
            continue
        test.fail(f"it ended before {what}: {process.stderr.read()}")
    test.fail(f"waited {seconds} s for {what}")
