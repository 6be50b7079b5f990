"""What calls in inline Python do, by name. Data for `python`."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.shell.options import names
from evaluator.tables import Vocabulary

VOCABULARY = Vocabulary("shell/code/python_names")

Writing = tuple[Operation, tuple[int, ...]]
"""An operation, and which arguments are its targets."""


def _each(text: str, operation: Operation, *targets: int) -> dict[str, Writing]:
    return dict.fromkeys(text.split(), (operation, targets))


FUNCTIONS: dict[str, Writing] = {
    **_each("os.remove os.unlink os.rmdir os.removedirs shutil.rmtree", "delete", 0),
    **_each("os.rename os.replace os.renames shutil.move", "move", 0, 1),
    **_each("os.mkdir os.makedirs os.mkfifo os.utime", "create", 0),
    **_each("os.symlink os.link", "create", 1),
    **_each("os.chmod os.chown shutil.chown", "permissions", 0),
    **_each("os.truncate shutil.make_archive numpy.save numpy.savez numpy.savetxt", "overwrite", 0),
    **_each("shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.unpack_archive", "overwrite", 1),
    **_each("torch.save joblib.dump", "overwrite", 1),
    **_each("urllib.request.urlretrieve", "network", 1),
}
PATH_METHODS: dict[str, Writing] = {
    **_each("write_text write_bytes", "overwrite"),
    **_each("unlink rmdir rmtree", "delete"),
    **_each("touch mkdir symlink_to hardlink_to", "create"),
    **_each("rename", "move", 0),
    **_each("chmod", "permissions"),
}
"""Methods of a path, which is a target itself."""
SAVING_METHODS = VOCABULARY.words("saving-methods")
"""Methods of anything whose first argument is a file that they write."""
SHELLS = names("os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput")
PROGRAMS = VOCABULARY.words("programs")
STARTS = re.compile(
    r"os\.(?:kill|exec|spawn|posix_spawn|fork|startfile)\w*|asyncio\.create_subprocess_\w+|pty\.spawn|(?:os|io)\.open\w*"
)
"""What starts or ends a process otherwise, or opens a file by its number."""
ALL = frozenset("*")
"""Stands for all members of a module."""
MODULES: dict[str, frozenset[str]] = VOCABULARY.sets("modules")
"""What may be imported, and of each module the members that read."""
STEERING = names("sys.path sys.meta_path sys.path_hooks sys.modules")
"""Lists by which later imports go."""
CHANGES_IN_PLACE = VOCABULARY.words("changes-in-place")
"""Methods that make another thing of what a module holds."""
DECORATORS = VOCABULARY.words("decorators")
OPENERS = names("open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile")
BUILTINS = VOCABULARY.words("builtins")
PURE_METHODS = VOCABULARY.words("pure-methods")
DANGEROUS_NAMES = names("exec eval compile __import__ getattr setattr delattr breakpoint locals globals open")
# Modules that lead to writing, wherever another module or object has them as an attribute.
REACHED = VOCABULARY.words("reached")
OWN_MODULES = names("importlib._bootstrap")
SHOWING = VOCABULARY.words("showing")
# Dunder names that lead nowhere.
SAFE_NAMES = VOCABULARY.words("safe-names")
ASKING = ("requests.", "httpx.", "urllib.request.", "socket.get", "pandas.read_")
"""Calls of these ask over the network."""
REACHING = VOCABULARY.words("reaching")
NETWORK_METHODS = frozenset(("post", "put", "patch"))
WRITERS = FUNCTIONS.keys() | SHELLS | PROGRAMS | OPENERS
METHODS = PATH_METHODS.keys() | SAVING_METHODS | NETWORK_METHODS
"""Methods that write wherever they are called."""
