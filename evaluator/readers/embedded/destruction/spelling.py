"""How an order to destroy is spelled: the verbs that open or close it, and what may stand beside them. Data only.

Patterns are matched against lower-case text. What is not listed orders nothing, so a missing word holds a call.
"""

from __future__ import annotations

import re
from typing import Literal

OrderKind = Literal["delete", "move", "undo", "control", "run"]

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
OFFER = re.compile(
    r"\s*(?:(?:shall|should|can|may) i|(?:do |would )?(?:you )?(?:want|like) me to|i(?:['’](?:d|ll)| can| could| would"
    r"| will)|soll(?:te)? ich|ich (?:kann|könnte|würde)|dois-je|je (?:peux|propose de)|¿?(?:quieres que|puedo|debo)"
    r"|posso|devo|vuoi che|могу|我可以|要不要|要我|需要我|是否)\s*"
)
"""How the agent leads in what it offers to do."""
CONDITION = re.compile(
    r"\b(?:if|whether|once|when|unless|until|falls|wenn|ob|sobald|si|quand|cuando|se|quando|если|когда|jeśli|als"
    r"|eğer)\b|如果|要是|もし|たら|なら|만약|अगर|यदि"
)
"""Holds for all of its sentence."""
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
COURTESY = re.compile(rf"(?<![a-zà-ÿа-яё])(?:{_LEAD})(?![a-zà-ÿа-яё])", re.VERBOSE)
UNSPACED_FILLERS = re.compile(
    r"下面的?|以下の?|命令|コマンド|명령어?|다음|文件夹|文件|目录|分支|数据库|数据卷|表|这个|那个|这些|两个|以及|还有|和|与|跟|把|将|將|都|吧|一下|了|掉"
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
    directly back one two three following command commands below namespace image der die das den dem des ein eine
    einen datei dateien befehl befehle ordner verzeichnis zweig tabelle datenbank alte alten ganze ganzen inhalt
    alles bitte und weg raus komplett sofort wieder meine meinen lokalen lokale folgende folgenden le la les l un
    une dossier fichier fichiers commande répertoire branche contenu données tout toute et vieux suivants
    suivantes mes mon locales el los las una comando carpeta archivo archivos fichero ficheros rama tabla
    contenido base datos volumen todo toda y por favor o os as um uma pasta arquivo tabela conteúdo dados tudo e
    il lo gli cartella tabella ramo contenuto tutto файл файлы команду команды папку папка каталог ветку таблицу
    всё все и"""
PLAIN_WORDS = frozenset(_PLAIN_WORDS.split())
"""Words that say no more of an object than what sort of thing it is."""
CHANGES = re.compile(
    r"\b(?:(?:uncommitted|unstaged|local|pending) )?(?:changes|edits|modifications|änderungen|modifs|cambios"
    r"|alterações|mudanças|modifiche|изменени[яй]|правки|wijzigingen)\b|更改|修改|改动|变更|変更|변경"
)
KINDS: tuple[OrderKind, ...] = ("delete", "move", "undo", "control", "run")
CONTROLS = tuple(
    (re.compile(said), re.compile(rf"(?<![a-z])(?:{does})(?![a-z])"))
    for said, does in (
        (
            r"(?:re|neu\s?)start|reload|reboot|redémarre|reinici|riavvia|перезапуст|重启|再起動|재시작|रीस्टार्ट",
            "restart|reload|reboot",
        ),
        (
            r"stop|kill|end|quit|terminate|shut down|beende|arrête|par[ae]r?\b|det[eé]n|ferma|останови|停|关掉|終了"
            r"|止めて|중지|종료|बंद|रोको",
            "stop|kill|pkill|killall|shutdown|terminate|down|quit",
        ),
        ("reset", "reset"),
        ("drop", r"(?<=[:.])drop"),
    )
)
"""What the user may call it, and the word of the command that does it."""
COORDINATED = re.compile(
    r"\s(?:and|then|und|dann|et|puis|y|luego|e|poi|depois|и|затем|потом|та|і|i|a|oraz|potem|ve|sonra|en|dan|lalu|và|rồi)\s",
    re.IGNORECASE,
)
"""Begins another order in the same clause."""
KEPT = re.compile(
    r"\b(?:keep|keeps|preserve|behalt\w*|gard\w+|conserv\w+|manten\w+|manter|mantém|tenere|tieni|остав\w+)\b|保留|留着|残し"
    r"|유지|남겨|^(?:but|except|save|bis auf|außer|nur nicht|sauf|salvo|menos|excepto|exceto|tranne|кроме|除了)\s"
)
"""Says what is to stay, or opens what an order leaves out."""
