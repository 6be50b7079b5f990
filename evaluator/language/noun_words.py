"""Words around a noun, as data: what begins it, sets it apart, says nothing of it. Nothing here decides.

English, German, French, Spanish, Portuguese, Italian, Russian; scripts without blanks in `unspaced_nouns`.
"""

from __future__ import annotations

DEFINITE = frozenset("""
    the this that these those my our your its their his her der die das den dem des dieser diese dieses diesen
    diesem mein meine meinen unser unsere unseren unserem euer eure le la les l ce cet cette ces mon ma mes notre
    nos votre vos du el los las lo este esta estos estas ese esa mi mis nuestro nuestra nuestros nuestras su sus o
    os as nosso nossa meu minha il i gli nostro nostra mio mia questo questa quel quella al del au aux ao aos da do
    das dos na no nas nos nel nella dello della dei degli delle sul sulla am im zum zur vom beim ins ans этот эта
    это эти тот та наш наша мой
    """.split())  # fmt: skip  # noqa: SIM905
INDEFINITE = frozenset("""
    a an another some any ein eine einen einem einer eines kein keine keinen un une una unos unas um uma uns umas
    otro otra outro outra altro altra какой-то другой другая ещё
    """.split())  # fmt: skip  # noqa: SIM905
EACH = frozenset("""
    all both each every whichever alle allen aller beide beiden jede jeden jeder jedes sämtliche tous toutes tout
    toute chaque todos todas ambos ambas cada tutti tutte entrambi ogni все оба каждый
    """.split())  # fmt: skip  # noqa: SIM905
NONE = frozenset("kein keine keinen keiner keinem keines no any aucun aucune ningún ninguna nessun".split())  # noqa: SIM905
"""Before a plural they may still speak of the things that are known."""
ENGLISH_NONE = frozenset("no any".split())  # noqa: SIM905
"""Those of them whose nouns end as plurals do."""
OTHER = frozenset("""
    other others another new newer old older second third next different previous former legacy alternative
    remaining additional extra fresh separate latter wrong anderen andere anderer anderes neue neuen neuer neues
    neuem alte alten alter altes zweite zweiten falsche falschen autre autres nouveau nouvelle nouvel nouveaux
    ancien ancienne deuxième second seconde otro otra otros otras nuevo nueva nuevos nuevas viejo vieja antiguo
    antigua segundo segunda outro outra novo nova antigo altro altra nuovo nuova vecchio vecchia другой другую
    другого другая новый новую старый
    """.split())  # fmt: skip  # noqa: SIM905
NEUTRAL = frozenset("""
    existing current whole entire same usual slow broken flaky buggy ugly messy stupid damn damned bloody fucking
    poor dear good big huge large little small own actual said aforementioned beloved failing crashing leaking noisy
    entire full overall very project s repo repository bestehende bestehenden aktuelle aktuellen ganze ganzen
    gesamte gesamten langsame langsamen kaputte kaputten gleiche gleichen selbe selben übliche üblichen lahme lahmen
    eigene eigenen pauvre même lent lente cassé cassée actuel actuelle existant existante habituel habituelle
    bestehender aktueller mismo misma lento lenta roto rota actual actuales existente habitual entero entera mesmo
    mesma atual stesso stessa attuale esistente intero rotto тот медленный текущий
    """.split())  # fmt: skip  # noqa: SIM905
"""Modifiers that set nothing apart."""
CONTAINERS = frozenset("""
    file files module modules class code logic function script component implementation thing part stuff source
    section itself one datei dateien modul klasse teil fichier module classe partie fichero archivo módulo clase
    parte arquivo файл модуль класс
    """.split())  # fmt: skip  # noqa: SIM905
"""After a noun they still mean the same thing."""
PLACES = frozenset("""
    module folder directory package service app application crate subproject workspace component repo repository
    side part layer area domain modul ordner verzeichnis paket dienst bereich dossier répertoire paquet module
    carpeta directorio paquete módulo servicio pasta cartella
    """.split())  # fmt: skip  # noqa: SIM905
COMPOUND = frozenset("""
    test tests spec specs config configuration settings setting error errors cache caches output outputs input
    option options api docs doc documentation page pages interface helper helpers wrapper wrappers factory state
    name names type types bug bugs issue issues log logs metric metrics registry builder loader handler handlers
    manager service server client plugin plugins extension library lib framework tool tools benchmark benchmarks
    fixture fixtures mock mocks schema rule rules grammar table tables result results event events hook hooks
    version versions dependency comment comments import imports warning warnings message messages timeout timeouts
    limit limits flag flags worker workers queue pool context exception exceptions stage pipeline generator adapter
    mixin util utils suite example examples readme changelog job jobs task tasks endpoint endpoints route routes model
    models view views controller middleware button form dialog style styles theme format formats template templates
    migration migrations stats report reports
    """.split())  # fmt: skip  # noqa: SIM905
"""Nouns that, right after a noun, mean something else than that noun."""
TRAILING = frozenset("""
    off on up down out back over apart together again now today tonight tomorrow asap first please pls properly
    instead too also once soon quickly slightly faster slower cleaner simpler stricter safer smarter better worse
    shorter longer smaller leaner lighter tighter looser robust fast slow strict lenient idempotent async lazy safe
    readable simple consistent thread-safe case-insensitive correctly right away here there anyway already later
    next twice thrice yesterday two three four five ten less more wrong empty bigger wider narrower darker brighter
    higher lower larger thicker thinner louder quieter bolder heavier visible hidden optional configurable dirty
    clean hoch runter rauf herunter hinauf höher niedriger breiter schmaler größer kleiner schneller langsamer
    """.split())  # fmt: skip  # noqa: SIM905
"""After a noun they say how, or when."""
MAKING = frozenset("""
    make makes let lets have has get gets keep help want need see watch mach mache macht lass lasse rends rendre
    rend fais faire laisse haz hacer haga haced deja vuelve pon faça deixe torna rendi fai сделай
    """.split())  # fmt: skip  # noqa: SIM905
"""Verbs whose object is followed by what it is to do or be."""
ASIDE = frozenset("""
    like unlike as than from with without via using per after before beside besides versus vs wie als mit ohne nach
    vor neben comme avec sans après avant como con sin tras com sem come senza dopo как без с
    """.split())  # fmt: skip  # noqa: SIM905
"""Before a noun: it is not what the order is about."""
TELLING = frozenset("""
    email mail message notify call ask inform ping invite bill charge contact thank
    """.split())  # fmt: skip  # noqa: SIM905
"""Before a noun, which may then be a person."""
MODALS = frozenset("""
    should must can could is was has needs does will would cannot shouldn must isn doesn won't still never always
    """.split())  # fmt: skip  # noqa: SIM905
"""Right after a word they tell that it is a noun."""
WITHIN = frozenset("""
    in inside within of for from under im bei von für unter dans de du des sous pour chez del della di en para em do
    da nel nella per в для
    """.split())  # fmt: skip  # noqa: SIM905
"""Before a name: what something belongs to."""
DEICTIC = frozenset("""
    this that these those dieser dieses diesem diesen ce cette cet este esta ese esa questo questa этого этом
    """.split())  # fmt: skip  # noqa: SIM905
AMISS = frozenset("up wrong problem issue bug trouble happening matter los problème pasa".split())  # noqa: SIM905
"""Before `with`: what follows is what it is about."""
PREPOSITIONS = ASIDE | frozenset("""
    in into inside within at on onto for to of by about through over under near across throughout below above behind
    until during against between towards toward around off out against auf bei für zu von
    depuis desde hasta in im am aus ab seit bis gegen über unter
    dans sur sous pour par chez vers de en por para sobre em per su в во на для из к
    """.split())  # fmt: skip  # noqa: SIM905
EXCLUDING = frozenset("""
    not no never without except excluding unlike besides avoid leave skip ignore keep dont don't doesn't nicht kein
    keine keinen ohne außer statt lass pas sans sauf laisse no sin excepto salvo deja não sem exceto non senza
    tranne не кроме без
    """.split())  # fmt: skip  # noqa: SIM905
FLEETING = frozenset("""
    it them they this that these those one ones test tests bug bugs issue issues error errors problem problems
    failure failures crash crashes typo typos fix change changes code file files line lines function functions
    method methods class thing things stuff part parts comment comments warning warnings request diff message value
    values name names word words ticket task tasks todo todos commit branch rest place spot bit way work regression
    exception leak mess something anything everything fehler bug problem problemen sache ding teil stelle datei
    dateien funktion methode klasse code erreur erreurs problème problèmes bogue chose truc partie fichier fichiers
    fonction méthode error errores fallo fallos problema problemas cosa cosas parte archivo archivos fichero
    ficheros función método código erro coisa arquivo errore cosa ошибка ошибку проблему файл код das es ça cela eso
    esto lo ihn ihm
    """.split())  # fmt: skip  # noqa: SIM905
"""Nouns that mean another thing each time they are said."""
VERBS = frozenset("""
    tighten loosen relax bound evict sanitise unbreak rewire harden polish tweak profile trace test cover rework
    revisit unify flatten trim shrink strip validate check verify measure instrument log lint type annotate rethink
    redo rip pull push extend expand stop prevent teach tell tune touch review inspect find look open undo restore
    finish complete continue stabilise stabilize parallelise parallelize vectorise vectorize modernise modernize
    cache memoize batch throttle debounce retry guard protect secure sanitize sanitise escape encode decode reformat
    beautify document comment deprecate restyle redesign rebuild replace align härte prüfe teste messe überarbeite
    säubere glätte repare vérifie teste mesure revois revoir accélère revisa prueba mide acelera limpia comprueba
    поправь проверь ускорь почини перепиши
    """.split())  # fmt: skip  # noqa: SIM905
"""Imperatives beside those of `words.ACTIONS`."""
LEADING = frozenset("""
    please can could would will you we i let lets now then and also ok okay so just hey hi next first finally today
    again kindly quickly maybe bitte kannst könntest jetzt dann und auch mal nun svp peux pourrais puedes podrías
    ahora por favor и пожалуйста теперь need to want should must d ll s t m re have
    """.split())  # fmt: skip  # noqa: SIM905
ROMANCE = frozenset("""
    le la les l des du de ce cette un une et dans est sont pour avec el los las del una y en con por para que está o
    os do da um uma e em não il lo gli di della nel per che
    """.split())  # fmt: skip  # noqa: SIM905
GERMANIC = frozenset("""
    der die das den dem des ein eine einen einem und ist sind bitte nicht im am zum zur mit für auf mach mache auch
    noch ab bei beim vom von ins soll sollen muss müssen fehlt fehlen wird werden hoch runter
    """.split())  # fmt: skip  # noqa: SIM905
ENGLISH = frozenset("""
    the a an and is are to in of for with it please that this on so not make fix when should be our my
    """.split())  # fmt: skip  # noqa: SIM905
OF = frozenset("de des du d della di del dello da do dos das".split())  # noqa: SIM905
"""Before a second noun, which is then part of the first one's name, as in a compound."""
JOINING = frozenset("and or und oder et ou y o e и или".split())  # noqa: SIM905
"""Between two nouns."""
DE = frozenset("de du d des del di della".split())  # noqa: SIM905
"""Those of `OF` that are no number, as `dos` is."""
PREDICATES = frozenset("""
    doesnt didnt isnt wasnt wont cant couldnt shouldnt dont arent hasnt wouldnt hadnt must may might shall ought
    doesn didn isn wasn won couldn shouldn don aren hasn wouldn hadn weren still always never sometimes often keeps
    cannot can't won't doesn't only even currently sadly apparently usa usan falla fallan da pierde pierden tarda va
    van hace hacen debe deben necesita necesitan tiene tienen devuelve ignora acepta rompe lanza carga cuenta sigue
    más muy demasiado tan plante plantent échoue échouent perd perdent prend rame fait font doit doivent renvoie
    ignore accepte lève ne n trop très plus toujours encore marche fonctionne слишком очень работает падает теряет
    опять снова должен должна не медленный медленно ломается пропускает побыстрее быстрее ошибка баг usa falha perde
    demora precisa deve muito fallisce perde deve troppo più
    """.split())  # fmt: skip  # noqa: SIM905
"""Right after a noun they tell something of it, and are no part of its name."""
FINITE = frozenset("""
    is are was were has have had should must needs need can cannot could will would does did may might shall isn't
    aren't wasn't shouldn't won't can't doesn't didn't isnt arent wasnt shouldnt wont cant doesnt didnt wants keeps ist
    sind war waren hat haben soll sollte sollen muss müssen kann können wird werden darf dürfen braucht brauchen est
    sont était a ont doit doivent devrait peut peuvent va vont es son está están era ha han debe deben debería puede
    pueden necesita necesitan tiene tienen va van é são tem deve devem pode è deve può должен должна должны
    """.split())  # fmt: skip  # noqa: SIM905
"""Right behind a noun that opens a sentence they make it the subject."""
ASKING = frozenset("can could should does did do will would must may might".split())  # noqa: SIM905
"""Before a noun with its article they ask what it does."""
PAST = frozenset("""
    went broke took lost got came ate hung died did said gave left kept made put ran saw sent wrote threw fell grew
    stuck froze began spun shut hit cut let
    """.split())  # fmt: skip  # noqa: SIM905
SUBORDINATING = frozenset("""
    when whenever if that because since while once until why how where whether think before after dass wenn weil ob
    warum sobald que quand si lorsque parce cuando porque dès puisque mientras aunque se quando perché
    """.split())  # fmt: skip  # noqa: SIM905
"""Before a noun with its article: it is the subject of a clause."""
NOBODY = frozenset("""
    nothing none someone somebody anyone anybody everyone everybody nobody people there niemand jemand alles nichts
    man personne quelqu rien nada nadie alguien todo
    """.split())  # fmt: skip  # noqa: SIM905
"""They open a sentence and name nothing."""
LABELS = frozenset("""
    note todo fixme bug feat fix chore docs refactor perf question task context hint ps btw next goal idea wip issue
    problem edit update request reminder summary title hinweis frage aufgabe ziel idee remarque question tâche nota
    pregunta tarea idea hi hey hello hallo bonjour hola
    """.split())  # fmt: skip  # noqa: SIM905
"""Before a colon they say what sort of thing follows."""
NOUNS_TOO = frozenset("""
    retry cache batch profile test log type trace guard comment document push pull review lint debounce throttle report
    import export build search filter sort load print format index sync queue upload download login checkout release
    backup restore update
    """.split())  # fmt: skip  # noqa: SIM905
"""Orders that are the first part of many compounds."""
PROPERTIES = frozenset("""
    colour color colours colors margin margins padding width height size sizes limit limits timeout timeouts delay
    delays interval intervals threshold thresholds speed rate rates label labels title titles font fonts name names
    order default defaults value values count counts length depth spacing border borders background text texts message
    messages wording position alignment icon icons output format layout behaviour behavior performance memory latency
    precision tolerance level levels range style styles
    farbe farben rand ränder breite höhe größe grenze grenzwert zeitlimit verzögerung intervall schwelle schwellwert
    geschwindigkeit beschriftung titel schrift name namen reihenfolge standardwert wert werte anzahl länge abstand
    hintergrund text texte position couleur couleurs marge marges largeur hauteur taille limite limites délai
    intervalle seuil vitesse étiquette titre police nom ordre valeur valeurs nombre longueur fond texte position
    color colores margen márgenes ancho alto altura tamaño límite tiempo retraso intervalo umbral velocidad etiqueta
    título fuente nombre orden valor valores número longitud fondo texto posición cor largura tamanho colore margine
    larghezza altezza цвет размер лимит скорость ширина
    """.split())  # fmt: skip  # noqa: SIM905
"""Nouns of what a thing has: what they belong to is the thing spoken of."""
LIGHT = frozenset("use rid track care advantage hold charge count stock notice control".split())  # noqa: SIM905
"""Before `of` they are part of a verb: what follows is its object."""
MEASURES = frozenset("second minute hour day week month year bit little lot".split())  # noqa: SIM905
"""Behind an article they say how much, or when."""
MONTHS = frozenset("""
    january february april june july august september october november december januar jänner februar märz mai
    juni juli oktober dezember janvier février avril juin juillet août septembre octobre novembre décembre enero
    febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre monday tuesday wednesday
    thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    """.split())  # fmt: skip  # noqa: SIM905
"""They say when."""
LASTING = frozenset("""
    value values name names word words message messages line lines comment comments warning warnings task tasks
    request requests namen wert werte
    """.split())  # fmt: skip  # noqa: SIM905
"""Of `FLEETING` those that an answer can settle for long."""
OWNERLESS = frozenset("""
    app application project program system user users team repo repository server site website code projekt programm
    projet programme proyecto programa
    """.split())  # fmt: skip  # noqa: SIM905
"""Owners that tell nothing of what they own."""
REDEFINING = (
    r"i mean|we mean|i meant|from now on|this time|changed my mind|as of (?:today|now)|not the usual"
    r"|when i say|call it|(?:is|are) (?:what )?i call|we call|i call|meaning the|by which|which now means"
    r"|used to (?:be|mean)|mind you"
    r"|(?:is|are) now (?!slow|too|very|fast|broken|failing|ready|done|fine|\w+ing\b)"
    r"|now (?:is|means|refers|lives|stands)|means (?:the|that|this|now)|stands for|refers to"
    r"|no longer (?:mean|refer|is|are|stand|live|belong|the|in\b)|(?:is|are) no longer (?!\w+(?:ing|ed)\b)"
    r"|(?:isn.?t|is not|aren.?t) (?!\w+(?:ing|ed)\b).{0,30}\bany ?more|(?:is|are) (?:actually|called|renamed)"
    r"|(?:was|were|has|have|is|are|got|been) (?:been )?(?:moved|renamed|replaced)|moved to"
    r"|lives (?:in|at|under)|will mean|(?:has )?bec[oa]me|(?:ist|sind) (?:jetzt|nun|ab) (?!langsam|zu|sehr)"
    r"|heißt jetzt|heisst jetzt|meine ich|meinen wir|steht für|bedeutet"
    r"|(?:ist|sind|meint|heißt|bedeutet) nicht mehr|ab (?:jetzt|sofort|heute)|diesmal|dieses mal|liegt jetzt"
    r"|bezeichnet|umgezogen|est (?:maintenant|désormais|devenu)|désormais|dorénavant|j.entends|je veux dire"
    r"|je parle|désigne|signifie|n.est plus|cette fois|à partir de maintenant|veut dire|(?:es|está) ahora"
    r"|ahora es|ya no (?:es|significa|está)|me refiero|quiero decir|significa|esta vez|a partir de ahora"
    r"|de ahora en adelante|se refiere|agora é|não é mais|quero dizer|desta vez|a partir de agora"
    r"|(?:ora|adesso) è|non è più|intendo|questa volta|d.ora in poi|теперь|больше не (?:значит|означает|это)"
    r"|имею в виду|на этот раз|означает|отныне"
)
"""In the same sentence as a noun: the user says anew what it means. Regular expressions."""
EXPLAINING = r"i\.e\.|namely|specifically|as in the|instead(?! of)|stattdessen|à la place|en cambio|that is,"
"""The user may say it anew."""
