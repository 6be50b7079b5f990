#!/bin/sh
# Run once by the database's first start, as its superuser: the role that replicas use is none. Row security, which keeps
# teams apart, holds for nobody who is; a replica refuses to start as one.
set -eu
password=$(cat "${COMPASS_SECRETS:-/run/secrets}/database_password")
psql -q -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres -v password="$password" <<'SQL'
CREATE ROLE compass LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE compass OWNER compass;
REVOKE CONNECT ON DATABASE compass FROM PUBLIC;
SQL
