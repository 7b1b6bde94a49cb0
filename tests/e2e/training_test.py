# SPDX-License-Identifier: Apache-2.0
"""gs_training, gs_export and gs-inspect evaluate as people start them: the native trainer through
kills and Ctrl-C, other trainers through programs that speak their files exactly."""
import json
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

import programs
from programs import run

HERE = pathlib.Path(__file__).parent
SECONDS = 2
SMALL = """\
version: "1.0.0"
model: {sh_degree: 1}
training:
  seed: 7
  iterations: 90
  densify: {start_iter: 10, end_iter: 60, interval: 20}
  native: {max_gaussians: 5000, first_divisor: 8, last_divisor: 8, evaluate_every: 0,
           evaluate_images: 3, sh_interval: 30}
output: {save_iterations: [30, 60, 90]}
"""


def error_of(stderr):
    return json.loads(stderr[stderr.index("{\n"):])["error"]


def read_ply(path):
    """Property names and rows of floats."""
    content = path.read_bytes()
    header, data = content.split(b"end_header\n", 1)
    names = [line.split()[2] for line in header.decode().splitlines()
             if line.startswith("property")]
    count = int(next(line.split()[2] for line in header.decode().splitlines()
                     if line.startswith("element")))
    floats = struct.unpack(f"<{count * len(names)}f", data)
    return [dict(zip(names, floats[i * len(names):(i + 1) * len(names)])) for i in range(count)]


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_training_"))
        cls.log = cls.shared / "drive.mcap"
        made = run("gs-make-test-data", "drive", "--output", cls.log, "--seconds", SECONDS)
        assert made.returncode == 0, made.stderr
        cls.config = cls.shared / "small.yaml"
        cls.config.write_text(SMALL)
        (cls.shared / "untrained.yaml").write_text(
            'version: "1.0.0"\npipeline: {enable_gs_training: false}\n')
        cls.prepared = cls.shared / "workspace"
        built = run("gs-world-builder", "build", "--input", cls.log, "--output",
                    cls.shared / "untrained", "--min-duration", "1", "--workspace", cls.prepared,
                    "--keep-workspace", "--no-report", "--config", cls.shared / "untrained.yaml",
                    "--gs-config", cls.config)
        assert built.returncode == 0, built.stderr
        # From here on, training is on.
        config = cls.prepared / "config.yaml"
        config.write_text(config.read_text().replace("enable_gs_training: false",
                                                     "enable_gs_training: true"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.shared)

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.workspace = self.dir / "workspace"
        # Times of change must stay: they are what stages are compared by.
        subprocess.run(["cp", "-a", self.prepared, self.workspace], check=True)
        self.training = self.workspace / "03_gs_training"

    def arguments(self, stage, *more):
        return ["run-step", stage, "--input-workspace", self.workspace, *more]

    def step(self, stage, *more):
        return run("gs-world-builder", *self.arguments(stage, *more), cwd=self.dir)

    def start(self, *more):
        return programs.start(self, "gs-world-builder", *self.arguments("gs_training", *more),
                              cwd=self.dir)

    def wait_for(self, path, process):
        programs.wait_for(self, path.name, path.exists, process)

    def report(self):
        return json.loads((self.training / "training_report.json").read_text())

    def test_a_killed_training_goes_on_and_gives_the_bytes_of_one_that_was_not(self):
        whole = self.step("gs_training")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        report = self.report()
        self.assertEqual([i["iteration"] for i in report["iterations"]], [30, 60, 90])
        self.assertIn(report["best_iteration"], [30, 60, 90])
        self.assertEqual(report["best_psnr"], max(i["psnr"] for i in report["iterations"]))
        self.assertEqual(report["config"]["seed"], 7)
        self.assertGreater(report["best_psnr"], 10)
        self.assertIn("iteration 90/90", (self.training / "training_log.txt").read_text())
        metrics = json.loads((self.training / "metrics.json").read_text())
        self.assertEqual(metrics["evaluations"][-1]["iteration"], 90)
        last = self.training / "checkpoints/iteration_90/background.splat.ply"
        expected = last.read_bytes()
        self.assertLessEqual(len(read_ply(last)), 5000)

        shutil.rmtree(self.training)
        process = self.start()
        self.wait_for(self.training / "checkpoints/iteration_30", process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        self.assertFalse((self.training / "stage.json").exists())
        again = self.step("gs_training", "--workers", "1")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("going on from here", (self.training / "training_log.txt").read_text())
        self.assertTrue(last.read_bytes() == expected)

        self.assertEqual(self.step("gs_export").returncode, 0)
        world = self.dir / "world"
        packed = self.step("world_bundle_packer", "--output", world)
        self.assertEqual(packed.returncode, 0, packed.stderr)
        self.assertTrue((world / "gaussians/sky.png").exists())
        self.assertIn("sky.png", (world / "world.yaml").read_text())
        metadata = json.loads((world / "metadata.json").read_text())
        self.assertEqual(metadata["processing_info"]["gs_training_iterations"],
                         self.report()["best_iteration"])
        self.check_evaluation(world)

    def check_evaluation(self, world):
        pictures = self.dir / "pictures"
        result = run("gs-inspect", "evaluate", world, "--log", self.log, "--max-frames", 3,
                     "--json", "--save-images", pictures)
        self.assertEqual(result.returncode, 0, result.stderr)
        measured = json.loads(result.stdout)
        self.assertEqual(measured["measured_images"], 3)
        self.assertEqual(measured["static_pixels_from"], "truth")
        self.assertEqual(set(measured["cameras"]), {"front", "left", "right"})
        for camera in measured["cameras"].values():
            self.assertTrue(10 < camera["whole_image"]["psnr_db"] < 40)
            self.assertTrue(0 < camera["static_pixels"]["ssim"] < 1)
            self.assertGreater(camera["depth"]["points"], 100)
        self.assertEqual(set(measured["overall"]["beside_path"]), {"1", "2", "3"})
        self.assertGreaterEqual(len(list(pictures.iterdir())), 3)

        with self.subTest("without truth, static pixels are unknown unless a workspace tells"):
            alone = self.dir / "alone.mcap"
            alone.symlink_to(self.log)
            bare = run("gs-inspect", "evaluate", world, "--log", alone, "--max-frames", 3)
            self.assertEqual(bare.returncode, 0, bare.stderr)
            self.assertIn("static pixels: unknown", bare.stdout)
            told = run("gs-inspect", "evaluate", world, "--log", alone, "--max-frames", 3,
                       "--workspace", self.workspace, "--json")
            told = json.loads(told.stdout)
            self.assertEqual(told["static_pixels_from"], "moving LiDAR points")
            self.assertEqual(told["overall"]["beside_path"], {})

    def test_ctrl_c_leaves_a_checkpoint_that_can_be_exported_or_gone_on_from(self):
        config = self.dir / "long.yaml"
        config.write_text(SMALL.replace("iterations: 90", "iterations: 100000"))
        process = self.start("--gs-config", config)
        self.wait_for(self.training / "checkpoints/iteration_30", process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=programs.PATIENCE_S)
        self.assertEqual(process.returncode, 5)
        error = error_of(stderr)
        self.assertEqual(error["code"], "TRAINING_FAILED")
        reached = error["details"]["iteration"]
        self.assertTrue((self.training / f"checkpoints/iteration_{reached}/state.bin").exists())
        exported = self.step("gs_export", "--gs-config", config)
        self.assertEqual(exported.returncode, 0, exported.stderr)

    def test_too_little_memory_is_said_before_training_begins(self):
        config = self.dir / "tight.yaml"
        config.write_text(SMALL.replace("max_gaussians: 5000", "max_gaussians: 1000000, memory_mb: 200"))
        result = self.step("gs_training", "--gs-config", config)
        self.assertEqual(result.returncode, 5)
        error = error_of(result.stderr)
        self.assertEqual(error["code"], "TRAINING_FAILED")
        self.assertEqual(error["details"]["limit_mb"], 200)
        self.assertGreater(error["details"]["needed_mb"], 200)

    # ---- other trainers

    def write_trainer(self, body):
        script = self.dir / "trainer.py"
        script.write_text(textwrap.dedent(body))
        return script

    def use_command(self, script):
        config = self.dir / "command.yaml"
        config.write_text(
            'version: "1.0.0"\ntraining:\n  seed: 7\n  iterations: 40\n  backend: command\n'
            "  densify: {start_iter: 1, end_iter: 40}\n"
            f'  command: {{line: "{sys.executable} {script} {{dataset}} {{output}} {{iterations}}"}}\n'
            "output: {save_iterations: [40]}\n")
        return config

    def test_a_command_trains_and_its_ply_comes_back(self):
        script = self.write_trainer("""\
            import json, pathlib, struct, sys
            dataset, output, iterations = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
            frames = json.loads((dataset / "transforms.json").read_text())["frames"]
            assert all((dataset / frame["file_path"]).exists() for frame in frames)
            for i in range(0, iterations + 1, 10):
                print(f"step {i}/{iterations}", flush=True)
            names = ["x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0",
                     "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
            rows = []
            # One splat 15 m before each camera (OpenGL axes look along -z), above the way of the vehicle.
            for frame in frames:
                m = frame["transform_matrix"]
                p = [m[r][3] - 15 * m[r][2] + (0, 0, 3)[r] for r in range(3)]
                rows.append([*p, 0, 0, 0, 0.1, 0.2, 0.3, 1, -2, -2, -2, 1, 0, 0, 0])
            header = "ply\\nformat binary_little_endian 1.0\\n" + f"element vertex {len(rows)}\\n"
            header += "".join(f"property float {name}\\n" for name in names) + "end_header\\n"
            (output / "point_cloud.ply").write_bytes(
                header.encode() + b"".join(struct.pack("<17f", *row) for row in rows))
            """)
        config = self.use_command(script)
        result = self.step("gs_training", "--gs-config", config)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = self.report()
        self.assertEqual(report["best_iteration"], 40)
        self.assertEqual(report["config"]["drivesim_commit"], "command")
        self.assertIn("step 40/40", (self.training / "training_log.txt").read_text())
        self.assertEqual(self.step("gs_export", "--gs-config", config).returncode, 0)
        splats = read_ply(self.workspace / "04_gs_export/background.splat.ply")
        self.assertEqual(len(splats), 3 * 12 * SECONDS)
        self.assertAlmostEqual(splats[0]["rot_3"], 1)  # x, y, z, w
        self.assertAlmostEqual(splats[0]["scale_0"], -2)

    def test_a_trainer_that_fails_is_told_with_its_last_words(self):
        script = self.write_trainer("""\
            import sys
            print("step 10/40", flush=True)
            print("it is too dark here", file=sys.stderr)
            sys.exit(3)
            """)
        result = self.step("gs_training", "--gs-config", self.use_command(script))
        self.assertEqual(result.returncode, 5)
        error = error_of(result.stderr)
        self.assertEqual(error["code"], "TRAINING_FAILED")
        self.assertIn("exit code 3 at iteration 10", error["message"])
        self.assertEqual(error["details"]["last_lines"][-1], "it is too dark here")

    def test_ctrl_c_reaches_the_trainer(self):
        script = self.write_trainer("""\
            import pathlib, signal, sys
            output = pathlib.Path(sys.argv[2])
            def stop(*_):
                (output / "stopped").touch()
                sys.exit(130)
            signal.signal(signal.SIGINT, stop)
            (output / "started").touch()
            signal.pause()
            """)
        process = self.start("--gs-config", self.use_command(script))
        self.wait_for(self.training / "trainer_output/started", process)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=programs.PATIENCE_S)
        self.assertEqual(process.returncode, 5)
        self.assertIn("training was stopped", error_of(stderr)["message"])
        self.assertTrue((self.training / "trainer_output/stopped").exists())

    def test_drivestudio_is_started_as_it_wants_and_its_checkpoint_comes_back_into_the_map(self):
        checkout = self.dir / "drivestudio"
        (checkout / "tools").mkdir(parents=True)
        (checkout / "configs").mkdir()
        (checkout / "configs/omnire.yaml").write_text("")
        shutil.copy(HERE / "torch_file.py", checkout / "tools")
        shutil.copy(HERE / "drivestudio_stand_in.py", checkout / "tools/train.py")
        config = self.dir / "drivestudio.yaml"
        config.write_text(
            'version: "1.0.0"\ntraining:\n  seed: 7\n  iterations: 300\n  backend: drivestudio\n'
            "  densify: {start_iter: 1, end_iter: 300}\n"
            f'  drivestudio: {{dir: "{checkout}", python: "{sys.executable}"}}\n'
            "output: {save_iterations: [150, 300]}\n")
        converted = self.step("drivesim_converter", "--gs-config", config)
        self.assertEqual(converted.returncode, 0, converted.stderr)
        result = self.step("gs_training", "--gs-config", config)
        self.assertEqual(result.returncode, 0, result.stderr)
        report = self.report()
        self.assertEqual(report["best_iteration"], 300)
        self.assertAlmostEqual(report["iterations"][0]["train_psnr"], 24.5)
        self.assertAlmostEqual(report["iterations"][0]["loss"], 0.05)
        # The stand-in put its splats on the path of camera 0, axes along those of the map, colour
        # brighter towards +x of the map.
        splats = read_ply(self.training / "checkpoints/iteration_300/background.splat.ply")
        poses = [line.split() for line in
                 (self.workspace / "02_drivesim_dataset/poses/camera_front.txt").read_text()
                 .splitlines()[1:]]
        self.assertEqual(len(splats), len(poses))
        for splat, pose in zip(splats, poses):
            for axis, value in zip("xyz", pose[2:5]):
                self.assertAlmostEqual(splat[axis], float(value), places=3)
            self.assertAlmostEqual(abs(splat["rot_3"]), 1, places=4)
            self.assertAlmostEqual(splat["f_rest_0"], 0, places=4)   # -y, +z, -x of red
            self.assertAlmostEqual(splat["f_rest_1"], 0, places=4)
            self.assertAlmostEqual(splat["f_rest_2"], -0.5, places=4)
        self.assertTrue((self.training / "checkpoints/iteration_300/sky.png").exists())


if __name__ == "__main__":
    unittest.main()
