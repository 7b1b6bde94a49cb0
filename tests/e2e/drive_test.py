# SPDX-License-Identifier: Apache-2.0
"""gs-make-test-data drive, then gs-inspect log on it, whole and damaged, as people start them."""
import json
import pathlib
import shutil
import tempfile
import unittest

from programs import run

CAMERAS = ["front", "left", "right"]


class Drive(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_drive_"))
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        cls.log = cls.dir / "drive.mcap"
        cls.made = run("gs-make-test-data", "drive", "--seconds", 1, "--output", cls.log)

    def survey(self, log):
        result = run("gs-inspect", "log", log, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def damaged_copy(self, name, change):
        copy = self.dir / name
        content = bytearray(self.log.read_bytes())
        copy.write_bytes(change(content))
        return copy

    def test_making_a_drive_says_where_it_is(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        self.assertIn(f"{self.log}: 1 s sample drive", self.made.stdout)
        truth = pathlib.Path(f"{self.log}.truth")
        for name in ["drive.json", "poses.csv", "mesh.glb", "drivable.geojson"]:
            self.assertTrue((truth / name).is_file(), name)

    def test_json_has_the_counts_and_rates_of_the_sensors(self):
        survey = self.survey(self.log)
        expected = {"/imu/data": (100, 100), "/odom": (100, 100), "/gnss/fix": (5, 5),
                    "/lidar/top/points": (20, 20), "/tf_static": (1, 0), "/tf": (110, 109 / 0.99)}
        for camera in CAMERAS:
            expected[f"/camera/{camera}/camera_info"] = (12, 12)
            expected[f"/camera/{camera}/image_raw/compressed"] = (12, 12)
        topics = {topic["name"]: topic for topic in survey["topics"]}
        self.assertEqual(set(topics), set(expected))
        for name, (count, rate) in expected.items():
            self.assertEqual(topics[name]["count"], count, name)
            self.assertAlmostEqual(topics[name]["rate_hz"], rate, 4, name)
            self.assertEqual((topics[name]["gaps"], topics[name]["unreadable"]), (0, 0), name)
        self.assertEqual(survey["messages"], sum(count for count, _ in expected.values()))
        self.assertEqual((survey["damage"], survey["indexed"]), ([], True))
        self.assertAlmostEqual(survey["duration_sec"], 0.99)

    def test_json_has_sensors_calibration_and_frames(self):
        survey = self.survey(self.log)
        self.assertEqual([c["info_topic"] for c in survey["cameras"]],
                         [f"/camera/{camera}/camera_info" for camera in CAMERAS])
        for camera in survey["cameras"]:
            self.assertEqual((camera["width"], camera["height"]), (800, 450))
            self.assertEqual((camera["info_width"], camera["info_height"]), (800, 450))
            self.assertGreater(camera["fx"], 100)
            self.assertTrue(camera["frame_known"])
        (lidar,) = survey["lidars"]
        self.assertEqual(lidar["fields"], ["x", "y", "z", "intensity", "ring", "time"])
        self.assertTrue(lidar["frame_known"])
        self.assertEqual([(m["topic"], m["kind"], m["frame_known"]) for m in survey["motion"]],
                         [("/gnss/fix", "gnss", True), ("/imu/data", "imu", True)])
        self.assertEqual(survey["poses"], ["/odom"])
        edges = {(f["parent"], f["child"], f["static"]) for f in survey["frames"]}
        self.assertLessEqual({("map", "odom", False), ("odom", "base_link", False),
                              ("base_link", "lidar_top", True),
                              ("base_link", "camera_front", True)}, edges)

    def test_the_text_says_it_to_people(self):
        result = run("gs-inspect", "log", self.log)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        for line in [r"/lidar/top/points +sensor_msgs/msg/PointCloud2 +20 20\.00 Hz",
                     r"/tf_static +tf2_msgs/msg/TFMessage +1 +-",
                     r"/camera/front/image_raw/compressed: 800 x 450 jpeg, frame camera_front, ",
                     r"        lidar_top \(static, 1x\)", r"damage     none"]:
            self.assertRegex(result.stdout, line)
        self.assertNotIn("NOT in the TF tree", result.stdout)

    def test_a_truncated_log_is_reported_and_still_read(self):
        cut = self.damaged_copy("cut.mcap", lambda content: content[:len(content) * 2 // 3])
        survey = self.survey(cut)
        self.assertFalse(survey["indexed"])
        self.assertEqual(len(survey["damage"]), 1, survey["damage"])
        whole = {t["name"]: t["count"] for t in self.survey(self.log)["topics"]}
        for topic in survey["topics"]:
            self.assertEqual(topic["unreadable"], 0, topic["name"])
            self.assertLessEqual(topic["count"], whole[topic["name"]])
        self.assertGreater(survey["messages"], sum(whole.values()) / 3)
        text = run("gs-inspect", "log", cut).stdout
        self.assertRegex(text, r"damage +1 place, \d+ bytes lost\n.*cut\.mcap at byte \d+: ")

    def test_a_damaged_chunk_is_lost_alone(self):
        def flip(content):
            content[len(content) // 2] ^= 0x55
            return content
        survey = self.survey(self.damaged_copy("flip.mcap", flip))
        self.assertEqual(len(survey["damage"]), 1, survey["damage"])
        self.assertGreater(survey["messages"], 200)

    def test_no_log_is_an_error_with_a_suggestion(self):
        (self.dir / "text.mcap").write_text("not a log")
        for file in ["absent.mcap", "text.mcap"]:
            result = run("gs-inspect", "log", self.dir / file)
            self.assertNotEqual(result.returncode, 0)
            error = json.loads(result.stderr)["error"]
            self.assertEqual(error["code"], "MCAP_READ_ERROR")
            self.assertTrue(error["suggestion"])


if __name__ == "__main__":
    unittest.main()
