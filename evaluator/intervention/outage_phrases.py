"""What a person is told of readers that fail and come back, in the languages of `phrases`. All rows say the same."""

from __future__ import annotations

from evaluator.record import Record


class OutagePhrases(Record):
    """`down` takes {does}, {since} and {who}, `back` {since}, {until} and {who}; `asked_at` takes {until}, what is
    counted {count}, what can be changed {command}. {who} comes last: a long address is what is cut.
    """

    down: str
    does: dict[str, str]
    """{kind of fault: what the readers do}; the empty kind is not known."""
    asked_at: str
    asked_next: str
    meanwhile: dict[str, str]
    """{`outage_notice.Meanwhile`: what becomes of writes until they answer}"""
    to_rules: str
    to_hold: str
    to_enforce: str
    back: str
    ran: str
    ran_by_rules: str
    held: str


OUTAGE_PHRASES: dict[str, OutagePhrases] = {
    "en": OutagePhrases(
        down="Compass: its readers {does}, since {since}: {who}",
        does={
            "limit": "are at your plan's usage limit",
            "transport": "cannot be reached", "timeout": "do not answer in time",
            "rate": "take no more requests", "authentication": "refuse the key or the login",
            "server": "answer with errors", "": "do not answer",
        },
        asked_at="They are asked again at {until}.",
        asked_next="The next write asks them again.",
        meanwhile={
            "held": "Until they answer, every write that needs a judgement is held.",
            "unjudged": "Until they answer, writes run unjudged.",
            "unjudged but": "Until they answer, writes run unjudged; what destroys something is judged by rules.",
            "by rules": "Until they answer, rules judge in their place; they find less.",
            "watched": "Until they answer, writes run unjudged. In observe mode nothing is held.",
            "watched by rules": "Until they answer, rules look at writes. In observe mode nothing is held.",
        },
        to_rules="To let rules judge instead: {command}",
        to_hold="To hold writes instead: {command}",
        to_enforce="To hold unclear writes: {command}",
        back="Compass: its readers answer again; they failed from {since} to {until}: {who}",
        ran="Writes of this session that ran unjudged meanwhile: {count}",
        ran_by_rules="Writes of this session that ran because rules alone found nothing wrong: {count}",
        held="Writes of this session that were held unjudged: {count}; ask for what you still want.",
    ),
    "de": OutagePhrases(
        down="Compass: Die Leser {does}, seit {since}: {who}",
        does={
            "limit": "sind am Limit deines Abos",
            "transport": "sind nicht erreichbar", "timeout": "antworten nicht rechtzeitig",
            "rate": "nehmen keine Anfragen mehr an", "authentication": "weisen Schlüssel oder Anmeldung ab",
            "server": "antworten mit Fehlern", "": "antworten nicht",
        },
        asked_at="Sie werden um {until} wieder gefragt.",
        asked_next="Der nächste Schreibvorgang fragt sie wieder.",
        meanwhile={
            "held": "Bis sie antworten, wird alles angehalten, was ein Urteil braucht.",
            "unjudged": "Bis sie antworten, wird ungeprüft geschrieben.",
            "unjudged but": "Bis sie antworten, wird ungeprüft geschrieben; nur Zerstörendes prüfen Regeln.",
            "by rules": "Bis sie antworten, urteilen Regeln an ihrer Stelle; sie finden weniger.",
            "watched": "Bis sie antworten, wird ungeprüft geschrieben. Im Modus observe wird nichts angehalten.",
            "watched by rules": "Bis sie antworten, sehen Regeln hin. Im Modus observe wird nichts angehalten.",
        },
        to_rules="Damit stattdessen Regeln urteilen: {command}",
        to_hold="Um stattdessen anzuhalten: {command}",
        to_enforce="Um Unklares anzuhalten: {command}",
        back="Compass: Die Leser antworten wieder; sie fehlten von {since} bis {until}: {who}",
        ran="In dieser Sitzung inzwischen ungeprüft geschrieben: {count}",
        ran_by_rules="In dieser Sitzung geschrieben, weil Regeln allein nichts fanden: {count}",
        held="In dieser Sitzung ungeprüft angehalten: {count}; was du noch willst, verlange erneut.",
    ),
    "fr": OutagePhrases(
        down="Compass : ses lecteurs {does}, depuis {since} : {who}",
        does={
            "limit": "ont épuisé votre forfait",
            "transport": "sont injoignables", "timeout": "ne répondent pas à temps",
            "rate": "n'acceptent plus de requêtes", "authentication": "refusent la clé ou la connexion",
            "server": "répondent par des erreurs", "": "ne répondent pas",
        },
        asked_at="Ils seront interrogés de nouveau à {until}.",
        asked_next="La prochaine écriture les interrogera de nouveau.",
        meanwhile={
            "held": "D'ici là, toute écriture qui demande un jugement est retenue.",
            "unjudged": "D'ici là, les écritures passent sans jugement.",
            "unjudged but": "D'ici là, les écritures passent sans jugement ; des règles jugent ce qui détruit.",
            "by rules": "D'ici là, des règles jugent à leur place ; elles trouvent moins.",
            "watched": "D'ici là, les écritures passent sans jugement. En mode observe, rien n'est retenu.",
            "watched by rules": "D'ici là, des règles regardent. En mode observe, rien n'est retenu.",
        },
        to_rules="Pour que des règles jugent : {command}",
        to_hold="Pour retenir les écritures : {command}",
        to_enforce="Pour retenir ce qui n'est pas clair : {command}",
        back="Compass : ses lecteurs répondent de nouveau ; absents de {since} à {until} : {who}",
        ran="Écritures de cette session passées sans jugement : {count}",
        ran_by_rules="Écritures de cette session passées car les règles n'ont rien trouvé : {count}",
        held="Écritures de cette session retenues sans jugement : {count} ; redemandez ce que vous voulez.",
    ),
    "es": OutagePhrases(
        down="Compass: sus lectores {does}, desde {since}: {who}",
        does={
            "limit": "agotaron el límite de tu plan",
            "transport": "no son accesibles", "timeout": "no responden a tiempo",
            "rate": "no aceptan más peticiones", "authentication": "rechazan la clave o la sesión",
            "server": "responden con errores", "": "no responden",
        },
        asked_at="Se les vuelve a preguntar a las {until}.",
        asked_next="La próxima escritura les vuelve a preguntar.",
        meanwhile={
            "held": "Hasta entonces se retiene toda escritura que necesita un juicio.",
            "unjudged": "Hasta entonces las escrituras pasan sin juicio.",
            "unjudged but": "Hasta entonces se escribe sin juicio; lo que destruye lo juzgan reglas.",
            "by rules": "Hasta entonces juzgan reglas en su lugar; encuentran menos.",
            "watched": "Hasta entonces se escribe sin juicio. En modo observe no se retiene nada.",
            "watched by rules": "Hasta entonces miran reglas. En modo observe no se retiene nada.",
        },
        to_rules="Para que juzguen reglas: {command}",
        to_hold="Para retener las escrituras: {command}",
        to_enforce="Para retener lo que no está claro: {command}",
        back="Compass: sus lectores responden de nuevo; fallaron de {since} a {until}: {who}",
        ran="Escrituras de esta sesión que pasaron sin juicio: {count}",
        ran_by_rules="Escrituras de esta sesión que pasaron porque las reglas no hallaron nada: {count}",
        held="Escrituras de esta sesión retenidas sin juicio: {count}; vuelve a pedir lo que quieras.",
    ),
    "pt": OutagePhrases(
        down="Compass: os seus leitores {does}, desde {since}: {who}",
        does={
            "limit": "esgotaram o limite do plano",
            "transport": "não estão acessíveis", "timeout": "não respondem a tempo",
            "rate": "não aceitam mais pedidos", "authentication": "recusam a chave ou a sessão",
            "server": "respondem com erros", "": "não respondem",
        },
        asked_at="Voltam a ser consultados às {until}.",
        asked_next="A próxima escrita volta a consultá-los.",
        meanwhile={
            "held": "Até lá, toda a escrita que precisa de um juízo fica retida.",
            "unjudged": "Até lá, as escritas passam sem juízo.",
            "unjudged but": "Até lá, as escritas passam sem juízo; o que destrói é julgado por regras.",
            "by rules": "Até lá, regras julgam no lugar deles; encontram menos.",
            "watched": "Até lá, as escritas passam sem juízo. No modo observe nada é retido.",
            "watched by rules": "Até lá, regras observam. No modo observe nada é retido.",
        },
        to_rules="Para que regras julguem: {command}",
        to_hold="Para reter as escritas: {command}",
        to_enforce="Para reter o que não é claro: {command}",
        back="Compass: os seus leitores respondem de novo; falharam de {since} a {until}: {who}",
        ran="Escritas desta sessão que passaram sem juízo: {count}",
        ran_by_rules="Escritas desta sessão que passaram porque as regras nada acharam: {count}",
        held="Escritas desta sessão retidas sem juízo: {count}; volta a pedir o que ainda queres.",
    ),
    "it": OutagePhrases(
        down="Compass: i suoi lettori {does}, dalle {since}: {who}",
        does={
            "limit": "hanno esaurito il tuo piano",
            "transport": "non sono raggiungibili", "timeout": "non rispondono in tempo",
            "rate": "non accettano altre richieste", "authentication": "rifiutano la chiave o l'accesso",
            "server": "rispondono con errori", "": "non rispondono",
        },
        asked_at="Verranno interpellati di nuovo alle {until}.",
        asked_next="La prossima scrittura li interpella di nuovo.",
        meanwhile={
            "held": "Fino ad allora ogni scrittura che richiede un giudizio è trattenuta.",
            "unjudged": "Fino ad allora le scritture passano senza giudizio.",
            "unjudged but": "Fino ad allora si scrive senza giudizio; ciò che distrugge lo giudicano regole.",
            "by rules": "Fino ad allora giudicano regole al loro posto; trovano meno.",
            "watched": "Fino ad allora si scrive senza giudizio. In modalità observe nulla è trattenuto.",
            "watched by rules": "Fino ad allora guardano regole. In modalità observe nulla è trattenuto.",
        },
        to_rules="Per far giudicare le regole: {command}",
        to_hold="Per trattenere le scritture: {command}",
        to_enforce="Per trattenere ciò che non è chiaro: {command}",
        back="Compass: i suoi lettori rispondono di nuovo; assenti dalle {since} alle {until}: {who}",
        ran="Scritture di questa sessione passate senza giudizio: {count}",
        ran_by_rules="Scritture di questa sessione passate perché le regole non hanno trovato nulla: {count}",
        held="Scritture di questa sessione trattenute senza giudizio: {count}; richiedi ciò che vuoi.",
    ),
    "ru": OutagePhrases(
        down="Compass: читатели {does}, с {since}: {who}",
        does={
            "limit": "исчерпали лимит вашей подписки",
            "transport": "недоступны", "timeout": "не отвечают вовремя",
            "rate": "больше не принимают запросы", "authentication": "отвергают ключ или вход",
            "server": "отвечают ошибками", "": "не отвечают",
        },
        asked_at="Их спросят снова в {until}.",
        asked_next="Следующая запись спросит их снова.",
        meanwhile={
            "held": "До этого всё, что требует суждения, задерживается.",
            "unjudged": "До этого запись идёт без проверки.",
            "unjudged but": "До этого запись идёт без проверки; разрушающее проверяют правила.",
            "by rules": "До этого вместо них судят правила; они находят меньше.",
            "watched": "До этого запись идёт без проверки. В режиме observe ничего не задерживается.",
            "watched by rules": "До этого смотрят правила. В режиме observe ничего не задерживается.",
        },
        to_rules="Чтобы судили правила: {command}",
        to_hold="Чтобы задерживать запись: {command}",
        to_enforce="Чтобы задерживать неясное: {command}",
        back="Compass: читатели снова отвечают; сбой был с {since} до {until}: {who}",
        ran="Прошло без проверки в этой сессии: {count}",
        ran_by_rules="Прошло в этой сессии, так как правила ничего не нашли: {count}",
        held="Задержано без суждения в этой сессии: {count}; что ещё нужно, попросите снова.",
    ),
    "zh": OutagePhrases(
        down="Compass：阅读模型{does}（自 {since}）：{who}",
        does={
            "limit": "已达到你订阅的用量上限",
            "transport": "无法连接", "timeout": "未及时回答", "rate": "不再接受请求",
            "authentication": "拒绝密钥或登录", "server": "返回错误", "": "没有回答",
        },
        asked_at="{until} 会再次询问。",
        asked_next="下一次写入会再次询问。",
        meanwhile={
            "held": "在此之前，需要判断的写入都会被拦下。",
            "unjudged": "在此之前，写入不经判断直接执行。",
            "unjudged but": "在此之前，写入不经判断直接执行；有破坏性的由规则判断。",
            "by rules": "在此之前，由规则代为判断；规则发现得更少。",
            "watched": "在此之前，写入不经判断直接执行。observe 模式下不拦任何写入。",
            "watched by rules": "在此之前，由规则查看。observe 模式下不拦任何写入。",
        },
        to_rules="改由规则判断：{command}",
        to_hold="改为拦下写入：{command}",
        to_enforce="拦下不明确的写入：{command}",
        back="Compass：阅读模型恢复回答；中断自 {since} 至 {until}：{who}",
        ran="本会话期间未经判断而执行的写入：{count}",
        ran_by_rules="本会话期间仅凭规则未发现问题而执行的写入：{count}",
        held="本会话期间未经判断而被拦下的写入：{count}；仍需要的请再次提出。",
    ),
    "ja": OutagePhrases(
        down="Compass: 読み手が{does}（{since} から）: {who}",
        does={
            "limit": "契約の利用上限に達しました",
            "transport": "接続できません", "timeout": "時間内に答えません", "rate": "要求を受け付けません",
            "authentication": "鍵またはログインを拒みます", "server": "エラーを返します", "": "答えません",
        },
        asked_at="{until} にもう一度尋ねます。",
        asked_next="次の書き込みでもう一度尋ねます。",
        meanwhile={
            "held": "それまで、判断が要る書き込みはすべて止めます。",
            "unjudged": "それまで、書き込みは判断なしで実行されます。",
            "unjudged but": "それまで、書き込みは判断なしで実行され、壊すものは規則が判断します。",
            "by rules": "それまで、規則が代わりに判断します。見つかるものは減ります。",
            "watched": "それまで、判断なしで実行されます。observe モードでは何も止めません。",
            "watched by rules": "それまで、規則が見ます。observe モードでは何も止めません。",
        },
        to_rules="規則に判断させるには: {command}",
        to_hold="書き込みを止めるには: {command}",
        to_enforce="不明確な書き込みを止めるには: {command}",
        back="Compass: 読み手が再び答えます（{since} から {until} まで不通）: {who}",
        ran="このセッションで判断なしに実行された書き込み: {count}",
        ran_by_rules="このセッションで規則だけが問題なしとして実行された書き込み: {count}",
        held="このセッションで判断なしに止めた書き込み: {count}。必要ならもう一度頼んでください。",
    ),
    "ko": OutagePhrases(
        down="Compass: 판독 모델이 {does} ({since}부터): {who}",
        does={
            "limit": "구독 사용 한도에 도달함",
            "transport": "연결되지 않음", "timeout": "제때 답하지 않음", "rate": "요청을 더 받지 않음",
            "authentication": "키나 로그인을 거부함", "server": "오류로 답함", "": "답하지 않음",
        },
        asked_at="{until}에 다시 묻습니다.",
        asked_next="다음 쓰기에서 다시 묻습니다.",
        meanwhile={
            "held": "그때까지 판단이 필요한 쓰기는 모두 보류됩니다.",
            "unjudged": "그때까지 쓰기는 판단 없이 실행됩니다.",
            "unjudged but": "그때까지 쓰기는 판단 없이 실행되고, 파괴하는 것은 규칙이 판단합니다.",
            "by rules": "그때까지 규칙이 대신 판단하며, 더 적게 찾아냅니다.",
            "watched": "그때까지 판단 없이 실행됩니다. observe 모드에서는 아무것도 보류하지 않습니다.",
            "watched by rules": "그때까지 규칙이 봅니다. observe 모드에서는 아무것도 보류하지 않습니다.",
        },
        to_rules="규칙이 판단하게 하려면: {command}",
        to_hold="쓰기를 보류하려면: {command}",
        to_enforce="불분명한 쓰기를 보류하려면: {command}",
        back="Compass: 판독 모델이 다시 답합니다 ({since}부터 {until}까지 중단): {who}",
        ran="이 세션에서 그동안 판단 없이 실행된 쓰기: {count}",
        ran_by_rules="이 세션에서 규칙만으로 문제가 없어 실행된 쓰기: {count}",
        held="이 세션에서 판단 없이 보류된 쓰기: {count}. 필요하면 다시 요청하세요.",
    ),
    "hi": OutagePhrases(
        down="Compass: पाठक {does}, {since} से: {who}",
        does={
            "limit": "आपकी सदस्यता की उपयोग सीमा पर पहुँच गए",
            "transport": "तक पहुँचा नहीं जा सकता", "timeout": "समय पर उत्तर नहीं देते",
            "rate": "और अनुरोध नहीं लेते", "authentication": "कुंजी या लॉगिन अस्वीकार करते हैं",
            "server": "त्रुटि लौटाते हैं", "": "उत्तर नहीं देते",
        },
        asked_at="{until} पर फिर पूछा जाएगा।",
        asked_next="अगला लेखन उनसे फिर पूछेगा।",
        meanwhile={
            "held": "तब तक हर वह लेखन रोका जाएगा जिसे निर्णय चाहिए।",
            "unjudged": "तब तक लेखन बिना निर्णय के चलता है।",
            "unjudged but": "तब तक लेखन बिना निर्णय के चलता है; जो नष्ट करे, उसे नियम जाँचते हैं।",
            "by rules": "तब तक उनकी जगह नियम निर्णय करते हैं; वे कम पकड़ते हैं।",
            "watched": "तब तक लेखन बिना निर्णय के चलता है। observe मोड में कुछ नहीं रोका जाता।",
            "watched by rules": "तब तक नियम देखते हैं। observe मोड में कुछ नहीं रोका जाता।",
        },
        to_rules="नियमों से निर्णय कराने के लिए: {command}",
        to_hold="लेखन रोकने के लिए: {command}",
        to_enforce="अस्पष्ट लेखन रोकने के लिए: {command}",
        back="Compass: पाठक फिर उत्तर दे रहे हैं; {since} से {until} तक बंद थे: {who}",
        ran="इस सत्र में बिना निर्णय के चले लेखन: {count}",
        ran_by_rules="इस सत्र में केवल नियमों को कुछ न मिलने पर चले लेखन: {count}",
        held="इस सत्र में बिना निर्णय के रोके गए लेखन: {count}; जो चाहिए वह फिर माँगें।",
    ),
}  # fmt: skip
