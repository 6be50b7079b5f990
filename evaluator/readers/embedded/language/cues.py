"""Words that turn a clause around: negation, deferral, exception, done already. Data only; imports nothing.

Same notation as `lexicon`: blanks between entries, `*` for "begins with", `+` for a blank inside a phrase;
entries in scripts without blanks between words match anywhere.
"""

from __future__ import annotations

TURNS: dict[str, str] = {
    "spare": """
        without except leave leaving stay stays untouched skip avoid alone nothing+else
        hands+off hands+of off+limits keep+out instead+of rather+than other+than as+it+is as+they+are as+is
        hold+off no+need no+new no+other apart+from can+stay keeps+its keep+its no+changes stay+away stay+out
        ohne außer lass lassen lasse bleibt bleib statt anstatt finger+weg raushalten unberührt
        so+lassen brauchst nicht+anfassen nicht+ändern
        sans sauf laisse* laisser au+lieu plutôt+que touche+pas garder tel+quel
        sin salvo excepto deja dejar dejo dejamos en+vez+de en+lugar+de menos no+metas
        no+toques no+tocar no+hace+falta no+hay+que
        sem exceto menos deixa deixe deixar em+vez+de ao+invés+de
        senza tranne eccetto lascia lasciare lascio invece+di non+toccare
        без кроме оставь оставить оставим оставьте вместо нельзя незачем
        залиш* крім замість
        bez oprócz zostaw zamiast kromě místo nechej nech
        hariç kalsın dokunma* bırak yerine olmasın elleme kalacak
        zonder behalve laat blijft in+plaats+van
        trừ ngoại+trừ giữ+nguyên thay+vì jangan kecuali biarkan tanpa
        बिना सिवाय छोड़ मत إلا ما+عدا بدل اترك בלי חוץ במקום תשאיר אל
        不动 不碰 别动 别碰 别改 别删 别管 除了 而不是 留着 保留 先不 勿
        せずに 触らず 触らない 以外 ではなく じゃなく そのまま 残し ないで
        말고 하지+마 지+마 제외 그대로 놔두 두고 아니라 빼고 건드리지 안+건드 대신 없이""",
    "negator": """
        not dont doesnt isnt arent wasnt shouldnt wont cant never nor neither no
        nicht kein keine keinen keiner nie pas jamais rien ni nunca não nem nunca non mai
        не ни никогда нет ні nie ne değil niet geen không đừng bukan tidak nggak gak enggak
        नहीं न لا ليس לא 不要 不用 不改 不能 不许 没有 不是 ない しない 않""",
    "later": """
        hmm hm mmm let+me later tomorrow another+day next+week next+sprint next+month next+year not+yet wait
        waiting postpone* pending someday on+hold afterwards after+that
        after+the+release in+the+freeze
        später morgen nächste+woche noch+nicht erstmal erst+mal warte warten danach abwarten vorerst
        nächsten nächster verschieb*
        plus+tard demain semaine+prochaine attends attendre pas+encore on+verra ensuite verra
        más+tarde mañana luego después próxima todavía+no aún+no espera esperar
        depois amanhã próxima semana+que+vem ainda+não espera esperar mais+tarde
        dopo domani prossima aspetta non+ancora più+tardi
        позже потом завтра пока+не подожди следующ* после попозже погоди
        пізніше потім завтра поки+не зачекай після
        później jutro poczekaj jeszcze+nie potem
        později zítra počkej ještě+ne potom zatím
        sonra yarın bekle henüz haftaya ertele*
        later morgen wacht straks volgende+week nog+niet
        sau+này để+sau ngày+mai chờ đợi chưa
        nanti besok tunggu belum minggu+depan
        बाद कल अभी+नहीं रुको इंतज़ार
        لاحقا غدا انتظر بعد
        אחר+כך מחר חכה עדיין מאוחר
        以后 稍后 明天 下周 回头 等到 等他 等她 等一 之后 再说 暂时 改天 晚点
        後で あとで 明日 来週 まだ 待って 待ち 次回 今度
        음 うーん 나중 내일 다음 아직 기다 이후 보류""",
    "done": """
        already done+that has+it+already is+fine are+fine is+right are+right is+current current works+fine
        in+order goes+away okay+as was+meant on+purpose intentional correct is+correct
        are+correct
        bereits schon längst in+ordnung passt+schon richtig korrekt stimmt
        déjà c+est+bon en+ordre correct correcte juste
        ya está+bien correcto correcta
        já está+ok certinho está+certo está+correto correto correta
        già voluta voluto corretto corretta giusto
        уже нормально порядке правильн* верн* корректн*
        вже гаразд правильн*
        już w+porządku poprawn* už v+pořádku správně správný
        zaten çoktan sorun+yok doğru
        al+in+orde prima+zo
        đã rồi bình+thường đúng
        sudah udah benar
        पहले+से ठीक+है सही
        بالفعل כבר בסדר צח
        已经 没问题 好了 没错 是对的
        すでに 既に もう 問題な 正しい
        괜찮 됐 정상""",
    "only": """
        only just merely simply nur lediglich bloß seulement juste simplement solo sólo solamente só apenas
        soltanto только лишь просто лише тільки tylko jen pouze sadece yalnızca alleen slechts chỉ hanya cuma
        सिर्फ़ केवल فقط רק 只 仅 だけ のみ""",
    "instead": """
        alternative alternatively careful otherwise could+also or+else second+choice
        alternativ sonst ansonsten andernfalls sinon autrement alternativa alternativamente
        otherwise иначе альтернатив* aksi+takdirde anders
        否则 不然 さもないと 아니면""",
}
"""What makes a clause speak against a thing, for the time being or for good."""

MORE = """
    anything+else something+else what+else what+next sonst+noch noch+etwas noch+was autre+chose
    algo+más mais+alguma mais+algo
    qualcos+altro altro что+нибудь+ещё что+то+ещё щось+ще coś+jeszcze ještě+něco başka+bir nog+iets
    gì+nữa ada+lagi
    और+कुछ شيء+آخر משהו+נוסף 还有什么 还有别的 他に ほかに 더+필요 또+필요"""
"""An open question that a yes does not answer."""

INFORM = """
    why how explain* describ* tell summar* compare compar* differ* list estimate* assess* analy*
    check investigate* look+into find+out which+write what+do+you+think your+opinion your+take
    your+read your+view report+back whether boil+down
    write+down+the+order in+which+order walk+me thoughts opinion wonder* curious understand what+would
    pros+and+cons answer figure+out just+so+you+know fyi
    erklär* beschreib* prüf* analysier* schätz* vergleich* sag+mir liste interessier* würde+mich bescheid
    was+meinst nur+damit
    expliqu* décris compare estime analys* dis+moi vérifi* qu+en+penses combien
    explic* describe dime compara analiz* revisa qué+opinas cómo+lo+ves cuánto estima
    explique descreva analise compare diga verifica o+que+acha quanto
    spiega descrivi dimmi confronta analizza verifica cosa+ne+pensi quanto
    объясн* опиши скажи сравни проверь оцени проанализ* сколько интересно что+думаешь
    поясни опиши скажи порівняй перевір* скільки
    wyjaśnij opisz powiedz porównaj sprawdź ile vysvětli popiš řekni porovnej zkontroluj kolik
    açıkla anlat karşılaştır kontrol+et ne+kadar ne+dersin incele
    leg+uit vertel vergelijk controleer hoeveel wat+denk
    giải+thích so+sánh kiểm+tra cho+tôi+biết bao+nhiêu
    jelaskan bandingkan cek periksa berapa menurut+kamu
    समझाओ बताओ तुलना जाँच कितना
    اشرح قارن تحقق كم أخبرني
    הסבר השווה בדוק כמה תגיד
    解释 说明 比较 分析 看看 多少 多久 你觉得 评估 总结
    説明 教えて 比較 調べ 確認して まとめ いくつ どのくらい どう思
    설명 비교 알려 분석 조사 확인해 얼마 어떻게+생각"""
"""What asks for words and not for a change."""

EACH = """
    both all every everything each all+three all+of+them both+of beiden beide alle alles sämtliche tous
    toutes les+deux tout ambos ambas todos todas las+dos los+dos as+duas os+dois tutti tutte entrambi
    entrambe все оба обе всі обидва wszystkie oba obie všechny oba obě hepsi hepsini ikisi ikisini her+ikisi
    alle allebei tất+cả cả+hai semua semuanya keduanya सब सभी दोनों الكل جميع كل كلاهما כולם שניהם הכל
    都 全部 所有 两个都 全て すべて 両方 全部 どちらも 모두 전부 둘+다 다+해"""
"""Every one of what was offered or named."""

LATTER: tuple[str, ...] = (
    """latter letztere letzteres letzteren last dernier dernière segunda+de último última ultimo ultima
    последн* останн* ostatni* posledn* sonuncu laatste cuối terakhir अंतिम الأخير האחרון 最后 最後 後者 后者
    마지막 후자""",
    """former erstere ersteres ersteren премьер 前者 전자""",
)
"""Words for the last and for the first of what was offered."""

SECOND_TO: tuple[str, ...] = (
    """first erste erster ersten premier première primero primera primer primeiro primeira primo prima
    первый первое первую первая перший перше pierwsz* první prvn* ilk birinci* eerste đầu+tiên
    pertama पहला पहली
    الأول الأولى הראשון הראשונה 第一 一番目 最初 첫 1번 一つ目 1つ目""",
    """second zweite zweiter zweiten zweites deuxième second segundo segunda secondo seconda второй второе
    вторую вторая другий drugi* druh* ikinci* tweede thứ+hai kedua दूसरा दूसरी الثاني الثانية השני השנייה
    第二 二番目 두+번째 두번째 2번 二つ目 2つ目""",
    """third dritte dritter dritten drittes troisième tercero tercera tercer terceiro terceira terzo terza
    третий третье третью трет* third třetí trzeci* üçüncü* derde thứ+ba ketiga तीसरा तीसरी الثالث השלישי 第三
    三番目 세+번째 세번째 3번 三つ目 3つ目""",
    """fourth vierte vierten viertes quatrième cuarto cuarta quarto quarta четверт* čtvrt* czwart* dördüncü
    vierde thứ+tư keempat चौथा الرابع הרביעי 第四 四番目 네+번째 4번 四つ目 4つ目""",
)
