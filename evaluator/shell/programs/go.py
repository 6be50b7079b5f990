"""go and its subcommands, and what runs its tests."""

from __future__ import annotations

from dataclasses import replace

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import names, read_options
from evaluator.shell.outcome import Outcome, reads, unlisted
from evaluator.shell.rows.row import row, rows, tree

GO_FLAGS = "-v -x -a -race -msan -asan -cover -trimpath -work -linkshared -modcacherw -buildvcs -json -n"
GO_VALUED = "-p -tags -mod -buildmode -covermode -coverpkg -gcflags -compiler -pgo -installsuffix"
GO_RUNS = "-toolexec"
GO_BUILD = row(
    "build",
    flags=GO_FLAGS.replace(" -n", ""),
    valued=GO_VALUED.replace("-compiler ", "").replace("-gcflags ", ""),
    outputs="-o -pkgdir",
    runs=GO_RUNS,
    base="-C",
    loads="-overlay -modfile -ldflags -gccgoflags",
    tells="-n",
    style="single",
)
GO_TEST = row(
    "build",
    flags=f"{GO_FLAGS} -short -failfast -benchmem -fullpath -artifacts",
    valued="-p -tags -mod -covermode -coverpkg -run -skip -count -bench -benchtime -cpu -parallel -timeout -list "
    "-shuffle -vet -fuzztime",
    outputs="-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir "
    "-test.gocoverdir -pkgdir",
    changes={"-c": "create"},
    runs=f"{GO_RUNS} -exec",
    base="-C",
    loads="-overlay -modfile -ldflags -vettool",
    style="single",
)
GO_READS = row(
    "build",
    flags=f"{GO_FLAGS} -m -u -deps -test -e -versions -find -compiled -export -retracted -all -src -short -c -cmd "
    "-changed -why -vendor",
    valued="-f -mod -tags -reuse -p",
    remote="addresses",
    loads="-overlay -modfile -http -toolexec",
    style="single",
)
GO_INSTALLS = row(
    "packages",
    does="install",
    flags=f"{GO_FLAGS} -u -t -d -e -r -use -go -compat -diff",
    valued="-tags -mod -p -o",
    runs=GO_RUNS,
    loads="-overlay -modfile -ldflags",
    tells="-n -diff",
    style="single",
)
GOTESTSUM = row(
    "build",
    flags="--no-color --hide-summary",
    worded="-f --format",
    outputs="--junitfile --jsonfile",
    loads="--post-run-command --raw-command --watch --rerun-fails",
)
GO = tree(
    "build",
    {
        "build": GO_BUILD,
        "test": GO_TEST,
        "vet": row(
            "build",
            flags=f"{GO_FLAGS} -c",
            valued="-p -tags -mod",
            changes="-fix",
            runs=GO_RUNS,
            loads="-vettool -overlay -modfile",
            style="single",
        ),
        **rows("list, version, doc, help, mod graph, mod why, mod verify", GO_READS),
        "env": row("build", flags="-json -changed", changes="-w -u", style="single"),
        **rows(
            "get, install, mod tidy, mod download, mod vendor, work init, work use, work sync, work edit, work "
            "vendor",
            GO_INSTALLS,
        ),
        "mod edit": row(
            "build",
            flags="-json -print -go -module",
            changes="-require -droprequire -replace -dropreplace -exclude -dropexclude -retract -dropretract -fmt "
            "-toolchain -tool -godebug",
            style="single",
            most=0,
        ),
        "tool cover": row("build", valued="-func -mode -var", outputs="-o", style="single"),
        "fmt": row("format", does="overwrite", flags="-x", tells="-n", style="single", loads="-mod"),
        "clean": row(
            "build",
            does="delete",
            flags="-i -r -cache -testcache -modcache -fuzzcache -x",
            tells="-n",
            style="single",
        ),
        "fix": row("build", does="overwrite", flags="-v", tells="-diff", style="single"),
    },
    valued="",
    loads="-C",
    style="single",
)


def _go(call: Call) -> list[Outcome]:
    """A module file is kept as it is, unless `-mod` says that it may change; a test that is built to nowhere leaves
    nothing.
    """
    if call.texts == ["clean", "-testcache"]:
        # What the tool keeps for itself; the next run makes it anew.
        return [reads("build")]
    if not any(
        text == "-c" or text.lstrip("-").startswith("mod=") or text[-4:] == "-mod" for text in call.texts
    ):
        return GO(call)
    options = read_options(call.args, GO_TEST.takes, style="single")
    nowhere = [value.text for value in options.values(names("-o"))] == ["/dev/null"]
    built = call.texts[:1] == ["test"] and nowhere
    kept = tuple(word for word in call.args if not (built and word.text == "-c"))
    found = GO(replace(call, args=kept))
    changes = any(value.text not in ("vendor", "readonly") for value in options.values(names("-mod")))
    if not changes:
        return found
    return [unlisted("build"), *(one for one in found if one.verdict != "read_only")]


def _gotestsum(call: Call) -> list[Outcome]:
    """Behind `--` stand the words of `go test`."""
    at = call.texts.index("--") if "--" in call.texts else len(call.args)
    own = GOTESTSUM(replace(call, args=call.args[:at]))
    return [*own, *GO_TEST(replace(call, args=call.args[at + 1 :]))]


PROGRAMS: dict[str, Handler] = {"go": _go, "gotestsum": _gotestsum}
