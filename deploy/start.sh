#!/bin/sh
# Starts a replica: `start.sh [WORDS]` is `compass serve --team [WORDS]` with the secrets that lie in files, one each.
# They are in no image, in no file of compose and in no list of processes; only the replica's own environment has them.
set -eu
secrets=${COMPASS_SECRETS:-/run/secrets}

read_secret() {
    if [ -r "$secrets/$1" ]; then
        cat "$secrets/$1"
    else
        echo "start.sh: $secrets/$1 is not there or not readable" >&2
        return 1
    fi
}

ANTHROPIC_API_KEY=$(read_secret anthropic_api_key)
PGPASSWORD=$(read_secret database_password)
export ANTHROPIC_API_KEY PGPASSWORD
exec compass serve --team "$@"
