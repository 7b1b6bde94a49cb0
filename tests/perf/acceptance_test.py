# SPDX-License-Identifier: Apache-2.0
"""The acceptance figures that are about time and memory: docs/acceptance.md lists them all."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

BIN = pathlib.Path(os.environ["GS_BIN_DIR"])
MINUTES = float(os.environ.get("GS_PERF_MINUTES", "10"))  # of the run that must not grow


class Run:
    """A finished run of the simulator: its report, wall time and peak memory in MB."""

    def __init__(self, folder, world, *options):
        report = folder / "report.json"
        begin = time.monotonic()
        child = subprocess.Popen([BIN / "gs-simulator", "run", world, "--report", report,
                                  *map(str, options)], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise AssertionError(f"{options} exited with {child.returncode}")
        self.wall_sec = time.monotonic() - begin
        self.peak_mb = usage.ru_maxrss / 1024
        self.report = json.loads(report.read_text())
        self.factor = self.report["timing"]["real_time_factor"]

    def milliseconds_per_step(self):
        return 1e3 * self.report["timing"]["wall_time_sec"] / self.report["steps"]


def memory_mb(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise AssertionError("the simulator has ended")


class Acceptance(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_acceptance_"))
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        os.environ["ROS_DOMAIN_ID"] = str(1 + os.getpid() % 100)
        os.environ["ROS_LOCALHOST_ONLY"] = "1"

    def world(self, kind):
        folder = self.dir / kind
        if not folder.exists():
            subprocess.run([BIN / "gs-make-test-data", "world", folder, "--kind", kind], check=True,
                           stdout=subprocess.DEVNULL)
        return folder

    def run_in(self, kind, *options):
        return Run(self.dir, self.world(kind), *options)

    def judge(self, what, value, bar, unit, is_least=False):
        print(f"{what}: {value:.3g} {unit} ({'at least' if is_least else 'at most'} {bar:g})",
              flush=True)
        (self.assertGreaterEqual if is_least else self.assertLessEqual)(value, bar, what)

    def test_the_minimal_bundle(self):
        start = self.run_in("minimal", "--headless", "--duration", 0)
        self.judge("minimal bundle, start", start.wall_sec, 5, "s")
        run = self.run_in("minimal", "--headless", "--duration", 10)
        self.judge("minimal bundle, real-time factor", run.factor, 1.0, "", is_least=True)
        self.judge("minimal bundle, memory", run.peak_mb, 500, "MB")

    def test_the_standard_bundle(self):
        run = self.run_in("standard", "--headless", "--follow", "recorded", "--duration", 10)
        self.judge("standard bundle, real-time factor", run.factor, 0.95, "", is_least=True)

    def test_the_benchmark_world_keeps_the_time_of_its_steps(self):
        run = self.run_in("benchmark", "--headless", "--follow", "recorded", "--duration", 10)
        self.judge("benchmark world, mean step", run.milliseconds_per_step(), 10, "ms")

    def test_publishing_a_step_takes_less_than_a_millisecond(self):
        quick = ("--no-sensors", "--no-web", "--duration", 60, "--real-time-factor", 0)
        alone = self.run_in("minimal", "--headless", *quick).milliseconds_per_step()
        self.judge("a step without sensors", alone, 0.1 + 0.5, "ms")
        published = self.run_in("minimal", *quick).milliseconds_per_step()
        self.judge("publishing it", published - alone, 1, "ms")

    def test_the_largest_bundle_starts_fits_and_does_not_grow(self):
        start = self.run_in("largest", "--headless", "--duration", 0)
        self.judge("largest bundle, start", start.wall_sec, 60, "s")
        child = subprocess.Popen([BIN / "gs-simulator", "run", self.world("largest"), "--headless",
                                  "--follow", "recorded", "--loop", "--duration", "1000000"],
                                 stdout=subprocess.DEVNULL)
        self.addCleanup(child.kill)
        seconds = 60 * MINUTES
        samples = []  # memory in MB, every fiftieth of the time
        for _ in range(50):
            time.sleep(seconds / 50)
            samples.append(memory_mb(child.pid))
        child.send_signal(signal.SIGINT)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
        self.judge("largest bundle, memory", usage.ru_maxrss / 1024, 4096, "MB")
        settled, late = max(samples[10:20]), max(samples[40:])
        self.judge(f"largest bundle, growth over {0.6 * MINUTES:g} min", late - settled,
                   16 + 0.005 * settled, "MB")


if __name__ == "__main__":
    unittest.main(verbosity=2)
