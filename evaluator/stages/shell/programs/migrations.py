"""Tools that change the shape of a database: what looks, and what loses rows or goes back."""

from __future__ import annotations

from evaluator.stages.shell.call import Handler
from evaluator.stages.shell.controls import Tool, phrases
from evaluator.stages.shell.options import names
from evaluator.stages.shell.spec import programs

DRY = names("--help --version --dry-run --check")
VALUED = names(
    "-c --config -x -n --name --schema --app -A -b --broker --database --database-url --url -d --dir --env -e "
    "--migrations-dir --knexfile --cwd --source -D --data-source --dataSource --migrations-table --path -p"
)

PROGRAMS: dict[str, Handler] = {
    **programs(
        "prisma",
        Tool(
            "database",
            looks=phrases("validate, version, debug, help, migrate status, migrate diff"),
            loses=phrases("reset, migrate reset"),
            drops=names("--accept-data-loss --force-reset"),
            changes=phrases("migrate deploy"),
            valued=names("--schema --name --config --url --file --to-migrations --from-url"),
            milder=names("--help --version --check"),
        ),
    ),
    **programs(
        "drizzle-kit",
        Tool("database", looks=names("check help"), loses=names("drop"), valued=VALUED, milder=DRY),
    ),
    **programs(
        "knex",
        Tool(
            "database",
            looks=names("migrate:status migrate:list migrate:currentVersion help"),
            loses=names("migrate:rollback migrate:down migrate:unlock"),
            valued=VALUED,
            milder=DRY,
        ),
    ),
    **programs(
        "sequelize sequelize-cli",
        Tool(
            "database",
            looks=names("db:migrate:status help"),
            loses=names("db:drop db:migrate:undo db:migrate:undo:all db:seed:undo db:seed:undo:all"),
            valued=VALUED,
            milder=DRY,
        ),
    ),
    **programs(
        "typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm mikro-orm",
        Tool(
            "database",
            looks=names(
                "migration:show schema:log entity:list version help migration:pending migration:list "
                "migration:check debug"
            ),
            loses=names(
                "schema:drop schema:sync schema:fresh migration:revert migration:down migration:fresh database:drop"
            ),
            valued=VALUED,
            milder=DRY,
        ),
    ),
    **programs(
        "alembic",
        Tool(
            "database",
            looks=names("current history heads branches show check list_templates help"),
            loses=names("downgrade"),
            valued=names("-c --config -x -n --name"),
            milder=DRY | names("--sql"),
        ),
    ),
    **programs(
        "flask",
        Tool(
            "database",
            looks=phrases(
                "routes, db current, db history, db heads, db branches, db show, db check, help, --version"
            ),
            loses=phrases("db downgrade"),
            valued=names("--app -A -e --env-file -c -x -d --directory"),
            milder=DRY | names("--sql"),
        ),
    ),
    **programs(
        "celery",
        Tool(
            "database",
            looks=names("status inspect report events help list"),
            loses=names("purge shutdown"),
            valued=VALUED,
            milder=names("--help --version"),
        ),
    ),
    **programs(
        "aerich yoyo",
        Tool(
            "database",
            looks=names("history heads list show help"),
            loses=names("downgrade rollback reapply"),
            valued=VALUED,
            milder=DRY,
        ),
    ),
    **programs(
        "flyway",
        Tool(
            "database",
            looks=names("info validate check version help"),
            loses=names("clean undo"),
            style="single",
            milder=names("-?"),
        ),
    ),
    **programs(
        "liquibase",
        Tool(
            "database",
            looks=names(
                "status validate history diff help update-sql updateSQL rollback-sql rollbackSQL "
                "future-rollback-sql"
            ),
            loses=names(
                "drop-all dropAll rollback rollback-count rollbackCount rollback-to-date rollbackToDate "
                "rollback-one-changeset rollback-one-update clear-checksums clearCheckSums release-locks"
            ),
            milder=names("--help --version"),
        ),
    ),
    **programs(
        "dbmate",
        Tool(
            "database",
            looks=names("status dump help"),
            loses=names("drop down rollback"),
            valued=VALUED,
            milder=names("--help --version"),
        ),
    ),
    **programs(
        "goose",
        Tool(
            "database",
            looks=names("status version validate help"),
            loses=names("down down-to reset redo"),
            valued=names("-dir -table -env -certfile"),
            style="single",
            milder=names("-h -version"),
        ),
    ),
    **programs(
        "migrate",
        Tool(
            "database",
            looks=names("version help"),
            loses=names("down drop force"),
            valued=names("-path -database -source -prefetch -lock-timeout"),
            style="single",
            milder=names("-help -version"),
        ),
    ),
    **programs(
        "sqlx diesel",
        Tool(
            "database",
            looks=phrases("migrate info, migration list, migration pending, print-schema, help"),
            loses=phrases("database drop, database reset, migrate revert, migration revert, migration redo"),
            valued=VALUED - names("-c -d -e -n -p"),
            milder=names("--help --version --dry-run"),
        ),
    ),
    **programs(
        "atlas",
        Tool(
            "database",
            looks=phrases(
                "schema inspect, schema diff, migrate status, migrate lint, migrate validate, version, help"
            ),
            loses=phrases("schema clean, migrate down, migrate rm"),
            valued=names("-u --url --to --dev-url --env -c --config -f --file --dir"),
            milder=DRY,
        ),
    ),
    **programs(
        "django-admin",
        Tool(
            "database",
            looks=names(
                "check showmigrations sqlmigrate sqlflush sqlsequencereset diffsettings help version"
            ),
            loses=names("flush zero"),
            valued=names("--settings --pythonpath --database -v --verbosity"),
            milder=DRY | names("--plan"),
        ),
    ),
}
