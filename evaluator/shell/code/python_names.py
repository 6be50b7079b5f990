"""What calls in inline Python do, by name. Data for `python`."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.shell.options import names

# Function of a module -> (operation, which arguments are targets).
FUNCTIONS: dict[str, tuple[Operation, tuple[int, ...]]] = {
    "os.remove": ("delete", (0,)),
    "os.unlink": ("delete", (0,)),
    "os.rmdir": ("delete", (0,)),
    "os.removedirs": ("delete", (0,)),
    "shutil.rmtree": ("delete", (0,)),
    "os.rename": ("move", (0, 1)),
    "os.replace": ("move", (0, 1)),
    "os.renames": ("move", (0, 1)),
    "shutil.move": ("move", (0, 1)),
    "os.mkdir": ("create", (0,)),
    "os.makedirs": ("create", (0,)),
    "os.mkfifo": ("create", (0,)),
    "os.symlink": ("create", (1,)),
    "os.link": ("create", (1,)),
    "os.chmod": ("permissions", (0,)),
    "os.chown": ("permissions", (0,)),
    "os.truncate": ("overwrite", (0,)),
    "os.utime": ("create", (0,)),
    "shutil.copy": ("overwrite", (1,)),
    "shutil.copy2": ("overwrite", (1,)),
    "shutil.copyfile": ("overwrite", (1,)),
    "shutil.copytree": ("overwrite", (1,)),
    "shutil.chown": ("permissions", (0,)),
    "shutil.unpack_archive": ("overwrite", (1,)),
    "shutil.make_archive": ("overwrite", (0,)),
    "urllib.request.urlretrieve": ("network", (1,)),
    "numpy.save": ("overwrite", (0,)),
    "numpy.savez": ("overwrite", (0,)),
    "numpy.savetxt": ("overwrite", (0,)),
    "np.save": ("overwrite", (0,)),
    "np.savetxt": ("overwrite", (0,)),
    "torch.save": ("overwrite", (1,)),
    "joblib.dump": ("overwrite", (1,)),
}
# Method of a path-like receiver -> (operation, does the first argument count as a target too).
PATH_METHODS: dict[str, tuple[Operation, bool]] = {
    "write_text": ("overwrite", False),
    "write_bytes": ("overwrite", False),
    "unlink": ("delete", False),
    "rmdir": ("delete", False),
    "rmtree": ("delete", False),
    "touch": ("create", False),
    "mkdir": ("create", False),
    "rename": ("move", True),
    "chmod": ("permissions", False),
    "symlink_to": ("create", False),
    "hardlink_to": ("create", False),
}
# Method of anything whose first argument is a file that it writes.
SAVING_METHODS: dict[str, Operation] = {
    "savefig": "overwrite",
    "to_csv": "overwrite",
    "to_json": "overwrite",
    "to_excel": "overwrite",
    "to_parquet": "overwrite",
    "to_pickle": "overwrite",
    "to_html": "overwrite",
    "to_markdown": "overwrite",
    "imwrite": "overwrite",
    "extractall": "overwrite",
}
SHELLS = frozenset(
    ("os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "commands.getoutput")
)
PROGRAMS = frozenset(
    (
        "subprocess.run",
        "subprocess.call",
        "subprocess.check_call",
        "subprocess.check_output",
        "subprocess.Popen",
    )
)
# Modules whose calls only compute or read, but for what is listed above.
PURE_MODULES = names(
    "abc argparse array ast asyncio base64 binascii bisect calendar cmath collections colorsys configparser contextlib "
    "copy csv dataclasses datetime decimal difflib dis enum filecmp fileinput fnmatch fractions functools gc "
    "getpass glob gettext graphlib hashlib heapq hmac html importlib inspect io ipaddress itertools json "
    "keyword linecache locale logging math mimetypes numbers operator os pathlib pkgutil platform posixpath "
    "pprint pydoc random re reprlib secrets shlex shutil site socket stat statistics string struct sys "
    "sysconfig textwrap time timeit token tokenize tomllib tomli toml traceback types typing unicodedata urllib "
    "uuid warnings weakref xml yaml zlib zoneinfo pkg_resources importlib.metadata importlib.util numpy np "
    "pandas pd torch packaging requests httpx bs4 lxml dateutil pytz chardet jsonschema ruamel dotenv tabulate "
    "__future__ builtins codecs gzip bz2 lzma zipfile tarfile pickle tensorflow tf sklearn scipy matplotlib plt "
    "tree_sitter tiktoken"
)
BY_KEYWORDS = names("logging.basicConfig urllib.request.urlopen urllib.request.Request")
NOT_PURE = names(
    "asyncio.subprocess asyncio.create_subprocess_exec asyncio.create_subprocess_shell asyncio.open_connection "
    "asyncio.start_server asyncio.open_unix_connection os.kill os.killpg os.execv os.execve os.execvp os.execl "
    "os.execlp os.spawnl os.spawnv os.fork os.forkpty "
    "os.write os.pwrite os.open os.fdopen os.putenv os.setxattr os.startfile os.posix_spawn os.chroot os.mknod "
    "os.ftruncate importlib.import_module importlib.reload importlib.__import__ shutil.disk socket.socket "
    "socket.create_connection socket.create_server requests.post requests.put requests.patch requests.delete "
    "requests.request requests.Session httpx.post httpx.put httpx.patch httpx.delete httpx.request httpx.Client "
    "pickle.load pickle.loads torch.load torch.hub yaml.load_all yaml.unsafe_load logging.FileHandler logging.handlers "
    "fileinput.input pathlib.os io.open_code timeit.timeit timeit.repeat pydoc.pager types.FunctionType "
    "types.CodeType dotenv.set_key builtins.exec builtins.eval gzip.open bz2.open lzma.open codecs.open "
    "zipfile.ZipFile tarfile.open io.open io.FileIO tarfile.TarFile sys.settrace sys.setprofile "
    "sys.addaudithook os.umask os.symlink glob.os operator.methodcaller operator.attrgetter "
    "functools.reduce numpy.memmap np.memmap numpy.load np.load pandas.read_pickle pd.read_pickle "
    "numpy.fromfile pandas.eval pd.eval ast.os site.main"
)
OPENERS = frozenset(
    (
        "open",
        "io.open",
        "codecs.open",
        "gzip.open",
        "bz2.open",
        "lzma.open",
        "tarfile.open",
        "zipfile.ZipFile",
    )
)
BUILTINS = names(
    "abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate filter float "
    "format frozenset hasattr hash hex id int isinstance issubclass iter len list map max min next object oct "
    "ord pow print property range repr reversed round set slice sorted staticmethod classmethod str sum super "
    "tuple type vars zip help memoryview exit quit input Exception ValueError KeyError "
    "RuntimeError TypeError SystemExit AssertionError OSError IndexError NotImplementedError StopIteration "
    "FileNotFoundError"
)
PURE_METHODS = names(
    "add append appendleft as_posix astype capitalize casefold center clear close copy count cpu decode "
    "default_rng describe difference difference_update digest discard dropna dtypes elements encode "
    "endswith entries exists expanduser expandtabs extend extendleft fetchall fetchone fillna find "
    "findall finditer flush format format_map fullmatch get get_text getbuffer getheader getheaders "
    "getvalue getroot glob group groupby groupdict groups head hexdigest index info insert intersection "
    "is_absolute is_dir is_file is_symlink is_available isalnum isalpha isascii isdecimal isdigit "
    "isidentifier islower isnumeric isoformat isspace istitle isupper items iter iterdir iterrows "
    "itertuples itertext iter_lines join json keys ljust loads dumps lower lstat lstrip maketrans match "
    "max mean min most_common namelist getnames getmembers nunique partition parent parents parse_args "
    "add_argument part pop popitem popleft print prod quantile raise_for_status random randint choice "
    "choices read read_bytes read_text readable readline readlines relative_to remove removeprefix "
    "removesuffix replace reset_index resolve reverse rfind rglob rindex rjust rotate round rpartition "
    "rsplit rstrip sample samefile search seek setdefault sort sort_index sort_values sorted span split "
    "splitlines start end stat startswith std strftime strip strptime sub subn sum swapcase "
    "symmetric_difference tail tell timestamp title toprettyxml to_dict to_list to_string to_numpy "
    "tobytes tolist total_seconds translate truediv union unique update upper value_counts values walk "
    "weekday with_name with_stem with_suffix writer writerow writerows reader zfill iter_content select "
    "select_one find_all text attrib fromkeys date time today now utcnow reshape shape transpose dot size "
    "item numel parameters device_count get_device_name eval_type visit generic_visit body dump_ast "
    "fromisoformat hex isatty fileno joinpath findtext iterfind tostring getchildren nlargest nsmallest "
    "apply isna notna astimezone combine merge drop agg cursor commit rollback safe_load safe_load_all "
    "version files metadata distribution distributions requires"
)
# Of these modules only what is named here; of the other pure ones everything but NOT_PURE.
PARTLY_PURE: dict[str, frozenset[str]] = {
    "os": names(
        "listdir walk scandir getcwd getenv stat lstat access cpu_count getpid getppid uname getuid "
        "getgid getlogin readlink sep linesep pathsep altsep curdir pardir name fspath urandom "
        "get_terminal_size fsencode fsdecode environ path get_exec_path statvfs isatty strerror"
    ),
    "shutil": names("which disk_usage get_terminal_size copyfileobj get_archive_formats"),
    "importlib": names("metadata util resources"),
    "torch": names(
        "cuda backends version tensor zeros ones rand randn arange device backends mps is_tensor equal "
        "allclose"
    ),
}
DANGEROUS_NAMES = names("exec eval compile __import__ getattr setattr delattr breakpoint locals globals open")
# Modules that lead to writing, wherever another module or object has them as an attribute.
REACHED = names(
    "os posix nt sys _os _sys subprocess shutil builtins codecs _io importlib pty ctypes pickle runpy "
    "inspect linecache tempfile pathlib enum re tokenize functools warnings threading signal logging "
    "fileinput _bootstrap _bootstrap_external posixpath genericpath ntpath sre_compile"
)
OWN_MODULES = names("importlib._bootstrap")
SHOWING = names(
    "print dir help type repr str id bool hasattr isinstance inspect.getsource inspect.getfile inspect.getdoc"
)
# Dunder names that lead nowhere.
SAFE_NAMES = names(
    "__version__ __file__ __name__ __doc__ __path__ __all__ __author__ __len__ __qualname__ __module__ "
    "__init__ __repr__ __str__ __eq__ __hash__ __annotations__ __dataclass_fields__ __slots__ __package__ "
    "__members__ __post_init__ __debug__ _asdict _fields _replace __license__ __cached__ "
    "__required_keys__ __optional_keys__ __enter__ __exit__ __iter__ __next__ __contains__ __getitem__"
)
ASKING = ("requests.", "httpx.", "urllib.request.", "socket.get", "http.client.")
"""Calls of these ask over the network."""
# What an imported module of unknown content may be asked without anything happening, as far as names tell.
READING_CALL = re.compile(
    r"(?:get|is|has|list|find|load|read|parse|to|as|describe|show|count|version|format|repr|check|validate)(?:_\w+)?\Z"
)
REACHING = names(
    "modules __dict__ __builtins__ __globals__ __subclasses__ __import__ __getattribute__ __mro__ __loader__"
)
NETWORK_METHODS = frozenset(("post", "put", "patch"))
