"""Programs that speak to other machines."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

SENT = (
    "-d --data --data-raw --data-binary --data-urlencode --data-ascii --json -F --form --form-string -H --header "
    "-A --user-agent -b --cookie -e --referer -u --user --url --oauth2-bearer --url-query"
)
"""curl: values that go out with the request."""
CURL = row(
    "network",
    flags="-f --fail --fail-early --fail-with-body -G --get -g --globoff -I --head -0 --http1.0 --http1.1 --http2 "
    "--http3 -i --include --show-headers -k --insecure -4 --ipv4 -6 --ipv6 -L --location --no-location -N "
    "--no-buffer --no-keepalive --no-progress-meter --path-as-is -# --progress-bar --raw -R --remote-time "
    "--retry-all-errors --retry-connrefused -S --show-error -s --silent --styled-output --no-styled-output "
    "--ssl-reqd -v --verbose --compressed --create-dirs --no-clobber --remove-on-error -O --remote-name "
    "--remote-name-all -J --remote-header-name -Z --parallel --tlsv1 --tlsv1.2 --tlsv1.3 --tcp-nodelay -j "
    "--junk-session-cookies --basic --digest --anyauth -q --disable -V -M --manual -h",
    valued=f"{SENT} -o --output --output-dir -X --request -c --cookie-jar -m --max-time --connect-timeout -w "
    "--write-out -D --dump-header --cacert --capath -E --cert --key --cert-type --key-type --pass --retry "
    "--retry-delay --retry-max-time -r --range --limit-rate -z --time-cond --trace --trace-ascii --stderr -C "
    "--continue-at -y --speed-time -Y --speed-limit --max-redirs --max-filesize --noproxy --ciphers --tls-max "
    "--etag-save --hsts --libcurl -T --upload-file -Q --quote --keepalive-time --parallel-max --proto "
    "--proto-redir --expect100-timeout --rate",
    loads="-K --config",
)
WGET = row(
    "network",
    flags="-d --debug -q --quiet -v --verbose -n --no-verbose --retry-connrefused --no-clobber -c --continue -N "
    "--timestamping --show-progress -S --server-response --spider --random-wait --no-proxy -4 --inet4-only -6 "
    "--inet6-only -H --no-directories -x --force-directories --no-host-directories --no-cache -E "
    "--adjust-extension --ignore-length --save-headers --no-http-keep-alive --no-cookies --content-disposition "
    "--content-on-error --https-only --no-check-certificate --no-hsts -r --recursive -k --convert-links -m "
    "--mirror -p --page-requisites --no-parent -L --relative --trust-server-names --no-config --no-netrc -V -h",
    valued="-O --output-document -P --directory-prefix -o --output-file -a --append-output -t --tries -T --timeout "
    "--dns-timeout --connect-timeout --read-timeout -w --wait --waitretry -Q --quota --limit-rate -U --user-agent "
    "--header --post-data --method --body-data --user --password --http-user --http-password --referer "
    "--compression --max-redirect -l --level -A --accept -R --reject -D --domains --save-cookies --progress "
    "--ca-certificate --cut-dirs --default-page -I -X --secure-protocol --start-pos --retry-on-http-error "
    "--rejected-log --warc-file",
    loads="-i --input-file -e --execute --use-askpass --config --post-file --body-file",
)
HTTPIE = row(
    "network",
    flags="-v --verbose -h --headers -b --body -j --json -f --form -F --follow --check-status --no-check-status -I "
    "--ignore-stdin --offline --stream -S -x --compress -m --meta -q --quiet --all --debug --no-verify -4 -6",
    valued="-p --print -a --auth -A --auth-type --timeout --verify --pretty -s --style --format-options "
    "--response-charset --response-mime --max-redirects --ssl --ciphers -o --output --raw --default-scheme",
    changes={"-d": "network", "--download": "network", "-c": "network", "--continue": "network"},
)
SSH_MILD = (
    "batchmode connecttimeout stricthostkeychecking loglevel serveraliveinterval serveralivecountmax "
    "passwordauthentication connectionattempts identitiesonly preferredauthentications requesttty "
    "numberofpasswordprompts hostkeyalgorithms pubkeyauthentication pubkeyacceptedkeytypes identityfile user port "
    "compression addressfamily gssapiauthentication kbdinteractiveauthentication checkhostip visualhostkey "
    "globalknownhostsfile updatehostkeys tcpkeepalive kexalgorithms ciphers macs "
    "pubkeyacceptedalgorithms exitonforwardfailure"
)
"""Settings behind `-o`, in small letters, that run nothing and connect nowhere else."""
SSH = row(
    "network",
    flags="-4 -6 -C -G -q -T -t -n -v -x -a -k -V",
    valued="-i -l -p -b -c -m -o -Q",
    outputs={"-E": "append"},
    loads="-F -I",
    helps=False,
)
SCP = row("network", flags="-3 -4 -6 -B -C -O -p -q -r -T -v", valued="-i -P -o -c -l", loads="-F -S -D")
RSYNC = row(
    "network",
    flags="-a --archive -v --verbose -q --quiet -r --recursive -R --relative -u --update -l --links -L "
    "--copy-links -H --hard-links -p --perms -o --owner -g --group -t --times -D --devices --specials -S --sparse "
    "-n --dry-run -x --one-file-system -W --whole-file -c --checksum -z --compress -h --human-readable -i "
    "--itemize-changes -P --progress --partial --stats --delete --delete-before --delete-during --delete-after "
    "--delete-delay --delete-excluded --existing --ignore-existing --ignore-errors --force --inplace -b --backup "
    "-C --cvs-exclude --list-only --numeric-ids -m --prune-empty-dirs -E --executability -A --acls -X --xattrs -O "
    "--omit-dir-times -s --protect-args --append --append-verify --remove-source-files --mkpath -8 -F -4 -6 "
    "--no-perms --no-owner --no-group --no-times --no-compress -d --dirs -k -K --safe-links --copy-unsafe-links "
    "--size-only --fuzzy -y --no-motd --no-o --no-g --no-p --no-whole-file -0 --from0 --super",
    valued="-e --rsh --exclude --include --exclude-from --include-from --files-from -f --filter --bwlimit "
    "--timeout --port --contimeout --password-file --compare-dest --copy-dest --link-dest --max-size --min-size "
    "--chmod --chown --info --debug --out-format --suffix -B --block-size --max-delete --modify-window "
    "--skip-compress --compress-level --backup-dir --partial-dir -T --temp-dir --usermap --groupmap",
    outputs={"--log-file": "append", "--write-batch": "overwrite", "--only-write-batch": "overwrite"},
    loads="--rsync-path -M --remote-option --daemon --config --read-batch",
)
KEYGEN = row("network", flags="-l -y -B -L -v", valued="-f -F -E")
NETCAT = row("network", flags="-z -v -n -u -4 -6 -w", valued="-w -i")
GPG = row(
    "network",
    flags="--list-keys -k --list-public-keys --list-secret-keys -K --verify --fingerprint --list-packets --list-sigs "
    "--list-signatures --check-signatures -d --decrypt --export -a --armor --show-keys --print-md --with-colons "
    "--with-fingerprint --with-subkey-fingerprint --with-keygrip --batch --no-tty -q --quiet -v --verbose --yes",
    valued="--keyid-format --pinentry-mode --status-fd --display-charset --list-options",
    outputs="-o --output",
)
GPG_ASKS = (
    "--list-keys -k --list-public-keys --list-secret-keys -K --verify --fingerprint --list-packets --list-sigs "
    "--list-signatures --check-signatures -d --decrypt --export --show-keys --print-md"
)
S_CLIENT = row(
    "network",
    flags="-showcerts -brief -quiet -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1_3 -noservername -verify_quiet -status "
    "-ign_eof -prexit -verify_return_error -4 -6 -tlsextdebug -state -no_ign_eof -trace",
    valued="-connect -servername -verify -CAfile -CApath -cipher -ciphersuites -starttls -alpn -cert -key -groups "
    "-verify_hostname -name",
    style="single",
    most=0,
    remote="words",
)
ABOUT = row(
    "network",
    flags="-noout -text -subject -issuer -dates -startdate -enddate -serial -fingerprint -sha1 -sha256 -sha384 "
    "-sha512 -md5 -modulus -pubkey -pubout -hash -email -ocsp_uri -check -verify -pubin -nocert -subject_hash "
    "-issuer_hash -alias -nokeys -clcerts -cacerts -nodes -noenc -info -legacy -print_certs -crlnumber -lastupdate "
    "-nextupdate -text_pub -pubcheck -traditional",
    valued="-in -inform -outform -passin -nameopt -certopt -ext -checkend -checkhost -checkip -CAfile -CApath "
    "-untrusted -trusted -purpose -verify_hostname -checkemail -passout",
    outputs="-out",
    style="single",
)
DIGEST = row(
    "network",
    flags="-sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -md5 -blake2b512 -hex -binary -r -c -base64 -list",
    valued="-hmac -mac -macopt",
    outputs="-out",
    style="single",
)
CIPHER = row(
    "network",
    flags="-e -d -a -A -base64 -salt -nosalt -pbkdf2 -p -P -aes-256-cbc -aes-128-cbc -aes-192-cbc -aes-256-ctr "
    "-aes-128-ctr -aes256 -des3 -chacha20 -none -list -ciphers",
    valued="-in -k -pass -K -iv -S -iter -md -kfile",
    outputs="-out",
    style="single",
)
MAKES_KEY = row(
    "network",
    flags="-new -x509 -nodes -noenc -sha256 -sha512 -noout -text -verify -subject -pubkey -modulus -batch -utf8 "
    "-2048 -aes256 -hex -base64 -pubout",
    valued="-in -key -subj -days -passin -passout -addext -newkey -algorithm -pkeyopt -inform -outform -reqopt "
    "-nameopt",
    outputs="-out -keyout",
    style="single",
)
OPENSSL: dict[str, Handler] = {
    **rows("x509 crl pkcs7 pkcs12 rsa ec pkey pkeyparam asn1parse verify", ABOUT),
    **rows("dgst sha1 sha256 sha384 sha512 md5", DIGEST),
    **rows("enc base64", CIPHER),
    **rows("genrsa genpkey ecparam dsaparam", MAKES_KEY),
    "rand": row("network", flags="-hex -base64", outputs="-out", style="single", most=1),
    "passwd": row("network", flags="-1 -5 -6 -apr1 -stdin -noverify", valued="-salt -in", style="single"),
    "version": row("network", flags="-a -v -b -o -f -p -d -e", style="single", most=0),
    "ciphers": row("network", flags="-v -V -s -tls1_3 -tls1_2 -stdname", style="single", most=1),
    "list": row(
        "network",
        flags="-digest-algorithms -cipher-algorithms -commands -disabled -public-key-algorithms",
        style="single",
    ),
    "prime": row("network", flags="-hex -generate", valued="-bits", style="single"),
}
REQUESTS: dict[str, Handler] = {
    **rows(
        "dig",
        "network",
        flags="-4 -6 -u -r -v -h -m",
        valued="-x -t -q -p -c -b",
        loads="-f -k",
        remote="words",
    ),
    "host": row(
        "network",
        flags="-a -d -l -r -s -v -w -4 -6 -T -C -V",
        valued="-t -W -R -N -c -m -p",
        remote="words",
    ),
    "nslookup": row(
        "network",
        flags="-type -query -q -querytype -timeout -retry -port -class -debug -d2 -all -norecurse -vc",
        style="single",
        remote="words",
    ),
    **rows(
        "ping",
        "network",
        flags="-4 -6 -a -n -q -v -D -O -r -R -A -L -V -h",
        valued="-c -i -W -w -s -t -M -l -Q -I",
        remote="words",
    ),
    **rows(
        "traceroute",
        "network",
        flags="-4 -6 -n -I -T -U -r -d -F -e -A -V",
        valued="-m -w -q -p -f -N",
        remote="words",
    ),
    "whois": row(
        "network",
        flags="-H -a -r -d -c -x -l -m -b -B -G -I --verbose",
        valued="-h --host -p --port -i -T -t -s",
        remote="words",
    ),
    "ssh-keyscan": row("network", flags="-4 -6 -H -c -v -D -q", valued="-p -T -t -O", remote="words"),
}
PROGRAMS: dict[str, Handler] = {
    "ssh-add": row(
        "network", flags="-l -L -v -q", valued="-E -T", most=0, changes={"-D": "unknown", "-d": "unknown"}
    ),
    "ssh-copy-id": row("network", does="network", flags="-f -n -s -x", valued="-i -p -o -t"),
}
