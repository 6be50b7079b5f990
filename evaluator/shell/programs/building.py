"""Compilers and build systems that take no row of their own elsewhere."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows, tree

COMPILED_ONLY_TOLD = row(
    "build", flags="-V -v -version -vV", valued="--explain", outputs="-o -d", most=0, style="single"
)
PROTOC = row(
    "build",
    flags="--version --experimental_allow_proto3_optional --include_imports --include_source_info --fatal_warnings",
    valued="-I --proto_path --error_format",
    outputs="--python_out --pyi_out --cpp_out --java_out --kotlin_out --go_out --go-grpc_out --js_out --ts_out "
    "--grpc_out --grpc_python_out--csharp_out --ruby_out --php_out --rust_out --objc_out --dart_out --swift_out "
    "--mypy_out --doc_out --grpc-web_out --grpc-gateway_out --openapiv2_out --validate_out -o --descriptor_set_out "
    "--dependency_out",
    loads="--plugin",
)


PROGRAMS: dict[str, Handler] = {
    **rows("rustc javac swiftc nim", COMPILED_ONLY_TOLD),
    "ninja": row(
        "build", flags="-v --verbose --quiet -n -#", valued="-j -k -l", base="-C", loads="-t -d", most=0
    ),
    "meson": tree(
        "build",
        {
            "compile": row("build", flags="-v --verbose", valued="-C -j --jobs", most=0),
            "test": row(
                "build",
                flags="-v --verbose -q --list --no-rebuild --print-errorlogs --num-processes --repeat",
                valued="-C --suite --no-suite -t --timeout-multiplier -j",
                loads="--wrapper --wrap --gdb --setup",
            ),
            "introspect": row(
                "build",
                flags="--all --targets --tests --buildoptions --dependencies -i --indent --installed --projectinfo -a",
            ),
            "setup": row(
                "build",
                does="create",
                targets="first",
                flags="--reconfigure --wipe",
                valued="--buildtype -D --prefix",
            ),
            "install": row(
                "packages",
                does="install",
                flags="--no-rebuild --quiet",
                valued="-C --tags --destdir",
                tells="-n --dry-run",
            ),
        },
    ),
    **rows(
        "bazel bazelisk",
        tree(
            "build",
            {
                **rows(
                    "build, test, coverage",
                    "build",
                    flags="-k --keep_going --nocache_test_results --verbose_failures -s --subcommands --nobuild "
                    "--sandbox_debug --test_verbose_timeout_warnings --nokeep_going",
                    valued="-c --compilation_mode -j --jobs --test_output --test_filter --test_tag_filters "
                    "--build_tag_filters --runs_per_test --test_timeout --color --curses --show_progress",
                    loads="--run_under --strategy --override_repository --extra_toolchains --host_jvm_args "
                    "--remote_cache --remote_executor --spawn_strategy",
                    outputs="--symlink_prefix --build_event_json_file --profile",
                ),
                **rows(
                    "query, cquery, aquery",
                    "build",
                    flags="--noimplicit_deps --notool_deps --keep_going -k --nohost_deps",
                    valued="--output --universe_scope --order_output",
                    outputs="--output_file",
                    loads="--query_file --override_repository",
                ),
                **rows("info, version, help", "build", flags="--show_make_env", most=1),
                "clean": row("build", does="delete", flags="--expunge --async"),
            },
        ),
    ),
    "pants": tree(
        "build",
        {
            **rows(
                "test, lint, check, list, dependencies, dependents, roots, peek, filedeps, paths, count-loc",
                "build",
                flags="--transitive --closed",
                valued="--changed-since --output-file",
                outputs="--output",
            ),
            "package": row("build"),
        },
    ),
    "swift": tree(
        "build",
        {
            **rows(
                "build, test",
                "build",
                flags="-v --verbose -q --quiet --build-tests --parallel --skip-build --enable-code-coverage -l "
                "--list-tests --no-parallel --show-bin-path",
                valued="-c --configuration --target --product --filter --skip -j --jobs --arch --triple",
                outputs="--build-path --scratch-path --xunit-output",
                loads="-Xswiftc -Xcc -Xlinker -Xcxx --package-path --toolchain --sdk --disable-sandbox",
            ),
            **rows(
                "package describe, package show-dependencies, package dump-package, package tools-version",
                "packages",
                valued="--type --format",
            ),
            **rows("package update, package resolve", "packages", does="install", flags="-v"),
        },
    ),
    "flutter": tree(
        "build",
        {
            **rows(
                "test, analyze, doctor, devices, emulators, pub outdated, pub deps, channel",
                "build",
                flags="--coverage -v --verbose --no-pub --pub --fatal-infos --no-fatal-infos --fatal-warnings "
                "--no-fatal-warnings --machine --style",
                valued="--name --plain-name -j --concurrency -r --reporter --timeout -t --tags -x --exclude-tags "
                "--device-timeout",
                outputs="--write --file-reporter",
                changes="--update-goldens",
                loads="-d --device-id",
            ),
            **rows(
                "build apk, build appbundle, build web, build ios, build macos, build linux, build windows, build "
                "ipa",
                "build",
                flags="--release --debug --profile --no-pub --no-codesign --split-per-abi --obfuscate",
                valued="--flavor -t --target --target-platform --build-name --build-number --dart-define",
                outputs="--split-debug-info -o --output",
                most=0,
            ),
            **rows(
                "pub get, pub add, pub upgrade, pub remove, upgrade, precache",
                "packages",
                does="install",
                flags="-v --dev --offline --major-versions",
                milder="--dry-run",
            ),
            "clean": row("build", does="delete"),
            "create": row(
                "build",
                does="create",
                targets="operands",
                valued="--org --template -t --platforms --project-name",
            ),
        },
        flags="-v",
    ),
}
