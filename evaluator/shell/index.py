"""Which module answers for which program: `tests/support/samples/indexed.py` writes it."""

# fmt: off
INDEX: dict[str, str] = {
    "acts.building.making":
    "c++ cc clang clang++ cmake g++ gcc gmake make protoc tsc vue-tsc",
    "acts.building.running":
    "gradle gradlew grunt just lerna mvn mvnw nx rails rake sbt task turbo",
    "acts.building.testing":
    "c8 coverage mocha mypy nox nyc py.test pytest tox valgrind vitest",
    "acts.building.toolchains":
    "cabal cargo dart dotnet mix ng stack",
    "acts.code.interpreters":
    "R Rscript deno elixir groovy iex ipython irb java julia kotlin lua node nodejs perl php powershell pwsh ruby "
    "scala tclsh ts-node tsx",
    "acts.code.python":
    "manage.py pypy python",
    "acts.code.shells":
    "ash bash dash fish ksh mksh rbash sh zsh",
    "acts.code.wrapping":
    "busybox env flock gxargs parallel runuser script shx su sudo sudoedit toybox xargs",
    "acts.files.archiving":
    "7z 7za ar bsdtar bunzip2 bzip2 gtar gunzip gzip jar lzma tar unrar unxz unzip unzstd xz zip zstd",
    "acts.files.editing":
    "awk csplit ed ex exiftool gawk gsed mawk nawk nvim patch sed split tee vi view vim vimdiff yq",
    "acts.files.finding":
    "fd fdfind find gfind",
    "acts.files.formatters":
    "black isort ruff rustfmt shfmt",
    "acts.files.media":
    "convert ctags dot ffmpeg ffprobe identify magick mogrify objcopy pdftoppm strip",
    "acts.files.paging":
    "ack ag bat less man more zless",
    "acts.files.patching":
    "apply_patch applypatch",
    "acts.files.placing":
    "chflags chgrp chmod chown cp dd gcp gmv install ln mktemp mv rename",
    "acts.files.reading":
    "ast-grep bc date dc hostname lsof mlr pandoc pdftotext sg uniq xmllint xxd",
    "acts.git.command":
    "git git-lfs",
    "acts.git.forge":
    "gh glab",
    "acts.installing.managers":
    "asdf bundle bundler composer mise pyenv rbenv rustup",
    "acts.installing.nix":
    "nix nix-shell",
    "acts.installing.node":
    "bun bunx npm npx pnpm pnpx yarn",
    "acts.installing.python_packages":
    "conda hatch mamba micromamba pdm pipenv pipx poetry uv uvx",
    "acts.installing.system_packages":
    "apt apt-get brew pacman rpm",
    "acts.machines.clouds":
    "argocd aws awslocal az cdk doctl eksctl firebase fly flyctl gcloud gsutil heroku k3d kind minikube netlify ntl "
    "pulumi railway rclone sam serverless sls supabase vagrant vault vercel wrangler",
    "acts.machines.clusters":
    "ansible ansible-inventory ansible-playbook helm kubectl oc terraform tofu",
    "acts.machines.containers":
    "docker docker-compose nerdctl podman podman-compose",
    "acts.machines.databases":
    "bq clickhouse-client cqlsh duckdb mariadb mongo mongosh mysql mysqladmin pg_restore psql redis-cli sqlcmd sqlite "
    "sqlite3 valkey-cli",
    "acts.machines.devices":
    "adb",
    "acts.machines.disks":
    "badblocks blkdiscard cfdisk cgdisk cryptsetup diskutil fdisk gdisk hdparm lvreduce lvremove mdadm mkdosfs mke2fs "
    "mkfs mkfs.btrfs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.fat mkfs.ntfs mkfs.vfat mkfs.xfs mkswap nvme "
    "parted pvremove sfdisk sgdisk vgremove wipefs zfs zpool",
    "acts.machines.lookups":
    "c++filt getent nm objdump otool readelf strings",
    "acts.machines.network":
    "curl dig gpg gpg2 host http https nc ncat netcat nslookup openssl ping rsync scp ssh ssh-keygen ssh-keyscan "
    "traceroute wget whois xh",
    "programs.agents":
    "agentapi aichat aider amp auggie chatblade cline cn codebuff codex copilot crush cursor-agent devin droid fabric "
    "gemini goose gptme interpreter kilocode kiro-cli llm mods opencode openhands pdx plandex q qwen rovodev sgpt "
    "swe-agent tgpt",
    "programs.building":
    "bazel bazelisk flutter javac meson nim ninja pants rustc swift swiftc",
    "programs.bundling":
    "hugo mkdocs next sphinx-build svelte-check vite webpack",
    "programs.checks":
    "actionlint bandit basedpyright codespell flake8 golangci-lint gopls govulncheck knip markdownlint "
    "markdownlint-cli2 phpstan pyflakes pylint pyright shellcheck staticcheck typos yamllint",
    "programs.clusters":
    "kustomize",
    "programs.databases":
    "createdb createuser dropdb dropuser mariadb-dump mongodump mongoexport mongoimport mongorestore mysqldump "
    "pg_dump pg_dumpall pg_isready",
    "programs.debian":
    "apt-cache apt-mark dpkg dpkg-query",
    "programs.files":
    "chattr del-cli fallocate grm link mkdir mkfifo mknod rimraf rm rmdir setfacl shred srm sync touch trash "
    "trash-put truncate unlink wipe",
    "programs.formatters":
    "biome clang-format clang-tidy eslint gofmt gofumpt goimports oxlint pre-commit prek prettier stylelint tidy",
    "programs.go":
    "go gotestsum",
    "programs.governing":
    "addgroup adduser apache2 apache2ctl apachectl chage chpasswd chsh delgroup deluser depmod dmesg ethtool "
    "firewall-cmd fuser gpasswd groupadd groupdel groupmod halt hostnamectl httpd ifconfig ifdown ifup init insmod ip "
    "ip6tables ip6tables-legacy ip6tables-nft ip6tables-restore ip6tables-save iptables iptables-legacy iptables-nft "
    "kexec kill kill-port kill-port-process killall loginctl losetup modprobe mount networksetup nft nginx nmcli "
    "passwd pg_ctl pg_dropcluster pg_resetwal pkill pm2 pmset poweroff rabbitmqctl rc-service reboot renice "
    "resolvectl rmmod route service shutdown skill supervisorctl swapoff swapon sysctl systemctl tailscale taskkill "
    "tc telinit timedatectl ufw umount useradd userdel usermod vipw visudo xkill",
    "programs.keyboards":
    "abduco anacron at atq atrm autoexpect autokey-run automator batch byobu cliclick conspy cron crond crontab "
    "dotool dotoolc dtach dvtm empty expect fcron fcrontab injcode jobber keymouse_go kitten kitty kwtype launchctl "
    "osascript ratpoison reptyr schtasks screen sendkeys systemd-run tmate tmux ttyecho wezterm wlrctl writevt wtype "
    "xdo xdotool xmacroplay xte xvkbd ydotool ydotoold zellij",
    "programs.listing":
    "b2sum basename cksum cloc cmp df diff diff3 dir dirname du exa eza file hd hexdump ls lsattr md5 md5sum namei od "
    "pathchk readlink realpath sdiff sha1sum sha256sum sha512sum shasum stat sum tree vdir zipinfo",
    "programs.machine":
    ": [ bg break cal caller clear compgen complete continue dirs disown echo exit expr factor false fg findmnt free "
    "getconf groups help id last ldd locale logout lsb_release lsblk lscpu lsmod netstat nproc numfmt pbpaste pgrep "
    "pidof printenv printf ps pstree pwd reset return seq shopt sleep ss stty suspend sw_vers test times top tput "
    "true tty type umask unalias uname unset uptime users uuidgen vm_stat vmstat w wait who whoami yes",
    "programs.migrations":
    "alembic atlas celery dbmate diesel django-admin drizzle-kit flask flyway knex liquibase migrate prisma sequelize "
    "sequelize-cli sqlx typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm",
    "programs.network":
    "ssh-add ssh-copy-id",
    "programs.own":
    "compass compass-gate",
    "programs.packages":
    "gem ncu npm-check-updates",
    "programs.python_packages":
    "pip pip-audit pip-compile pip-sync twine venv virtualenv",
    "programs.readers":
    "base32 base64 cat col column comm cut egrep envsubst expand fgrep fmt fold ggrep gojq grep gzcat head iconv join "
    "jq nl paste pr rev shuf sort tac tail tr tsort unexpand wc xmlstarlet xzcat xzgrep zcat zgrep zstdcat",
    "programs.script_formatters":
    "autoflake autopep8 php-cs-fixer rubocop yapf",
    "programs.search":
    "fzf locate mdfind rg ripgrep whereis which",
    "programs.system":
    "defaults journalctl notify-send nvidia-smi pbcopy say ulimit xclip xsel",
    "programs.system_packages":
    "apk dnf snap yum zypper",
    "programs.testing":
    "ctest jest pest phpunit playwright rspec unittest",
    "programs.text":
    "code cursor dos2unix emacs emacsclient helix hx micro nano sd sponge unix2dos",
    "programs.versions":
    "corepack fnm nvm volta",
    "programs.wrappers":
    "arch aws-vault caffeinate chamber chronic chroot chrt concurrently cronic cross-env cross-env-shell "
    "dbus-run-session direnv doas doppler dotenv dotenvx dtruss dumb-init eatmydata entr env-cmd fakeroot firejail "
    "gosu gtime gtimeout hyperfine infisical ionice jc ltrace nice nohup npm-run-all nsenter numactl op perf "
    "proxychains proxychains4 rlwrap rosetta rtk run-p run-s setsid stdbuf strace su-exec summon systemd-inhibit "
    "taskset time timeout tini torsocks tsocks unbuffer unshare watch winpty xcrun xvfb-run",
}
