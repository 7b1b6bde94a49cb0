# SPDX-License-Identifier: Apache-2.0
"""A log with the traits of real cars' logs, from doctor to the closed loop: base_link hangs over the
road, sensors fire at 9.68 Hz, somebody follows the ego, and an odometry wanders."""
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from programs import run

SECONDS = 8  # the shortest that shows every trait


class MeanDrive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_mean_"))
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        cls.log, cls.world = cls.dir / "real.mcap", cls.dir / "world"
        made = run("gs-make-test-data", "drive", "--preset", "real", "--seed", 5, "--seconds",
                   SECONDS, "--output", cls.log)
        assert made.returncode == 0, made.stderr
        config = cls.dir / "untrained.yaml"
        config.write_text('version: "1.0.0"\npipeline: {enable_gs_training: false}\n')
        cls.built = run("gs-world-builder", "build", "--input", cls.log, "--output", cls.world,
                        "--min-duration", 5, "--config", config, "--no-report")

    def test_1_doctor_chooses_the_odometry_that_does_not_wander(self):
        doctor = run("gs-world-builder", "doctor", self.log, "--min-duration", 5)
        self.assertEqual(doctor.returncode, 0, doctor.stdout)
        self.assertIn("9.68 Hz", doctor.stdout)
        self.assertIn("0.95 m above the road", doctor.stdout)

    def test_2_what_the_recording_was_is_kept(self):
        self.assertEqual(self.built.returncode, 0, self.built.stderr)
        calibration = (self.world / "sensors/calibration.yaml").read_text()
        for kept in ["camera_image_02_optical", "velodyne", "9.68"]:
            self.assertIn(kept, calibration)
        timebase = (self.world / "sim/timebase.yaml").read_text()
        height = float(re.search(r"base_link_above_ground:\s+height: ([\d.]+)", timebase)[1])
        self.assertAlmostEqual(height, 0.95, delta=0.02)
        self.assertTrue((self.world / "geometry/static_mesh.glb").is_file())

    def test_3_the_recorded_path_is_free_to_drive(self):
        report = self.dir / "run.json"
        driven = run("gs-simulator", "run", self.world, "--headless", "--follow", "recorded",
                     "--fail-when", "collision,offroad", "--duration", 6, "--report", report,
                     "--set", "sensors.camera.enable=false")
        self.assertEqual(driven.returncode, 0, driven.stderr)
        self.assertGreater(json.loads(report.read_text())["distance_m"], 15)


if __name__ == "__main__":
    unittest.main()
