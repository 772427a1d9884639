"""Writes the type stubs of the package: hooke.pyi.in and one class per type, from the tables of the library.

usage: stubs.py TEMPLATE OUTPUT
"""

import sys
from keyword import iskeyword

import hooke
from hooke import _items

KIND = {
    "number": "Quantity", "integer": "Union[int, str]", "boolean": "Union[bool, str]", "choice": "str", "text": "str",
    "vector": "Vector", "direction": "Vector", "rotation": "Any", "inertia": "Vector", "numbers": "Any", "frame": "str",
    "joint": "str", "law": "Any", "coordinate": "str", "channel": "str", "expression": "Quantity", "expressions": "Vector",
    "terms": "Dict[str, Quantity]", "points": "Any", "stepper": "str",
}


def type_class(name):
    lines = [f"class {name}(Item):", '    """' + _items.documentation(name).rstrip().replace("\\", "\\\\").replace("\n", "\n    ") + '\n    """']
    keys = {}
    for section in _items.sections_of(name):
        for key, p in _items._keys(section, _items.table(section, name)).items():
            if iskeyword(key):
                key += "_"
            keys.setdefault(key, "Any" if p is None else KIND[p["kind"]])
    lines += [f"    {key}: {kind}" for key, kind in keys.items() if key.isidentifier()]
    given = ", ".join(f"{key}: {kind} = ..." for key, kind in keys.items() if key.isidentifier())
    lines.append(f"    def __init__(self, *, {given}) -> None: ...")
    return "\n".join(lines)


def main(template, output):
    with open(template, encoding="utf-8") as f:
        text = f.read()
    sections = [s for s in _items.SECTIONS if s != "analysis"]
    text = text.replace("@SECTIONS@", "\n".join(f"    {s}: Section" for s in sections))
    names = sorted(set(_items._all_types()))
    known = {line.split()[1].split("(")[0].rstrip(":") for line in text.splitlines() if line.startswith(("class ", "def "))}
    parts = [text]
    for name in names:
        if name not in known and _items.sections_of(name):
            parts.append(type_class(name) + "\n")
    parts += [f"class _{s}:\n" + "".join(f"    {n}: Any\n" for n in dir(getattr(hooke, s))) + f"\n{s}: _{s}\n" for s in sections]
    with open(output, "w", encoding="utf-8") as f:
        f.write("\n".join(parts))


main(*sys.argv[1:])
