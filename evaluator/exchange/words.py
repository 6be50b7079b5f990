"""The words of a reply, per language, as data. Written as people type them; folded where they are loaded.

Entries are whole phrases, apart by commas. Where a word could mean something else in another of the languages
it is left out: a reply with a word that is not listed goes to the readers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ReplyWords:
    """`ordinals` and `cardinals` hold the forms of 1, 2, 3, ... in order, the forms of one apart by `|`.

    `deeds` affirm a proposal, as `yes` does, but go with no option of a menu.
    """

    yes: str
    deeds: str
    filler: str
    both: str
    all: str
    conjunctions: str
    ordinals: str
    cardinals: str
    last: str
    qualifiers: str


ENGLISH = ReplyWords(
    yes=(
        "yes, yes please, yep, yup, yeah, y, ok, okay, sure, sure thing, of course, absolutely, "
        "definitely, certainly, go ahead, lgtm, sgtm, sounds good, looks good, sounds great, "
        "sounds good to me, looks good to me, good idea, agreed, perfect, confirmed, approved, "
        "please go ahead, 👍, 👍🏻, 👍🏼, 👍🏽, 👍🏾, 👍🏿, ✅, 👌"
    ),
    deeds=(
        "go for it, do it, do that, do this, do so, please do, make it so, ship it, apply it, "
        "apply that, proceed, go on"
    ),
    filler=(
        "please, pls, plz, thanks, thank you, thx, ty, cheers, let's, lets, let's do, lets do, "
        "let us, do, go, go with, go ahead with, let's go with, lets go with, let's go for, go for, "
        "i'd go with, i would go with, i'll go with, i'll take, i take, i'd take, i choose, i pick, "
        "i'd pick, i'd choose, i want, i'd like, i prefer, i'd prefer, my pick is, my choice is, "
        "going with, we'll take, we'll go with, choose, pick, take, use, let's use, lets use, implement, "
        "try, option, choice, number, nr, approach, variant, answer, the, just, "
        "please just, for me, 🙏, 🙂, 😊, #"
    ),
    both="both, both of them, both of these, both of those, do both, the two",
    all=(
        "all, all of them, all of these, all of those, all of the above, all the above, everything, "
        "every one, all options, them all, do all, all of it"
    ),
    conjunctions="and, &, +, plus, as well as",
    ordinals=(
        "first|first one|first option|1st|1st one|1st option, "
        "second|second one|second option|2nd|2nd one|2nd option, "
        "third|third one|third option|3rd|3rd one|3rd option, "
        "fourth|fourth one|fourth option|4th|4th one, fifth|fifth one|fifth option|5th|5th one, "
        "sixth|sixth one|sixth option|6th|6th one, seventh|seventh one|7th, eighth|eighth one|8th, "
        "ninth|ninth one|9th"
    ),
    cardinals="one, two, three, four, five, six, seven, eight, nine",
    last="last, last one, last option, the last one",
    qualifiers=(
        "but, if, only if, unless, except, excluding, instead, rather, maybe, perhaps, possibly, "
        "probably, not, without, however, although, though, until, till, before, after, provided, "
        "assuming, otherwise, depends, when, once, while, don't, dont, doesn't, can't, won't, isn't, "
        "shouldn't, wouldn't, never, wait, guess, later, almost, partially, partly, minus, aside, "
        "apart, other than, as long as, nor, neither, either, hardly"
    ),
)

CHINESE = ReplyWords(
    yes=(
        "好, 好的, 好吧, 好啊, 可以, 可以的, 行, 是, 是的, 对, 对的, 嗯, 没问题, 同意, 请, 请做, 当然, 确认"
    ),
    deeds="改吧, 做吧, 开始吧, 请继续, 继续, 继续吧, 就这样, 就这么做, 就这么办",
    filler=(
        "选, 我选, 选择, 我选择, 就选, 就, 用, 就用, 那就, 选项, 方案, 第, 号, 谢谢, 多谢, 麻烦, "
        "麻烦了, 吧, 的, 我要, 按, 按照, 采用, 使用"
    ),
    both="两个都要, 两个都做, 两个都, 两个, 两者, 两者都要, 两种都要, 俩都要",
    all="全部, 都, 全都, 全都要, 全都做, 都要, 都做, 全部都要, 全部都做, 所有, 全选",
    conjunctions="和, 与, 跟, 以及, 加",
    ordinals=(
        "第一个|第一|第一种|第一项|第1个|第1|第1种, 第二个|第二|第二种|第二项|第2个|第2|第2种, "
        "第三个|第三|第三种|第三项|第3个|第3|第3种, 第四个|第四|第四种|第四项|第4个|第4, "
        "第五个|第五|第五种|第5个|第5"
    ),
    cardinals="一, 二, 三, 四, 五, 六, 七, 八, 九",
    last="最后一个, 最后一种, 最后一项",
    qualifiers=(
        "但, 不过, 如果, 要是, 除非, 除了, 不要, 不, 别, 而不是, 可能, 也许, 或许, 只有, 没有, 先, "
        "之前, 之后, 然后, 等, 另外, 或者, 还是"
    ),
)

JAPANESE = ReplyWords(
    yes=(
        "はい, ええ, うん, お願いします, おねがいします, お願い, いいですよ, いいよ, いいね, okです, "
        "了解, 了解です, どうぞ, もちろん, よろしく, よろしくお願いします"
    ),
    deeds="進めてください, 進めて, やってください, やって, そうしてください, それでお願いします",
    filler=(
        "で, の, を, が, に, の方, の方で, のほう, のほうで, 番, 番で, 番目, にします, にして, "
        "にしてください, がいいです, がいい, でいいです, でいい, でいきましょう, でいきます, "
        "にしましょう, を選びます, を選択, 選択肢, オプション, 案, ありがとう, ありがとうございます, "
        "です, では, じゃあ, 使って, ください"
    ),
    both="両方, 両方とも, 両方お願いします, 二つとも, 2つとも, どちらも",
    all="全部, 全部お願いします, すべて, 全て, ぜんぶ, 全部で",
    conjunctions="と, および, 及び",
    ordinals=(
        "一番目|1番目|一つ目|1つ目|最初|最初の|最初の方, 二番目|2番目|二つ目|2つ目, "
        "三番目|3番目|三つ目|3つ目, 四番目|4番目|四つ目|4つ目, 五番目|5番目|五つ目|5つ目"
    ),
    cardinals="一, 二, 三, 四, 五",
    last="最後, 最後の, 最後の方",
    qualifiers=(
        "でも, けど, けれど, ただし, ただ, もし, なら, ではなく, じゃなく, 以外, たぶん, 多分, かも, "
        "しかし, まず, 前に, 後で, あとで, なしで, 除いて, ない, 場合, それとも, たら, れば"
    ),
)

KOREAN = ReplyWords(
    yes=(
        "네, 예, 응, 넵, 그래, 그래요, 좋아, 좋아요, 좋습니다, 해줘, 해주세요, 해 주세요, 부탁해요, "
        "부탁해, 부탁합니다, 부탁드립니다, 물론, 물론이죠, 오케이"
    ),
    deeds="진행해줘, 진행해주세요, 진행해 주세요, 진행하세요, 그렇게 해주세요, 그렇게 해줘",
    filler=(
        "번, 번으로, 번이요, 번요, 번째, 번째로, 으로, 로, 걸로, 것으로, 할게요, 하자, 하죠, 합시다, "
        "갑시다, 가자, 갈게요, 선택, 선택할게요, 옵션, 방법, 방안, 요, 이요, 감사합니다, 고마워, "
        "고마워요, 를, 을, 그냥"
    ),
    both="둘 다, 둘다, 둘 다 해주세요, 둘 다요, 두 개 다, 양쪽 다",
    all="모두, 전부, 전부 해주세요, 전부 다, 다, 모두 다, 다 해줘, 전체",
    conjunctions="와, 과, 하고, 랑, 이랑, 그리고",
    ordinals=(
        "첫 번째|첫번째|첫째|첫 번째 것|첫번째 것, 두 번째|두번째|둘째|두 번째 것|두번째 것, "
        "세 번째|세번째|셋째, 네 번째|네번째|넷째, 다섯 번째|다섯번째|다섯째"
    ),
    cardinals="",
    last="마지막, 마지막 것, 마지막 거",
    qualifiers=(
        "하지만, 그런데, 근데, 인데, 지만, 만약, 라면, 으면, 말고, 빼고, 제외, 아마, 대신, 없이, 않, "
        "아니, 먼저, 나중, 경우, 글쎄, 또는, 아니면, 혹은"
    ),
)

GERMAN = ReplyWords(
    yes=(
        "ja, ja bitte, jo, jep, klar, na klar, gern, gerne, passt, in ordnung, einverstanden, genau, "
        "natürlich, unbedingt, bitte machen, machen"
    ),
    deeds="mach das, mach es, mach mal, mach's, tu das, leg los, los geht's",
    filler=(
        "bitte, danke, danke dir, vielen dank, die, der, das, den, nimm, nimm die, nehmen wir, "
        "wir nehmen, ich nehme, ich wähle, ich will, ich möchte, lass uns, wähle, nummer, variante, "
        "punkt, vorschlag, dann"
    ),
    both="beide, beides, alle beide",
    all="alle, alles, sämtliche",
    conjunctions="und, sowie",
    ordinals=(
        "erste|erster|erstes|ersten, zweite|zweiter|zweites|zweiten, dritte|dritter|drittes|dritten, "
        "vierte|vierter|viertes|vierten, fünfte|fünfter|fünftes|fünften"
    ),
    cardinals="eins, zwei, drei, vier, fünf",
    last="letzte, letzter, letztes, letzten",
    qualifiers=(
        "aber, wenn, falls, außer, ausser, nicht, ohne, vielleicht, statt, stattdessen, anstatt, "
        "sondern, jedoch, eher, sofern, solange, nur wenn, erst, bevor, nachdem, bis, kein, keine, "
        "keinen, oder, noch, später, eventuell, evtl, bis auf"
    ),
)

FRENCH = ReplyWords(
    yes=(
        "oui, ouais, oui merci, d'accord, dac, bien sûr, parfait, ça marche, ok pour moi, c'est bon, "
        "volontiers, entendu, tout à fait"
    ),
    deeds="vas-y, vas y, allez-y, allez y, fais-le, faites-le",
    filler=(
        "s'il vous plaît, s'il te plaît, stp, svp, merci, merci beaucoup, le, la, l', "
        "on part sur, partons sur, on prend, prends, prenez, je prends, je choisis, je veux, "
        "je préfère, va pour, numéro, choix, solution, alors"
    ),
    both="les deux, toutes les deux, tous les deux",
    all="tout, tous, toutes, toutes les options",
    conjunctions="et, ainsi que",
    ordinals=(
        "premier|première|1er|1ère|1ere|première option, "
        "deuxième|second|seconde|2e|2ème|2eme|deuxième option, "
        "troisième|3e|3ème|3eme|troisième option, quatrième|4e|4ème, cinquième|5e|5ème"
    ),
    cardinals="option un, deux, trois, quatre, cinq",
    last="dernier, dernière, dernière option",
    qualifiers=(
        "mais, si, sauf, sans, pas, peut-être, plutôt, à moins, cependant, seulement si, quand, "
        "avant, après, sinon, excepté, hormis, ne, n', ni, ou, au lieu, à condition, tant que, "
        "pourvu, d'abord"
    ),
)

SPANISH = ReplyWords(
    yes=(
        "sí, sí por favor, claro, claro que sí, dale, vale, de acuerdo, perfecto, por supuesto, "
        "está bien, venga"
    ),
    deeds="hazlo, procede, adelante",
    filler=(
        "por favor, porfa, gracias, muchas gracias, el, la, vamos con, usa, elige, elijo, "
        "escojo, prefiero, me quedo con, quiero, opción, número, haz, pues, entonces"
    ),
    both="ambos, ambas, los dos, las dos",
    all="todo, todos, todas, todas las opciones",
    conjunctions="y",
    ordinals=(
        "primero|primera|primer|primera opción|1ro|1ra, segundo|segunda|segunda opción|2do|2da, "
        "tercero|tercera|tercer|tercera opción|3ro|3ra, cuarto|cuarta|4to|4ta, quinto|quinta|5to|5ta"
    ),
    cardinals="uno, dos, tres, cuatro, cinco",
    last="último, última, última opción",
    qualifiers=(
        "pero, si, salvo, excepto, sin, quizás, quizá, tal vez, a menos, en vez, en lugar, no, "
        "aunque, solo si, sólo si, cuando, antes, después, siempre que, sino, menos, todavía, "
        "primero que, depende, ni"
    ),
)

PORTUGUESE = ReplyWords(
    yes=("sim, sim por favor, claro, pode, beleza, perfeito, com certeza, combinado, tá bom, está bem, isso"),
    deeds="pode fazer, pode ir, manda ver, vai em frente, faz isso, faça, faça isso",
    filler=(
        "por favor, obrigado, obrigada, valeu, vamos de, vamos com, vai de, escolho, prefiro, quero, "
        "fico com, opção, a opção, número, então, use"
    ),
    both="ambos, ambas, os dois, as duas, as duas coisas",
    all="tudo, todos, todas, todas as opções",
    conjunctions="e",
    ordinals=(
        "primeiro|primeira|a primeira|o primeiro|primeira opção, "
        "segundo|segunda|a segunda|o segundo|segunda opção, "
        "terceiro|terceira|a terceira|o terceiro|terceira opção, quarto|quarta|a quarta|o quarto, "
        "quinto|quinta|a quinta|o quinto"
    ),
    cardinals="opção um, dois|duas, três, quatro, cinco",
    last="último, última, a última, o último",
    qualifiers=(
        "mas, se, exceto, sem, talvez, a menos, em vez, não, porém, só se, somente se, quando, "
        "antes, depois, desde que, menos, senão, ainda, ou, nem, caso, depende"
    ),
)

RUSSIAN = ReplyWords(
    yes=(
        "да, ага, угу, давай, давайте, ок, окей, хорошо, конечно, сделай, сделайте, согласен, "
        "согласна, да давай, можно, отлично"
    ),
    deeds="делай, делайте, действуй, валяй, поехали",
    filler=(
        "пожалуйста, плиз, спасибо, вариант, вариантом, номер, опция, опцию, пункт, "
        "выбираю, выбери, возьми, беру, пусть будет, будет, хочу, тогда, лучше"
    ),
    both="оба, обе, и то и другое, оба варианта, обоих",
    all="все, всё, все варианты, всё сразу",
    conjunctions="и, плюс",
    ordinals=(
        "первый|первое|первая|первую|первого|1-й|1й|1-е, "
        "второй|второе|вторая|вторую|второго|2-й|2й|2-е, "
        "третий|третье|третья|третью|третьего|3-й|3й, "
        "четвёртый|четвёртое|четвёртая|четвёртую|4-й|4й, пятый|пятое|пятая|пятую|5-й|5й"
    ),
    cardinals="один, два, три, четыре, пять",
    last="последний, последнее, последняя, последнюю",
    qualifiers=(
        "но, если, кроме, вместо, может, возможно, не, без, однако, только если, пока, когда, после, "
        "до, перед, сначала, наверное, либо, или, ни, хотя, нет, а не, потом, исключая, разве, все спасибо"
    ),
)

HINDI = ReplyWords(
    yes="हाँ, हां, जी, जी हाँ, जी हां, हाँ जी, ठीक है, ठीक, बिल्कुल, ज़रूर, जरूर, सही है, अच्छा",
    deeds="कर दो, कर दीजिए, कर दें, करो, करें, कीजिए, आगे बढ़ो, आगे बढ़ें",
    filler=("कृपया, धन्यवाद, शुक्रिया, विकल्प, वाला, वाली, वाले, नंबर, चुनो, चुनें, मैं चुनता हूँ, लो, लें, को, ही, तो"),
    both="दोनों, दोनो",
    all="सभी, सब, सारे, सब कुछ",
    conjunctions="और, तथा, एवं",
    ordinals="पहला|पहली, दूसरा|दूसरी, तीसरा|तीसरी, चौथा|चौथी, पाँचवाँ|पांचवां|पाँचवीं",
    cardinals="एक, दो, तीन, चार, पाँच|पांच",
    last="आखिरी, आख़िरी, अंतिम",
    qualifiers=(
        "लेकिन, मगर, पर, परंतु, अगर, यदि, नहीं, मत, ना, शायद, बिना, सिवाय, बजाय, छोड़कर, जब, बाद, "
        "पहले, तभी, या, वरना, हालाँकि, किंतु"
    ),
)

ITALIAN = ReplyWords(
    yes=(
        "sì, sì grazie, certo, certo che sì, va bene, d'accordo, perfetto, volentieri, esatto, ci sto, "
        "per me va bene"
    ),
    deeds="fallo, procedi, vai pure, avanti",
    filler=(
        "per favore, per piacere, grazie, grazie mille, il, lo, la, l', gli, scelgo, prendo, prendi, "
        "vada per, andiamo con, voglio, vorrei, preferisco, opzione, l'opzione, numero, allora, scelta"
    ),
    both="entrambi, entrambe, tutti e due, tutte e due, ambedue",
    all="tutto, tutti, tutte, tutte le opzioni",
    conjunctions="e",
    ordinals=(
        "primo|il primo|la prima|prima opzione, secondo|seconda|seconda opzione, "
        "terzo|terza|terza opzione, quarto|quarta, quinto|quinta"
    ),
    cardinals="uno, due, tre, quattro, cinque",
    last="ultimo, ultima, l'ultimo, l'ultima",
    qualifiers=(
        "ma, però, se, tranne, eccetto, senza, forse, magari, a meno, invece, non, solo se, quando, "
        "prima di, prima che, dopo, finché, purché, piuttosto, oppure, né, nessuno, nessuna, dipende"
    ),
)

LANGUAGES: dict[str, ReplyWords] = {
    "en": ENGLISH,
    "zh": CHINESE,
    "ja": JAPANESE,
    "ko": KOREAN,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "pt": PORTUGUESE,
    "it": ITALIAN,
    "ru": RUSSIAN,
    "hi": HINDI,
}

FORMER = "former, the former, 前者, erstere, ersteres, erstgenannte"
LATTER = "latter, the latter, 后者, 後者, letztere, letzteres, letztgenannte"
"""Of two options only."""

YES_ALONE = "si"
"""An affirmation only if nothing else is said: Spanish "sí" without its accent, or "if"."""
