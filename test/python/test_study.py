"""Studies: rows as they are finished, interrupted and resumed, failures, tables."""

import csv
import itertools
import math
import os
import tempfile
import unittest

import hooke
import support
from support import PENDULUM
from test_build import pendulum


class Studies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_model(self):
        m = pendulum()
        study = hooke.study(m, {"L": [0.5, "80 cm", "1.5 m"], "m": ["1 kg", "2 kg"]}, folder=self.folder.name, jobs=2)
        self.assertEqual(len(study), 6)
        self.assertEqual([c[0] for c in study.columns], ["L", "m", "fastest"])
        rows = study.run()
        self.assertEqual([r.number for r in rows], list(range(6)))
        for row, (length, mass) in zip(rows, itertools.product((0.5, 0.8, 1.5), (1, 2))):
            self.assertFalse(row.failed)
            self.assertAlmostEqual(row["L"].to("m"), length)
            self.assertAlmostEqual(row["fastest"], -math.sqrt(3 * 9.81 / length), places=4)
        study.table(os.path.join(self.folder.name, "t.csv"))
        with open(os.path.join(self.folder.name, "t.csv")) as f:
            self.assertEqual(len(list(csv.reader(f))), 7)

    def test_interrupted_and_resumed(self):
        m = pendulum()
        m.analysis.duration = "40 s"
        axes = {"L": "0.5..1.5:24 m"}
        seen = []
        study = hooke.study(m, axes, folder=self.folder.name, jobs=2)
        for row in study:
            seen.append(row.number)
            if len(seen) == 3:
                break
        again = list(hooke.study(m, axes, folder=self.folder.name, jobs=2))
        self.assertEqual(sorted(r.number for r in again), list(range(24)))
        # Those that were finished before are told first, without another run.
        self.assertTrue(set(seen) <= {r.number for r in again})
        third = list(hooke.study(m, axes, folder=self.folder.name, jobs=2))
        self.assertEqual({r.number: r["fastest"] for r in third}, {r.number: r["fastest"] for r in again})
        with self.assertRaises(hooke.Error):
            list(hooke.study(m, axes, folder=self.folder.name, resume=False))

    def test_failed_variant(self):
        m = pendulum()
        m.bodies["arm"].mass = "if(L > 1 m, -1 kg, m)"
        rows = hooke.study(m, {"L": ["0.5 m", "2 m"]}, folder=self.folder.name, jobs=1).run()
        self.assertEqual([r.failed for r in rows], [False, True])
        self.assertIn("mass", rows[1].error)
        self.assertIsNone(rows[1]["fastest"])

    def test_equal_variants(self):
        rows = hooke.study(pendulum(), {"L": ["1 m", "2 m", "100 cm"]}, folder=self.folder.name).run()
        self.assertEqual([r.number for r in rows], [0, 1, 2])
        self.assertEqual(rows[0]["fastest"], rows[2]["fastest"])

    def test_exception_of_the_caller(self):
        def progress(*now):
            raise ZeroDivisionError

        m = pendulum()
        m.analysis.duration = "200 s"
        with self.assertRaises(ZeroDivisionError):
            list(hooke.study(m, {"L": "0.5..1.5:40 m"}, folder=self.folder.name, jobs=1, progress=progress))

    def test_wrong_study(self):
        with self.assertRaisesRegex(hooke.InputError, "'LL'"):
            hooke.study(pendulum(), {"LL": ["1 m"]}, folder=self.folder.name)
        with self.assertRaises(hooke.InputError):
            hooke.study("/no/such/study.yaml")

    def test_samples_and_constraints(self):
        study = hooke.study(
            pendulum(), samples={"count": 8, "seed": 3, "of": {"L": "uniform(0.5 m, 1.5 m)"}},
            constraints=["fastest >= -6 rad/s"], folder=self.folder.name, jobs=1,
        )
        rows = study.run()
        self.assertEqual(len(rows), 8)
        for r in rows:
            self.assertEqual(bool(r["feasible"]), r["fastest"] >= -6)

    @support.needs("pandas")
    def test_pandas(self):
        frame = hooke.study(pendulum(), {"L": ["0.5 m", "1 m"]}, folder=self.folder.name).to_pandas()
        self.assertEqual(list(frame.columns), ["L", "fastest", "failed"])
        self.assertEqual(list(frame["L"]), [0.5, 1.0])


if __name__ == "__main__":
    support.main()
