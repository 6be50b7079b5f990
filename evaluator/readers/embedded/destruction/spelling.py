"""How an order to destroy is spelled: verbs that open or close it, and what makes a sentence none. Data only.

Patterns are matched against lower-case text. What is not listed orders nothing, so a missing word holds a call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from evaluator.language.clauses import UNUSED, UNWANTED

OrderKind = Literal["delete", "move", "undo", "run", "control"]

_OPENING: dict[OrderKind, str] = {
    "delete": r"""
        delete|remove|erase|drop|purge|wipe|nuke|unlink|discard|uninstall|rm|kill|truncate|trash|ditch|scrap
        |clear|flush|empty|destroy|prune|get\ rid\ of|throw|toss|tear\ down|take\ down|clean\ out|lösch(?:e|t
        |en)?|entfern(?:e|t|en)?|wirf|schmei(?:ß|ss)|verw(?:irf|erfe)|supprime[rz]?|efface[rz]?|enl[eè]ve[rz]?
        |retire[rz]?|jette[rz]?|vire[rz]?|annule[rz]?|borr(?:a|e|ar)|bórral[aeo]s?|elimin(?:a|e|ar)
        |elimínal[aeo]s?|quit(?:a|e|ar)|quítal[aeo]s?|descart(?:a|e|ar)|apag(?:a|ue|ar)|remov[ae]r?|exclu(?:a|i
        |ir)|delet(?:a|ar)|derrub(?:a|e|ar)|cancell(?:a|are)|rimuov(?:i|ere)|scarta|butta|eliminare|удали(?:те
        |ть)?|сотри(?:те)?|убери(?:те)?|убрать|снеси|выкинь|очисти(?:те)?|删除|删掉|删了|刪除|刪掉|移除|去掉|清除
        |清空|丢弃|丢掉|हटा(?:ओ|\ दो)""",
    "move": r"""
        rename|move|mv|relocate|benenn(?:e|t|en)?|verschieb(?:e|t|en)?|renomme[rz]?|déplace[rz]?|renombr(?:a|e
        |ar)|mueve|mover|renome(?:ia|ie|ar)|mova|rinomina(?:re)?|sposta(?:re)?|переименуй(?:те)?|перемести(?:те)?
        |重命名|改名|移动|移到|挪到""",
    "undo": r"""
        revert|reset|undo|roll\ ?back|force-?\ ?push|restore|verw(?:irf|erfe)|nimm|annule[rz]?|deshaz|descarta
        |отмени(?:те)?|откати(?:те)?|сбрось(?:те)?|撤销|回滚|重置|强推|强制推送|丢弃""",
    "control": r"""
        stop|kill|end|quit|terminate|shut\ down|restart|reload|reboot|reset|drop|stopp(?:e|t|en)?|beende[nt]?
        |arrête[rz]?|redémarre[rz]?|par(?:a|ar|e)|det[eé]n|reinici(?:a|ar|e)|ferma(?:re)?|riavvia(?:re)?
        |останови(?:те|ть)?|перезапусти(?:те|ть)?|停止|停掉|关掉|重启""",
    "run": r"""
        run|execute|do|use|launch|führe?|starte|mach|lance[rz]?|exécute[rz]?|fais|ejecut(?:a|e|ar)|corr(?:e|er)
        |lanz(?:a|ar)|haz|rod(?:a|e|ar)|execut(?:a|e|ar)|esegui|lancia|запусти(?:те|ть)?|выполни(?:те|ть)?|сделай
        |运行|执行|跑""",
}
_CLOSING: dict[OrderKind, str] = {
    "delete": r"""
        (?:löschen|entfernen|wegwerfen|verwerfen|weg\ damit|weg)|(?:削除|消去|破棄|除去)(?:して(?:下さい|ください
        |くれ|ほしい|おいて)?|しといて|を?お願い(?:します)?|よろしく)?|(?:消して|捨てて|消しといて)(?:下さい
        |ください|くれ|ほしい)?|(?:삭제|제거)\ ?(?:해\ ?줘요?|해\ ?주세요|해라|하세요|해|부탁\w*)?|지워\ ?(?:줘
        |주세요|라)?|버려\ ?(?:줘|주세요)|(?:हटा|मिटा|डिलीट\ कर)\ ?(?:दो|दें|दीजिए)|हटाओ|मिटाओ|(?:删除|删掉|删了
        |刪除|刪掉|移除|去掉|清除|清空|丢弃|丢掉)(?:吧|一下)?""",
    "move": r"""
        (?:umbenennen|verschieben|um)|(?:リネーム|改名|移動|変更)(?:して(?:下さい|ください|くれ)?
        |を?お願い(?:します)?)?|(?:이름을\ )?(?:변경|이동)\ ?(?:해\ ?줘|해\ ?주세요)|옮겨\ ?(?:줘|주세요)""",
    "undo": r"""
        zurücksetzen|verwerfen|rückgängig\ machen|(?:リセット|破棄)して(?:下さい|ください)?|되돌려\ ?(?:줘
        |주세요)""",
    "control": r"""
        (?:stoppen|beenden|neu\ starten|neustarten)|(?:停止|再起動|終了)(?:して(?:下さい|ください|くれ)?
        |を?お願い(?:します)?)?|止めて(?:下さい|ください|くれ)?|(?:중지|종료|재시작)\ ?(?:해\ ?줘|해\ ?주세요)
        |(?:बंद|रीस्टार्ट)\ ?(?:करो|कर\ दो)|रोको""",
    "run": r"ausführen|(?:実行)して(?:下さい|ください)?|실행\ ?해\ ?(?:줘|주세요)",
}
_LEAD = r"""
        please|pls|plz|ok(?:ay)?|ye[sp]|yeah|sure|right|great|now|then|also|just|so|well|and|next|first|finally
        |simply|go\ ahead\ and|go\ ahead|feel\ free\ to|let['’]?s|you\ (?:can|may|should|must)|(?:can|could|would
        |will)\ you|i(?:\ would|['’]d)?\ (?:want|like|need)\ (?:you\ )?to|we\ need\ to|all\ right|todo|task|bitte
        |dann|jetzt|mal|ja|und|also|erst(?:mal)?|noch|kannst\ du|könntest\ du|könnten\ sie|würdest\ du
        |s['’]il\ (?:te|vous)\ pla[iî]t|stp|svp|merci\ de|peux[- ]tu|tu\ peux|pourrais[- ]tu|pouvez[- ]vous|oui
        |et|alors|por\ favor|porfa|puedes|podrías|sí|si|vale|ya|luego|y|pode|poderia|você\ pode|sim|e|per\ favore
        |puoi|potresti|sì|poi|пожалуйста|да|можешь|можете|и|потом|теперь|请|麻烦|帮我|帮忙|你|可以|直接|现在|那就
        |就|好的|好|嗯|कृपया"""
LEAD = re.compile(rf"(?:(?:(?:{_LEAD})(?![a-zà-ÿа-яё])|[\s\d.)>*•\[\](:–-])\s*)*", re.VERBOSE)
"""What may stand before the verb of an order."""
OPENING: dict[OrderKind, re.Pattern[str]] = {
    kind: re.compile(rf"(?:{spelled})(?![a-zà-ÿа-яё0-9_])", re.VERBOSE) for kind, spelled in _OPENING.items()
}
TAKEN = re.compile(r"(?:把|将|將)(.+?)(?:都|全部|一起|给)?\s*(?=删|刪|移|去掉|清|丢|重命名|改名|挪)")
"""The object that Chinese puts before the verb."""
CLOSING: dict[OrderKind, re.Pattern[str]] = {
    kind: re.compile(
        rf"(?:^|[\s\w`'\"/])(?:{spelled})\s*(?:bitte|please|お願いします|ね|よ|吧|요)?[\s.!。！।?？]*$",
        re.VERBOSE,
    )
    for kind, spelled in _CLOSING.items()
}
POLITE = re.compile(
    r"\b(?:can|could|would|will) you\b|\b(?:please|pls|plz|bitte|kannst du|könntest du|könnten sie|würdest du)\b"
    r"|\b(?:peux-tu|tu peux|pourrais-tu|pouvez-vous|puedes|podrías|por favor|você pode|pode|poderia|puoi|potresti"
    r"|per favore|можешь|можете|пожалуйста)\b|s['’]il (?:te|vous)|请|麻烦|帮我|帮忙|ください|もらえ|くれ|お願い|줄래"
    r"|주실|주세요|해줘|कृपया"
)
"""A question with one of these is an order put politely."""
NO_ORDER = re.compile(
    r"\b(?:not|never|no|nor|neither|without|except|avoid|refrain|instead|rather|unless|keep|leave|skip|spare"
    r"|\w+n['’]t|dont|cant|wont|isnt|arent|doesnt|didnt|shouldnt|wasnt|werent|hasnt|havent|couldnt|wouldnt|mustnt"
    r"|neednt|shant|whether|if|once|until|should|would|might|maybe|perhaps|wanted|could be|can be|may be|cannot"
    r"|review|check|verify|inspect|investigate|explain|describe|tell me|look at|think|why|what|how|when|which|who"
    r"|yesterday|ago|earlier|last (?:week|month|year|time|night)|accident\w*|tomorrow|later|next (?:week|month|year"
    r"|sprint)|used to)\b|\b(?:nicht|kein\w*|nie|niemals|ohne|außer|statt|ob|falls|wenn|sobald|sollen|sollte\w*"
    r"|soll ich|prüf\w*|schau\w*|sieh|gestern|letzte\w*|versehentlich|warum|wieso|was|wie|morgen|später|vielleicht"
    r"|wollte\w*|darf|kann man|man|lass\w*)\b|\b(?:ne|n['’]|pas|jamais|aucun\w*|sans|sauf|vérifi\w*|regarde\w*"
    r"|devrait|devrions|devrais|faut-il|on peut|peut-on|quand|pourquoi|comment|peut-être|demain|plus tard|a supprimé"
    r"|ont supprimé|est-ce)\b|\b(?:nunca|jamás|tampoco|sin|salvo|excepto|revis\w*|comprueb\w*|verific\w*|deberíamos"
    r"|debería\w*|se puede|si se|cuando|por qué|cómo|ayer|mañana|quizás?|tal vez|não|nem|sem|exceto|devemos"
    r"|deveríamos|ontem|amanhã|talvez|non|mai|senza|tranne|dovremmo|dovrei|ieri|domani|forse|controlla\w*)\b|\b(?:не"
    r"|ни|никогда|нельзя|без|кроме|ли|если|когда|проверь\w*|посмотри\w*|стоит|вчера|завтра|может быть|надо ли)\b|不"
    r"|别|勿|莫|没|未|禁|避免|除了|如果|是否|要是|检查|检视|审查|确认|看看|看一下|能否|昨天|前天|上次|有人|误|已|曾"
    r"|被|明天|以后|为什么|怎么|什么|吗|呢|ない|ず(?:に|、|$)|禁止|以外|もし|たら|なら|か(?:どうか|確認|調べ|教え)"
    r"|確認|レビュー|調べ|教えて|できるか|べき|ほうがい|方がい|昨日|明日|あとで|なぜ|何|(?:した|ました|しまい|しまっ"
    r"|ちゃっ|された)(?:$|[^\w]|[のがをはのと])|지\s*(?:마|말|않)|않|안\s|금지|만약|면\s|확인|검토|봐|어제|내일|왜"
    r"|무엇|했|할까|될까|नहीं|मत|कभी|अगर|यदि|क्यों|क्या|कल|जांच|देखो|\b(?:nie|nigdy|bez|czy|jeśli|wczoraj|niet|nooit"
    r"|zonder|als|gisteren|ne|nikdy|pokud|değil|asla|eğer)\b|لا|إذا|אל|אם"
)
"""Forbids, asks, doubts, sets a condition, tells of the past or wants words: what then stands there orders nothing."""
CONDITION = re.compile(
    r"\b(?:if|whether|once|when|unless|until|falls|wenn|ob|sobald|si|quand|cuando|se|quando|если|когда|jeśli|als"
    r"|eğer)\b|如果|要是|もし|たら|なら|만약|अगर|यदि"
)
"""Holds for all that follows in its sentence."""
STOPPING = re.compile(
    r"\s*(?:no|nope|stop|wait|halt|hold on|cancel|don['’]?t|nein|nicht|warte|halt|non|arrête|attends|para|espera|alto"
    r"|não|pare|aspetta|fermo|нет|стоп|подожди|не|別|别|不|等|やめ|待|いや|아니|잠깐|멈|नहीं|रुको|मत)(?![a-zà-ÿа-яё])"
)
"""How a later message takes an order back."""
ENDING_IN_NO = re.compile(
    r"(?:\bnot|\bnever|n['’]t|\b(?:dont|cant|wont|isnt|arent|doesnt|didnt|shouldnt|wasnt|werent|hasnt|havent|couldnt"
    r"|wouldnt|mustnt|neednt|shant)|\bnicht|\bnie|\bniemals|\bjamais|\bnunca|\bno|\bnon|\bnão|\bне|\bникогда|不要|别"
    r"|千万)\s*$"
)
"""Forbids what the next clause says ("do not, ever, delete it")."""
EXCEPTED = re.compile(
    r"(?:but|except|save|bis auf|außer|nur nicht|sauf|salvo|menos|excepto|exceto|tranne|кроме|除了)\s"
)
"""Opens what an order leaves out."""
TAKEN_BACK = re.compile(
    r"\b(?:kidding|joking|never ?mind|scratch that|forget (?:it|that)|on second thou?ght|actually,? no|vergiss es"
    r"|nur spaß|laisse tomber|je plaisante|olvídalo|es broma|deixa pra lá|lascia perdere|scherzo|шучу|забудь)\b|算了"
    r"|开玩笑|冗談|やっぱり?やめ|농담|취소"
)
REPORTED = re.compile(
    r"\b(?:sa(?:y|ys|id)|tells?|told|wr(?:ite|ites|ote)|reads?|translat\w*|quot\w*|example|e\.g|text|string|label\w*"
    r"|message|titl\w*|print\w*|echo\w*|output\w*|suggest\w*|recommend\w*|ask(?:s|ed)|add|document\w*|summari\w*"
    r"|sagt\w*|schrei\w*|übersetz\w*|dit|écri\w*|tradui\w*|dice|escrib\w*|traduc\w*|diz|traduz\w*|говорит|пишет"
    r"|переведи)\b|说|写|翻译|訳|言|書|말|번역|써"
)
"""Before a colon: what follows is somebody's text and no order."""
IN_BULK = re.compile(
    r"\b(?:all|every|the)?\s*(?:files?|everything|contents?|stuff|folders?|alles|alle dateien|den inhalt|tout"
    r"|le contenu|todo|el contenido|tudo|o conteúdo|tutto|il contenuto|всё|все файлы)\s+(?:in|inside|under|of|within"
    r"|von|unter|dans|de|en|em|di|в|из)\b|\bfrom (?:the |my |our |this )?(?:repo\w*|project|disk|tree|git|codebase"
    r"|branch|index)\b"
)
"""Says all that a folder holds, or where from in a way that leaves nothing else to be meant."""
SOFTENERS = re.compile(rf"(?<![a-zà-ÿа-яё])(?:{_LEAD})(?![a-zà-ÿа-яё])", re.VERBOSE)
UNSPACED_FILLERS = re.compile(
    r"文件夹|文件|目录|分支|数据库|数据卷|表|这个|那个|这些|两个|以及|还有|和|与|跟|把|将|將|都|吧|一下|了|掉"
    r"|重命名为|重命名|改名为|改名|移动到|移动|为|到|成|フォルダー?|ファイル|ディレクトリ|ブランチ|テーブル"
    r"|データベース|という|から|と|や|も|を|は|に|へ|の(?=フォルダ|ファイル|ブランチ|テーブル)|폴더|파일|브랜치"
    r"|테이블|데이터베이스|디렉터리|이름을|을|를|와|과|는|은|도|이랑|하고|로|फ़ाइल|फ़ोल्डर|को|और"
)
_RELATING = """
    in on from of at to into as with using by via onto auf im aus von vom nach mit zu um dans de du des d en à
    au par vers avec sur del desde con a hacia em do da no na com para di nel su per в на из с со от по z w ze
    op van naar met"""
RELATING = frozenset(_RELATING.split())
"""Words that relate one name to another."""
_PLAIN_WORDS = """
    the a an my our this that these those all both and or whole entire complete old unused dead obsolete stale
    local remote file files folder folders directory directories dir dirs branch branches table tables database
    databases db stash module package volume container content contents everything stuff please now again
    completely too also just away out first afterwards entirely permanently immediately right good altogether
    directly back one two three following namespace image der die das den dem des ein eine einen datei dateien
    ordner verzeichnis zweig tabelle datenbank alte alten ganze ganzen inhalt alles bitte und weg raus komplett
    sofort wieder meine meinen lokalen lokale folgende folgenden le la les l un une dossier fichier fichiers
    répertoire branche contenu données tout toute et vieux suivants suivantes mes mon locales el los las una
    carpeta archivo archivos fichero ficheros rama tabla contenido base datos volumen todo toda y por favor o os
    as um uma pasta arquivo tabela conteúdo dados tudo e il lo gli cartella tabella ramo contenuto tutto файл
    файлы папку папка каталог ветку таблицу всё все и"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS.split())
"""Words that say no more of an object than what sort of thing it is."""
CHANGES = re.compile(
    r"\b(?:(?:uncommitted|unstaged|local|pending) )?(?:changes|edits|modifications|änderungen|modifs|cambios"
    r"|alterações|mudanças|modifiche|изменени[яй]|правки|wijzigingen)\b|更改|修改|改动|变更|変更|변경"
)
FORCE = re.compile(
    r"force|forc[eéa]|zwing|erzw|принудит|強制|强制|强推|강제|overwrite|rewrite", re.IGNORECASE
)
KINDS: tuple[OrderKind, ...] = ("delete", "move", "undo", "run", "control")
ALSO = re.compile(r"\s*(?:并且?|然后|接着|再)(?=\S)")
"""Begins another order in Chinese."""
COORDINATED = re.compile(
    r"\s(?:and|then|und|dann|et|puis|y|luego|e|poi|depois|и|затем|потом|та|і|i|a|oraz|potem|ve|sonra|en|dan|lalu|và|rồi)\s",
    re.IGNORECASE,
)
"""Begins another order in the same clause."""
KEPT = re.compile(
    r"\b(?:keep|keeps|preserve|behalt\w*|gard\w+|conserv\w+|manten\w+|manter|mantém|tenere|tieni|остав\w+)\b|保留"
    r"|留着|残し|유지|남겨",
    re.IGNORECASE,
)
FOLLOWING = re.compile(
    r"\b(?:commands?|following|below|befehl\w*|folgend\w*|commandes?|suivante?s?|comandos?|siguientes?|seguintes?"
    r"|seguenti?|команд\w*|следующ\w*)\b|下面的?|以下の?|命令|コマンド|명령어?|다음",
    re.IGNORECASE,
)
"""Says no more than that what follows is meant."""
MODAL = re.compile(
    r"\b(?:should|would|could|shall|can|may|soll(?:en)?|sollte|dois|devrais|debo|devo)\b|是否|要不要|能不能|吗|呢|ません"
)
"""Makes an order polite, or a question of the agent one about doing it."""
_RESTARTS = (
    r"(?:re|neu\s?)start|reload|reboot|redémarre|reinici|riavvia|перезапуст|重启|再起動|재시작|रीस्टार्ट"
)
_STOPS = (
    r"stop|kill|end|quit|terminate|shut down|beende|arrête|par[ae]r?\b|det[eé]n|ferma|останови|停|关掉|終了|止めて"
    r"|중지|종료|बंद|रोको"
)
_CONTROLS = {
    _RESTARTS: "restart|reload|reboot",
    _STOPS: "stop|kill|pkill|killall|shutdown|terminate|down|quit",
    r"reset": "reset",
    r"drop": r"(?<=[:.])drop",
}
CONTROLS = tuple(
    (re.compile(said), re.compile(rf"(?<![a-z])(?:{does})(?![a-z])")) for said, does in _CONTROLS.items()
)
"""What the user may call it, and the word of the command that does it."""


def wanted_gone(text: str) -> str:
    """Without what speaks for taking a thing away ("no longer needed", "nothing imports it")."""
    return UNUSED.sub(" ", UNWANTED.sub(" ", text))


def forbids(text: str) -> bool:
    """Whether a text forbids, asks, doubts or tells, and so orders nothing."""
    return NO_ORDER.search(wanted_gone(text)) is not None


def without_opening(text: str, kinds: Iterable[OrderKind] = KINDS) -> str:
    """What is left of an order without its courtesies and its verb."""
    rest = text[found.end() :] if (found := LEAD.match(text)) else text
    for kind in kinds:
        rest = OPENING[kind].sub(" ", rest, count=1) if OPENING[kind].match(rest) else rest
        rest = CLOSING[kind].sub(" ", rest, count=1)
    return rest
