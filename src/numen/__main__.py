"""`python -m numen` is the command `numen`."""

from numen.surfaces.cli import main

main()
