# SPDX-License-Identifier: Apache-2.0
"""Reading and writing a log of 4 GB takes the memory that one of 400 MB takes."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BIN = pathlib.Path(os.environ["GS_BIN_DIR"])
SMALL_MB, LARGE_MB = 400, 4000
PEAK_LIMIT_MB, GROWTH_LIMIT_MB = 200, 16


def run_measured(*command):
    """What the program printed, and its peak memory in MB (VmHWM, which the kernel counts)."""
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen([str(c) for c in command], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise AssertionError(f"{command} exited with {child.returncode}")
        out.seek(0)
        return out.read(), usage.ru_maxrss / 1024


class LogMemory(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_perf_"))
        self.addCleanup(shutil.rmtree, self.dir)
        if shutil.disk_usage(self.dir).free < 2 * LARGE_MB * 1_000_000:
            self.skipTest(f"less than {2 * LARGE_MB} MB are free in {self.dir}")

    def peaks_of(self, megabytes):
        log = self.dir / "big.mcap"
        _, writing = run_measured(BIN / "write_big_log", log, megabytes)
        self.assertGreater(log.stat().st_size, megabytes * 1_000_000)
        out, reading = run_measured(BIN / "gs-inspect", "log", log, "--json")
        survey = json.loads(out)
        self.assertEqual(survey["damage"], [])
        clouds = {t["name"]: t["count"] for t in survey["topics"]}["/points"]
        self.assertGreaterEqual(clouds * 0.961, megabytes)  # all of it was read
        log.unlink()
        print(f"{megabytes} MB: peak {writing:.1f} MB writing, {reading:.1f} MB reading")
        return writing, reading

    def test_peak_memory_does_not_grow_with_the_log(self):
        small, large = self.peaks_of(SMALL_MB), self.peaks_of(LARGE_MB)
        for what, before, after in zip(("writing", "reading"), small, large):
            self.assertLess(after, PEAK_LIMIT_MB, what)
            self.assertLess(after, before + GROWTH_LIMIT_MB, what)


if __name__ == "__main__":
    unittest.main(verbosity=2)
