"""Which words go on with a sentence after the label of a secret, and are no value: `the password is wrong`. Pure.

Function words, and what people say of a secret, in the languages of `labels`; then the endings that make a word
of that kind. A password can be such a word, and is then left: a reader needs the sentence.
"""

from __future__ import annotations

from functools import cache

from evaluator.egress.redaction.patterns import compiled


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FUNCTION = """
a an the this that these those it its my your our their his her he she they we you i who whose which what
when where why how if then else than as at by for from in into of off on onto out over per since through to
until up upon via with without within about above after again against all also am and any are because been
before being below between both but can cannot could did do does doing done down during each either enough
ever every few had has have having here just less like many may maybe might more most much must neither
never no none nor not nothing now once one only or other otherwise own perhaps quite rather same several
shall should so some something soon still such there therefore though too twice under unless usually very
was were well whatever whether while will would yes yet already always anything everything everyone anyone
nobody someone ones two three four five six seven eight nine ten eleven twelve first second third last next
let please see say says ask asks use uses using der die das den dem des ein eine einen einem einer eines und
oder aber nicht kein keine keinen ist war wird werden wurde muss müssen soll sollte sollen darf dürfen kann
können hat haben hatte sein bei beim bis für gegen im ins mit nach noch nur ob ohne schon sehr seit sich
siehe sie über um unter vom von vor wenn wie wieder zu zum zur zwei drei vier acht zwölf mindestens
höchstens immer nie niemals jetzt bereits auch anders dann hier dort mehr weniger genau wohl etwa bitte le
la les l un une du de et ou mais pas ne est sont était sera être doit doivent peut peuvent au aux avec chez
contre dans depuis en entre jamais moins non par plus pour quand que qui sans ses son sur tous tout toujours
très trop voir déjà encore aussi ici bien mal même au-moins el los las lo una unos unas y o pero es era será
ser debe deben puede pueden al del con contra cuando desde donde hasta más menos mi muy ni nunca para poco
por porque se siempre sin sobre su también tampoco todo todos tu ya os uma uns umas e mas não são foi deve
devem pode podem ao aos com como da dos em há isso muito na nas nem nos pelo quando sem sempre só sua também
você já il gli uno ma è sono sarà devono può possono alla dal dei della di già mai meno molto nel nella ogni
più senza si solo sul troppo tutti и или но не нет это этот эта был была было будет должен должна может
могут в во для до за из к как когда ко на над о об от по под при про с со так также там то тоже только у уже
чтобы что ещё еще очень где если всегда никогда है हैं था थी थे हो होना नहीं और या का की के को में से पर यह
वह भी ही तो जो कि क्या अब बहुत 필수 선택 없음 있음 오류 만료
틀림 아님 입력 변경 확인 초기화 재설정 분실 설정 저장 사용 참고 참조 필요 불필요 비어있음
"""

_TOLD = """
absent accepted accessible accurate active acceptable actual additional alive allowed alphanumeric ambiguous
anonymous arbitrary ascii authentic automatic available away back bad base64 basic bearer better binary
blank bogus boring broken built burnt case cached cheap clean clear closed common compact compatible
complete complex composite compromised confidential configurable confusing consistent constant correct
corrupt critical current custom cryptic dead default deprecated different digits direct dirty distinct done
due duplicate dynamic easy empty encoded encrypted enough ephemeral equal essential exact exactly expired
explicit external fake false fine final fixed foreign forgotten found free fresh full garbage generic given
global gone good great green guessable hard harmless here hex hexadecimal hidden high ideal identical
ignored illegal immutable implicit important impossible in inactive incomplete inconsistent incorrect
independent inline insecure integral intact internal invalid invisible irrelevant json jwt kept known large
late leaked left legacy legal likely literal live local lock long longer lost low lowercase mandatory manual
mask max maximum met min minimum minimal missing mismatch mutable mutual necessary needed new null numeric
obsolete obvious ok okay old opaque open opt optional ordinary outdated overdue permanent persistent
personal plain plaintext pointless possible posted predictable present private proper protected provided
public pure random raw read readable ready real recent recoverable redundant relevant reliable required
reserved reset resolved rest reusable revocable right rotten safe salted secondary secret secure seen
sensitive sent separate set shared shiny short shorter shown similar simple single slow small special
specific spent stable stale standard static sticky strict string strong stronger stuck sufficient
superfluous supported temporary tied tight tiny trivial true truncated trusted typed typical unavailable
unclear undefined unencrypted unique universal unknown unlikely unnecessary unreadable unsafe unset unusable
unused uppercase useful useless valid vague variable visible void volatile vulnerable weak weaker weird
wrong yours mine ours theirs used owed agreed freed guaranteed simples semplice ausente presente faltante
short-lived lived written overwritten stolen chosen thrown driven taken bound held made meant paid put run
split stored told understood cut hit hashed add allow append ask assert avoid base build call change check
choose click compare configure consult contact convert copy create decode delete derive describe disable
drop emit enable encode encrypt ensure enter export extend fail fetch fill find fix forget generate get give
handle hash hide ignore import insert invalidate keep leave load log login logout look make measure merge
migrate move nobody nope notice parse pass paste pick press prevent print prompt provide receive refactor
refer refresh regenerate register reject remove rename renew replace report request require restart restore
retry return reuse review revoke rotate save scan send share show sign skip start stop store strip submit
switch test throw trim try turn type update upgrade validate verify view wait warn write accepts arrives
asks becomes begins belongs breaks changes comes consists contains defaults depends differs disappears ends
equals exist exists expire expires persist outlive outlives fails gets goes grants happens has holds includes
keeps lacks leads leaves lives looks
matches means misses needs opens passes points reads refers remains requires resets returns seems sets shows
sits starts stays stops takes tells tries uses wants works authentication authorization confirmation
management manager policy rotation validation verification support access account accounts admin
administrator attribute array bytes char chars character characters choice class column columns comment
config configuration content context count data database day days description dialog digit docs
documentation duration entry enum error errors example failure flow form format function guide handling
hashing header headers help hint history hour hours icon info information input instance integer item items
kind kubernetes label length letter letters level limit link list location lookup mail mechanism message
messages method minute minutes mode model module months name names note notes number numbers object operator
option options order overview owner page parameter parser pattern payload period pipeline policies position
problem process property protection provider question reason record recovery reference requirement
requirements resource response role rule rules schema scope screen script section security sequence server
service setting settings setup signature size source space spaces state status step storage storing strings
structure symbol symbols table tables template tests text ticket timeout toggle topic types user users usage
validator value values vault version warning week weeks wiki word words year years keyword identifier
punctuation comma whitespace newline colon semicolon paren brace bracket eof username email bool boolean
oauth saml oidc ldap kerberos sso mfa totp otp cookie cookies jwks hmac bcrypt argon2 argon2id scrypt sha256
sha512 sha1 md5 aes rsa tls ssl utf-8 utf8 github gitlab google azure aws kms keychain keyring env
environment stdin terraform patience consistency simplicity practice timing caching communication
performance preparation discipline time inherit include omit same-origin self lax passed failed skipped
proceed granted denied pending tbd todo tba n/a pw pwd tok res result results ret resp val sanitized
normalized decoded stripped trimmed digest buf buffer arr args kwargs params param arg row rows obj elem
element node chunk next prev candidate expected generated computed derived falsch richtig korrekt leer
gültig ungültig abgelaufen vergessen verschlüsselt gehasht gespeichert geändert erforderlich notwendig nötig
pflicht pflichtfeld kurz lang schwach stark sicher unsicher geheim öffentlich eindeutig neu alt gleich
identisch unterschiedlich verschieden bekannt unbekannt verloren gesperrt gesetzt fehlt fehlend vorhanden
sichtbar unsichtbar versteckt zeichen buchstaben ziffern zahlen tresor umgebungsvariable klartext zurück
gelüftet geduld zufällig temporär kompromittiert veraltet defekt kaputt verfügbar angezeigt übergeben
benötigt hinterlegt ablaufend egal incorrecte correcte erroné erronée faux fausse vide valide invalide
expiré expirée requis requise obligatoire facultatif facultative optionnel optionnelle oublié oubliée
manquant manquante court courte longue faible fort forte chiffré chiffrée haché hachée stocké stockée caché
cachée publique privé privée nouveau nouvelle ancien ancienne perdu perdue périmé révoqué trouvé introuvable
inconnu inconnue modifié modifiée sûr sûre secrète identique différent différente absente généré générée
caractères chiffres aléatoire incorrecta incorrecto correcta correcto válida válido inválida inválido vacía
vacío vencida vencido caducada caducado obligatoria obligatorio opcional requerida requerido necesaria
necesario olvidada débil fuerte larga largo corta corto única único cifrada cifrado oculta oculto pública
público privada privado nueva nuevo vieja antiguo perdida desconocida desconocido secreta secreto segura
seguro igual distinta diferente útil inútil errónea erróneo usada usado caracteres paciencia temporal
aleatoria aleatorio incorreta incorreto correta correto vazia vazio expirada expirado obrigatória
obrigatório necessária necessário esquecida fraca fraco longa longo curta curto criptografada criptografado
visível nova novo antiga antigo desconhecida errada errado aleatória temporária segredo paciência sbagliata
sbagliato corretta corretto errata errato valida valido invalida scaduta scaduto vuota vuoto obbligatoria
obbligatorio opzionale facoltativa richiesta richiesto necessaria necessario dimenticata debole lunga lungo
unica unico cifrata criptata visibile nascosta nuova nuovo vecchia persa sconosciuta segreta sicura sicuro
uguale diversa diverso usata casuale temporanea mancante assente pazienza неверный неверен верный верен
пустой пуст истёк истек утерян утерянный обязателен обязательно обязательный обязательное необязательно
нужен требуется отсутствует забыт забыли изменён изменен скрыт задан установлен неизвестен известен слабый
сильный короткий длинный новый старый уникален просрочен устарел недействителен действителен поле символов
сохранён зашифрован хешируется хранится передаётся передается проверяется сбрасывается совпадает одинаковый
разный валиден невалиден найден открыт закрыт временный случайный गलत सही आवश्यक अनिवार्य वैकल्पिक खाली
समाप्त भूल अमान्य मान्य कमज़ोर कमजोर मजबूत नया पुराना सुरक्षित असुरक्षित रीसेट बदला
"""

_ENDINGS = (
    r"\w{3,}(?<!e)ed|\w{3,}(?:[^f]l|[aeiou]l)y|\w{4,}(?:able|ible|less|ful|ized|ised)|[a-z]{4,}ing|"
    r"(?:un|in|non|re|pre|mis)\w{3,}(?:ed|able|al)"
    r"|\w{3,}(?:lich|iert|ierbar)|(?:ab|an|auf|aus|ein|hinter|vor|zurück|über|ver|zer|un)ge\w{2,}(?:t|en)|ver\w{3,}t"
    r"|\w{3,}(?:é|ée|és|ées)|\w{4,}oire"
    r"|\w{5,}(?:ad|id|at|ut)[oa]s?"
    r"|\w{3,}(?:ый|ий|ая|ое|ые|ован|ирован|ется|ится|ются)"
)
_NOT_ENDINGS = _words(
    """lightning morning evening wedding pudding sterling darling earring offspring starling duckling sibling
    viking everything sapling seedling gosling building ceiling family lily jelly belly holly molly
    sally billy kelly emily italy butterfly dragonfly firefly table cable fable hundred sacred kindred
    alfred cioccolato cioccolata mercado soldado eldorado avocado aficionado colorado tornado cantata
    sonata errata desperado comida bebida corrida florida batata patata pirata fregata estrada espada
    almohada helado tostado empanada limonada cascada granada watershed homestead"""
)
_PARTS_MAX = 3
_LEADS = _words("in on off per by to not no non opt pre un at out built")
_ABSTRACT = (
    r"\w{3,}(?:ness|ity|tion|sion|ance|ence|ency|ship|work|heit|keit|ung|ität|ité|dad|dade|tà|ción|ção|zione"
    r"|ость|ение|ание)"
)

_JOINED_TALK = (
    r"[不无無未没沒错錯误誤空必须須填请請的是否已了吗嗎同见見需应應可会會将將请勿或和与及]|输入|輸入|长度|長|字符|文字|字母|数字|數字|以上|以下|至少|最少|最多|位$"
    r"|加密|暗号化|明文|平文|过期|失效|有效|有効|期限|正确|正しい|修改|变更|変更|重置|再設定|忘|设置|设定|設定|保存|强度|強度|弱|短|随机|默认"
    r"|初期|登录|登陆|确认|確認|验证|検証|认证|認証|管理|安全|隐藏|表示|入力|任意|省略|一致|类型|型$|字段|项|欄|保密|非公開|公開|秘密|共通|共有"
    r"|环境|環境|メール|テスト|画面|邮箱|手机|账|帐|用户|ユーザ|数据|服务|サーバ|あり|なし|ない|です|ます|する|して|した|ください|こと|もの|または"
)


@cache
def _known() -> frozenset[str]:
    return _words(f"{_FUNCTION} {_TOLD}")


@cache
def function_words() -> frozenset[str]:
    return _words(_FUNCTION)


def goes_on(value: str) -> bool:
    """Whether the value is a word of the sentence, or is put together with one (`case-sensitive`)."""
    word = value.lower().strip(".,:;!?()[]{}\"'`*_")
    if not word or _is_said(word):
        return True
    parts = compiled("[-_/]").split(word)
    return 1 < len(parts) <= _PARTS_MAX and (parts[0] in _LEADS or _is_said(parts[-1]))


def is_listed(word: str) -> bool:
    """Whether the table has the word itself, in lower case; what endings make of a word does not count."""
    return word in _known()


def is_joined_talk(value: str) -> bool:
    """Whether the value, in a script without spaces, tells or asks something of a secret: `不能为空`, `入力必須`."""
    return compiled(_JOINED_TALK).search(value) is not None


def is_abstract(value: str) -> bool:
    """A noun for what is never typed: `the secret is consistency`."""
    return compiled(_ABSTRACT).fullmatch(value.lower()) is not None


def _is_said(word: str) -> bool:
    if word in _known():
        return True
    return word not in _NOT_ENDINGS and compiled(_ENDINGS).fullmatch(word) is not None
