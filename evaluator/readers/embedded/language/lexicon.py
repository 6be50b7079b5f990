"""The word lists of the embedded readers, as data: nothing here decides. Imports nothing.

One string for each kind, words separated by blanks, grouped by language. A trailing `*` means "begins
with"; a `+` stands for a blank inside a phrase. Entries in scripts without blanks between words (Chinese,
Japanese, Korean) match anywhere in a text.
"""

from __future__ import annotations

ACTIONS: dict[str, str] = {
    "delete": """
        delete* remov* erase* drop drops dropping dropped purge* wipe* nuke* unlink* discard* uninstall*
        rm get+rid+of throw+out throw+away kill truncate* lösch* gelöscht* entfern* wegwerfen schmeiß*
        supprim* efface* enlev* retire* jeter elimin* borra* borre* quita* quite apaga* apague* remova*
        exclu* cancella* rimuov* togli удал* видал* прибер* убери убрать сотри usuń usuw* skasuj sil silin kaldır*
        verwijder* xóa hapus* ta+bort fjern* 删除 删掉 删了 移除 去掉 清除 刪除 刪掉 削除 消して 消す
        消し 取り除 삭제 지워 지우 제거 हटा احذف حذف""",
    "rename": """
        rename* umbenenn* benenn* umzubenennen renomm* renombr* cambia+el+nombre renome* rinomin*
        переимен* zmień+nazw* hernoem* rebautiz* 重命名 改名 リネーム 名前を変 名称変更 改称 이름을
        이름+변경 リネ""",
    "move": """
        move moved moving relocate* mv verschieb* verleg* déplac* deplac* mueve mover muev* mova mova
        sposta* перемест* перенес* przenieś taşı verplaats* 移动 移到 挪 搬到 移動 移して 옮겨 옮기""",
    "create": """
        create* creat* generate* scaffold* write new build bootstrap init initialize make+a make+an
        set+up+a draft start+a erstell* anleg* leg erzeug* schreib* neue neuen neues cré* cree* écri*
        génér* nouveau nouvelle crea crear creá escrib* genera* nuevo nueva cria* crie escrev* novo nova
        scriv* nuovo nuova созда* напиши* сгенер* stwórz utwórz napisz oluştur yaz maak tạo viết buat
        skapa 创建 新建 新增 建一个 写一个 写个 生成 建立 作成 作って 作る 新規 書いて 만들 생성 작성
        बना أنشئ""",
    "add": """
        add adds adding added append* insert* introduce* include implement* support wire expose hook log
        hinzu* ergänz* füg* einbau* bau implementier* ajout* rajout* inclu* implément* añad* agreg*
        anad* implementa* adicion* acrescent* aggiung* добав* dodaj ekle* toevoeg* voeg thêm tambah*
        lägg 添加 增加 加上 加一个 加个 加入 实现 支持 追加 足して 実装 추가 넣어 구현 जोड़ أضف""",
    "change": """
        change* chang* update* updat* edit edits editing modif* set sets setting adjust* replace*
        replac* switch* swap* use bump* upgrade* downgrade* convert* turn make put apply translate*
        increase* decrease* raise lower reduce* limit disable* enable* hide show+the merge* rewrite*
        reword* sort port migrate* return änder* aktualisier* setz* ersetz* stell* passe mach* mache
        verwend* nimm nutze erhöh* übersetz* chang* modifi* remplac* met mets mett* passe pass* utilis*
        tradui* augment* cambi* actualiz* reempl* pon poner usa usar traduc* aument* alter* mude muda*
        atualiz* substitu* coloque use modific* sostitu* aggiorn* imposta metti измен* помен* замен*
        обнов* поставь сделай zmień zaktualizuj ustaw değiştir* güncelle* wijzig* verander* sửa đổi ubah
        ganti ändra byt 修改 更新 改成 改为 改到 换成 调整 替换 设置 设为 改一下 翻译 改下 変更 変えて
        変える 更新 置き換 差し替え してください 設定 直して 翻訳 변경 바꿔 바꾸 수정 업데이트 बदल غير""",
    "fix": """
        fix fixes fixing fixed repair* resolve* patch* correct* solve* debug* handle address prevent
        avoid stop behebe* beheb* repariere* korrigier* fixe* reparier* corrig* répar* resol* arregl*
        soluciona* repara* conserta* arruma* risolv* aggiust* sistem* исправ* почин* пофикс* napraw*
        popraw* düzelt* repareer* herstel los+op sửa+lỗi perbaik* fixa rätta 修复 修一下 修正 解决 改好
        修好 修掉 直して 直す 修正 解消 対応して 고쳐 고치 해결 ठीक أصلح""",
    "refactor": """
        refactor* restructur* reorganiz* reorganis* extract* split* inline dedupe deduplicat* simplif*
        decouple* clean+up cleanup tidy consolidat* refaktor* umstruktur* aufräum* räum auslager*
        vereinfach* nettoi* restructur* extrai* simplifi* refactoris* refactoriz* reestructur* extra*
        limpi* refator* limpe semplific* ripulisci рефактор* отрефактор* вынес* упрост* zrefaktoryzuj
        uprość 重构 整理 拆分 抽取 提取 简化 リファクタ 分割 切り出 整理 リファクタリング 리팩터 리팩토
        정리 분리""",
    "configure": """
        configure* configur* konfigurier* einricht* richte paramét* config+it настро* skonfiguruj
        yapılandır 配置 設定して 설정""",
    "run": """
        run runs rerun execute* install* deploy* commit push publish* release* start restart* revert*
        reset undo roll+back rollback rebase stash führ führe ausführ* installier* lanc* exécut* instal*
        ejecut* corre execut* rode roda esegui* запуст* выполн* установ* uruchom zainstaluj çalıştır kur 运行 执行 安装
        部署 提交 推送 回滚 実行 インストール コミット デプロイ 실행 설치 배포 커밋""",
    "answer": """
        explain* describe* summar* check investigat* look+into find+out tell+me show+me walk+me+through
        what+do+you+think review erklär* beschreib* zeig* expliqu* décri* montre* dis-moi explic*
        describ* dime muéstr* spieg* mostra* объясн* расскаж* покажи wyjaśnij açıkla 解释 说明一下
        告诉我 讲一下 介绍 説明して 教えて 설명 알려""",
}

CUES: dict[str, str] = {
    "pronoun": """
        it this that one these es das dies dieses den ihn diesen le la l ça cela ceci lui lo eso esto
        ese este la isso isto ele questo quello это его её ее этот bunu onu to het dit dat nó itu 它
        这个 那个 这 那 此 これ それ あれ この その 이거 그거 그것 이것 इसे यह هذا""",
    "plural": """
        them those both all each everything every beide beides alle alles sie tous toutes les+deux tout
        ambos todos todas todo los+dos os+dois tutti entrambi все оба их всё wszystko oba hepsi alles
        它们 都 全部 两个都 所有 全て すべて 両方 全部 모두 둘+다 सब كل""",
    "affirm": """
        yes y yep yea yeah aye yup sure ok okay k please+do go do+it go+ahead proceed sounds+good lgtm
        ship+it perfect great exactly correct right ja jo gerne klar genau mach+das passt oui ouais
        d'accord vas-y parfait sí si dale vale claro adelante sim pode claro beleza va+bene certo да
        давай ок хорошо конечно tak jasne evet tamam olur 好 好的 可以 行 是的 对 嗯 没问题 はい うん
        お願い いいよ それで 네 예 응 좋아 그래 그렇게 हाँ जी ठीक نعم تمام حسنا כן בסדר יאללה так добре гаразд
        jo ano jasně dobře được ừ vâng iya ya oke boleh silakan doe+maar prima approved agreed
        no+objections no+objection keine+einwände sounds+right sounds+sane""",
    "decline": "no nope nah nein non nie нет não hayır 不 不要 不用 いいえ いや 아니",
    "polite": """
        can+you could+you would+you will+you can+we could+we can+u pls please plz i+want i+need i+d+like
        let+s lets we+should you+should shall+we we+need how+about what+if would+it+be+possible
        any+chance why+don+t why+dont bitte kannst könntest könnten+sie wäre+es+möglich würdest
        ich+möchte ich+brauche lass+uns peux-tu serait-il+possible peux+tu pourrais pourriez s+il+te
        s+il+vous je+veux il+faut puedes podrías sería+posible podrias podemos por+favor quiero necesito
        pode poderia você+pode preciso puoi sarebbe+possibile potresti per+favore vorrei можешь можете
        пожалуйста нужно надо możesz proszę lütfen misin mısın kun+je graag giúp tolong kan+du snälla 请
        帮我 帮忙 麻烦 能不能 能否 可否 我想 我要 需要 把 ください してくれ してもら お願い して欲しい
        てほしい 해줘 해+주세요 주세요 줄래 कृपया من+فضلك""",
    "question": """
        why how+come how+do how+does how+is how+can what+is what+does what+are what+happens whats
        is+there are+there warum wieso weshalb pourquoi por+qué por+que perché perche почему зачем
        dlaczego neden niçin waarom tại+sao mengapa kenapa varför 为什么 为何 怎么 什么 哪个 哪里 哪些
        吗 呢 是否 如何 是不是 なぜ どうして どこ どれ ですか ますか でしょうか のか 왜 무엇 어떻게 어디
        인가 क्यों لماذا""",
    "opener": """
        is are was were does do did has have should isn aren doesn didn shouldn any what where when
        which who ist sind hat haben gibt was wo wer wie où quel quelle qué dónde cuál hay es onde qual
        dove где кто какой czy gdzie""",
    "hedge": """
        maybe perhaps probably possibly somehow something someday kinda sorta dunno whatever or+so
        or+something i+guess i+think not+sure no+idea kind+of sort+of if+possible if+it+s+easy
        if+it+is+easy only+if if+you+can some+of a+bit at+some+point vielleicht eventuell irgendwie
        irgendwas irgendwo womöglich keine+ahnung oder+so falls+möglich wenn+es+geht peut-être peut+être
        éventuellement si+possible je+ne+sais quelque+chose plus+ou+moins quizá quizás tal+vez
        a+lo+mejor no+sé si+se+puede algo talvez de+algum+jeito se+der forse magari in+qualche+modo
        может+быть наверное как-нибудь как-то что-то może jakoś belki bir+şekilde 也许 可能 大概 随便
        看着办 好像 某种 たぶん 多分 かも なんか とか 適当 아마 대충 뭔가 알아서""",
    "vague": """
        better nicer cleaner faster simpler improve* optimi* enhance* polish stuff things thing properly
        modern moderni* robust clean+up cleanup tidy make+it+work good+to+go production+ready
        best+practice* spruce besser schöner schneller verbesser* aufräum* optimier* sachen zeug
        ordentlich mieux amélior* nettoi* propre trucs choses mejor* limpi* ordena cosas bonito melhor*
        limpa* coisas migliora* pulisci cose лучше улучш* почист* наведи+порядок lepiej popraw+jakość
        iyileştir* güzelleştir 优化 改进 改善 好一点 好看 整理 弄好 搞一下 处理一下 完善 改善 良く
        いい感じ きれい 綺麗 最適化 개선 최적화 깔끔 좋게 예쁘게""",
    "only": """
        only nothing+else solely exclusively strictly+in limit+yourself stick+to nur ausschließlich
        sonst+nichts seulement uniquement rien+d+autre sólo solo solamente únicamente nada+más nada+mas
        só somente apenas soltanto solamente nient+altro только лишь tylko wyłącznie sadece yalnızca
        alleen 只 仅 只在 仅仅 だけ のみ 만 केवल فقط""",
    "whole": """
        everything everywhere whole entire project codebase repo repository all+files all+the across
        überall gesamte* ganze* komplett* projekt partout tout+le entier ensemble+du todo+el todos+los
        entero proyecto projeto inteiro progetto intero везде весь всего проект wszędzie cały projekt
        整个 全部 所有 项目 全局 全体 全て すべて プロジェクト 전체 모든 프로젝트""",
    "small": """
        typo typos one+line one-liner oneliner tiny small quick minor tippfehler schreibfehler kleine*
        kleinen faute+de+frappe coquille petit* errata pequeñ* error+tipográfico erro+de+digitação
        refuso опечатк* literówk* 错别字 拼写 小改 typo タイプミス 誤字 오타""",
    "removable": """
        unused obsolete deprecated dead stale leftover orphaned redundant unreferenced outdated
        superseded duplicate no+longer not+used never+used not+referenced isn+t+used isn+t+referenced
        safe+to+delete safe+to+remove nothing+imports nobody+uses unbenutzt* veraltet* ungenutzt*
        überflüssig* inutilis* obsolèt* mort plus+utilis* obsolet* sin+usar não+usad* inutilizzat*
        неиспольз* устар* nieużywan* 没用 无用 废弃 没有被 不再 过时 未使用 使われて 不要 古い 사용되지
        필요+없""",
    "offer": """
        shall+i should+i i+would i+d i+could i+can i+suggest i+recommend i+propose fix+is would+fix
        want+me+to would+you+like do+you+want ready+to+proceed let+me+know+if+you can+i soll+ich
        ich+würde ich+könnte möchtest+du willst+du je+propose je+peux veux-tu voulez-vous dois-je
        souhaites propongo puedo quieres+que debo te+parece quer+que devo vuoi+che devo сделать+это
        хотите mam chcesz yapayım ister 要不要 建议 我可以 需要我 是否 要我 可以吗 しましょうか 提案
        よろしい いいですか しますか 할까요 드릴까요""",
    "alternative": "or oder ou o или lub albo veya of 还是 或者 それとも または 아니면 또는",
    "container": """
        module modules package packages folder folders directory directories dir subsystem modul* paket*
        ordner verzeichnis* dossier répertoire paquet* módulo* carpeta* directorio paquete* pasta
        diretório pacote modulo cartella модул* папк* пакет* каталог* moduł* katalog* modül* klasör*
        模块 目录 文件夹 包 モジュール フォルダ ディレクトリ パッケージ 모듈 폴더 패키지 디렉터리""",
    "unit": """
        component* service services layer page screen section area part komponente* bereich seite
        composant* partie componente* página sección sezione компонент* раздел* 组件 页面 部分
        コンポーネント 画面 部分 컴포넌트 화면 부분""",
    "spread": """
        callers callsites usages usage references dependents imports everywhere wherever call+sites
        elsewhere aufrufer verwendungen überall aufrufe appels appelants usages partout llamadas
        referencias usos chamadas вызовы использования везде 调用 引用 呼び出し 参照 호출 참조""",
    "several": """
        both two three several beide beiden zwei drei mehrere deux trois plusieurs dos tres varios ambos
        dois três due entrambi оба обе два три oba dwa iki 两个 都 两者 三个 両方 二つ どちらも 둘 두개""",
    "thanks": """
        thanks thank thx cheers lol haha nice cool awesome sweet wow neat super toll génial genial bravo
        danke merci gracias obrigado obrigada grazie спасибо dzięki teşekkür* bedankt tack 谢谢 多谢
        ありがとう 助かり 고마워 감사""",
    "indefinite": """
        some certain several somebody someone specific particular one+of another any+of a+few a+couple
        etc einige irgendein* gewisse* bestimmte* eine+der einer+der paar certains certaines quelques
        un+des une+des plusieurs algún alguno* alguna* algunos varios varias unos uno+de una+de algum
        alguns alguma* vários qualche alcuni alcune некотор* какой-то какие-то пару któryś niektóre bazı
        birkaç 某个 某些 一些 几个 其中一个 いくつか ある 何か どれか 일부 몇 어떤 하나""",
    "place": """
        line function method class variable constant field import button label heading docstring comment
        test endpoint zeile funktion methode klasse variable ligne fonction méthode classe línea función
        método clase linha função riga funzione функци* строк* метод* класс* 函数 方法 变量 行 関数
        メソッド 変数 함수 메서드 변수""",
    "schema": """
        migration* schema* database db table* column* constraint* index foreign+key unique nullable
        not+null datenbank* tabelle* spalte* migrier* base+de+données colonne* contrainte* base+de+datos
        columna* tabla* restricci* banco+de+dados coluna* tabela* restriç* vincol* tabell* colonn* баз*
        данных таблиц* столб* огранич* 数据库 表 列 约束 迁移 外键 データベース テーブル カラム 制約
        マイグレーション 테이블 컬럼 제약 마이그레이션""",
}

FORBIDDING: tuple[str, ...] = (
    "dont add", "do not add", "dont create", "do not create", "dont write", "dont introduce", "dont install",
    "without adding", "no new", "füge keine", "keine neuen", "sans ajouter", "sin agregar", "sin añadir",
    "dont touch", "dont change", "dont modify", "dont edit", "dont alter", "dont mess with", "dont overwrite",
    "do not touch", "do not change", "do not modify", "do not edit", "do not alter", "do not overwrite",
    "without touching", "without changing", "without modifying", "without editing", "not touching",
    "hands off", "stay out of", "stay away from", "never touch", "leave alone", "as is", "untouched",
    "unchanged",
    "keep your hands off", "except for", "but not the", "but not in", "off limits",
    "nicht anfassen", "nicht ändern", "nicht anrühren", "finger weg", "nicht verändern", "unverändert",
    "ohne zu ändern",
    "nicht an", "in ruhe", "ne touche", "ne touchez", "sans toucher", "sans modifier", "ne modifie",
    "ne change",
    "no toques", "no tocar", "sin tocar", "sin modificar", "no cambies", "no modifiques", "não mexa",
    "não toque",
    "sem mexer", "sem alterar", "não altere", "non toccare", "senza toccare", "non modificare",
    "не трогай", "не трогать", "не меняй", "не изменяй", "nie ruszaj", "nie zmieniaj", "dokunma",
    "niet aanraken",
)  # fmt: skip
FORBIDDING_PAIRS: tuple[tuple[str, str], ...] = (
    ("leave", "alone"), ("leave", "untouched"), ("leave", "be"), ("leave", "as"), ("keep", "same"),
    ("lass", "ruhe"), ("lass", "so"),
    ("laisse", "tranquille"), ("laisse", "tel"), ("deja", "está"), ("deixa", "está"), ("lascia", "stare"),
    ("оставь", "как"), ("zostaw", "spokoju"),
)  # fmt: skip
FORBIDDING_INNER: tuple[str, ...] = (
    "不要动", "不要碰", "别动", "别碰", "不要改", "别改", "不要修改", "不动", "触らない", "変更しない",
    "変えない",
    "いじらない", "そのまま", "건드리지", "수정하지", "바꾸지",
)  # fmt: skip
FORBIDDING_DELETION: tuple[str, ...] = (
    "dont delete", "dont remove", "do not delete", "do not remove", "without deleting", "without removing",
    "nicht löschen", "nicht entfernen", "ne supprime", "ne supprimez", "sans supprimer", "no borres",
    "no elimines",
    "sin borrar", "não apague", "não remova", "non cancellare", "не удаляй", "nie usuwaj",
)  # fmt: skip
FORBIDDING_DELETION_INNER: tuple[str, ...] = (
    "不要删", "别删", "删しない", "削除しない", "消さない", "삭제하지", "지우지",
)  # fmt: skip
BEYOND: tuple[str, ...] = (
    " else", " outside", " other", " rest ",  " sonst", " andere", " rien d", " autre",
    " otra", " otro",
    " nada más", " resto", " altro", " другое", " остальн", "其他", "其它", "别的", "以外", "他の",
    "다른", "나머지",
)  # fmt: skip
SOURCING: tuple[str, ...] = (
    "like", "from", "see", "according", "based", "as", "similar", "follow", "following", "wie", "laut",
    "siehe", "aus",
    "comme", "selon", "voir", "como", "según", "ver", "desde", "come", "secondo", "как", "по",
)  # fmt: skip

STOP = """
    a an the and or but if so to of in on at by for with from into as is are was were be been being am i
    you we he she they me my your our their us its not no do does did have has had can could would
    should will just also too very really now then than there here up out about over again please thanks
    thank hey hi hello let s re ll ve d t m im want need like think one some any more most much many
    other another same such when while where why how what which who because since until via per only
    both each every file files code function functions method class part bit way thing things stuff
    place bug issue problem change changes work works working get got go goes make makes made put use
    used using try look see say der die das den dem des ein eine einen einem einer und oder aber wenn so
    zu von im in auf an bei für mit aus als ist sind war ich du wir er sie es mir mein dein unser nicht
    kein doch mal noch auch nur bitte datei code le la les un une des du de d l et ou mais si pour avec
    dans sur par en est sont je tu nous vous il elle ne pas que qui ce cette ces mon ton fichier el los
    las una unos y o pero con por para del al es son que mi tu su no lo se fichero archivo código um uma
    os as e do da dos das no na com que não arquivo il lo gli uno e di che per non del della nel и в на
    с по для не что как это из
    dann damit noch da hier ja jetzt schon man uns euch ihn ihm diese dieser dieses alors puis aussi même autre
    autres chose fait fais faire ça bien ahí aquí ya todavía mejor hay está están más otra otro otras otros aí aqui
    já ainda bem outra outro outras está isso este esta qui lì già ancora meglio altro altra altri questo questa
    так вот уже ещё еще там тут эти этот эта все или если вже ще там тут цей ця
    ve bir bu şu o da de mi mı için ile ama çok var yok daha diye olarak bunu onu
    het een de en van dat die dit op te zijn er maar ook nog dan wat hij ze we je ik doe
    và là của có cho các một những này đó thì mà ở với được em anh nó đi
    yang dan di ke dari ini itu untuk dengan juga saja aja ya nya dong deh kalau kita
    है हैं को में का की के से पर और यह वह तो ही भी दो कर था थी हो चला
    في من على إلى هذا هذه ذلك التي الذي مع أن إن ثم قد
    של את על עם זה זו הוא היא יש אין גם רק כל אם כי לא
    a se na v ve je to že s z do pro ale jako si by jsem jsou i w z na do to że jest się nie"""

ENGLISH = """
    the is are to of it that this and for with on my we you not be from should please when there have
    has make add fix"""
"""Words that tell an English request from one in another language of the same script."""
