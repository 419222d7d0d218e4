# ruff: noqa: E501
"""What well-known programs do: which only read, which send, which destroy. Facts from their manuals.

Only what is listed is believed; a program that is not here may do anything.
"""

from __future__ import annotations

from collections.abc import Mapping

READS = frozenset(
    "cat head tail ls pwd echo true false : wc stat du df whoami id groups uname basename dirname realpath readlink "
    "cut tr rev tac fold fmt nl paste join comm diff cmp column seq sleep which type md5sum sha1sum sha256sum "
    "sha512sum b2sum cksum sum od hexdump strings free uptime lscpu lsblk lspci lsusb nproc getconf arch tty "
    "egrep fgrep grep zcat zgrep bzcat xzcat jq expr factor numfmt pgrep ps vmstat iostat lsof return exit "
    "break continue wait shift cd pushd popd dirs times umask ulimit locale apropos whatis tsort expand unexpand "
    "cal logname users who w last getent nm objdump readelf size caller pathchk look".split()
)
"""Whatever their arguments are, these only read and write to their output."""

READS_UNLESS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "man": ("PHl", ("pager", "html", "local-file")),
    "dmesg": ("cCDEnw", ("clear", "read-clear", "console-off", "console-on", "console-level")),
    "jobs": ("x", ()),
    "sort": ("oST", ("output", "compress-program", "temporary-directory", "files0-from")),
    "uniq": ("", ()),
    "date": ("s", ("set",)),
    "file": ("C", ("compile",)),
    "tree": ("o", ("output",)),
    "rg": ("", ("pre", "hostname-bin", "search-zip")),
    "ag": ("", ("pager",)),
    "ack": ("", ("pager", "output")),
    "fd": ("xX", ("exec", "exec-batch")),
    "bat": ("", ("pager", "config-file")),
    "xxd": ("r", ("revert",)),
    "base64": ("", ()),
    "less": ("oOk", ("log-file", "lesskey-file", "lesskey-src")),
    "more": ("", ()),
    "yq": ("iw", ("inplace", "in-place")),
    "printf": ("v", ()),
    "test": ("v", ()),
    "[": ("v", ()),
    "hostname": ("Fb", ("file", "boot")),
    "top": ("", ()),
    "ip": ("b", ("batch", "force")),
    "ss": ("KD", ("kill", "diag")),
    "netstat": ("", ()),
    "journalctl": ("", ("vacuum-size", "vacuum-time", "vacuum-files", "rotate", "flush", "sync", "cursor-file", "setup-keys")),
    "crontab": ("rei", ()),
    "cloc": ("", ("out", "report-file", "write-lang-def")),
    "tokei": ("", ()),
    "shellcheck": ("", ()),
    "mount": ("a", ("all",)),
    "zipinfo": ("", ()),
}  # fmt: skip
"""These only read, but for the options named (letters, and long names); what cannot be read may be one."""

POSITIONALS: Mapping[str, int] = {
    "uniq": 1,
    "xxd": 1,
    "hostname": 0,
    "crontab": 0,
    "mount": 0,
    "date": 1,
    "top": 0,
}
"""How many arguments beside options leave a program a reading one; one more is where it writes."""

LISTS = frozenset(
    "ls stat test [ find du df file basename dirname realpath readlink which wc echo printf tree fd touch cd".split()
)
"""These show of a file that it is there, never what is in it."""

INTERPRETERS = frozenset(
    "sh bash zsh dash ksh fish ash python python2 python3 perl ruby node nodejs deno bun php lua Rscript osascript pwsh "
    "tclsh expect irb ipython".split()
)
SHELLS = frozenset("sh bash zsh dash ksh ash".split())

WRAPPERS: Mapping[str, str] = {
    "sudo": "ugCcDhpRrTtU", "doas": "uC", "env": "uCS", "nohup": "", "nice": "n", "ionice": "cnp", "time": "fo", "timeout": "ks",
    "stdbuf": "ioe", "setsid": "", "command": "", "builtin": "", "exec": "a", "xargs": "InPLdEsa", "watch": "nd", "unbuffer": "",
    "chronic": "", "caffeinate": "t", "strace": "eopsuEP", "ltrace": "eopsu", "busybox": "", "catchsegv": "", "eatmydata": "", "torsocks": "",
    "proxychains": "f", "chroot": "", "flock": "wE", "taskset": "", "parallel": "jSNaI", "nsenter": "tSG", "unshare": "", "runuser": "ug", "firejail": "",
}  # fmt: skip
"""Programs that run the program named in their arguments, and the letters of their options that take a value."""

BEFORE_COMMAND: Mapping[str, int] = {"timeout": 1, "chroot": 1, "flock": 1, "taskset": 1}
"""Arguments that stand before the program."""

OPENS_SHELL = frozenset({"sudo", "doas", "nsenter", "unshare", "chroot", "runuser"})
"""Without a program these open a shell."""

DESTROYS = frozenset(
    "rm shred unlink srm wipe wipefs mke2fs mkswap fdisk sfdisk cfdisk sgdisk gdisk parted blkdiscard badblocks hdparm "
    "lvremove vgremove pvremove userdel deluser groupdel delgroup rmdir truncate dropdb dropuser trash-empty ddrescue "
    "cryptsetup zerofree debugfs".split()
)

SENDS = frozenset(
    "wget ssh scp sftp ftp lftp nc ncat netcat telnet socat ping ping6 traceroute tracepath mtr dig host nslookup whois "
    "mail mailx mutt sendmail msmtp swaks rclone http https xh aria2c youtube-dl yt-dlp nmap rsh rlogin tftp smbclient "
    "mosquitto_pub wscat websocat ngrok cloudflared telegram-send signal-cli slack irssi twurl httpie axel tcpdump "
    "gsutil bq ansible ansible-playbook fab ssh-copy-id curlie grpcurl s3cmd mc b2 heroku vercel netlify fly flyctl "
    "firebase surge wrangler doctl linode-cli hcloud supabase railway".split()
)

CREDENTIALS = frozenset(
    "passwd chpasswd ssh-add ssh-keygen htpasswd keychain secret-tool pass gopass op bw lpass security keyring vault".split()
)

PAYS: Mapping[str, frozenset[str]] = {
    "bitcoin-cli": frozenset("sendtoaddress sendmany send sendrawtransaction".split()),
    "lncli": frozenset("sendpayment payinvoice sendcoins".split()),
    "lightning-cli": frozenset("pay withdraw".split()),
    "cast": frozenset("send publish".split()),
    "solana": frozenset("transfer pay".split()),
    "stripe": frozenset("payouts charges refunds transfers payment_intents".split()),
    "monero-wallet-cli": frozenset("transfer sweep_all".split()),
}

SUBCOMMANDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    program: {name: frozenset(words.split()) for name, words in kinds.items()}
    for program, kinds in {
        "docker": {"read": "ps images logs inspect version info stats top port diff history", "gone": "rm rmi prune kill", "send": "push pull login search"},
        "podman": {"read": "ps images logs inspect version info stats top port diff history", "gone": "rm rmi prune kill", "send": "push pull login search"},
        "kubectl": {"read": "get describe logs top version api-resources explain cluster-info", "gone": "delete drain", "send": "apply create patch scale rollout exec cp edit replace set run expose"},
        "helm": {"read": "list status version", "gone": "uninstall delete rollback", "send": "install upgrade push pull"},
        "terraform": {"read": "version validate show output", "gone": "destroy", "send": "apply plan init import"},
        "tofu": {"read": "version validate show output", "gone": "destroy", "send": "apply plan init import"},
        "systemctl": {"read": "status list-units list-timers list-unit-files is-active is-enabled is-failed show cat list-dependencies"},
        "apt": {"read": "list show search policy depends"}, "apt-cache": {"read": "search show policy depends rdepends madison"},
        "dpkg": {"read": "-l -L -s -S --list --status --listfiles --search"}, "brew": {"read": "list info search deps outdated leaves config"},
        "pip": {"read": "list show freeze check"}, "pip3": {"read": "list show freeze check"}, "uv": {"read": "tree version"},
        "npm": {"read": "ls list", "send": "publish view info search whoami audit outdated", "gone": "unpublish"},
        "pnpm": {"read": "ls list why", "send": "publish"}, "yarn": {"read": "why", "send": "publish"}, "cargo": {"read": "tree metadata version", "send": "publish search", "gone": "yank"},
        "go": {"read": "version list doc"}, "twine": {"read": "check", "send": "upload"}, "gem": {"read": "list", "send": "push", "gone": "yank"},
        "gh": {"gone": "delete", "send": "pr issue repo release api run workflow gist search browse status secret label auth"},
        "redis-cli": {"gone": "flushall flushdb del unlink FLUSHALL FLUSHDB DEL UNLINK"}, "zfs": {"read": "list get", "gone": "destroy"},
        "zpool": {"read": "list status", "gone": "destroy labelclear"}, "btrfs": {"gone": "delete"}, "diskutil": {"read": "list info", "gone": "eraseDisk eraseVolume partitionDisk secureErase"},
        "aws": {"send": "s3 ec2 sts lambda iam rds", "gone": "rm rb delete-object delete-bucket terminate-instances delete-stack delete-table delete-db-instance"},
        "gcloud": {"send": "compute storage run app", "gone": "delete destroy"}, "az": {"send": "vm group storage", "gone": "delete purge"},
        "numen": {"read": "north seek impact status asks doctor --version --help"},
    }.items()
}  # fmt: skip
"""Programs with subcommands: which of them `read`, which `send`, and words after which something is `gone`."""

SECRETS_IN: Mapping[str, frozenset[str]] = {
    "kubectl": frozenset({"secret", "secrets"}), "aws": frozenset({"secretsmanager", "get-secret-value", "create-access-key", "get-session-token"}),
    "gcloud": frozenset({"secrets", "print-access-token", "print-identity-token"}), "az": frozenset({"keyvault", "get-access-token"}),
    "gh": frozenset({"token", "secret"}), "git": frozenset({"credential", "credential-store", "credential-cache"}), "docker": frozenset({"login"}),
    "gpg": frozenset({"--export-secret-keys", "--export-secret-subkeys"}), "heroku": frozenset({"auth:token"}),
    "npm": frozenset({"token"}), "numen": frozenset({"yes", "no", "grants", "credentials", "secret", "open", "init", "people", "mind"}),
}  # fmt: skip
"""Words that make a program show, make or use a credential; `numen`'s are those by which the owner nods."""

VERSIONED = frozenset(
    "python python3 node npm pip pip3 go cargo rustc gcc g++ clang make cmake docker kubectl git ruby perl php java javac "
    "terraform helm uv ruff pytest tsc deno bun bash zsh psql sqlite3 ffmpeg curl wget rsync tar gh aws gcloud az".split()
)
"""Programs of which `--version` and `--help` alone are known to do nothing else."""

SQL = frozenset(
    "psql mysql mariadb sqlite3 duckdb clickhouse-client cqlsh sqlcmd mongosh mongo usql pgcli".split()
)

HARMLESS_VARIABLES = frozenset(
    "LANG LANGUAGE TZ TERM NO_COLOR CLICOLOR FORCE_COLOR COLUMNS LINES PYTHONIOENCODING".split()
)
"""Variables that change how a program writes, never what it does; `LC_*` too."""

GIT_READS = frozenset(
    "status log diff show rev-parse ls-files ls-tree blame grep describe shortlog cat-file rev-list for-each-ref name-rev "
    "merge-base whatchanged count-objects check-ignore check-attr diff-tree diff-index diff-files show-ref version cherry "
    "range-diff annotate verify-pack show-branch merge-tree".split()
)
GIT_SENDS = frozenset(
    "push pull fetch clone ls-remote send-email request-pull svn p4 lfs daemon instaweb".split()
)
GIT_UNSAFE = (
    "ext-diff",
    "textconv",
    "output",
    "open-files-in-pager",
    "exec",
    "upload-pack",
    "receive-pack",
    "show-signature",
)
GIT_LISTS: Mapping[str, frozenset[str]] = {
    "branch": frozenset(
        "-a -r -v -vv --all --remotes --list -l --show-current --verbose --no-color --merged --no-merged".split()
    ),
    "tag": frozenset({"-l", "--list", "-n"}),
    "remote": frozenset({"-v", "--verbose", "get-url"}),
    "stash": frozenset({"list", "show"}),
    "config": frozenset(
        {"--get", "--get-all", "--list", "-l", "--global", "--local", "--get-regexp", "list", "get"}
    ),
    "reflog": frozenset({"show"}),
    "worktree": frozenset({"list", "--porcelain"}),
    "submodule": frozenset({"status", "summary"}),
    "notes": frozenset({"list", "show"}),
    "sparse-checkout": frozenset({"list"}),
}
"""Subcommands of git that only list while their first argument is one of these, or there is none."""

GIT_NEEDS_WORD = frozenset({"worktree", "submodule", "config", "notes", "sparse-checkout", "stash"})
"""Of those, the ones that do something without an argument."""
