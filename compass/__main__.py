"""`python -m compass`, and the script that hooks run by its absolute path, with `-I -S`."""

import gc
import os
import sys

if __name__ == "__main__":
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if root not in sys.path:
        # Last: where this is site-packages, nothing in it may stand in for the standard library.
        sys.path.append(root)
    if sys.argv[1:2] == ["hook"] and (len(sys.argv) == 3 or sys.argv[3:4] == ["--wired"]):
        # One call and then the end: nothing is worth collecting, and taking the interpreter apart, with the answer
        # out and the state closed, would be a tenth of a skipped call.
        gc.disable()
        from compass.entry import main

        os._exit(main())
    from compass.entry import main
    from compass.thirdparty import enable

    enable()
    sys.exit(main())
