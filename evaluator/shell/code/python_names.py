"""What calls in inline Python do, by name. Data for `python`."""

from __future__ import annotations

import re

from evaluator.model import Operation
from evaluator.shell.options import NONE, names

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
SAVING_METHODS = names(
    "savefig to_csv to_json to_excel to_parquet to_pickle to_html to_markdown imwrite extractall"
)
"""Methods of anything whose first argument is a file that they write."""
SHELLS = names("os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput")
PROGRAMS = names(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen"
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
    "urllib.request": names("urlopen Request"),
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
DECORATORS = names(
    "staticmethod classmethod property dataclasses.dataclass functools.lru_cache functools.cache"
)
OPENERS = names("open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile")
BUILTINS = names(
    "abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate filter float "
    "format frozenset hasattr hash hex id int isinstance issubclass iter len list map max min next object oct "
    "ord pow print property range repr reversed round set slice sorted staticmethod classmethod str sum super "
    "tuple type vars zip memoryview exit quit input Exception ValueError KeyError "
    "RuntimeError TypeError SystemExit AssertionError OSError IndexError NotImplementedError StopIteration "
    "FileNotFoundError"
)
PURE_METHODS = names(
    "add add_argument append appendleft as_posix astimezone astype attrib bit_length body capitalize casefold "
    "center choice choices clear close commit copy corr count current_device cursor cwd date decode describe "
    "device_count difference difference_update digest discard dtypes dumps elements encode end endswith entries "
    "exists expandtabs expanduser extend extendleft fetchall fetchone fileno files find find_all findall "
    "finditer findtext flush format format_map from_bytes fromhex fromisoformat fromkeys fromordinal "
    "fromtimestamp fullmatch generic_visit get get_device_name get_text getbuffer getheader getheaders "
    "getmembers getnames getroot getvalue glob group groupby groupdict groups head hex hexdigest home index "
    "info insert intersection is_absolute is_available is_dir is_file is_symlink isalnum isalpha isascii isatty "
    "isdecimal isdigit isidentifier islower isna isnumeric isoformat isspace istitle isupper item items iter "
    "iterdir iterfind iterrows itertext itertuples join joinpath json keys ljust loads lower lstat lstrip "
    "maketrans match max mean metadata min most_common namelist normal notna now parent parents parse_args part "
    "partition pop popitem popleft print prod quantile quantize raise_for_status randint random read read_bytes "
    "read_text readable reader readline readlines relative_to remove removeprefix removesuffix replace reshape "
    "resolve reverse rfind rglob rindex rjust rotate round rpartition rsplit rstrip safe_load safe_load_all "
    "samefile sample search seek select setdefault size sort sort_values sorted span split splitlines start "
    "startswith stat std strftime strip strptime sub subn sum swapcase symmetric_difference tail tell text time "
    "timestamp timetuple title to_bytes to_dict to_list to_numpy to_string tobytes today tolist toordinal "
    "tostring total_seconds translate truediv union unique update upper utcfromtimestamp utcnow value_counts "
    "values version visit walk weekday with_name with_stem with_suffix writer writerow writerows zfill"
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
METHODS = PATH_METHODS.keys() | SAVING_METHODS | NETWORK_METHODS
"""Methods that write wherever they are called."""
