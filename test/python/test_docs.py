"""The programs of docs/python.md run as they are printed, each in an empty folder, and print what the page says."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import support


def programs():
    with open(os.path.join(support.SOURCE, "docs", "python.md"), encoding="utf-8") as f:
        page = f.read()
    # A program, and the text that it prints.
    return re.findall(r"^```python\n(.*?)^```\n.*?^```text\n(.*?)^```", page, re.S | re.M)


class Programs(unittest.TestCase):
    def test_all(self):
        found = programs()
        self.assertEqual(len(found), 7)
        for i, (program, expected) in enumerate(found):
            with self.subTest(program=i), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "program.py")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(program)
                done = subprocess.run([sys.executable, path], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, expected)
                self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    support.main()
