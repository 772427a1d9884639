"""Figures, pages for notebooks, tables of other libraries, stubs."""

import ast
import os
import shutil
import tempfile
import unittest
import xml.etree.ElementTree

import hooke
import support
from support import PENDULUM


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def content(path):
    with open(path, "rb") as f:
        return f.read()


class Figures(unittest.TestCase):
    def setUp(self):
        self.results = hooke.read_text(PENDULUM).run()

    def test_plot(self):
        figure = self.results.plot("pin.angle", "arm.x", "arm.y", unit="deg")
        root = xml.etree.ElementTree.fromstring(figure.svg)
        text = " ".join(t for t in root.itertext())
        for word in ("Pendulum", "pin.angle", "deg", "arm.x", "arm.y", "[m]", "time"):
            self.assertIn(word, text)
        self.assertEqual(figure._repr_svg_(), figure.svg)
        with tempfile.TemporaryDirectory() as d:
            figure.save(os.path.join(d, "f.svg"))
            self.assertEqual(read(os.path.join(d, "f.svg")), figure.svg)
        self.assertNotEqual(self.results.plot("arm.vx", over="arm.x").svg, self.results.plot("arm.vx").svg)
        with self.assertRaises(hooke.InputError):
            self.results.plot()

    def test_units_of_a_plot(self):
        def text(*names, **given):
            return " ".join(xml.etree.ElementTree.fromstring(self.results.plot(*names, **given).svg).itertext())

        self.assertIn("[deg]", text("pin.angle", unit={"pin.angle": "deg"}))
        both = text("pin.angle", "arm.x", unit=["deg", "mm"])
        self.assertTrue("[deg]" in both and "[mm]" in both)
        self.assertIn("[mm]", text("arm.x", "arm.y", unit={"m": "cm", "arm.x": "mm"}))
        self.assertIn("[cm]", text("arm.x", "arm.y", unit={"m": "cm", "arm.x": "mm"}))
        self.assertIn("[ms]", text("arm.x", unit="ms"))
        # A dict by channel changes no other channel.
        self.assertIn("[m]", text("arm.x", "arm.y", unit={"arm.x": "mm"}))
        for given, sentence in (
            ("kg", "unit 'kg' fits none of the channels: 'time' in s, 'pin.angle' in rad"),
            (["deg", "mm"], "unit 'mm' fits none"),
            ("degr", "unknown unit 'degr'; did you mean 'deg'"),
            ({"pin.angle": "mm"}, "is in rad, which cannot be given in mm"),
            ({"pin.angel": "deg"}, "did you mean 'pin.angle'"),
            ({"m": "mm"}, "neither a channel nor a unit that is drawn: 'm'"),
        ):
            with self.assertRaises(hooke.InputError) as e:
                self.results.plot("pin.angle", unit=given)
            self.assertIn(sentence, str(e.exception))
        with self.assertRaisesRegex(hooke.InputError, "labels: 2 texts"):
            hooke.compare(self.results, self.results, channels="arm.x", labels=["one"])

    def test_format_follows_the_name(self):
        figure = self.results.plot("pin.angle")
        with tempfile.TemporaryDirectory() as d:
            def at(name):
                return os.path.join(d, name)

            if shutil.which("rsvg-convert"):
                figure.save(at("f.png"))
                figure.save(at("f.PDF"))
                self.assertEqual((content(at("f.png"))[:8], content(at("f.PDF"))[:5]), (b"\x89PNG\r\n\x1a\n", b"%PDF-"))
            path = os.environ["PATH"]
            os.environ["PATH"] = d
            try:
                with self.assertRaisesRegex(hooke.InputError, "rsvg-convert, which is not installed"):
                    figure.save(at("g.png"))
            finally:
                os.environ["PATH"] = path
            figure.save(at("step-0.5"))  # no format
            before = sorted(os.listdir(d))
            model = hooke.read_text(PENDULUM)
            for save, name, right in (
                (figure.save, "x.jpg", ".svg, .png or .pdf"), (figure.save, "x.html", ".svg, .png or .pdf"),
                (self.results.report, "x.pdf", ".html or .htm"), (self.results.save, "x.csv", ".h5 or .hdf5"),
                (lambda p: model.run(results=p), "x.CSV", ".h5 or .hdf5"), (model.save, "x.h5", ".yaml"), (model.fmu, "x.yaml", ".fmu"),
            ):
                with self.assertRaises(hooke.InputError) as e:
                    save(at(name))
                self.assertIn(right, str(e.exception))
            self.assertEqual(sorted(os.listdir(d)), before)
            with self.assertRaisesRegex(FileNotFoundError, "none/x.svg'$"):
                figure.save(at("none/x.svg"))

    def test_full_disk_leaves_the_older_file(self):
        import resource
        import signal
        figure = self.results.plot("pin.angle")
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "f")
            outputs = [figure.save, self.results.report, hooke.read_text(PENDULUM + "#" + 5000 * "x").save]
            for save in outputs:
                with open(path, "w", encoding="utf-8") as f:
                    f.write("old")
                os.chmod(path, 0o640)
                resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limit[1]))
                try:
                    with self.assertRaises(OSError):
                        save(path)
                finally:
                    resource.setrlimit(resource.RLIMIT_FSIZE, limit)
                self.assertEqual(read(path), "old")
                self.assertEqual(os.listdir(d), ["f"])
                link = os.path.join(d, "link")
                os.symlink("f", link)
                save(link)
                self.assertGreater(len(read(path)), 1000)
                self.assertTrue(os.path.islink(link))
                self.assertEqual(os.stat(path).st_mode & 0o777, 0o640)
                os.unlink(link)
            with self.assertRaises(IsADirectoryError):
                figure.save(d)
            figure.save("/dev/null")
        signal.signal(signal.SIGXFSZ, before)

    def test_control_characters_of_a_name(self):
        with self.assertRaises(hooke.Error) as e:
            hooke.read("a\x1b]0;x\x07\nforged")
        self.assertIn("a\\x1b]0;x\\x07\\nforged", str(e.exception))

    def test_compare(self):
        other = hooke.read_text(PENDULUM).run(L="2 m")
        figure = hooke.compare(self.results, other, channels="pin.angle", labels=["1 m", "2 m"])
        self.assertIn("pin.angle, 2 m", " ".join(xml.etree.ElementTree.fromstring(figure.svg).itertext()))

    def test_page(self):
        html = self.results._repr_html_()
        self.assertTrue(html.startswith("<iframe srcdoc="))
        self.assertNotIn("http://", html.replace("http://www.w3.org", ""))
        page = self.results.report()
        self.assertIn("<html", page)
        self.assertIn("Pendulum", page)
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "r.html")
            self.results.report(path, hooke.read_text(PENDULUM).run(L="2 m"))
            self.assertGreater(os.path.getsize(path), 100000)

    @support.needs("pandas")
    def test_pandas(self):
        frame = self.results.to_pandas("pin.angle", "arm.x")
        self.assertEqual(list(frame.columns), ["pin.angle", "arm.x"])
        self.assertEqual(frame.index.name, "time")
        self.assertEqual(frame["arm.x"].iloc[-1], self.results["arm.x"][-1])
        self.assertEqual(frame.attrs["units"]["arm.x"], "m")

    @support.needs("xarray")
    def test_xarray(self):
        data = self.results.to_xarray()
        self.assertEqual(data["pin.angle"].attrs["units"], "rad")
        self.assertEqual(float(data["pin.angle"].sel(time=1.0, method="nearest")), self.results["pin.angle"][100])

    @support.needs("matplotlib")
    def test_matplotlib(self):
        import matplotlib

        matplotlib.use("Agg")
        figure = self.results.plot("pin.angle", "arm.x", "arm.y", matplotlib=True)
        self.assertEqual(len(figure.axes), 2)
        figure = self.results.plot("pin.angle", "arm.x", unit={"pin.angle": "deg", "time": "ms"}, title="one", matplotlib=True)
        self.assertEqual([a.get_ylabel() for a in figure.axes], ["pin.angle [deg]", "arm.x [m]"])
        self.assertEqual((figure.axes[1].get_xlabel(), figure._suptitle.get_text()), ("time [ms]", "one"))
        self.assertEqual(figure.axes[0].lines[0].get_ydata()[-1], self.results["pin.angle"].to("deg")[-1])

    @support.needs("numpy")
    def test_numpy(self):
        self.assertEqual(self.results.to_numpy("time", "arm.x").shape, (201, 2))


TABLED = PENDULUM + """
include: part.yaml
tables:
  gain: {file: gain.csv}
"""


class Inputs(unittest.TestCase):
    """No output replaces a file that the model, the study or the page was read from, whatever its name."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.put("model.yaml", TABLED)
        self.put("part.yaml", "format: 1\nparameters:\n  spare: 2\n")
        self.put("gain.csv", "0, 1\n1, 2\n")
        os.symlink("gain.csv", self.at("link.csv"))
        os.link(self.at("part.yaml"), self.at("other-name.yaml"))
        self.model = hooke.read(self.at("model.yaml"))

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def put(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as f:
            f.write(text)

    def refused(self, save, *names):
        for name in names:
            before = content(self.at(name))
            with self.assertRaises(hooke.InputError, msg=name) as e:
                save(self.at(name))
            self.assertIn("would overwrite", str(e.exception))
            self.assertEqual(content(self.at(name)), before)

    def test_inputs_of_a_model(self):
        names = ("model.yaml", "part.yaml", "other-name.yaml", "gain.csv", "link.csv")
        results = self.model.run()
        for save in (
            lambda path: self.model.run(results=path),
            results.save,
            results.report,
            results.plot("pin.angle").save,
            hooke.compare(results, results, channels="pin.angle").save,
        ):
            self.refused(save, *names)
        results.save(self.at("r.h5"))
        file = hooke.open_results(self.at("r.h5"))
        self.refused(file.report, "r.h5", "model.yaml")
        self.refused(file.plot("pin.angle").save, "r.h5", "model.yaml")
        self.refused(lambda path: results.report(path, file), "r.h5", "gain.csv")
        results.report(self.at("r.html"))
        results.report(self.at("r.html"))  # an older output may be replaced

    def test_inputs_in_another_folder(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.mkdir(self.at("other"))
        os.chdir(self.folder.name)
        os.rename("model.yaml", "model")  # a name that any output may have
        hooke.read("model").run(results="r.h5")
        os.chdir("other")
        file = hooke.open_results("../r.h5")
        self.refused(file.report, "model", "r.h5")
        self.put("other/model", "not the model")
        file.report("model")  # a file of this name in another folder is not the model
        os.chdir(before)
        self.refused(file.report, "model", "r.h5")
        os.rename(self.at("r.h5"), self.at("other/r.h5"))
        self.refused(hooke.open_results(self.at("other/r.h5")).report, "model")
        os.rename(self.at("model"), self.at("other/model"))
        self.refused(hooke.open_results(self.at("other/r.h5")).report, "other/model")

    def test_saving_a_model(self):
        self.refused(self.model.save, "part.yaml", "other-name.yaml", "gain.csv", "link.csv")
        self.model.save(self.at("model.yaml"))
        self.assertEqual(read(self.at("model.yaml")), TABLED)
        broken = hooke.Model()
        broken.tables["gain"] = hooke.Item("table", file=self.at("gain.csv"))
        broken.forces["f"] = hooke.Item("load", b="nobody", force=["1 N", 0, 0])
        with self.assertRaises(hooke.InputError):
            broken.compile()
        self.refused(broken.save, "gain.csv", "link.csv")

    def test_studies(self):
        study = hooke.study(self.model, {"L": ["1 m", "2 m"]}, folder=self.at("s"))
        study.run()
        self.refused(study.table, "s/study.yaml", "model.yaml", "gain.csv", "link.csv", "other-name.yaml")
        study.table()
        self.refused(study.table, "s/variants/table.sqlite")
        study.table(self.at("s.csv"))
        study.table(self.at("s.csv"))
        self.put("study.yaml", "a file of the user")
        with self.assertRaises(hooke.InputError):
            hooke.study(self.model, {"L": ["1 m", "2 m"]}, folder=self.folder.name)
        self.assertEqual(read(self.at("study.yaml")), "a file of the user")
        # The files of an earlier call of hooke.study are replaced.
        hooke.study(self.model, {"L": ["1 m", "3 m"]}, folder=self.at("s"))
        self.assertIn("3 m", read(self.at("s/study.yaml")))


class Stubs(unittest.TestCase):
    def test_stubs(self):
        path = os.path.join(os.path.dirname(hooke.__file__), "__init__.pyi")
        tree = ast.parse(read(path))
        names = {n.name for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        names |= {t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets}
        names |= {n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
        for name in dir(hooke):
            if not name.startswith("_"):
                self.assertIn(name, names)
        # Every method of the classes that users meet.
        for cls in (hooke.Model, hooke.Results, hooke.ResultsFile, hooke.Simulation, hooke.Channel, hooke.Study, hooke.Response, hooke.Periodic):
            node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
            bodies = [node]
            for base in node.bases:
                bodies += [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == getattr(base, "id", "")]
            for b in list(bodies):
                for base in b.bases:
                    bodies += [n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == getattr(base, "id", "")]
            known = {
                m.name if isinstance(m, ast.FunctionDef) else m.target.id
                for b in bodies for m in b.body if isinstance(m, (ast.FunctionDef, ast.AnnAssign))
            }
            for name in dir(cls):
                if not name.startswith("_"):
                    self.assertIn(name, known, cls.__name__)

    def test_parameters_of_types(self):
        path = os.path.join(os.path.dirname(hooke.__file__), "__init__.pyi")
        text = read(path)
        start = text.index("class rod(Item):")
        rod = text[start : text.index("\nclass ", start + 5)]
        for name in ("length", "mass", "position"):
            self.assertIn(f"{name}: ", rod)


if __name__ == "__main__":
    support.main()
