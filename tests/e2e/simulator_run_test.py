# SPDX-License-Identifier: Apache-2.0
"""gs-simulator as people and CI jobs start it: drive, record, replay, verify, and what goes wrong."""
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from programs import run

WORLD = pathlib.Path(os.environ["GS_ROOT"]) / "worlds" / "minimal_test"

SCRIPT = """
commands:
- {at: 0, speed: 6}
- {at: 0.5, steering_angle: 0.15}
- {at: 1.0, steering_angle: -0.15}
duration: 1.5
"""


def simulator(*arguments, **options):
    return run("gs-simulator", *arguments, **options)


class SimulatorRun(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_sim_"))
        self.addCleanup(shutil.rmtree, self.dir)
        self.script = self.write("drive.yaml", SCRIPT)

    def write(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return path

    def run_world(self, *arguments, world=WORLD, **options):
        return simulator("run", world, "--headless", *arguments, **options)

    def succeed(self, *arguments, **options):
        result = self.run_world(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        return result

    def error_of(self, result):
        return json.loads(result.stderr)["error"]

    def broken_world(self, change):
        world = self.dir / "world"
        shutil.copytree(WORLD, world)
        change(world)
        return world

    def test_the_same_run_gives_the_same_bytes_for_any_number_of_threads(self):
        logs = []
        for name, threads in [("one", 1), ("eight", 8), ("again", 8)]:
            folder = self.dir / name
            folder.mkdir()
            logs.append(folder / "run.mcap")
            self.succeed("--script", self.script, "--record", logs[-1], "--threads", threads,
                         "--set", "sensors.lidar.raycast.add_noise=true")
        self.assertEqual(logs[0].read_bytes(), logs[1].read_bytes())
        self.assertEqual(logs[1].read_bytes(), logs[2].read_bytes())
        self.assertTrue((self.dir / "one" / "metadata.yaml").exists())
        result = simulator("verify", logs[0], logs[1])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_recorded_run_replays_to_the_same_run(self):
        first, again = self.dir / "a" / "run.mcap", self.dir / "b" / "run.mcap"
        path = self.write("path.yaml", "follow: {path: [[10, 0], [16, 0.5], [30, 0]], speed: 5}\n"
                                       "duration: 2\n")
        self.succeed("--script", path, "--record", first, "--no-sensors")
        self.succeed("--replay-control", first, "--record", again, "--no-sensors")
        result = simulator("verify", first, again)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_verify_says_where_two_runs_part(self):
        a, b = self.dir / "a" / "run.mcap", self.dir / "b" / "run.mcap"
        self.succeed("--script", self.script, "--record", a, "--no-sensors")
        self.succeed("--script", self.script, "--record", b, "--no-sensors",
                     "--set", "vehicle.wheelbase=2.9")
        result = simulator("verify", a, b)
        self.assertEqual(result.returncode, 20)
        self.assertRegex(result.stdout, "/(odom|tf|vehicle/state)")
        self.assertEqual(simulator("verify", a, self.dir / "none.mcap").returncode, 1)

    def test_every_topic_of_the_contract_is_recorded(self):
        log = self.dir / "run.mcap"
        self.succeed("--script", self.script, "--record", log)
        result = run("gs-inspect", "log", log)
        self.assertEqual(result.returncode, 0, result.stderr)
        for topic in ["/clock", "/tf", "/tf_static", "/odom", "/vehicle/state", "/sim/status",
                      "/sim/world_info", "/camera/front/image_raw", "/camera/front/camera_info",
                      "/lidar/top/points", "/vehicle/control_cmd"]:
            # As a whole word: /tf is more than the beginning of /tf_static.
            self.assertRegex(result.stdout, rf"(?m)(?:^|\s){re.escape(topic)}(?:\s|$)")

    def test_report_and_junit_tell_what_happened(self):
        report, junit = self.dir / "out.json", self.dir / "out.xml"
        script = self.write("off.yaml", "commands: [{at: 0, speed: 30}]\nduration: 60\n"
                                        "stop_when: [offroad]\nfail_when: [collision, offroad]\n")
        result = self.run_world("--script", script, "--no-sensors", "--report", report,
                                "--junit", junit)
        self.assertEqual(result.returncode, 11, result.stderr)
        told = json.loads(report.read_text())
        self.assertEqual(told["failures"], ["offroad"])
        self.assertFalse(told["success"])
        self.assertAlmostEqual(told["final_state"]["x"], 100, delta=0.5)
        suite = ElementTree.fromstring(junit.read_text())
        self.assertEqual(suite.get("failures"), "1")
        self.assertEqual(len(suite.findall("testcase")), 3)

    def test_the_command_line_wins_over_the_script(self):
        result = self.succeed("--script", self.script, "--duration", "0.2", "--no-sensors")
        self.assertIn("0.20 s", result.stdout)
        self.assertIn("ended by duration", result.stdout)

    def test_a_missed_deadline_fails_when_asked(self):
        result = self.run_world("--duration", "0.1", "--set", "simulation.max_step_time=0.0001",
                                "--fail-when", "missed_deadline")
        self.assertEqual(result.returncode, 12, result.stdout)

    def test_a_wall_stops_the_vehicle(self):
        def add_wall(world):
            heightmap = world / "geometry" / "heightmap.bin"
            samples = list(struct.unpack(f"<{128 * 128}f", heightmap.read_bytes()))
            for row in range(128):
                samples[row * 128 + 44] = 1.0  # x = 30
            heightmap.write_bytes(struct.pack(f"<{128 * 128}f", *samples))
            meta = world / "geometry" / "heightmap.yaml"
            lines = [("max_height: 1.0" if line.startswith("max_height") else line)
                     for line in meta.read_text().splitlines()]
            meta.write_text("\n".join(lines) + "\n")
        script = self.write("wall.yaml", "commands: [{at: 0, speed: 8}]\nduration: 6\n")
        result = self.run_world("--script", script, "--no-sensors", "--on-collision", "stop",
                                "--fail-when", "collision", world=self.broken_world(add_wall))
        self.assertEqual(result.returncode, 10, result.stderr + result.stdout)
        self.assertIn("0.00 m/s", result.stdout)

    def test_paused_it_steps_when_told(self):
        result = self.succeed("--start-paused", "--no-sensors", "--duration", "5", input="\n5\nq\n")
        self.assertIn("6 steps", result.stdout)
        result = self.succeed("--start-paused", "--no-sensors", "--duration", "0.5", input="r\n")
        self.assertIn("ended by duration", result.stdout)

    def test_parameters_come_from_files_and_are_checked(self):
        params = self.write("p.yaml", "vehicle: {max_speed: 2}\nsensors: {camera: {enable: false}, "
                                      "lidar: {enable: false}}\n")
        result = self.succeed("--params", params, "--script", self.script)
        self.assertIn("0 images, 0 clouds", result.stdout)
        result = self.run_world("--set", "vehicle.wheelbse=3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("did you mean 'wheelbase'", json.dumps(self.error_of(result)))
        result = self.run_world("--set", "sensors.camera.cameras=[fornt]")
        self.assertIn("did you mean 'front'", json.dumps(self.error_of(result)))
        result = self.run_world("--fail-when", "crash")
        self.assertEqual(result.returncode, 1)
        self.assertIn("collision", self.error_of(result)["suggestion"])

    def test_broken_bundles_end_with_the_codes_of_the_contract(self):
        result = self.run_world(world=self.dir / "nowhere")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.error_of(result)["code"], "BUNDLE_NOT_FOUND")

    def test_a_missing_heightmap_is_exit_3(self):
        world = self.broken_world(lambda w: (w / "geometry" / "heightmap.bin").unlink())
        self.assertEqual(self.run_world(world=world).returncode, 3)

    def test_a_broken_heightmap_is_exit_2(self):
        world = self.broken_world(
            lambda w: (w / "geometry" / "heightmap.bin").write_bytes(b"short"))
        self.assertEqual(self.run_world(world=world).returncode, 2)

    def test_calibration_and_tf_static_that_differ_are_exit_2(self):
        def move(world):
            file = world / "sensors" / "tf_static.json"
            tree = json.loads(file.read_text())
            tree["transforms"][0]["transform"]["translation"]["x"] += 0.5
            file.write_text(json.dumps(tree))
        self.assertEqual(self.run_world(world=self.broken_world(move)).returncode, 2)

    def test_an_empty_drivable_area_runs_off_the_road(self):
        def empty(world):
            file = world / "geometry" / "drivable.geojson"
            tree = json.loads(file.read_text())
            tree["features"] = []
            file.write_text(json.dumps(tree))
        report = self.dir / "out.json"
        self.succeed("--duration", "1", "--no-sensors", "--report", report,
                     world=self.broken_world(empty))
        told = json.loads(report.read_text())
        self.assertEqual(told["events"]["offroad"], {"count": 1, "first_at": 0.0})
        self.assertTrue(any("drivable" in warning for warning in told["warnings"]))

    def test_a_gpu_by_name_that_is_not_there_is_exit_4(self):
        result = self.run_world("--renderer", "vulkan", "--duration", "0.1")
        self.assertEqual(result.returncode, 4, "there is no such renderer on any machine yet")
        self.assertEqual(self.error_of(result)["code"], "GPU_NOT_AVAILABLE")

    def edit_calibration(self, replacements):
        def change(world):
            file = world / "sensors" / "calibration.yaml"
            text = file.read_text()
            for old, new in replacements:
                self.assertIn(old, text)
                text = text.replace(old, new)
            file.write_text(text)
        return self.broken_world(change)

    def test_a_camera_of_one_pixel_and_a_lidar_of_one_ray_work(self):
        world = self.edit_calibration([
            ("image_width: 640", "image_width: 1"), ("image_height: 480", "image_height: 1"),
            ("cx: 320.0", "cx: 0.5"), ("cy: 240.0", "cy: 0.5"),
            ("channels: 32", "channels: 1"),
            ("horizontal_resolution: 0.4", "horizontal_resolution: 360.0")])
        result = self.run_world("--duration", "0.2", world=world)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("3 images, 5 clouds", result.stdout)

    def test_a_camera_of_8192_pixels_makes_its_picture(self):
        world = self.edit_calibration([("image_width: 640", "image_width: 8192"),
                                       ("image_height: 480", "image_height: 8192")])
        result = self.run_world("--duration", "0.01", world=world)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 images", result.stdout)

    def test_a_start_outside_the_map_runs(self):
        result = self.succeed("--duration", "0.3", "--set",
                              "simulation.initial_pose={x: 5000, y: -5000, z: 3}")
        self.assertIn("no ground known", result.stdout)

    def test_broken_scripts_and_logs_say_what_is_wrong(self):
        bad = self.write("bad.yaml", "commands:\n- {at: 1, speed: fast}\n- {at: 0}\n")
        result = self.run_world("--script", bad)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.error_of(result)["code"], "CONFIG_INVALID")
        self.assertEqual(len(self.error_of(result)["details"]["problems"]), 2)
        result = self.run_world("--replay-control", self.write("x.mcap", "not a log"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(self.error_of(result)["code"], "MCAP_READ_ERROR")

    def test_it_follows_the_way_of_the_recording(self):
        def add_trajectory(world):
            rows = [f"{1000 + t}.500000000,{10 + 4 * t},{0.1 * t},0,0,0,0,1" for t in range(8)]
            (world / "sim" / "trajectory.csv").write_text(
                "timestamp,x,y,z,qx,qy,qz,qw\n" + "\n".join(rows) + "\n")
            index = world / "world.yaml"
            index.write_text(index.read_text().replace(
                "sim/timebase.yaml\"", "sim/timebase.yaml\"\n  trajectory: \"sim/trajectory.csv\""))
        script = self.write("follow.yaml", "follow: {recorded: true}\nduration: 60\n"
                                           "fail_when: [not_arrived, offroad]\n")
        result = self.succeed("--script", script, "--no-sensors",
                              world=self.broken_world(add_trajectory))
        self.assertIn("ended by arrived", result.stdout)
        result = self.run_world("--script", script)
        self.assertEqual(result.returncode, 1)
        self.assertIn("follow.path", self.error_of(result)["suggestion"])

    def test_a_path_can_be_followed_without_a_script(self):
        path = self.write("poses.csv", "x,y\n10,0\n16,0.5\n22,0\n")
        result = self.succeed("--follow", path, "--no-sensors")
        self.assertIn("ended by arrived", result.stdout)
        looped = self.succeed("--follow", path, "--loop", "--no-sensors", "--duration", 30,
                              "--report", self.dir / "loop.json")
        self.assertIn("ended by duration", looped.stdout)
        report = json.loads((self.dir / "loop.json").read_text())
        self.assertGreater(report["distance_m"], 30)  # the path has 12 m
        both = self.run_world("--follow", path, "--script", self.script)
        self.assertEqual(self.error_of(both)["code"], "USAGE_ERROR")

    def test_a_port_that_is_taken_is_said(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            result = self.run_world("--web", "--web-port", port, "--no-sensors", "--duration", 1)
        error = self.error_of(result)
        self.assertIn(str(port), error["message"])
        self.assertIn("port", error["suggestion"])

    def test_with_a_browser_the_run_is_recorded_as_without(self):
        logs = [self.dir / "a" / "run.mcap", self.dir / "b" / "run.mcap"]
        for log, web in zip(logs, [[], ["--web", "--web-port", 0, "--fast"]]):
            log.parent.mkdir()
            self.succeed("--script", self.script, "--record", log, *web)
        self.assertEqual(logs[0].read_bytes(), logs[1].read_bytes())

    def test_help_teaches(self):
        self.assertIn("--fail-when", simulator("run", "--help").stdout)
        self.assertIn("Exit codes", simulator("--help").stdout)
        for kind in ["vehicle", "sim", "sensors"]:
            printed = simulator("print-default-config", kind)
            shipped = (pathlib.Path(os.environ["GS_ROOT"]) / "gs_ros2_simulator" / "config" /
                       f"default_{kind}.yaml")
            self.assertEqual(printed.stdout, shipped.read_text())


if __name__ == "__main__":
    unittest.main()
