# SPDX-License-Identifier: Apache-2.0
"""gs-world-builder build, run-step, rebuild and doctor as people start them, on a short drive."""
import json
import pathlib
import resource
import shutil
import signal
import tempfile
import unittest

from programs import run, start

SECONDS = 3
GATES = ["--min-duration", "2"]
NO_REPORT = "--no-report"  # report_test.py looks at that; here it would only take time
TRAINING = """\
version: "1.0.0"
training:
  seed: 7
  iterations: 20
  densify: {start_iter: 5, end_iter: 15, interval: 5}
  native: {max_gaussians: 3000, first_divisor: 8, last_divisor: 8, evaluate_images: 2}
output: {save_iterations: [20]}
"""


def files_of(folder):
    """Content by name; the report of the build tells times and may differ."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file() and p.name != "build_report.json"}


class Build(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_drive_"))
        cls.log = cls.shared / "drive.mcap"
        made = run("gs-make-test-data", "drive", "--output", cls.log, "--seconds", SECONDS,
                   cwd=cls.shared)
        assert made.returncode == 0, made.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.shared)

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.world = self.dir / "worlds" / "mine"
        self.workspace = self.dir / ".gs_world_builder_workspace" / "mine"
        # Read because it lies beside the call: a training that is over at once.
        (self.dir / "gs_training_config.yaml").write_text(TRAINING)

    def build(self, *arguments, **options):
        return run("gs-world-builder", "build", "--input", self.log, "--output", self.world,
                   NO_REPORT, *GATES, *arguments, cwd=self.dir, **options)

    def test_a_bundle_comes_from_the_log_alone_and_resumes_and_rebuilds(self):
        first = self.build("--keep-workspace", "--workers", 8)
        self.assertEqual(first.returncode, 0, first.stderr)
        valid = run("gs-world-builder", "validate", self.world, cwd=self.dir)
        self.assertEqual(valid.returncode, 0, valid.stdout)
        self.assertTrue((self.world / "preview/overview.png").exists())
        report = json.loads((self.world / "build_report.json").read_text())
        self.assertEqual(report["validation"]["status"], "success")
        self.assertTrue(report["validation"]["world_bundle_valid"])
        self.assertEqual(report["statistics"]["num_cameras"], 3)
        self.assertIn("mcap_ingest_sec", report["processing_time"])
        self.check_workspace()
        bundle = files_of(self.world)

        with self.subTest("a second run skips what is up to date, and says so"):
            again = self.build("--keep-workspace")
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertIn("mcap_ingest: up to date, skipped", again.stderr)
            self.assertIn("geometry_builder: up to date, skipped", again.stderr)
            self.assertEqual(files_of(self.world), bundle)

        with self.subTest("a changed configuration redoes what depends on it, no more"):
            (self.dir / "geometry_config.yaml").write_text(
                'version: "1.0.0"\ndrivable: {method: trajectory_buffer}\n')
            changed = self.build("--keep-workspace")
            self.assertIn("mcap_ingest: up to date, skipped", changed.stderr)
            self.assertIn("geometry_builder: done", changed.stderr)
            self.assertNotEqual(files_of(self.world)["geometry/drivable.geojson"],
                                bundle["geometry/drivable.geojson"])
            (self.dir / "geometry_config.yaml").unlink()

        with self.subTest("a stage can be run alone"):
            step = run("gs-world-builder", "run-step", "calibration_builder", "--input-workspace",
                       self.workspace, cwd=self.dir)
            self.assertEqual(step.returncode, 0, step.stderr)

        with self.subTest("one worker gives the bytes of eight, and rebuild the same again"):
            shutil.rmtree(self.workspace)
            report_file = self.dir / "report.json"
            report_file.write_text(json.dumps(report))
            rebuilt = run("gs-world-builder", "rebuild", "--report", report_file, NO_REPORT,
                          "--workers", 1, cwd=self.dir)
            self.assertEqual(rebuilt.returncode, 0, rebuilt.stderr)
            now = files_of(self.world)
            self.assertEqual(sorted(now), sorted(bundle))
            for name, content in bundle.items():
                self.assertTrue(now[name] == content, name)
            self.assertFalse(self.workspace.exists(), "removed after success")

    def check_workspace(self):
        ingest = self.workspace / "00_mcap_ingest"
        frameset = json.loads((ingest / "frameset.json").read_text())
        self.assertEqual(frameset["frames"][0]["sim_time"], 0)
        seen = set()
        for frame in frameset["frames"]:
            for sensor, trigger in frame.items():
                if sensor != "sim_time":
                    seen.add(sensor)
                    self.assertTrue((ingest / trigger["file_path"]).exists())
        self.assertEqual(seen, {"camera_front", "camera_left", "camera_right", "lidar_top"})
        timeline = json.loads((ingest / "timeline.json").read_text())
        for sensor in timeline["sensors"].values():
            self.assertEqual(sensor["frame_count"], len(sensor["timestamps"]))
            self.assertEqual(sensor["timestamps"], sorted(sensor["timestamps"]))
        self.check_poses(ingest / "raw_extract/poses.csv")
        dataset = self.workspace / "02_drivesim_dataset"
        transforms = json.loads((dataset / "transforms.json").read_text())
        self.assertEqual(len(transforms["frames"]), 3 * 12 * SECONDS)
        for frame in transforms["frames"]:
            self.assertTrue((dataset / frame["file_path"]).exists())
        config = json.loads((dataset / "dataset_config.json").read_text())
        self.assertEqual(config["mode"], "background_only")
        self.assertEqual(config["camera_ids"], ["camera_front", "camera_left", "camera_right"])

    def check_poses(self, file):
        """Odometry is exact in this drive, so poses are those of the truth."""
        truth = {}
        for line in (self.log.with_name("drive.mcap.truth") / "poses.csv").read_text() \
                .splitlines()[1:]:
            stamp, *pose = line.split(",")
            truth[int(stamp)] = list(map(float, pose))
        lines = file.read_text().splitlines()
        self.assertEqual(lines[0], "timestamp,x,y,z,qx,qy,qz,qw")
        self.assertEqual(len(lines) - 1, len(truth))
        for line in lines[1:]:
            stamp, *pose = line.split(",")
            exact = truth[int(stamp.replace(".", ""))]
            for a, b in zip(map(float, pose[:3]), exact[:3]):
                self.assertLess(abs(a - b), 1e-6)
            dot = abs(sum(a * b for a, b in zip(map(float, pose[3:]), exact[3:])))
            self.assertGreater(dot, 1 - 1e-9)

    def test_a_kill_in_mid_stage_leaves_nothing_and_the_next_run_recovers(self):
        process = start(self, "gs-world-builder", "build", "--input", self.log, "--output", self.world,
                        NO_REPORT, *GATES, cwd=self.dir)
        for line in process.stderr:
            if line.startswith("doctor: done"):  # mcap_ingest begins
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertFalse((self.workspace / "00_mcap_ingest/stage.json").exists())
        self.assertFalse(self.world.exists())
        finished = self.build()
        self.assertEqual(finished.returncode, 0, finished.stderr)
        self.assertTrue((self.world / "world.yaml").exists())

    def test_a_full_disk_is_an_error_and_the_next_run_recovers(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        full = self.build(preexec_fn=limit)
        self.assertEqual(full.returncode, 1, full.stderr)
        error = json.loads(full.stderr[full.stderr.index("{"):])["error"]
        self.assertEqual(error["code"], "OUTPUT_FAILED")
        self.assertFalse(self.world.exists())
        self.assertTrue(self.workspace.exists(), "kept on failure")
        report = json.loads((self.workspace / "build_report.json").read_text())
        self.assertEqual(report["validation"]["status"], "failed")
        self.assertEqual(report["error"]["code"], "OUTPUT_FAILED")
        self.assertEqual(self.build().returncode, 0)

    def test_gates_and_missing_logs_stop_a_build_before_anything_appears(self):
        short = run("gs-world-builder", "build", "--input", self.log, "--output", self.world,
                    cwd=self.dir)
        self.assertEqual(short.returncode, 3)
        error = json.loads(short.stderr[short.stderr.index("{"):])["error"]
        self.assertEqual(error["code"], "INSUFFICIENT_DATA")
        self.assertAlmostEqual(error["details"]["measured"], SECONDS, delta=0.1)
        self.assertFalse(self.world.exists())
        missing = run("gs-world-builder", "build", "--input", "absent.mcap", "--output",
                      self.world, cwd=self.dir)
        self.assertEqual(missing.returncode, 3)
        self.assertIn("MCAP_READ_ERROR", missing.stderr)
        broken = self.dir / "broken.mcap"
        broken.write_bytes(b"not a log at all")
        self.assertEqual(run("gs-world-builder", "doctor", broken, cwd=self.dir).returncode, 3)
        config = self.dir / "topics.yaml"
        config.write_text('version: "1.0.0"\ntopics: {cameras: {front: /nowhere}}\n')
        nowhere = self.build("--config", config)
        self.assertEqual(nowhere.returncode, 4)
        self.assertIn("available_topics", nowhere.stderr)
        config.write_text('version: "1.0.0"\nquality: {min_duration_sec: many}\n')
        self.assertEqual(self.build("--config", config).returncode, 2)

    def test_the_doctor_finds_the_sensors_and_says_so_to_programs(self):
        result = run("gs-world-builder", "doctor", self.log, *GATES, "--json", cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        diagnosis = json.loads(result.stdout)
        self.assertTrue(diagnosis["fit"])
        self.assertEqual([c["id"] for c in diagnosis["cameras"]], ["front", "left", "right"])
        self.assertEqual([c["id"] for c in diagnosis["lidars"]], ["top"])
        vehicle = [f["message"] for f in diagnosis["findings"] if f["subject"] == "vehicle"]
        self.assertRegex(vehicle[0], r"base_link -?0\.0\d m above the road, pitched -?0\.\d deg")

    def test_a_folder_that_is_no_bundle_is_not_replaced(self):
        self.world.mkdir(parents=True)
        (self.world / "thesis.txt").write_text("years of work")
        self.assertEqual(self.build().returncode, 1)
        self.assertEqual((self.world / "thesis.txt").read_text(), "years of work")


if __name__ == "__main__":
    unittest.main()
