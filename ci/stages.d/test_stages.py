"""ci/stages --self-test: tables that are refused, and what becomes of stages that pass, fail, hang or are ended."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import runner
import summary
import table

STAGES = pathlib.Path(__file__).resolve().parent.parent / "stages"


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text):
        path = self.folder / "stages.toml"
        path.write_text(text)
        return path

    def run_stages(self, *stages, cores=2, **options):
        """The results by name, and what was said."""
        said = []
        run = runner.Runner(stages, cores=cores, logs=self.folder / "logs", root=self.folder, say=said.append, **options)
        return {result.stage.name: result for result in run.run()}, "\n".join(said)

    def gone(self, pid_file):
        """Whether the process has ended whose number a stage wrote; a zombie has, too."""
        status = pathlib.Path(f"/proc/{(self.folder / pid_file).read_text().strip()}/stat")
        return not status.exists() or status.read_text().rsplit(")", 1)[1].split()[0] == "Z"


def stage(name, command="true", **more):
    return table.Stage(name=name, command=command, proves=f"that {name} is right", **more)


def text_of(name, more=""):
    return f'[[stage]]\nname = "{name}"\ncommand = "true"\nproves = "something"\n{more}\n'


class Tables(Folder):
    def refused(self, text, expected):
        with self.assertRaisesRegex(table.TableError, expected):
            table.read(self.write(text))

    def test_a_table_is_read_in_its_order(self):
        stages = table.read(self.write(text_of("b") + text_of("a", 'needs = ["b"]\ncores = 2\nprograms = ["go"]')))
        self.assertEqual([one.name for one in stages], ["b", "a"])
        self.assertEqual((stages[1].needs, stages[1].cores, stages[1].programs), (("b",), 2, ("go",)))

    def test_mistakes_are_named(self):
        self.refused(text_of("a", "core = 1"), r"stage 'a': unknown keys \['core'\]")
        self.refused('[[stage]]\nname = "a"\ncommand = "true"', r"missing keys \['proves'\]")
        self.refused(text_of("a") + text_of("a"), "a second stage of that name")
        self.refused(text_of("a", 'needs = ["b"]') + text_of("b"), "needs b, which no stage above it is")
        self.refused(text_of("a", 'cores = "2"'), "cores must be a whole number")
        self.refused(text_of("a", 'cores = true'), "cores must be a whole number")
        self.refused(text_of("a", "cores = 0"), "cores is at least 1")
        self.refused(text_of("a", "always = 1"), "always must be true or false")
        self.refused(text_of("a", 'needs = "b"'), "needs must be a list of strings")
        self.refused(text_of("a", 'figures = "("'), "figures is no regular expression")
        self.refused(text_of("A b"), "a name has lower-case letters")
        self.refused("stages = 1", "expected .*stage.* tables")
        self.refused("[[stage", "stages.toml")

    def test_a_selection_brings_what_it_needs(self):
        stages = [stage("a"), stage("b", needs=("a",)), stage("c", needs=("b",)), stage("d")]
        self.assertEqual([one.name for one in table.select(stages, ["c"])], ["a", "b", "c"])
        self.assertEqual(len(table.select(stages, [])), 4)
        groups = [stage("fuzz-http"), stage("fuzz-bodies"), stage("fuzzy")]
        self.assertEqual([one.name for one in table.select(groups, ["fuzz"])], ["fuzz-http", "fuzz-bodies"])
        with self.assertRaisesRegex(table.TableError, "there is no stage x; stages are a, b, c, d"):
            table.select(stages, ["x"])


class Runs(Folder):
    def test_a_stage_waits_for_what_it_needs(self):
        results, said = self.run_stages(stage("a", "sleep 0.3; touch a"), stage("b", "test -e a; echo 7 of 7", needs=("a",)))
        self.assertEqual({one.outcome for one in results.values()}, {runner.PASSED})
        self.assertEqual(results["b"].figures, ("7 of 7",))
        self.assertLess(said.index("passed  a"), said.index("start   b"))

    def test_stages_run_side_by_side(self):
        # Each waits until the other runs.
        results, _ = self.run_stages(stage("a", "touch a; until test -e b; do sleep 0.05; done", minutes=1),
                                     stage("b", "touch b; until test -e a; do sleep 0.05; done", minutes=1))
        self.assertEqual({one.outcome for one in results.values()}, {runner.PASSED})

    def test_stages_keep_to_the_cores(self):
        alone = "mkdir only; sleep 0.3; rmdir only; echo $STAGE_CORES $CMAKE_BUILD_PARALLEL_LEVEL"
        results, _ = self.run_stages(stage("a", alone, cores=2), stage("b", alone), stage("c", alone, cores=9))
        self.assertEqual({one.outcome for one in results.values()}, {runner.PASSED})
        self.assertEqual([results[name].figures for name in "abc"], [("2 2",), ("1 1",), ("2 2",)])

    def test_after_a_failure_nothing_more_starts_and_what_runs_ends(self):
        results, said = self.run_stages(stage("a", "echo oh no; exit 3"), stage("b", "sleep 0.6; touch b"), stage("c"), cores=2)
        self.assertEqual([results[name].outcome for name in "abc"], [runner.FAILED, runner.PASSED, runner.SKIPPED])
        self.assertEqual((results["a"].why, results["c"].why), ("ended with 3", "a had failed"))
        self.assertIn("| oh no", said)
        self.assertTrue((self.folder / "b").exists())

    def test_keep_going_leaves_out_only_what_needs_the_failed_stage(self):
        results, _ = self.run_stages(stage("a", "false"), stage("b", needs=("a",)), stage("c"), stage("d", needs=("b",)),
                                     cores=1, keep_going=True)
        self.assertEqual([results[name].outcome for name in "abcd"],
                         [runner.FAILED, runner.SKIPPED, runner.PASSED, runner.SKIPPED])
        self.assertEqual(results["d"].why, "it needs b")

    def test_the_first_command_that_fails_ends_a_stage(self):
        results, _ = self.run_stages(stage("a", "false | cat; touch later"), stage("b", "touch later2; echo $unset_variable"),
                                     keep_going=True)
        self.assertEqual({one.outcome for one in results.values()}, {runner.FAILED})
        self.assertFalse((self.folder / "later").exists())

    def test_a_missing_program_skips_and_fails_in_ci(self):
        before = os.environ.pop("CI", None)
        self.addCleanup(lambda: os.environ.pop("CI", None) if before is None else os.environ.update(CI=before))
        wants = stage("a", programs=("no-such-program",))
        results, _ = self.run_stages(wants)
        self.assertEqual((results["a"].outcome, results["a"].why), (runner.SKIPPED, "there is no no-such-program here"))
        os.environ["CI"] = "true"
        results, _ = self.run_stages(wants)
        self.assertEqual(results["a"].outcome, runner.FAILED)

    def test_a_stage_that_takes_too_long_is_ended_with_its_children(self):
        hangs = table.Stage(name="a", command="sleep 1000 & echo $! >pid; wait", proves="nothing", minutes=1)
        run = runner.Runner([hangs], cores=1, logs=self.folder / "logs", root=self.folder, say=lambda text: None)
        start = run.start

        def start_long_ago(stage):
            start(stage)
            while not (self.folder / "pid").exists() or not (self.folder / "pid").read_text():
                time.sleep(0.05)
            run.running[0].since -= 61

        run.start = start_long_ago
        self.assertEqual(run.run()[0].why, "took more than 1 minutes")
        self.assertTrue(self.gone("pid"))

    def test_what_a_stage_leaves_behind_is_ended(self):
        results, _ = self.run_stages(stage("a", "sleep 1000 & echo $! >pid"))
        self.assertEqual(results["a"].outcome, runner.PASSED)
        deadline = time.monotonic() + 10
        while not self.gone("pid") and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertTrue(self.gone("pid"))

    def test_figures_are_the_lines_that_the_stage_names(self):
        results, _ = self.run_stages(stage("a", "echo total 5; echo noise; echo total 6; echo", figures="^total"),
                                     stage("b", "echo first; echo last; echo"))
        self.assertEqual((results["a"].figures, results["b"].figures), (("total 5", "total 6"), ("last",)))

    def test_figures_are_without_colours(self):
        results, _ = self.run_stages(stage("a", r"printf '\033[1;31;49mx: error: in y\033[0m\n'", figures="^x: error: in"))
        self.assertEqual(results["a"].figures, ("x: error: in y",))

    def test_each_result_is_passed_on_when_it_is_there(self):
        seen = []
        self.run_stages(stage("a"), stage("b", "false", needs=("a",)), stage("c", needs=("b",)),
                        ended=lambda result: seen.append((result.stage.name, result.outcome)))
        self.assertEqual(seen, [("a", runner.PASSED), ("b", runner.FAILED), ("c", runner.SKIPPED)])

    def test_the_summary(self):
        results, _ = self.run_stages(stage("a"), stage("b", "false", needs=("a",)), stage("c", needs=("b",)))
        lines = summary.table(results.values()).splitlines()
        self.assertEqual(lines[0].split(), ["STAGE", "TIME", "OUTCOME", "WHAT", "IT", "PROVES"])
        self.assertTrue(lines[2].endswith("FAILED   that b is right [ended with 1]"), lines[2])
        self.assertTrue(lines[3].endswith("–  skipped  that c is right [it needs b]"), lines[3])
        self.assertEqual(summary.counts(results.values()), "1 passed, 1 failed, 1 skipped")
        self.assertEqual(summary.counts([results["a"]]), "1 passed, 0 failed")

    def test_the_figures_of_stages_that_failed_follow_the_table(self):
        results, _ = self.run_stages(stage("a", "echo well"),
                                     stage("b", "echo noise; echo '  7 - seven (Failed)'; false", figures=" - "))
        self.assertEqual(summary.failures(results.values()), "b: 7 - seven (Failed)")


class Program(Folder):
    def stages(self, *arguments):
        return subprocess.run([sys.executable, "-B", STAGES, *arguments, "--logs", self.folder / "logs"], text=True,
                              capture_output=True)

    def test_the_last_line_and_the_exit_code(self):
        done = self.stages(self.write(text_of("a") + text_of("b")))
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "2 passed, 0 failed"))
        done = self.stages(self.write(text_of("a") + text_of("b").replace("true", "false")))
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (1, "1 passed, 1 failed"))

    def test_bad_usage(self):
        self.assertEqual(self.stages(self.write("[[stage]]")).returncode, 2)
        self.assertEqual(self.stages(self.write(text_of("a")), "b").returncode, 2)
        self.assertEqual(self.stages().returncode, 2)

    def test_a_signal_ends_all_that_runs(self):
        # The second stage does not end when it is told to politely.
        command = "trap '' TERM; sleep 1000 & echo $! >{0}/pid-b; touch {0}/b; while true; do sleep 0.1; done"
        path = self.write(
            text_of("a").replace("true", f"sleep 1000 & echo $! >{self.folder}/pid-a; touch {self.folder}/a; wait")
            + text_of("b").replace("true", command.format(self.folder)) + text_of("c", 'needs = ["a"]'))
        process = subprocess.Popen([sys.executable, "-B", "-c", f"""
import sys
sys.argv = ['stages', {str(path)!r}, '--logs', {str(self.folder / 'logs')!r}, '--cores', '2']
sys.path.insert(0, {str(STAGES.parent / 'stages.d')!r})
import runner
runner.GRACE = 1
exec(compile(open({str(STAGES)!r}).read(), {str(STAGES)!r}, 'exec'), {{'__name__': '__main__', '__file__': {str(STAGES)!r}}})
"""], stdout=subprocess.PIPE, text=True)
        while not ((self.folder / "a").exists() and (self.folder / "b").exists()):
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertEqual(said.splitlines()[-1], "0 passed, 2 failed, 1 skipped")
        self.assertIn("the run was ended", said)
        self.assertTrue(self.gone("pid-a") and self.gone("pid-b"))


if __name__ == "__main__":
    unittest.main()
