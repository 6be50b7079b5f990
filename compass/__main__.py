"""`python -m compass`, and the script that hooks run by its absolute path, with `-I -S`.

Compiled anew at each start, and so no longer than it has to be.
"""

import sys

if __name__ == "__main__":
    root = __file__.rpartition("/")[0].rpartition("/")[0]
    if root not in sys.path:
        # Last: where this is site-packages, nothing in it may stand in for the standard library.
        sys.path.append(root)
    from compass.entry import start

    start()
