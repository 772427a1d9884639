"""python -m hooke: the command."""

from ._command import main

main()
