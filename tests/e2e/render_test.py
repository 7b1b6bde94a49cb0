# SPDX-License-Identifier: Apache-2.0
"""gs-inspect render: pictures of a world, as people ask for them."""
import json
import os
import pathlib
import shutil
import struct
import tempfile
import unittest

from programs import run

WORLD = pathlib.Path(os.environ["GS_ROOT"]) / "worlds" / "minimal_test"


def png_size(path):
    return struct.unpack(">II", path.read_bytes()[16:24])


class Render(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_render_"))
        self.addCleanup(shutil.rmtree, self.dir)

    def render(self, *arguments, world=WORLD):
        return run("gs-inspect", "render", world, *arguments)

    def test_a_picture_has_the_size_of_the_camera_and_the_same_bytes_every_time(self):
        one, two = self.dir / "one.png", self.dir / "two.png"
        for out, threads in [(one, 1), (two, 2)]:
            result = self.render("--camera", "front", "--pose", "20,0,0,0", "--out", out,
                                 "--threads", threads)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("640 x 480 pixels", result.stdout)
        self.assertEqual(png_size(one), (640, 480))
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_turning_the_camera_changes_the_picture(self):
        ahead, turned = self.dir / "ahead.png", self.dir / "turned.png"
        self.render("--pose", "20,0,0,0", "--out", ahead)
        self.render("--pose", "20,0,0,-20", "--out", turned)
        self.assertNotEqual(ahead.read_bytes(), turned.read_bytes())

    def test_depth_comes_as_a_picture_or_in_metres(self):
        for name in ["depth.png", "depth.pfm"]:
            result = self.render("--out", self.dir / "a.png", "--depth", self.dir / name)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(png_size(self.dir / "depth.png"), (640, 480 + 18))  # with its legend
        content = (self.dir / "depth.pfm").read_bytes()
        self.assertTrue(content.startswith(b"Pf\n640 480\n-1.0\n"))
        depths = struct.unpack(f"<{640 * 480}f", content[-4 * 640 * 480:])
        seen = [depth for depth in depths if depth > 0]
        self.assertGreater(len(seen), 1000)
        self.assertTrue(all(0.1 <= depth <= 1000 for depth in seen))

    def test_a_trajectory_gives_a_picture_for_every_pose(self):
        poses = self.dir / "poses.csv"
        rows = [f"{t}.000000000,{10 + t},0,0,0,0,0,1" for t in range(6)]
        poses.write_text("timestamp,x,y,z,qx,qy,qz,qw\n" + "\n".join(rows) + "\n")
        result = self.render("--trajectory", poses, "--every", 2, "--out", self.dir / "frames")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(p.name for p in (self.dir / "frames").iterdir()),
                         ["000000.png", "000001.png", "000002.png"])

    def test_mistakes_say_what_to_do(self):
        result = self.render("--camera", "rear", "--out", self.dir / "a.png")
        self.assertNotEqual(result.returncode, 0)
        error = json.loads(result.stderr)["error"]
        self.assertEqual(error["code"], "INPUT_INVALID")
        self.assertIn("front", error["suggestion"])
        result = self.render("--out", self.dir / "a.png", world=self.dir / "nowhere")
        self.assertEqual(result.returncode, 1)
        self.assertFalse((self.dir / "a.png").exists())


if __name__ == "__main__":
    unittest.main()
