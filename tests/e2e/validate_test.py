# SPDX-License-Identifier: Apache-2.0
"""gs-world-builder validate, gs-simulator check and gs-inspect as people start them."""
import json
import os
import pathlib
import shutil
import tempfile
import unittest

from programs import run

ROOT = pathlib.Path(os.environ["GS_ROOT"])
WORLD = ROOT / "worlds" / "minimal_test"


class Validate(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_"))
        self.addCleanup(shutil.rmtree, self.dir)

    def broken_world(self, file, old, new):
        world = self.dir / "world"
        shutil.copytree(WORLD, world)
        text = (world / file).read_text()
        self.assertIn(old, text)
        (world / file).write_text(text.replace(old, new, 1))
        return world

    def test_the_checked_in_world_is_valid_without_a_warning(self):
        result = run("gs-world-builder", "validate", WORLD, "--strict")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lines = result.stdout.splitlines()
        self.assertIn("\u2713 gaussians/background.splat.ply: valid (100 Gaussians, SH degree 0)",
                      lines)
        self.assertTrue(lines[-1].startswith("VALID: "), lines[-1])
        self.assertTrue(all(line.startswith("\u2713 ") for line in lines[:-1]), lines)
        self.assertEqual(result.stderr, "")

    def test_the_checked_in_world_is_what_the_generator_writes(self):
        result = run("gs-make-test-data", "world", self.dir / "world")
        self.assertEqual(result.returncode, 0, result.stderr)
        names = {p.relative_to(WORLD) for p in WORLD.rglob("*") if p.is_file()}
        made = {p.relative_to(self.dir / "world")
                for p in (self.dir / "world").rglob("*") if p.is_file()}
        self.assertEqual(names, made)
        for name in names:
            self.assertEqual((WORLD / name).read_bytes(), (self.dir / "world" / name).read_bytes(),
                             name)

    def test_a_broken_world_names_file_line_and_rule_and_exits_6(self):
        world = self.broken_world("sensors/tf_static.json", '"x": 2.0', '"x": 2.1')
        result = run("gs-world-builder", "validate", world)
        self.assertEqual(result.returncode, 6)
        self.assertIn("\u2717 sensors/tf_static.json: invalid", result.stdout)
        self.assertIn("error tf_static.differs: ", result.stdout)
        error = json.loads(result.stderr)["error"]
        self.assertEqual(error["code"], "VALIDATION_FAILED")
        self.assertEqual(error["details"]["findings"][0]["rule"], "tf_static.differs")
        self.assertTrue(error["suggestion"])

    def test_json_says_the_same(self):
        world = self.broken_world("sim/timebase.yaml", "dt: 0.01", "dt: 0")
        result = run("gs-world-builder", "validate", world, "--json")
        self.assertEqual(result.returncode, 6)
        report = json.loads(result.stdout)
        self.assertFalse(report["valid"])
        self.assertEqual([(f["rule"], f["file"], f["line"]) for f in report["findings"]],
                         [("timebase.dt", "sim/timebase.yaml", 3)])

    def test_a_warning_is_valid_unless_strict(self):
        world = self.broken_world("metadata.json", "ROS2 REP-103 (FLU)", "NED")
        self.assertEqual(run("gs-world-builder", "validate", world).returncode, 0)
        self.assertEqual(run("gs-world-builder", "validate", world, "--strict").returncode, 6)

    def test_no_bundle_at_all_exits_6(self):
        result = run("gs-world-builder", "validate", self.dir / "absent")
        self.assertEqual(result.returncode, 6)
        self.assertEqual(json.loads(result.stderr)["error"]["code"], "BUNDLE_NOT_FOUND")

    def test_the_simulator_has_exit_codes_of_its_own(self):
        self.assertEqual(run("gs-simulator", "check", WORLD).returncode, 0)
        self.assertEqual(run("gs-simulator", "check", self.dir / "absent").returncode, 1)
        invalid = self.broken_world("sim/timebase.yaml", "dt: 0.01", "dt: 0")
        self.assertEqual(run("gs-simulator", "check", invalid).returncode, 2)
        (invalid / "geometry" / "heightmap.bin").unlink()
        self.assertEqual(run("gs-simulator", "check", invalid).returncode, 3)

    def test_a_start_that_is_nearly_zero_is_printed_as_zero(self):
        world = self.broken_world("sim/timebase.yaml", "[10.0, 0.0, 0.0]", "[10.0, -4.857e-17, 0.0]")
        result = run("gs-simulator", "check", world)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("start at (10, 0, 0)", result.stdout)

    def test_the_rules_page_is_what_the_program_prints(self):
        result = run("gs-world-builder", "rules", "--markdown")
        self.assertEqual(result.returncode, 0, result.stderr)
        page = (ROOT / "docs" / "interfaces" / "validation_rules.md").read_text()
        self.assertEqual(page, result.stdout)

    def test_inspect_describes_and_draws(self):
        info = json.loads(run("gs-inspect", "info", WORLD, "--json").stdout)
        self.assertEqual(info["gaussians"]["count"], 100)
        self.assertAlmostEqual(info["drivable"]["area_m2"], 1000)
        picture = self.dir / "overview.png"
        result = run("gs-inspect", "overview", WORLD, "--out", picture, "--size", "300")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


if __name__ == "__main__":
    unittest.main()
