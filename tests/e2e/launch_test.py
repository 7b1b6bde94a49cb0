# SPDX-License-Identifier: Apache-2.0
"""Every launch file, read as `ros2 launch` reads it, from where it is installed; its programs of ours
are then started with the very command line that comes out."""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from programs import run

ROOT = pathlib.Path(os.environ["GS_ROOT"])
BUILD = pathlib.Path(os.environ["GS_BIN_DIR"]).parent
WORLD = ROOT / "tests/data/minimal_world"  # where the specification has it
LIMITS = ["--duration", "0.02", "--no-web"]  # a run that ends, and takes no port


def cut(text):
    """[(is_substitution, piece)]: what stands in $(...), and what stands between."""
    return [(bool(i % 2), piece) for i, piece in enumerate(re.split(r"\$\(([^()]*)\)", text))
            if piece]


class Launch:
    """One launch file with values for its arguments, those of others being their defaults."""

    def __init__(self, file, prefix, **values):
        self.prefix = prefix
        self.root = ElementTree.parse(file).getroot()
        self.values = {}
        for arg in self.root.findall("arg"):
            name = arg.get("name")
            if name not in values and arg.get("default") is None:
                raise ValueError(f"{file.name} needs {name}")
            self.values[name] = str(values.pop(name, "")) if name in values \
                else self.expand(arg.get("default"))
        if values:
            raise ValueError(f"{file.name} knows no {list(values)}")

    def substitute(self, piece):
        command, name = shlex.split(piece)
        if command == "var":
            return self.values[name]
        if command == "find-pkg-share":
            share = self.prefix / "share" / name
            assert (self.prefix / "share/ament_index/resource_index/packages" / name).is_file(), name
            return str(share)
        raise ValueError(f"$({piece}): what is that?")

    def expand(self, text):
        return "".join(self.substitute(p) if is_substitution else p
                       for is_substitution, p in cut(text))

    def words(self, text):
        """A command line: text between substitutions is split as a shell does, piece by piece, so a
        quote that is open at the end of a piece is an error; a value stays whole, spaces and all."""
        words, goes_on = [], False  # the last word, with what follows
        for is_substitution, piece in cut(text):
            parts = [self.substitute(piece)] if is_substitution else shlex.split(piece)
            if goes_on and parts and (is_substitution or not piece[0].isspace()):
                words[-1] += parts.pop(0)
            words += parts
            goes_on = is_substitution or not piece[-1].isspace()
        return words

    def nodes(self):
        for node in self.root.findall("node"):
            condition = node.get("if")
            if condition is None or self.expand(condition) == "true":
                yield node

    def command(self, node, folder):
        """As launch_ros makes it: parameters come in files of their own, after everything else."""
        words = [self.prefix / "lib" / node.get("pkg") / node.get("exec"),
                 *self.words(node.get("args", ""))]
        if node.get("ros_args"):
            words += ["--ros-args", *self.words(node.get("ros_args"))]
        words += ["--ros-args", "-r", "__node:=" + node.get("name")]
        for i, param in enumerate(node.findall("param")):
            file = folder / f"launch_params_{i}"
            value = typed(self.expand(param.get("value")), param.get("type"))
            file.write_text(json.dumps(
                {"/**": {"ros__parameters": {param.get("name"): value}}}))
            words += ["--params-file", file]
        return list(map(str, words))


def typed(text, kind):
    """A parameter's text by the rules of YAML, unless it is said to be a string. Nothing at all is
    no value there, and launch ends with an error."""
    if kind == "str":
        return text
    if kind is not None:
        raise ValueError(f"type {kind} is not tested here")
    if text == "":
        raise ValueError("a parameter without a value and without a type")
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            pass
    return text


class LaunchFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs e2e launch "))  # with spaces
        cls.addClassCleanup(shutil.rmtree, cls.dir)
        # A workspace of colcon, or an installation made here.
        cls.prefix = pathlib.Path(os.environ.get("GS_PREFIX", cls.dir / "install it here"))
        if "GS_PREFIX" not in os.environ:
            subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                           stdout=subprocess.DEVNULL, timeout=120)
        cls.share = cls.prefix / "share/gs_ros2_simulator"
        cls.bringup = cls.share / "launch/bringup.launch.xml"

    def bringup_with(self, **values):
        return Launch(self.bringup, self.prefix, **{"world": WORLD, **values})

    def simulator(self, **values):
        """Runs what the launch file says, but not for ever and among ourselves."""
        launch = self.bringup_with(**values)
        node = next(n for n in launch.nodes() if n.get("pkg") == "gs_ros2_simulator")
        program, *words = launch.command(node, self.dir)
        self.assertTrue(os.access(program, os.X_OK), program)
        at = words.index("--ros-args")
        domain = str(1 + os.getpid() % 100)
        return run(program, *words[:at], *LIMITS, *words[at:], cwd=self.dir, env={
            **os.environ, "ROS_DOMAIN_ID": domain, "ROS_LOCALHOST_ONLY": "1"})

    def succeed(self, **values):
        result = self.simulator(**values)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("ignored", result.stderr)
        return result

    def test_every_launch_file_can_be_read_whole(self):
        files = sorted(ROOT.glob("*/launch/*"))
        self.assertTrue(files)
        for file in files:
            self.assertEqual(file.suffixes, [".launch", ".xml"], "read it here too")
            installed = self.prefix / "share" / file.relative_to(ROOT)
            self.assertEqual(installed.read_bytes(), file.read_bytes(), "not as installed")
            launch = Launch(installed, self.prefix, world=WORLD)
            for node in launch.root.iter("node"):
                with self.subTest(file=file.name, node=node.get("name")):
                    command = launch.command(node, self.dir)
                    self.assertNotIn("", command, "an argument that may get lost")
                    for word in command[1:]:
                        if word.startswith(str(self.prefix)):
                            self.assertTrue(pathlib.Path(word).is_file(), word)
                    if (ROOT / node.get("pkg")).is_dir():
                        self.assertTrue(os.access(command[0], os.X_OK), command[0])

    def test_it_has_the_arguments_of_the_contract(self):
        args = {arg.get("name"): arg.get("default")
                for arg in ElementTree.parse(self.bringup).getroot().findall("arg")}
        self.assertLessEqual({"world", "vehicle_config", "sim_config", "sensor_config", "use_sim_time",
                              "rviz", "log_level", "real_time_factor", "start_paused",
                              "replay_control"}, args.keys())
        self.assertEqual([name for name, default in args.items() if default is None], ["world"])

    def test_every_parameter_it_sets_is_one_of_the_simulator(self):
        node = next(n for n in self.bringup_with().nodes() if n.get("pkg") == "gs_ros2_simulator")
        self.assertTrue(node.findall("param"))
        for param in node.findall("param"):
            # No parameter takes a list of lists: a name that exists is refused for its value.
            result = run("gs-simulator", "run", WORLD, "--headless", *LIMITS, "--set",
                         param.get("name") + "=[[nonsense]]")
            self.assertNotEqual(result.returncode, 0, param.get("name"))
            self.assertNotIn("unknown key", result.stderr, param.get("name"))

    def test_defaults_start_the_simulator(self):
        self.assertIn("minimal_test: 0.02 s", self.succeed().stdout)

    def test_awkward_values_arrive_whole(self):
        world = self.dir / "my world"
        shutil.copytree(WORLD, world)
        configs = {}
        for name in ("vehicle", "sim", "sensor"):
            plural = "sensors" if name == "sensor" else name
            configs[f"{name}_config"] = shutil.copy(self.share / f"config/default_{plural}.yaml",
                                                    self.dir / f"my {name}.yaml")
        self.succeed(world=world, **configs, interface="autoware", log_level="debug",
                     real_time_factor="2", start_paused="false", rviz="false")

    def test_a_log_drives_when_one_is_given(self):
        log = self.dir / "drive again.mcap"
        (self.dir / "drive.yaml").write_text("commands:\n- {at: 0, speed: 6}\nduration: 0.5\n")
        recorded = run("gs-simulator", "run", WORLD, "--headless", "--no-sensors", "--script",
                       self.dir / "drive.yaml", "--record", log)
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        self.assertNotIn(", 0.00 m/s", self.succeed(replay_control=log).stdout)
        self.assertIn(", 0.00 m/s", self.succeed(replay_control="").stdout)
        missing = self.simulator(replay_control=self.dir / "no such log.mcap")
        self.assertNotEqual(missing.returncode, 0)
        self.assertIn("no such log.mcap", missing.stderr)

    def test_an_empty_log_leaves_that_of_the_parameter_file(self):
        (self.dir / "replay.yaml").write_text("simulation: {replay_control: nowhere.mcap}\n")
        result = self.simulator(sim_config=self.dir / "replay.yaml")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("nowhere.mcap", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
