# SPDX-License-Identifier: Apache-2.0
"""gs-world-builder validate-config and print-default-config, as a person starts them."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import programs

VERSION = 'version: "1.0.0"\n'


def run(*arguments):
    return programs.run("gs-world-builder", *arguments, text=False)


class ValidateConfig(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def validate(self, content, *options, name="config.yaml"):
        file = self.folder / name
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return run("validate-config", file, *options)

    def assert_invalid(self, result):
        """Exit 2, JSON on stderr; returns the problems as {path: (line, message)}."""
        self.assertEqual(result.returncode, 2, result.stderr)
        error = json.loads(result.stderr)["error"]
        self.assertEqual(error["code"], "CONFIG_INVALID")
        self.assertEqual(error["component"], "config")
        self.assertTrue(error["suggestion"])
        problems = error["details"]["problems"]
        self.assertEqual(result.stdout.count(b"\xe2\x9c\x97 "), len(problems))
        return {p["path"]: (p["line"], p["message"]) for p in problems}

    def test_a_good_file_is_valid_and_its_kind_is_recognised(self):
        for text, kind in [
            (VERSION + "topics: {cameras: {front: /image}}\n", "pipeline"),
            (VERSION + "training: {seed: 7}\n", "training"),
            (VERSION + "heightmap: {resolution: 0.2}\n", "geometry"),
        ]:
            result = self.validate(text, name="any.yaml")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr, b"")
            out = result.stdout.decode()
            self.assertRegex(out, rf"^\u2713 .*any\.yaml: valid \({kind} configuration, "
                                  r"2 keys set, \d+ defaults\)\n$")

    def test_json_output_can_be_read_by_a_program(self):
        good = json.loads(self.validate(VERSION + "drivable:\n", "--json").stdout)
        self.assertEqual((good["valid"], good["kind"], good["keys_set"]), (True, "geometry", 1))
        bad = json.loads(self.validate("drivable:\n", "--json").stdout)
        self.assertFalse(bad["valid"])
        self.assertEqual(bad["problems"][0]["path"], "version")

    def test_an_unknown_key_names_its_line_and_the_nearest_key(self):
        problems = self.assert_invalid(self.validate(VERSION + "heightmap:\n  resolutoin: 1\n"))
        line, message = problems["heightmap.resolutoin"]
        self.assertEqual(line, 3)
        self.assertIn("did you mean 'resolution'?", message)

    def test_the_lines_on_stdout_are_for_people(self):
        result = self.validate(VERSION + "heightmap:\n  resolution: -1\n")
        self.assertEqual(result.stdout.decode(),
                         "\u2717 heightmap.resolution: line 3: -1 is not between 0.01 and 100\n")

    def test_a_missing_file_is_a_configuration_error(self):
        problems = self.assert_invalid(run("validate-config", self.folder / "none.yaml"))
        self.assertIn("does not exist", problems[""][1])
        self.assert_invalid(run("validate-config", self.folder))

    def test_a_missing_seed_is_named(self):
        problems = self.assert_invalid(self.validate(VERSION + "training:\n  batch_size: 2\n"))
        self.assertIn("training.seed", problems)

    def test_duplicate_topics_are_named_with_both_places(self):
        problems = self.assert_invalid(self.validate(
            VERSION + "topics:\n  cameras: {front: /a}\n  lidars: {top: /a}\n"))
        line, message = problems["topics.lidars.top"]
        self.assertEqual(line, 4)
        self.assertIn("topics.cameras.front", message)

    def test_duplicate_keys_and_broken_syntax_are_named(self):
        self.assertIn("version", self.assert_invalid(self.validate(VERSION + VERSION)))
        self.assertIn("", self.assert_invalid(self.validate("a: [1\n")))

    def test_a_log_that_is_not_there_is_named(self):
        text = VERSION + "input:\n  mcap_file: drive.mcap\n"
        self.assertEqual(self.assert_invalid(self.validate(text))["input.mcap_file"][0], 3)
        (self.folder / "drive.mcap").write_bytes(b"x")
        self.assertEqual(self.validate(text).returncode, 0)

    def test_garbage_is_refused_and_never_crashes(self):
        for garbage in [b"", b"\0\1\2\xff\xfe", b"\xff" * 100, b"\x89PNG\r\n\x1a\n\0\0",
                        b"[" * 5000, b"a" * 100_000, b"# only a comment\n", b"42\n",
                        b"\x1b[31m: 1\nheightmap:\n", b"#" * (2 << 20)]:
            result = self.validate(garbage)
            self.assertEqual(result.returncode, 2, garbage[:40])
            json.loads(result.stderr)
            self.assertNotIn(b"\x1b", result.stdout)

    def test_a_file_of_no_known_kind_asks_for_the_kind(self):
        result = self.validate(VERSION, name="any.yaml")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--kind", json.loads(result.stderr)["error"]["suggestion"])
        self.assertEqual(self.validate(VERSION, "--kind", "geometry", name="any.yaml").returncode, 0)

    def test_bad_usage_is_exit_1_and_help_is_exit_0(self):
        for arguments in [[], ["validate-config"], ["nonsense"], ["validate-config", "a", "--no"],
                          ["validate-config", "a", "--kind", "x"], ["print-default-config", "x"]]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertEqual(json.loads(result.stderr)["error"]["code"], "USAGE_ERROR")
        near = json.loads(run("validate-confg", "a").stderr)["error"]["suggestion"]
        self.assertIn("'validate-config'", near)
        for arguments in [["--help"], ["--version"], ["validate-config", "--help"],
                          ["print-default-config", "-h"]]:
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr), (0, b""), arguments)
        self.assertIn(b"Example:", run("validate-config", "--help").stdout)

    def test_printed_defaults_are_valid(self):
        for kind in ["pipeline", "training", "geometry"]:
            for options in [[], ["--all"]]:
                text = run("print-default-config", kind, *options).stdout
                result = self.validate(text, name="any.yaml")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(kind.encode(), result.stdout)

    def test_results_that_cannot_be_written_are_not_success(self):
        with open("/dev/full", "wb") as full:
            result = programs.run("gs-world-builder", "print-default-config", "training",
                                  capture_output=False, stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(json.loads(result.stderr)["error"]["code"], "OUTPUT_FAILED")


if __name__ == "__main__":
    unittest.main()
