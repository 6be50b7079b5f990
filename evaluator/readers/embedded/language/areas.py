"""The areas of a code base and the kinds of its files, as data: nothing here decides. Imports nothing.

Same notation as `lexicon`.
"""

from __future__ import annotations

GENERIC_PIECES = """
    src lib libs app apps pkg packages package core common shared base internal index init main mod
    utils util helper helpers misc source sources project projects impl default types type constants
    const python java js ts tsx jsx py go rs rb cs cpp c h hpp kt swift php html css scss md txt json
    yaml yml toml sql sh cfg ini home users user1 work workspace repo code dev tmp var com org net www
    file files"""
"""Pieces of paths and names that tell little."""

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

DOMAINS = "auth user pay mail media data ci deps docs secret cli i18n"
"""Areas that exclude each other; the rest (logging, errors, tests, dates) may turn up in any file."""
EXTENSIONS = """
    py pyi ipynb js jsx mjs cjs ts tsx vue svelte html htm css scss sass less json jsonc json5 jsonl
    yaml yml toml ini cfg conf env md mdx rst txt csv tsv sql sh bash zsh fish ps1 bat rb erb go rs java
    kt kts scala swift m mm c h cc cpp cxx hpp cs fs fsx php pl lua r jl ex exs erl hs clj dart tf hcl
    proto graphql gql xml svg png jpg jpeg gif pdf lock log db sqlite gradle cmake mk zig nim sol prisma
    j2 tmpl tpl po properties plist service bak old orig zip gz"""
NOT_FILES = """
    node.js next.js vue.js nuxt.js express.js react.js three.js d3.js angular.js ember.js socket.io"""
