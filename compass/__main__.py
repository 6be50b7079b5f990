"""`python -m compass`, and the script that hooks run by its absolute path."""

import sys

from compass.entry import main

if __name__ == "__main__":
    sys.exit(main())
