"""What people call a secret, by language: the one table of labels, and how each language joins a value to one.

Lower case and NFKC, as the sanitizer shows a text. Data alone; depends on nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Labels(NamedTuple):
    """What names a secret in one language."""

    passwords: tuple[str, ...] = ()
    """Single words and phrases for what a person types."""
    secrets: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    """Keys and tokens, which programs hand over."""
    joins: tuple[str, ...] = ()
    """Words between a label and its value: `is`."""
    towards: tuple[str, ...] = ()
    """Words before the value that a secret is set `to`."""
    of: tuple[str, ...] = ()
    """Words after a label that say whose it is: `the password for the server`."""
    pins: tuple[str, ...] = ()
    """What names a secret number."""
    pairs: tuple[str, ...] = ()
    """What names a user and a password together."""
    leads: tuple[str, ...] = ()
    """Words before a label whose value stands right beside it: `with password V`."""
    users: tuple[str, ...] = ()
    """What names an account, with which a password is told."""


LABELS = {
    "en": Labels(
        (
            "password", "passwd", "passphrase", "pass phrase", "passcode", "passkey",
            "pwd", "pswd", "psk", "pgpassword", "sshpass",
        ),
        ("secret",),
        (
            "token", "api key", "access key", "secret key",
            "private key", "signing key", "encryption key", "master key",
        ),
        ("is", "was", "equals", "will be", "is set to", "set to"),
        ("to",),
        ("for", "of", "on", "in", "at", "to", "from"),
        pins=(
            "pin", "pin code", "pin number", "otp", "one-time code", "one time code", "access code",
            "door code", "unlock code", "entry code", "gate code", "alarm code", "security code",
            "verification code", "confirmation code", "2fa code", "mfa code",
        ),
        pairs=(
            "credentials", "creds", "login", "login data", "login details",
            "sign-in", "user/pass", "user/password", "username/password", "user/pw", "user:pass",
            "user:password", "user and password", "username and password",
        ),
        leads=("with", "using", "use", "try", "enter", "type", "via"),
        users=("user", "username", "user name", "login", "account"),
    ),
    "de": Labels(
        ("passwort", "kennwort", "zugangscode", "geheimzahl", "wlan-schlüssel", "netzwerkschlüssel"),
        ("geheimnis",),
        (
            "api-schlüssel", "api schlüssel", "zugriffsschlüssel", "zugangsschlüssel", "geheimschlüssel",
            "geheime schlüssel", "geheimer schlüssel", "geheimen schlüssel", "privater schlüssel",
        ),
        ("ist", "war", "lautet", "lautete", "heißt", "heisst", "wäre"),
        ("auf",),
        ("für", "fürs", "von", "vom", "zum", "zur", "zu", "der", "des", "im", "am", "bei", "beim"),
        pins=(
            "geheimnummer", "pin-nummer", "türcode", "sicherheitscode", "bestätigungscode", "entsperrcode",
            "zugangscode",
        ),
        pairs=(
            "zugangsdaten", "anmeldedaten", "logindaten", "login-daten", "zugang", "benutzer/passwort",
            "anmeldung",
        ),
        leads=("mit", "mittels", "per", "unter", "nutze", "nimm", "benutze", "verwende"),
        users=("benutzer", "benutzername", "nutzer", "konto"),
    ),
    "fr": Labels(
        ("mot de passe", "mdp", "phrase de passe", "phrase secrète", "code d'accès", "code secret"),
        (),
        (
            "clé api", "clé d'api", "clé secrète", "clé d'accès", "clé privée", "clef api", "clef d'api",
            "clef secrète", "clef d'accès", "jeton d'accès", "jeton secret", "jeton",
        ),
        ("est", "était", "c'est"),
        ("à", "sur"),
        ("pour", "de", "du", "des", "sur", "d'"),
        pins=(
            "code pin", "code secret", "code d'accès", "code de vérification", "code de sécurité",
            "code de la porte", "code confidentiel",
        ),
        pairs=(
            "identifiants", "identifiant", "identifiants de connexion", "accès", "utilisateur/mot de passe",
            "login/mdp",
        ),
        leads=("avec", "utilise", "utilisez", "entre", "saisis"),
        users=("utilisateur", "identifiant", "compte"),
    ),
    "es": Labels(
        (
            "contraseña", "contrasena", "clave de acceso", "clave de usuario", "frase de contraseña",
            "frase secreta", "clave",
        ),
        ("secreto", "secreto de cliente"),
        ("clave api", "clave de api", "clave de la api", "clave secreta", "clave privada"),
        ("es", "era"),
        ("a", "como"),
        ("para", "de", "del", "en"),
        pins=(
            "código pin", "código de acceso", "código de verificación", "código de seguridad", "clave pin",
        ),
        pairs=(
            "credenciales", "datos de acceso", "usuario/contraseña", "usuario y contraseña", "acceso",

        ),
        leads=("con", "usa", "usando", "utiliza", "introduce"),
        users=("usuario", "cuenta"),
    ),
    "pt": Labels(
        ("senha", "palavra-passe", "palavra passe", "frase secreta", "código de acesso"),
        ("segredo",),
        ("chave api", "chave de api", "chave da api", "chave secreta", "chave de acesso", "chave privada"),
        ("é", "era"),
        ("para",),
        ("para", "do", "da", "dos", "das", "de", "no", "na"),
        pins=("código pin", "código de acesso", "código de verificação", "código de segurança"),
        pairs=(
            "credenciais", "dados de acesso", "usuário/senha", "usuário e senha", "utilizador/senha",
            "acesso",
        ),
        leads=("com", "usa", "use", "usando", "utilize", "digite"),
        users=("usuário", "usuario", "utilizador", "conta"),
    ),
    "it": Labels(
        (
            "parola d'ordine", "parola d'accesso", "parola segreta",
            "parola di accesso", "frase segreta", "codice di accesso",
        ),
        ("segreto",),
        (
            "chiave api", "chiave dell'api", "chiave segreta", "chiave di accesso", "chiave d'accesso",
            "chiave privata",
        ),
        ("è", "era"),
        ("su",),
        ("per", "di", "del", "della", "dello", "dell'", "nel", "sul"),
        pins=(
            "codice pin", "codice di accesso", "codice di verifica", "codice di sicurezza", "codice segreto",
        ),
        pairs=("credenziali", "dati di accesso", "credenziali di accesso", "utente/password", "accesso"),
        leads=("con", "usa", "usando", "utilizza", "inserisci"),
        users=("utente", "nome utente"),
    ),
    "ru": Labels(
        (
            "пароль", "пароля", "паролем", "паролю", "кодовое слово", "кодовая фраза", "парольная фраза",
            "секретная фраза", "код доступа",
        ),
        ("секрет",),
        (
            "ключ api", "api-ключ", "api ключ", "апи-ключ", "секретный ключ", "ключ доступа", "приватный ключ",
            "закрытый ключ", "токен доступа", "токен",
        ),
        ("это", "был", "такой"),
        ("на",),
        ("для", "от", "к", "на", "в", "у"),
        pins=(
            "пин", "пин-код", "пин код", "пинкод", "pin-код", "код подтверждения", "код доступа",
            "код от двери", "код от домофона", "код безопасности",
        ),
        pairs=(
            "учётные данные", "учетные данные", "логин/пароль", "логин и пароль", "логин",
            "данные для входа", "доступ", "доступы", "креды", "учётка", "учетка",
        ),
        leads=("с", "со", "под", "используй", "используя", "введи"),
        users=("логин", "логином", "пользователь", "пользователем", "юзер"),
    ),
    "zh": Labels(
        ("密码", "密碼", "口令", "通行码", "通行碼", "密码短语"),
        ("暗号",),
        (
            "api密钥", "api 密钥", "api密鑰", "api金鑰", "访问密钥", "存取金鑰", "密钥", "密鑰", "秘钥", "金鑰",
            "私钥", "访问令牌", "存取權杖", "令牌",
        ),
        ("是", "为", "為", "就是", "叫", "改成", "设为", "設為"),
        pins=(
            "pin码", "pin 码", "pin碼", "个人识别码", "验证码", "驗證碼", "门禁码", "解锁码", "安全码",
        ),
        pairs=(
            "账号密码", "帐号密码", "账户密码", "用户名密码", "账号/密码", "帐号/密码", "用户名/密码",
            "账密", "登录信息", "凭据", "凭证", "帳號密碼", "账号", "登录",
        ),
        leads=("用", "使用", "以", "凭", "输入"),
        users=("账号", "帐号", "账户", "用户名", "用户", "帳號"),
    ),
    "ja": Labels(
        ("パスワード", "パスフレーズ", "パスコード", "暗証番号", "合言葉"),
        ("シークレット", "クライアントシークレット"),
        (
            "apiキー", "api キー", "アクセスキー", "シークレットキー",
            "秘密鍵", "アクセストークン", "認証トークン", "トークン",
        ),
        ("は", "が", "を", "に"),
        pins=(
            "暗証番号", "pinコード", "pin番号", "認証コード", "確認コード", "ピンコード", "暗証コード",
        ),
        pairs=(
            "ログイン情報", "認証情報", "ログイン", "アカウント情報", "id/パスワード", "id/pw", "アカウント",
            "接続情報",
        ),
        users=("アカウント", "ユーザー名", "ユーザー", "ユーザ", "id"),
    ),
    "ko": Labels(
        ("비밀번호", "패스워드", "암호", "암호문구", "패스코드", "비번"),
        ("시크릿", "비밀"),
        (
            "api 키", "api키", "비밀 키", "비밀키", "시크릿 키",
            "액세스 키", "접근 키", "개인 키", "액세스 토큰", "인증 토큰", "토큰",
        ),
        ("은", "는", "이", "가", "에"),
        pins=(
            "핀번호", "핀 번호", "핀코드", "핀", "pin번호", "pin 번호", "인증번호", "인증 번호", "인증코드",
            "보안 코드",
        ),
        pairs=(
            "로그인 정보", "계정 정보", "접속 정보", "아이디/비밀번호", "아이디/비번", "id/pw", "계정",
            "자격 증명", "로그인",
        ),
        users=("아이디", "계정", "사용자", "유저", "id"),
    ),
    "hi": Labels(
        ("पासवर्ड", "पासफ़्रेज़", "पासकोड", "कूटशब्द", "गुप्त शब्द", "गुप्त कोड"),
        ("सीक्रेट",),
        ("api कुंजी", "एपीआई कुंजी", "api की", "एपीआई की", "गुप्त कुंजी", "निजी कुंजी", "एक्सेस टोकन", "टोकन"),
        ("है", "था", "थी"),
        pins=("पिन", "पिन कोड", "पिन नंबर", "पिनकोड", "गुप्त पिन", "ओटीपी", "सत्यापन कोड"),
        pairs=(
            "लॉगिन", "लॉगिन विवरण", "लॉगिन जानकारी", "क्रेडेंशियल", "क्रेडेंशियल्स", "यूज़र/पासवर्ड", "खाता",
        ),
        users=("यूज़र", "यूजर", "यूज़रनेम", "उपयोगकर्ता", "खाता", "खाते"),
    ),
}  # fmt: skip

_LATIN = ("en", "de", "fr", "es", "pt", "it")


def joins() -> tuple[str, ...]:
    """The joining words of the languages that write words apart."""
    return _united(labels.joins for code, labels in LABELS.items() if code in (*_LATIN, "ru", "hi"))


def joins_without_space() -> tuple[str, ...]:
    return _united(LABELS[code].joins for code in ("zh", "ja", "ko"))


def towards() -> tuple[str, ...]:
    return _united(labels.towards for labels in LABELS.values())


def pins() -> tuple[str, ...]:
    return _united(labels.pins for labels in LABELS.values())


def pairs() -> tuple[str, ...]:
    return _united(labels.pairs for labels in LABELS.values())


def users() -> tuple[str, ...]:
    return _united(labels.users for labels in LABELS.values())


def of() -> tuple[str, ...]:
    return _united(labels.of for labels in LABELS.values())


def _united(groups: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(sorted({word for group in groups for word in group}, key=lambda word: (-len(word), word)))
