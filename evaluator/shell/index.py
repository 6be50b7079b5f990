"""Which module answers for which program: `tests/support/samples/indexed.py` writes it."""

# fmt: off
INDEX: dict[str, str] = {
    "acts.building.making":
    "bmake c++ cc clang clang++ cmake g++ gcc gmake make protoc tsc vue-tsc zig",
    "acts.building.running":
    "gradle gradlew grunt gulp just lein lerna mvn mvnw nx rails rake sbt task turbo",
    "acts.building.testing":
    "c8 coverage mocha mypy nox nyc py.test pytest tox vale valgrind vitest",
    "acts.building.toolchains":
    "cabal cargo dart dotnet mix ng stack",
    "acts.code.interpreters":
    "R Rscript bb bpython clj clojure deno elixir erl ghci groovy guile iex ipython irb java jshell julia kotlin lua "
    "luajit node nodejs ocaml octave perl php powershell pwsh racket ruby sbcl scala swipl tclsh ts-node tsx",
    "acts.code.python":
    "manage.py pypy python",
    "acts.code.shells":
    "ash bash dash fish ksh mksh rbash sh zsh",
    "acts.code.wrapping":
    "busybox env flock gxargs parallel runuser script shx su sudo sudoedit toybox xargs",
    "acts.files.archiving":
    "7z 7za 7zr 7zz ar brotli bsdtar bunzip2 bzip2 compress gtar gunzip gzip jar lz4 lzma pigz rar tar uncompress "
    "unlz4 unlzma unpigz unrar unxz unzip unzstd xz zip zstd",
    "acts.files.editing":
    "awk csplit dasel ed ex exiftool gawk gsed gsplit gtee mawk nawk nvim patch red sed split tee vi view vim vimdiff "
    "yq",
    "acts.files.finding":
    "fd fdfind find gfind",
    "acts.files.formatters":
    "black buildifier elm-format fourmolu google-java-format isort nixfmt ormolu ruff rustfmt scalafmt shfmt",
    "acts.files.media":
    "circo composite convert ctags dot fdp ffmpeg ffprobe identify magick mogrify montage neato objcopy pdftocairo "
    "pdftoppm pdfunite ps2pdf qpdf sfdp sox strip twopi",
    "acts.files.paging":
    "ack ack-grep ag bat batcat delta less man more zless",
    "acts.files.patching":
    "apply_patch applypatch",
    "acts.files.placing":
    "chflags chgrp chmod chown cp dd file-rename gchgrp gchmod gchown gcp ginstall gln gmv install ln mktemp mv "
    "prename rename",
    "acts.files.reading":
    "ast-grep bc date dc gdate guniq hostname lsof mlr pandoc pdftotext sg uniq xmllint xxd",
    "acts.git.command":
    "git git-lfs",
    "acts.git.forge":
    "gh glab",
    "acts.installing.managers":
    "asdf bundle bundler composer goenv jenv mise nodenv pyenv rbenv rustup",
    "acts.installing.nix":
    "nix nix-env nix-shell",
    "acts.installing.node":
    "bun bunx npm npx pnpm pnpx yarn",
    "acts.installing.python_packages":
    "conda hatch mamba micromamba pdm pipenv pipx poetry uv uvx",
    "acts.installing.system_packages":
    "apt apt-get aptitude brew pacman paru rpm yay",
    "acts.machines.clouds":
    "argocd aws awslocal az cdk consul doctl eksctl firebase flux fly flyctl gcloud gsutil heroku istioctl k3d kind "
    "minikube netlify nomad ntl packer pulumi railway rclone sam serverless sls supabase vagrant vault vc vercel "
    "wrangler",
    "acts.machines.clusters":
    "ansible ansible-inventory ansible-playbook helm kubectl oc terraform tofu",
    "acts.machines.containers":
    "docker docker-compose nerdctl podman podman-compose",
    "acts.machines.databases":
    "bq clickhouse-client cqlsh duckdb mariadb mongo mongosh mysql mysqladmin pg_restore psql redis-cli sqlcmd sqlite "
    "sqlite3 valkey-cli",
    "acts.machines.devices":
    "act adb fc xattr",
    "acts.machines.disks":
    "badblocks blkdiscard cfdisk cgdisk coredumpctl cryptsetup diskutil fdisk gdisk hdparm lvreduce lvremove mdadm "
    "mkdosfs mke2fs mkfs mkfs.btrfs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.fat mkfs.ntfs mkfs.vfat mkfs.xfs "
    "mkswap nvme parted pvremove sfdisk sgdisk vgremove wipefs zfs zpool",
    "acts.machines.lookups":
    "addr2line c++filt getent gnm gobjdump greadelf gron llvm-nm llvm-objdump nm objdump otool readelf rustfilt size "
    "strings",
    "acts.machines.network":
    "curl dig drill gpg gpg2 host http https mtr nc ncat netcat nslookup openssl ping ping6 rsync scp ssh ssh-keygen "
    "ssh-keyscan tracepath traceroute traceroute6 wget whois xh xhs",
    "programs.agents":
    "agentapi aichat aider amp auggie chatblade cline cn codebuff codex copilot crush cursor-agent devin droid fabric "
    "gemini goose gptme interpreter kilocode kiro-cli llm mods opencode openhands pdx plandex q qwen rovodev sgpt "
    "swe-agent tgpt",
    "programs.building":
    "bazel bazelisk flutter ghc javac kotlinc meson nim ninja pants rebar3 rustc swift swiftc",
    "programs.bundling":
    "hugo mkdocs next sphinx-build svelte-check vite webpack",
    "programs.checks":
    "actionlint bandit basedpyright codespell cppcheck deadcode fieldalignment flake8 golangci-lint gopls govulncheck "
    "knip lint-imports luac markdownlint markdownlint-cli2 modernize phpstan pycodestyle pydocstyle pyflakes pylint "
    "pyright shellcheck staticcheck typos yamllint",
    "programs.clusters":
    "ansible-galaxy kustomize",
    "programs.containers":
    "hadolint",
    "programs.databases":
    "createdb createuser dropdb dropuser mariadb-dump mongodump mongoexport mongoimport mongorestore mysqldump "
    "mysqlimport mysqlshow pg_config pg_dump pg_dumpall pg_isready",
    "programs.debian":
    "add-apt-repository apt-cache apt-file apt-mark dpkg dpkg-architecture dpkg-deb dpkg-query update-alternatives",
    "programs.files":
    "chattr del-cli fallocate gmkdir grm gtouch link mkdir mkfifo mknod rimraf rm rmdir setfacl shred srm sync touch "
    "trash trash-put truncate unlink wipe",
    "programs.formatters":
    "biome buf clang-format clang-tidy dprint eslint gofmt gofumpt goimports golines mdformat oxlint pre-commit prek "
    "prettier sqlfluff standard stylelint stylua swiftformat taplo tidy",
    "programs.go":
    "go gotestsum",
    "programs.governing":
    "a2dismod a2dissite a2enmod a2ensite addgroup adduser apache2 apache2ctl apachectl arp arptables brctl "
    "brew-services bridge chage chfn chkconfig chpasswd chsh delgroup deluser depmod dhclient dhcpcd dmesg dscl "
    "dseditgroup ebtables ebtables-restore ethtool firewall-cmd fkill fkill-cli fuser gpasswd groupadd groupdel "
    "groupmod halt hostnamectl httpd hwclock ifconfig ifdown ifreload ifup init initctl insmod insserv invoke-rc.d ip "
    "ip6tables ip6tables-legacy ip6tables-nft ip6tables-restore ip6tables-save iptables iptables-legacy iptables-nft "
    "iptables-restore iptables-save iw iwconfig kexec kill kill-port kill-port-process killall localectl loginctl "
    "losetup machinectl modinfo modprobe monit mount netplan networkctl networksetup newgrp newusers nft nginx nmcli "
    "ntpdate openvpn passwd pfctl pg_ctl pg_ctlcluster pg_dropcluster pg_lsclusters pg_resetwal pg_rewind pivot_root "
    "pkill pm-hibernate pm-powersave pm-suspend pm2 pmset poweroff pppd rabbitmq-plugins rabbitmqctl rc-service "
    "rc-status rc-update reboot renice resolvconf resolvectl rfkill rmmod route rtcwake s6-rc s6-svc scutil service "
    "setenforce shutdown skill snice start-stop-daemon supervisorctl sv svcadm swapoff swapon sysadminctl sysctl "
    "systemctl systemd-resolve tailscale taskkill tc telinit timedatectl udhcpc ufw umount update-rc.d useradd "
    "userdel usermod vigr vipw visudo wg wg-quick xkill zerotier-cli",
    "programs.keyboards":
    "abduco anacron at atq atrm autoexpect autokey-run automator batch byobu cliclick conspy cron crond crontab "
    "dotool dotoolc dtach dvtm empty expect fcron fcrontab injcode jobber keymouse_go kitten kitty kwtype launchctl "
    "osascript ratpoison reptyr schtasks screen sendkeys systemd-run tmate tmux ttyecho wezterm wlrctl writevt wtype "
    "xdo xdotool xmacroplay xte xvkbd ydotool ydotoold zellij",
    "programs.listing":
    "b2sum b3sum basename cksum cloc cmp colordiff df diff diff3 diffstat difft dir dirname du duf dust exa eza file "
    "gdu getfacl gstat hd hexdump hexyl ls lsattr lsd md5 md5sum namei od pathchk readlink realpath scc sdiff sha1sum "
    "sha224sum sha256sum sha384sum sha512sum shasum stat sum tokei tree vdir xxh128sum xxh64sum xxhsum zdump zipinfo",
    "programs.machine":
    ": [ bg break cal caller clear compgen complete continue dirs disown echo exit expr factor false fg findmnt free "
    "gecho getconf gprintf groups help hostid id iostat last ldd locale logname logout lsb_release lsblk lscpu lsmem "
    "lsmod lspci lsusb mpstat ncal netstat nproc numfmt pbpaste pgrep pidof pidstat printenv printf ps pstree pwd "
    "reset return runlevel seq shopt sleep ss stty suspend sw_vers system_profiler test times top tput true tty type "
    "umask unalias uname unset uptime users uuidgen vm_stat vmstat w wait who whoami wl-paste yes",
    "programs.media":
    "cwebp dwebp jpegoptim mediainfo optipng pdffonts pdfinfo pngquant rsvg-convert soxi",
    "programs.migrations":
    "aerich alembic atlas celery dbmate diesel django-admin drizzle-kit flask flyway knex liquibase migrate mikro-orm "
    "prisma sequelize sequelize-cli sqlx typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm yoyo",
    "programs.network":
    "ssh-add ssh-copy-id",
    "programs.nix":
    "nix-build nix-channel nix-collect-garbage nix-info nix-instantiate nix-store",
    "programs.own":
    "compass compass-gate",
    "programs.packages":
    "cpanm gem luarocks ncu npm-check-updates opam",
    "programs.python_packages":
    "pip pip-audit pip-compile pip-licenses pip-sync pipdeptree twine venv virtualenv",
    "programs.readers":
    "base32 base64 basenc bzcat bzgrep cat col column comm csvcut csvformat csvgrep csvjoin csvjson csvlook csvsort "
    "csvstack csvstat cut egrep envsubst expand fgrep fmt fold gcat ggrep gojq grep gsort gzcat head htmlq iconv jaq "
    "jo join jq lzcat nl paste pr pup qsv rev shuf sort tac tail tr tsort unexpand wc xml xmlstarlet xsv xzcat xzgrep "
    "zcat zegrep zfgrep zgrep zstdcat zstdgrep",
    "programs.script_formatters":
    "autoflake autopep8 docformatter erb_lint php-cs-fixer phpcbf phpcs pint pyupgrade rubocop standardrb yapf",
    "programs.search":
    "apropos fzf locate mdfind mdls mlocate plocate rg ripgrep ts-prune whatis whereis which",
    "programs.system":
    "defaults gpustat iotop journalctl lsns notify-send numastat nvidia-smi pbcopy pmap rocm-smi say slabtop "
    "systemd-analyze ulimit wl-copy xclip xsel",
    "programs.system_packages":
    "apk choco dnf emerge equery flatpak microdnf port scoop snap winget xbps-install xbps-query xbps-remove yum "
    "zypper",
    "programs.testing":
    "ctest doctest jest pest phpunit playwright rspec unittest",
    "programs.text":
    "code codium cursor dos2unix emacs emacsclient gedit helix hx joe mac2unix mcedit micro nano pico sd sponge subl "
    "unix2dos",
    "programs.versions":
    "corepack fnm nvm tfenv volta",
    "programs.wrappers":
    "arch aws-vault caffeinate chamber chronic chroot chrt concurrently cronic cross-env cross-env-shell "
    "dbus-run-session direnv doas doppler dotenv dotenvx dtruss dumb-init eatmydata entr env-cmd fakeroot firejail "
    "gosu gstdbuf gtime gtimeout hyperfine infisical ionice jc ltrace nice nohup npm-run-all nsenter numactl op perf "
    "proxychains proxychains4 rlwrap rosetta rtk run-p run-s setsid stdbuf strace su-exec summon systemd-inhibit "
    "taskset time timeout tini torsocks tsocks unbuffer unshare watch winpty xcrun xvfb-run",
}
