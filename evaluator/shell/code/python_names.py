"""What calls in inline Python do, by name. Data for `python`."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.shell.options import NONE, names

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
STARTS = re.compile(
    r"os\.(?:kill|exec|spawn|posix_spawn|fork|startfile)\w*|asyncio\.create_subprocess_\w+|pty\.spawn|(?:os|io)\.open\w*"
)
"""What starts or ends a process otherwise, or opens a file by its number."""
ALL = frozenset("*")
"""Stands for all members of a module."""
MODULES: dict[str, frozenset[str]] = {
    # Of the standard library, those that only compute or look.
    **dict.fromkeys(
        names(
            "__future__ abc array ast base64 binascii bisect calendar cmath collections collections.abc colorsys "
            "configparser contextlib copy csv dataclasses datetime decimal difflib dis enum fnmatch fractions "
            "functools glob graphlib hashlib heapq hmac html html.parser importlib.metadata inspect ipaddress "
            "itertools json keyword linecache locale math mimetypes numbers os.path platform posixpath pprint random "
            "re reprlib secrets shlex stat statistics string struct sysconfig textwrap time token tokenize tomllib "
            "tomli traceback unicodedata urllib.error urllib.parse uuid warnings xml.dom.minidom "
            "xml.etree.ElementTree zlib zoneinfo"
        ),
        ALL,
    ),
    # Of the others, what is named here.
    "argparse": names("ArgumentParser Namespace"),
    "asyncio": names("run gather sleep wait_for TimeoutError"),
    "builtins": NONE,
    "bz2": names("compress decompress"),
    "codecs": names("decode encode BOM_UTF8"),
    "getpass": names("getuser"),
    "gzip": names("compress decompress"),
    "importlib.util": names("find_spec"),
    "io": names("StringIO BytesIO"),
    "logging": names("getLogger debug info warning error DEBUG INFO WARNING ERROR CRITICAL disable"),
    "lzma": names("compress decompress"),
    "operator": names("itemgetter add sub mul eq ne lt gt le ge"),
    "os": names(
        "listdir walk scandir getcwd getenv stat lstat access cpu_count getpid getppid uname getuid "
        "getgid getlogin readlink sep linesep pathsep altsep curdir pardir name fspath urandom "
        "get_terminal_size fsencode fsdecode environ path get_exec_path statvfs isatty strerror "
        "F_OK R_OK W_OK X_OK devnull getloadavg geteuid"
    ),
    "pathlib": names("Path PurePath PosixPath PurePosixPath"),
    "pickle": names("dump dumps"),
    "pkgutil": names("iter_modules"),
    "shutil": names("which disk_usage get_terminal_size copyfileobj get_archive_formats"),
    "site": names("getsitepackages getusersitepackages"),
    "ssl": names("OPENSSL_VERSION"),
    "socket": names("gethostname getfqdn getaddrinfo gethostbyname"),
    "sqlite3": names("Row Error sqlite_version"),
    "sys": names(
        "argv exit version version_info hexversion stdin stdout stderr path executable platform maxsize maxunicode "
        "byteorder getsizeof getrecursionlimit setrecursionlimit prefix base_prefix exec_prefix flags implementation "
        "float_info exc_info getdefaultencoding getfilesystemencoding stdlib_module_names builtin_module_names"
    ),
    "tarfile": names("is_tarfile"),
    "timeit": names("default_timer"),
    "types": names("SimpleNamespace"),
    "typing": names(
        "Any Callable Dict Iterable List Literal NamedTuple Optional Set Tuple TypedDict Union cast"
    ),
    "urllib.request": NONE,
    "zipfile": names("is_zipfile BadZipFile"),
    # Of others, those that read files and tables.
    **dict.fromkeys(
        names(
            "attr click dateutil django dotenv fastapi flask jinja2 jsonschema lxml matplotlib pydantic pytest pytz "
            "rich scipy setuptools sklearn sqlalchemy tensorflow tqdm transformers"
        ),
        names("VERSION"),
    ),
    "bs4": names("BeautifulSoup"),
    "httpx": names("get head"),
    "numpy": names(
        "array arange linspace zeros ones eye mean median std var sum min max sqrt dot exp log abs round sort unique "
        "concatenate isnan allclose argmax argmin percentile quantile corrcoef histogram where random linalg pi nan"
    ),
    "packaging.version": names("parse Version"),
    "pandas": names("read_csv read_excel read_json read_parquet DataFrame Series concat to_datetime"),
    "requests": names("get head"),
    "tabulate": names("tabulate"),
    "toml": names("load loads dump dumps"),
    "torch": names("cuda backends version tensor zeros ones"),
    "yaml": names("safe_load safe_load_all dump safe_dump YAMLError"),
}
"""What may be imported, and of each module the members that read."""
STEERING = names("sys.path sys.meta_path sys.path_hooks sys.modules")
"""Lists by which later imports go."""
CHANGES_IN_PLACE = names(
    "append insert extend update pop popitem clear remove setdefault add sort reverse copy"
)
"""Methods that make another thing of what a module holds."""
BY_KEYWORDS = names("logging.basicConfig urllib.request.urlopen urllib.request.Request")
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
    "tuple type vars zip memoryview exit quit input Exception ValueError KeyError "
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
    "version files metadata distribution distributions requires current_device fromtimestamp utcfromtimestamp "
    "fromordinal toordinal timetuple from_bytes to_bytes fromhex cwd home bit_length quantize normal astype corr"
)
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
ASKING = ("requests.", "httpx.", "urllib.request.", "socket.get", "pandas.read_")
"""Calls of these ask over the network."""
REACHING = names(
    "modules __dict__ __builtins__ __globals__ __subclasses__ __import__ __getattribute__ __mro__ __loader__"
)
NETWORK_METHODS = frozenset(("post", "put", "patch"))
WRITERS = FUNCTIONS.keys() | SHELLS | PROGRAMS | OPENERS
METHODS = PATH_METHODS.keys() | SAVING_METHODS.keys() | NETWORK_METHODS
"""Methods that write wherever they are called."""
