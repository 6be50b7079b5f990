"""What builds web applications and pages of documents."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

TSC = row(
    "build",
    flags="--noEmit --pretty --strict --skipLibCheck -w --watch --listFiles --listFilesOnly --showConfig "
    "--incremental --noErrorTruncation --esModuleInterop --allowJs --checkJs --noImplicitAny --strictNullChecks "
    "--resolveJsonModule --isolatedModules --traceResolution --extendedDiagnostics --diagnostics --explainFiles "
    "--noUnusedLocals --noUnusedParameters --preserveWatchOutput -b --build --verbose -d --dry -f --force --force "
    "--all -h -v --emitDeclarationOnly --declaration --sourceMap --noEmitOnError",
    valued="-p --project --target -t --module -m --moduleResolution --lib --jsx --types --locale --customConditions",
    outputs="--outDir --outFile --out --tsBuildInfoFile --generateTrace --generateCpuProfile --rootDir",
    changes={"--clean": "delete"},
)
NEXT = tree(
    "build",
    {
        **rows(
            "build, lint",
            "build",
            flags="--no-lint --strict --quiet --profile --debug -d --turbo --turbopack --webpack --no-cache "
            "--no-mangling",
            valued="--dir -d --max-warnings --format -f",
            outputs="-o --output-file",
            changes="--fix",
            loads="--rulesdir --resolve-plugins-relative-to",
        ),
        "info": row("build"),
        "typegen": row("build"),
    },
    flags="-v",
)
VITE = tree(
    "build",
    {
        "build": row(
            "build",
            flags="--minify --sourcemap --ssr --emptyOutDir --manifest --debug -d --profile --app -w --watch",
            valued="-m --mode --target --base -l --logLevel",
            outputs="--outDir",
            loads="--configLoader",
            most=0,
        )
    },
    flags="-v",
)
WEBPACK = tree(
    "build",
    rows(
        "build, bundle, b, version, info",
        "build",
        flags="--watch -w --progress --color --no-color --json --analyze --stats",
        valued="--mode --devtool -d -t --target --env",
        outputs="-o --output-path",
        loads="--config-name -r --require --entry",
        most=0,
    ),
    flags="--progress --color --no-color -v",
    valued="--mode",
    bare=None,
)
HUGO_BUILD = row(
    "build",
    flags="-D --buildDrafts -F --buildFuture -E --buildExpired --minify --quiet --printPathWarnings "
    "--printUnusedTemplates --logLevel --panicOnWarning --templateMetrics -v --ignoreCache --printI18nWarnings "
    "--enableGitInfo",
    valued="-b --baseURL -e --environment --logLevel",
    outputs="-d --destination --cacheDir",
    loads="--configDir --source -t --theme --themesDir --gc --cleanDestinationDir --renderToMemory",
    most=0,
)
HUGO = tree(
    "build",
    {
        "build": HUGO_BUILD,
        **rows(
            "version, env, config, list all, list drafts, list future, list expired, list published, help",
            "build",
            flags="--format",
        ),
        "new": row(
            "build", does="create", targets="last", flags="-f --force", valued="--kind -k --format", skip=1
        ),
    },
    flags="-D --buildDrafts -F --buildFuture -E --buildExpired --minify --quiet -v",
    bare=HUGO_BUILD,
)


PROGRAMS: dict[str, Handler] = {
    "svelte-check": row(
        "build",
        flags="--watch --fail-on-warnings --no-tsconfig",
        valued="--tsconfig --threshold --output --workspace --ignore --compiler-warnings --diagnostic-sources",
    ),
    "next": NEXT,
    "vite": VITE,
    "webpack": WEBPACK,
    "hugo": HUGO,
    "mkdocs": tree(
        "build",
        {
            "build": row(
                "build",
                flags="-c --clean --dirty -s --strict -q --quiet -v --verbose",
                valued="-t --theme",
                outputs="-d --site-dir",
                most=0,
            ),
            "new": row("build", does="create", targets="operands"),
            "gh-deploy": row(
                "build", does="network", flags="-c --clean --force --strict -q", valued="-m --message -b -r"
            ),
        },
        flags="-q --quiet -v --verbose -V",
    ),
    "sphinx-build": row(
        "build",
        does="overwrite",
        targets="second",
        flags="-q -Q -W -n -a -E -v --keep-going -T --fail-on-warning --nitpicky",
        valued="-b -j -t",
    ),
}
