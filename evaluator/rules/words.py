"""The words of bans and of orders that lift them, per language, as data. Nothing here decides.

Each value is a regular expression over folded text (NFKC, casefolded, plain quotes). `neg` denies what stands beside it;
`subject` makes of a denial a statement ("I don't"); `touch` is what is done to files, `alone` forbids it in one phrase;
`only` and `beyond` limit the work to what is named; `halt` forbids to act at all and has to match a whole clause;
`goes` lets the agent act again; `polite` opens a question that is an order; `filler` says nothing of an object.
"""

from __future__ import annotations

ACTS: dict[str, str] = {
    "commit": r"\bcommit(?:s|te[rzn]?|ten|ting|tare|ear|ees|er|ez|e|a|ar|es)?\b|\beinchecken\b|коммит\w*|закоммит\w*|提交|コミット"
    r"|커밋|कमिट",
    "push": r"\b(?:force[- ]?)?push(?:es|e|en|ing|er|ez|t|are|ear|a|ar)?\b|\bsub(?:as|ir|a)\b|\bpousse[rz]?\b|(?<!\w)(?:за)?пуш\w*|推送|プッシュ"
    r"|푸시|पुश",
    "stash": r"\bstash(?:es|e|en|ing|er|ear)?\b|стэш\w*|暂存|スタッシュ|스태시|स्टैश",
    "merge": r"\bmerg(?:e|es|en|ing|er|ear|iar|ia|iare)\b|\bfusionne[rz]?\b|мерж\w*|смерж\w*|合并|マージ|머지|병합|मर्ज",
    "rebase": r"\brebas(?:e|es|en|ing|er|ear)\b|ребейз\w*|变基|リベース|리베이스|रीबेस",
    "amend": r"\bamend(?:e|en|ing)?\b",
    "tag": r"\b(?:git )?tags?\b(?= (?:it|the|a|anything|release)|$)",
    "pr": r"\b(?:pull[- ]?requests?|prs?|merge[- ]?requests?)\b|пулл?-?реквест\w*|プルリク\w*|풀 ?리퀘스트|पुल रिक्वेस्ट",
    "comment": r"\bpost(?:ing)? (?:anything|something|it)\b|\bcomment(?:ing)? on\b|\b(?:post(?:ing)?|leave|leaving|write|reply|respond)\b.{0,20}\b(?:comments?|repl(?:y|ies)|reviews?)\b",
    "deploy": r"\bdeploy(?:s|en|ing|ar|er|e|a)?\b|\bdéplo(?:ie|yer|yez)\b|\bdesplieg\w+|\bdesplegar\b|\bimplantar?\b"
    r"|деплой\w*|задеплой\w*|部署|デプロイ|배포|डिप्लॉय",
    "publish": r"\b(?:publish(?:es|ing)?|releas(?:e|es|ing))\b|veröffentlich\w*|\bpubli(?:e|er|ez|ca|car|que|ques|care)\b"
    r"|публик\w+|发布|公開|リリース|게시|प्रकाशित",
    "install": r"\b(?:upgrad(?:e|ing)|updat(?:e|ing)|bump(?:ing)?|add(?:ing)?)(?: any| the| our| new)* (?:deps?|dependenc\w+|packages?|libs?|libraries)\b|\b(?:install(?:s|ing|ier\w*|e[rz]?|a|are|ar|es|i)?|add(?:ing)?(?: any| new)* (?:packages?|dependenc\w+))\b"
    r"|\b(?:new |neuen? |nouvelles? |nuevas? |novas? |nuove )(?:dependenc\w+|packages?|abhängigkeiten|dépendances"
    r"|dependencias|dependências|dipendenze)\b|\binstal\w+|установ\w+|устанавлива\w+|安装|インストール|설치|इंस्टॉल",
    "delete": r"\b(?:delet(?:e|es|ing)|remov(?:e|es|ing)|rm|eras(?:e|ing))\b|\blösch\w*|\bsupprime[rz]?\b|\bborr(?:es|ar|e|a)\b"
    r"|\belimin\w+|\bapag(?:ue|ar|ues|a)\b|\bcancella\w*|удаля\w+|удали\w*|删除|刪除|削除|삭제|지우|हटा[\u0900-\u097f]*|मिटा[\u0900-\u097f]*|डिलीट",
    "rename": r"\brenam(?:e|es|ing)\b|\bumbenenn\w*|\brenomme[rz]?\b|\brenombr\w+|\brenome\w+|\brinomina\w*|переименов\w+"
    r"|重命名|リネーム|이름을? ?(?:바꾸|변경)|नाम बदल[\u0900-\u097f]*",
    "branch": r"\b(?:creat(?:e|ing)|make|switch|open)\b.{0,16}\bbranch(?:es)?\b|\bnew branch(?:es)?\b|\bneuen? branch\b",
    "close": r"\bclos(?:e|ing)\b.{0,12}\b(?:issues?|prs?|tickets?|pull requests?)\b",
    "restart": r"\b(?:re)?(?:start|boot)(?:ing)?\b.{0,14}\b(?:server|service|app|machine|container|daemon|it)\b|\bstop(?:ping)? the (?:server|service)\b",
    "migrate": r"\b(?:run|execute|apply|ejecut\w*|lanc\w*|lanz\w*|exécut\w*|eseg\w*|rod[ae]\w*|execut\w*)(?:ning|ing)?(?: any| the| las| les| as| le)* migra\w+|\bmigrationen (?:ausführen|laufen)"
    r"|(?:запуск\w*|накатыва\w*|применя\w*) миграц\w*|(?:运行|执行|跑)迁移|マイグレーションを?(?:実行|流)|마이그레이션(?:을)? ?(?:실행|돌리)",
    "create": r"\b(?:creat(?:e|es|ing)|add(?:ing)?|make|making|writ(?:e|ing))(?: any| a| more)* (?:new |extra |additional )?"
    r"files?\b|\bnew files?\b|\bneuen? dateien?\b|\bnouveaux? fichiers?\b|\bnuevos? archivos?\b|\bnovos? arquivos?\b"
    r"|\bnuov[io] file\b|новы[хйе]\w* файл\w*|新文件|新しいファイル|새 ?파일|नई फ़ाइल[\u0900-\u097f]*",
}
"""{act: how it is spoken of in any of the languages}"""

DOES: dict[str, str] = {
    "commit": r"\bgit\b.*\bcommit\b",
    "push": r"\bgit\b.*\bpush\b",
    "stash": r"\bgit\b.*\bstash\b(?! (?:list|show))",
    "merge": r"\bgit\b.*\bmerge\b(?!-)|\bgh\b.*\bpr merge\b",
    "rebase": r"\bgit\b.*\brebase\b",
    "amend": r"\bgit\b.*\bcommit\b.*--amend\b",
    "tag": r"\bgit\b.*\btag\b",
    "pr": r"\b(?:gh|hub)\b.*\b(?:pr|pull-request) (?:create|new|merge|ready|edit|close)\b|\bglab\b.*\bmr create\b",
    "comment": r"\bgh\b.*\b(?:comment|review)\b|\bgh api\b.*\b(?:comments|replies|reviews)\b",
    "deploy": r"\bdeploy|\bkubectl\b.*\b(?:apply|rollout)\b|\bterraform\b.*\bapply\b|\bhelm\b.*\b(?:install|upgrade)\b",
    "publish": r"\b(?:npm|yarn|pnpm|cargo|poetry|uv)\b.*\bpublish\b|\btwine upload\b|\bgh\b.*\brelease create\b|\bgem push\b",
    "install": r"\b(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|brew|apt(?:-get)?|gem|composer|dnf|pacman|apk)\b.*"
    r"\b(?:install|i|add|get)\b",
    "delete": r"\b(?:rm|rmdir|unlink|shred)\b|\bgit\b.*\brm\b",
    "rename": r"\bmv\b",
    "branch": r"\bgit\b.*\b(?:branch [^-]|checkout -[bB]|switch -[cC])",
    "close": r"\bgh\b.*\b(?:issue|pr) close\b|\bglab\b.*\bclose\b",
    "restart": r"\bsystemctl (?:re)?(?:start|stop)\b|\b(?:re)?start\b|\breboot\b|\bdocker\b.*\brestart\b",
    "migrate": r"\bmigrate\b|\bdb:migrate\b|\bmigration\w*\b|\balembic upgrade\b|\bflyway\b",
    "create": r"(?!)",
}
"""{act: the commands that do it}"""

KINDS: dict[str, tuple[str, str]] = {
    "tests": (
        r"\b(?:unit |integration |e2e )?tests?\b|\bspecs?\b|\btest ?(?:files?|suites?|cases?|dateien|code)\b|\bpruebas\b"
        r"|\btestes\b|тест\w*|测试|テスト|테스트|टेस्ट[\u0900-\u097f]*|परीक्षण",
        r"(?:^|/)(?:tests?|__tests__|specs?|testing|e2e)/|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*[._-](?:test|spec|tests)\.[^/]+)$",
    ),
    "fixtures": (
        r"\b(?:fixtures?|fixture-dateien)\b|фикстур\w*|フィクスチャ|픽스처|फिक्स्चर",
        r"(?:^|/)[^/]*fixtures?(?:/|[^/]*$)",
    ),
    "snapshots": (
        r"\bsnapshots?\b|снапшот\w*|快照|スナップショット|스냅샷",
        r"__snapshots__/|\.snap$|(?:^|/)snapshots?/",
    ),
    "migrations": (
        r"\b(?:db |database )?migrations?\b|\bmigrationen\b|\bmigrationsdateien\b|\bmigraciones\b|\bmigrações\b"
        r"|\bmigrazioni\b|миграци\w*|迁移|マイグレーション|마이그레이션|माइग्रेशन[\u0900-\u097f]*",
        r"(?:^|/)(?:migrations?|migrate|alembic)/|(?:^|/)[^/]*migrations?[^/]*$",
    ),
    "docs": (
        r"\b(?:docs?|documentation|readmes?)\b|\bdoku(?:mentation)?\b|\bdocumentación\b|\bdocumentação\b"
        r"|\bdocumentazione\b|документаци\w*|ридми|文档|ドキュメント|문서|दस्तावेज़[\u0900-\u097f]*|डॉक्स",
        r"(?:^|/)docs?/|(?:^|/)readme[^/]*$|\.(?:md|mdx|rst|adoc)$",
    ),
    "config": (
        r"\b(?:configs?|configuration|config ?files?)\b|\bkonfig(?:uration)?(?:sdatei(?:en)?)?\b|\bconfiguración\b"
        r"|\bconfiguração\b|\bconfigurazione\b|конфиг\w*|配置(?:文件)?|設定(?:ファイル)?|설정(?: ?파일)?|कॉन्फ़िग[\u0900-\u097f]*",
        r"(?:^|/)(?:configs?|settings|conf)(?:/|\.[^/]+$)|\.(?:toml|ini|cfg|conf|ya?ml)$|config\.[cm]?[jt]s$|(?:^|/)\.env",
    ),
    "lockfile": (
        r"\block[- ]?(?:files?|datei(?:en)?)\b|лок-?файл\w*|锁文件|ロックファイル|락 ?파일|लॉक ?फ़ाइल",
        r"(?:\.lock|-lock\.(?:json|yaml)|lock\.json|\.sum|\.lockb)$",
    ),
    "generated": (
        r"\b(?:auto-?)?generated (?:files?|code|sources?)\b|\bgenerierte\w*\b|\b(?:fichiers|code) générés?\b"
        r"|\b(?:archivos|código) generados?\b|\b(?:arquivos|código) gerados?\b|\b(?:file|codice) generat[io]\b"
        r"|сгенерированн\w*|生成(?:的|された)\s*(?:文件|代码|ファイル|コード)|생성된 ?(?:파일|코드)",
        r"(?:^|/)(?:generated|gen|__generated__)/|[._](?:generated|gen|pb|pb2)\.[^/]+$|_pb2(?:_grpc)?\.py$",
    ),
    "ci": (
        r"\b(?:ci|ci/cd|workflows?|pipelines?|github actions)\b|流水线|ワークフロー|워크플로우?|वर्कफ़्लो",
        r"(?:^|/)\.github/|(?:^|/)\.gitlab-ci|(?:^|/)\.circleci/|jenkinsfile$|(?:^|/)ci/",
    ),
    "schema": (
        r"\b(?:schemas?|db schema)\b|\bschéma\b|\besquema\b|схем[аыуе]\b|スキーマ|스키마|स्कीमा",
        r"(?:^|/)[^/]*schema[^/]*(?:/|$)",
    ),
    "env": (
        r"(?<!\w)\.?env (?:files?|datei(?:en)?)\b|\bsecrets\b|环境变量文件",
        r"(?:^|/)\.env(?:\.[^/]*)?$|(?:^|/)secrets?[^/]*(?:/|$)",
    ),
    "styles": (
        r"\b(?:styles|stylesheets?|css)\b|\bstyles?heets\b|样式|スタイル|스타일|стил[ия]\b",
        r"\.(?:css|scss|sass|less)$|(?:^|/)styles?/",
    ),
    "vendor": (
        r"\b(?:vendor(?:ed)?(?: (?:code|files?|directory|folder))?|third[- ]party(?: code)?)\b",
        r"(?:^|/)(?:vendor|third_?party)/",
    ),
    "frontend": (
        r"\b(?:front-?end|ui code)\b|前端|フロントエンド|프론트엔드|фронтенд\w*",
        r"(?:^|/)(?:front-?end|web|client|ui)/",
    ),
    "backend": (
        r"\b(?:back-?end|server code)\b|后端|バックエンド|백엔드|бэкенд\w*",
        r"(?:^|/)(?:back-?end|server|api)/",
    ),
}
"""{kind of file: (how it is spoken of, the paths that are of it, folded and relative to the project)}"""

LANGUAGES: dict[str, dict[str, str]] = {
    "en": {
        "neg": r"(?:i (?:do not|don'?t|dont) want (?:you to|any)|(?:we|you) (?:do not|don'?t|dont) need to|do not|don'?t|dont|do n't|never|must ?n[o']t|mustnt|must never|should ?n[o']t|shouldnt|should never"
        r"|can ?not|can'?t|may not|not to|not|no|without|avoid|refrain from|stop|quit|skip|hold off(?: on)?|no need to"
        r"|you are not (?:allowed )?to|you're not (?:allowed )?to|nobody may|do nothing to|doesn't need)",
        "subject": r"(?:i|we|they|it|he|she|this|that|which|who|there|these|those)\b(?! (?:(?:do not|don'?t|dont) (?:want (?:you|any)|need)|said|told|asked|want|need|repeat))",
        "touch": r"(?:touch|edit|chang|modif|alter|overwrit|rewrit|mess(?:ing)? with|fiddle with|tamper with|go near|chang|refactor"
        r"|reformat|format|update|rename|remove|delete|move|write (?:to|in|into|anything (?:to|in))|writing (?:to|in|into)"
        r"|adjust|tweak|patch|fix|open|commit to|work (?:on|in)|put anything (?:in|into)|add (?:anything )?to|regenerat)"
        r"(?:y|e|es|ed|ing|ying|ting)?(?: any(?:thing|thing else)?(?: in| inside| under| within)?)?(?= |$)",
        "alone": r"(?:leave|keep|let)\b(?P<what>.+?)\b(?:alone|as (?:is|it is|they are|it was)|untouched|unchanged|in peace"
        r"|out of (?:it|this)|intact|be|frozen|how it is|the way (?:it is|they are))(?: .{0,20})?"
        r"|(?:keep (?:your )?)?hands off(?: of)?(?P<what1>.+)|(?:stay|keep)(?: well)? (?:out of|away from|clear of|off)(?P<what2>.+)"
        r"|(?P<what3>.+?)(?: folder| directory| file)?s? (?:is|are|stays?|remains?|has to stay|have to stay|must stay|should stay)"
        r" (?:off[- ]limits|untouched|unchanged|as (?:is|it is|they are)|frozen|taboo|read[- ]?only|out of (?:bounds|scope))"
        r"|(?P<what4>.+?) (?:must|should|may|can|is|are)(?: not|n't|not|nt| never)(?: to)?(?: be)?"
        r" (?:touched|changed|edited|modified|altered|moved|renamed|deleted|change)"
        r"|(?:leave|ignore|exclude)(?P<what5> [^ ]+(?: [^ ]+)?)|(?:make|do) no (?:changes?|edits?|modifications) (?:to|in|on)(?P<what6>.+)"
        r"|no (?:changes?|edits?|modifications) (?:to|in|on)(?P<what7>.+)",
        "except": r"(?:but not|and not|not|except(?: for)?|excluding|other than|apart from|but no|everything but|all but"
        r"|with the exception of)(?: in| for| to| the ones in| anything in)?(?P<what>.+)",
        "only": r"(?:(?:you|we) (?:may|can|should|must|are to) )?(?:\w+ )?(?:only|solely|strictly|exclusively|nothing but|nothing except)\b"
        r"(?! (?:touches|changes|edits|modifies|works|affects|fails|applies|uses|needs|runs|is|are|was|has|does|happens)\b)(?P<what>.+)|(?P<what1>.+?)\bonly"
        r"|(?:stay|keep|remain)(?: strictly| only)? (?:in|inside|within)\b(?P<what2>.+)"
        r"|(?:limit|restrict|confine|stick)\b.{0,24}?\b(?:in|inside|within|to)\b(?P<what3>.+)",
        "beyond": r"(?:anything|nothing|any files?|files|no (?:changes|edits|files)|code|everything)(?: that is| that's| else)?"
        r"(?: outside(?: of)?| but| except(?: for)?| other than| beyond| else than| apart from)(?P<what>.+)",
        "halt": r"(?:hold off|refrain from|no more)(?: on| from)?(?: any| all| making| the)* (?:changes|edits|writes|work|modifications)(?: .*)?|nothing (?:should|must|may|is to|shall|gets?|can) (?:be )?(?:changed|modified|touched|edited|written|committed)(?: .*)?"
        r"|(?:without|not) (?:changing|touching|editing|modifying|writing) (?:anything|any (?:files?|code))(?: .*)?|(?:do not|don'?t|dont) (?:continue|go on|go further|proceed)(?: .*)?"
        r"|(?:(?:please |just )?(?:stop|halt|wait|hold (?:on|it|off|up)|pause|freeze|abort)"
        r"(?: (?:here|there|it|now|right|everything|please|a|sec|second|minute|moment|for|me|up|working|what|you|are"
        r"|you're|doing|this|that|all|work|immediately|at|once|until|i|say|so|with|the))*)"
        r"|stop (?:editing|changing|writing|coding|modifying|touching|making|implementing|doing)"
        r"(?: (?:any|more|the|my|code|files?|changes?|anything|things|edits|stuff|this|that|it|now|please))*"
        r"|(?:do not|don'?t|dont|never|not|without)(?: you)?(?: (?:actually|even|dare|yet|just|go and))*"
        r" (?:(?:do|chang|edit|writ|touch|modify|implement|mak|apply|creat|execut|run|alter|build|add)(?:e|ing)? "
        r"(?:anything|any (?:code|changes?|edits?|files?)|code|changes|edits|nothing|files)|(?:implement|code|start|begin|act|proceed)"
        r"(?:ing)?(?: (?:it|this|that|anything|coding|implementing|working|writing|the work))?|(?:do|change|write|touch|edit|apply|make)"
        r" (?:it|this|that|the code|code))(?P<until> .*)?"
        r"|no (?:more )?(?:code|coding|changes|code changes|edits|editing|writes|writing|implementation|implementing|modifications"
        r"|file changes|write operations|action|acting)(?: (?:needed|necessary|required|please|allowed|at all|whatsoever|to files"
        r"|to the code|anywhere))*(?P<until1> .*)?"
        r"|(?:plan|planning|review|read|analysis|discussion|research|explanation|answer|answers|question|investigation|audit"
        r"|advice|brainstorm\w*)[- ]only(?: .{0,30})?|(?:only|just) (?:a |an )?(?:plan|review|answer|analysis|opinion"
        r"|explanation|question|discussion|proposal)(?: .{0,20})?"
        r"|(?:only|just) (?:answer|explain|tell me|plan|review|discuss|describe|analy[sz]e|investigate|research|brainstorm"
        r"|advise|reply)(?: .*)?|(?:answer|reply|review|plan|explain)(?: \w+){0,3} only"
        r"|(?:(?:let's|we) )?(?:plan|propose|discuss|outline|talk|brainstorm|ask|think|(?:show|give|send|write|make|draft|present"
        r"|tell|bring|sketch)(?: me| us| up| out)?(?: a| the| your)?(?: short| rough| detailed)*"
        r" (?:plan|proposal|design|outline|diff|approach|idea|options?|sketch))(?: .{0,30})? first(?: .{0,40})?"
        r"|(?:ask|check with|consult|show|tell|wait for) (?:me|my).{0,40}\bbefore(?: you)? (?:\w+ ){0,2}"
        r"(?:do|chang|edit|writ|touch|modify|implement|mak|code|coding|act|apply|start|anything)\w*(?: .*)?"
        r"|before(?: you)? (?:writ|chang|edit|touch|modify|implement|cod|start)\w*(?: \w+){0,3}"
        r"|(?:this|that|it)(?:'s| is) (?:just|only) a question|(?:i'm|i am) (?:just|only) (?:asking|curious|wondering)(?: .*)?"
        r"|(?:this is|it's|treat (?:this|it) as|consider (?:this|it)) (?:a |an )?(?:purely )?(?:read|review|planning|plan|question|analysis)[- ]only(?: .*)?"
        r"|(?:i(?:'d| would)? (?:want|need|like)|give|show|send|write|make|draft|present|bring|sketch|outline|propose)\b.{0,24}\b(?:plan|proposal|design|outline|approach"
        r"|idea|options?|sketch)\b.{0,24}\bbefore\b.*|before .{0,30}\b(?:cod|writ|chang|edit|implement|touch)\w*.*"
        r"|let me (?:review|see|check|approve|look at|read|think|confirm)\b.*\b(?:before|first)\b.*|(?:make|do|write|apply|perform) no (?:changes?|edits?|code|modifications|writes)(?: .*)?"
        r"|(?:do not|don'?t|dont|never) (?:edit|change|write|touch|modify|implement|act|do|apply|fix|code|commit to anything)(?P<until2> (?:yet|for now|until|before|right now|now|just yet).*)"
        r"|(?:do not|don'?t|dont|never) (?:apply|fix|implement|execute) (?:it|this|that|them|the (?:fix|change|changes|plan)|any of (?:it|this|them))(?: .*)?"
        r"|(?:keep|stay) in (?:plan|read[- ]only) mode|plan mode(?: please| only)?|read[- ]only(?: .{0,20})?|not yet|dry[- ]run only",
        "goes": r"^(?:yes|yep|yeah|yup|ok(?:ay)?|sure|go(?: ahead| on| for it)?|do it|proceed|continue|approved?|lgtm|sounds good"
        r"|looks good|perfect|great|ship it|fine|implement|start|make it so|resume|carry on|you (?:can|may)|now|alright|good)\b",
        "polite": r"(?:can|could|would|will) (?:you|we)|couldn't we|please|let's|i want|i'd like|you (?:can|may|should)",
        "lead": r"(?:please|pls|plz|and|but|also|so|ok(?:ay)?|then|now|again|still|just|oh|hey|yes|well|however|important(?:ly)?|note"
        r"|nb|reminder|remember|make sure(?: to| you| that you)?|be (?:careful|sure)(?: to)?|i (?:said|told you|asked you|repeat)(?: to)?"
        r"|i(?:'d| would)? (?:want|like|need) you to|you (?:must|should|are to|have to|need to)|for now|today|this time|in general"
        r"|absolutely|under no circumstances|whatever you do|by the way|btw|one thing|rule|careful|warning|attention|seriously"
        r"|really|ever|always|as a rule|though|or|nor|while at it|meanwhile|for this(?: task| change| one)?|in this (?:task|change|session))",
        "filler": r"the|a|an|any|anything|all|this|that|it|them|these|those|my|our|your|its|please|yet|now|for|at|of|in|to|on|ever"
        r"|files?|folders?|director(?:y|ies)|dirs?|code|changes?|edits?|stuff|things?|still|whatsoever|existing|current|old|everything"
        r"|either|too|also|until|i|say|so|me|my|ok|okay|approval|approve|asking|without|before|again|and|or|nor|by|yourself|automatically"
        r"|auto|make|making|create|creating|open|opening|do|run|running|git|gh|actually|just|more|new|you|be|is|are|here|there|if|not"
        r"|explicit(?:ly)?|permission|i've|i have|reviewed|review|reviewed|told|tell|ask|asked|unless|explicitly|directly|us|we|have|has|had|time|being"
        r"|under|inside|within|from|as|with|when|done|finished|work|myself|will|i'll|today|under|remote|local|repo|repository|branch"
        r"|modules?|packages?|layer|part|parts|side|versions?|single|one|else|let|leave|keep|alone|want|need|must|should|ones?|touch"
        r"|change|edit|modify|post|write|add|additional|extra",
    },
    "de": {
        "neg": r"\b(?:mache?|übernehme?) ich\b|\b(?:verboten|untersagt|nicht|nichts|nie|niemals|keine?[nmrs]?|ohne|bloß nicht|auf keinen fall|weder)\b|\bwarte\b.*\bmit\b",
        "subject": r"\b(?:ich habe|ich hab|wir haben|sie haben|er hat|es (?:gibt|ist|wird))\b",
        "touch": r"\b(?:fass\w*|anfass\w*|anzufassen|änder\w*|ändern|verändere?\w*|bearbeit\w*|rühr\w*|anrühr\w*|anzurühren|editier\w*"
        r"|überschreib\w*|modifizier\w*|anpass\w*|berühr\w*|umbau\w*|verschieb\w*|umbenenn\w*|lösch\w*|ran|dran|schreib\w*|angefasst"
        r"|geändert|angerührt|verändert|bearbeitet)\b",
        "alone": r"\b(?:finger weg|hände weg)\b|\blass\w*\b.*\b(?:in ruhe|wie (?:es|sie|er) (?:ist|sind)|unverändert|so)\b"
        r"|\b(?:bleib\w*|bleiben)\b.*\b(?:unverändert|unangetastet|unberührt|wie (?:sie|es|er) (?:sind|ist)|tabu)\b|\btabu\b"
        r"|\b(?:halt dich|bleib)\b.*\b(?:fern|raus|weg)\b",
        "except": r"(?:aber )?(?:nicht (?:die|das|den|der|dem|in|im)|außer|ausgenommen|bis auf|mit ausnahme)(?P<what>.+)",
        "only": r"\b(?:nur|ausschließlich|lediglich|beschränk\w*)\b",
        "beyond": r"\b(?:nichts|keine \w+)\b.*\baußerhalb\b|\bnichts (?:anderes )?(?:außer|als)\b",
        "halt": r"ohne (?:etwas|irgend\w+|was) zu (?:ändern|verändern|schreiben|bearbeiten)|mach nicht weiter|(?:bitte )?(?:stop+|halt|warte|wart|moment|abbrechen|pause|aufhören|hör auf)(?: (?:mal|bitte|kurz|damit|sofort|jetzt|noch|hier"
        r"|auf|einen|moment|mit|allem))*|(?:bitte |jetzt )?(?:noch )?(?:keinen?|kein) (?:code|änderungen|änderung|zeile code|implementierung"
        r"|dateien|edits)(?: .*)?|.*\b(?:noch )?nichts? (?:ändern|schreiben|anfassen|umsetzen|implementieren|machen|tun|bearbeiten)(?: .*)?"
        r"|(?:änder\w*|schreib\w*|mach\w*|fass\w*|tu) (?:bitte )?(?:noch |erst ?mal |jetzt )?(?:nichts|keinen code)(?: .*)?|.*\bnoch nicht"
        r" (?:implementier\w*|anfangen|umsetzen|loslegen|coden|ändern|schreiben)(?: .*)?|implementier\w* (?:das |es )?noch nicht(?: .*)?"
        r"|(?:erst(?: ?mal)?|zuerst|zunächst) (?:nur )?(?:ein(?:en)? )?(?:plan|planen|vorschlag|besprechen|diskutieren|fragen)(?: .*)?"
        r"|(?:zeig|gib|mach|schreib|schick|erstell)\w* (?:mir |uns )?(?:bitte )?(?:zuerst|erst ?mal|erst|zunächst|vorher)\b.*\b(?:plan|vorschlag|entwurf|konzept)\b.*"
        r"|.*\b(?:plan|vorschlag)\b.*\b(?:zuerst|erst ?mal|vorab|bevor du .*)|(?:nur|bloß) (?:einen? )?(?:planen|plan|antworten|antwort|erklären"
        r"|review\w*|prüfen|analysieren|analyse|beantworten|eine frage|frage|durchsehen|lesen)(?: .*)?|(?:antworte|erklär\w*|beantworte|analysier\w*"
        r"|prüf\w*|plan\w*|sag mir|lies|schau\w*) (?:mir )?(?:bitte )?(?:nur|bloß|einfach nur)(?: .*)?|nur .*\b(?:antworten|beantworten|erklären|planen"
        r"|prüfen|lesen|reviewen|analysieren)",
        "goes": r"^(?:ja|ok(?:ay)?|mach|los|gut|passt|weiter|leg los|einverstanden|genehmigt|jetzt|du (?:darfst|kannst)|setz|klar|super|perfekt)\b",
        "polite": r"kannst du|könntest du|würdest du|bitte|lass uns|du (?:kannst|darfst|sollst)",
        "lead": r"bitte|und|aber|auch|also|jetzt|ok|nochmal|ja|nein|wichtig|denk dran|achtung|oder|dabei",
        "filler": r"der|die|das|den|dem|des|ein|eine|einen|noch|bitte|mal|jetzt|erst|und|oder|in|im|auf|an|zu|es|sie|ihn|dabei|daran|davon"
        r"|datei|dateien|ordner|verzeichnis|selbst|automatisch|etwas|alles|machen|mach|tu|tun|wird|werden|du|sollst|darfst|ich|sage|bis|sag"
        r"|mehr|einfach|hier|heute|auch|aber|irgendwas|irgendetwas|soll|sollen|darf|dürfen|muss|von|vom|mir|mit|bleiben|bleibt|so|wie|sind|ist"
        r"|git|änderungen|ruhe|meine|meinen|unsere|code|ohne|freigabe|absprache|vorher|erstellen|öffnen|aufmachen|ausführen|führ|aus|stand|remote",
    },
    "fr": {
        "neg": r"\b(?:interdi\w*|défense|ne|n'|pas|jamais|sans|aucune?|rien|non)(?:\b|(?<='))",
        "subject": r"\b(?:je n'ai|j'ai|nous|ils|il y a|on n'a|ça|c'est)\b",
        "touch": r"\b(?:touch\w*|modifi\w*|chang\w*|édit\w*|edit\w*|alt[eé]r\w*|écras\w*|réécri\w*|renomm\w*|supprim\w*|déplac\w*|écri\w*|retouch\w*)\b",
        "alone": r"\blaiss\w*\b.*\b(?:tranquilles?|tels? quels?|telles? quelles?|intacte?s?|comme|de côté)\b|\bbas les pattes\b|\bintouchables?\b"
        r"|\bhors limites?\b|\b(?:rest\w*|doi\w* rester)\b.*\b(?:intacte?s?|inchangée?s?|tels? quels?|telles? quelles?)\b",
        "except": r"(?:mais |et )?(?:pas (?:les?|la|l'|aux?|dans)|sauf|hormis|excepté|à l'exception d\w+)(?P<what>.+)",
        "only": r"\b(?:seulement|uniquement|exclusivement|que dans|rien que|limite\w*)\b|\bne\b.*\bque\b",
        "beyond": r"\brien\b.*\b(?:en dehors|hors|d'autre|ailleurs|à part|sauf)\b|\ben dehors de\b",
        "halt": r"sans (?:rien|y) (?:changer|modifier|toucher|écrire)(?: .*)?|ne continue[zs]? pas(?: .*)?|(?:stop|arr[eê]te[zr]?|attends?|attendez|pause|halte|une? (?:minute|seconde|instant))(?: (?:tout|ça|là|ici|toi|un peu|une minute"
        r"|maintenant|de suite|s'il te plaît|stp|instant|une|seconde|avant|de|continuer))*|(?:pas|aucun|aucune|sans)(?: de| encore de)? (?:code"
        r"|modifications?|changements?|implémentation|écriture)(?: .*)?|ne (?:modifie|change|touche|code|écris|fais|implémente|commence)[zrs]? (?:encore )?"
        r"(?:rien|pas (?:encore|de code|pour l'instant|pour le moment))(?: .*)?|n'(?:écri[st]|écrivez|implémente[zr]?|édite[zr]?) (?:encore )?(?:rien|pas"
        r" (?:encore|de code|pour l'instant))(?: .*)?|.*\b(?:d'abord|en premier|au préalable)\b.*\b(?:un |le )?(?:plan|proposition|discut\w*|question)\b.*"
        r"|.*\b(?:un |le |ton )?(?:plan|proposition|discut\w+|propose\w*)\b.*\b(?:d'abord|en premier|avant de .*)|(?:seulement|juste|uniquement|simplement) "
        r"(?:une? )?(?:répon\w*|expliqu\w*|plan\w*|question|revue|relecture|analyse\w*|avis|review|lis|lecture)(?: .*)?|(?:réponds|explique|analyse|planifie"
        r"|relis|dis-moi|lis)[a-z-]*(?: \w+)? (?:juste|seulement|simplement|uniquement)(?: .*)?|(?:contente-toi|contentez-vous) (?:de|d')\s?(?:répondre|lire"
        r"|planifier|relire|analyser|expliquer)(?: .*)?|lecture seule(?: .*)?|pas encore|c'est (?:juste|seulement) une question",
        "goes": r"^(?:oui|ok|vas-y|allez|d'accord|parfait|continue[zr]?|c'est bon|go|maintenant|tu peux|vous pouvez|approuvé|implémente|très bien|bien)\b",
        "polite": r"peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|s'il te plaît|stp|s'il vous plaît",
        "lead": r"s'il te plaît|stp|svp|et|mais|aussi|donc|alors|ok|oui|non|attention|important|surtout|ou|merci de",
        "filler": r"le|la|les|l|un|une|des|de|du|d|à|au|aux|en|dans|et|ou|tout|tous|toutes|ce|cet|cette|ces|ça|cela|rien|encore|pour|l'instant|instant"
        r"|maintenant|fichiers?|dossiers?|répertoires?|s'il|te|plaît|stp|fais|fait|faire|faites|faut|il|moment|mon|ma|mes|ton|tes|ni|surtout|sans|mon"
        r"|accord|code|toi|même|automatiquement|avant|que|je|dise|dis|le|git|y|avoir|toucher|vers|sur|me|demander|branche|bosse|travaille|qui|est|sont|être|créer|crée|ouvre|ouvrir",
    },
    "es": {
        "neg": r"\b(?:prohibid\w*|no|nunca|jamás|sin|ningún|ninguna|nada|tampoco)\b",
        "subject": r"\b(?:yo no|nosotros no|no (?:hay|es|funciona|pasa|sé|puedo|tengo))\b",
        "touch": r"\b(?:toqu\w*|tocar|modifi\w*|cambi\w*|edit\w*|alter\w*|sobrescrib\w*|reescrib\w*|renombr\w*|borr\w*|elimin\w*|mov\w*|muev\w*|escrib\w*|tocad[oa]s?)\b",
        "alone": r"\b(?:deja|dejad|dejen|deje|dejar)\b.*\b(?:en paz|como (?:está|están)|intact[oa]s?|sin (?:tocar|cambios)|quiet[oa]s?|tal cual)\b"
        r"|\bmanos fuera\b|\bintocables?\b|\b(?:queda\w*|permanece\w*)\b.*\b(?:intact[oa]s?|igual\w*|sin (?:tocar|cambios))\b",
        "except": r"(?:pero |y )?(?:no (?:las?|los?|el|en)|salvo|excepto|menos|a excepción de)(?P<what>.+)",
        "only": r"\b(?:sólo|solo|solamente|únicamente|exclusivamente|limítate)\b",
        "beyond": r"\b(?:nada|ningún \w+)\b.*\b(?:fuera|aparte|salvo|excepto|más)\b",
        "halt": r"sin (?:cambiar|modificar|tocar|editar|escribir) (?:nada|ningún \w+|código)(?: .*)?|no (?:sigas|continúes)(?: .*)?|(?:para|parad|pare|alto|espera|espere|detente|stop|un momento|basta|pausa|quieto)(?: (?:ya|aquí|ahí|ahora|todo|un|momento|segundo|minuto|por favor"
        r"|eso|de|escribir|editar))*|(?:sin|nada de|ningún|no más)(?: \w+)? ?(?:código|cambios|modificaciones|ediciones|escribir código)(?: .*)?|(?:todavía |aún |por ahora )?no "
        r"(?:escribas|cambies|toques|hagas|modifiques|implementes|edites|programes|empieces|ejecutes|apliques)(?: (?:nada|código|ningún \w+|cambios|todavía|aún|todavia))+(?: .*)?"
        r"|no (?:implementes|programes|empieces|escribas código)(?: .*)?|.*\b(?:primero|antes)\b.*\b(?:un |el )?(?:plan|propuesta|discut\w*|hablemos|pregúntame)\b.*|.*\b(?:un |el |tu )?"
        r"(?:plan|propuesta|propón\w*|hablemos|discutamos|pregunta\w*)\b.*\b(?:primero|antes de .*)|(?:sólo|solo|solamente|únicamente) (?:una? )?(?:respond\w*|responde|explica\w*"
        r"|planific\w*|plan|pregunta|revis\w*|analiz\w*|contesta|quiero (?:un plan|saber|una respuesta)|dime|lee\w*|lectura)(?: .*)?|(?:responde|explica|analiza|revisa|planifica"
        r"|contesta|dime|lee) (?:sólo|solo|solamente|nada más|únicamente)(?: .*)?|limítate a (?:responder|leer|planificar|revisar|explicar|analizar)(?: .*)?|(?:solo|sólo) lectura"
        r"|todavía no|aún no|es (?:solo|sólo) una pregunta",
        "goes": r"^(?:sí|si|vale|ok|dale|adelante|hazlo|procede|continúa|perfecto|claro|de acuerdo|aprobado|ahora|ya puedes|puedes|bien|bueno)\b",
        "polite": r"puedes|podrías|por favor|vamos a",
        "lead": r"por favor|y|pero|también|ok|vale|sí|ahora|importante|ojo|recuerda|o|ni",
        "filler": r"el|la|los|las|un|una|de|del|en|a|al|y|o|ni|lo|nada|por|favor|aún|todavía|ahora|archivos?|ficheros?|carpetas?|directorios?|que|se|te|me|hagas|hacer"
        r"|haz|hasta|diga|todo|toda|todos|todas|este|esta|estos|estas|ese|esa|mi|mis|tu|tus|para|automáticamente|tú|cambios|código|ningún|ninguna|git|permiso|sin"
        r"|mi|preguntar|antes|aprobación|yo|abras|crees|crear|abrir|dentro|carpeta|deja|dejes|trabaja|rama|quiero|tocar|deben?|debes|puedes",
    },
    "pt": {
        "neg": r"\b(?:proibid\w*|não|nao|nunca|jamais|sem|nenhum|nenhuma|nada|nem)\b",
        "subject": r"\b(?:eu não|nós não|não (?:há|é|funciona|sei|tenho|consigo))\b",
        "touch": r"\b(?:toqu\w*|tocar|mex[ae]\w*|mexer|alter\w*|modifi\w*|mud\w*|edit\w*|sobrescrev\w*|reescrev\w*|renome\w*|apag\w*|remov\w*|mov\w*|escrev\w*)\b",
        "alone": r"\b(?:deix[ae]\w*|deixar)\b.*\b(?:em paz|como (?:está|estão)|intact[oa]s?|quiet[oa]s?|do jeito que|sem (?:mexer|alterações))\b|\bintocáve(?:l|is)\b"
        r"|\b(?:fica\w*|permanece\w*)\b.*\b(?:intact[oa]s?|como (?:está|estão)|igua\w+)\b|\btire as mãos\b",
        "except": r"(?:mas |e )?(?:não (?:as?|os?|n[oa]s?|em)|exceto|menos|salvo|com exceção d\w+)(?P<what>.+)",
        "only": r"\b(?:só|somente|apenas|exclusivamente|unicamente|limite-se)\b",
        "beyond": r"\b(?:nada|nenhum \w+)\b.*\b(?:fora|além|exceto)\b",
        "halt": r"sem (?:alterar|mudar|mexer em|mexer|modificar|editar|escrever) (?:nada|nenhum\w* \w+|código)(?: .*)?|n[ãa]o (?:continue|prossiga)(?: .*)?|(?:par[ae]|pera|espera|espere|aguarde|stop|alto|calma|um momento|chega|pausa)(?: (?:aí|aqui|agora|tudo|um|momento|segundo|minuto|por favor|já|isso|de"
        r"|escrever|editar))*|(?:sem|nada de|nenhum)(?: \w+)? ?(?:código|alterações|mudanças|edições|modificações|escrever código)(?: .*)?|(?:ainda |por enquanto )?não (?:escreva|mude"
        r"|altere|faça|mexa|modifique|implemente|edite|toque|comece|programe|execute|aplique)(?: em)?(?: (?:nada|código|nenhum \w+|alterações|ainda|mudanças))+(?: .*)?|não (?:implemente"
        r"|programe|comece|escreva código)(?: .*)?|.*\b(?:primeiro|antes)\b.*\b(?:um |o )?(?:plano|proposta|discut\w*|conversar|pergunte)\b.*|.*\b(?:um |o |seu )?(?:plano|proposta|proponha"
        r"|discutir|conversar|planeje|pergunte)\b.*\b(?:primeiro|antes de .*)|(?:só|somente|apenas) (?:uma? )?(?:respond\w*|responda|expliqu\w*|planej\w*|plano|pergunta|revis\w*|analis\w*"
        r"|quero (?:um plano|saber|uma resposta)|diga|leia|leitura)(?: .*)?|(?:responda|explique|analise|revise|planeje|diga|leia) (?:só|somente|apenas)(?: .*)?|limite-se a (?:responder|ler"
        r"|planejar|revisar|explicar|analisar)(?: .*)?|(?:só|somente|apenas) leitura|ainda não|é (?:só|apenas) uma pergunta",
        "goes": r"^(?:sim|ok|pode|vai|claro|beleza|faça|manda|continue|perfeito|aprovado|agora|tudo bem|certo|prossiga|ótimo)\b",
        "polite": r"você pode|pode|poderia|por favor|vamos",
        "lead": r"por favor|e|mas|também|ok|sim|agora|importante|atenção|lembre-se|ou|nem",
        "filler": r"o|a|os|as|um|uma|de|do|da|dos|das|em|no|na|nos|nas|e|ou|nem|nada|por|favor|ainda|agora|arquivos?|pastas?|diretórios?|que|se|me|faça|fazer|até|eu"
        r"|diga|tudo|toda|todo|todos|todas|este|esta|esse|essa|meu|meus|minha|para|automaticamente|você|alterações|mudanças|código|nenhum|nenhuma|git|permissão|sem|minha"
        r"|perguntar|antes|aprovação|abra|crie|criar|abrir|dentro|pasta|deixe|faz|blz|trabalhe|quero|mexer|deve|devem|pode|qualquer|coisa",
    },
    "it": {
        "neg": r"\b(?:vietat\w*|non|mai|senza|nessun\w*|niente|nulla|né)\b",
        "subject": r"\b(?:io non|noi non|non (?:c'è|ci sono|funziona|so|ho|riesco|è))\b",
        "touch": r"\b(?:tocc\w*|modific\w*|cambi\w*|edit\w*|alter\w*|sovrascriv\w*|riscriv\w*|rinomin\w*|cancell\w*|elimin\w*|spost\w*|scriv\w*|metter\w* mano)\b",
        "alone": r"\blasci\w*\b.*\b(?:stare|in pace|com[e'] ?(?:è|sono|era)|intatt[oaie]|così|invariat[oaie])\b|\bgiù le mani\b|\bintoccabil[ei]\b"
        r"|\b(?:rest\w*|riman\w*)\b.*\b(?:intatt[oaie]|invariat[oaie]|com[e'] ?(?:è|sono)|così)\b",
        "except": r"(?:ma |e )?(?:non (?:le|i|gli|il|la|lo|l'|nell?\w*)|tranne|eccetto|salvo|a parte|ad eccezione)(?P<what>.+)",
        "only": r"\b(?:solo|soltanto|solamente|unicamente|esclusivamente|limitati)\b",
        "beyond": r"\b(?:niente|nulla|nessun\w* \w+)\b.*\b(?:fuori|al di fuori|oltre|tranne|altro)\b",
        "halt": r"senza (?:cambiare|modificare|toccare|scrivere) (?:niente|nulla|nessun\w* \w+|codice)(?: .*)?|non (?:continuare|proseguire)(?: .*)?|(?:rispondi|spiega\w*|leggi) e basta|(?:ferma|fermati|fermo|fermatevi|aspetta|aspettate|attendi|stop|alt|basta|un (?:attimo|momento)|pausa)(?: (?:tutto|qui|lì|ora|subito|un|attimo|momento|secondo"
        r"|minuto|per favore|adesso|di|scrivere|modificare))*|(?:senza|niente|nessuna?|nessun)(?: \w+)? ?(?:codice|modifich?e?|modifica|cambiament[io]|scrivere codice)(?: .*)?|(?:per ora |ancora )?non "
        r"(?:scrivere|cambiare|toccare|fare|modificare|implementare|iniziare|applicare|eseguire)(?: ancora)?(?: (?:niente|nulla|codice|nessun\w* \w+|ancora|modifiche))+(?: .*)?|non (?:implementare|programmare"
        r"|iniziare|scrivere codice)(?: .*)?|.*\b(?:prima|innanzitutto)\b.*\b(?:un |il )?(?:piano|proposta|discut\w*|parliamone|chiedimi)\b.*|.*\b(?:un |il |tuo )?(?:piano|proposta|proponi|discutiamo\w*"
        r"|parliamone|pianifica|chiedimi)\b.*\bprima(?: di .*)?|(?:solo|soltanto|solamente) (?:una? )?(?:rispond\w*|risposta|spieg\w*|pianific\w*|piano|domanda|revisione|analiz\w*|analisi|dimmi|leggi|lettura"
        r"|voglio (?:un piano|sapere))(?: .*)?|(?:rispondi|spiega\w*|analizza|rivedi|pianifica|dimmi|leggi) (?:solo|soltanto|solamente|e basta)(?: .*)?|limitati a (?:rispondere|leggere|pianificare|spiegare|analizzare)"
        r"(?: .*)?|(?:sola|solo) lettura|non ancora|è solo una domanda",
        "goes": r"^(?:sì|si|ok|vai|certo|procedi|continua|perfetto|va bene|d'accordo|fallo|approvato|ora|adesso|puoi|bene)\b",
        "polite": r"puoi|potresti|per favore|vorrei",
        "lead": r"per favore|e|ma|anche|ok|sì|ora|importante|attenzione|ricorda|o|né",
        "filler": r"il|lo|la|i|gli|le|l|un|una|di|del|della|dei|delle|in|nel|nella|nei|a|al|alla|e|o|né|niente|nulla|per|favore|ora|ancora|file|cartell[ae]|directory|che|si|mi|fare|fai"
        r"|fino|dico|tutto|tutta|tutti|tutte|questo|questa|questi|queste|quello|mio|miei|tuo|automaticamente|modifiche|codice|nessuna?|git|permesso|senza|chiedere|prima|approvazione|aprire|apri"
        r"|creare|crea|dentro|lascia|lavora|resto|voglio|toccare|devi|puoi|alcun[ao]?|qualsiasi|cosa|fare",
    },
    "ru": {
        "neg": r"(?<!\w)(?:запрещ\w*|не|ни|никогда|без|нельзя|никаких|никакого|ничего)(?!\w)",
        "subject": r"(?<!\w)(?:я не|мы не|не (?:работает|знаю|могу|вижу|понимаю)|это не)(?!\w)",
        "touch": r"(?:трога\w*|трон\w*|меня\w+|измен\w*|редактир\w*|правь\w*|правит\w*|прав[ья]\w*|перепис\w*|переимен\w*|удаля\w*|перемеща\w*|касайся|прикаса\w*|лезь|пиши|писать|затрагива\w*)",
        "alone": r"(?:остав\w*).*(?:в покое|как (?:есть|было)|без изменений|нетронут\w*)|руки прочь|неприкосновенн\w*|(?:должн\w*|пусть) оста\w*.*(?:как есть|без изменений|нетронут\w*)",
        "except": r"(?:но |а )?(?:не(?= (?:миграц|тест|в |папк|файл|каталог))|кроме|за исключением|исключая)(?P<what>.+)",
        "only": r"(?<!\w)(?:только|лишь|исключительно|ограничься)(?!\w)",
        "beyond": r"(?:ничего|никаких \w+).*(?:вне|кроме|за пределами|снаружи)",
        "halt": r"(?:просто ответь )?ничего не (?:меняя|трогая|изменяя)(?: .*)?|не продолжай(?:те)?(?: .*)?|(?:стоп|стой|стойте|подожди|подождите|погоди|погодите|хватит|остановись|остановитесь|пауза|прекрати)(?: (?:пока|минуту|минутку|секунду|немного|пожалуйста|сейчас|всё|все|это|писать|менять))*|(?:пока )?"
        r"(?:без|никаких|никакого) (?:кода|изменений|правок|реализации)(?: .*)?|(?:пока |ещ[её] )*(?:ничего )?(?:пока )?не (?:пиши|меняй|трогай|делай|изменяй|редактируй|реализуй|начинай|правь|запускай)(?:те)?(?: (?:пока|код|ничего"
        r"|ещ[её]|никаких|файлы|изменений))+(?: .*)?|(?:пока |ещ[её] )+(?:ничего )?не (?:пиши|меняй|трогай|делай|изменяй|редактируй|реализуй|начинай|правь)(?:те)?(?: .*)?|ничего (?:пока )?не (?:пиши|меняй|трогай|делай|изменяй"
        r"|редактируй|правь)(?:те)?(?: .*)?|не (?:реализуй|начинай|пиши код)(?:те)?(?: .*)?|.*(?:сначала|сперва|для начала).*(?:план|предлож|обсуд|спроси).*|.*(?:план|предлож\w*|обсуд\w*).*(?:сначала|сперва|прежде чем .*)"
        r"|(?:просто|только) (?:ответ\w*|объясн\w*|план\w*|спланируй|вопрос|ревью|проанализ\w*|анализ|скажи|посмотри|прочитай|расскажи|чтение)(?: .*)?|(?:ответь|объясни|проанализируй|спланируй|скажи) (?:просто|только)(?: .*)?"
        r"|только (?:для чтения|чтение|план|ответ|ревью)(?: .*)?|ещ[её] не надо|пока не надо|это (?:просто|только) вопрос",
        "goes": r"^(?:да|ок|окей|давай|хорошо|продолжай|делай|вперед|вперёд|отлично|можно|можешь|согласен|одобряю|теперь|приступай|ладно)(?!\w)",
        "polite": r"можешь|можете|пожалуйста|мог бы|давай",
        "lead": r"пожалуйста|и|но|а|также|ок|да|теперь|важно|внимание|помни|или|только",
        "filler": r"в|во|на|и|или|а|но|к|с|из|для|это|этот|эту|эти|его|ее|её|их|все|всё|пока|ещё|еще|пожалуйста|сейчас|файлы?|файлов|папк[ауие]|каталог\w*|директори\w*|мои|мой|код|сам|сама|автоматически|надо|нужно|делай"
        r"|делать|до|моего|разрешения|спроса|спросив|без|меня|мне|скажу|изменени[йяе]|ничего|никаких|вообще|git|никогда|внутри|содержимое|открывай|создавай|открывать|создавать|новые|существующие|чтобы|ни|надо|трогая|только|правь|меняй|работай|ветк\w*|больше",
    },
    "zh": {
        "neg": r"不要|不用|不许|不准|不能|不可以|不得|别|別|勿|请勿|禁止|切勿|无需|不必|千万别|先不|暂不|不",
        "subject": r"我(?:没|不)|我们(?:没|不)|为什么|怎么",
        "touch": r"动|碰|改|修改|编辑|更改|变更|触碰|改动|覆盖|重写|重命名|删除|移动|写入|调整|触及",
        "alone": r"保持.*(?:不变|原样|不动)|原样保留|(?:留|放)着别动|不变|原封不动",
        "except": r"(?:但)?(?:除了|除|排除|不包括|不含|(?:但|但是)?不要?(?:动|碰|改)?)(?P<what>.+)",
        "only": r"只|仅|仅限|限于",
        "beyond": r"(?:以外|之外|外面).*(?:不要|别|勿|不)|(?:不要|别|勿|不).*(?:以外|之外|外面)",
        "halt": r"(?:停|停下|停止|住手|等等|等一下|等一等|等下|稍等|先等等|慢着|暂停|打住|先停|停一下|先别动|别动|先别改|先别写)(?:下来|来|吧|一下|先|手)?|(?:请)?(?:先|暂时|现在)?(?:不要|别|不用|不许)(?:先|再)?(?:写|改|动|修改|编写|编辑|实现|做|碰|更改)(?:任何|什么)?"
        r"(?:代码|东西|文件|改动|修改|更改|事|实现)(?:.{0,8})?|(?:请)?(?:先|暂时|现在|还)(?:不要|别|不)(?:写|改|动|修改|实现|动手|开始|编码|执行)(?:.{0,8})?|(?:先|首先).{0,6}(?:计划|方案|规划|讨论|商量|给我看|问我).*|.{0,8}(?:计划|方案).{0,4}(?:先|再写|再动手).*|(?:只|仅|只需|只要|就)(?:要)?"
        r"(?:回答|解释|分析|计划|规划|讨论|审查|评审|看看|查看|说明|告诉我|给(?:我)?(?:个|出)?(?:计划|方案|答案|意见)|阅读|做计划|做审查|review)(?:.*)|(?:不要|别|不用)(?:动手|实现|开始|写代码|改代码|编码)(?:.*)|只读(?:.{0,6})|还没好|先不要|先别|这只是(?:个|一个)问题|无需改动|不要有任何(?:改动|修改)",
        "goes": r"^(?:好|好的|可以|行|是|是的|对|继续|开始|动手|嗯|没问题|同意|批准|现在|去吧|做吧|那就|改吧)",
        "polite": r"请|能不能|可以|帮我|麻烦",
        "lead": r"请|但是|但|而且|并且|另外|注意|记住|也|还有|以及|千万|务必|绝对|先|那就",
        "filler": r"请|了|的|任何|什么|里面|里|下|下面|中|文件夹|文件|目录|代码|内容|东西|也|都|再|先|吧|啊|我|你|自己|自动|现在|暂时|到|和|或|或者|及|与|这个|那个|所有|全部|一律|就|把|对|在|进行|做|做任何|创建|开|提|改动|修改|直接|部分|一下|就行|即可|那些|这些|随便|没有我同意|同意|之前|前|经过|允许|得到|擅自|动|碰|git|、|远程|仓库",
    },
    "ja": {
        "neg": r"ないで|しないで|するな|やめて|禁止|ダメ|だめ|不要|しない|ず(?:に)?|なく(?:て)?いい|ません|(?:触る|変える|いじる|コミットする|プッシュする)な|まだ.{0,6}ない|は?なし|厳禁|いけない",
        "subject": r"私は|なぜ|どうして|できない|動かない",
        "touch": r"触|さわ|変更|編集|変え|いじ|書き換え|修正|上書き|改変|手を付け|手をつけ|動か|書き込|削除|リネーム|移動",
        "alone": r"そのまま|手を(?:出|付け|つけ)|触れないで|現状維持|触らず|ノータッチ|触るな",
        "except": r"(?P<what>.+?)(?:以外|を除い?て?|は除外|は除く|は対象外)",
        "only": r"だけ|のみ|限定|に限",
        "beyond": r"以外(?:は|には|を|の)?|の外|外(?:は|には)",
        "halt": r"(?:止まって|止めて|やめて|ストップ|待って|待った|ちょっと待って|一旦停止|中断して|待て|止まれ|停止|中止)(?:ください|下さい|くれ|ね|よ)?|(?:まだ|今は|先に|一旦)?(?:何も|コードは|コードを|ファイルは|実装は|まだ|変更は|編集は)+(?:まだ)?(?:変更|編集|書か|触ら|実装|変え|修正|し|始め|着手)(?:し)?(?:ない)(?:で)?.{0,6}|まだ(?:実装|コーディング|着手|変更|編集|作業)?(?:し|始め|書か|触ら)ないで.{0,4}"
        r"|(?:まず|先に|最初に|とりあえず).{0,10}(?:計画|プラン|方針|案|設計|相談|確認).*|.{0,10}(?:計画|プラン|案)(?:を)?(?:先に|まず).*|(?:計画|プラン|レビュー|回答|説明|質問|調査|分析|相談|確認|読むだけ|読み取り|閲覧)(?:する|に答える)?(?:だけ|のみ)(?:.{0,10})|(?:答え|説明|教え|レビュー|調べ|読ん|回答|分析)(?:る|する|て|で|して)?だけ(?:.{0,12})|(?:質問|説明|レビュー|回答)だけ.{0,8}|コード(?:は|を)?(?:まだ)?書かないで.{0,6}|(?:変更|編集|実装|コード)(?:は)?(?:なし|不要|禁止)(?:.{0,6})|読み取り専用.{0,6}|まだです|まだだめ|質問しているだけ.{0,4}",
        "goes": r"^(?:はい|うん|ok|オッケー|いいよ|いいです|お願い|進めて|続けて|やって|それで|では|じゃあ|実装して|始めて|承認|了解|問題ない)",
        "polite": r"ください|下さい|お願い|してくれ|もらえ",
        "lead": r"ただし|でも|また|あと|それと|なお|絶対に?|必ず|注意|お願い|まだ|今は|勝手に|決して",
        "filler": r"ください|下さい|を|は|が|に|へ|で|も|の|と|や|ファイル|フォルダー?|ディレクトリ|内|中|以下|配下|絶対に?|まだ|今は|勝手に|自動で|しないで|するな|何も|全て|すべて|この|その|あの|これ|それ|お願い|します|ね|よ|して|する|し|ない|ないで|やめて|禁止|には|一切|けど|が|から|コード|変更|作ら|作る|出さ|行わ|実行|です|こと|許可|なく|なしに|私の|まで|ず|さ|ら",
    },
    "ko": {
        "neg": r"지 ?마(?:세요|십시오|시오|요|라)?|말고|말아|하지 ?않|금지|안 ?돼|안됩니다|없이|마세요|말 ?것|절대",
        "subject": r"나는|왜|저는",
        "touch": r"건드|손대|손 ?대|변경|수정|편집|바꾸|고치|만지|덮어쓰|삭제|이동|쓰지",
        "alone": r"그대로|놔 ?[둬두]|내버려|가만",
        "except": r"(?P<what>.+?)(?:제외|빼고|말고|외에)",
        "only": r"만(?= |$|을|수정|변경|고쳐|건드)|오직|한정",
        "beyond": r"(?:외에는|밖(?:은|에)|이외)",
        "halt": r"(?:멈춰|멈추|중지|정지|기다려|잠깐|잠깐만|스톱|스탑|그만|대기|잠시만)(?:줘|주세요|요|해|해줘|봐| 기다려| 기다려줘| 멈춰)*|(?:아직|지금은|일단)? ?(?:아무것도|코드는|코드를|코드|파일은|구현은|구현|아직|변경은)* ?(?:아직 )?(?:수정|변경|작성|구현|편집|쓰|짜|건드리|바꾸|시작|고치|하)(?:하)?지 ?(?:마|말|않).{0,8}|(?:먼저|우선|일단|처음에).{0,10}(?:계획|플랜|방안|설계|논의|상의|물어).*|.{0,10}(?:계획|플랜)(?:을|부터)? ?(?:먼저|우선|부터).*"
        r"|(?:계획|리뷰|답변|답|설명|질문|분석|검토|조사|읽기|대답)(?:만|만 해).{0,10}|(?:그냥|단지) ?(?:답|설명|대답|알려|분석|검토|리뷰|계획).*|코드 ?(?:없이|금지).{0,6}|변경 ?(?:없이|금지).{0,6}|아직(?: 아니야| 안 돼)?|읽기 ?전용.{0,4}|질문일 ?뿐.{0,6}",
        "goes": r"^(?:네|예|응|그래|좋아|좋습니다|진행|계속|해줘|시작|승인|오케이|ok|이제|괜찮|알겠)",
        "polite": r"주세요|줘|줄래|부탁",
        "lead": r"그리고|하지만|단|다만|또|절대로?|제발|꼭|참고로|주의|아직|지금은|그런데",
        "filler": r"을|를|은|는|이|가|에|의|도|만|와|과|로|으로|들|파일|폴더|디렉터리|디렉토리|안|내|절대로?|아직|지금은|제발|아무것도|모든|전부|이|그|저|해|하지|하|지|마|마세요|말고|말아|줘|주세요|자동으로|마음대로|코드|변경|내용|것|건드리|손대|수정|좀|허락|없이|내가|까지|먼저|전에|에는|에서|새|새로|만들|열|올리",
    },
    "hi": {
        "neg": r"मत|नहीं|ना(?= |$)|न(?= |$)|बिना|कभी नहीं|मना",
        "subject": r"मैंने|मुझे नहीं|क्यों",
        "touch": r"छू[\u0900-\u097f]*|छुओ|बदल[\u0900-\u097f]*|छेड़[\u0900-\u097f]*|संपादित|एडिट|हाथ|संशोधित|लिख[\u0900-\u097f]*|हटा[\u0900-\u097f]*|अपडेट|छेड़छाड़",
        "alone": r"छोड़ (?:दो|दें|दीजिए)|वैसे ही|जैसा है|जैसे हैं|रहने दो|अछूत[\u0900-\u097f]*",
        "except": r"(?P<what>.+?)(?:को छोड़कर|के अलावा|के सिवा|के बिना)",
        "only": r"केवल|सिर्फ़?|बस",
        "beyond": r"के बाहर|के अलावा|के सिवा",
        "halt": r"(?:रुको|रुकिए|रुक जाओ|रुक जाइए|ठहरो|बस करो|स्टॉप|बंद करो|इंतज़ार करो|थोड़ा रुको|एक मिनट)(?: .{0,12})?|(?:अभी )?(?:तक )?(?:कोई |कुछ भी |कुछ |भी )*(?:कोड|बदलाव|परिवर्तन|फ़ाइल|कुछ|कार्यान्वयन|edit|code)?(?: भी)? ?(?:अभी )?(?:मत|नहीं|न) (?:लिख[\u0900-\u097f]*|कर[\u0900-\u097f]*|बदल[\u0900-\u097f]*|छू[\u0900-\u097f]*|बना[\u0900-\u097f]*|शुरू[\u0900-\u097f]*)(?: .*)?|(?:पहले|सबसे पहले).*(?:योजना|प्लान|चर्चा|पूछ[\u0900-\u097f]*|बताओ|दिखाओ).*|.*(?:योजना|प्लान).*पहले.*|(?:केवल|सिर्फ़?|बस) (?:.{0,12} )?(?:जवाब|उत्तर|समझा[\u0900-\u097f]*|योजना|प्लान|समीक्षा|रिव्यू|बता[\u0900-\u097f]*|विश्लेषण|सवाल|पढ़[\u0900-\u097f]*)(?: .*)?|अभी नहीं|सिर्फ़? पढ़[\u0900-\u097f]*(?: .*)?",
        "goes": r"^(?:हाँ|हां|ठीक|जी|चलो|करो|आगे बढ़ो|ओके|ok|अब|शुरू करो|मंज़ूर|सही)",
        "polite": r"कृपया|सकते|दो|दीजिए",
        "lead": r"कृपया|और|लेकिन|पर|भी|अब|अभी|ध्यान रहे|याद रखो|मगर",
        "filler": r"को|में|के|की|का|से|पर|भी|ही|और|या|कोई|कुछ|फ़ाइल|फाइल|फ़ाइलें|फ़ोल्डर|फोल्डर|डायरेक्टरी|करो|करें|करना|कर|मत|न|नहीं|अभी|कृपया|ये|यह|वह|इस|उस|इन|सभी|सब|लगाओ|लगाना|अपने|आप|कोड|तक|जब|मैं|बिना|पूछे|बदलाव|वाले|वाली|बनाओ|खोलो",
    },
}

FORBIDS = (
    r"\b(?:never|don'?t|do not|must ?n[o']t|should not|avoid|leave|keep|no|off[- ]limits|nicht|nie|niemals|keine?|ne|pas|jamais|nunca|no|não|non|mai)\b"
    r"|не|нельзя|никогда|不|别|禁止|勿|ない|禁|지 ?마|금지|मत|न"
)
MARKS: dict[str, str] = {
    "de": r"\b(?:nicht|nichts|nur|kein\w*|finger|hände|lass|außer|ohne|niemals|nie|erst|warte|wart|stopp|aufhören|unverändert|tabu|noch|bitte|zeig|bleib\w*|unangetastet|unberührt|verboten|das|der|ich|selber"
    r"|ausschließlich)\b",
    "fr": r"\b(?:pas|jamais|sans|seulement|uniquement|laisse\w*|sauf|aucune?|rien|arr[eê]te\w*|attends|attendez|d'abord|juste|stop"
    r"|avant|interdi\w*|le|les|fichier|dossier|réponds|propose|lecture|limite\w*|exclusivement|hormis|bas)\b|\bn[e']",
    "es": r"\b(?:no|nunca|sin|sólo|solo|solamente|deja\w*|salvo|menos|ningun\w*|ningún|nada|para|espera|alto|primero|todavía|jamás|únicamente"
    r"|excepto|prohibid\w*|carpeta|archivo|el|los|antes|muéstrame|responde|explica\w*|dime|analiza|manos|límit\w*|basta|detente|intocables?)\b",
    "pt": r"\b(?:não|nao|nunca|sem|só|somente|apenas|deix\w*|exceto|menos|nenhum\w*|nada|par[ae]|espera|espere|primeiro|ainda|jamais|pera"
    r"|aguarde|chega|nem|é|pasta|arquivo|proibid\w*|antes|mostre|responda|explique)\b",
    "it": r"\b(?:non|mai|senza|solo|soltanto|lascia\w*|tranne|eccetto|nessun\w*|niente|nulla|ferma\w*|aspetta\w*|prima|giù|basta|fermati"
    r"|attendi|vietat\w*|è|il|cartella|basta|sola|limitati|unicamente|esclusivamente)\b",
}
SENTENCE = r"(?<=[.!?…])(?=\s|$)|(?<=[。！？؟।])|\n+|;\s|；"
CLAUSE = (
    r",(?=\s)|:\s|[，、,：；](?=[^\x00-\x7f])|[，：；、]|\s[-–—]+\s|—|[()（）]|(?<=말고)\s|\s(?=(?:but|however|although|without|except|excluding|and"
    r" (?:then |please |also )?(?:don'?t|do not|never|no|not|leave|keep|only|stop|wait|stay)|aber|und (?:nicht|kein\w*|lass)|ohne|außer"
    r"|mais|sans|sauf|et (?:ne|laisse)|pero|sin|salvo|excepto|y (?:no|deja)|mas|sem|exceto|e (?:não|nao|non|deixe|lascia)|ma|senza|tranne"
    r"|но|кроме|а не|и не|without|rather|instead)\s)|(?=(?:但是|但|不过|ただし|でも|하지만|लेकिन|पर )\S)"
)
QUOTED = r"\"[^\"\n]*\"|“[^”\n]*”|„[^“”\n]*[“”]|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』|(?<!\w)'[^'\n]{3,}'(?!\w)|‘[^’\n]*’"
INTERJECTION = (
    r"(?:please |bitte |ok |oh )?(?:stop+|wait|hold|halt|pause|freeze|warte?|moment|attend|arr[eê]te|une? (?:minute|seconde|instant)|para|espera|espere|alto|pera|par[ae]\b|aguarde|calma"
    r"|ferm|aspetta|un (?:attimo|momento)|стоп|стой|подожд|погод|停|等|慢|打住|待|止|ストップ|ちょっと|一旦|잠깐|잠시|멈|기다|스톱|रुक|ठहर|थोड़ा)"
)
NAME = r"(?<![\w/.])(?:~?[\w@.*+-]*(?:/[\w@.*+\[\]-]*)+|\*+\.[a-z0-9.*]+|\.[a-z]\w[\w.-]*|[\w@+-]+(?:\.[\w*+-]+)*\.[a-z*]\w{0,8}|(?<![\w-])(?:make|docker|jenkins|gem|rake|proc|vagrant|brew|just)file)(?![\w/])"
NO_NAMES = """
    e.g i.e etc. and/or n/a w/o / ci/cd read/write on/off either/or a.m p.m"""
KIND_OF = r"(?<![\w.])\.?([a-z][a-z0-9]{0,5})[- ](?:files?|dateien|scripts?)\b|(?:файлы|файлов|archivos|ficheros|arquivos|fichiers|file) \.?([a-z]{1,5})\b"
ENDINGS = """
    py js ts tsx jsx go rs java kt rb php c h cpp cs swift sql json yaml yml toml xml html css scss md txt csv
    proto graphql sh tf lock env ini cfg vue svelte ipynb ex lua"""
FOLDER = (
    r"\b(?:the |my |our |der |den |das |le |la |el |il |o |a )?([\w@-]{2,40}) (?:folder|directory|dir|package|module|file|ordner|verzeichnis)\b"
    r"|\b(?:folder|directory|dir|package|module|ordner|dossier|répertoire|carpeta|directorio|pasta|diretório|cartella|папк[ауие]|каталог)"
    r" `?([\w@-]{2,40})|([\w@-]{2,40})(?:\s*)(?:文件夹|目录|フォルダー?|ディレクトリ|폴더|디렉터리|디렉토리|फ़ोल्डर|फोल्डर)"
)
REPORTED = (
    r"\b(?:says|said|wrote|writes|reads(?= )|claims|warns|warned|complains|prints|returns|shows|quot\w+|saying|message|titled|called|named|label\w*"
    r"|errors?|logs?|sagt\w*|schreibt|steht|heißt|meldet|dit|affiche|indique|dice|decía|muestra|diz|mostra|dicono|пишет|говорит|сказал\w*|написано|называется)\b"
    r"|(?:说|写着|提示|显示|と言っ|と書|という|と表示|라고|라는|कहा|लिखा)"
)
OWN_WORDS = r"\b(?:i (?:said|told|asked|repeat)|as i said|like i said|ich (?:sagte|hab)|j'ai dit|te dije|dije|eu disse|ho detto|я (?:сказал\w*|просил\w*))|我说|言った|말했"
CONDITION = r"\b(?:if|unless(?! i | you are told| asked| told| explicitly)|in case|wenn|falls|si(?! te)|se(?! |$)|sauf si|если|quando|when)\b|如果|要是|もし|たら|(?<=다)면|अगर|यदि"
TALK = (
    r"\b(?:plan\w*|propos\w*|vorschl\w*|summar\w*|outline|options?|answers?|explain\w*|review|list|liste?\w*|questions?|frage\w*|design|approach|thoughts"
    r"|opinion|analys\w*|analyz\w*|describe\w*|propuesta|proposta|riassum\w*|erklär\w*|expliqu\w*|explica\w*|spiega\w*|diff|plano|piano|tell|show|wait|stop)\b"
    r"|план\w*|предлож\w*|объясн\w*|анализ\w*|计划|方案|解释|分析|回答|説明|計画|プラン|レビュー|案|설명|계획|분석|리뷰|योजना|समझा"
)
SUITES = r"\b(integration|e2e|end-to-end|api|ui|frontend|backend|smoke|snapshot|acceptance|performance|db|database)[- ]tests?\b"
ADJECTIVES = """
    existing old new current failing passing broken legacy production prod public shared own generated big
    whole entire complete actual other flaky green red bestehenden alten existants anciens existentes viejos
    antiguas esistenti vecchi test unit database db sql schema"""
CONDITION_OF_ACT = r"(?<=\w) (?:until|till|before|unless|without|bis|bevor|avant|jusqu\w*|hasta|antes|até|finché|prima|пока я)\b.*"
NOT_ONLY = (
    r"\bnot only|nicht nur|pas seulement|no sólo|no solo|não só|non solo|не только|不只|不仅|だけでなく|뿐만"
)
ONLY_OF = r"\S+(?:지 ?말고|ないで)"
NOTHING_ELSE = (
    r"\b(?:nothing (?:else|more|other)|no other (?:files?|changes?)|sonst nichts|nichts (?:anderes|weiter)|rien d'autre|nada m[áa]s|nada mais|nient'altro|niente altro|e basta)\b"
    r"|(?:больше ничего|ничего (?:больше|другого))|(?:别的|其他|其它)(?:文件|地方)?(?:都|一律)?(?:不要|别|不)(?:动|改|碰)|他(?:の\w*)?は(?:触ら|変え|そのまま)|다른 (?:파일|것|건|데)은?는? ?(?:손대|건드리|그대로)|और कुछ (?:नहीं|मत)"
)
PREPOSITION = r"\b(?:for|of|in|under|from|about|on|inside|within|für|von|de|du|des|del|da|do|di|для|из)\s+(?:the |der |die |das |la |le |el |il )?([\w-]{3,})"
OTHERS = r"\b(?:other|others|else|rest|remaining|anderen?|übrigen|autres?|otr[oa]s?|outr[oa]s?|altr[ieoa]|друг\w+|остальн\w+)\b|其他|其它|その他|他の|다른|나머지|बाकी|दूसर"
DESTROYS = (
    r"\b(?:delet\w*|remov\w*|erase\w*|drop(?:s|ped|ping)?|purg\w*|wip(?:e|es|ed|ing)|nuk(?:e|es|ed|ing)|unlink\w*|discard\w*|uninstall\w*|rm|truncat\w*|trash\w*|ditch\w*|scrap(?:ped)?"
    r"|clear(?:s|ed|ing)?|clean(?:s|ed|ing)?(?: up| out)?|flush\w*|empty|emptied|emptying|destroy\w*|prun(?:e|es|ed|ing)|get(?:ting)? rid|gotten rid|throw\w*|toss\w*|tear\w* down|take down|terminat\w*"
    r"|revert\w*|reset\w*|undo\w*|roll(?:ed|ing)? ?back|rollback|force[- ]?push\w*|overwrit\w*|abandon\w*|start (?:over|from scratch|fresh)|fresh|can go|bin (?:it|them|that|those)|kill\w*|forget"
    r"|get (?:it|them|that) out|from scratch|blow away|zap|retire\w*|decommission\w*|amend\w*|replac\w*"
    r"|lösch\w*|entfern\w*|wirf|schmei(?:ß|ss)\w*|verw[ie]rf\w*|aufräum\w*|räum\w*|leer\w*|zurücksetz\w*|setz\w* .*zurück|rückgängig|überschreib\w*|weg damit|weg|raus"
    r"|supprim\w*|effac\w*|enl[eè]v\w*|retir\w*|jett?e\w*|vir(?:e|er|ez)|annul\w*|nettoy\w*|nettoi\w*|vid(?:e|er|ez)|réinitialis\w*|écras\w*|détrui\w*"
    r"|borr\w*|bórr\w*|elimin\w*|elimín\w*|quit\w*|quít\w*|descart\w*|limpi\w*|vac[ií]\w*|deshaz\w*|deshacer|restablec\w*|destru\w*"
    r"|apag\w*|apague\w*|exclu\w*|derrub\w*|limp\w*|esvazi\w*|desfa\w*|redefin\w*"
    r"|cancell\w*|rimuov\w*|rimoz\w*|scart\w*|butta\w*|pulisc\w*|svuot\w*|annull\w*|ripristin\w*|distrugg\w*)\b"
    r"|(?:удал|сотри|стер|убер|убра|снес|выкин|очист|почист|откат|сброс|отмен|уничтож)\w*"
    r"|删|刪|移除|去掉|清除|清空|清理|丢弃|丢掉|撤销|回滚|重置|强推|强制推送|覆盖|扔掉|销毁|清掉"
    r"|削除|消去|消し|破棄|除去|捨て|片付け|クリーン|リセット|元に戻|戻し|上書き|空に"
    r"|삭제|지워|지우|제거|버려|버리|비워|되돌|초기화|리셋|덮어|치워|हटा|मिटा|डिलीट|साफ|रीसेट"
)
MOVES = (
    r"\b(?:mov(?:e|es|ed|ing)|mv|renam\w*|relocat\w*|umbenenn\w*|benenn\w*|verschieb\w*|renomm\w*|déplac\w*|renombr\w*|muev\w*|mover|renome\w*|mova|rinomin\w*|spost\w*)\b"
    r"|(?:переимен|перемест)\w*|重命名|改名|移动|移到|挪|リネーム|移動|이름.{0,4}(?:변경|바꿔)|이동|옮겨|नाम बदल"
)
REMAKES = r"\b(?:re-?generat\w*|re-?creat\w*|re-?build\w*)\b|重新生成|再生成|재생성"
UNWANTED = (
    r"\b(?:no longer|not (?:needed|wanted)|don'?t need|doesn'?t need|isn'?t needed|aren'?t needed|nicht mehr|plus besoin|n'est plus|ya no|não precisa|non serve|не нужн\w*|больше не)\b"
    r"|不要了|不需要|没用|いらない|不要な|必要 ?없"
)
DENIED = r"\b(?:don'?t|do not|never|without|not|nicht|kein\w*|ohne|ne|pas|sans|no|sin|não|sem|non|senza)\b|(?<!\w)(?:не|без)(?!\w)|不要|别|不准|ないで|するな|지 ?마|मत|नहीं"
PART = r"[.!?;\n](?=\s|$)|,\s|[。！？，；、।]|\s(?:but|and then|then|aber|mais|pero|mas|ma|но)\s"
POINTS = """
    it them they that this these those all both everything each any one ones two three four five up down out
    off away over back the old unused obsolete stale dead leftover original temporary junk stuff things thing
    please now again just also and then from scratch start fresh changes change local uncommitted files file
    folder folders yes you can may could should would want need like ahead mine yours more longer for good
    completely entirely here there sure okay right"""
SINGULAR = r"\b(?:it|this|that|es|das|den|le|la|lo|ceci|cela|ça|eso|esto|ese|este|isso|isto|esse|questo|quello|его|её)\b|[a-zà-ù]{4,}l[oa]\b|它|这个|それ|これ|그거|इसे|उसे"
SORTS: dict[str, str] = {
    "branch": r"\bbranch|zweig|branche|rama\b|ramo\b|ветк|分支|ブランチ|브랜치|ब्रांच",
    "stash": r"\bstash|暂存|スタッシュ|스태시",
    "volume": r"\bvolum|数据卷|ボリューム|볼륨",
    "container": r"\bcontainer|容器|コンテナ|컨테이너",
    "table": r"\btable|tabel|tabla|tabela|tabella|таблиц|表|テーブル|테이블|तालिका",
    "db:": r"\b(?:database|db)\b",
    "database": r"\b(?:database|db|datenbank|base de (?:datos|données|dados))|баз|数据库|データベース|데이터베이스|डेटाबेस",
    "reset": r"\b(?:reset|changes|commits?|edits|work|änderung\w*|modif\w*|cambios|alterações|modifiche)|измен|改动|更改|修改|変更|변경|बदलाव",
    "tag": r"\btags?\b",
    "worktree": r"\bwork ?trees?\b",
    "image": r"\bimages?\b",
    "namespace": r"\bnamespaces?\b",
}
COMMAND_WORDS = """
    git rm rf fr mv sudo origin head hard force clean checkout reset branch stash drop push restore delete
    remove prune find exec xargs docker kubectl terraform destroy psql mysql sqlite3 the src lib cmd app home
    users work tmp var usr opt main index init test tests file files echo and true dev null bash sh sql table
    database exists cascade from where"""
DESTROYERS = (
    r"migrate[:\s](?:fresh|reset)|db:(?:reset|drop)|--clean\b|config:unset|--clear-output|\b(?:rm|drop\w*|delete\w*|truncate|destroy\w*|purge|prune|wipe\w*|flush(?:all|db)|rmtree|shred|mkfs\S*|unlink|erase|clean -\w*[fdx]|remove\w*|uninstall|rmi|--delete)\b"
    r"|\bdd\b.*\bof="
)
RESOLVES = r"\bgit\b[^;&|]*\b(?:checkout|restore)\b[^;&|]*--(?:ours|theirs)\b(?! \.(?:\s|$))|\bpush\b[^;&|]*--force-with-lease\b"
BUILD_CLEANS = r"\b(?:cargo|go|mvnw?|gradlew?|make|dotnet|swift|bazel|flutter|ninja|npm|yarn|pnpm|pip3?|ccache|sbt)\b[^;&|]*\b(?:clean|cache)\b|\bdocker builder prune\b|ROLLBACK;?['\"]?\s*$"
ALLOWS = (
    r"use|try|take|put|keep|call|go with|go for|go ahead|feel free|you (?:can|may)|du (?:kannst|darfst)|tu peux|puedes|pode|puoi"
    r"|можешь|можно"
)
"""Lets the agent do a thing, beside the verbs of orders."""
