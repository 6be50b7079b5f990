"""Tools that change the shape of a database: what looks, and what loses rows or goes back."""

from __future__ import annotations

from dataclasses import dataclass

from evaluator.shell.call import Call, Handler
from evaluator.shell.options import NONE, Style, names, read_options
from evaluator.shell.outcome import Outcome, governs, reads, unlisted, writes
from evaluator.shell.rows.row import HELP, is_foreign, rows

FAMILY = "database"
DRY = "--help --version --dry-run --check"
VALUED = (
    "-c --config -x -n --name --schema --app -A -b --broker --database --database-url --url -d --dir --env -e "
    "--migrations-dir --knexfile --cwd --source -D --data-source --dataSource --migrations-table --path -p"
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of verbs, most of which may do anything: some look, some lose what cannot be made again.

    `looks`: its first operand, or the first two joined. `loses`: any operand, or an option of `drops`. `milder`:
    options with which it only says what it would do.
    """

    looks: frozenset[str] = NONE
    loses: frozenset[str] = NONE
    drops: frozenset[str] = NONE
    valued: frozenset[str] = NONE
    milder: frozenset[str] = NONE
    changes: frozenset[str] = NONE
    """Verbs, one or two words, that change a database far from here, as it is meant to be changed."""
    style: Style = "gnu"

    def __call__(self, call: Call) -> list[Outcome]:
        options = read_options(call.args, self.valued, style=self.style)
        given = options.texts()
        if options.has(self.milder):
            return [reads("build")]
        if options.may_have(self.drops) or any(text in self.loses for text in (*given, " ".join(given[:2]))):
            return [governs(FAMILY)]
        paths = (" ".join(given[:2]), *given[:1])
        known = self.valued | SHOWN
        mild = all(name in known for name, _ in options.flags) and not any(
            is_foreign(value.text, call.shell.cwd) for value in options.values(self.valued)
        )
        if mild and ((not given and not options.flags) or any(path in self.looks for path in paths)):
            return [reads("build")]
        if any(path in self.changes for path in paths):
            return [reads(FAMILY)] if options.has(HELP) else [writes("network", (), FAMILY)]
        return [unlisted(FAMILY)]


def tool(
    *,
    looks: str,
    loses: str,
    drops: str = "",
    valued: str = "",
    milder: str = "",
    changes: str = "",
    style: Style = "gnu",
) -> Tool:
    """A `Tool` from words; verbs of two words stand between commas."""
    verbs = (_verbs(looks), _verbs(loses), names(drops), names(valued), names(milder), _verbs(changes))
    return Tool(*verbs, style)


def _verbs(text: str) -> frozenset[str]:
    return frozenset(verb.strip() for verb in text.split(",") if verb.strip()) if "," in text else names(text)


SHOWN = names(
    "-v --verbose -q --quiet --json --script --all --exit-code --from-empty --to-empty --no-color -h"
)
"""Options that change only what is shown."""
LONG_VALUED = " ".join(option for option in VALUED.split() if option not in ("-c", "-d", "-e", "-n", "-p"))

GOOSE = tool(
    looks="status version validate help",
    loses="down down-to reset redo",
    valued="-dir -table -env -certfile",
    style="single",
    milder="-h -version",
)
"""A coding agent bears the name too; `agents` tells them apart."""

PROGRAMS: dict[str, Handler] = {
    "prisma": tool(
        looks="validate, version, debug, help, migrate status, migrate diff",
        loses="reset, migrate reset",
        drops="--accept-data-loss --force-reset",
        changes="migrate deploy,",
        valued="--schema --name --config --url --file --to-migrations --from-url --from-migrations "
        "--from-schema-datamodel --from-schema-datasource --to-schema-datamodel --to-schema-datasource",
        milder="--help --version --check",
    ),
    "drizzle-kit": tool(looks="check help", loses="drop", valued=VALUED, milder=DRY),
    "knex": tool(
        looks="migrate:status migrate:list migrate:currentVersion help",
        loses="migrate:rollback migrate:down migrate:unlock",
        valued=VALUED,
        milder=DRY,
    ),
    **rows(
        "sequelize sequelize-cli",
        tool(
            looks="db:migrate:status help",
            loses="db:drop db:migrate:undo db:migrate:undo:all db:seed:undo db:seed:undo:all",
            valued=VALUED,
            milder=DRY,
        ),
    ),
    **rows(
        "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm",
        tool(
            looks="migration:show schema:log entity:list version help migration:pending migration:list "
            "migration:check debug",
            loses="schema:drop schema:sync schema:fresh migration:revert migration:down migration:fresh database:drop",
            valued=VALUED,
            milder=DRY,
        ),
    ),
    "alembic": tool(
        looks="current history heads branches show check list_templates help",
        loses="downgrade",
        valued="-c --config -x -n --name",
        milder=f"{DRY} --sql",
    ),
    "flask": tool(
        looks="routes, db current, db history, db heads, db branches, db show, db check, help, --version",
        loses="db downgrade,",
        valued="--app -A -e --env-file -c -x -d --directory",
        milder=f"{DRY} --sql",
    ),
    "celery": tool(
        looks="status inspect report events help list",
        loses="purge shutdown",
        valued=VALUED,
        milder="--help --version",
    ),
    "flyway": tool(
        looks="info validate check version help",
        loses="clean undo",
        valued="-url -user -schemas -locations -configFiles -environment",
        style="single",
        milder="-?",
    ),
    "liquibase": tool(
        looks="status validate history diff help update-sql updateSQL rollback-sql rollbackSQL future-rollback-sql",
        loses="drop-all dropAll rollback rollback-count rollbackCount rollback-to-date rollbackToDate "
        "rollback-one-changeset rollback-one-update clear-checksums clearCheckSums release-locks",
        valued="--changelog-file --defaults-file --url --username --contexts --labels",
        milder="--help --version",
    ),
    "dbmate": tool(
        looks="status dump help", loses="drop down rollback", valued=VALUED, milder="--help --version"
    ),
    "migrate": tool(
        looks="version help",
        loses="down drop force",
        valued="-path -database -source -prefetch -lock-timeout",
        style="single",
        milder="-help -version",
    ),
    **rows(
        "sqlx diesel",
        tool(
            looks="migrate info, migration list, migration pending, print-schema, help",
            loses="database drop, database reset, migrate revert, migration revert, migration redo",
            valued=LONG_VALUED,
            milder="--help --version --dry-run",
        ),
    ),
    "atlas": tool(
        looks="schema inspect, schema diff, migrate status, migrate lint, migrate validate, version, help",
        loses="schema clean, migrate down, migrate rm",
        valued="-u --url --to --dev-url --env -c --config -f --file --dir",
        milder=DRY,
    ),
    "django-admin": tool(
        looks="check showmigrations sqlmigrate sqlflush sqlsequencereset diffsettings help version",
        loses="flush zero",
        valued="--settings --pythonpath --database -v --verbosity",
        milder=f"{DRY} --plan",
    ),
}
