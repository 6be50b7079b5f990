"""The names that `script` scans for, per language. Data alone."""

from __future__ import annotations

import re

from evaluator.shell.code.script import Language


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


JAVASCRIPT = Language(
    handed=re.compile(
        r"\b(?:(?:writeFile|appendFile|unlink|rmdir|rm|rename|copyFile|symlink|truncate|chmod|chown|mkdir|cp|exec|execFile|spawn)Sync"
        r"|(?:fs|fsp|promises)\s*\.\s*(?:writeFile|appendFile|unlink|rmdir|rm|rename|copyFile|symlink|truncate|chmod|chown|mkdir|cp))"
        r"\b(?!\s*\()"
    ),
    literals=re.compile(
        r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`"
        r"|(?<=[(,=:?!&|;{}\n])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[[^\]\n]*\])+/[a-z]*",
        re.DOTALL,
    ),
    writes=(
        (
            re.compile(
                r"\b(?:writeFileSync|writeFile|createWriteStream|outputFileSync|outputFile|writeJsonSync|writeJSONSync|truncateSync|truncate|writeTextFileSync|writeTextFile)\s*\("
            ),
            "overwrite",
            1,
        ),
        (re.compile(r"\b(?:appendFileSync|appendFile)\s*\("), "append", 1),
        (
            re.compile(
                r"\b(?:unlinkSync|unlink|rmSync|rmdirSync|rmdir|removeSync|rimraf(?:\.sync)?|emptyDirSync|(?:fs|fsp|promises)\s*\.\s*rm)\s*\("
            ),
            "delete",
            1,
        ),
        (re.compile(r"\b(?:renameSync|rename|moveSync)\s*\("), "move", 2),
        (re.compile(r"\b(?:copyFileSync|copyFile|cpSync|copySync)\s*\("), "overwrite", -1),
        (re.compile(r"\b(?:mkdirSync|mkdir|ensureDirSync|mkdtempSync)\s*\("), "create", 1),
        (re.compile(r"\b(?:symlinkSync|symlink|linkSync)\s*\("), "create", -1),
        (re.compile(r"\b(?:chmodSync|chmod|chownSync|chown)\s*\("), "permissions", 1),
    ),
    shells=re.compile(r"\b(?:execSync|exec(?=\s*\(\s*\x00))\s*\("),
    dangerous=re.compile(
        r"\beval\b|\bFunction\s*\(|\bspawn|\bfork\s*\(|\bexecFile|\bimport\s*\(\s*[^\x00\s]|process\s*\.\s*(?:binding|dlopen|kill|chdir)"
        r"|\brequire\s*\(\s*(?:[^\x00\s]|\x00\d+\x00\s*[^)\s])|\]\s*\(|\bReflect\b|\bProxy\b|\bglobalThis\s*\[|\bvm\b|\bWebSocket\b|\bfetch\s*\(\s*(?!\x00\d+\x00\s*\))|\bopenSync\b"
    ),
    call=re.compile(r"([A-Za-z_$][\w$]*)\s*\("),
    pure=_words(
        "if for while switch catch function return typeof await async of in new require import console log "
        "error warn info table "
        "dir JSON parse stringify keys values entries fromEntries assign map filter reduce forEach find "
        "findIndex some every "
        "includes indexOf lastIndexOf slice splice concat join split replace replaceAll match matchAll test "
        "trim trimStart trimEnd "
        "toUpperCase toLowerCase toString toFixed padStart padEnd startsWith endsWith charAt charCodeAt "
        "codePointAt substring substr "
        "push pop shift unshift sort reverse flat flatMap fill from isArray Array Object String Number Boolean "
        "Date RegExp Map Set "
        "WeakMap Symbol BigInt Math floor ceil round max min abs random sqrt pow trunc now getTime toISOString "
        "getFullYear parseInt "
        "parseFloat isNaN isFinite isInteger encodeURIComponent decodeURIComponent readFileSync readFile "
        "readdirSync readdir "
        "existsSync statSync lstatSync realpathSync accessSync join resolve dirname basename extname relative "
        "normalize cwd exit "
        "memoryUsage hrtime uptime platform arch cpus totalmem freemem hostname homedir tmpdir Promise then "
        "catch finally all "
        "allSettled fetch json text get has set add delete size next Error TypeError createHash update digest "
        "randomBytes "
        "randomUUID Buffer byteLength setTimeout clearTimeout stdout write URL URLSearchParams inspect "
        "localeCompare at repeat "
        "structuredClone queueMicrotask sum super constructor TextDecoder TextEncoder encode decode createHmac "
        "fileURLToPath "
        "isDirectory isFile freeze hasOwnProperty hasOwn call apply bind assert equal deepEqual strictEqual ok "
        "performance "
        "end getOwnPropertyNames bytes count group groupEnd time timeEnd trace env versions readTextFile "
        "readTextFileSync createReadStream pipe on"
    ),
    defines=re.compile(
        r"\bfunction\s+([\w$]+)|\b(?:const|let|var)\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*=>"
    ),
)
HOLE = r"\x00(?P<{}>\d+)\x00\s*"
RUBY = Language(
    opens=(
        re.compile(
            r"\b(?:File\s*\.\s*(?:open|new)|open)\s*\(?\s*"
            + HOLE.format("target")
            + r",\s*"
            + HOLE.format("mode")
        ),
        re.compile(
            r"\bFile\s*\.\s*(?:open|new)\s*\(?\s*" + HOLE.format("target") + r"(?=\)|\s*[{\n]|\s*do\b)"
        ),
    ),
    literals=re.compile(
        r"#[^\n{]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?<=[(,=~\s])/(?![\s/])(?:[^/\\\n]|\\.)+/[imx]*",
        re.DOTALL,
    ),
    writes=(
        (re.compile(r"\b(?:File|IO)\s*\.\s*(?:write|binwrite)\b\s*\(?"), "overwrite", 1),
        (
            re.compile(
                r"\b(?:File\s*\.\s*(?:delete|unlink)|FileUtils\s*\.\s*(?:rm|rm_f|rm_rf|rm_r|remove_dir|remove|remove_entry)|Dir\s*\.\s*(?:rmdir|delete))\b\s*\(?"
            ),
            "delete",
            1,
        ),
        (re.compile(r"\b(?:File\s*\.\s*rename|FileUtils\s*\.\s*(?:mv|move))\b\s*\(?"), "move", 2),
        (re.compile(r"\bFileUtils\s*\.\s*(?:cp|cp_r|copy|install)\b\s*\(?"), "overwrite", -1),
        (re.compile(r"\b(?:FileUtils\s*\.\s*(?:mkdir|mkdir_p|touch)|Dir\s*\.\s*mkdir)\b\s*\(?"), "create", 1),
        (re.compile(r"\b(?:File\s*\.\s*symlink|FileUtils\s*\.\s*ln_s)\b\s*\(?"), "create", -1),
    ),
    shells=re.compile(r"\bsystem\s*\(?"),
    dangerous=re.compile(
        r"`|%x|\bexec\b|\bspawn\b|\beval\b|\binstance_eval|\bclass_eval|\bpopen|\bsend\b|\b__send__|\bfork\b|\bOpen3\b|\bKernel\b"
        r"|\bmethod\s*\(|\bconst_get\b|\bload\b|\bFile\s*\.\s*(?:open|new)\b|\bchmod|\bchown|\bIO\s*\.\s*(?:popen|pipe)|\bPTY\b"
    ),
    call=re.compile(r"([A-Za-z_]\w*[?!]?)\s*\("),
    pure=_words(
        "puts print p pp printf require require_relative map each select reject inject reduce join split gsub "
        "sub gsub! sub! tr format sprintf "
        "Integer Float String Array Hash include? start_with? end_with? match match? scan parse generate "
        "pretty_generate read readlines "
        "exist? exists? file? directory? glob entries children basename dirname extname expand_path keys "
        "values fetch dig key? first "
        "last take drop sort sort_by min max sum count length size upcase downcase strip chomp lines to_i to_s "
        "to_a to_h to_json "
        "flatten uniq compact zip index find detect any? all? none? group_by each_with_index times upto puts "
        "if while unless case "
        "load_file safe_load YAML JSON ENV now strftime new raise exit abort"
    ),
    defines=re.compile(r"\bdef\s+(\w+[?!]?)"),
)
PERL = Language(
    opens=(
        re.compile(
            r"\bopen\s*\(?\s*(?:my\s+)?\$?\w+\s*,\s*" + HOLE.format("mode") + r",\s*" + HOLE.format("target")
        ),
        re.compile(
            r"\bopen(?P<perl>)\s*\(?\s*(?:my\s+)?\$?\w+\s*,\s*"
            + HOLE.format("target")
            + r"(?=\)|;|\s*or\b|\s*\|\||$)"
        ),
    ),
    literals=re.compile(
        r"(?<![$\w@%&])#[^\n]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
        r"|(?<![\w$@%&>-])(?:s|tr|y)/(?:[^/\\]|\\.)*/(?:[^/\\]|\\.)*/[msixgrcd]*|(?<![\w$@%&>-])(?:m|qr)?/(?:[^/\\\n]|\\.)+/[msixgo]*"
        r"|(?<![\w$@%&>-])s\{(?:[^{}\\]|\\.)*\}\s*\{(?:[^{}\\]|\\.)*\}[msixgr]*|(?<![\w$@%&>-])s([|!,#:@])(?:(?!\1)[^\\]|\\.)*\1(?:(?!\1)[^\\]|\\.)*\1[msixgr]*"
        r"|\bq[qw]?\((?:[^()\\]|\\.)*\)",
        re.DOTALL,
    ),
    writes=(
        (re.compile(r"\bunlink\b\s*\(?"), "delete", 1),
        (re.compile(r"\brmdir\b\s*\(?"), "delete", 1),
        (re.compile(r"\brename\b\s*\(?"), "move", 2),
        (re.compile(r"\bmkdir\b\s*\(?"), "create", 1),
    ),
    shells=re.compile(r"\bsystem\b\s*\(?"),
    dangerous=re.compile(
        r"`|\bqx\b|\bexec\b|\beval\b|\bopen\b|\bsysopen\b|\bfork\b|\bsyswrite\b|\bchmod\b|\bchown\b|\btruncate\b|\bsymlink\b|\blink\b|\butime\b"
        r"|\bdo\s*\x00|\bkill\b|\brequire\s*\x00|&\$|->\s*\(|\bdbmopen\b|/[a-z]*ee?[a-z]*\Z|\bchdir\b|\bIO::|\bFile::(?!Basename|Spec)|\bpipe\b"
    ),
    call=re.compile(r"(?<![$@%&\w>:-])([A-Za-z_]\w*)(?!\s*=>)(?=\s*[(\x00$@%\\]|\s+[A-Za-z$@%\x00])"),
    pure=_words(
        "print printf say if unless while until for foreach my our local sub return and or not xor eq ne lt gt "
        "le ge cmp x push pop shift "
        "unshift splice join split map grep sort reverse keys values each exists defined delete scalar length "
        "substr index rindex uc lc "
        "ucfirst lcfirst sprintf chomp chop chr ord hex oct abs int sqrt sin cos exp log rand srand time "
        "localtime gmtime sleep die warn "
        "exit last next redo use no strict warnings utf8 feature BEGIN END else elsif wantarray ref bless pos "
        "quotemeta pack unpack lstat "
        "stat eof close binmode STDIN STDOUT STDERR in JSON PP List Util Data Dumper POSIX sum max min first "
        "uniq decode_json encode_json "
        "reset tr y s m qr q qq qw undef lines read readline ARGV ENV floor ceil fmod pow strftime mktime isatty "
        "tv_interval usleep first any all none shuffle pairs reduce blessed looks_like_number reftype dualvar"
    ),
    defines=re.compile(r"\bsub\s+(\w+)"),
)
PHP = Language(
    by_name=re.compile(r"\b(?:array_map|array_filter|usort)\s*\("),
    opens=(re.compile(r"\bfopen\s*\(\s*" + HOLE.format("target") + r",\s*" + HOLE.format("mode")),),
    literals=re.compile(r"//[^\n]*|#[^\n]*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL),
    writes=(
        (re.compile(r"\bfile_put_contents\s*\("), "overwrite", 1),
        (re.compile(r"\b(?:unlink|rmdir)\s*\("), "delete", 1),
        (re.compile(r"\brename\s*\("), "move", 2),
        (re.compile(r"\bcopy\s*\("), "overwrite", -1),
        (re.compile(r"\b(?:mkdir|touch)\s*\("), "create", 1),
        (re.compile(r"\bchmod\s*\("), "permissions", 1),
    ),
    shells=re.compile(r"\b(?:system|shell_exec|passthru|exec)\s*\("),
    dangerous=re.compile(
        r"`|\beval\b|\bproc_open\b|\bpopen\b|\bfopen\b|\binclude|\brequire|\$\w+\s*\(|\bassert\s*\(|\bcall_user_func|\bmail\s*\("
    ),
    call=re.compile(r"([A-Za-z_]\w*)\s*\("),
    pure=_words(
        "echo print print_r var_dump var_export printf sprintf json_encode json_decode file_get_contents file "
        "file_exists is_file is_dir "
        "scandir glob basename dirname realpath strlen count implode explode str_replace preg_match "
        "preg_match_all preg_replace substr "
        "strpos trim strtolower strtoupper ucfirst array_map array_filter array_keys array_values array_merge "
        "in_array sort ksort usort "
        "max min round floor ceil date time strtotime phpversion php_uname ini_get extension_loaded "
        "get_loaded_extensions phpinfo "
        "function_exists class_exists defined isset empty if for foreach while switch function fn return array "
        "list md5 sha1 hash "
        "base64_encode base64_decode bin2hex random_int rand range sum array_sum is_array is_string intval "
        "floatval exit die getenv "
        "number_format str_repeat str_pad ucwords nl2br htmlspecialchars memory_get_usage microtime "
        "password_hash opcache_get_status fwrite fputs fclose feof fgets fread fgetcsv"
    ),
    defines=re.compile(r"\bfunction\s+(\w+)"),
)
