"""Database clients: what their options do. The statements that they are given are looked at in `acts`."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

PSQL = row(
    "database",
    flags="-X --no-psqlrc -1 --single-transaction -a --echo-all -b --echo-errors -e --echo-queries -E "
    "--echo-hidden -n --no-readline -q --quiet -s --single-step -S --single-line -A --no-align --csv -H --html -t "
    "--tuples-only -x --expanded -z --field-separator-zero -0 --record-separator-zero -w --no-password -W "
    "--password -l --list -V -?",
    valued="-c --command -d --dbname -F --field-separator -R --record-separator -T --table-attr -P --pset -h "
    "--host -p --port -U --username -v --set --variable -f --file",
    outputs="-o --output -L --log-file",
)
MYSQL = row(
    "database",
    flags="-s --silent -t --table -N --skip-column-names -B --batch -r --raw -v --verbose -E --vertical -H --html "
    "-X --xml -C --compress -f --force -q --quick -w -W -b --no-beep -A --no-auto-rehash -n --unbuffered -V -? -I "
    "--column-names --skip-auto-rehash --skip-ssl --ssl --no-defaults --line-numbers --safe-updates -U "
    "--enable-cleartext-plugin -L --skip-line-numbers -p --password",
    valued="-h --host -P --port -u --user -S --socket --protocol -D --database -e --execute "
    "--default-character-set --connect-timeout --ssl-mode --ssl-ca --defaults-group-suffix --login-path "
    "--max-allowed-packet",
    outputs="--tee",
    loads="--init-command --plugin-dir --default-auth --pager --defaults-file --defaults-extra-file "
    "--init-command-add",
)
CLICKHOUSE = row(
    "database",
    flags="-m --multiquery -n --multiline -t --time -E --vertical --secure -s --stacktrace -V --progress",
    valued="-q --query -h --host --port -u --user --password -d --database -f --format --max_threads "
    "--max_execution_time --queries-file",
)
CQLSH = row(
    "database",
    flags="--ssl --no-color -C --color --no-compact",
    valued="-e --execute -u --username -p --password -k --keyspace --connect-timeout --request-timeout -f --file",
)
SQLCMD = row(
    "database",
    flags="-C -E -I -N -W -b -e -k -L -j -p -x",
    valued="-S -U -P -d -Q -q -h -s -w -t -l -y -Y -m -V -v -H -a -i",
    outputs="-o",
)
SQLITE = row(
    "database",
    flags="-ascii -bail -batch -box -column -csv -echo -header -noheader -headers -html -json -line -list "
    "-markdown -nofollow -quote -readonly -safe -stats -table -tabs -memtrace -jsonlines -latex -unsigned --box "
    "--column --csv --header --noheader --json --line --list --markdown --readonly --table --tabs --batch --bail "
    "--safe -c -s -version -help",
    valued="-cmd --cmd -separator --separator -nullvalue --nullvalue -newline -mmap -maxsize -init --init",
    style="single",
)
DUCKDB = row(
    "database",
    flags="-ascii -bail -batch -box -column -csv -echo -header -noheader -html -json -jsonlines -line -list "
    "-markdown -quote -readonly -safe -table -no-stdin -nofollowinit --readonly --json --csv --markdown --box "
    "-version -help",
    valued="-cmd -c -s -separator -nullvalue -newline -init",
    style="single",
)
MONGOSH = row(
    "database",
    flags="--quiet --norc --json --tls --ssl --verbose --retryWrites --nodb --ipv6 --tlsAllowInvalidCertificates",
    valued="--eval --host --port -u --username -p --password --authenticationDatabase --authenticationMechanism "
    "--tlsCAFile --apiVersion",
    loads="-f --file --shell --keyVaultNamespace",
)
REDIS = row(
    "database",
    flags="--raw --no-raw --csv --json --quoted-input --scan --stat --latency --latency-history --bigkeys "
    "--memkeys --hotkeys --no-auth-warning -2 -3 --tls --insecure -e --verbose -v -c",
    valued="-h -p -s -n -u -a --user --pass --pattern --count -r -i -d -t --intrinsic-latency --sni --cacert "
    "--cert --key",
    outputs="--rdb --functions-rdb",
    loads="--eval --pipe --ldb --cluster -x -X --askpass",
)
BIGQUERY = row(
    "database",
    flags="--use_legacy_sql --nouse_legacy_sql --use_cache --nouse_cache --dry_run --nodry_run --quiet -q --schema "
    "--view --headless --synchronous_mode --batch --all -a -j --jobs -d --datasets -p --projects "
    "--print_last_updated",
    valued="--project_id --dataset_id --location --format --max_rows -n --max_results --parameter --job_id "
    "--maximum_bytes_billed -s --start_row --selected_fields --max_rows_per_request --filter --page_token",
)
DUMPED = (
    "-h --host -p --port -U --username -d --dbname -n --schema -N --exclude-schema -t --table -T --exclude-table "
    "-F --format -j --jobs -Z --compress -E --encoding --section --exclude-table-data --lock-wait-timeout --role "
    "-S --superuser --snapshot --extra-float-digits --rows-per-insert --database --exclude-database"
)
PG_DUMP = row(
    "database",
    flags="-a --data-only -s --schema-only -c --clean -C --create --if-exists --inserts --column-inserts -O "
    "--no-owner -x --no-privileges --no-acl -v --verbose -w --no-password -W --password --no-comments "
    "--no-tablespaces -b --blobs --no-blobs --quote-all-identifiers --disable-triggers -g --globals-only -r "
    "--roles-only --no-publications --no-security-labels --no-subscriptions --no-sync --serializable-deferrable "
    "--on-conflict-do-nothing --enable-row-security --strict-names --no-role-passwords -V",
    valued=DUMPED,
    outputs="-f --file",
)
MYSQLDUMP = row(
    "database",
    flags="--single-transaction --quick -q --no-data -d --no-create-info -t --no-create-db -n --routines -R "
    "--triggers --skip-triggers --events -E --all-databases -A --databases -B --add-drop-table "
    "--skip-add-drop-table --compact --complete-insert -c --extended-insert -e --skip-extended-insert --hex-blob "
    "--lock-tables --skip-lock-tables --no-tablespaces -y --column-statistics --skip-comments --set-gtid-purged "
    "--opt --skip-opt -v --verbose -C --compress --xml -X --skip-dump-date --add-drop-database --order-by-primary "
    "--force -f -p --password",
    valued="-h --host -P --port -u --user -S --socket --protocol --default-character-set --ignore-table -w --where "
    "--max-allowed-packet --ssl-mode --tables",
    outputs="-r --result-file --log-error -T --tab",
    loads="--defaults-file --defaults-extra-file --plugin-dir --default-auth --init-command --flush-logs -F "
    "--delete-master-logs --delete-source-logs",
)
MYSQLADMIN = row(
    "database",
    flags="-s --silent -v --verbose -E --vertical -C --compress -w -p --password -r --relative",
    valued="-h --host -P --port -u --user -S --socket --protocol -i --sleep -c --count --connect-timeout --ssl-mode",
)
SERVER = "-h --host -p --port -U --username -d --dbname -t --timeout"
MONGO_TOOLS = (
    "--uri -h --host --port -u --username -p --password --authenticationDatabase -d --db -c --collection -q --query "
    "--readPreference -f --fields --type --sort --limit --skip -j --numParallelCollections --excludeCollection"
)
PROGRAMS: dict[str, Handler] = {
    **rows("pg_dump pg_dumpall", PG_DUMP),
    **rows("mysqldump mariadb-dump", MYSQLDUMP),
    "pg_isready": row("database", flags="-q --quiet -V", valued=SERVER, most=0),
    **rows(
        "createdb createuser",
        "database",
        does="network",
        flags="-e --echo -w -W -s -S -d -D -r -R -l -L -i -I -P -g",
        valued="-h --host -p --port -U --username -O --owner -T --template -E --encoding --locale --maintenance-db",
    ),
    **rows(
        "dropdb dropuser",
        "database",
        does="delete",
        flags="-e --echo -f --force -i --interactive --if-exists -w -W",
        valued="-h --host -p --port -U --username --maintenance-db",
    ),
    **rows(
        "mongorestore mongoimport",
        "database",
        does="network",
        flags="--drop --gzip --upsert --jsonArray --headerline --local -L --verbose -v --quiet "
        "--maintainInsertionOrder",
        valued=f"{MONGO_TOOLS} --file --dir --archive --mode --nsInclude --nsExclude",
    ),
    "mongodump": row(
        "database",
        does="overwrite",
        flags="--gzip --oplog --quiet -v --dumpDbUsersAndRoles --forceTableScan",
        valued=MONGO_TOOLS,
        outputs="-o --out --archive",
    ),
    "mongoexport": row(
        "database",
        flags="--csv --jsonArray --pretty --quiet -v --noHeaderLine --forceTableScan",
        valued=MONGO_TOOLS,
        outputs="-o --out",
    ),
}
