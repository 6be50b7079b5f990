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
        reset undo roll+back rollback rebase stash führ ausführ* installier* lanc* exécut* instal*
        ejecut* execut* rode esegui* запуст* установ* uruchom zainstaluj çalıştır kur 运行 安装 部署
        提交 推送 回滚 実行 インストール コミット デプロイ 실행 설치 배포 커밋""",
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

GENERIC_PIECES = """
    src lib libs app apps pkg packages package core common shared base internal index init main mod
    utils util helper helpers misc source sources project projects impl default types type constants
    const python java js ts tsx jsx py go rs rb cs cpp c h hpp kt swift php html css scss md txt json
    yaml yml toml sql sh cfg ini home users user1 work workspace repo code dev tmp var com org net www
    file files"""

CONCEPTS: dict[str, str] = {
    # What a path says | words for it in a request. The first words double as abbreviations.
    "auth": """
        auth* login* signin signon oauth* sso jwt | authent* authoriz* log+in sign+in anmeld* einlogg*
        connexion iniciar+sesión autentic* авториз* вход* 登录 认证 鉴权 ログイン 認証 로그인 인증""",
    "user": """
        user users account accounts profile* member* | benutzer* nutzer* konto utilisat* compte usuari*
        cuenta perfil utent* пользоват* аккаунт 用户 账号 账户 ユーザー アカウント 사용자 계정""",
    "test": """
        test tests spec specs conftest __tests__ e2e | testing failing unittest* pytest jest prueba*
        teste* essai тест* 测试 单测 テスト 테스트""",
    "docs": """
        readme docs doc documentation changelog contributing guide* md rst | typo typos docu* dokument*
        doku anleitung documentac* documentaç* documentaz* документ* ридми 文档 说明 自述 ドキュメント
        문서 リードミー""",
    "style": """
        css scss sass less style* theme* tailwind color* palette | colour* font padding margin spacing
        gap abstand* marge* espaci* dark layout farbe* farb* schrift* couleur* police color tema estilo*
        cor cores tema colore цвет* тем* стил* 颜色 样式 主题 色 スタイル 色 テーマ 색상 스타일""",
    "ui": """
        button* modal dialog form view* component* page* screen* widget* ui frontend web html tsx jsx
        vue svelte | knopf schaltfläche seite formular bouton* page formulaire botón botones página
        formulario botão кнопк* страниц* форм* 按钮 页面 表单 组件 界面 ボタン 画面 ページ フォーム 버튼
        페이지 화면""",
    "data": """
        db database* migration* schema* model* sql alembic prisma seed* entity entities repository |
        table* column* datenbank* tabelle* spalte* base+de+données base+de+datos tabla* columna* banco
        tabela* баз* таблиц* 数据库 迁移 模型 表 データベース モデル テーブル 데이터베이스 테이블 모델""",
    "config": """
        config* settings conf env dotenv options preferences yaml toml ini | setting* einstellung*
        konfig* parameter paramètre* réglage* ajuste* configurac* configuraç* impostaz* настро* конфиг*
        配置 设置 設定 설정""",
    "deps": """
        package.json requirements* pyproject* go.mod cargo* gemfile* pom build.gradle package-lock
        dependencies | dependenc* depend* upgrade* bump version* install* abhängig* version* dépendanc*
        dependencia* versión dependênc* versão завис* верси* 依赖 版本 升级 依存 バージョン 의존성 버전""",
    "ci": """
        ci workflows workflow github gitlab jenkins* circleci docker* compose k8s helm deploy* terraform
        makefile | pipeline* action actions build image container* lint* 流水线 镜像 部署 コンテナ
        パイプライン デプロイ 배포 컨테이너""",
    "api": """
        api apis route* router* endpoint* controller* handler* view views server* rest graphql resolver*
        | schnittstelle* point+d+entrée ruta* rota* эндпоинт* маршрут* апи 接口 路由 エンドポイント
        ルート 엔드포인트 라우트""",
    "pay": """
        pay* payment* billing invoice* checkout stripe cart* order* price* pricing subscription* |
        zahlung* rechnung* bezahl* bestell* warenkorb paiement* facture* commande* panier pago* factura*
        pedido* carrito pagamento* fatura* carrinho платеж* платёж* оплат* счет* счёт* заказ* корзин*
        支付 付款 订单 账单 购物车 価格 支払 決済 注文 請求 결제 주문 장바구니""",
    "mail": """
        mail* email* smtp notification* notify notifier sms push template* | benachrichtig* courriel*
        correo* notificac* notificaç* письм* почт* уведомл* 邮件 通知 メール 通知 이메일 알림""",
    "log": """
        log logs logger* logging telemetry metrics trace tracing sentry | protokoll* journal* registro*
        лог* логир* 日志 埋点 ログ 로그""",
    "time": """
        date* time* tz timezone* calendar* schedule* cron* clock timeout* | datum uhrzeit zeitzone*
        heure* fuseau fecha* hora* zona+horaria data+e+hora fuso дат* врем* часов* 时间 日期 时区 超时
        日付 時刻 時間 タイムゾーン 날짜 시간""",
    "cache": """
        cache* redis memo* store | zwischenspeicher* caché mémoire кэш* кеш* 缓存 キャッシュ 캐시""",
    "search": """
        search* index* query queries filter* pagin* sort* list* | suche* such* recherche* filtr*
        búsqueda* buscar busca* ricerca поиск* фильтр* 搜索 查询 筛选 分页 排序 検索 絞り込み
        ページネーション 並び 검색 필터""",
    "error": """
        error* exception* retry retries fallback fault* | fehler* erreur* errores excep* erro erros
        errore ошибк* исключен* повтор* 错误 异常 报错 重试 エラー 例外 リトライ 에러 오류 예외""",
    "parse": """
        parse* lexer* tokeniz* csv json xml import* export* serial* format* | einles* analys* parsear
        exportar importar парс* импорт* экспорт* 解析 导入 导出 パース インポート エクスポート 파싱
        가져오기 내보내기""",
    "net": """
        http* client* socket* request* fetch* network* proxy url* download* upload* | netzwerk* anfrage*
        requête* réseau petic* red rede сеть запрос* загруз* 请求 网络 下载 上传 通信 リクエスト
        ダウンロード アップロード 요청 업로드 다운로드""",
    "i18n": """
        i18n locale* lang langs translation* messages | übersetz* sprach* traduc* traduç* traduz*
        langue* idioma* перевод* язык* 翻译 语言 国际化 翻訳 言語 多言語 번역 언어""",
    "cli": """
        cli cmd command* args argparse bin | flag* option* befehl* kommando* commande* comando*
        argument* команд* флаг* 命令行 命令 参数 コマンド 引数 명령 옵션""",
    "media": """
        image* img photo* video* audio avatar* thumbnail* icon* logo* | bild* foto* imagen* imagem
        imagine* картинк* изображ* 图片 头像 图标 画像 アイコン 이미지 아이콘""",
    "secret": """
        secret* password* token* key keys credential* crypto* hash* encrypt* | passwort* kennwort*
        mot+de+passe contraseña* senha* парол* ключ* 密码 密钥 令牌 パスワード 鍵 トークン 비밀번호 토큰""",
}
"""Areas of a code base. Two areas may share words; a path or a request may belong to several."""

ORDINALS: tuple[str, ...] = (
    """
        first erste erster ersten première premier primero primera primeiro primeira primo prima первый
        первое 第一 一番目 첫""",
    """
        second zweite zweiter zweiten deuxième segundo segunda secondo seconda второй второе 第二 二番目
        두번째""",
    """
        third dritte dritter dritten troisième tercero tercera terceiro terceira terzo terza третий 第三
        三番目 세번째""",
    """
        fourth vierte vierten quatrième cuarto cuarta quarto quarta четвертый 第四 四番目""",
)
"""Words for the first, second, third and fourth option."""

EXTENSIONS = """
    py pyi ipynb js jsx mjs cjs ts tsx vue svelte html htm css scss sass less json jsonc json5 jsonl
    yaml yml toml ini cfg conf env md mdx rst txt csv tsv sql sh bash zsh fish ps1 bat rb erb go rs java
    kt kts scala swift m mm c h cc cpp cxx hpp cs fs fsx php pl lua r jl ex exs erl hs clj dart tf hcl
    proto graphql gql xml svg png jpg jpeg gif pdf lock log db sqlite gradle cmake mk zig nim sol prisma
    j2 tmpl tpl po properties plist service bak old orig zip gz"""
ENGLISH = """
    the is are to of it that this and for with on my we you not be from should please when there have
    has make add fix"""
"""Words that tell an English request from one in another language of the same script."""
DOMAINS = "auth user pay mail media data ci deps docs secret cli i18n"
"""Areas that exclude each other; the rest (logging, errors, tests, dates) may turn up in any file."""
NOT_FILES = """
    node.js next.js vue.js nuxt.js express.js react.js three.js d3.js angular.js ember.js socket.io"""
