"""Lookup of names: the error for an unknown name suggests the most similar name."""


def suggestion(wrong, names):
    """"; did you mean 'angle'?", or nothing."""
    import difflib

    names = [str(n) for n in names]
    same = [n for n in names if n.casefold() == str(wrong).casefold()]
    near = same or difflib.get_close_matches(str(wrong), names, 1)
    return f"; did you mean '{near[0]}'?" if near else ""


def no_such(what, name, names):
    return f"there is no {what} '{name}'{suggestion(name, names)}"


class Named(dict):
    """A dict whose KeyError gives the kind of object, the unknown name and the most similar name."""

    def __init__(self, what, *content):
        super().__init__(*content)
        self._what = what

    def __missing__(self, name):
        raise KeyError(no_such(self._what, name, self))
