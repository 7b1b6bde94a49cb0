# SPDX-License-Identifier: Apache-2.0
"""gs-world-builder report, and the page that build leaves in a world."""
import html.parser
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from programs import run

TRAINING = """\
version: "1.0.0"
training:
  seed: 7
  iterations: 20
  held_out_every: {every}
  densify: {{start_iter: 5, end_iter: 15, interval: 5}}
  native: {{max_gaussians: 3000, first_divisor: 8, last_divisor: 8, evaluate_images: 2}}
output: {{save_iterations: [20]}}
"""
VOID = {"meta", "img", "input", "br", "link", "hr"}
FRAMES = ["--max-frames", "3"]


class Page(html.parser.HTMLParser):
    """Follows the tags of a page: complains where they do not match, keeps what a test asks for."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.ids, self.links, self.images = [], [], [], [], []
        self.numbers, self.rows, self.words = "", [], ""
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f"never closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
            self.inside = attrs["id"]
        for name, value in attrs.items():
            if name in ("href", "src", "action", "xlink:href", "poster", "data"):
                self.links.append(value)
            if name.startswith("on"):
                self.problems.append(f"handler {name}")
        # The two of the slider are filled by the script.
        if tag == "img" and "src" in attrs:
            self.images.append(attrs)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f"</{tag}> after {self.open[-3:]}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and self.ids and self.ids[-1] == "numbers":
            self.numbers = self.numbers or data
        elif self.open and self.open[-1] not in ("style", "script"):
            self.words += data
        if self.open and self.open[-1] in ("td", "th") and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dir = pathlib.Path(tempfile.mkdtemp(prefix="gs_e2e_report_"))
        # A name that would be a tag if the page did not take care.
        cls.log = cls.dir / "a <b> & 'c'.mcap"
        made = run("gs-make-test-data", "drive", "--output", cls.log, "--seconds", 2, cwd=cls.dir)
        assert made.returncode == 0, made.stderr
        cls.world, cls.workspace = cls.dir / "world", cls.dir / "workspace"
        (cls.dir / "gs_training_config.yaml").write_text(TRAINING.format(every=8))
        built = cls.build()
        assert built.returncode == 0, built.stderr
        cls.build_progress = built.stderr

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.dir)

    @classmethod
    def build(cls):
        return run("gs-world-builder", "build", "--input", cls.log, "--output", cls.world,
                   "--min-duration", 1, "--workspace", cls.workspace, "--keep-workspace",
                   cwd=cls.dir)

    def report(self, name, *arguments):
        page = self.dir / name
        result = run("gs-world-builder", "report", self.world, "--log", self.log, "--output", page,
                     *FRAMES, "--max-scans", 4, *arguments, cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(str(page), result.stdout)
        return page.read_text()

    def check_page(self, text):
        page = Page(text)
        self.assertEqual(page.problems, [])
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for link in page.links:
            self.assertTrue(link.startswith(("data:image/", "#")), link[:60])
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
        self.assertNotRegex(text, r"(?i)https?://|@import|url\(")
        for image in page.images:
            self.assertTrue(image.get("alt"))
            self.assertGreater(int(image["width"]), 0)
        self.assertLess(len(text), 6_000_000)
        return page

    def test_1_build_leaves_a_page_in_the_world(self):
        self.assertIn("twin_report: done", self.build_progress)
        page = self.check_page((self.world / "twin_report.html").read_text())
        self.assertIn("timing", page.ids)
        self.assertIn("gs_training", page.words)
        self.assertIn("a <b> & 'c'.mcap", page.words)
        built = json.loads((self.world / "build_report.json").read_text())
        self.assertEqual([w for w in built["validation"]["warnings"] if "twin_report" in w], [])
        self.assertIn("twin_report_sec", built["processing_time"])
        self.assertGreater(built["statistics"]["peak_memory_mb"], 10)
        # One figure: that of the page, which is that of evaluate.
        measured = json.loads(page.numbers)["evaluation"]
        self.assertEqual(built["statistics"]["final_psnr"],
                         measured["overall"]["static_pixels"]["psnr_db"])
        self.assertEqual(built["statistics"]["final_psnr_whole_image"],
                         measured["overall"]["whole_image"]["psnr_db"])
        self.assertEqual(built["statistics"]["final_psnr_images"], measured["measured_images"])
        self.assertEqual([w for w in built["validation"]["warnings"] if "off_map" in w], [])
        valid = run("gs-world-builder", "validate", self.world, cwd=self.dir)
        self.assertEqual(valid.returncode, 0, valid.stdout)

    def test_2_its_numbers_are_those_of_evaluate(self):
        page = self.check_page(self.report("numbers.html", "--workspace", self.workspace))
        measured = run("gs-inspect", "evaluate", self.world, "--log", self.log, "--workspace",
                       self.workspace, "--json", *FRAMES, cwd=self.dir)
        self.assertEqual(measured.returncode, 0, measured.stderr)
        measured = json.loads(measured.stdout)
        numbers = json.loads(page.numbers)
        self.assertEqual(numbers["evaluation"], measured)
        rows = {row[0]: row for row in page.rows if row}
        def beside(view, metres):
            found = view["beside_path"].get(metres)
            return f"{found['psnr_db']:.2f}" if found else "\u2013"

        for name, view in [*measured["cameras"].items(), ("all", measured["overall"])]:
            self.assertEqual(rows[name][2:], [
                f"{view['whole_image']['psnr_db']:.2f}", f"{view['whole_image']['ssim']:.4f}",
                f"{view['static_pixels']['psnr_db']:.2f}", f"{view['static_pixels']['ssim']:.4f}",
                f"{view['depth']['median_m']:.3f}", f"{100 * view['depth']['within_30_cm']:.1f} %",
                *[beside(view, metres) for metres in measured["overall"]["beside_path"]]])
        psnrs = [frame["psnr_db"] for frame in numbers["frames"]]
        self.assertEqual(len(psnrs), 3)
        self.assertAlmostEqual(sum(psnrs) / 3, measured["overall"]["static_pixels"]["psnr_db"])
        lidar = numbers["lidars"]["top"]
        self.assertEqual(lidar["scans"], 4)
        # The road lies where the LiDAR saw it, and the LiDAR sees it there again.
        self.assertGreater(lidar["ground"]["recorded"], 10000)
        self.assertLess(lidar["ground"]["median_m"], 0.05)
        self.assertGreater(lidar["ground"]["coverage"], 0.9)
        self.assertEqual(lidar["all"]["recorded"],
                         lidar["ground"]["recorded"] + lidar["other"]["recorded"])
        self.assertGreater(lidar["confirmed"] / lidar["simulated"], 0.8)
        self.assertTrue(10 < numbers["drive"]["length_m"] < 20)

    def test_3_without_its_times_a_page_is_the_same_for_any_number_of_threads(self):
        one = self.report("one.html", "--no-timing", "--threads", 1)
        two = self.report("two.html", "--no-timing", "--threads", 2)
        self.assertTrue(one == two)
        self.assertNotIn('id="timing"', one)

    def test_4_a_real_log_says_what_is_unknown(self):
        alone = self.dir / "alone.mcap"
        alone.symlink_to(self.log)
        result = run("gs-world-builder", "report", self.world, "--log", alone, "--output",
                     "alone.html", *FRAMES, "--max-scans", 2, cwd=self.dir)
        self.assertEqual(result.returncode, 0, result.stderr)
        page = self.check_page((self.dir / "alone.html").read_text())
        self.assertIn("nothing tells how images look from elsewhere", page.words)
        self.assertEqual(json.loads(page.numbers)["evaluation"]["overall"]["beside_path"], {})

    def test_5_a_report_that_fails_is_a_warning_and_the_world_is_there(self):
        (self.dir / "gs_training_config.yaml").write_text(TRAINING.format(every=0))
        built = self.build()
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertTrue((self.world / "world.yaml").exists())
        self.assertFalse((self.world / "twin_report.html").exists())
        warnings = json.loads((self.world / "build_report.json").read_text())["validation"]["warnings"]
        self.assertTrue(any("twin_report" in w and "no held-out frame" in w for w in warnings))

    def test_6_a_missing_log_is_an_error_that_says_so(self):
        result = run("gs-world-builder", "report", self.world, "--log", "absent.mcap", cwd=self.dir)
        self.assertEqual(result.returncode, 3)
        error = json.loads(result.stderr[result.stderr.index("{\n"):])["error"]
        self.assertRegex(error["message"], re.escape("absent.mcap"))


if __name__ == "__main__":
    unittest.main()
