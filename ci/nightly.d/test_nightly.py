"""Nights on small tables: what is done once for each commit, what is done again, and what the page says."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "ci" / "stages.d"), str(ROOT / "ci" / "nightly.d")]
import records
import table

TABLE = """
[[stage]]
name = "build"
command = "echo built >>{folder}/built"
proves = "it builds"
always = true

[[stage]]
name = "quick"
command = "echo quick >>{folder}/quick; echo 12 of 12"
proves = "the quick one | is right"
needs = ["build"]

[[stage]]
name = "breaks"
command = "test -e {folder}/mended || {{ echo it is broken; exit 5; }}"
proves = "it is mended"
needs = ["build"]

[[stage]]
name = "slow-a"
command = "touch {folder}/started; until test -e {folder}/go; do sleep 0.05; done; echo a | tee -a {folder}/slow"
proves = "the slow one is right"

[[stage]]
name = "slow-b"
command = "echo first; echo second"
proves = "the other slow one is right"
figures = "first|second"
"""


class Nights(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "stages.toml").write_text(TABLE.format(folder=self.folder))

    def command(self, *arguments):
        return [sys.executable, "-B", ROOT / "ci" / "nightly", *arguments, "--table", self.folder / "stages.toml",
                "--folder", self.folder / "results", "--cores", "2"]

    def nightly(self, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, text=True)

    def lines(self, name):
        path = self.folder / name
        return len(path.read_text().splitlines()) if path.exists() else 0

    def page(self):
        (path,) = (self.folder / "results").glob("*/page.md")
        return path.read_text()

    def test_a_stage_is_done_once_for_a_commit(self):
        (self.folder / "go").touch()
        first = self.nightly("quick", "slow")
        self.assertEqual((first.returncode, first.stdout.splitlines()[-1]), (0, "4 passed, 0 failed"))
        second = self.nightly("quick")
        self.assertIn("quick: passed for this commit", second.stdout)
        self.assertEqual(second.returncode, 0)
        self.assertEqual((self.lines("quick"), self.lines("built")), (1, 1))
        self.assertEqual(self.nightly("--again", "quick").returncode, 0)
        self.assertEqual((self.lines("quick"), self.lines("slow")), (2, 1))

    def test_the_rest_is_done_after_a_failure(self):
        (self.folder / "go").touch()
        done = self.nightly()
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "4 passed, 1 failed"))
        page = self.page()
        self.assertIn("**3 passed, 1 failed, 0 not run**", page)
        self.assertIn("**FAILED**: ended with 5; never passed on this machine", page)
        self.assertIn("it is broken", page)
        self.assertIn("| quick | passed |", page)
        self.assertIn(r"the quick one \| is right | 12 of 12 |", page)
        self.assertIn("first\nsecond", page)
        # A failed stage counts as done too, until it is requested again.
        again = self.nightly()
        self.assertEqual(again.returncode, 1)
        self.assertEqual((self.lines("built"), self.lines("quick")), (1, 1))
        (self.folder / "mended").touch()
        mended = self.nightly("--again", "failed")
        self.assertEqual((mended.returncode, mended.stdout.splitlines()[-1]), (0, "2 passed, 0 failed"))
        self.assertIn("**4 passed, 0 failed, 0 not run**", self.page())
        self.assertEqual(self.nightly("--again", "failed").returncode, 0)

    def test_a_night_that_is_cut_short_goes_on(self):
        process = subprocess.Popen(self.command("quick", "slow-a"), stdout=subprocess.PIPE, text=True)
        while not ((self.folder / "started").exists() and self.lines("quick")
                   and list((self.folder / "results").glob("*/quick.json"))):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("| slow-a | *not run* (the run was ended) |", self.page())
        self.assertIn("| slow-b | *not run* |", self.page())
        (self.folder / "go").touch()
        self.assertEqual(self.nightly("quick", "slow-a").returncode, 0)
        self.assertEqual((self.lines("quick"), self.lines("slow")), (1, 1))

    def test_the_page_says_when_a_stage_has_last_passed(self):
        (self.folder / "go").touch()
        self.nightly("quick")
        (folder,) = (path.parent for path in (self.folder / "results").glob("*/page.md"))
        folder.rename(folder.parent / "0123456789ab")
        (folder.parent / "0123456789ab" / "page.md").unlink()
        record = folder.parent / "0123456789ab" / "quick.json"
        record.write_text(record.read_text().replace(folder.name, "0123456789ab"))
        (folder.parent / "0123456789ab" / "slow-a.json").write_text("{")  # no record
        self.assertEqual(self.nightly("slow-b").returncode, 0)
        page = self.page()
        self.assertRegex(page, r"\| quick \| \*not run\* \| – \| [^\n]* \| last passed 2\d{3}-[-0-9 :]* UTC, for 0123456789ab \|")
        self.assertRegex(page, r"\| slow-a \| [^\n]* \| never passed on this machine \|")
        self.assertIn("**1 passed, 0 failed, 3 not run**", page)

    def test_bad_usage(self):
        self.assertEqual(self.nightly("quik").returncode, 2)
        self.assertEqual(self.nightly("--again", "quik").returncode, 2)
        (self.folder / "stages.toml").write_text(
            '[[stage]]\nname = "a"\ncommand = "true"\nproves = "a"\n[[stage]]\nname = "b"\ncommand = "true"\nproves = "b"\nneeds = ["a"]')
        self.assertIn("can only need stages that are run always", self.nightly().stderr)

    def test_the_stages_of_the_tree_are_listed(self):
        done = subprocess.run([ROOT / "ci" / "nightly", "--list", "--folder", self.folder / "results"], capture_output=True,
                              text=True, check=True)
        names = [line.split()[0] for line in done.stdout.splitlines()]
        targets = {f"fuzz-{path.stem}" for path in (ROOT / "harness" / "fuzz" / "dictionaries").glob("*.dict")}
        self.assertEqual({name for name in names if name.startswith("fuzz-")}, targets)
        for stage in table.read(ROOT / "ci" / "nightly.d" / "stages.toml"):
            for script in [word for word in stage.command.split() if word.startswith("ci/")]:
                self.assertTrue(os.access(ROOT / script, os.X_OK), f"{stage.name}: {script}")


class Commits(unittest.TestCase):
    def test_a_changed_tree_is_another_commit(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@invalid"]
            (root / "a").write_text("1")
            for arguments in (["init", "--quiet"], ["add", "a"], ["commit", "--quiet", "-m", "a"]):
                subprocess.run(git + arguments, check=True)
            clean = records.commit_of(folder)
            self.assertRegex(clean, r"^[0-9a-f]{12}$")
            seen = {clean}
            for name, text in (("a", "2"), ("a", "3"), ("b", "1"), ("b", "2")):
                (root / name).write_text(text)
                now = records.commit_of(folder)
                self.assertTrue(now.startswith(clean + "-changed-"))
                seen.add(now)
            self.assertEqual(len(seen), 5)


if __name__ == "__main__":
    unittest.main()
