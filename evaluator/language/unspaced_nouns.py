"""Nouns of Chinese, Japanese and Korean requests: a term is matched as part of the text, and its neighbours looked at.

What stands beside it without a particle may belong to it: then nothing is sure.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from evaluator.language import words
from evaluator.language.noun_text import Noun

KANA = re.compile(r"[\u3040-\u30ff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
_UNIT = re.compile(r"[\u30a0-\u30ff\u3400-\u9fff々A-Za-z0-9_]+")
_GENERIC = (
    "ファイル",
    "モジュール",
    "部分",
    "クラス",
    "コード",
    "関数",
    "文件",
    "模块",
    "代码",
    "类",
    "函数",
)
_ADVERBS = ("一度", "再度", "今回", "毎回", "全部", "今日", "一旦", "早急", "今", "次", "最後")
"""Words of Japanese that stand before a noun and are no part of it."""
PROPERTIES = frozenset("""
    色 余白 幅 高さ 上限 下限 間隔 数 件数 速度 サイズ 大きさ 文字 タイトル 名前 順序 順番 表示 背景 ラベル 位置 値
    既定値 タイムアウト 接続 文言 长度 颜色 边距 宽度 高度 间隔 数量 大小 标题 名称 顺序 标签 位置 超时
    """.split())  # fmt: skip  # noqa: SIM905
"""Nouns of what a thing has: what they belong to is the thing spoken of."""
_OF_ANOTHER = (
    r"(?:テスト|設定|ドキュメント|文書|仕様|例|サンプル|モック|ログ|ライブラリ|依存|テーブル|プラグイン"
    r"|测试|配置|文档|例子|日志|테스트|설정|문서|예제)"
)
"""What belongs to a thing and lies elsewhere."""
_SETS_APART = re.compile(
    r"(?:新しい|新たな|別の|他の|ほかの|もう一つの|もうひとつの|違う|古い|旧|次の|另一个|一个|另外的|另外|其他的|其他|其它|别的|新的|新|旧的|旧"
    r"|老的|第二个|下一个|새로운|새|다른|또\s*다른|옛|예전)\s*$"
)
_EXCLUDES = re.compile(
    r"^\s*(?:ではなく|じゃなく|以外|には?触|は触|는\s*말고|말고|은?\s*제외|不要动|别动|以外|之外)"
)
_EXCLUDED = re.compile(r"(?:不是|不要动|别动|不要|除了|别碰|别改)\s*(?:那个|这个)?\s*$")
_REDEFINES = re.compile(
    r"とは|というのは|今は|今後|これから|今回|もう.{0,12}(?:ではな|じゃな)|のことを|を指|意味す|に変わっ|に移|指的是|是指|现在是|这次"
    r"|从现在|不再|以后|改名|搬到|叫做|이제|이번|앞으로|뜻은|의미|말하는|더\s*이상|란\s|이란"
)
_CHINESE_BEFORE = re.compile(
    r"(?:请|帮我|帮忙|麻烦|能不能|可以|把|将|对|给|让|使|在|为|跟|和|与|这个|那个|该|我们的|我的|项目的|一下|再|也|就|先|现在|的话|说"
    r"|修复|修改|更新|优化|改进|调整|重构|整理|简化|清理|修一下|改一下|修正|修好|修|改|加快|加速|提高|完善|检查|看看|看一下|处理|解决|测试|重写|升级"
    r"|有点慢的|慢的|坏的)$"
)
_CHINESE_AFTER = re.compile(
    r"(?:$|[\s，。！？、；：,.!?;:()（）A-Za-z0-9]|改|修|更|快|变|加|去|重|优|删|整|写|调|弄|做|拆|换|升|在|里|中|上|会|要|能|有|太|很|不|没|又|还|也|都|老|总"
    r"|是|需|应|可|必|支持|支援|处理|返回|崩溃|报错|出错|失败|吧|呢|了|啊|一下|跟|和|与|、)"
)
_KOREAN_PARTICLE = re.compile(
    r"(?:에서는|으로는|에게서|에서|으로|에는|까지|부터|처럼|보다|이나|들을|들이|들은|들의|들|을|를|이|가|은|는|의|에|로|도|와|과|만|랑)$"
)
_KOREAN_VERB = re.compile(r"(?:줘|세요|해|하고|해서|하게|면|고|지|라|다|요|서|게|빨리|좀|다시|제발)$")


def occurrences(text: str, head: str, known: Collection[str]) -> list[Noun]:
    """Where `head` stands in a text, and what its neighbours make of it."""
    found: list[Noun] = []
    if head.isascii():
        # A word in Latin letters has a key, and ends with its letters.
        low = text.casefold() if len(text.casefold()) == len(text) else text
        whole = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(head)}s?(?![A-Za-z0-9_])")
        each = (_japanese(text, one.start(), one.end(), known) for one in whole.finditer(low))
        return [one for one in each if one is not None][:20]
    start = text.find(head)
    while start >= 0 and len(found) < 20:
        end = start + len(head)
        if HANGUL.search(head):
            one = _korean(text, start, end)
        elif KANA.search(text):
            one = _japanese(text, start, end, known)
        else:
            one = _chinese(text, start, end, known)
        if one is not None:
            found.append(one)
        start = text.find(head, end)
    return found


def redefines(text: str) -> bool:
    return _REDEFINES.search(text) is not None


def _japanese(text: str, start: int, end: int, known: Collection[str]) -> Noun | None:
    before, after = text[:start], text[end:]
    for generic in _GENERIC:
        if after.startswith(generic):
            after = after[len(generic) :]
            break
    if _UNIT.match(after):
        # It is the first part of another word.
        return None
    apart = _SETS_APART.search(before) is not None
    modifiers: set[str] = set()
    joined = re.search(rf"({_UNIT.pattern})の\s*$", before)
    if joined:
        modifiers.add(joined[1])
    beside = re.search(rf"({_UNIT.pattern})$", before) or re.search(r"([A-Za-z0-9_]+) +$", before)
    if beside and beside[1] not in _ADVERBS:
        modifiers.add(beside[1])
    modifiers = {one.casefold() if one.isascii() else one for one in modifiers}
    other = apart or any(one not in known for one in modifiers) or _EXCLUDES.match(after) is not None
    is_open = re.match(rf"の\s*{_OF_ANOTHER}", after) is not None or after.startswith(
        ("みたい", "のよう", "と同じ")
    )
    return Noun(text[start:end], text[start:end], frozenset(modifiers), start, end, other, is_open)


def _chinese(text: str, start: int, end: int, known: Collection[str]) -> Noun:
    before, after = text[:start].rstrip(), text[end:]
    for generic in _GENERIC:
        if after.startswith(generic):
            after = after[len(generic) :]
            break
    other = _SETS_APART.search(before) is not None or _EXCLUDED.search(before) is not None
    other = other or _EXCLUDES.match(after) is not None
    clause = re.split(r"[\s，。！？、；：,.!?;:()（）]", before)[-1]
    modifiers: set[str] = set()
    while clause:
        stripped = _CHINESE_BEFORE.sub("", clause)
        if stripped == clause:
            break
        clause = stripped
    if clause.endswith("的"):
        modifiers.add(clause.rstrip("的"))
    known_before = any(clause.endswith(one) for one in known if one)
    is_open = bool(clause) and not known_before
    if modifiers and not known_before:
        other = True
    is_open = is_open or (
        re.match(rf"的\s*{_OF_ANOTHER}", after) is not None
        if after.startswith("的")
        else _CHINESE_AFTER.match(after) is None
    )
    return Noun(text[start:end], text[start:end], frozenset(modifiers), start, end, other, is_open)


def _korean(text: str, start: int, end: int) -> Noun | None:
    after = re.match(r"\S*", text[end:])
    rest = after.group() if after else ""
    bare = rest.rstrip(".,!?")
    if bare and _KOREAN_PARTICLE.sub("", bare) not in ("", "들"):
        return None
    before = text[:start]
    apart = _SETS_APART.search(before) is not None or _EXCLUDES.match(text[end:]) is not None
    glued = bool(before) and not before[-1].isspace() and HANGUL.match(before[-1]) is not None
    near = before.split()[-1] if before.split() and not before.rstrip().endswith((".", ",", "!", "?")) else ""
    plain = near and not _KOREAN_PARTICLE.search(near) and not _KOREAN_VERB.search(near)
    owned = near.endswith("의") and near not in ("우리의", "나의", "저의")
    follows = text[end + len(rest) :].split()
    is_open = bool(plain) or (
        not bare and bool(follows) and _KOREAN_VERB.search(follows[0].rstrip(".,!?")) is None
    )
    return Noun(
        text[start:end],
        text[start:end],
        frozenset(),
        start,
        end,
        apart or glued or owned,
        is_open or bare.endswith("의"),
    )


def nouns_of(text: str) -> list[Noun]:
    """The nouns that an order in such a script is about: what stands before its particle, or behind 把."""
    if HANGUL.search(text):
        return _of_korean(text)
    return _of_japanese(text) if KANA.search(text) else _of_chinese(text)


def _of_japanese(text: str) -> list[Noun]:
    pattern = rf"((?:{_UNIT.pattern}の)*)({_UNIT.pattern})(?=を|が|は|に|で|も|の(?!{_UNIT.pattern}))"
    found: list[Noun] = []
    for one in re.finditer(pattern, text):
        head = one[2]
        for generic in _GENERIC:
            if head.endswith(generic) and head != generic:
                head = head.removesuffix(generic)
        modifiers = frozenset(
            part.casefold() if part.isascii() else part for part in one[1].split("の") if part
        )
        found.append(Noun(f"{one[1]}{head}", head, modifiers, one.start(), one.end()))
    return found


def _of_chinese(text: str) -> list[Noun]:
    for one in re.finditer(
        r"(?:把|将)([\u3400-\u9fffA-Za-z0-9]{2,12}?)(?=改|修|更|快|变|加|重|优|删|整|写|调|弄|做|拆|换|升|，|。)",
        text,
    ):
        return [_stripped(one[1], one.start(1))]
    places = re.search(
        r"(?:^|[\s，。,.])(?:请)?(?:在|给|为|让)([\u3400-\u9fffA-Za-z0-9]{2,10}?)(?=里|中|上|加|添|设|显|增|支持|跳过|忽略)",
        text,
    )
    subject = re.match(
        r"\s*(?!请|在|给|把|将|让|对|为)([\u3400-\u9fffA-Za-z0-9]{2,8}?)"
        r"(?=太|应该|需要|不会|不能|没有|老是|总是|经常|每次|[:：])",
        text,
    )
    if places or subject:
        return [_stripped(one[1], one.start(1)) for one in (subject, places) if one is not None]
    inner = "|".join(sorted((re.escape(entry) for entry in _verbs()), key=len, reverse=True))
    found = re.search(rf"(?:{inner})(?:一下|那个|这个|我们的|的)*([\u3400-\u9fffA-Za-z0-9]{{2,10}})", text)
    return [_stripped(found[1], found.start(1))] if found else []


def _stripped(text: str, start: int) -> Noun:
    whole = re.sub(r"^(?:这个|那个|我们的|我的|一下|的)+", "", text)
    start += len(text) - len(whole)
    head, modifiers = whole, frozenset[str]()
    if "的" in whole.strip("的"):
        before, _, head = whole.rpartition("的")
        modifiers = frozenset((before,))
    for generic in _GENERIC:
        if head.endswith(generic) and head != generic:
            head = head.removesuffix(generic)
    return Noun(whole, head, modifiers, start, start + len(whole))


def _verbs() -> list[str]:
    listed = [one for kind, entries in words.ACTIONS.items() if kind != "answer" for one in entries.split()]
    return [one for one in listed if re.fullmatch(r"[\u3400-\u9fff]+", one)]


def _of_korean(text: str) -> list[Noun]:
    found: list[Noun] = []
    for one in re.finditer(r"\S*[\uac00-\ud7af]\S*", text):
        bare = one.group().rstrip(".,!?")
        head = _KOREAN_PARTICLE.sub("", bare)
        if head != bare and len(head) > 1 and re.search(r"(?:을|를|이|가|은|는|들을|도|만)$", bare):
            found.append(Noun(head, head, frozenset(), one.start(), one.start() + len(head)))
    return found
