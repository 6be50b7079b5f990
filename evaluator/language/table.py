"""The one table of words, as data: nothing here decides. Imports nothing. English, German, French, Spanish,
Portuguese, Italian, Russian, Chinese, Japanese, Korean, Hindi.

A string for each kind, entries apart by blanks. A trailing `*` means "begins with"; a `+` stands for a blank inside a
phrase. Entries in scripts without blanks between words (Chinese, Japanese, Korean) match anywhere in a text.
"""

from __future__ import annotations

ANSWER = """
    why how explain* describ* tell summar* compare compar* differ* list estimate* assess* analy* check investigate*
    look+into find+out which+write what+do+you+think your+opinion your+take your+read your+view report+back whether
    boil+down write+down+the+order in+which+order walk+me thoughts opinion wonder* curious understand what+would
    pros+and+cons answer figure+out just+so+you+know fyi erklär* beschreib* prüf* analysier* schätz* vergleich*
    sag+mir liste interessier* würde+mich bescheid was+meinst nur+damit expliqu* décris estime analys* dis+moi
    vérifi* qu+en+penses combien explic* describe dime compara analiz* revisa qué+opinas cómo+lo+ves cuánto estima
    explique descreva analise diga verifica o+que+acha quanto spiega descrivi dimmi confronta analizza
    cosa+ne+pensi объясн* опиши скажи сравни проверь оцени проанализ* сколько интересно что+думаешь समझाओ बताओ
    तुलना जाँच कितना 解释 说明 比较 分析 看看 多少 多久 你觉得 评估 总结 説明 教えて 比較 調べ 確認して まとめ
    いくつ どのくらい どう思 설명 비교 알려 분석 조사 확인해 얼마 어떻게+생각 show+me muéstr* montre* mostra* zeig*
    расскаж* покажи 告诉我 介绍"""
"""What is wanted is an answer in words."""
CUES: dict[str, str] = {
    "pronoun": """
        it this that one these es das dies dieses den ihn diesen le la l ça cela ceci lui lo eso esto ese este isso
        isto ele questo quello это его её ее этот 它 这个 那个 这 那 此 これ それ あれ この その 이거 그거 그것 이것
        इसे यह""",
    "plural": """
        them those both all each everything every beide beides alle alles sie tous toutes les+deux tout ambos todos
        todas todo los+dos os+dois tutti entrambi все оба их всё 它们 都 全部 两个都 所有 全て すべて 両方 모두 둘+다
        सब""",
    "affirm": """
        yes y yep yea yeah aye yup sure ok okay k please+do go do+it go+ahead proceed sounds+good lgtm ship+it perfect
        great exactly correct right ja jo gerne klar genau mach+das passt oui ouais d'accord vas-y parfait sí si dale
        vale claro adelante sim pode beleza va+bene certo да давай ок хорошо конечно 好 好的 可以 行 是的 对 嗯 没问题
        はい うん お願い いいよ それで 네 예 응 좋아 그래 그렇게 हाँ जी ठीक vâng ya prima approved agreed
        no+objections no+objection keine+einwände sounds+right sounds+sane""",
    "decline": """
        no nope nah stop halt cancel wait nein stopp warte non arrête нет стоп não 不 别 別 等 いいえ いや やめ
        待 아니 잠깐 नहीं""",
    "polite": """
        can+you could+you would+you will+you can+we could+we can+u pls please plz i+want i+need i+d+like let+s lets
        we+should you+should shall+we we+need how+about what+if would+it+be+possible any+chance why+don+t why+dont
        bitte kannst könntest könnten+sie wäre+es+möglich würdest ich+möchte ich+brauche lass+uns peux-tu
        serait-il+possible peux+tu pourrais pourriez s+il+te s+il+vous je+veux il+faut puedes podrías sería+posible
        podrias podemos por+favor quiero necesito pode poderia você+pode preciso puoi sarebbe+possibile potresti
        per+favore vorrei можешь можете пожалуйста нужно надо 请 帮我 帮忙 麻烦 能不能 能否 可否 我想 我要 需要 把
        ください してくれ してもら お願い して欲しい てほしい 해줘 해+주세요 주세요 줄래 कृपया""",
    "question": """
        why how+come how+do how+does how+is how+can what+is what+does what+are what+happens whats is+there are+there
        warum wieso weshalb pourquoi por+qué por+que perché perche почему зачем 为什么 为何 怎么 什么 哪个 哪里 哪些
        吗 呢 是否 如何 是不是 なぜ どうして どこ どれ ですか ますか でしょうか のか 왜 무엇 어떻게 어디 인가 क्यों""",
    "opener": """
        is are was were does do did has have should isn aren doesn didn shouldn any what where when which who ist sind
        hat haben gibt wo wer wie où quel quelle qué dónde cuál hay es onde qual dove где кто какой""",
    "hedge": """
        maybe perhaps probably possibly somehow something someday kinda sorta dunno whatever or+so or+something
        i+guess i+think not+sure no+idea kind+of sort+of if+possible if+it+s+easy if+it+is+easy only+if if+you+can
        some+of a+bit at+some+point vielleicht eventuell irgendwie irgendwas irgendwo womöglich keine+ahnung oder+so
        falls+möglich wenn+es+geht peut-être peut+être éventuellement si+possible je+ne+sais quelque+chose
        plus+ou+moins quizá quizás tal+vez a+lo+mejor no+sé si+se+puede algo talvez de+algum+jeito se+der forse magari
        in+qualche+modo может+быть наверное как-нибудь как-то что-то 也许 可能 大概 随便 看着办 好像 某种 たぶん 多分
        かも なんか とか 適当 아마 대충 뭔가 알아서""",
    "only": """
        only nothing+else solely exclusively strictly+in limit+yourself stick+to nur ausschließlich sonst+nichts
        seulement uniquement rien+d+autre sólo solo solamente únicamente nada+más nada+mas só somente apenas soltanto
        nient+altro только лишь 只 仅 只在 仅仅 だけ のみ 만 केवल""",
    "whole": """
        everything everywhere whole entire project codebase repo repository all+files all+the across überall gesamte*
        ganze* komplett* projekt partout tout+le entier ensemble+du todo+el todos+los entero proyecto projeto inteiro
        progetto intero везде весь всего проект 整个 全部 所有 项目 全局 全体 全て すべて プロジェクト 전체 모든
        프로젝트""",
    "offer": """
        shall+i should+i i+would i+d i+could i+can i+suggest i+recommend i+propose fix+is would+fix want+me+to
        would+you+like do+you+want ready+to+proceed let+me+know+if+you can+i soll+ich ich+würde ich+könnte möchtest+du
        willst+du je+propose je+peux veux-tu voulez-vous dois-je souhaites propongo puedo quieres+que debo te+parece
        quer+que devo vuoi+che сделать+это хотите 要不要 建议 我可以 需要我 是否 要我 可以吗 しましょうか 提案
        よろしい いいですか しますか 할까요 드릴까요""",
    "container": """
        module modules package packages folder folders directory directories dir subsystem modul* paket* ordner
        verzeichnis* dossier répertoire paquet* módulo* carpeta* directorio paquete* pasta diretório pacote modulo
        cartella модул* папк* пакет* каталог* 模块 目录 文件夹 包 モジュール フォルダ ディレクトリ パッケージ 모듈
        폴더 패키지 디렉터리""",
    "spread": """
        callers callsites usages usage references dependents imports everywhere wherever call+sites elsewhere aufrufer
        verwendungen überall aufrufe appels appelants partout llamadas referencias usos chamadas вызовы использования
        везде 调用 引用 呼び出し 参照 호출 참조""",
    "thanks": """
        thanks thank thx cheers lol haha nice cool awesome sweet wow neat super toll génial genial bravo danke merci
        gracias obrigado obrigada grazie спасибо 谢谢 多谢 ありがとう 助かり 고마워 감사""",
    "more": """
        anything+else something+else what+else what+next sonst+noch noch+etwas noch+was autre+chose algo+más
        mais+alguma mais+algo qualcos+altro altro что+нибудь+ещё что+то+ещё और+कुछ 还有什么 还有别的 他に ほかに
        더+필요 또+필요""",
}
TURNS: dict[str, str] = {
    "spare": """
        without except leave leaving stay stays untouched skip avoid alone nothing+else hands+off hands+of off+limits
        keep+out instead+of rather+than other+than as+it+is as+they+are as+is hold+off no+need no+new no+other
        apart+from can+stay keeps+its keep+its no+changes stay+away stay+out ohne außer lass lassen lasse bleibt bleib
        statt anstatt finger+weg raushalten unberührt so+lassen brauchst nicht+anfassen nicht+ändern sans sauf laisse*
        laisser au+lieu plutôt+que touche+pas garder tel+quel sin salvo excepto deja dejar dejo dejamos en+vez+de
        en+lugar+de menos no+metas no+toques no+tocar no+hace+falta no+hay+que sem exceto deixa deixe deixar em+vez+de
        ao+invés+de senza tranne eccetto lascia lasciare lascio invece+di non+toccare без кроме оставь оставить
        оставим оставьте вместо нельзя незачем बिना सिवाय छोड़ मत 不动 不碰 别动 别碰 别改 别删 别管 除了 而不是 留着
        保留 先不 勿 せずに 触らず 触らない 以外 ではなく じゃなく そのまま 残し ないで 말고 하지+마 지+마 제외 그대로
        놔두 두고 아니라 빼고 건드리지 안+건드 대신 없이""",
    "negator": """
        not dont doesnt isnt arent wasnt shouldnt wont cant never nor neither no nicht kein keine keinen keiner pas
        jamais rien ni nunca não nem non mai не ни никогда нет ne không नहीं न 不要 不用 不改 不能 不许 没有 不是 ない
        しない 않""",
    "later": """
        hmm hm mmm let+me later tomorrow another+day next+week next+sprint next+month next+year not+yet wait waiting
        postpone* pending someday on+hold afterwards after+that after+the+release in+the+freeze später morgen
        nächste+woche noch+nicht erstmal erst+mal warte warten danach abwarten vorerst nächsten nächster verschieb*
        plus+tard demain semaine+prochaine attends attendre pas+encore on+verra ensuite verra más+tarde mañana luego
        después próxima todavía+no aún+no espera esperar depois amanhã semana+que+vem ainda+não mais+tarde dopo domani
        prossima aspetta non+ancora più+tardi позже потом завтра пока+не подожди следующ* после попозже погоди potom
        बाद कल अभी+नहीं रुको इंतज़ार 以后 稍后 明天 下周 回头 等到 等他 等她 等一 之后 再说 暂时 改天 晚点 後で あとで
        明日 来週 まだ 待って 待ち 次回 今度 음 うーん 나중 내일 다음 아직 기다 이후 보류""",
    "done": """
        already done+that has+it+already is+fine are+fine is+right are+right is+current current works+fine in+order
        goes+away okay+as was+meant on+purpose intentional correct is+correct are+correct bereits schon längst
        in+ordnung passt+schon richtig korrekt stimmt déjà c+est+bon en+ordre correcte juste ya está+bien correcto
        correcta já está+ok certinho está+certo está+correto correto correta già voluta voluto corretto corretta
        giusto уже нормально порядке правильн* верн* корректн* poprawn* správný zaten çoktan sorun+yok पहले+से ठीक+है
        सही 已经 没问题 好了 没错 是对的 すでに 既に もう 問題な 正しい 괜찮 됐 정상""",
}
"""What makes a clause speak against a thing, for the time being or for good."""
STOP = """
    a an the and or but if so of in on at by for with from into as is are was were be been being am i you we he she
    they me my your our their us its not no do does did have has had can could would should will just also too very
    really now then than there here up out about over again please thanks thank hey hi hello let s re ll d t m im want
    need like think one some any more most much many other another same such when while where why how what which who
    because since until via per only both each every file files code function functions method class part bit way
    thing things stuff place bug issue problem change changes work works working get got go goes make makes made put
    use used using try look see say der die das den dem des ein eine einen einem einer und oder aber wenn zu von auf
    bei für mit aus als ist sind war ich du wir sie es mir mein dein unser nicht kein doch mal noch auch nur bitte
    datei le la les un une de l et ou mais si pour avec dans sur par en est sont tu nous vous il elle ne pas que qui
    ce cette ces mon ton fichier el los las una unos y o pero con por para del al son mi su lo se fichero archivo
    código um uma os e da dos com não arquivo gli uno di che non della nel и в на с по для не что как это из dann
    damit hier ja jetzt schon man uns euch ihn ihm diese dieser dieses alors puis aussi même autre autres chose fait
    fais faire ça bien ahí aquí ya todavía mejor hay está están más otra otro otras otros aí aqui já ainda bem outra
    outro outras isso este esta lì già ancora meglio altro altra altri questo questa вот уже ещё еще там тут эти этот
    эта все или если ще цей ця van te dan ik doe và có này ke है हैं को में का की के से पर और यह वह तो ही भी दो कर था
    थी हो चला ale w"""
GENERIC = """
    src lib libs app apps pkg packages package core common shared base internal index init main mod utils util helper
    helpers misc source sources project projects impl default types type constants const python java js ts tsx jsx py
    go rs rb cs cpp c h hpp kt swift php html css scss md txt json yaml yml toml sql sh cfg ini home users user1 work
    workspace repo code dev tmp var com org net www file files"""
"""Pieces of paths and names that tell little."""
