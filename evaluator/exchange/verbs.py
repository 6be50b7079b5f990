"""Words that begin an order, or take one back, per language, as data. Nothing here decides.

Entries are apart by commas; a trailing `*` means "begins with". Chinese, Japanese and Korean entries are looked for
anywhere, all others at the beginning of a sentence or, for German infinitives and Hindi, at its end.
"""

from __future__ import annotations

from evaluator.model import Action

ORDERS: dict[Action, str] = {
    "delete": (
        "delete*, remov*, erase*, drop, purge, wipe, nuke, unlink, discard, rm, kill, truncate, get rid of, "
        "throw out, throw away, lösch*, entfern*, wirf, schmeiß, supprim*, efface*, enlève*, enlev*, vire, "
        "elimin*, borra*, bórra*, quita*, quíta*, suprim*, apag*, apague*, remov*, exclu*, cancell*, "
        "rimuov*, rimuovi*, togli*, удали*, убери*, сотри*, снеси*, выкин*, 删除, 删掉, 删了, 删, 移除, "
        "去掉, 清除, 丢掉, 削除, 消して, 消す, 取り除, 삭제, 지워, 지우, 제거, 없애, हटा*, मिटा*, डिलीट"
    ),
    "rename": (
        "rename*, benenn*, umbenenn*, renomm*, renombr*, renome*, rinomin*, переимен*, 重命名, 改名, "
        "リネーム, 名前を変, 이름을 바꿔, 이름 변경, 이름변경, नाम बदल*"
    ),
    "move": (
        "move, relocate, mv, verschieb*, déplac*, deplac*, mueve*, mover, mova, mov*, sposta*, перемест*, "
        "перенес*, 移动, 移到, 挪, 移動, 移して, 옮겨, 옮기, 이동"
    ),
    "create": (
        "create*, generate*, scaffold*, write, draft, build, bootstrap, init, initialize, start, set up, "
        "erstell*, leg, anleg*, erzeug*, schreib*, crée*, créer, cree*, écri*, ecri*, génér*, rédige*, crea, "
        "crear, creá, escrib*, genera*, redacta*, cria*, crie, escrev*, scriv*, genera, созда*, напиш*, "
        "сгенер*, 创建, 新建, 写一个, 写个, 写, 生成, 作成, 作って, 書いて, 만들, 생성, 작성, 써줘, बना*, "
        "लिख*"
    ),
    "add": (
        "add, append, insert, introduce, include, implement*, support, wire, expose, document, hinzufüg*, "
        "füg*, ergänz*, bau, einbau*, implementier*, dokumentier*, ajout*, rajout*, inclu*, implément*, "
        "documente*, añad*, agreg*, implementa*, documenta*, adicion*, acrescent*, aggiung*, добав*, 添加, "
        "增加, 加上, 加一个, 加个, 加入, 实现, 追加, 足して, 実装, 추가, 넣어, 구현, जोड़*, डाल*"
    ),
    "change": (
        "change*, update*, edit, modify*, set, adjust*, replace*, switch*, swap, bump, upgrade*, downgrade*, "
        "convert*, make, translate*, increase*, decrease*, raise, lower, reduce*, limit, disable*, enable*, "
        "rewrite*, reword*, sort, port, migrate*, merge, speed, optimi*, improve*, format, änder*, "
        "aktualisier*, setz*, ersetz*, stell*, passe, mach, mache, erhöh*, übersetz*, verbesser*, optimier*, "
        "formatier*, change*, modifi*, remplac*, mets, mett*, passe, tradui*, augment*, amélior*, optimis*, "
        "cambi*, actualiz*, reempl*, pon, poner, traduc*, mejor*, optimiz*, alter*, mude*, muda, atualiz*, "
        "substitu*, coloque, melhor*, otimiz*, modific*, sostitu*, aggiorn*, imposta*, metti, migliora*, "
        "ottimizza*, traduci, измен*, помен*, замен*, обнов*, поставь, сделай*, улучш*, ускор*, перевед*, "
        "修改, 更新, 改成, 改为, 换成, 调整, 替换, 设置, 优化, 改进, 翻译, 改一下, 変更, 変えて, 更新, "
        "置き換え, 最適化, 改善, 翻訳, 변경, 바꿔, 바꾸, 수정, 업데이트, 개선, 최적화, बदल*, अपडेट, सुधार*"
    ),
    "fix": (
        "fix, repair*, resolve*, patch, correct, solve*, debug, handle*, address, behebe*, beheb*, "
        "reparier*, korrigier*, fixe, fixen, corrig*, répar*, repar*, résou*, resou*, arregl*, corregg*, "
        "soluciona*, resuelv*, conserta*, consert*, arrum*, resolv*, risolv*, aggiusta*, sistema*, ripara*, "
        "исправ*, обработ*, почин*, пофикс*, 修复, 修一下, 修正, 解决, 修好, 修, 直して, 直す, 解消, 고쳐, 고치, 해결, "
        "ठीक"
    ),
    "refactor": (
        "refactor*, restructur*, reorgani*, extract*, split, inline, dedupe*, simplif*, decouple*, clean*, "
        "tidy*, consolidat*, refaktor*, umstruktur*, räum*, aufräum*, vereinfach*, nettoi*, nettoy*, range, "
        "extrai*, refactoris*, reestructur*, limpi*, ordena*, simplific*, limpe*, limpa, organiz*, refator*, "
        "semplific*, ripulisci*, riordina*, pulisci*, рефактор*, отрефактор*, вынес*, упрост*, почист*, "
        "прибер*, 重构, 整理, 拆分, 抽取, 简化, 清理, リファクタ, 分割, 片付け, 掃除, 리팩터, 리팩토, 정리, "
        "분리, साफ*, व्यवस्थित"
    ),
    "configure": (
        "configure*, konfigurier*, richte, einricht*, paramètr*, configur*, настро*, 配置, 設定して, 설정, "
        "कॉन्फ़िगर"
    ),
    "run": (
        "run, rerun, execute*, install*, deploy*, commit*, push, publish*, release*, restart*, revert*, "
        "reset, undo, roll back, rollback, rebase, rotate*, schedule*, plot*, render*, print, send, upload*, "
        "download*, generate*, start, stop, tag, sign, squash*, backup, back up, export*, import*, plane, "
        "zeichne*, sende, trace*, envoie*, planifie*, envía*, grafica*, envie*, pianifica*, invia*, построй*, "
        "отправь*, führ*, führe, installier*, lance*, lanc*, exécut*, "
        "déploie*, ejecut*, instala*, despliega*, execut*, rode, roda, esegui*, lancia, installa*, запуст*, "
        "выполн*, установ*, задепло*, 运行, 执行, 安装, 部署, 提交, 推送, 回滚, 実行, インストール, "
        "コミット, デプロイ, 실행, 설치, 배포, 커밋, चला*, इंस्टॉल, कमिट"
    ),
}
"""{what is ordered: verbs in the form of an order}"""

LEADS = (
    "please, pls, now, ok, okay, so, then, and, also, next, alright, great, thanks, hey, hi, well, right, "
    "let's, lets, can you, could you, would you, will you, can we, could we, i want you to, i'd like you to, "
    "i need you to, we need to, we should, you should, i want to, go ahead and, just, quickly, first, bitte, "
    "jetzt, dann, und, auch, so, gut, danke, kannst du, könntest du, können wir, als nächstes, "
    "als nächstes bitte, lass uns, mal, s'il te plaît, s'il vous plaît, maintenant, ensuite, puis, et, "
    "aussi, bon, merci, peux-tu, pourrais-tu, pouvez-vous, tu peux, il faut, por favor, ahora, luego, "
    "después, y, también, bueno, gracias, puedes, podrías, vamos a, agora, depois, e, também, certo, "
    "obrigado, obrigada, você pode, pode, poderia, per favore, adesso, ora, poi, anche, bene, grazie, puoi, "
    "potresti, пожалуйста, теперь, сейчас, потом, и, также, хорошо, ладно, спасибо, можешь, надо, нужно, "
    "давай, कृपया, अब, फिर, और, ठीक है, अच्छा"
)
"""What may stand before the verb of an order."""

PIVOTS = (
    "leave that, leave that for now, leave it for now, leave this for now, leave it, forget it, forget that, "
    "forget about it, forget about that, forget this, never mind, nevermind, skip that, skip it, skip this, "
    "drop that, not now, something else, another thing, one more thing, 1 more thing, different topic, new task, "
    "new request, new topic, "
    "instead, let's do something else, anyway, on another note, by the way, vergiss es, vergiss das, "
    "lass das, lass das erst mal, lass es, lass gut sein, etwas anderes, was anderes, neue aufgabe, "
    "neues thema, stattdessen, übrigens, oublie, oublie ça, laisse tomber, laisse ça, autre chose, "
    "nouvelle tâche, à la place, au fait, olvídalo, olvida eso, déjalo, deja eso, otra cosa, nueva tarea, "
    "en su lugar, por cierto, esquece, esquece isso, deixa isso, deixa pra lá, outra coisa, nova tarefa, "
    "em vez disso, aliás, lascia stare, lascia perdere, dimentica, altra cosa, un'altra cosa, nuovo compito, "
    "invece, a proposito, забудь, забудь об этом, оставь это, другое, другая задача, новая задача, "
    "вместо этого, кстати, 算了, 别管了, 别管它, 先不管, 换个任务, 新任务, 另外, やっぱりいい, "
    "それは置いといて, 別の件, 別件, 新しいタスク, ところで, 그건 됐고, 그건 놔두고, 다른 작업, 새 작업, "
    "다른 거, 그건 그렇고, छोड़ो, रहने दो, भूल जाओ, नया काम, कुछ और"
)
"""What turns away from what was asked before, up to the next mark."""

POINTING = (
    "it, its, that, this, them, those, these, one, ones, they, both, either, es, dies, dieses, diese, "
    "diesen, sie, ihn, beide, ça, cela, ceci, celui, celle, ceux, celles, lui, eso, esto, ese, esa, este, "
    "esta, isso, isto, esse, ele, ela, eles, elas, aquilo, questo, questa, quello, quella, quelli, его, ее, "
    "их, это, этот, эту, тот, ту, те, इसे, उसे, यह, वह, इन्हें, उन्हें"
)
"""What stands for something that was named before."""

POINTING_ANYWHERE = (
    "它, 它们, 这个, 那个, 这些, 那些, 那一个, それ, これ, あれ, その, この, あの, 方を, ほうを, の方, "
    "のほう, 그거, 그것, 이거, 이것, 그걸, 이걸, 그 파일, 것만, 거만, वाला, वाली, वाले"
)

LIMITS = (
    "only, i mean, i meant, what i mean, i was talking about, rather, not the, nur, ich meine, ich meinte, "
    "gemeint, seulement, uniquement, je veux dire, je voulais dire, je parle, sólo, solo, solamente, "
    "únicamente, me refiero, quiero decir, quise decir, só, somente, apenas, quero dizer, eu quis dizer, "
    "me refiro, soltanto, solamente, intendo, intendevo, voglio dire, mi riferisco, только, лишь, "
    "я имею в виду, я имел в виду, имелось в виду, речь о, मेरा मतलब, सिर्फ, सिर्फ़, केवल"
)
"""What narrows something that was said before."""

LIMITS_ANYWHERE = (
    "我的意思, 我是说, 我说的是, 只, 仅, 就是, つまり, だけ, のみ, という意味, のことです, 말은, 뜻은, 뜻이, "
    "것만, 거만, 파일만, 함수만, 그것만"
)

DECLINES = (
    "no, nope, nah, no thanks, no thank you, none, none of them, none of these, none of those, "
    "none of the above, neither, neither of them, neither one, nothing, don't, do not, don't do it, "
    "do not do it, don't do that, don't delete it, don't delete anything, don't delete them, don't touch it, "
    "don't touch anything, leave it, leave them, leave it alone, leave them alone, leave it as it is, "
    "leave it be, forget it, forget about it, never mind, nevermind, cancel that, cancel it, cancel, stop, "
    "stop it, abort, keep it, keep them, keep both, keep everything, not now, nothing of that, nein, "
    "nein danke, nö, nee, keins, keines, keine, keinen, keiner, keins davon, keines davon, keins von beiden, "
    "keine von beiden, keinen von beiden, weder noch, lass es, lass das, lass es sein, vergiss es, nichts, "
    "nicht, nicht löschen, nichts löschen, nicht machen, bloß nicht, stopp, abbrechen, behalte beide, "
    "jetzt nicht, non, non merci, aucun, aucune, aucun des deux, aucune des deux, ni l'un ni l'autre, "
    "ni l'une ni l'autre, laisse, laisse tomber, laisse ça, rien, rien du tout, annule, arrête, "
    "ne fais rien, ne supprime rien, garde les deux, no gracias, ninguno, ninguna, ninguno de los dos, "
    "ninguna de las dos, nada, déjalo, déjalos, olvídalo, no lo hagas, no lo borres, no borres nada, para, "
    "cancela, cancélalo, ni uno ni otro, ahora no, não, não obrigado, não obrigada, nenhum, nenhuma, "
    "nenhum dos dois, nenhuma das duas, deixa, deixa pra lá, deixa estar, esquece, não faça isso, "
    "não apague nada, não apaga nada, cancele, pare, nem um nem outro, agora não, no grazie, nessuno, "
    "nessuna, nessuno dei due, nessuna delle due, niente, nulla, lascia stare, lascia perdere, lascia, "
    "non farlo, non cancellare niente, annulla, fermati, né l'uno né l'altro, нет, нет спасибо, не надо, "
    "не нужно, ни один, ни одно, ни одну, ни одного, ни тот ни другой, ни то ни другое, ничего, оставь, "
    "оставь как есть, забудь, не удаляй, не удаляй ничего, ничего не удаляй, стоп, отмена, отмени, "
    "не трогай, не сейчас, 不, 不要, 不用, 不用了, 不是, 都不要, 都不, 都不是, 一个都不要, 两个都不要, 算了, "
    "别, 别删, 不要删, 都别删, 取消, 停, 停下, 没有, いいえ, いや, いらない, やめて, やめてください, やめる, "
    "どれでもない, どちらでもない, どちらも違う, どちらも違います, 結構です, そのまま, そのままで, "
    "そのままにして, 消さないで, 削除しないで, キャンセル, 中止, 아니요, 아니오, 아니, 아뇨, 둘 다 아니야, "
    "둘 다 아니, 둘 다 아니요, 아무것도, 됐어, 됐어요, 됐습니다, 하지 마, 하지마, 하지 마세요, 그만, 취소, "
    "지우지 마, 삭제하지 마, 그대로 둬, 그냥 둬, नहीं, नही, कोई नहीं, कोई भी नहीं, दोनों नहीं, कुछ नहीं, "
    "मत करो, मत करना, मत हटाओ, रहने दो, रहने दीजिए, छोड़ो, छोड़ दो, रद्द, रद्द करो, जी नहीं"
)
"""Whole replies that decline."""

POLITE = (
    "please, pls, thanks, thank you, thx, bitte, danke, merci, stp, svp, s'il te plaît, s'il vous plaît, "
    "por favor, gracias, obrigado, obrigada, per favore, grazie, пожалуйста, спасибо, 谢谢, 请, "
    "お願いします, ありがとう, 주세요, 감사합니다, कृपया, धन्यवाद"
)

NOUNS = (
    "file, files, folder, module, function, method, class, script, branch, table, line, version, reading, "
    "thing, option, one, ones, it, it's, it is, that, this, them, these, those, i mean, i meant, mean, meant, "
    "of course, can go, should go, must go, has to go, goes, "
    "in, from, of, only, nur, seulement, uniquement, solo, sólo, solamente, únicamente, só, somente, apenas, "
    "soltanto, только, лишь, 只, 只要, 仅, だけ, のみ, 만, सिर्फ, सिर्फ़, केवल, o arquivo, o ficheiro, "
    "a pasta, a função, datei, dateien, ordner, modul, funktion, methode, klasse, skript, lesart, die, "
    "ich meine, ich meinte, meine, im, in, aus, von, es, das, fichier, fichiers, dossier, module, fonction, "
    "méthode, classe, celui, celle, je veux dire, je parle de, dans, de, du, archivo, archivos, fichero, "
    "carpeta, módulo, función, método, clase, me refiero a, quiero decir, en, de, del, al, arquivo, "
    "arquivos, ficheiro, pasta, módulo, função, quero dizer, me refiro a, em, na, da, cartella, modulo, "
    "funzione, metodo, intendo, voglio dire, quello, quella, in, nel, nella, di, del, della, файл, файлы, "
    "папку, папка, модуль, функцию, функция, метод, класс, я имею в виду, я имел в виду, в, из, тот, та, ту, "
    "文件, 文件夹, 模块, 函数, 那个, 这个, 我是说, 我的意思是, 我说的是, 的, 是, 里, 里的, 中的, 把, 请, 个, "
    "掉, 吧, ファイル, フォルダ, モジュール, 関数, のやつ, やつ, 方, ほう, の方, のほう, のことです, のこと, "
    "です, を, の, して, してください, する, お願い, 파일, 폴더, 모듈, 함수, 것, 거, 걸, 쪽, 을, 를, 이요, "
    "요, 해줘, 해 줘, 해주세요, 에 있는, फ़ाइल, फाइल, फ़ोल्डर, फोल्डर, वाला, वाली, वाले, वाला फ़ाइल, "
    "मेरा मतलब, मतलब, है, को, में, की, का, के, दो, करो, कर दो, दीजिए"
)
"""What may stand beside the name of a reading, and says nothing by itself."""
