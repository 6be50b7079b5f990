"""Common nouns of programs in several languages, as data: one thing has one key. Nothing here decides.

Left out: what means another thing in another language, as French `file`, and what a project may well tell apart.
"""

from __future__ import annotations

_LATIN = """
    queue: warteschlange cola
    scanner: escaner scanneur
    parser: analyseur analizador
    table: tabelle tabla tabela
    list: liste lista
    limit: grenze grenzwert limite
    cache: zwischenspeicher
    filter: filtre filtro
    search: suche recherche busqueda
    invoice: rechnung facture factura fattura
    order: bestellung commande pedido
    customer: kunde kundin
    client: cliente
    user: benutzer nutzer utilisateur usuario
    password: passwort kennwort contrasena
    report: bericht rapport informe
    reader: leser lecteur lector
    writer: schreiber
    editor: editeur
    legend: legende leyenda
    button: btn knopf schaltflache bouton boton
    window: fenster fenetre ventana
    menu: menue
    sidebar: seitenleiste
    page: seite pagina
    image: img bild imagen bilder
    colour: color farbe couleur
    message: msg nachricht mensaje meldung
    notification: benachrichtigung notificacion
    counter: zahler compteur contador
    calculator: rechner calculatrice calculadora
    export: ausfuhr exportacion
    import: einfuhr importacion
    printer: drucker imprimante impresora
    calendar: kalender calendrier calendario
    date: fecha
    clock: uhr horloge reloj
    timer: zeitgeber minuteur temporizador
    schedule: zeitplan horario
    scheduler: planer planificateur planificador
    key: schlussel clef clave
    lock: sperre verrou bloqueo
    address: addr adresse direccion
    stock: lagerbestand existencia
    price: preis prix precio
    discount: rabatt remise descuento
    tax: steuer impuesto
    account: konto compte cuenta
    payment: zahlung paiement pago
    cart: warenkorb panier carrito
    signature: signatur
    backup: sicherung sauvegarde respaldo
    connection: conn verbindung connexion conexion
    database: datenbank
    server: serveur servidor
    network: netzwerk reseau
    map: mapa
    chart: diagramm diagramme grafico
    diagram: diagrama
    column: spalte colonne columna
    row: zeile
    field: feld champ campo
    header: kopfzeile entete encabezado cabecera
    footer: fusszeile
    loader: lader chargeur cargador
    converter: konverter umrechner convertisseur convertidor
    generator: generateur generador erzeuger
    validator: prufer validateur validador
    worker: arbeiter
    mailer: mailversand
    mail: courriel correo
    translation: ubersetzung traduction traduccion
    language: sprache langue idioma
    setting: einstellung reglage ajuste
    rule: regel regle regla
    threshold: schwelle schwellwert seuil umbral
    margin: marge margen
    template: vorlage plantilla
    form: formular formulaire formulario
    sensor: capteur
    engine: moteur
    player: spieler joueur jugador
    score: punktestand puntuacion
    level: niveau nivel
    context: ctx
    config: cfg conf configuration konfiguration configuracion
    argument: arg
    parameter: param
    request: req
    response: resp
    buffer: buf
    environment: env
    manager: mgr
    middleware: mw
    transaction: txn
    authentication: auth
"""
_UNSPACED = """
    queue: キュー 队列 큐
    scanner: スキャナ 扫描器 스캐너
    parser: パーサ 解析器 파서
    table: テーブル 表格 테이블
    list: リスト 一覧 列表 목록
    cache: キャッシュ 缓存 캐시
    filter: フィルタ 过滤器 필터
    search: 検索 搜索 검색
    invoice: 請求 发票 청구
    order: 注文 订单 주문
    report: レポート 报告 보고서
    reader: リーダ 读取器 리더
    writer: ライタ
    legend: 凡例 图例 범례
    button: ボタン 按钮 버튼
    window: ウィンドウ 窗口 창
    menu: メニュ 菜单 메뉴
    sidebar: サイドバー 侧边栏 사이드바
    bar: バー
    notice: 通知 通知 알림
    notification: 通知 通知 알림
    image: 画像 图片 이미지
    login: ログイン 登录 로그인
    log: ログ 日志 로그
    timer: タイマー 定时器 타이머
    calendar: カレンダー 日历 달력
    scheduler: スケジューラ 调度器 스케줄러
    price: 価格 价格 가격
    cart: カート 购物车 장바구니
    backup: バックアップ 备份 백업
    connection: 接続 连接 연결
    server: サーバ 服务器 서버
    client: クライアント 客户端 클라이언트
    map: 地図 地图 지도
    chart: グラフ チャート 图表 차트
    header: ヘッダ 页眉 헤더
    footer: フッタ 页脚 푸터
    loader: ローダ 加载器 로더
    converter: コンバータ 转换器 변환기
    worker: ワーカ
    template: テンプレート 模板 템플릿
    form: フォーム 表单 폼
    sensor: センサ 传感器 센서
    engine: エンジン 引擎 엔진
    player: プレイヤ プレーヤ 播放器 플레이어
    editor: エディタ 编辑器 에디터
    dialog: ダイアログ 对话框 대화상자
    router: ルータ 路由 라우터
    wizard: ウィザード 向导 마법사
    retry: リトライ 再試行 重试 재시도
    limit: 上限 制限 限制 제한
    config: 設定 配置 설정
    settings: 設定 设置 설정
"""


def _pairs(listed: str) -> list[tuple[str, str]]:
    lines = (line.partition(":") for line in listed.strip().splitlines())
    return [(word, one.strip()) for one, _, rest in lines for word in rest.split()]


SAME = dict(_pairs(_LATIN))
"""{lower case, without accents, singular: the English noun}."""
UNSPACED = tuple(_pairs(_UNSPACED))
"""(a noun of a script without blanks, the English one)."""
