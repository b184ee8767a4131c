"""Tests of ci/benchmark/instructions: what it says has risen, and what it remembers."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "benchmark" / "instructions"


def load():
    loader = importlib.machinery.SourceFileLoader("instructions", str(PROGRAM))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("instructions", loader))
    loader.exec_module(module)
    return module


instructions = load()


class Rises(unittest.TestCase):
    HISTORY = [["old", "gcc", "secret", "100"], ["new", "gcc", "secret", "200"], ["new", "clang", "secret", "10"]]

    def test_five_percent_are_tolerated_and_more_are_not(self):
        self.assertEqual(instructions.rises(self.HISTORY, "here", "gcc", {"secret": 210}), [])
        self.assertEqual(instructions.rises(self.HISTORY, "here", "gcc", {"secret": 211}),
                         ["secret: 200 at new, 211 at here, +5.5%"])

    def test_a_commit_is_not_compared_with_itself(self):
        self.assertEqual(instructions.rises(self.HISTORY, "new", "gcc", {"secret": 201}),
                         ["secret: 100 at old, 201 at new, +101.0%"])

    def test_what_another_compiler_built_or_nobody_counted_is_not_compared(self):
        self.assertEqual(instructions.rises(self.HISTORY, "here", "icc", {"secret": 900}), [])
        self.assertEqual(instructions.rises(self.HISTORY, "here", "gcc", {"configmap": 900}), [])


class History(unittest.TestCase):
    def test_a_commit_that_is_counted_again_stands_once(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "kept" / "instructions.tsv"
            instructions.remember(file, [], "a", "gcc", {"secret": 100})
            instructions.remember(file, instructions.history_of(file), "b", "gcc", {"secret": 110})
            instructions.remember(file, instructions.history_of(file), "a", "gcc", {"secret": 101})
            self.assertEqual(instructions.history_of(file),
                             [["b", "gcc", "secret", "110"], ["a", "gcc", "secret", "101"]])


if __name__ == "__main__":
    unittest.main()
