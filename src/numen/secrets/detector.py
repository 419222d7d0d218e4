"""Finds secrets in text, by their shape and by the words around them, in six languages.

One file, standard library only, because it is copied whole into the Hermes wheel, which must seal when the
service is down (decision 19). Shapes are proven where they can be: cards by brand and Luhn (ISO/IEC 7812),
IBANs by length and mod 97 (ISO 13616), seed phrases by the BIP-39 checksum. Everything else needs a label:
a word such as password, PIN or code, something that links it to a value, and a value that looks like one.
Every repeat is bounded and every label looks at a window of fixed size, so time is linear in the text.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

__all__ = ["KINDS", "Finding", "clues", "find", "labels"]

KINDS = (
    "assignment",
    "backup_code",
    "bearer",
    "card",
    "card_code",
    "iban",
    "json_field",
    "jwt",
    "login",
    "otp",
    "passphrase",
    "password",
    "pin",
    "private_key",
    "seed_phrase",
    "token",
    "url_credentials",
    "webhook",
    "wifi",
)
"""Every `Finding.kind`."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret: `text[start:end]` is the value alone, without label, quotes or closing punctuation.

    `label` says what it is, at most 60 characters of `A-Za-z0-9 _.@+-`, and never looks like a secret itself.
    """

    start: int
    end: int
    kind: str
    label: str


def find(text: str) -> list[Finding]:
    """Every secret in `text`, in order, none overlapping another. References are left alone.

    Any text is taken, lone surrogates included; nothing is raised. Once each finding was replaced by a
    reference, words that stood apart may come together and show another: whoever seals asks again until
    nothing is found.
    """
    foreign = _foreign(text)
    if not _UNSEEN.isdisjoint(foreign):
        seen, places = _seen(text)
        return [replace(one, start=places[one.start], end=places[one.end - 1] + 1) for one in find(seen)]
    plain, folded, raw, words = _read_as(text, foreign)
    taken = _Taken(len(text))
    found = [one for one in _shapes(plain, folded, raw, words) if taken.take(one)]
    found += [one for one in _labelled(plain, folded, raw, words, taken) if taken.take(one)]
    found += [one for one in _told(plain, folded, raw, taken) if taken.take(one)]
    if not _SPELT.isdisjoint(words) and sum(map(_DIGITS_SPELT.__contains__, words)) > _FEWEST_SPELT:
        found += [one for one in _spelt_out(folded) if taken.take(one)]
    if any(word in folded for word in _CARRIED):
        found += [one for one in _padlocks(folded) if taken.take(one)]
    return sorted(found, key=lambda one: one.start)


def labels(text: str) -> list[tuple[int, int]]:
    """Where words stand in `text` that announce a secret, such as password, PIN or code, in order."""
    foreign = _foreign(text)
    if not _UNSEEN.isdisjoint(foreign):
        seen, places = _seen(text)
        return [(places[start], places[end - 1] + 1) for start, end in labels(seen)]
    plain = _without_references(text)
    folded = _folded(plain, foreign)
    raw = folded.encode("ascii", "replace")
    return [(one.start, one.end) for one in _labels(plain, folded, raw, raw.translate(_LETTERS_ONLY).split())]


# ---------------------------------------------------------------- text as the rules read it


def _read_as(text: str, foreign: set[str]) -> tuple[str, str, bytes, list[bytes]]:
    """`text` without references, the same folded, that as bytes, and its words."""
    plain = _without_references(text)
    folded = _folded(plain, foreign)
    raw = folded.encode("ascii", "replace")
    return plain, folded, raw, raw.translate(_LETTERS_ONLY).split()


_REFERENCE = re.compile(r"\[secret (?:S-[A-Z2-7]{8}|withheld)[^\]\n]{0,80}\]")
_BLANK = "\uffff"


def _without_references(text: str) -> str:
    """`text` with every reference blanked out, so that nothing is found in one or across one."""
    if "[secret " not in text:
        return text
    return _REFERENCE.sub(lambda match: _BLANK * len(match.group()), text)


_UNSEEN = frozenset(
    chr(code)
    for first, last in (
        (0x300, 0x36F),
        (0xAD, 0xAD),
        (0x61C, 0x61C),
        (0x180E, 0x180E),
        (0x200B, 0x200F),
        (0x202A, 0x202E),
        (0x2060, 0x2064),
        (0xFE00, 0xFE0F),
        (0xFEFF, 0xFEFF),
        (0xFF01, 0xFF5E),
        (0x1D400, 0x1D7FF),
        (0xE0000, 0xE007F),
    )
    for code in range(first, last + 1)
)
"""Accents that stand apart from their letter, what is not seen, and wide or mathematical letters."""


def _seen(text: str) -> tuple[str, list[int]]:
    """`text` as it is seen, and where each character of that stands in it."""
    seen: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        plain = unicodedata.normalize("NFKC", char) if char in _UNSEEN else char
        if len(plain) == 1 and (plain != char or char not in _UNSEEN):
            seen.append(plain)
            places.append(place)
    return "".join(seen), places


def _folds() -> dict[str, str]:
    """One character for one: accents off, one kind of quote, dash and space."""
    table: dict[str, str] = {}
    for code in (*range(0xC0, 0x250), *range(0xFF01, 0xFF5F)):
        base = unicodedata.normalize("NFKD", chr(code))[0]
        if base.isascii():
            table[chr(code)] = base.lower()
    groups = {
        '"': "“”„‟«»‹›",
        "'": "‘’‚‛´",
        " ": "\u00a0\u202f\u2007\u2009\u3000",
        "-": "‐‑‒–—−",
        "=": "→➔➜⇒",
        "s": "ß",
    }
    for base, characters in groups.items():
        table.update(dict.fromkeys(characters, base))
    return table


_FOLDS = _folds()


def _foreign(text: str) -> set[str]:
    """The characters of `text` that are not ASCII."""
    return set() if text.isascii() else set("".join(_ASCII.split(text)))


_ASCII = re.compile(r"[\x00-\x7f]+")


def _folded(text: str, foreign: set[str]) -> str:
    """`text`, which holds `foreign`, in lower case without accents, exactly as long as it was."""
    for char in foreign & _FOLDS.keys():
        text = text.replace(char, _FOLDS[char])
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(lower if len(lower := char.lower()) == 1 else char for char in text)


_LETTERS_ONLY = bytes(code if code in b"abcdefghijklmnopqrstuvwxyz" else 32 for code in range(256))
"""For `bytes.translate`, which splits a text into words several times faster than any pattern."""


# ---------------------------------------------------------------- shapes: no label needed


def _trie(words: Iterable[str], hyphen: str) -> str:
    """A pattern for any of `words`, the longest first, letter by letter; `hyphen` is what - matches."""
    heads: dict[str, list[str]] = {}
    for word in words:
        heads.setdefault(word[:1], []).append(word[1:])
    ends = heads.pop("", None) is not None
    branches = [
        (hyphen if head == "-" else re.escape(head)) + _trie(rest, hyphen) for head, rest in heads.items()
    ]
    if not branches:
        return ""
    whole = branches[0] if len(branches) == 1 and not ends else f"(?:{'|'.join(branches)})"
    return whole + "?" if ends else whole


_RUN = re.compile(r"(?<![A-Za-z0-9_\-.:/])[A-Za-z0-9_\-.:$/+=~?&%@,]{16,}+")
_VENDORS = (
    "sk- sk_live_ sk_test_ rk_live_ rk_test_ whsec_ ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- gldt- "
    "glrt- glptt- glcbt- "
    "glft- glsoat- glsa_ glc_ xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- AIza ya29. GOCSPX- hf_ "
    "gsk_ r8_ npm_ pypi- "
    "dop_v1_ doo_v1_ dor_v1_ shpat_ shpss_ shpca_ shppa_ sq0atp- sq0csp- ATATT ATCTT ATBB ntn_ secret_ "
    "lin_api_ lin_oauth_ "
    "figd_ dapi HRKU- dp.pt. dp.st. dp.ct. dp.sa. hvs. hvb. hvr. nfp_ nfc_ nfb_ sbp_ sb_secret_ "
    "pscale_tkn_ pscale_pw_ "
    "pscale_oauth_ sntrys_ sntryu_ NRAK- dt0c01. dt0s01. PMAK- rubygems_ dckr_pat_ dckr_oat_ pplx- fw_ "
    "xai- tvly- lsv2_pt_ "
    "lsv2_sk_ xkeysib- xsmtpsib- AGE-SECRET-KEY-1 tskey- SG. key- ops_ pat-na1- pat-eu1- nvapi- rpa_ "
    "csk- tfp_ aio_ CFPAT- "
    "shippo_live_ shippo_test_ FLWSECK- FLWSECK_TEST- oy2 phx_ EAAC 1//0 sk.eyJ y0_ AQVN CLOJARS_ "
    "vercel_ cio fc- jina_ "
    "apify_api_ mlsn. wpu_ bbdc- fio-u- sl. access_token$production$ lmb_ zpka_ hpat_ re_ SK AKIA ASIA "
    "ABIA ACCA"
).split()
"""How the tokens of known makers begin."""

_TOKEN = re.compile(
    rf"""(?<![A-Za-z0-9])(?:(?:{_trie(_VENDORS, "-")})[A-Za-z0-9_\-.=/+~]{{16,}}+
    | (?:bot)?\d{{8,10}}:A[A-Za-z0-9_\-]{{30,40}}
    | [MNO][A-Za-z0-9_\-]{{22,27}}\.[A-Za-z0-9_\-]{{6}}\.[A-Za-z0-9_\-]{{25,}}
    | [0-9a-f]{{32}}-us\d{{1,2}}\b | [A-Za-z0-9]{{14}}\.(?:atlasv1\.)?[A-Za-z0-9_\-]{{60,}})""",
    re.VERBOSE,
)
_JWT = re.compile(r"(?<![A-Za-z0-9_])eyJ[\w\-]{6,}\.[\w\-]{8,}(?:\.[\w\-]*){1,3}", re.ASCII)
_PEM = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"(?:[A-Za-z0-9+/=\s:,\-]|\\[nr])*+")
_USERINFO = re.compile(r"(?P<user>[^\s:/@\"'<>`\\]{0,100}):(?P<value>[^\s/\"'<>`\\]{1,200})@(?=[\w\[.$%{-])")
_TOKEN_USER = re.compile(r"(?P<value>[A-Za-z0-9_\-]{20,200})@(?=[\w\[-])(?![\w.\-]{0,60}sentry)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]{1,20}\Z")
_HOOK = re.compile(
    r"""https://(?:
      hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w\-/]{20,}
    | (?:\w{1,10}\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d{6,}/[\w\-]{20,}
    | [\w\-]{1,60}\.webhook\.office\.com/webhookb2/[\w\-@/]{20,}
    | outlook\.office(?:365)?\.com/webhook/[\w\-@/]{20,}
    | [\w\-.]{1,80}\.logic\.azure\.com(?::443)?/workflows/\S{20,}
    | hooks\.zapier\.com/hooks/catch/\d+/\w{4,}/?
    | hook\.(?:[a-z]{2}\d\.)?(?:make|integromat)\.com/[\w\-]{16,}
    | maker\.ifttt\.com/trigger/[\w\-]+/(?:json/)?with/key/[\w\-]{10,}
    | chat\.googleapis\.com/v1/spaces/\S{10,}[?&]key=\S{10,}
    | open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[\w\-]{16,}
    | oapi\.dingtalk\.com/robot/send\?access_token=\w{16,}
    | qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[\w\-]{16,}
    | hooks\.chime\.aws/incomingwebhooks/\S{16,} | events\.pagerduty\.com/integration/\w{16,}\S*
    | [\w\-.]{1,80}(?::\d{2,5})?/(?:api/webhook|hooks|webhook)/(?=[\w\-/]*\d)[\w\-/]{20,} )""",
    re.VERBOSE,
)


_SKETCH = re.compile(
    r"x{5}|\*{3}|\.{3}|your|example|placeholder|redacted|changeme|<|\$\{|0{10}|T0{6}", re.IGNORECASE
)
"""What a token or address in a manual has in it."""


class _Taken:
    """Which characters belong to a finding already."""

    def __init__(self, size: int) -> None:
        self._marks = bytearray(size)

    def take(self, finding: Finding) -> bool:
        """Take the finding's span; False, and nothing done, where a part of it is taken."""
        if not self.free(finding.start, finding.end):
            return False
        self.mark(finding.start, finding.end)
        return True

    def mark(self, start: int, end: int) -> None:
        """Take the span."""
        self._marks[start:end] = b"\1" * (end - start)

    def blanked(self, text: str) -> str:
        """`text` with what is taken blanked out, as references are."""
        parts: list[str] = []
        reached, place = 0, self._marks.find(1)
        while place >= 0:
            end = self._marks.find(0, place)
            end = end if end >= 0 else len(text)
            parts += [text[reached:place], _BLANK * (end - place)]
            reached, place = end, self._marks.find(1, end)
        return "".join([*parts, text[reached:]]) if parts else text

    def free(self, start: int, end: int) -> bool:
        """Whether no character of the span is taken."""
        return self._marks.find(1, start, end) < 0


def _shapes(text: str, folded: str, raw: bytes, words: list[bytes]) -> Iterator[Finding]:
    """What gives itself away, the more certain first; later ones that overlap are for the caller to drop."""
    if "-----BEGIN " in text:
        yield from _private_keys(text)
    if "://" in text:
        yield from _addresses(text)
    if "eyJ" in text:
        for match in _JWT.finditer(text):
            yield Finding(match.start(), match.start() + len(match.group().rstrip("-.")), "jwt", "JWT")
    if _SHORTEST_TOKEN in raw.translate(_BLACK):
        yield from _tokens(text)
    if len(raw) - len(raw.translate(None, b"0123456789")) >= _FEWEST_DIGITS:
        yield from _ibans(text)
        yield from _cards(text, folded)
    if not _BIP39.keys().isdisjoint(words[11::12]) and _twelve_listed(words):
        yield from _seed_phrases(folded)


def _twelve_listed(words: list[bytes]) -> bool:
    """Whether twelve words in a row are of the list; one in twelve is looked at, and those around it."""
    for place in range(11, len(words), 12):
        if words[place] in _BIP39:
            first = last = place
            while first > place - 11 and words[first - 1] in _BIP39:
                first -= 1
            while last - first < 11 and last + 1 < len(words) and words[last + 1] in _BIP39:
                last += 1
            if last - first >= 11:
                return True
    return False


def _private_keys(text: str) -> Iterator[Finding]:
    place, ends = 0, True
    while begin := _PEM.search(text, place):
        end = _PEM_END.search(text, begin.end()) if ends else None
        ends = end is not None
        body = _PEM_BODY.match(text, begin.end())
        place = end.end() if end else (body.end() if body else begin.end())
        if len(text[begin.end() : place].split("...")[0]) > _SHORTEST_KEY:
            yield Finding(
                begin.start(),
                begin.start() + len(text[begin.start() : place].rstrip()),
                "private_key",
                "private key",
            )


_SHORTEST_TOKEN = b"x" * 16
_BLACK = bytes(32 if chr(code).isspace() else 120 for code in range(256))
_FEWEST_DIGITS = 10
"""Digits of the shortest IBAN, Norway's, less one for its check digits' sake; a card has twelve or more."""

_SHORTEST_KEY = 60
"""Characters after the first line below which a key block is a sketch in a manual."""


def _addresses(text: str) -> Iterator[Finding]:
    place = text.find("://")
    while place >= 0:
        if scheme := _SCHEME.search(text, max(0, place - 21), place):
            hook = _HOOK.match(text, scheme.start())
            if hook and not _SKETCH.search(hook.group()):
                yield Finding(
                    hook.start(), hook.start() + len(hook.group().rstrip(".,;:!?)]}")), "webhook", "webhook"
                )
            user = _USERINFO.match(text, place + 3) or _TOKEN_USER.match(text, place + 3)
            if user and not _is_sample_login(user):
                yield Finding(user.start("value"), user.end("value"), "url_credentials", "URL credentials")
        place = text.find("://", place + 3)


def _is_sample_login(user: re.Match[str]) -> bool:
    value = user["value"]
    if "user" not in user.re.groupindex:
        return _looks(value) < _STRONG
    return _is_placeholder(value) or value == user["user"]


def _tokens(text: str) -> Iterator[Finding]:
    for run in _RUN.finditer(text):
        for match in _TOKEN.finditer(text, run.start(), run.end()):
            value = match.group().rstrip(".-=/+~") if match.group()[-1] in ".-/+~" else match.group()
            body = value[6:]
            if _SKETCH.search(value) or not (_DIGIT.search(body) or _INNER_CASE.search(body)):
                continue
            start = match.start() + (3 if value.startswith("bot") else 0)
            yield Finding(start, match.start() + len(value), "token", "token")


# ---------------------------------------------------------------- numbers that prove themselves

_IBAN = re.compile(r"\d(?<=(?<![A-Za-z0-9])[A-Za-z]{2}\d)\d(?:[ \u00a0-]?[A-Za-z0-9]){11,30}", re.ASCII)
_IBAN_LENGTHS = {
    country: int(group[:2])
    for group in (
        "15NO 16BE 18DKFIFOFKGLNLSD 19MKSI 20ATBAEEKZLTLUMNXK 21CHHRLILV 22BGBHCRDEGBGEIEMERSVA "
        "23AEGIILIQOMSOTL "
        "24ADCZESMDPKROSASESKTNVG 25LYPTST 26ISTR 27BIDJFRGRITMCMRSM 28ALAZBYCYDOGTHNHULBNIPLSV 29BREGPSQAUA "
        "30JOKWMUYE 31MTSC 32LC 33RU"
    ).split()
    for country in re.findall("[A-Z]{2}", group[2:])
}
"""Characters of an IBAN by country (ISO 13616 registry)."""

_CARD = re.compile(
    r"\d(?<![\w.,/+]\d)(?:\d{11,18}"
    r"|\d{3}(?P<gap>[ \u00a0.-])\d{4}(?P=gap)\d{4}(?P=gap)\d{4}(?:(?P=gap)\d{3})?"
    r"|\d{3}(?P<other>[ \u00a0.-])\d{6}(?P=other)\d{4,5})(?![\w]|[.,]\d)",
    re.ASCII,
)
_BRAND = re.compile(
    r"(?:4\d{15}|4\d{18}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|6(?:36297|36368|06282)\d{10}"
    r"|220[0-4]\d{12})\Z"
)
_WIDE_BRAND = re.compile(r"(?:4\d{12}|3(?:0[0-5]|[689]\d)\d{11}|(?:50|5[6-9]|6\d|8[12]|9792)\d{10,17})\Z")
"""Brands that other numbers share: believed only beside a word for a card."""

_CARD_WORD = re.compile(
    r"card|kart|carte|tarjeta|cartao|\bcarta|visa|master|amex|american|maestro|debit|credit|kredit"
)
_OTHER_NUMBER = re.compile(
    r"(?:order|track|parcel|invoice|case|ticket|serial|imei|isbn|refer|bestell|sendung|rechnung|auftrag"
    r"|commande"
    r"|suivi|colis|factur|pedido|seguimiento|encomenda|rastrei|ordine|spedizion|pacco"
    r"|pratica)[^.;:!?\n]{0,20}[:#]?\s{0,3}\Z"
)


def _ibans(text: str) -> Iterator[Finding]:
    for match in _IBAN.finditer(text):
        start = match.start() - 2
        length = _IBAN_LENGTHS.get(text[start : start + 2].upper())
        if not length:
            continue
        places = [place for place in range(start, match.end()) if text[place].isalnum()][:length]
        end = places[-1] + 1
        digits = "".join(text[place] for place in places).upper()
        if len(digits) < length or text[end : end + 1].isalnum():
            continue
        if int("".join(str(int(char, 36)) for char in digits[4:] + digits[:4])) % 97 == 1:
            yield Finding(start, end, "iban", "IBAN")


def _cards(text: str, folded: str) -> Iterator[Finding]:
    for match in _CARD.finditer(text):
        start, end = match.span()
        before = folded[max(0, start - 40) : start]
        named = _CARD_WORD.search(before) is not None
        if not named and _OTHER_NUMBER.search(before):
            continue
        for last in (end, end - 4):
            digits = "".join(filter(str.isdigit, text[start:last]))
            brand = _BRAND.match(digits) or (named and _WIDE_BRAND.match(digits))
            if brand and not text[last : last + 1].isdigit() and _luhn(digits):
                yield Finding(start, last, "card", "card number")
                break


def _luhn(digits: str) -> bool:
    """The check digit of ISO/IEC 7812-1."""
    doubled = (sum(divmod(int(char) * 2, 10)) for char in digits[-2::-2])
    return (sum(doubled) + sum(map(int, digits[-1::-2]))) % 10 == 0 and len(set(digits)) > 1


# ---------------------------------------------------------------- seed phrases

_PACKED = (
    "c-lRgjdrX!4uoH+v7g9*0Z$v7F{V4@>Gvy<*>iR?xt+#8QmLvWUSSMnuEnLC`t5Rb_3Hi;-5E>wwT-^FFm->m*<EKGrYWAMPqY2?;s+n"
    "PEk&M4GtZtqP43?-wdh(sPuG2_g>`(>b63d29FFd0pIB6%xqo=Z?WwyfclQZpiu^4OvDGn6!?J|bcz$**q<L6FDlYocU5jzpVwi`tyXK"
    "GDx;t|ma%j67uiZ^`tJy_9PO-S`<L&F$?Ul`HiSF0}ON9A$XLUU`_YL<s?4if2`QKDlzO{NTs9VoN3Hj#9Y2zlW*WDVM&(XKrr9EW#CU"
    "Av#aCq+MYTsD${PLs6Qi4zaUeW!eNQm#@2%M_sy58=H;aR5=z?SmRrp+saG58YP%2T_KvjTV%-J&p*HTrlG*iY1zx{r%8l=$dd+j}_QE"
    "ISd7Ktz3f{&MZn^=%JB-*W6^d3QZbZyyV(=-12<SY)`SPQKhsI#%U{n|9r~vOpO=v4xdqr!ZGAFnq(C=ORaoXJv!sA`;)w=HVxuuQ7}_"
    "5sO*RvnEfjE?a`9T5g}+KGy0=AU=giH6Qcsm0{M*01zDbcjN?}#Ku5miob~96v&C!hH-IA1!^m(*aGoLL?{c5M8<P`o{0;W;VR(x_GH?"
    "BBY?PT0Xow?k+|8t$=>{zk~aIkv1e?6i3kyz9mH`E&nhvzJ)qS-wa)xncPoL5K=^YTYS8lzTqWJl6##L%`qr~;W_O@Pw!cob(aC}^<9<"
    "K|@z);QzGz+5Ao%q0m&(#Hl=a20TlcI$j_WkloCpvP{3;w?p!44XVz=QMN8M~DphS==%9RrloYB7l9HE(k-CJR&mc8K2390O&I=$`w?&"
    "kl$zpp8bBYD@+Saa%Jh+Go0oc->0K;aKpe8_%^*|TL)$w&VQtVHIIz*#^UU+Aje=10CT`?dOm8#mITY;SB(J-N0L>a15+uLQ1DUt#M@x"
    "96LN(GQq_w5Ze^DZ^b=S<dV9{o<e0_Ositi9qt(?}wO3#Zymz2ndbewHk3gylR1eEWWWBp&;hOg^1_b?<G=wuo91o*9rxCP1HQF@U0AK"
    "4b4&JJI885R8PM=e7g@7okQCF;agg6|5d33@ckye&GITDT^7HOo>hrs<+Ig}wfSqdbdH>zBXQzB31P%UTvW>i(5Sj40+H-txlG-QD=1d"
    "LM=m`#f*Msx9L^u1+!O_@=x0jZFRAT*HEJ$;^h|<iZ#DZ*5-<U7cE=G#KaGfTV~TTn3aWG6OI6tk*&!C=*k@8|z)tPaFzp4jrTd*NsF0"
    "@wv;S2jb`R6|`1W6mcUPsIhY?^sR0LZ7i}FlKn`fwuY80AO+2`hzDm3L90V8>b*TGhhS|qfHqY_=Az!Ys00913FOojiN!|Zk;`%q9+1U"
    "v_zSXfY#D!>#_Pj(~9Kn_pH2SSMZs8Z&)tRUBBe~kfj@X!*A$g7AL2`)#2d6I&%2hlCxD!NY>F{1&<f$?xX35L=R$F-yrPc4n?rUb5q!"
    "aam#(nEa)GOk2?;Mc<&Hn~;`Ya^;z*`B3N<Pcc1mtfK$N>yQbq<-H6sO2IRso?5DfMi2whN3yJ*Oe&DJ&}uQ{B`IuT`aCNcMC#o{OkAk"
    "9_rK$eWsA2hhqZ{yNbRjL~p5ZbNo+~DTew8B%os@HGA-~4}d|)5X<rh7NN)vC9ob2VZRZn_d~6J*#e57;YN<yGTfA5nqDzH3hf%2QpD("
    "I;y2<wAmR_z!&Cb`NSEY3CJu<*pjw7?rKC4WpG07Ut+}})JdM+>p$Mn^z(er!6Sy-g$TAK47^v+E2LgS8L2_wyb>u1sqVl@26T<K$AC#"
    "koR>;|T3ISRyoa@85m@A9*Kjb_onHP}By}5ABh@>#Dio$Ry-G+uZ9O<lc9R7t!eL9FRgyQ&w>J&wB-s|YYIfa8$lh3Fvx&pvjcpV(wbP"
    "gZcJb;CtLFY56`jOGt52=8Ty_px`>ORXsNC)F|sT3xGd_$)J$VhY(*FA-<s@gtO211)oomHOj>f;8x3ZaGJj($WYUrQLdtdp<GfEKz-D"
    "(Ow&Vhi{}X{FW?ph>_ysh$0)b<+?pQA{#Y<}YjGxKy-}#n`UUv?$butDI#?f}9-D0Er*T(6kwyeFrMBxyK$wgml#c+-eu0fo_D)8--Bc"
    "BuIadpiVjg2a&A0AH-laj)Mk0XK`X~i5k2gx-_WDpOBt38@<8ySXl|K`~*^z0b`ZJ03+rCk#~rpUoslIm-)h4zzsT;{NfMUUlo4YC0r="
    "cW8tJQ7lCv2`ULA(JetMEm_XbYN=YCKAeI^6uCF!BvJ#YX4nMfJM|9oc<O#hQ1UZQ;sZsqSvSd@?hfJXdqFxkepNyCvp%=hUEkA5HbLf"
    "i)7r0|p7L1PryhUC<vi2N#GQ%lukS{v~>(R^)5`^pfV#J6Ug*7YS<VhyYtaT3VJYd2z9m;5d+X>C+Co?uG=V-P|+z39X3HFcy0JJFP?X"
    "N@27viHJ$G<aV2@C)j?)|j|!+LXhar<tTO4yiDP=Yy<TV<7Vin2I_`@Y?;?6QnrhWX*s&n>6C)zyFj%q!s(KvcIw;$FqAg1@{u!B_n7M"
    "?)Ruwjo%dge%RIwZKA(%)M|3!hm{n3IcK-j~^pN*+Kq91QnI9L!-Rdsp{m7-eWa`)@EyWBoOKthnu>bUr8RJ471vmj>DlMhP7bH2kJAf"
    "(i#FaNMxZ%2u41QTEEnSiA=2Uks8Vy`jo00m0<4w^mL9tsGG#2N?K05hFiqDIhohlp_wd=ROCCd>i&t=uYykPXZkh?kOy{2ohdC}kTaS"
    "d@j668#3HL9BJE98Ro%y0ENv^|!}AR%y^ERzt$JRf%6*`Q@7F)(++hT8Aj2%fAoo!KV7}cqX0oHg!7^V>*+9cgc8K0iW>?u`ZucgauQ#"
    "L`TCD?Zib`nOu7d~gN2rA!rgGOA7h~Nu{S_{iY6s70DB_bPnu+|rGUx{IByyh3!M*>syOfTjqo>j*laC_DL+2q43GRzzo>0Nl0muPq0l"
    "cvpsmaJwWh#D!NnA1=lKs`;05UDl@lcUySXF>BQQpnLqFw4}-UKM%mcW#tuG5W#+!dOeqEyX~%`}_v6iO8bxY6oL)cVHJOypRNqx^xky"
    "503~8xP$whtnG$COvhsZE$rXZ0-k$3^(F(zIH6Nm}u5&#JH>SWvKrlb~=_?d>R~4oRCQ4A|bUtMPk@Y%{NaQYPL^Kwk2(N()bw_%b|c#"
    "sR4ibvCn?ej-L@R(oa7j7ZmB4gF1{^Tp3)Jo9K3QQc3!|ZH)k^w<BKCeOTqxeyZuM&f*D~<cC7=@KUW^k-~nmsr3lJ7?Wbd2l+9zJ=6i"
    "${n5n1NV$$lU8IaRwY_`mv64KVoZQorY)aN&Z(w$e#Pw?4>2LNU(v--bN{LUAjBMCZDT#WygBm$?j>y3_kiV;4A@Q0P-I&+KTUPt_DnY"
    "hbs`FMKX?-+w{Y0cGkig>YB8d!L^AR;f(1Jwh*y7hUxoVcSNr}6<gx};HaYlaRySC1?xwRb3o>WnFR*rYk<tF3W&AlOQ>gAIe;fz7JxC"
    "8qe#^mSvtA_V5Qn6wr+?(()DaBF8uvYk^Hf5OjRDGfAh*=xv+AyMC@sll!G?;mKhkHQIbpM-Hb{ck+T1JJFk^t*N?%{w9T7YZJa;jTZY"
    "z7+|If)b4qAZ_5glZ5sD>KlAU7;E14X1qWHkkXp`Yhg+@xPw_aF8w1HUpM{Z~WXVC%grQ;kTCf60bYqPii7Dl!@4ZUa$^s@=rQU+|^4J"
    "8JJel(c3tUO4)44=GBMFkZJ~J)huJ7Nf1!uGzgje0z$wgG=G3tCTvnwO&+$vB9<po-gpR;L6iVzld{|=4~mpZb(5NJqqQgu_^6OVoquE"
    "$?Z8sn#}WSihQY2?Y$~K@Z3?DtNyL6x6Hm;C8Zn6Stc0O?8*Qox5oCgWWhsVPN?JdG_)LOUmlv-O>eXbSA<7s5){suUp1>JrDd3{i1bH"
    "Isb-Qd((fA_T<cb`78{}eZ6a=*^5vS*b@!gw^pD(_=5G3mzO+NQ3<y-JXV(U`_fNrundvyg^g)D}eZTv!;XI|Wj5(#$){!@+zu&EJd1w"
    "qkl2VR)y;Sz54!a%4+(HBam_?uV}-Bmy|8|nU+h9SPNX@=dYR*4-#7{o0$^w6qOSqU4+K^VQn4ehYb$o%I=>gawcD@}Z1cA;SejF(1Yf"
    "B^CmTcks_hwRu?kf^xjZ=&)H`BtT<k#bAiQ`O<;X_6C8@wQg?zv+NF`j4`$)M*+?XQp9TQd^CG5q>nbex~IxgUuCW1!O=j8T_M~S)y_2"
    "*5K*6OZ8Bm378ZDR<n`ocK2<kOVMym{nAF2D-=sMQp4*wO||hsDv$GR{EFCT;Yzv+FOF3M{qD@q?ACY!f_GB=o==DP=M#X#Bd(+9Znn`"
    "bcclTbLDB1EL6ac)<Rx17!bciHX$WKLgU8cR@DDwm3tb#tn-dmI%2e;eByU%&T`+8@AC9}cU>0rZyC==FtIei+IJ_1PFXxmFHW^8{*GO"
    "H+w~^Uw`TG+Lv--14gmo;I>nzfjp-*O%<*X+44^gdw`a)}=yLB&WBs5@@dfTXi|B6CpO)Xkl7S4zpU)28D2&0)Z)2K!hLE%W?u+jg1_-"
    "l37qIBW*Mw@KP^ReFgWKeo(WSMVUYfs{o<7rs&KMi=9Ga|EHLuIVRTfaqdR<cnFyV3}2DmjwV7!NOe{zn(uWv3?$O3~K_$-AnfSqE=pf"
    "ZDgAXsq|v*i3h<U*L04odUgivN^~d>Tq+iIT?vj#7(>P_QhVWxMuCdl?5llF=^&G9N}s4WaTye)WH3j{#jH33l$yz4lEy{J0+<A1tvl`"
    "?RA5qD=^$%y_I5lYaAl+jlYywYxvPe$maz0ptmwp?bNJQDCz%E`dg}H6Wmyhm2`^L61m$u3AG4M`{^_XT-j1{e8ozykgS)z=Ks%mmESA"
    "|{pUYzQq4T?)i!7S-7~5qe5*P|E~aMET5=HCC7om)6HO&((y#;@UizaY>!xV?In1qgcY4O3!#5Z>xf}N&@6w`f^R->C6NC?lj~;g9E{A"
    "5M4Riyh{bfONns)yUAq<1kMKzQf31D&oS?{%CX`dH0yEUj@eOgJUGO^2d;ju6nZ;jmbPDOt9d4D7)b=qvp-t7JNZtK!moHP$M9X6UF5c"
    "$sygQMG8VD%XnC&=pkMPmV}aO!}eAXtN^%yT5Y_;^Q6B$3x@{*m;pFt0h~Y7S4+RI4fxN71XUUZuD4CPB@z#&DusxuWv-=0??nrJcMw2"
    "+b2t6XvJg&;D<uAovQ)W7Mo?)wF2W?C02SZ{yI*=z-kshdB$K=eF^-`2%P0vG--!HF@x&Im$qb`O#a^+v=i-%Ik0+vKw&mwdQ-+M-ZRG"
    "-{_I!lT&s1AER$d#yxLZ5yUNMUXd2b-oL~~?}KG%-=$KJ8RSFQ1mZLSiI~$vZIN5$=iH_x<UaKVH1?s5xHFuPk-CO#3l*=ar<1?$_TKs"
    "R36rpL(GO`<m(_noE2(1hw4=6Xq%RbqheO<wM4D^sRTd>L^X4!0V(L|%{!D(7KtYMP+GIE$n=IpGZwE9t;qKKTp@fFx(Whu8mepKH9`)"
    "|-4C=A$m6WcVXhI3<LqINb?E1W1l^(9~^;MTB|ME0mGOC)?v?bU~kV`amYloGLd6VZ215NWG+VVE77h1<Ze-+=>VmIxkm!9fh1{-?x2U"
    "SMvAmlKkHfX2;Y!F?|3kjg)36vuo#e7_|sgazLTtc@AP1VRsHd<;>^&I$q>*be7dIRGJ)>yAGtu+!m>J9npe#Tc#gDQ03GB(*>zmY&|U"
    "?sM%{{wrH+|&"
)
"""The English list of BIP-39, 2,048 words in order: each the length it shares with the last, and the rest."""


def _unpacked(packed: str) -> dict[bytes, int]:
    words: dict[bytes, int] = {}
    last = ""
    for shared, rest in re.findall(r"(\d)([a-z]+)", zlib.decompress(base64.b85decode(packed)).decode()):
        last = last[: int(shared)] + rest
        words[last.encode()] = len(words)
    return words


_BIP39 = _unpacked(_PACKED)
_SEED_SIZES = (24, 21, 18, 15, 12)
_LETTERS = re.compile(r"[a-z]+")
_SEED_GAP = re.compile(r"[\s,;|/]{1,4}|[\s,;|]{0,4}\d{1,2}[.):]?\s{0,3}")
_SEED_WORD = re.compile(r"seed|mnemo|wallet|recover|phrase|frase|bip")


def _seed_phrases(folded: str) -> Iterator[Finding]:
    run: list[tuple[int, int, int]] = []
    for match in _LETTERS.finditer(folded):
        number = _BIP39.get(match.group().encode())
        if run and (number is None or not _SEED_GAP.fullmatch(folded, run[-1][1], match.start())):
            yield from _seeds_in(run, folded)
            run = []
        if number is not None:
            run.append((match.start(), match.end(), number))
    yield from _seeds_in(run, folded)


def _seeds_in(run: list[tuple[int, int, int]], folded: str) -> Iterator[Finding]:
    """Phrases in a run of listed words, the likelier cut first."""
    if len(run) < _SEED_SIZES[-1]:
        return
    named = _SEED_WORD.search(folded, max(0, run[0][0] - 60), run[2][1]) is not None
    for first, last in _cuts(len(run), named=named):
        if _checks([number for _, _, number in run[first:last]]):
            yield Finding(run[first][0], run[last - 1][1], "seed_phrase", "seed phrase")


def _cuts(count: int, *, named: bool) -> Iterator[tuple[int, int]]:
    """Where a phrase may lie among `count` words: all, the last, the first; anywhere if one was named."""
    if count in _SEED_SIZES:
        yield 0, count
        return
    for size in _SEED_SIZES if named else (24, 12):
        if size <= count:
            yield count - size, count
            yield 0, size
    for size in _SEED_SIZES if named else ():
        for first in range(count - size + 1):
            yield first, first + size


def _checks(numbers: list[int]) -> bool:
    """The BIP-39 checksum: the last bits are the first bits of the SHA-256 of the others."""
    whole = 0
    for number in numbers:
        whole = whole << 11 | number
    check = len(numbers) // 3
    entropy = (whole >> check).to_bytes(check * 4, "big")
    return hashlib.sha256(entropy).digest()[0] >> (8 - check) == whole & ((1 << check) - 1)


# ---------------------------------------------------------------- values: what a secret may look like

_NOTHING, _WORD, _NUMBER, _STRONG = range(4)
"""What `_looks` says: nothing that could be a secret, a plain word, digits alone, something made up."""

_DIGIT = re.compile(r"\d")
_INNER_CASE = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")
_INNER_MARK = re.compile(
    r"\w[!@#$%^&*+=~|?§°{}<>]+\w|[!@#$%^&*+=~|]\w|\w[!@#$%^&*+=~|]|[^\W\d]{2}_[^\W_]|[^\W_]_[^\W\d]{2}"
)
_HYPHENATED = re.compile(r"[^\W\d_]{2,20}(?:[-.][^\W\d_]{2,20}){2,8}")
_SAMPLES = frozenset(
    """
    removed filtered default changeme123 password123
    foo bar baz foobar test testing dummy fake sample demo guest user username root admin secret secrets
    password passwords passwort passwd pass pwd pw token tokens passphrase apikey api_key key code pin otp
    senha contrasena clave mdp kennwort value wert valeur valor valore null nil none true false undefined
    empty string str number int text any bool boolean object bytes todo tbd n/a na hidden masked unset
    default optional required redacted mypassword mysecret mytoken my_password my_secret my_token
    my-secret my-password changeit postgres
    """.split()
)
_SAMPLE_PART = re.compile(
    r"xxxx|\*\*\*|\.\.\.|…|•••|0{9}|your|example|ejemplo|exemple|beispiel|esempio|exemplo|placeholder"
    r"|platzhalter"
    r"|change[_-]?me|replace|redacted|[_-](?:here|aqui|ici|hier|qui)(?![a-z])|put_|insert|<"
    r"|(?:deine?|ihre?|votre|tu|seu|sua)_|\A[a-z_]+_(?:password|passwd|secret|token|key)\Z"
)
_SAMPLE_HEAD = re.compile(
    r"<|\$?\{|\$\(|\$[A-Z_][A-Z0-9_]*\Z|\$[a-z_]+\Z|%[A-Za-z_]+%?\Z|\[|&lt;|@[a-z_.]+@\Z|__\w+__\Z"
    r"|\*[a-z]+_[a-z_]+\Z"
)
_NOT_A_VALUE = re.compile(
    r"""(?: \w{1,20}://\S* | www\.\S* | mailto:\S* | [\w.+\-]{1,64}@[\w\-]{1,64}(?:\.[\w\-]{2,20}){1,3}
    | (?:\.{0,2}/|~/|[a-z]:\\)\S* | (?-i:[a-z0-9_.\-]+/[a-z0-9_./\-]*) | [a-z_.\-]+/[a-z_./\-]*
    | [^/\s]+/[^/\s]+/\S* | \S+=["'].*
    | (?:[a-z0-9_\-]+\.)+(?:md|txt|py|js|ts|json|ya?ml|env|pdf|png|jpe?g|html?|cfg|ini|csv|zip|exe|com|or
    g|net|de|fr
      |es|it|pt|br|io|dev|local|lan|example)
    | v?\d+(?:\.\d+){1,3}(?:[-+]?(?:rc|alpha|beta|b|a|dev|post)\d*)? | \d{1,4}[./\-]\d{1,2}[./\-]\d{1,4}
    | \d{1,2}[:h.]\d{2}(?:[:.]\d{2})?(?:h|am|pm|uhr)? | \d{1,3}(?:[.,]\d+)?-?[a-z%$]{1,12}
    | (?:sha|aes|md|rsa|ecc|utf|base|v|rfc|wpa|oauth|http|ipv|tls|ssl|usb|p|q|s|nr|no|art|wifi|iso|por
    t|step|schritt
      |room|zimmer|section|windows|firefox|chrome|android|ios|python)[-_]?\d{1,4}(?:-\w{1,8})?
    | [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12} | [a-z_][a-z0-9_.]*\([^)]*\)? | ![a-z]+
    | (?:process|os|self|this|config|settings|env|request|req|ctx|app|secrets|props|params)\.[\w.\[\]'"]+
    | (?:var|local|data|module|each|values|inputs|steps|random_\w{1,20})\.[a-z_][\w.\[\]'"]+
    | [a-z]+(?:\|[a-z]+(?::[\w,]+)?)+
    | [a-z_]\w*\[\w*\] | [furb]{1,2}["'].* | (?:""|'')\S* | [a-z]=\d{1,4} | @[a-z]+\(.*
    | (?:file|env|vault|ref|path):[\w./-]+
    | \w{1,20}[-:.]\d+\.\d+(?:\.\d+)?
    | (?-i:S-[A-Z2-7]{8}) | [a-z]{1,12}'[a-z]+ | &\w+;\S* )""",
    re.VERBOSE | re.IGNORECASE,
)
_GROUPS = re.compile(r"\d{4,6}(?:-\d{4,6}){1,7}")
_LONGEST_VALUE = 256


def _is_placeholder(value: str) -> bool:
    """Whether a value only stands where one would: `xxxx`, `<password>`, `${TOKEN}`, `your-key-here`."""
    core = value.strip("\"'`_,;:!?()[]{}/-").lower()
    if not core or core in _SAMPLES or (len(set(core)) < 3 and not core.isdigit()):
        return True
    return _SAMPLE_HEAD.match(value) is not None or _SAMPLE_PART.search(core) is not None


def _looks(value: str) -> int:
    """How much like a secret a value without spaces looks, whatever stands beside it."""
    if not 4 <= len(value) <= _LONGEST_VALUE or _BLANK in value:
        return _NOTHING
    if value.isdigit():
        return _NUMBER
    if _GROUPS.fullmatch(value):
        return _NUMBER
    if _is_placeholder(value) or _NOT_A_VALUE.fullmatch(value):
        return _NOTHING
    if value.isalpha():
        return _STRONG if len(value) >= 8 and _INNER_CASE.search(value) else _WORD
    letters = any(map(str.isalpha, value))
    if letters and _DIGIT.search(value):
        return _STRONG
    if _INNER_MARK.search(value) and (letters or _DIGIT.search(value)) and not value.isupper():
        return _STRONG
    return _STRONG if _HYPHENATED.fullmatch(value) else _NOTHING


def _is_jumbled(value: str) -> bool:
    """Whether letters change between small and capital as they do in no name: `nTwLSTbNVvvPOxIPVjob`."""
    return len(value) >= 20 and len(_INNER_CASE.findall(value)) >= 4


def _is_mixed(value: str) -> bool:
    """Whether a value has a digit and, besides, a mark or both cases: nothing that is said in passing has."""
    if _looks(value) != _STRONG or not _DIGIT.search(value):
        return False
    return _INNER_MARK.search(value) is not None or (
        any(map(str.isupper, value)) and any(map(str.islower, value)) and len(value) > 5
    )


# ---------------------------------------------------------------- labels: words that say a secret follows

_LABELS = {
    "password": """
    password passwords passwort passworter passworte passworts passwortes kennwort kennworter kennworts
    passwortfeld kennwortfeld
    contrasena contrasenas contrasenya contrasenha senha senhas palavra-passe palavras-passe mot-de-passe
    mots-de-passe palabra-de-paso parola-d'ordine zugangswort identified-by
    """,
    "pw": "pwd pwds passwd passwds pswd psswd pword pw pws psw mdp requirepass storepass keypass",
    "pass": "pass passe clave claves contra palavra-chave palabra-clave",
    "passcode": "passcode passcodes",
    "passphrase": """
    passphrase passphrases passphrasen pass-phrase pass-phrases phrase-de-passe phrases-de-passe
    phrase-secrete phrase-de-securite phrase-de-chiffrement frase-de-paso frase-de-contrasena
    frase-de-acceso frase-de-seguridad frase-de-cifrado frase-clave frase-secreta frase-contrasena
    frase-senha frase-passe frase-de-acesso frase-de-seguranca frase-chave frase-di-accesso
    frase-d'accesso frase-di-sicurezza frase-segreta frase-chiave frase-d'ordine frase-password passsatz
    kennsatz kennphrase geheimsatz merksatz passwortsatz kennwortsatz
    """,
    "seed": """
    seed-phrase seed-phrases seed-words seed-worte seed-worter seedphrase recovery-phrase recovery-words
    mnemonic mnemonic-phrase secret-recovery-phrase wiederherstellungsphrase wiederherstellungsworter
    phrase-de-recuperation phrase-mnemonique mots-de-recuperation frase-semilla palabras-semilla
    frase-de-recuperacion frase-semente palavras-semente frase-de-recuperacao frase-di-recupero
    frase-mnemonica frase-seed parole-seed
    """,
    "pin": """
    pin pins pincode pincodes pin-code pin-codes code-pin codigo-pin codice-pin pin-nummer pinnummer puk
    puks puk-code code-puk codigo-puk codice-puk geheimzahl geheimnummer digicode digicodes
    """,
    "combination": """
    combination combo kombination zahlenkombination combinaison combinacion combinacao combinazione
    """,
    "padlock": "padlock zahlenschloss vorhangeschloss fahrradschloss cadenas candado cadeado lucchetto lock",
    "lock": """
    alarm alarma alarme allarme alarmanlage lockbox keypad keybox schlusseltresor schlusselbox tresor safe
    cofre cassaforte coffre-fort boite-a-cles caja-fuerte
    """,
    "door": "door gate entry haustur hoftor portail portal portao portone cancello garage garaje garagem",
    "otp": "otp otps totp otp-code tan mtan smstan sms-tan pushtan chiptan itan",
    "code": "code codes kode codigo codigos codice codici",
    "card_code": "cvv cvv2 cvc cvc2 csc crypto cryptogramme kartenprufnummer prufnummer prufziffer",
    "key": "key keys schlussel cle cles clef clefs chave chaves chiave chiavi psk apikey",
    "token": "token tokens jeton jetons",
    "bearer": "bearer basic",
    "secret": "secret secrets secreto segredo segreto credential",
    "login": """
    login logins user username usernames usuario utilizador benutzer benutzername utilisateur identifiant
    identifiants utente zugang zugangsdaten anmeldedaten logindaten credentials creds credenciales
    credenciais credenziali acces acceso accesos acesso acessos accesso accessi account konto compte
    cuenta conta nutzer nutzername anmeldung entra entre connexion log-in logge logg sign-in inicia
    connecte connectez accedi accede melde einloggen
    """,
    "wifi": "wifi wi-fi wlan ssid hotspot",
    "header": "authorization",
    "cookie": "cookie set-cookie",
    "proof": """
    verify confirm authenticate sign log bestatigen anmelden anzumelden verifizieren einzuloggen verifier
    confirmer connecter verificar confirmar acceder entrar iniciar verificare confermare accedere
    """,
}
"""Words by what they announce, without accents; a hyphen stands for a hyphen or a space."""

_ENDINGS = frozenset((b"passwor", b"kennwor", b"code", b"schlussel", b"phrase"))
"""Labels that also end a longer word: Routerpasswort, Türcode, WLAN-Schlüssel."""

_INNER = tuple(
    b"passwor kennwor code schlussel phrase secret token key passw pwd pass psk credential".split()
)
"""Labels that also stand inside a word: at its end, or in a name behind a capital, as in clientSecret."""

_CLASS_OF = {word.replace("-", " "): name for name, words in _LABELS.items() for word in words.split()}
_LABEL = re.compile(
    _trie((word for words in _LABELS.values() for word in words.split()), "[ -]") + "(?![a-z])"
)
_HEADS = frozenset(re.split("[ ']", word)[0].encode() for word in _CLASS_OF)
_WORD_HEAD = re.compile(r"(?<![a-z'-])[a-z'-]{1,40}\Z")


class _Label(NamedTuple):
    """A label at `start:end` of a text, and what it announces."""

    start: int
    end: int
    name: str


def _labels(text: str, folded: str, raw: bytes, words: list[bytes]) -> list[_Label]:
    """Every label in the text, in order."""
    places: set[int] = set()
    for head in _HEADS.intersection(words):
        _add_places(places, folded, head.decode())
    for inner in _INNER:
        place = raw.find(inner, 1)
        while place >= 0:
            if folded[place - 1].isalpha() and (inner in _ENDINGS or text[place].isupper()):
                places.add(place)
            place = raw.find(inner, place + 1)
    labels: list[_Label] = []
    for place in sorted(places):
        match = _LABEL.match(folded, place)
        name = (
            _CLASS_OF[match.group().replace("-", " ")]
            if match and (not labels or labels[-1].end <= place)
            else ""
        )
        if match and name and not (name == "pass" and text[match.end() - 1] == "é"):
            labels.append(_Label(place, match.end(), name))
    return labels


def _add_places(places: set[int], folded: str, head: str) -> None:
    """Where `head` stands at the head of a word."""
    place = folded.find(head)
    while place >= 0:
        if not folded[place - 1 : place].isalpha():
            places.add(place)
        place = folded.find(head, place + 1)


# ---------------------------------------------------------------- vocabulary: what stands around labels

_STOPS = frozenset(
    # function words of six languages, without accents: a phrase that has one is a sentence
    """
    a an the on in at to of for with by from as it its not no so too very this that these those here there
    where when what which who how why and or but if then than only also just always never again every see
    ask tell check click please should may can cannot will would need needs must my our their his her mine
    yours none any some all via per below above now today tomorrow something nothing somewhere der die das
    ein eine einer im am an auf aus bei mit von zu zum zur nach fur ist wird wurde nicht kein keine nur
    auch noch schon immer wie wo wenn siehe steht liegt hier dort unser euer mein dein sein ihr bitte
    folgt le la les un une des du de au aux dans sur sous avec sans par pour pas plus trop ne est toujours
    jamais ici voir notre votre mon ton son ma ta sa vos nos el los las uno una en con sin por para del al
    muy mas no ya se lo siempre nunca aqui ver tu su mi nuestra te o os as ao aos um uma na no nas em com
    sem do da dos das muito mais nao sempre aqui veja seu sua meu minha nosso nossa eu voce qual esta il
    gli i su tra fra di dal dalla nel nella non piu molto troppo gia si mai qui vedi tuo tua suo mio mia
    nostro ve ti che e error errors fehler erreur erro errore
    """.split()
)
_ARTICLES = frozenset(
    """
    the a an my our der die das ein eine mein meine le la les un une mon ma el los las una mi o os a as um
    uma meu minha il lo gli i uno mio mia this every
    """.split()
)
"""Function words with which a passphrase may begin."""

_SMALL = frozenset(
    """
    a an the on in at to of for with by and der die das ein eine im am an auf aus bei mit von zu zum zur
    nach le la les un une des du de au aux dans sur sous avec sans par pour los las el una en con sin del
    il o al os as ao aos um uma na no nas nos em com sem do da dos das lo gli i uno su tra fra di dal dalla
    nel
    nella my mon ma mein meine mi mio mia meu minha y e et und
    """.split()
)
"""Function words that stand inside a passphrase of words that make a picture."""

_SENDS = frozenset(
    """
    ask see look check tell call talk find usual usually one ones last first same name date birthday
    birth number written frag frage fragen schau siehe sieh ruf steht stehen ubliche ublichen name datum
    geburtstag geburtsdatum zettel demande demandez demander regarde regardez vois voyez appelle appelez
    habituel habituelle nom anniversaire naissance date pregunta preguntale preguntar pide mira llama
    nombre fecha cumpleanos nacimiento habitual pergunta pede pedir veja olha liga nome data aniversario
    nascimento costume chiedi chiedere guarda vedi chiama solito solita compleanno nascita
    """.split()
)
"""Words that say where to look for a password, or what it is made of."""

_SAID = frozenset(
    # what is said of a password, six languages, without accents
    """
    same identique identical identico identica identisch secret required expired optional wrong incorrect
    invalid correct missing blank weak strong short
    long simple secure safe stored saved hidden masked shown printed written sent shared changed reset
    protected encrypted hashed salted needed unknown known different identical unchanged unique private
    public confidential sensitive case good bad fine okay ok done broken lost gone important mandatory
    disabled enabled locked blocked accepted rejected refused denied stuck ready new old default temporary
    visible empty use used using enter type forgot forgotten minimum maximum attached numeric field policy
    both chosen taken given set kept asked page screen prompt dialog falsch richtig ungultig gultig
    abgelaufen sicher unsicher geheim kurz lang schwach stark leer gesperrt vergessen bekannt unbekannt
    gespeichert geandert notwendig erforderlich gleich dasselbe derselbe neu alt unverandert weg faux
    fausse bon bonne incorrecte errone erronee invalide valide expire oublie perdu refuse accepte
    obligatoire requis facultatif confidentiel court longue faible fort vide bloque connu inconnu pareil
    meme note inchange personnel different incorrecta incorrecto invalida invalido valida erronea caducada
    vencida olvidada perdida obligatoria requerida opcional secreta confidencial personal corta larga
    debil fuerte segura vacia bloqueada igual misma mismo fraca forte curta longa vazia errada errado
    incorreta incorreto
    certa expirada esquecida pessoal mesma mesmo scaduta errata sbagliata sbagliato corretta dimenticata
    persa obbligatoria richiesta facoltativa segreta riservata personale corta lunga debole sicura vuota
    bloccata uguale stessa stesso solita solito
    """.split()
)
_SAID_OF = re.compile(
    r"\w{2,}(?:ed|able|ible|ive|ful|less|ous|ing|ly|lich|ig|bar|los|isch|iert|ee|eux|euse|ado|ada|ido|ida"
    r"|ato|ata|ito|ita"
    r"|uto|uta|bile|oso|osa|mente|ment)s?\Z"
)
"""Endings of adjectives and participles: what is said of a password rather than the password."""

_ABOUT = re.compile(
    r"character|zeichen|caracter|caratter|digit|ziffer|chiffre|cifra|letter|buchstab|lettre|letra"
    r"|lettera|manager"
    r"|gestor|\bwords?\b|\bworte|\bworter|\bmots\b|\bpalabras\b|\bpalavras\b|\bparole\b"
)
_USING = frozenset(
    """
    use used using uses enter entered type typed try with nimm nimmst nehmt benutze benutzt verwende
    verwendest nutze gib gebt tippe mit utilise utilisez saisis saisissez tape tapez avec entrez usa use
    usad usar introduce introduzca escribe teclea con utiliza digite digita com inserisci inserire scrivi
    coloca escribe tipp
    tenta prova prueba essaie essaye versuch probier teste testa
    geben entra ingresa insira
    """.split()
)
_ACCOUNTS = frozenset(
    """
    desk ext counter platform flight bus street road rue via calle rua strasse user username for fur pour
    per para von of de account konto compte cuenta conta benutzer usuario utente utilisateur room raum
    zimmer salle sala stanza page seite line version year since until from at um ab bis card karte carte
    tarjeta carta cartao ending in im en em a o e and und et y number numero nummer nr no id mail email
    """.split()
)
"""Words after which a number or a name is not the secret but what it is for."""

_OPENERS = frozenset(
    """
    when if because but before after while so then please unless until wenn falls weil aber bevor nachdem
    bitte damit quand lorsque si car mais avant apres puis cuando porque pero antes despues quando se mas
    depois perche ma prima dopo e and und et y to pour para per um for fur genommen gewahlt gesetzt verwendet
    benutzt festgelegt vergeben eingestellt as als como come comme
    """.split()
)
"""Words with which a passphrase ends and another clause begins."""

_NEGATIVE = tuple(
    """
    error fehler erreur erro zip post plz promo coupon gutschein rabatt discount descuento desconto sconto
    reduc avantage voucher bar. barcode barras barre qr source quelle fuente fonte sorgente country lander
    area vorwahl dial status exit return produ order bestell commande pedido ordine tracking sendung suivi
    seguimiento rastreio tracciamento fiscal tax steuer swift bic. sort. hex color colour farb couleur
    dress civil penal genetic morse airport flight buchung booking reserv prenotazione refer invit einlad
    gift commodity pais article artikel articulo artigo articolo item sku ean isbn http response antwort
    machine vat.
    iva. client customer kunden student kurs course curso corso class klasse unit diagnos icd stat.
    unicode ascii byte python java legacy review lingua language
    """.split()
)
"""How words begin, or with a dot what they are, that make a code another number."""

_LOCK = tuple(
    """
    door tur. haus portail porte. portal puerta porta. portao portone cancell gate. garage garaje garagem
    entry entrance eingang entree entrada ingresso alarm allarme lock keypad safe. tresor coffre caja.
    cofre cassaforte unlock entsperr deverrouill desbloqu sblocco pin. puk. shed building gebaude immeuble
    schloss secret edificio predio interphone citofono intercom spind casier taquilla armario armadietto
    bike velo. bici
    fahrrad lift aufzug ascenseur apartment wohnung ferien segret confidentiel gym. barrier schranke hof.
    keller schlussel box. boite key. keybox sim. phone handy telefon tablet screen bildschirm cajero
    bancomat atm. geldautomat tor. hoftor candado vorhangeschloss cadenas lucchetto cadeado
    suitcase luggage valigia maleta mala. valise koffer antifurto verja portillon
    """.split()
)
"""How words begin, or with a dot what they are, that say what a code opens."""

_PADLOCK = tuple(
    """
    lock padlock koffer suitcase luggage valigia maleta mala valise zahlenschloss fahrradschloss
    vorhangeschloss cadenas candado cadeado lucchetto
    """.split()
)
"""Locks that have three digits."""

_PROOF = tuple(
    """
    verif confirm bestatig autent secur sicherheit segur sicur auth acces access acesso zugang login log.
    logging sign. signin signing reset anmeld connexion inicio sesion sessao one. time. einmal usage unique
    unico uso. usos. monouso temp 2fa mfa tan. otp sms freischalt freigab aktivier activ ativa attiva
    guard valid recu. sent. transaktion registr identif pairing kopplung einrichtung ubertrag whatsapp
    google two.
    dois deux zwei factor rucksetz reinitialis pruf authentis restablec redefin reimpost
    """.split()
)
"""How words begin, or with a dot what they are, that say what a code proves."""

_FAULT = re.compile(
    r"(?:\b(?:peg|retir|tir|cham)[a-z]{1,5} (?:a |uma |minha |sua )?senha (?:numero )?\Z)|(?:error"
    r"|fehler|erreur|\berros?\b|errore|crash|0x[0-9a-f]{4})[^\n]{0,60}(?<![a-z])(?:code|kode|codigo"
    r"|codice)[ \t]?\(?\Z"
)
"""A code that goes on telling what went wrong; and the ticket of a queue, which is a senha, too."""

_WIRED = re.compile(
    r"gpio|netlist|relay|relais|header|soldered|\bled\b|arduino|raspberry|esp32|jumper|pinout|voltage"
    r"|conector|connecteur"
    r"|connector|stecker|connettore|platine|multimet|volts?\b"
)
"""What has pins that are no numbers of a person's."""

_BACKUP = tuple(
    """
    backup recover recup wiederherstell ersatz notfall secours emergen urgence scratch respaldo riserva
    ripristino sicherung sauvegarde
    """.split()
)
"""How words begin that make codes a list for the day when the other way in is lost."""

_KEY_OF = tuple(
    """
    api access acces acesso zugangs zugriffs secret segret secre private privat prive encrypt verschlussel
    segur sicur secur sicherheit router roteador
    chiffre cifrad signing master haupt license licence lizenz produ activation service client auth bot.
    webhook wallet recover recup wiederherstell ripristin backup server stripe openai aws
    """.split()
)
"""How words begin, or with a dot what they are, that make a key one of letters and digits."""

_WIFI = re.compile(
    r"[wshnr](?:(?<=w)(?:i[- ]?fi|lan)|(?<=\bw)(?:pa|ep\b)|(?<=s)sid|(?<=h)otspot|(?<=n)etz(?:werk)?\b"
    r"|(?<=\bn)etwork\b|(?<=\br)(?:ed|ete|ede|eseau)\b)"
)
_ONCE = re.compile(r"one[ -]?time|einmal|usage unique|un solo uso|uso unico|monouso|dinamica|\bsms\b")
_LETTER_WORDS = re.compile(r"[a-z0-9]+")


def _any(stems: tuple[str, ...], words: Iterable[str]) -> bool:
    """Whether a word begins with one of `stems`, or is one that ends with a dot."""
    return any(f"{word}.".startswith(stems) for word in words)


# ---------------------------------------------------------------- from a label to its value

_COLON, _BE, _WEAK, _NEXT = range(4)
"""How a label leads to a value: a mark, a form of to be, a preposition, or by standing near it."""

_CLOSE = r"[*_`\"')\]]{0,3}(?:</\w{1,8}>)?"
_REMARK = r"(?:[ \t]{0,3}\([^()\n]{0,40}\))?"
_GAP = r"(?:[^\s.:=?!;,()\[\]{}\"<>|\uffff]|\.(?=\S)|(?<=\d),(?=\d)){1,24}+"
_TO_BE = (
    r"(?:is|was|are|were|be|ist|war|lautet|lauten|heisst|sind|waren|sei|est|etait|sera|sont|c'est|es|era"
    r"|son|sera|e'?|eh"
    r"|muss(?=[ \t]+\S{0,20}\d)|has to be|doit etre|debe ser|deve ser|deve essere|sao|sono|foi|fica|fue"
    r"|fu|vaut|vale|queda|bleibt|remains|reste|resta|continua|permanece|sigue siendo|sigue|ficou|stays"
    r"|reads|says|equals)"
)
_STILL = (
    r"(?:now|still|just|currently|simply|literally|always|again|probably|set to|changed to|going to be"
    r"|passee? a|devenue?|mudou para|cambiata in|diventata|geandert auf"
    r"|as follows"
    r"|the following|jetzt|nun|noch|immer noch|aktuell|derzeit|einfach|folgendes|wieder|gleich"
    r"|maintenant|desormais"
    r"|toujours|actuellement|simplement|ahora|todavia|actualmente|simplemente|siempre|agora|ainda|atualmente"
    r"|simplesmente|adesso|ora|ancora|attualmente|semplicemente|sempre)"
)
_LINK = re.compile(
    rf"{_CLOSE}{_REMARK}(?P<gap>(?:[ \t]+(?!{_TO_BE}[ \t]){_GAP}){{0,7}}?){_REMARK}{_CLOSE}(?:"
    r"(?P<colon>[ \t]{0,8}(?:=>|->|[:=|](?!/)|\?(?=\s)"
    r"|-(?=[ \t]))[*_]{0,2}(?:[ \t]{0,8}(?:\r?\n[ \t>*-]{0,8}){1,3}"
    r"|[ \t]{0,8}))"
    rf"|(?P<weak>(?:[ \t]+{_TO_BE}(?:[ \t]+[a-z]{{2,14}}){{1,2}})?[ \t]+(?:to|auf|in|en|por|zu|para|a"
    rf"|con|come|como|als|as)[ \t]+(?=\S{{0,40}}[\d@#$%!&*+=_]))"
    rf"|(?P<be>(?:'s|[ \t]+{_TO_BE})(?:[ \t]+{_STILL}){{0,2}}[ \t]*:?\s{{1,3}}"
    r"(?:(?:le|la|el|il|o|the|der|die|das) (?=\S{0,20}\d))?))"
)
_BESIDE = re.compile(rf"{_CLOSE}{_REMARK}(?:[ \t]*\r?\n\s{{0,8}}|[ \t]+(?:no\.? |nr\.? |#)?|\()")
_NEAR = re.compile(
    r"(?:(?P<gap>(?:,?[ \t]+(?:2fa|[a-z'-]{1,20}+)){1,5}?),?|(?P<only>[ \t]?[^\w\s\"'`({<\[\]]{1,3}))[ \t]+"
    r"(?=[\"'`]|\(?[^\s\d]{0,40}\d)"
)
_APART = re.compile(r"(?:[ \t]+[a-z'-]{1,20}){0,3},[ \t]+(?=\S{0,60}\d)(?P<value>[^\s,]{6,64}),(?!\d)")
"""`the password, S3cret!pass, works`."""

_NEW_IS = ("a nova e", "la nuova e", "la nueva es", "le nouveau c'est", "das neue ist", "the new one is")
_ASIDE = re.compile(
    rf"(?P<gap>(?:[ \t]+(?!{_TO_BE}[ \t])[a-z'-]{{1,20}}+){{0,3}}?)(?:[ \t]?[,(]"
    rf"|[ \t]+{_TO_BE}[ \t])[^.:;!?\n]{{3,60}}:[ \t]+"
)
_NOW = ("now", "jetzt", "agora", "ahora", "adesso", "maintenant", "desormais")
_IT_IS = (
    *_NOW,
    "it's",
    "its",
    "it is",
    "es ist",
    "c'est",
    "ahora es",
    "agora e",
    "adesso e",
    "jetzt",
    *_NEW_IS,
)
_LATER = re.compile(
    rf"[^\n]{{0,60}}?[ \t,](?:{'|'.join(_IT_IS)})[ \t]+(?:now[ \t]+|jetzt[ \t]+)?(?=[^\s\d]{{0,40}}\d)"
)
_OPEN = re.compile(r"[*_]{0,2}\(?(?=\S)")
_TOKEN_VALUE = re.compile(r"[^\s\uffff]{1,256}")
_CUT = re.compile(r"</|<br|&nbsp;|\\n|\",|',")
_END = re.compile(
    r"[ \t]*(?:\Z|[\n\r.,;!)\]\"'|<*]|-[ \t]|[:;]-?[()]"
    r"|(?:and|und|et|y|e|but|aber|mais|pero|mas|ma|ok|okay|thanks|danke|merci"
    r"|gracias|obrigad[oa]|grazie|please|bitte|thx|btw|lol)\b)"
)
_GOES_ON = re.compile(rf"{_END.pattern}|[ \t]+(?:then|dann|puis|luego|poi|depois)\b")
_UNIT = re.compile(
    r"\s?(?:lines?|zeilen|lignes|lineas|linhas|righe|loc|bytes|chars|characters|files|tests|times|mal"
    r"|fois|veces|vezes"
    r"|volte|seconds?|sec|s|ms|min(?:utes?)?|hours?|days?|tage|jours|dias|giorni|eur|usd|euros?|dollars?"
    r"|kb?|mb|gb|px|kg"
    r"|km|m|mm|cm|met(?:er|re|ri|ro)s?|metres|years?|people|users|errors?|percent|prozent|points?"
    r"|pages?)\b(?!')"
)

_Spans: TypeAlias = list[tuple[int, int]]
_Read: TypeAlias = tuple[_Spans, str]
"""Where values stand, and of what kind they are; no span where there is none."""

_NONE: _Read = ([], "")


class _Around(NamedTuple):
    """One label in its texts."""

    text: str
    folded: str
    label: _Label

    def before(self, count: int) -> list[str]:
        """The last words, at most `count`, of the clause before the label."""
        near = self.folded[max(0, self.label.start - 60) : self.label.start]
        return _LETTER_WORDS.findall(near, max(map(near.rfind, _CLAUSE_ENDS)) + 1)[-count:]

    def line(self) -> str:
        """The line up to the label and the two before it, as far as they matter."""
        lines = self.folded[max(0, self.label.start - 100) : self.label.start].split("\n")
        return " ".join(lines[-3:])

    def plural(self) -> bool:
        """Whether the label announces more than one."""
        return self.folded[self.label.start : self.label.end].endswith(("s", "ici"))

    def ends(self, end: int) -> bool:
        """Whether a number that ends here counts nothing."""
        return _UNIT.match(self.folded, end) is None

    def quoted(self, at: int) -> tuple[int, int] | None:
        """The span inside quotes that open at `at`, spaces trimmed; None where none do."""
        quote = self.folded[at : at + 1]
        if not quote or quote not in "\"'`":
            return None
        end = self.folded.find(quote, at + 1, at + 120)
        inside = self.text[at + 1 : end]
        if end < 0 or "\n" in inside or not inside.strip():
            return None
        start = at + 1 + len(inside) - len(inside.lstrip())
        return start, start + len(inside.strip())

    def bare(self, at: int) -> tuple[int, int] | None:
        """The span of the value without spaces that starts at `at`, closing punctuation left out."""
        match = _TOKEN_VALUE.match(self.text, at)
        value = _CUT.split(match.group(), maxsplit=1)[0] if match else ""
        opened = self.text[at - 1 : at]
        while value and _closes(value, opened):
            value = value[:-1]
        return (at, at + len(value)) if value else None


_CLAUSE_ENDS = ".;:!?\n(),|"


def _closes(value: str, opened: str) -> bool:
    """Whether the last character closes something around the value rather than being of it.

    An exclamation mark is kept where the value has no other mark: passwords need one, and often end so.
    """
    last = value[-1]
    if last in ".,;:?\"'`”“»’›…":
        return True
    if last in ")]}>":
        return "([{<"[")]}>".index(last)] not in value
    if last in "*_":
        return opened == last or value[-2:] == last * 2
    return last == "!" and (value[-2:] == "!!" or re.search(r"[^\w!.-]", value[:-1]) is not None)


# ---------------------------------------------------------------- readers: one for each kind of value

_PHRASE = re.compile(
    r"[a-z]{1,20}(?:['-][a-z]{1,20})?(?: (?:[a-z]{1,20}(?:['-][a-z]{1,20})?|\d{1,4})(?![\w@])){2,23}"
)
_DIGITS = re.compile(
    r"(?:#|\*(?=\d{2,12}#))?(?:\d{3} \d{3}(?: \d{3})?|\d{2}(?: \d{2}){1,4}|\d{4} \d{4}|\d(?: \d){3,9}"
    r"|\d{1,4}(?:[-.]\d{1,4}){1,4}"
    r"|\d{4,12})(?:#|\*(?![*\w]))?(?![\w%$]|[.,:/-]\d)"
)
_DATE = re.compile(r"\d{1,2}([-.])\d{1,2}\1(?:19|20)\d\d|(?:19|20)\d\d([-.])\d\d\2\d\d")
_CODE_VALUE = re.compile(r"(?=[a-z0-9-]*\d)[a-z0-9]{1,10}(?:-[a-z0-9]{2,10}){0,5}#?(?![\w@/]|[.:]\w)")
_SPACED = re.compile(r"(?=\d*[a-z])(?=[a-z]*\d)[a-z0-9]{4,5}(?: (?=[a-z]*\d)[a-z0-9]{4,5}){1,7}(?!\w)")
"""A code in groups of letters and digits, as backup codes are printed: `9f3k 22ab 71xz`."""

_HASH_LAST = re.compile(r"\d{2,12}#(?!\w)")
_SHORT = re.compile(r"(?:\d{3,4}|\d-\d-\d)(?!\w|[.,:/-]\d)")
_BACKUP_ITEM = re.compile(
    r"\d{4} \d{4}(?!\w)|(?=[a-z-]*[\d-])[a-z0-9]{3,12}(?:-[a-z0-9]{2,12}){0,5}(?![\w@])"
)
_BULLET = re.compile(r"(?:[-*]\s|\d{1,2}[.)]\s{1,2})?[\"'`(]?")
_BETWEEN = re.compile(
    r"[\"'`]?\s{0,3}(?:[,;/|]\s{0,2}(?:\n[\s>]{0,8})?|(?:und|and|et|y|e|o|or|oder|ou)\s|\r?\n\s{0,8}|\s)"
    r"(?:[-*]\s|\d{1,2}[.)]\s{1,2})?(?:(?:und|and|et|y|e|or|oder|ou)\s)?[\"'`]?"
)
_ALSO = re.compile(
    r"[\"'`)]?(?:\s{0,2}[,/;]\s{0,2}|\s+)(?:(?:or|oder|ou|o|u|and|und|et|y|e|then|dann|puis)\s+)?"
    r"(?P<gap>(?:[a-z]{1,15}[ \t]+){0,3})[\"'`(]?"
)
_OTHER_ONE = tuple("new nu. neu nouv nuev nuov nov ante anci alt antig old viej vecch".split())
"""How words begin that tell a second password from the first."""
_NAME_AND = (
    r"[\"'`]?[\w.@+\\-]{1,60}+[\"'`]?"
    r"(?P<mark>[ \t]{1,3}(?:[/|:]|(?P<and>and|und|et|y|e))[ \t]{1,3}|[/|:])(?=[^\s/])"
)
_AFTER_NAME = re.compile(_NAME_AND)
_PAIR = re.compile(
    rf"(?:-[a-z]{{1,5}})?{_CLOSE}(?:[ \t]+[a-z'-]{{1,20}}){{0,5}}?"
    rf"(?:(?P<colon>[ \t]*[:=]\s{{0,3}})|[ \t]+){_NAME_AND}"
)


def _read_password(around: _Around, at: int, how: int) -> _Spans:
    """A password at `at`: quoted, one word that looks made up, or a passphrase."""
    quoted = around.quoted(at)
    if quoted:
        return [quoted] if _is_quoted_password(around, quoted, how) else []
    span = around.bare(at)
    if not span:
        return []
    value, folded = around.text[span[0] : span[1]], around.folded[span[0] : span[1]]
    level = _looks(value)
    sure = around.label.name != "pass" or around.folded.startswith("clave", around.label.start)
    if level == _STRONG:
        made_up = sure and (_DIGIT.search(value) or _INNER_MARK.search(value))
        return [span] if how in (_COLON, _BE) or made_up or _is_mixed(value) else []
    if level == _NUMBER:
        shortest = 4 if how in (_COLON, _BE) else 5
        return [span] if sure and len(value) >= shortest and around.ends(span[1]) else []
    if how not in (_COLON, _BE):
        return []
    plain = level == _WORD and len(value) >= 5 and not _is_said(folded)
    if (
        plain
        and _END.match(around.folded, span[1])
        and (how == _COLON or (around.label.name != "pass" and not _SAID_OF.match(folded)))
    ):
        return [span]
    return _read_phrase(around, at, how) if around.label.name in ("password", "pw") else []


def _is_quoted_password(around: _Around, span: tuple[int, int], how: int) -> bool:
    value, folded = around.text[span[0] : span[1]], around.folded[span[0] : span[1]]
    if _is_placeholder(value):
        return False
    if " " in value:
        words = set(folded.split())
        plain = words.isdisjoint(_STOPS) and words.isdisjoint(_SAID) and words.isdisjoint(_SENDS)
        return (len(words) > 2 or plain or _DIGIT.search(value) is not None) and not _is_prose(folded)
    level = _looks(value)
    given = how != _NEXT or not _USING.isdisjoint(around.before(3))
    return level == _STRONG or (level in (_WORD, _NUMBER) and given and not _is_said(folded))


def _is_said(folded: str) -> bool:
    """Whether a word is one that is said of passwords, or of something else, rather than one of them."""
    return (
        folded in _SAID
        or folded in _STOPS
        or _LABEL.fullmatch(folded) is not None
        or bool(_ABOUT.match(folded))
    )


_TALKED_OF = frozenset("password pw pass passphrase passcode pin code".split())


def _is_prose(folded: str) -> bool:
    """Whether words are about passwords, or a question, rather than a passphrase."""
    return (
        folded.endswith(("?", "."))
        or _ABOUT.search(folded) is not None
        or any(_CLASS_OF.get(word) in _TALKED_OF for word in folded.split())
    )


def _read_phrase(around: _Around, at: int, how: int) -> _Spans:
    """A passphrase: three words or more (four after a word for password), one clause."""
    loose = around.label.name in ("passphrase", "seed")
    quoted = around.quoted(at)
    if quoted and loose:
        return [quoted] if _is_quoted_password(around, quoted, _COLON) else []
    match = _PHRASE.match(around.folded, at)
    if not match:
        return _read_password(around, at, how) if loose else []
    words = list(re.finditer(r"\S+", match.group()))
    count = next((n for n, word in enumerate(words) if n > 2 and word.group() in _OPENERS), len(words))
    first, *rest = (word.group() for word in words[:count])
    about = _ABOUT.search(match.group()) is not None
    linked = how == _COLON or (loose and how == _BE)
    opens = first not in _STOPS or (linked and first in _ARTICLES and count > 3)
    if about or not opens or first in _SAMPLES or count < (3 if how == _COLON else 4):
        return []
    if count == 3 and not loose and (not _STOPS.isdisjoint(rest) or _SAID_OF.match(first)):
        return []
    if loose and (how in (_COLON, _BE) or not _USING.isdisjoint(around.before(4))):
        fits = not (how == _BE and (first in _SAID or _SAID_OF.match(first)))
        fits = fits and (
            how != _BE or first not in _STOPS or (_SENDS.isdisjoint(rest) and _SAID.isdisjoint(rest))
        )
    else:
        asked = "?" in around.folded[around.label.end : at]
        told = how == _COLON or (
            how == _BE and count > 4 and first not in _SAID and not _SAID_OF.match(first)
        )
        stops = _STOPS - _SMALL if told and count > 3 and not asked else _STOPS
        fits = stops.isdisjoint(rest) and _SAID.isdisjoint(rest) and _SENDS.isdisjoint((first, *rest))
        fits = fits and (how == _COLON or first not in _SAID or len(rest) == 3)
        fits = fits and (how in (_COLON, _BE) or not _USING.isdisjoint(around.before(4)))
    if not fits or (count == len(words) and not loose and not _END.match(around.folded, match.end())):
        return []
    return [(at, at + words[count - 1].end())]


def _read_digits(around: _Around, at: int, how: int) -> _Spans:
    """A code of four to twelve digits, inner spaces and hyphens included, or one that mixes letters in."""
    at += 1 if around.folded[at : at + 1] in tuple("\"'`([") else 0
    at += len(around.folded[at : at + 3]) - len(around.folded[at : at + 3].lstrip(" "))
    at -= 1 if around.folded[at - 1 : at] == "*" and _HASH_LAST.match(around.folded, at) else 0
    spaced = _SPACED.match(around.folded, at) if not around.plural() else None
    if spaced and how != _WEAK:
        return [spaced.span()]
    match = _DIGITS.match(around.folded, at)
    if match and _DATE.fullmatch(match.group()):
        return []
    if match and sum(map(str.isdigit, match.group())) >= 4 and around.ends(match.end()):
        return [(at, match.end() - (match.group()[-1] == "*" and around.folded[at - 1 : at] in ("*", "_")))]
    match = _CODE_VALUE.match(around.folded, at)
    if how == _WEAK or not match or not 4 < len(match.group()) <= 24 or _looks(match.group()) != _STRONG:
        return []
    return [match.span()]


def _read_short(around: _Around, at: int) -> _Spans:
    """Three or four digits."""
    match = _SHORT.match(around.folded, at)
    return [match.span()] if match and around.ends(match.end()) else []


def _read_backup(around: _Around, at: int) -> _Spans:
    """A list of backup codes: the first, and what follows it in the same shape."""
    spans: _Spans = []
    bullet = _BULLET.match(around.folded, at)
    place = bullet.end() if bullet else at
    while len(spans) < 24:
        match = _BACKUP_ITEM.match(around.folded, place)
        if not match or len(match.group()) < 6 or not _is_like(around, spans, match.span()):
            break
        spans.append(match.span())
        link = _BETWEEN.match(around.folded, match.end())
        if not link:
            break
        place = link.end()
    return spans


def _is_like(around: _Around, spans: _Spans, span: tuple[int, int]) -> bool:
    """Whether a further code is shaped like the first: as long, and with its hyphens."""
    value = around.text[span[0] : span[1]]
    if not spans:
        return _DIGIT.search(value) is not None
    first = around.text[spans[0][0] : spans[0][1]]
    return len(value) == len(first) and value.count("-") == first.count("-")


def _read_login(around: _Around, match: re.Match[str] | None, *, colon: bool) -> _Spans:
    """What follows a name and a slash, bar or colon, which `match` matched: `bob / S3cret!pass`."""
    span = (around.quoted(match.end()) or around.bare(match.end())) if match else None
    if not match or not span:
        return []
    value, folded = around.text[span[0] : span[1]], around.folded[span[0] : span[1]]
    level = _looks(value)
    if match["and"]:
        if around.text[match.start("and")] == "é":
            return []
        return [span] if _is_mixed(value) and _INNER_MARK.search(value) else []
    if _is_mixed(value) or (level == _STRONG and (colon or _INNER_MARK.search(value))):
        return [span]
    spaced = match["mark"] != match["mark"].strip() and around.label.name != "wifi"
    plain = level in (_WORD, _NUMBER) and spaced and colon and len(value) > 5 and value.islower()
    return [span] if plain and not _is_said(folded) and _END.match(around.folded, span[1]) else []


def _read_key(around: _Around, at: int, how: int) -> _Spans:
    """A long value without spaces that no person made up: a key, token or secret in prose."""
    span = around.quoted(at) or around.bare(at)
    value = around.text[span[0] : span[1]] if span else ""
    if len(value) < (8 if how in (_COLON, _BE) else 12) or " " in value:
        return []
    if how == _WEAK and not _RANDOM.fullmatch(value):
        return []
    grouped = len(value) > 16 and _GROUPS.fullmatch(value)
    made_up = _looks(value) == _STRONG and (_DIGIT.search(value) or _is_jumbled(value))
    return [span] if span and (grouped or made_up) and not _OPTION_NAME.match(value) else []


_OPTION_NAME = re.compile(r"-{0,2}[A-Za-z][\w.-]*=[^=]|--")


def _more(around: _Around, spans: _Spans) -> _Spans:
    """The values that a list goes on with: only those as good as the first, as long where it is digits."""
    while spans and len(spans) < 8:
        link = _ALSO.match(around.folded, spans[-1][1])
        span = around.bare(link.end()) if link else None
        if not link or not span or not re.search(r"\w|[,/;]", link.group()):
            return spans
        value, last = around.text[span[0] : span[1]], around.text[spans[-1][0] : spans[-1][1]]
        gap = _LETTER_WORDS.findall(link["gap"])
        if last.isdigit():
            fits = value.isdigit() and len(value) == len(last) and (not gap or _any(_LOCK, gap))
        else:
            fits = (not gap and _is_mixed(value)) or (_any(_OTHER_ONE, gap) and _looks(value) == _STRONG)
        if not fits:
            return spans
        spans = [*spans, span]
    return spans


# --------------------------------------------------------- names in code, settings, headers and commands

_LEFT_NAME = re.compile(r"(?<![A-Za-z0-9_.\-])[A-Za-z0-9_.\-]{1,64}\Z", re.ASCII)
_RIGHT_NAME = re.compile(r"[A-Za-z0-9_\-]{0,64}", re.ASCII)
_NAME_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SET = re.compile(
    r"\\?[\"'`]?\]?[ \t]{0,8}(?:(?P<value>,?\s{1,12}-?[ \t]?[\"']?[Vv]alue[\"']?[ \t]?[:=])|(?P<to>=>|:="
    r"|=(?!=)|:(?![:/])(?:[ \t]?[A-Za-z][\w\[\], .|]{0,30}=)?)"
    r"|(?P<then>,)(?=[ \t]{0,4}[\"'])|(?P<tag>>)|(?P<space>[ \t]))[ \t]{0,8}(?:(?:\[\]byte\(|bytes\("
    r"|Buffer\.from\(|[bru])(?=[\"']))?"
)
_QUOTE = re.compile(
    r"\\?(?P<quote>[\"'`])(?P<value>[^\"'`\n\uffff]{0,300}?)\\?(?P=quote)"
    r"|\\?(?P<other>[\"'])(?P<words>[^\n\uffff]{0,300}?)\\?(?P=other)"
)
_BARE = re.compile(r"[^\s\"'`<>\uffff]{1,300}")
_LINE_HEAD = re.compile(r"(?:\A|\n)[ \t]{0,8}(?:export |set |setx |ENV |\$env:|-\s)?\Z")
_NOT_FOLLOWED = frozenset(
    """
    hash hashed hashes digest checksum id ids name names url urls uri path file files filename dir len
    length min max policy policies count type expires expiry expiration expire ttl age field fields label
    hint reset header headers endpoint prefix suffix regex pattern strength manager input form service
    error errors message msg changed updated created at date days time timeout limit limits usage used
    enabled disabled provider store ring chain board word words map index column size bits bytes version
    format generator helper util utils rotation exists missing encoder class model per minute text title
    check validator protected code codes down up press event stroke frame note set pair pairs point points
    rate through port fail failed failures attempts attempt required rules rule parser budget total in out
    info status state box link show visible expiration location template managers source env var
    variable flag ref santa arn issuer audience scope scopes
    """.split()
)
_HARD = re.compile(
    r"passw|passphrase|passwd|storepass|keypass|secret|apikey|kennwort|contrasena|senha|credential|(?:^"
    r"|_)(?:pwd|pass|psk"
    r"|pw|mdp|passcode)(?:_|$)"
)
_KEYED = frozenset(
    """
    api access private auth encryption encrypt signing sign master account license service client
    subscription shared app deploy session webhook admin bot jwt crypto cipher aes hmac storage server
    django flask rails
    """.split()
)
_PLAIN_KEYS = frozenset(
    """
    cache sort primary foreign partition idempotency row object index map hash dedupe lookup group routing
    translation i18n site unique sitekey search publishable natural composite
    """.split()
)
_CALLED = re.compile(
    r"@?[A-Za-z_][\w.]*(?:\(|\[)|[A-Za-z_]+(?:\.[A-Za-z_]+)+\Z|(?:await|new|not|function|lambda|async"
    r"|return|f|if)\Z"
    r"|[A-Za-z_]\w*(?:->|::)\w",
    re.ASCII,
)
_HEADER_NAMES = re.compile(
    r"x-[a-z-]*(?:key|token|secret|auth|signature|password)|api-key|private-token|ocp-apim-subscription-key"
    r"|auth-token|access-token"
)
_RANDOM = re.compile(r"(?=[^\d]*\d[^\d]*\d[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9+/=_\-]{16,}", re.ASCII)
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SLUG = re.compile(r"[a-z]+(?:[_\-.:][a-z]+)*")


_NO_SECRET = frozenset("public pub existing hashed".split())
_PLAIN_TOKENS = frozenset(
    "next page continuation sync pagination resume cursor scroll pad eos bos unk mask cls".split()
)
"""What tokens are called that mark a place in a list or in a text."""


def _promise(name: str) -> str:
    """How much a name in code promises: `hard`, `token`, `key`, `digits`, or nothing."""
    parts = [part.lower() for part in _NAME_PARTS.findall(name)]
    if not parts or parts[-1] in _NOT_FOLLOWED or not _NO_SECRET.isdisjoint(parts):
        return ""
    if _HARD.search("_".join(parts)):
        return "hard"
    if not _PLAIN_TOKENS.isdisjoint(parts):
        return ""
    if len(parts) > 1 and parts[-1] in ("pin", "otp"):
        return "digits"
    if "token" in parts or "jwt" in parts:
        return "token"
    if "key" not in parts or len(parts) < 2 or not _PLAIN_KEYS.isdisjoint(parts):
        return ""
    return "key" if _KEYED.isdisjoint(parts) else "token"


_GIVES_NEXT = re.compile(r"(?:(?:\A|\n)(?:ENV |#define )\w*|\bconfig(?:ure)? set \w*)\Z")
"""What gives a name the word behind it: a line of a Dockerfile or a header, a tool that is set up."""


def _assigned(text: str, label: _Label) -> Finding | None:
    """The value that a name in code, a setting, a header or a command line is given."""
    before, after = text[label.start - 1 : label.start], text[label.end : label.end + 8].lstrip(" \t")[:1]
    line = text[max(0, label.start - 64) : label.start]
    environment = ("ENV " in line or " set " in line or "#define" in line) and _GIVES_NEXT.search(line)
    marked = after and (after in "=:\"'`\\_>]-," or (after.isalnum() and text[label.end] == after))
    if not (marked or before.isalnum() or before in ("-", "_", ".") or environment):
        return None
    left = _LEFT_NAME.search(text, max(0, label.start - 64), label.start)
    right = _RIGHT_NAME.match(text, label.end)
    start, end = left.start() if left else label.start, right.end() if right else label.end
    name, opened, closed = text[start:end], text[start - 1 : start], text[end : end + 1]
    step = _SET.match(text, end)
    promise = _promise(name) if step else ""
    if not step or not promise:
        return None
    if step["space"] and not (
        name.startswith("--")
        or (name.startswith("-") and len(name) > 6)
        or environment
        or (name.startswith("_") and opened == ":")
    ):
        return None
    if (step["tag"] and opened != "<") or (step["then"] and not _is_argument(text, start, closed)):
        return None
    if text[start - 2 : start] == "${":
        return None
    quoted_name = opened in ('"', "'") and closed in ('"', "'", "\\")
    spoken = name.isalpha() and (name.islower() or name.istitle() or name.isupper())
    to = step["to"] or ""
    if spoken and not quoted_name and to.startswith(":") and not to.endswith("="):
        return None
    return _given(text, step, start, promise)


def _is_argument(text: str, start: int, closed: str) -> bool:
    """Whether a quoted name is the first of a call or a list: `define('DB_PASSWORD', '...')`."""
    return closed in ('"', "'") and text[start - 2 : start - 1] in ("(", "[")


def _given(text: str, step: re.Match[str], start: int, promise: str) -> Finding | None:
    """What a name that starts at `start` is given after `step`, if it keeps the promise."""
    at = step.end()
    name = text[start : step.start()].strip(".-")
    quote = _QUOTE.match(text, at)
    span = quote.span("value" if quote["quote"] else "words") if quote else _bare_span(text, at, start)
    tight = text[at - 1 : at] == "="
    if text.count("=", *span) > _MOST_EQUALS or not _keeps(
        text[span[0] : span[1]], promise, quoted=quote is not None, tight=tight
    ):
        return None
    in_json = quote is not None and step["to"] == ":" and text[start - 1 : start] in ('"', "'")
    header = _HEADER_NAMES.fullmatch(name.lower()) is not None
    return Finding(*span, "bearer" if header else "json_field" if in_json else "assignment", _named(name))


_MOST_EQUALS = 6
"""Signs of equality in a value: base64 ends with two; more are a list of settings that stand close."""


def _bare_span(text: str, at: int, start: int) -> tuple[int, int]:
    """A value without quotes: the whole word at the head of a line, else up to what divides parameters."""
    match = _BARE.match(text, at)
    value = match.group() if match else ""
    if not _LINE_HEAD.search(text, max(0, start - 16), start):
        value = re.split(r"[&;,]|\)+\Z|\\n", value, maxsplit=1)[0]
    value = re.split(r";(?=[A-Za-z]\w{1,30}=)", value, maxsplit=1)[0]
    return at, at + len(value.rstrip(",;)}]."))


_POINTS_AT = re.compile(
    r"(?:file|env|vault|ref|path|sha\d{1,3}|md5|arn|secret|ssm|op|awssm|gcp)[:@](?!$)|[A-Za-z]{3,12}-\d\.\d\Z"
)
"""What says where the value lies, or digests it."""


def _keeps(value: str, promise: str, *, quoted: bool, tight: bool) -> bool:
    """Whether a value is a secret, given what its name promises."""
    if len(value) < 4 or _is_placeholder(value) or (promise != "hard" and _UUID.fullmatch(value)):
        return False
    if promise == "digits":
        return value.isdigit() and len(value) < 9
    if _POINTS_AT.match(value) or (promise != "hard" and _NOT_A_VALUE.fullmatch(value)):
        return False
    folded = _folded(value, _foreign(value))
    if re.split(r"[|,]", folded, maxsplit=1)[0] in _SAID:
        return False
    if " " in value:
        words = set(folded.split())
        return promise == "hard" and len(words) > 3 and not _is_prose(folded) and not words & _STOPS
    if value.startswith(("/", "./", "~/", "../", "http://", "https://", "arn:")) or (
        not quoted and _CALLED.match(value)
    ):
        return False
    plain = (_SLUG.fullmatch(value) is not None or value.isalpha()) and not _is_jumbled(value)
    if promise == "key":
        return _RANDOM.fullmatch(value) is not None
    if promise == "token":
        return len(value) >= 8 and not plain and bool(_DIGIT.search(value) or _INNER_CASE.search(value))
    if plain:
        mentioned = any(stem in folded for stem in ("passw", "secret", "token", "contrasen", "kennw"))
        return not _is_said(folded) and not mentioned and (quoted or (tight and "_" not in value))
    return True


def _named(name: str) -> str:
    """A name as a label: letters and marks that a reference may hold, no digits in a row, never long."""
    return re.sub(r"\d{3,}", "", re.sub(r"[^A-Za-z0-9_.\-]", "", name))[:60].strip("-.") or "secret"


_BEARER_VALUE = re.compile(r"\s{1,3}(?P<value>[A-Za-z0-9._~+/\-]{12,2000}={0,2})")
_HEADER_VALUE = re.compile(
    r"\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?(?:(?:bearer|basic|token|apikey|api-key|key|bot|digest"
    r"|negotiate)\s{1,2})?"
    r"(?P<value>[A-Za-z0-9._~+/\-]{12,2000}={0,2})",
    re.IGNORECASE,
)
_COOKIE = re.compile(r"(?P<name>[\w.\-]{1,80}+)=(?P<value>[^\s;,\"']{12,2000})")
_SESSION = re.compile(r"sess|sid|auth|token|jwt|remember|login", re.IGNORECASE)


def _header(text: str, label: _Label) -> Iterator[Finding]:
    """What an Authorization header carries, or what follows the word Bearer or Basic."""
    match = (_HEADER_VALUE if label.name == "header" else _BEARER_VALUE).match(text, label.end)
    if not match:
        return
    value = match["value"].rstrip(".")
    if "basic" in text[label.start : match.start("value")].lower():
        fits = _is_basic(value)
    else:
        random = _DIGIT.search(value) or _INNER_CASE.search(value)
        fits = random and not _SLUG.fullmatch(value.lower()) and not _is_placeholder(value)
    if fits:
        yield Finding(match.start("value"), match.start("value") + len(value), "bearer", "authorization")


def _cookies(text: str, label: _Label) -> Iterator[Finding]:
    """The sessions in a Cookie or Set-Cookie header, which is one line."""
    for match in _COOKIE.finditer(text, label.end, _end_of_line(text, label)):
        if _SESSION.search(match["name"]) and _looks(match["value"][:200]) == _STRONG:
            yield Finding(*match.span("value"), "bearer", "cookie")


def _end_of_line(text: str, label: _Label) -> int:
    end = text.find("\n", label.end, label.end + 4000)
    return end if end >= 0 else min(len(text), label.end + 4000)


def _is_basic(value: str) -> bool:
    """Whether `value` is base64 of a name, a colon and a password."""
    try:
        return b":" in base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return False


_OPTION = r"[ =]?[\"']?(?P<value>[^\s\"'@]{4,128})"
_COMMANDS = {
    program.encode(): (re.compile(rf"\b{program}\b[^\n|]{{0,200}}?{option}{_OPTION}"), kind)
    for programs, option, kind in (
        ("curl wget http", r"\s(?:-u|--user|-a|--auth)[ =]?[\"']?[^\s:\"']{1,80}:", "password"),
        ("mysql mysqldump mysqladmin mariadb", r"\s-p(?!\s)", "assignment"),
        ("sshpass", r"\s-p", "assignment"),
        ("docker podman helm oc az skopeo crane nerdctl", r"\blogin\b[^\n|]{0,120}?\s-p", "assignment"),
        ("redis", r"\s-a\s", "assignment"),
        ("ldapsearch ldapadd ldapmodify ldapwhoami ldappasswd", r"\s-w\s", "assignment"),
        ("zip unzip rar unrar", r"\s-[pP]", "assignment"),
        ("smbclient", r"\s-U\s+[\"']?[^\s%\"']{1,60}%", "assignment"),
        ("openssl", r"(?:\bpass:|\s-k\s)", "assignment"),
        ("htpasswd", r"\s-[a-zB]*b[a-zB]*\s+\S{1,80}\s+\S{1,60}\s", "assignment"),
        ("keygen", r"\s-N\s", "assignment"),
        ("sqlcmd bcp ipmitool mongo mongosh", r"\s-[pP]\s", "assignment"),
        ("lftp", r"\s-u\s+[^\s,]{1,60},", "assignment"),
        ("rabbitmqctl", r"\b(?:add_user|change_password)\s+\S{1,60}\s", "assignment"),
        ("net", r"\buse\b[^\n|]{0,120}/user:\S{1,60}\s", "assignment"),
        ("echo", r"\s[\"']?[a-z_][\w.-]{0,40}:(?=[^|\n]{4,80}\|[ \t]*(?:sudo )?chpasswd)", "assignment"),
        ("sqlplus rman", r"\s[\"']?\w{1,40}/", "assignment"),
    )
    for program in programs.split()
}
"""Programs that take a password beside a short option: how, and what kind that makes it."""


def _commands(text: str, words: list[bytes]) -> Iterator[Finding]:
    """Passwords on a command line."""
    if _COMMANDS.keys().isdisjoint(words):
        return
    for program in _COMMANDS.keys() & words:
        pattern, kind = _COMMANDS[program]
        for match in pattern.finditer(text):
            if not _is_placeholder(match["value"]) and not match["value"].startswith(("$", "-")):
                yield Finding(*match.span("value"), kind, "password")


# ---------------------------------------------------------------- values that only their sentence tells

_PARTS = {
    "c": """
    -code -codes -kombi -kombination -pin -tan alarmcode bestatigungscode* cifra clave claves cod
    code* codice codici codigo codigos cods combi combinac* combinaison* combination* combinazion*
    combo* digicode* einmal* entsperrcode geheimcode geheimzahl itan kod kode* kombi kombination*
    mtan nip otp passnumber password* pin pincode* pine pinn* pins puk pushtan secuencia senha
    senhas sequence sequencia sequenz sequenza sicherheitscode* tan torcode turcode* turoffner
    verifizierungscode zahlencode zahlenkombi zahlenkombination zugangscode zutrittscode
    """,
    "P": """
    -kennwort -login -losung -passwort -zugang acces acceso accesos accesso acessos admin benutzer*
    contra contrasen* contrasena* credential* creds frase identifiant* kennung kennwort* login
    loginname logins logon losung master masterpasswort mdp merksatz nutzer* palavra parole pass
    passcode* passe passkey passphrase* passwd passwor password passwords passwort* passwot passwrd
    pasword paswort phrase psswrd psw pw pwd signin user username usuario utente utilisateur
    utilizador wachtwoord zugang zugangsdaten zugangswort
    """,
    "S": """
    -account -konto -laufwerk -netz -netzwerk -portal -router -server -wlan -zip 7z account* adobe
    allegato amazon anhang apple archiv archive archivo archivos ard area arquivo asana attachment
    audible backup base bbox bitwarden cam canal canva chromecast compte* computador computer
    confluence conta* copia copier copieur correo crunchyroll cuenta* dados dashboard database datei
    dateien datenbank dati datos dazn db deezer disco discord disk disney disque document documento
    documents dokument* drive dropbox drucker ebay email epic etsy excel extender extranet facebook
    fernseher festplatte fichier fichiers figma file files firewall fotocopiadora fotocopiatrice
    freebox fritz* ftp gast* gateway gitea github gitlab gmail google* grafana hbo helpdesk hotmail
    hotspot icloud impresora impressora imprimante insta instagram intranet jenkins jira kamera
    keepass keychain keystore kindle konto* kopierer laptop linux livebox mac mail mailbox minecraft
    modem modems moodle nas netflix network netz netzwerk nextcloud nintendo notion office365
    onedrive ordenador ordi ordinateur origin outlook owncloud paramount paypal* pc pdf perfil piece
    pihole planilha playstation plex portachiavi portal portatil prime printer profil profile
    profilo psn qnap rar rechner rede repeater reseau respaldo roblox root roteador router* routeur
    salesforce sap sauvegarde schlusselbund server servers serveur servidor sftp sharepoint sheet
    shopify sicherung sky skype slack smarttv sonos speedport spotify spreadsheet ssh ssid stampante
    steam* stick switch synology tabelle teams televisor ticketing tiktok tplink trello tv twitch
    twitter typo3 ubiquiti ubuntu unifi usb veracrypt volume vpn* webcam webmail wifi wiki windows
    wlan* wordpress xbox yahoo zip zoom
    """,
    "U": """
    abgefragt ask asked asks benutz* brauche brauchst braucht chiede chiedera demande demandera
    essaie* essayez expects faut funciona funktionier* funzion* gefragt give given klappt marche
    marchera necesita necesitas need needs nehmen nehmt nimm nimmst nutze pede pedira pide precisa
    precisas prends probier* prompted prompts prova provare provi prueba prueben require required
    requires serve take taken tenta tentar tente tried try usa usad usar usas use usen usi using uso
    utilice* utilise* utiliza* utilizza* va vale verlangt versuch* verwend* wants work worked works
    """,
    "l": """
    -anlage -box -eingang -fach -facher -feld -kasten -klingel -koffer -safe -schloss -schlosser
    -schrank -schranke -tastatur -tor -tore -tresor -tur -turen alarm* allarm* anlage antifurt*
    antivol armadi* armari* armoire ascensore backdoor balkontur barreira barrera barrier barriera
    bildschirmsperre boite boitier* bollard box briefkasten buzon buzzer* cabane cabinet cacif*
    cacifo* cadead* cadeado* cadena* caisse caixa caixinh* caja cajetin* cajit* cajita* cancell*
    candad* candado* caseta casetta casier* cassaforte cassett* cassettin* central centrale
    centralina cerradura* citofon* clavier cobertizo coffre* cofre* cupboard digicode digilock
    displaysperre door doors eingang* elevador elevator entrada entrance entree fahrradschloss*
    fechadur* fechadura* frontdoor galpao garage* garaje* gartenhaus* gartentor gartentur gate gates
    grille hatch haupteingang haustur* hausture* hintereingang hintertur hoftor hotelsafe ingreso
    ingresso intercom* interfon* interphon* interphone* kasse kastchen kellerabteil kellertur
    keybox* keypad* keysafe klingel* koffer kwikset letterbox lock lockbox* locker* lucchett*
    luggage mailroom mala maleta meldeanlage nuki numpad padlock* panel* persiana poller porta
    portail portao* porte portillon porton portone postfach puerta puertas pulsantiera register reja
    rideau rollladen rolltor safe saracinesca schliessfach* schloss schlusselbox* schlusselk*
    schlusselsafe schlusseltresor* schrank schranke schranken schuppen serranda serratur* serratura*
    serrure* shed shutter shutters siren sirena sirene sonnette spind* strongbox suitcase tableau
    tapparella taquill* taquilla* tastatur tastenfeld tastensperre tastier* teclado tedee
    telefonillo till tor tore touchpad tranca tresor* tur ture turen turschloss valigia valise vault
    verja videoportero volet volets vordertur vorhangeschloss* werkzeugschuppen wertfach
    wohnungstur* yale zahlenfeld zahlenschloss* zimmersafe
    """,
    "g": """
    -garage -halle -handy -haus -keller -lager -raum -tablet -telefon -wohnung academia airbnb
    almacen aparcamiento appartamento appartement* armazem ascenseur ascensor* atelier attic aufzug*
    auto autoradio balcon balcony barrier* basement bici bike bildschirm* bootshaus building bureau
    buro cabin cantina car carro casa cave cel cell cellar celu celular* chalet chip clubhouse coche
    condominio* corredor corridoio corridor cortile couloir cour courtyard dachboden deposito desvan
    ebike edificio* entrepot escalera escalier escritorio estacionamento estacionamiento estudio
    fahrrad* ferienhaus fitness* flur fone fridge gebaude* gimnasio ginasio grenier gym hallway
    handy* haus hof home house hutte immeuble* ipad ipads iphone keller* lab labor laboratorio lager
    lagerraum laptop* lift lifts local locale macchina magazzino maison montre moto movil office
    oficina orologio palazzo palestra parcheggio parkhaus parking parkplatz pasillo patio phone
    piscin* pool portable portatil* predio* quintal radio rechenzentrum relogio reloj residenc*
    scala scale schranke* scooter screen* serverraum sim smartphone soffitta sotao stairs stairwell
    studio tab tablet* tablette* tel tele telefon* telefono* telemovel* telephone* terrace terrasse
    terraza terrazzo trastero* treppenhaus ufficio uhr velo vereinsheim voiture vorraum warehouse
    watch werkstatt wohnung* workshop
    """,
    "k": """
    -automat -automaten -karte amex atm atms automat automaten bancomat* bankautomat bankkarte
    cajero* card carta cartao carte cash cashmachine cashpoint dab debitcard distributeur ec eckarte
    geldautomat* girocard girokarte karte kreditkarte kreditkarten levantar maestro mastercard
    multibanco postepay prelev* prelievo retirar saca sacar tarjeta visa
    """,
    "o": """
    abra abre abrela abrelo abrem abren abri abrila abrir abrirse abschalt* accede* accedi access
    admit admits allow allows anmachen apagar apra apre apri aprila aprile aprire aprite apro aprono
    arm armed arms auf aufgeh* aufmach* aufschliess* aus ausmachen ausmacht ausschalt* ausstellen
    cerrar chiude cierra couper deactiv* deaktivier* debloqu* desactiv* desarm* desativ* desbloque*
    desbloquei* desliga* deverrouill* disable disables disarm* disattiv* disinser* entra entrar
    entrare entras entre entrer entri entriegel* entscharf* entsichern entsperr* eteindre fecha
    ferme freischalt* gehen geht geoffnet get gets hochfahren kommst let lets letting losmachen mute
    offne* offnet* open opened opening opens ouvr* quita quitar rauskommen rein reingehen reinkomm*
    reinlassen sblocc* schalt* sesame silence silences spegn* start starten starts unlock*
    """,
    "t": """
    aperta apertar aperte benutze* bota clic* coloca colocar coloque componete componi comporre
    composant compose composer composes composez dial dialed dialing dialled dials digit* dreh
    drehen drehst dreht druck drucke drucken drucks druckst ecris ecrivez eingab* eingeben eingegeb*
    eingib einstellen eintipp* eintrag* einzustellen enter entered entering entrez escrev* escrib*
    faca faccia fai faire fais faites fare faz geben gebt gira girar girare gire giri hack hau hauen
    hit ingres* input inser* insira introdu* key keyed keying klick* marca marcar marcas marque
    marquem marquen marquer meta mete metelo meter* metes mets mett* mettil* mettl* nimmt poe poela
    pon poner pones ponga ponha ponl* pop premere premete premi prend press pressed pressing pulsa
    pulsar pulse punch punched push put quer quiere rentre rentrer rentres rentrez saisir saisissez
    schreib scriv* scroll spin spins spun stell stelle stellen stellt takes tap tapant tape taper
    tapes tapez tapo tapping tecle* tipea* tippe tippen tippst tourne tourner tournez typ type typed
    typing valider verwende* veut vuole wahl wahle wahlen wahlt write
    """,
    "y": """
    almohadill* arrow asterisc* asterisk asteriskus bell bugel button campana campanella cancellett*
    cardinal cerquilh* cloche diese* dieze dreh* empuja* empurr* etoile* flecha fleche freccia
    gartenzaun glocke green grun grune halten handle hash hashtag hold invio jogo klinke knob
    macaneta maintenir maniglia off ok okay pfeil pfund poignee pomo pound pousse* pull push* puxe
    puxem raute rautetaste red rote segure seta shackle sino spingi* star stern sternchen sterntaste
    symbol taste tasten tasti tasto tecla* tieni tira tirate tire tiren tirez touche turn zieh*
    """,
    "i": """
    app appli apps autenticador autenticatore authenticator authentificateur
    """,
    "s": """
    affiche angekommen aparece apareceu aparecio apparait appare apparso apparu appeared appears
    arriv* bekam bekomme bekommen came chegando chegar chegou comparso deram deu dice dieron dio
    displays dit diz eingegangen emailed envia enviado envian enviaram enviaron envio enviou
    envoient envoya envoye envoyee envoyer ergab erhalte erhalten erhielt erzeugt gave gekommen
    gekriegt genera generated generates genere generiert gesandt geschickt gesendet got invia
    inviata inviato kam kriegt kriegte lee leer leggi lies lire lis llega llegado llegando llegar
    llegaron llego mailed manda mandado mandan mandaram mandaron mandata mandato mando mandou
    messaged mostra mostrando mostrou muestra pinged popped read reads receber recebi recebo
    received recevez recevoir recibi recibido recibir recibo recois recu recue reingekommen ricevuto
    sagt sandte says schickt schickte schickten send sending sends sent shows steht texted texts
    turned zeigt zugeschickt
    """,
    "m": """
    agencia bahn banc* bancair* bancar* bank* banque* barclays bbva bizum bnp booking boursorama bpi
    bradesco caixabank comdirect dhl dkb elster finanzamt gls google hacienda hermes hsbc impots ing
    intesa itau klarna lcl leboncoin mensage* mensaje* message* messaggi* microsoft millennium monzo
    movistar n26 nachricht* nubank olx orange paypal pix postbank poste renfe revolut santander
    signal sncf sparkasse* spid telegram telekom tim tinder uber unicredit ups vinted vivo vodafone
    volksbank wallapop whatsapp wise
    """,
    "h": """
    sms text texto textos zap
    """,
    "p": """
    abhol* acces* anmeld* approv* autentic* auth authoris* authoriz* autoris* autoriz* bestatig*
    bonific* collect collecting conferm* confirm* connect* connexion* einloggen einricht*
    entsperrung firma freigab* freigeb* identific* identit* inscri* inscripc* legitimi* levantamento
    logging pagament* pago paiement* payment pickup recogida redefin* registr* registrier* reimpost*
    reinitial* restablec* retrait ritiro secur* segur* setup sicher* sicur* sign signing signup
    transfer* uberweis* valid* validat* verif* verifi* verify* virement* withdraw zahlung*
    zurucksetz*
    """,
    "d": """
    2fa authentic* authentif* authentis* dinamic* factor faktor mfa token
    """,
    "G": """
    abuela apartamento appart avo babysitter besuch* checkin cleaner concierge* dad ferienwohnung
    gast gaste* grandma granny guest guests hausmeister hospedes hotes housekeeper huespedes
    inquilino invites landlord locataire mama mamma mieter mum nachbar* nan neighbors neighbour*
    nonna oma opa ospiti papa porteiro portero portier portinaio proprio putzfrau sitter tenant
    tenants vecin* vermieter vicin* vizinh* voisin* voyageurs
    """,
    "B": """
    apita apitar beep beeping beeps bipe biper heult hurle losgehen losgeht piepsen piepst piept
    pita pitar sonne suona
    """,
    "E": """
    abgelaufen ablaufen ablauft anyone apurate beeil* caduca caducara communique* comparta*
    compartilhe compartir comunicar condivi* corra corre depeche* deprisa disclose divulgue einmal
    einmalig expira expire expired expires expiring forward geheim gib gleich gueltig gultig heures
    horas hours hurry* ja laufen lauft mach min minute minuten minutes* minuti minuto* mitteilen
    nadie nessuno niemand* ninguem nobody once ore partag* personne presto private quick quickly
    rapidement rapido revele revelez rivelare running rush sbrigati scade scadenza scadra schnell
    seconde secondes secondi seconds secret segundos sekunden share stunden subito teil* unica unico
    valable valid valida validade validite valido veloce vence vencer verraten vite weiter
    weitergeben weitersagen ya
    """,
    "C": """
    actualizado ainda aktualisiert alt alte alten alterado alterei ancien ancienne ancora andern
    andert anderte anderten anterior antiga antigo ayer botei cambia cambiada cambiado cambiar
    cambiare cambiaron cambiata cambiato cambie cambio change changed changee changer changes
    coloquei continua default definida definido encore fabrica fabrik factory fijada fijado geandert
    gesetzt gestellt gestern gewechselt hier ieri impostata impostato initial last messo mis mise
    modificado modificato modifie modifiee mudar mudaram mudei mudou neu neue neuen neuer neues new
    noch nouveau nouvelle nova novo nueva nuevo nuova nuovo old ontem precedente previous
    provisional provisoire provisori* provvisori* puesto puse reset rotated sempre set setzen
    siempre sigue standard* still swapped temporal temporar* todavia toujours trocado trocar
    trocaram trocou troquei umgestellt updated usine vecchia vecchio vieja viejo vorherige wechseln
    week werk yesterday
    """,
    "x": """
    -auftrag -betrag -jahr -kilometer -kosten -platz -preis -rechnung -strasse -weg -zahl abi
    abonnes adherent* affitto agence airport* aktenzeichen* alquiler aluguel annee* anni anno ano
    anos anruf* antwort* ape appelle* arduino area* artic* artigo* artik* ascii* ateco atendimento
    attempt attempts attended aufrufe auftrag avantage* avenue balcao bar barcode* barras* barre*
    bestell* besucher bezahlt bic bigliett* bill billet* boarding boleto bon book* born branch breit
    buchung* bugs build built bus byte* cab call calle calorias calorie calories cap case cassa
    catastale catastral* cep chapter charge* checkout chiama* civil* class* client* cm colis colli
    color* colour* comboio commande* commit* compteur conector connector* contador contatore
    contract* contrat* cor corso* cost costa costaron costat* costo costou costs couleur* count*
    coupon* cours course* coute cuesta curso* custa customer* custou defaut* degrees desconto*
    descuento* diagnos* dial* disciplina* discount* dishwasher dni doar dollars donar donare donate
    donner dossier* downloads dress* ean* einlad* eintrage einwohner empfang employee* encomenda*
    endet ending ends entries erreur* erro* euros exam exams exit* expediente* extension factur*
    falta farb* fattur* fatura* faute feet fehler* fila filiale final findings fiscal* flight* flug*
    follower followers fonte* form formular* fotos fuente* fuso game geboren gekost* genetic* gens
    gente gift* gioco gpio gr grad gramm grams guiche guichet* gutschein* hausnr help hex* high hits
    hoch hotline hs http* hundred ibge icd* id ids immatriculation imovel inches index insee
    intentos invalid* invit* invoice* isbn* isin issues item* itens iva jahr* java* jeu juego kahoot
    kalorien kapitel kcal kennzeichen klasse* km kontonummer kost* kunde* kurs* lander* language*
    large lavadora lavatrice lectura legacy* leitura lettura leute ligne* likes limit* line linea*
    lines lingua* linha* liter litres litri litros llama* loyer machine* malfarbe map mapa mappa
    matricul* max maximum mega meilen member* membres membri membros meters miembros miete miles
    mitarbeiter* mitglied* mm model* morse* mots museum nace nacido naf nascido nato nif nokia nome
    nr nummernschild ordem orden order* ordin* overdue pacco pagado pagamos pagato page pages
    pagina* pague paid painel paint* paket* palabras palavras panne paquete* parcel* parrainage
    pasos passi passos pay paye payes pedido* penal* people personas persone pesa pese pesos pessoas
    photos pid pieces plate platz plu plz* points pontos population port post postal* postcode
    postleitzahl pounds pratica precio preco preis prenotazion* prezzo price prix processo prodott*
    produ* promo* protocol* punkte punktestand punti puntos python* qm qr* quelle quote* rabatt*
    raffle ral rastre* reach reading reais recepcao recepcion* reception* rechnung* record records
    reduc* refer* rekord release rent request* reserv* response* retard return* review* revision
    rezeption* richiesta riferimento road rolling route rows rpm rua rue ruf rufe sair sat scaduta
    schritte sconto* score section seed seguidores seguimiento* seite* sendung* sensor serial*
    seriennummer server* serveur* shipping signed size sku* sold solicit* somme sorgente* sort
    source* spende* spiel sq sqft stand stat status* statute steps steuer* stimmen stop stopp
    strasse* streams street* strich* student* suivi* suma summe swift* tall targa tax* telefonnummer
    tentativ* termin termine terminvereinbarung tests thousand ticket* tombola* tonnen tons total
    tracciament* tracking* train* tren treno tributo* uberfallig uid umdrehungen ungultig* unicode*
    unit* users usuarios utenti utilisateurs vaga vat vencida vendemos vendid* vendimos vendu*
    verkauft vers verse version* views visitantes visitatori visiteurs visitors voix vol volo volt
    voo vorgang* vorwahl* votes voti votos voucher* vuelo vues waschmaschine washing watt weighs
    wide wiegt win wo words workorder worter yard year* zahlerstand zeile* zip*
    """,
    "u": """
    conto
    """,
    "r": """
    apartment apt benutzer camera chambre* flat habitacion* hausnummer nutzer quarto* raum* room
    rooms saal sala salle* stanza unit zimmer*
    """,
    "q": """
    ab alle as at ate bis dalle depuis desde from gegen las seit since um until von
    """,
    "n": """
    -nr -nummer -schlussel chave chiave cle llave number numbers numero* nummer schlussel
    """,
    "z": """
    chiffres cifras cifre digitos digits rader rueditas wheels zahlen ziffern
    """,
    "w": """
    als avec co coi col colla com come comme como con mit mitm pela pelo su sur via with
    """,
    "b": """
    are c ca das dies eh era es ese eso esse est este etait foi fue is isso ist it its lautet quello
    questo sao sera sind son sono sont sta that this war was
    """,
    "v": """
    de del di do of
    """,
    "e": """
    and e et und y
    """,
    "j": """
    adesso agora ahora aqui ecco here jetzt maintenant now ora voila
    """,
    "a": """
    der die el il la le lo ma mein meu mi mio mon my o the
    """,
    "f": """
    for fur para per pour pra to zum zur
    """,
    "T": """
    eingeben* saisi saisir* saisis* teclea* teclee* tipp
    """,
}
"""Words, with a star how words begin, with a hyphen how long ones end, by the part that they play.

c names a code, P a password or a login, S what one logs in to, U tries or uses; l is a lock, g a place or a
thing that has one, k a bank card; o opens, t and T type, y is what is pressed, B beeps, C says that it is
another now; s sends or says, m, h and i are what a code comes by, p is what it proves, d a second factor, E
how long it holds; G is a guest or a neighbour, z digits. x makes a number another one, u, too, r a room, n is
a word for number or key. q goes before times; w, v, b, e, j, a and f are small words.
"""

_PHRASES = {
    "jogo da velha": "y",
    "boite a cles": "l",
    "cofre da chaves": "l",
    "cofre das chaves": "l",
    "cassetta delle chiavi": "l",
    "caja de llaves": "l",
}
_MARKS = {
    ":": ":", "=": ":", "'s": "b", ",": ",", "(": ",", ")": ",", "-": ",", "--": ",", ".": ".", "!": ".",
    "?": "?", "\n": "/",
}  # fmt: skip
_PART_OF = {**_PHRASES, **_MARKS}
_PART_BY_STEM: dict[str, str] = {}
_PART_BY_END: dict[str, str] = {}
for _part, _listed in _PARTS.items():
    for _word in _listed.split():
        _kind_of = _PART_BY_STEM if _word[-1] == "*" else _PART_BY_END if _word[0] == "-" else _PART_OF
        _kind_of.setdefault(_word.strip("*-"), _part)


def _sizes(parts: Iterable[str], head: slice) -> dict[str, tuple[int, ...]]:
    """How long those are that share a head, the longest first."""
    sizes: dict[str, set[int]] = {}
    for part in parts:
        sizes.setdefault(part[head], set()).add(len(part))
    return {shared: tuple(sorted(some, reverse=True)) for shared, some in sizes.items()}


_HEAD, _TAIL = slice(0, 2), slice(-2, None)
_STEM_SIZES, _END_SIZES = _sizes(_PART_BY_STEM, _HEAD), _sizes(_PART_BY_END, _TAIL)
_LONG_WORD = 6
"""Letters of the longest word that is not taken apart."""


def _part_of(word: str) -> str:
    """The part of a word that is not listed whole: by its head, by its end; 0 for a number, _ for none."""
    for size in _STEM_SIZES.get(word[_HEAD], ()):
        if part := _PART_BY_STEM.get(word[:size]):
            return part
    if len(word) > _LONG_WORD:
        for size in _END_SIZES.get(word[_TAIL], ()):
            if part := _PART_BY_END.get(word[-size:]):
                return part
    return "0" if word[0].isdigit() or word[0] == _BLANK else "_"


_ROW_WORDS = re.compile(
    rf"{_BLANK}+|{'|'.join(_PHRASES)}|[a-z]+[0-9]*|\d[\da-z]*"
    r"|'s(?![a-z])|[:=,()!?\n]|\.(?=\s|\Z)|(?<= )--?(?= )"
)
_TOLD_NUMBER = re.compile(
    r"\d(?<![\d_g-z.,:/+#@$€£*-]\d)(?<!\w[a-f]\d)(?:\d{2}[ -]\d{3}|\d{3}[ -]\d{4}|\d{3,7}"
    r"|\d{1,3}[a-f]\d{1,3}|\d{2,4}[a-f]|\d[ -]\d{2}[ -]\d{2}|\d{1,2}-\d{1,2}-\d{1,2}|(?:[ -]\d){3,7})"
    r"(?P<key>#|\*(?!\*))?(?![\w%$€£/@=]|[ -]\d|[.,:]\d|\s?[$€£%])"
)
_RUNS = re.compile(rb"0(?:00+| 0 0 0|0 00 00|00? 00? 00?(?!0)|0 000|0 0{1,3}(?! ))")
_DIGITS_AS_ZERO = bytes(48 if code in b"0123456789" else 32 for code in range(256))
_WORD_CHAR = r"[^\s\"'`«»„“”<>()\[\]{},;:/\\\uffff]"
_WORD_START = re.compile(rf"(?<![^\s\"'`(:«„=*]){_WORD_CHAR}{{0,40}}\Z")
_TOLD_WORD = re.compile(rf"{_WORD_CHAR}{{4,40}}")
_IN_CODE = re.compile(r"[a-z]_[a-z]|[a-z]=\S|[\"']:|[{}<]|(?<![-=])>|[a-z][(\[]|[a-z]/[a-z]")
_ROUND = re.compile(r"00\Z|\A(?:19|20)\d\d\Z")
"""Years and round numbers: they count something where nothing but the sentence makes them a code."""


def _told_values(text: str, folded: str, raw: bytes, taken: _Taken) -> Iterator[tuple[int, int]]:
    """The numbers and made-up words that nothing took, in two passes."""
    numbers, reached = _Taken(len(text)), 0
    for run in _RUNS.finditer(raw.translate(_DIGITS_AS_ZERO)):
        match = _TOLD_NUMBER.match(folded, run.start()) if run.start() >= reached else None
        if match:
            reached = match.end()
            start = match.start() - folded[match.start() - 1 : match.start()].isalpha()
            around = max(0, start - 40), reached + 20
            if taken.free(start, reached) and not _IN_CODE.search(folded, *around):
                numbers.mark(start, reached)
                yield start, reached
    reached = 0
    for digit in _DIGIT.finditer(text):
        if digit.start() < reached:
            continue
        reached = digit.end()
        start = _WORD_START.search(text, max(0, reached - 42), digit.start())
        match = _TOLD_WORD.match(text, start.start()) if start else None
        if match:
            reached = max(reached, match.end())
            end = match.start() + len(_bare_word(match.group()))
            free = taken.free(match.start(), end) and numbers.free(match.start(), end)
            if free and end > digit.start() and _looks(text[match.start() : end]) == _STRONG:
                yield match.start(), end


def _bare_word(word: str) -> str:
    """A word without the punctuation that closes it."""
    word = word.rstrip(".,?*_")
    return word if re.search(r"[^\w!.-]", word[:-1]) else word.rstrip("!")


_TURNS = frozenset("lgkcPSUECGBotTosmhpdzyxinrq")
"""The parts that are read in pairs: those of words that carry meaning."""


def _clues(text: str, folded: str, start: int, end: int) -> set[str]:
    """What stands around a value and what it looks like, as names of weights."""
    before, after = _row(folded, start, end)
    value = text[start:end]
    number = not any(map(str.isalpha, value[1:])) or _TOLD_NUMBER.fullmatch(value.lower()) is not None
    own, *earlier = reversed(re.split(r"[./?]", before))
    rest, *later = re.split(r"[./?]", after)
    clues = {"number" if number else "word", *_looks_of(value, number=number)}
    near, far = f"^^^{before}"[-3:], f"{after}$$$"[:3]
    for place in range(3):
        clues.add(f"{place}<{near[place]}")
        clues.add(f"{place}>{far[place]}")
    clues.update((f"<{near[1:]}", f">{far[:2]}", f"{near[2]}|{far[0]}"))
    if number and (sort := _sort_of(value)):
        clues.update((sort, f"{sort}<{near[2]}", f"{sort}>{far[0]}"))
    if _any(_NEGATIVE, _LETTER_WORDS.findall(folded, max(0, start - 30), start)[-4:]):
        clues.add("other")
    left, right = set(own) & _TURNS, set(rest) & _TURNS
    clues.update(f"-{part}" for part in left)
    clues.update(f"+{part}" for part in right)
    past = set(earlier[0]) & _TURNS if earlier else set[str]()
    clues.update(f"={part}" for part in past)
    clues.update(f"~{part}" for part in (set(later[0]) & _TURNS if later else ()))
    here = sorted(left | right)
    clues.update(f"{one}&{other}" for place, one in enumerate(here) for other in here[place + 1 :])
    clues.update(f"{one}/{other}" for one in past - set(here) for other in here)
    if _UNIT.match(folded, end):
        clues.add("unit")
    if _IN_CODE.search(folded, max(0, start - 40), end + 20):
        clues.add("code")
    if _FAULT.search(folded, max(0, start - 80), start):
        clues.add("fault")
    return clues if number else {f"w{clue}" for clue in clues}


def _looks_of(value: str, *, number: bool) -> Iterator[str]:
    """What a value looks like, as names of weights."""
    yield f"digits{min(sum(map(str.isdigit, value)), 9)}"
    if value[-1] in "#*":
        yield "key"
    if number:
        yield f"hyphens{min(value.count('-'), 2)}"
        if " " in value:
            yield "spaces"
        return
    yield f"long{min(len(value) // 3, 6)}"
    for mark in "_-.":
        if mark in value:
            yield mark
    if re.search(r"[!@#$%^&*+=~?]", value):
        yield "mark"
    yield "low" if value.islower() else "up" if value.isupper() else "both"
    if value[0].isdigit():
        yield "first"
    if value[-1].isdigit():
        yield "last"
    yield f"runs{min(len(_PIECES.findall(value)), 4)}"


_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5][05]")
_YEAR = re.compile(r"1[4-9]\d\d|20\d\d")


def _sort_of(value: str) -> str:
    """What else four digits may be: a time, a year, a round number."""
    if _YEAR.fullmatch(value):
        return "year"
    if _CLOCK.fullmatch(value):
        return "clock"
    return "round" if value.endswith("00") else ""


_PIECES = re.compile(r"[^\W\d_]+|\d+")


def _row(folded: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after a value, a character for each: the part that it plays. Marks stand, too."""
    first = max(0, start - 110)
    while 0 < first < start and folded[first - 1].isalpha():
        first += 1
    last = min(len(folded), end + 70)
    while end < last < len(folded) and folded[last].isalpha():
        last -= 1
    return _parts(folded, first, start), _parts(folded, end, last)


def _parts(folded: str, start: int, end: int) -> str:
    return "".join([_PART_OF.get(word) or _part_of(word) for word in _ROW_WORDS.findall(folded, start, end)])


_WEIGHED = """
+B:1 +C:-3 +E:10 +G:-1 +P:-3 +S:-4 +c:10 +d:-1 +g:3 +h:11 +k:7 +l:14 +m:-6 +n:5 +o:5 +p:3 +r:4 +s:9 +t:11
+x:-32 +y:17 ,|$:9 ,|,:11 ,|_:3 ,|e:5 -B:1 -C:1 -E:1 -G:-3 -S:-2 -T:6 -U:17 -c:12 -d:6 -g:2 -h:5 -i:1
-k:16 -l:36 -m:5 -n:-16 -o:11 -p:3 -q:-9 -r:-19 -s:10 -t:18 -x:-47 .|$:-3 0<,:14 0<0:3 0<::-1 0<?:2 0<C:2
0<E:-3 0<G:-4 0<P:-3 0<S:-4 0<^:-8 0<_:-1 0<a:-2 0<b:-1 0<c:8 0<d:2 0<e:-1 0<h:-3 0<k:2 0<l:7 0<m:2 0<n:-4
0<o:-8 0<s:2 0<t:1 0<v:11 0<w:1 0<x:-8 0>$:5 0>,:3 0>/:-1 0>::-2 0>C:-3 0>E:6 0>_:-3 0>a:5 0>b:-17 0>c:2
0>e:8 0>f:3 0>j:7 0>m:-4 0>o:4 0>q:3 0>s:5 0>t:7 0>v:-9 0>w:2 0>x:-16 0|$:-11 0|,:-5 0|_:-7 1<,:9 1<.:-3
1<0:-12 1<::3 1<B:-4 1<C:6 1<E:-5 1<P:3 1<S:-12 1<U:-4 1<^:3 1<_:-6 1<a:-12 1<b:5 1<c:5 1<d:3 1<f:-3
1<g:-4 1<h:-2 1<i:1 1<j:2 1<k:11 1<l:12 1<m:2 1<n:-3 1<o:9 1<q:-1 1<s:2 1<t:3 1<v:9 1<w:4 1<x:-17 1<y:1
1<z:-4 1>$:-6 1>,:-1 1>0:-10 1>?:4 1>C:-3 1>E:3 1>P:-3 1>S:-2 1>U:1 1>_:-3 1>a:-2 1>b:6 1>c:3 1>e:3 1>f:-4
1>g:-1 1>h:8 1>i:2 1>j:5 1>k:-1 1>l:5 1>m:-2 1>p:1 1>q:-1 1>s:-3 1>t:3 1>v:1 1>w:-2 1>x:-7 1>y:7 2<,:23
2<.:-6 2<0:-25 2<::12 2<C:2 2<E:9 2<P:2 2<S:-1 2<T:5 2<U:8 2<^:8 2<_:-5 2<a:2 2<b:5 2<c:-6 2<d:4 2<e:5
2<f:2 2<g:-8 2<h:3 2<j:4 2<k:11 2<l:-12 2<m:-7 2<n:-8 2<o:-3 2<p:4 2<q:-17 2<r:-18 2<s:7 2<t:13 2<v:-17
2<w:24 2<x:-19 2<z:2 2>$:-1 2>.:-6 2>0:-10 2>?:1 2>C:2 2>E:3 2>P:-3 2>U:2 2>_:-9 2>a:2 2>b:1 2>c:2 2>f:4
2>g:5 2>i:6 2>l:5 2>m:-1 2>o:-3 2>q:1 2>s:7 2>t:-1 2>v:1 2>w:-3 2>x:-4 2>y:4 :|$:2 :|,:1 :|_:3 :|e:4 :|f:2
<,C:2 <,_:-4 <,b:4 <,c:-2 <,e:2 <,j:3 <,r:-5 <,t:3 <,x:-1 <,z:2 <.t:1 <00:-4 <0::1 <0_:-2 <0f:-2 <0r:-1
<0t:2 <:0:-5 <:_:4 <B_:-5 <E_:-4 <Pb:3 <S_:-2 <Sc:-1 <Ut:1 <Ux:-1 <^E:3 <^S:2 <^T:5 <^U:4 <^^:8 <^_:1
<^b:3 <^c:1 <^g:-14 <^l:9 <^m:-3 <^r:-5 <^s:-2 <^t:-9 <^w:1 <^x:-6 <_,:12 <_.:-8 <_0:-7 <_::7 <_E:3 <_P:4
<_U:-4 <__:-3 <_b:-6 <_c:-8 <_e:4 <_g:8 <_h:3 <_k:6 <_l:-2 <_o:-2 <_q:-5 <_r:-4 <_s:7 <_t:5 <_v:-1 <_w:-3
<_x:-3 <a_:-5 <ac:13 <al:-16 <ar:-1 <ax:-5 <b_:-2 <ba:3 <bb:12 <bv:-1 <bx:6 <c::-7 <c_:10 <cb:-3 <cx:-3
<e_:4 <ea:-1 <ev:-2 <g,:3 <g_:-6 <ge:-2 <gt:5 <gw:1 <h_:-3 <hs:1 <hw:2 <i_:-3 <is:4 <kt:3 <l,:7 <l::8
<lU:1 <l_:1 <lb:3 <le:2 <ll:1 <lt:1 <lx:-3 <m::2 <m_:1 <mw:2 <nb:-3 <o::4 <oq:-6 <ow:14 <p::8 <pt:1 <pv:-9
<pw:3 <qx:-1 <s_:-1 <t_:9 <ta:-5 <v_:-2 <vk:3 <vm:2 <vp:5 <vx:2 <wa:6 <wc:-2 <x0:-2 <x::-8 <x_:8 <xb:-4
<xc:-1 <xe:-4 <xn:-1 =C:4 =G:2 =c:18 =l:2 =x:-4 >$$:5 >,$:1 >,E:2 >,P:-1 >,_:3 >,a:-6 >,b:4 >,e:2 >,l:-3
>,s:1 >,t:1 >,x:1 >.$:-2 >._:1 >:_:-1 >E_:3 >Eb:2 >_$:-12 >_,:-8 >_0:-2 >_?:4 >_C:-2 >_S:3 >__:-5 >_a:10
>_e:-3 >_f:-4 >_h:3 >_i:2 >_k:-2 >_l:10 >_o:-3 >_p:-1 >_s:1 >_t:1 >_v:1 >_w:-1 >_x:1 >_y:1 >a_:1 >ac:4
>b_:-11 >bb:1 >bs:-4 >e_:2 >ea:-1 >et:-1 >ey:6 >f_:-6 >fh:5 >fo:4 >fp:4 >ft:1 >fx:-5 >j$:4 >o$:-1 >o_:6
>q0:-4 >q_:3 >qa:2 >s$:-5 >s,:6 >s_:4 >t$:7 >t,:1 >tE:1 >te:5 >wa:4 >x$:-7 >x,:-2 >x_:-4 >xp:-1 >xv:2
>xx:-2 B&l:-2 B&o:1 B&t:3 C&E:-1 C&P:-1 C&c:3 C&g:-2 C&i:1 C&k:1 C&l:5 C&n:-4 C&o:-2 C&q:1 C&x:-4 C/t:4
C/x:4 C|$:2 C|_:-1 E&U:-3 E&d:-2 E&h:2 E&i:2 E&k:4 E&m:3 E&n:-4 E&o:-2 E&p:3 E&q:1 E&s:4 E&t:3 E&x:-1
E|_:9 G&U:3 G&g:1 G&o:1 G&t:1 G/t:2 G/y:2 P&S:-5 P&U:-2 P&c:-1 P&g:-2 P&l:-3 P&o:-1 P&p:-5 P&q:-2 P&t:1
P&x:-6 P|$:4 P|,:-1 S&c:4 S&l:-3 S&m:-3 S&n:-2 S&o:-3 S&r:-2 S&s:-3 S&t:-2 S&x:3 S&y:2 T&l:2 T&o:1 T|_:5
U&c:9 U&g:9 U&k:9 U&l:5 U&m:2 U&n:-2 U&o:-1 U&q:-2 U&s:-7 U&t:4 U&x:9 U&y:-1 U|$:3 U|_:3 ^|_:-1 ^|b:4
^|s:2 ^|x:-3 _|$:-3 _|,:-4 _|.:-1 _|C:-3 _|E:1 _|_:2 _|e:2 _|f:2 _|o:-1 _|q:-3 _|s:4 _|t:5 _|x:-6 a|$:3
a|,:1 a|_:-1 a|f:-4 b|$:-8 b|,:1 b|.:2 b|_:5 b|a:2 b|f:-4 b|j:3 b|x:-2 c&g:10 c&i:1 c&k:10 c&l:4 c&n:2
c&o:1 c&p:14 c&q:-1 c&r:5 c&s:1 c&t:-4 c&x:-29 c&y:-2 c&z:5 c/t:1 c/y:1 clock:-34 clock<_:-8 clock<b:-7
clock<q:-8 clock<s:-4 clock>$:-13 clock>_:-10 clock>f:-4 c|$:-6 c|,:-2 c|f:2 c|q:-2 c|s:2 d&m:2 d&o:-4
d&x:-1 digits3:13 digits4:-3 digits5:-23 digits6:25 digits7:-4 digits8:-3 e|$:1 e|,:3 e|_:-3 fault:-2
g&l:-1 g&n:-4 g&o:19 g&q:-1 g&t:7 g&x:4 g|$:-6 g|,:-9 h&m:5 h&q:3 h&s:10 h&x:2 hyphens0:-3 hyphens1:-2
hyphens2:8 h|$:4 i&o:1 i&p:-4 i&s:6 i&t:4 i&x:-6 j|$:3 k&o:1 k&q:-1 k&t:-1 k&x:10 key:4 l&o:-5 l&q:1
l&r:-4 l&s:-7 l&t:14 l&x:-17 l&y:10 l&z:3 l/t:2 l/y:2 l|$:10 l|,:6 l|_:-4 l|b:-12 l|e:-13 l|t:3 m&q:3
m&s:6 m&t:-1 m&x:-2 m|$:-4 m|_:3 n&o:6 n&p:10 n&q:1 n&s:3 n&t:13 n&x:2 number:3 n|$:-5 o&q:-3 o&r:-3 o&s:3
o&t:8 o&x:-1 o&y:8 other:-29 o|$:-3 p&q:2 p&s:-7 p&t:4 p&x:-5 p|$:4 q&r:-3 q&s:2 q&t:2 q&x:-3 q&y:-4
q|$:-12 q|_:-2 r&y:6 round:-31 round<C:-1 round<_:-6 round<s:-4 round<t:-10 round>$:-4 round>_:-13
round>x:-2 r|$:-7 r|,:-7 r|_:-3 s&t:10 s&x:-12 spaces:13 s|$:10 s|,:4 s|E:1 s|_:-6 s|j:3 s|t:1 s|x:-3
t&x:-1 t&y:10 t|$:8 t|,:2 t|_:1 t|e:6 t|f:-1 t|w:-3 t|x:-1 unit:-12 v|$:-1 v|,:-5 v|_:-5 v|x:-1 w+C:2
w+E:10 w+G:3 w+P:-11 w+S:8 w+U:3 w+c:2 w+d:-1 w+l:-2 w+n:-2 w+p:2 w+q:-3 w+s:8 w+t:3 w+x:-7 w+y:-1 w,|$:3
w,|,:-2 w-:-14 w-C:7 w-E:-1 w-G:4 w-P:4 w-S:24 w-U:5 w-c:-13 w-d:-8 w-g:7 w-h:-2 w-i:1 w-l:4 w-m:7 w-n:5
w-o:11 w-p:1 w-q:-2 w-r:-5 w-s:9 w-t:-2 w-x:-20 w-y:-1 w.:-11 w/|$:-2 w/|_:-4 w0<,:-3 w0</:-4 w0<0:-4
w0<::-6 w0<P:13 w0<S:9 w0<U:-3 w0<^:-8 w0<_:1 w0<a:-17 w0<b:-5 w0<c:1 w0<d:-2 w0<f:1 w0<n:-1 w0<o:8
w0<t:-2 w0<v:6 w0<w:-1 w0<x:-3 w0>$:-4 w0>,:-18 w0>.:-2 w0>/:1 w0>0:-9 w0>::-7 w0>E:-2 w0>P:-6 w0>U:2
w0>_:7 w0>a:2 w0>b:5 w0>e:-8 w0>f:10 w0>j:3 w0>l:-1 w0>o:2 w0>q:-1 w0>t:4 w0>w:3 w0>x:-1 w0|$:-4 w1<,:2
w1<.:-2 w1<0:-10 w1<::-8 w1<E:-1 w1<P:3 w1<S:4 w1<U:1 w1<^:-2 w1<_:-1 w1<a:-7 w1<b:-8 w1<c:-5 w1<d:-2
w1<e:4 w1<f:-2 w1<m:8 w1<n:6 w1<o:5 w1<p:-1 w1<t:-4 w1<v:-1 w1<w:-3 w1<x:-5 w1<y:-1 w1>$:1 w1>,:-2 w1>.:-7
w1>0:-12 w1>::-5 w1>E:3 w1>P:-6 w1>S:1 w1>U:-1 w1>_:4 w1>a:1 w1>b:6 w1>c:2 w1>o:1 w1>q:-1 w1>w:-1 w1>x:-1
w2</:-2 w2<0:-6 w2<::-7 w2<?:12 w2<C:3 w2<S:2 w2<U:6 w2<^:-12 w2<_:-12 w2<b:-10 w2<c:-4 w2<e:1 w2<n:1
w2<q:-2 w2<s:10 w2<t:7 w2<v:-2 w2<w:7 w2<x:-11 w2<y:-4 w2>$:8 w2>,:3 w2>.:1 w2>0:-15 w2>::-7 w2>C:1 w2>E:3
w2>P:-7 w2>S:3 w2>_:-18 w2>a:14 w2>b:-1 w2>c:-4 w2>f:-1 w2>q:-1 w2>t:5 w2>x:1 w:|$:-15 w:|,:-3 w:|/:-3
w:|0:-6 w:|::-1 w:|_:3 w:|f:6 w<,U:-5 w<0/:-2 w<00:-1 w<0S:-5 w<:0:-3 w<:S:-5 w<:_:1 w<P,:6 w<P::-5 w<Pe:3
w<S_:-7 w<Sb:1 w<Se:-4 w<St:2 w<Sw:1 w<^S:9 w<^U:3 w<^^:-12 w<^_:-2 w<^x:-3 w<_,:-5 w<_/:3 w<_::-5 w<_?:7
w<_P:-2 w<_S:-5 w<_U:2 w<__:3 w<_b:-5 w<_e:-7 w<_s:8 w<_x:-2 w<a_:-5 w<ax:-1 w<bb:-4 w<c::-2 w<cx:-1
w<d::-2 w<ow:4 w<pw:-1 w<t/:-2 w<t::-2 w<vx:-1 w<wx:-1 w<x::-1 w<xb:-2 w<xc:-1 w<y::-1 w=E:-1 w=P:-3 w=S:1
w=d:-1 w=t:-3 w=x:-1 w>$$:-4 w>,$:-3 w>,P:-4 w>,_:-1 w>,c:-2 w>.$:-2 w>/P:-1 w>/_:3 w>0$:-3 w>00:-1
w>:0:-1 w>:_:-3 w>E_:-1 w>U_:4 w>_$:9 w>_.:-3 w>_::-2 w>_S:-1 w>__:5 w>_a:2 w>b_:-1 w>ea:-5 w>fS:2 w>fa:7
w>j$:3 w>o_:2 w>qx:-1 w>tE:4 w>wc:4 w?|_:9 wC&P:4 wC&S:12 wC&o:2 wC&x:-1 wC|_:3 wE&P:-2 wE&c:2 wE&q:-1
wE&s:14 wE&t:4 wE&x:1 wG&P:1 wG&S:5 wG&U:5 wP&S:-3 wP&U:2 wP&c:-1 wP&d:-2 wP&g:9 wP&o:-4 wP&p:-3 wP&q:-2
wP&x:-7 wP&y:-4 wP|$:3 wP|w:-1 wS&U:5 wS&c:-1 wS&i:2 wS&o:8 wS&p:7 wS&q:-3 wS&s:6 wS&t:3 wS&x:-4 wS|$:-5
wS|_:15 wU&c:-1 wU&o:3 wU&q:-1 wU&s:1 wU&x:1 wU&y:-1 wU|$:-1 wU|_:3 wU|f:3 w^|$:-6 w^|,:-1 w^|/:-1 w^|::-1
w^|_:-1 w_:3 w_|,:-2 w_|0:-1 w_|U:-4 w_|_:-10 w_|x:-1 wboth:8 wb|$:3 wb|,:-4 wb|_:-5 wb|e:-4 wc&o:-2
wc&q:1 wc&s:4 wc&t:-2 wc&x:-4 wc&y:-2 wcode:-12 wc|_:-3 wc|q:-1 wd&t:-3 wd&x:-1 wdigits1:1 wdigits2:23
wdigits3:3 wdigits5:-16 wdigits6:-5 wdigits7:-4 wdigits8:-4 wdigits9:-15 we|$:4 wfirst:7 wg&q:-1 wl&q:-1
wl&x:-1 wlast:-3 wlong2:-14 wlong3:-4 wlong4:12 wlong5:8 wlong6:-18 wlow:-12 wm&q:2 wm&x:-1 wmark:9
wn&x:-5 wo&x:3 wo&y:6 wother:-8 wp&x:5 wq&x:-3 wq&y:-1 wruns2:-9 wruns3:3 wruns4:-10 ws&t:4 ws&x:1 ws|$:3
ws|t:5 wt&x:1 wt|j:2 wup:-12 wword:-16 ww|$:3 ww|_:1 wx&y:4 wx|$:-2 wx|,:-2 wx|.:-2 wx|_:-4 wx|b:-1
wx|o:-1 w|$:8 w|,:6 w|_:2 w|e:3 w|o:4 w~P:4 w~t:-2 x&y:2 x|$:-4 x|,:-4 x|.:-1 x|_:-8 x|b:-1 x|e:-2 x|f:4
x|s:-1 x|v:-1 year:-33 year<,:2 year<::-1 year<_:-15 year<a:-1 year<b:4 year<c:5 year<f:-2 year<q:-9
year<t:-5 year<v:-6 year<x:-1 year>$:-13 year>,:-3 year>_:-16 year>e:1 year>q:3 year>x:-2 z|$:2 ~E:-7 ~U:2
~c:-2 ~l:6 ~x:1
"""
_WEIGHTS = {clue: int(weight) for clue, _, weight in (one.rpartition(":") for one in _WEIGHED.split())}
"""How much each clue says for a secret, in twentieths of a logit, fitted to the corpora in view by
`python -m benchmarks.secrets_fit`: what stands next to the value (`0<l`: three words before it, a lock), what
anywhere in its sentence (`-x`, `+t`), in the sentences beside it (`=c`, `~c`), and two together (`l&o`)."""

_ENOUGH = 0


def clues(text: str) -> list[tuple[int, int, set[str]]]:
    """The values in `text` that only their sentence can tell, and what says something about each."""
    foreign = _foreign(text)
    if not _UNSEEN.isdisjoint(foreign):
        return []
    plain, folded, raw, words = _read_as(text, foreign)
    taken = _Taken(len(text))
    for one in (*_shapes(plain, folded, raw, words), *_labelled(plain, folded, raw, words, taken)):
        taken.take(one)
    folded = taken.blanked(folded)
    return [
        (start, end, _clues(plain, folded, start, end))
        for start, end in _told_values(plain, folded, raw, taken)
    ]


def _told(text: str, folded: str, raw: bytes, taken: _Taken) -> Iterator[Finding]:
    """Values that no label stands beside, and that their sentence gives away."""
    folded = taken.blanked(folded)
    for start, end in _told_values(text, folded, raw, taken):
        found = _clues(text, folded, start, end)
        if sum(_WEIGHTS.get(clue, 0) for clue in found) > _ENOUGH:
            kind = _kind_told(text[start:end], found)
            yield Finding(start, end, kind, _NAMES.get(kind, kind))


def _kind_told(value: str, clues: set[str]) -> str:
    """What a value is that its sentence gives away."""
    near = {clue[-1] for clue in clues if len(clue.lstrip("w")) == 2}
    short = value.isupper() and len(value) < 9
    if "number" not in clues and not short:
        return "password"
    if near & set("lgkB") or sum(map(str.isdigit, value)) < 5:
        return "pin"
    return "otp"


_DIGIT_WORDS = """
    zero oh one two three four five six seven eight nine null eins zwei zwo drei vier funf sechs sieben
    acht neun deux trois
    quatre cinq sept huit neuf cero uno dos tres cuatro cinco seis siete ocho nueve um dois quatro sete
    oito nove due tre
    quattro cinque sei sette otto nove un
""".split()
_SPELT = frozenset(
    word.encode()
    for word in _DIGIT_WORDS
    if word not in ("un", "um", "uno", "one", "oh", "null", "sei", "due", "dos")
)
_DIGITS_SPELT = frozenset(word.encode() for word in _DIGIT_WORDS)
_FEWEST_SPELT = 3
"""Digits in words make a code from four on."""
_ONE_DIGIT = f"(?:(?:double |doppel |doble |doppio )?(?:{'|'.join(_DIGIT_WORDS)}))"
_DIGIT_RUN = re.compile(rf"(?<![a-z-]){_ONE_DIGIT}(?:(?:, ?|-| ){_ONE_DIGIT}){{3,9}}(?![a-z-])")


def _spelt_out(folded: str) -> Iterator[Finding]:
    """Digits in words, near a word for a code: `my pin is four two one nine`."""
    for match in _DIGIT_RUN.finditer(folded):
        near = folded[max(0, match.start() - 60) : match.end() + 30]
        if any(part in "cPl" for part in _parts(near, 0, len(near))):
            kind = "pin" if len(re.findall("[a-z]+", match.group())) < 6 else "otp"
            yield Finding(*match.span(), kind, _NAMES[kind])


_CARRIED = (
    "suitcase",
    "luggage",
    "lock",
    "koffer",
    "schloss",
    "valise",
    "cadenas",
    "malet",
    "candado",
    "mala",
    "cadeado",
    "valigia",
    "lucchetto",
)
_THREE = re.compile(
    r"(?<![a-z])(?:suitcase|luggage|(?:pad|bike |suitcase |luggage )lock|koffer(?:schloss)?|(?:zahlen"
    r"|fahrrad|vorhange)schloss"
    r"|valise|cadenas|maleta|candado|mala|cadeado|valigia|lucchetto)(?:(?:[ \t][a-z']{1,12}){0,4}"
    r"[ \t](?:with|to|is|mit|ist|hat|hat die|avec|c'est|c|est|con|es|com|e))?:?[ \t](?P<value>\d{3})(?![\w%$]"
    r"|[.,:/-]\d)"
)


def _padlocks(folded: str) -> Iterator[Finding]:
    """The three digits of a padlock or a suitcase."""
    for match in _THREE.finditer(folded):
        if not _UNIT.match(folded, match.end()):
            yield Finding(*match.span("value"), "pin", _NAMES["pin"])


_OF_DIGITS = frozenset(("pin", "otp", "password"))


def _is_other(folded: str, start: int, end: int) -> bool:
    """Whether a number beside a label is one of something else: `the code of the product is 482913`."""
    value = folded[start:end]
    if not value[value[:1].isalpha() :].isdigit():
        return False
    if _FAULT.search(folded, max(0, start - 80), start):
        return True
    if _ROUND.search(value) and _IN_YEAR.search(folded, max(0, start - 10), start):
        return True
    before, after = _row(folded, start, end)
    row = f"{re.split('[./?]', before)[-1]}N{re.split('[./?]', after)[0]}".replace(":", "b")
    return _OTHER_ROW.search(row) is not None


_IN_YEAR = re.compile(r"(?<![a-z])(?:in|en|em|im|seit|depuis|since|from|desde|dal|del)[ \t]\Z")
_OTHER_ROW = re.compile(
    r"(?:x[vwa_]{0,2}[cP]|[cP][vwa]{0,2}x)[^,cP]*N"  # the code of the product is N
    r"|x[bja]{0,2}N|N[vwa]{0,2}x|r[0_]?N|(?<![tT])qa?N"  # line N; room N; until N
)


# ---------------------------------------------------------------- labels put together

_NAMES = {
    "wifi": "wifi password",
    "pin": "PIN",
    "otp": "one-time code",
    "backup_code": "backup code",
    "card_code": "card code",
    "seed_phrase": "seed phrase",
}
_LOGIN_BEFORE = re.compile(
    r"(?:user(?:name)?|login|e-?mail|benutzer(?:name)?|usuario|utente|utilisateur|identifiant|nome"
    r"|nom)\s{0,2}"
    r"(?:/|\||&|,|und|and|et|y|e)\s{0,2}\Z"
)
_HINT = re.compile(r"[0-9@#$%&*+=_!~^\"'`]")
_IS = frozenset(
    "is are was as ist war sind als est c'est comme es era son sera como e e' sao come sono de di - = <- "
    "that's it's it".split()
)
_THAT = frozenset("that this it das dies ca eso esa isso essa esse questa questo quella".split())
_AIM = re.compile(r" (?:to|zum|um|pour|para|pra|per) ")
_TO_PROVE = re.compile(
    r"(?P<use>[a-z]{3,12})(?:[ \t]+[a-z]{1,10}){0,3}[ \t]+"
    r"(?P<value>[a-z]{0,2}-?\d{3}[ -]?\d{2,5}|\S{6,64})[\"'`]?"
    r"(?:[ \t]+[a-z]{1,12}){0,2},?[ \t]+(?:to|zum|um|pour|para|pra|per)(?:[ \t]+[a-z]{1,12}){0,4}[ \t]*\Z"
)
_JOINED = frozenset(
    """
    and und et y or oder ou user username name benutzer utente usuario utilisateur where when that which
    not nicht only nur
    """.split()
)


def _labelled(text: str, folded: str, raw: bytes, words: list[bytes], taken: _Taken) -> Iterator[Finding]:
    """What the words around it give away."""
    yield from _commands(text, words)
    if "@" in text:
        yield from _address_and_password(text)
    if "@tcp(" in text or "@unix(" in text:
        for match in _SOURCE_NAME.finditer(text):
            if not _is_placeholder(match["value"]):
                yield Finding(*match.span("value"), "url_credentials", "URL credentials")
    if '")' in text or "')" in text:
        yield from _calls_of_two(text, folded)
    reached = 0
    for label in _labels(text, folded, raw, words):
        if label.start < reached or not taken.free(label.start, label.end):
            continue
        if label.name == "cookie":
            yield from _cookies(text, label)
            reached = _end_of_line(text, label)
        elif label.name in ("header", "bearer"):
            yield from _header(text, label)
        elif given := _assigned(text, label):
            yield given
        elif not _is_code(text, label):
            spans, kind = _said(_Around(text, folded, label))
            for start, end in spans:
                if kind in _OF_DIGITS and len(spans) == 1 and _is_other(folded, start, end):
                    continue
                yield Finding(start, end, kind, _NAMES.get(kind, kind))


_FROM_TO = re.compile(
    r"(?:[ \t]+[a-z'-]{1,15}){1,4}?[ \t]+(?:from|von|de|del|da|dal|do)[ \t]+(?P<old>\d{4,8})"
    r"[ \t]+(?:to|auf|a|para|in)[ \t]+(?P<new>\d{4,8})(?![\w%])"
)
"""`The code was changed from 1290 to 6734`."""


def _said(around: _Around) -> _Read:
    """A value that is said in prose; without a digit or a mark near its label only words can be one."""
    label = around.label
    if not _HINT.search(around.folded, max(0, label.start - 90), label.end + 130):
        if label.name in ("passphrase", "seed"):
            read = _forward(around)
        else:
            read = _linked(around) if label.name in ("password", "pw", "pass") else _NONE
            read = read if read[0] or label.name not in _OF_WORDS else _aside(around)
        return read if read[0] or label.name not in _OF_WORDS else _phrased(around)
    if label.name in ("proof", "login", "wifi"):
        return _proof(around)
    if label.name in ("pin", "code", "passcode") and (match := _FROM_TO.match(around.folded, label.end)):
        near = [*around.before(4), *_LETTER_WORDS.findall(match.group())]
        if around.ends(match.end()) and (label.name != "code" or _any(_LOCK, near)):
            return [match.span("old"), match.span("new")], "pin"
    read = _forward(around)
    if not read[0]:
        read = _backward(around)
    return read if read[0] or label.name not in _OF_WORDS else _phrased(around)


_CALL_OF_TWO = re.compile(
    r"(?:log_?in|auth|authenticate|credentials?"
    r"|sign_?in)\w{0,20}[ \t]{0,2}[=:(][ \t]{0,2}\(?[\"'][^\"'\n]{1,60}[\"'],[ \t]{0,2}"
    r"[\"'](?P<value>[^\s\"'\uffff]{6,100})[\"']\)"
)
"""A name and a password in a call: `auth=("bob", "S3cret!pass")`."""


def _calls_of_two(text: str, folded: str) -> Iterator[Finding]:
    for match in _CALL_OF_TWO.finditer(folded):
        value = text[slice(*match.span("value"))]
        if _looks(value) == _STRONG and (_DIGIT.search(value) or _INNER_MARK.search(value)):
            yield Finding(*match.span("value"), "login", "login")


def _address_and_password(text: str) -> Iterator[Finding]:
    """An e-mail address, a slash or bar, and what can only be its password."""
    place = text.find("@")
    while place >= 0:
        match = _PASSWORD_OF.match(text, place)
        if match and _is_mixed(value := match["value"].rstrip(".,;:?!)")):
            yield Finding(match.start("value"), match.start("value") + len(value), "login", "login")
        place = text.find("@", place + 1)


_SOURCE_NAME = re.compile(r"(?<![\w.-])[\w.-]{1,60}:(?P<value>[^\s:@/]{4,100})@(?:tcp|unix)\(")
"""A name and a password before an address, as drivers of databases write it."""

_PASSWORD_OF = re.compile(
    r"@[\w-]{1,40}(?:\.[\w-]{2,20}){1,3}(?:[ \t]{1,2}[/|:][ \t]{1,2}|:)(?P<value>[^\s\"'\uffff]{6,64})"
)


def _is_code(text: str, label: _Label) -> bool:
    """Whether a label is a part of a name in code, which has no value but the one it is assigned."""
    before, after = text[label.start - 1 : label.start], text[label.end : label.end + 2]
    inner = before.islower() and text[label.start].isupper()
    return (
        inner
        or before in ("_", "$", "@", ".")
        or (before == "(" and text[max(0, label.start - 2)].isalnum())
        or after[:1] in ("_", "(", "[")
        or (after[:1] == "." and after[1:].isalpha())
    )


_COLON_NAME = re.compile(
    r"(?:[ \t]+[a-z'-]{1,20}){0,3}[ \t]*(?:(?::|=|->|with|mit|con|com|avec)[ \t]{1,3}|\()[\w.@+-]{2,60}"
    r"(?:[ \t]+(?:[|/][ \t]+|(?:and|und|et|y|e)[ \t]+)?|/)(?=\S)"
)
"""`credentials: bob S3cret!pass`, `login (bob/S3cret!pass)`."""


def _proof(around: _Around) -> _Read:
    """`Enter 771590 to confirm`; and `sign in with bob / S3cret!pass`."""
    folded, label = around.folded, around.label
    pair = _PAIR.match(folded, label.end)
    spans = _read_login(around, pair, colon=pair["colon"] is not None) if pair else []
    if spans or label.name == "wifi":
        return spans or _read_wifi(around), "wifi" if label.name == "wifi" else "login"
    named = _COLON_NAME.match(folded, label.end)
    span = around.bare(named.end()) if named else None
    if span and _is_mixed(value := around.text[slice(*span)]) and _INNER_MARK.search(value):
        return [span], "login"
    first = max(0, label.start - 90)
    aimed = _AIM.search(folded, max(0, label.start - 24), label.start) and _DIGIT.search(
        folded, first, label.start
    )
    match = _TO_PROVE.search(folded, first, label.start) if aimed else None
    if not match or match["use"] not in _USING:
        return _NONE
    value = around.text[slice(*match.span("value"))]
    if _DIGITS.fullmatch(value) or _CODE_VALUE.fullmatch(match["value"]):
        return [match.span("value")], "otp"
    return ([match.span("value")], "login") if _is_mixed(value) and _INNER_MARK.search(value) else _NONE


def _read_wifi(around: _Around) -> _Spans:
    """What the Wi-Fi is said to be or was set to, where no name of a network looks like it."""
    link = _LINK.match(around.folded, around.label.end)
    span = (around.quoted(link.end()) or around.bare(link.end())) if link else None
    value = around.text[slice(*span)] if span else ""
    return [span] if span and _is_mixed(value) and re.search(r"[!@#$%^&*+=~?]", value) else []


def _linked(around: _Around) -> _Read:
    """A value that a mark, a form of to be or a preposition links to its label."""
    folded = around.folded
    link = _LINK.match(folded, around.label.end)
    if not link:
        return _NONE
    how = _COLON if link["colon"] else _BE if link["be"] else _WEAK
    if how == _WEAK and not _SAID.isdisjoint(link["gap"].split()):
        return _NONE
    if link["gap"] and link["colon"] in ("=", ":") and not folded[link.end() : link.end() + 1].isspace():
        span = around.bare(link.end())
        if not span or link["gap"].count(" ") > 1 or not _is_mixed(around.text[slice(*span)]):
            return _NONE
    read = _read(around, link.end(), how, _LETTER_WORDS.findall(link["gap"]))
    if (
        link["be"]
        and link["be"].strip() == "e"
        and around.text[link.end("be") - len(link["be"].lstrip())] == "e"
    ):
        return _NONE if any(not _HINT.search(around.folded, *span) for span in read[0]) else read
    return read


def _forward(around: _Around) -> _Read:
    """A value that follows its label: linked to it, beside it, or a few words on."""
    folded, label = around.folded, around.label
    read = _linked(around)
    if read[0]:
        return read
    mentioned = folded[label.start - 1 : label.start] in ('"', "'", "`") and folded[
        label.end : label.end + 1
    ] in ('"', "'", "`")
    if mentioned or label.name == "lock":
        return _NONE
    beside = _BESIDE.match(folded, label.end)
    read = _read(around, beside.end(), _NEXT, []) if beside else _NONE
    if read[0]:
        return read
    apart = _APART.match(folded, label.end) if label.name in _OF_WORDS or label.name in _KEYS else None
    if apart and label.name in _KEYS:
        apart = apart if _is_random(around.text[slice(*apart.span("value"))]) else None
        if apart:
            return [apart.span("value")], "token"
    elif apart and _looks(around.text[slice(*apart.span("value"))]) == _STRONG:
        return [apart.span("value")], "wifi" if _WIFI.search(around.line()) else "password"
    near = _NEAR.match(folded, label.end)
    read = _read_further(around, near) if near else _NONE
    if read[0]:
        return read
    read = _aside(around)
    if read[0]:
        return read
    if label.name == "code" and around.plural() and (listed := _LISTED.match(folded, label.end)):
        spans = _read_backup(around, listed.end())
        if len(spans) > 1 and "\n" in folded[spans[0][1] : spans[1][0]]:
            return spans, "backup_code"
    ahead = folded[label.end : label.end + 70]
    later = _LATER.match(folded, label.end) if any(word in ahead for word in _IT_IS) else None
    return _read_further(around, later) if later else _NONE


_LISTED = re.compile(
    r"[^\n]{0,160}(?:\r?\n[ \t>]{0,8}){1,3}(?:[-*]\s|\d{1,2}[.)]\s)?"
    r"(?=\S{4,24}(?: \d{3,6})?[ \t]*\r?\n)"
)
"""`Here are the backup codes, keep them safe:`, and below it one a line."""

_BELOW = re.compile(
    r"(?P<gap>(?:[ \t]+[a-z'-]{1,15}){0,4})[ \t]*[.:,!]?[ \t]*\r?\n\s{0,8}(?=\S{0,40}\d)"
    r"(?=\S{4,64}[ \t]*(?:\r?\n|\Z))"
)


def _aside(around: _Around) -> _Read:
    """A value behind a colon, a remark between: `the password, for you: ...`; or on its own line."""
    match = _ASIDE.match(around.folded, around.label.end) or _BELOW.match(around.folded, around.label.end)
    return _read(around, match.end(), _COLON, _LETTER_WORDS.findall(match["gap"])) if match else _NONE


def _read_further(around: _Around, match: re.Match[str]) -> _Read:
    """A value that stands a few words behind its label, linked by nothing: it has to be the clearer."""
    gap = _LETTER_WORDS.findall(match.group())
    if match.re is _NEAR and not match["only"] and (not gap or gap[-1] in _ACCOUNTS):
        return _NONE
    spans, kind = _read(around, match.end(), _NEXT, gap)
    last = around.text[spans[-1][0] : spans[-1][1]] if spans else ""
    if kind in ("pin", "otp"):
        sure = len(last) > 5 or _any(_LOCK, gap) or (spans and _END.match(around.folded, spans[-1][1]))
        return (spans, kind) if sure else _NONE
    typed = kind == "password" and not _TRYING.isdisjoint(gap[-1:])
    given = (typed or _any(_SORT_OF_PASSWORD, gap[-1:])) and _DIGIT.search(last) and _looks(last) == _STRONG
    strong = len(last) > 7 and _looks(last) == _STRONG and _DIGIT.search(last)
    if spans and len(gap) < 4 and (kind == "backup_code" or (kind == "wifi" and strong)):
        return spans, kind
    grouped = _KEY_GROUPS.fullmatch(last) is not None
    return (spans, kind) if " " in last or given or grouped or _is_mixed(last) else _NONE


_KEY_GROUPS = re.compile(r"(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){2,7}")
"""A key in groups, as it is printed: `XK92-LP0M-77QA`."""

_SORT_OF_PASSWORD = (*_OTHER_ONE, *"init inic iniz prov temp standard default padrao master erst".split())
"""How words begin that tell which password it is, and come after the word in some languages."""
_DIGITAL = frozenset("pin otp code card_code combination padlock door lock key token secret".split())
"""Labels of values that have a digit."""


def _read(around: _Around, place: int, how: int, gap: list[str]) -> _Read:
    """The spans of the values that begin at `place`, and their kind."""
    opened = _OPEN.match(around.folded, place)
    at, name = opened.end() if opened else len(around.text), around.label.name
    if name in _DIGITAL and not _DIGIT.search(around.folded, at, at + 40):
        return _read_key_kind(around, at, how, gap) if name in ("key", "token") and how == _COLON else _NONE
    if name in ("password", "pw", "pass", "passcode"):
        return _read_password_kind(around, at, how, gap)
    if name == "passphrase":
        spans = _read_phrase(around, at, how)
        if spans and " " not in around.text[spans[0][0] : spans[0][1]]:
            return spans, "wifi" if _WIFI.search(around.line()) else "passphrase"
        return spans, "passphrase"
    if name == "seed":
        spans = _read_phrase(around, at, how)
        return (spans, "seed_phrase") if spans and len(around.text[slice(*spans[0])].split()) >= 12 else _NONE
    if name in ("pin", "otp"):
        spans = _read_digits(around, at, how)
        if name == "pin" and _WIRED.search(around.folded, max(0, around.label.start - 60), at + 60):
            return _NONE
        if not spans and name == "pin" and how in (_COLON, _BE):
            short = _read_short(around, at)
            spans = short if short and _END.match(around.folded, short[0][1]) else []
        postal = spans and spans[0][1] - spans[0][0] == 6 and _ADDRESS.search(around.folded)
        return _more(around, [] if name == "pin" and postal else spans), name
    if name == "lock":
        spans = _read_digits(around, at, how) if not gap and how in (_COLON, _BE) else []
        return (spans, "pin") if spans and _END.match(around.folded, spans[-1][1]) else _NONE
    if name == "door":
        spans = _read_digits(around, at, how) if not gap and how in (_BE, _NEXT) else []
        if how == _NEXT and spans and "#" not in around.text[slice(*spans[0])]:
            return _NONE
        return (spans, "pin") if spans and _GOES_ON.match(around.folded, spans[-1][1]) else _NONE
    if name == "padlock":
        spans = _read_digits(around, at, how) or _read_short(around, at)
        word = around.folded[around.label.start : around.label.end]
        sure = how in (_COLON, _BE) or (word != "lock" and spans and _END.match(around.folded, spans[0][1]))
        return (spans, "pin") if sure else _NONE
    if name == "combination":
        linked = how in (_COLON, _BE)
        spans = _read_digits(around, at, how)
        if not spans and _any(_PADLOCK, gap):
            return _read_short(around, at), "pin"
        parted = spans and not around.text[slice(*spans[0])].isdigit()
        if not linked and not parted and not _any(_LOCK, [*_LETTER_WORDS.findall(around.line()), *gap]):
            return _NONE
        return spans or (_read_short(around, at) if linked else []), "pin"
    if name == "card_code":
        if around.folded.startswith("crypto ", around.label.start) and not _CARD_SIDE.search(around.line()):
            return _NONE
        return _read_short(around, at), "card_code"
    if name == "code":
        return _read_code(around, at, how, gap)
    return _read_key_kind(around, at, how, gap)


_ADDRESS = re.compile(
    r"\b(?:road|street|nagar|marg|india|mumbai|delhi|bengaluru|bangalore|chennai|kolkata|pune|hyderabad"
    r"|postal)\b"
)
"""In India a PIN is a postal code of six digits."""


def _read_password_kind(around: _Around, at: int, how: int, gap: list[str]) -> _Read:
    folded, label = around.folded, around.label
    if how == _COLON and _LOGIN_BEFORE.search(folded, max(0, label.start - 24), label.start):
        spans = _read_login(around, _AFTER_NAME.match(folded, at), colon=True)
        if spans:
            return spans, "login"
    spans = _read_password(around, at, how)
    near = [*around.before(4), *gap]
    if not spans and gap and how != _WEAK and _any(_LOCK, near):
        spans = _read_digits(around, at, how)
    first = around.text[spans[0][0] : spans[0][1]] if spans else ""
    if not spans or " " in first:
        return spans, "passphrase"
    line = f"{around.line()} {' '.join(gap)}"
    if first.isdigit() and _ONCE.search(line):
        return spans, "otp"
    if first.isdigit() and (label.name == "passcode" or _any(_LOCK, near)):
        return spans, "pin"
    return _more(around, spans), "wifi" if _WIFI.search(line) else "password"


def _code_kind(around: _Around, gap: list[str]) -> str:
    """What a word for code means here, by the words beside it: a kind, or nothing for other numbers."""
    before = around.before(4)
    near = [*before, *gap]
    if _any(_NEGATIVE, [*before[-2:], *gap[:3]]):
        return ""
    if _any(_BACKUP, near):
        return "backup_code"
    if _WIFI.search(" ".join(near)):
        return "wifi"
    if any(word.startswith(("verif", "bestatig", "confirm")) for word in near):
        return "otp"
    return "pin" if _any(_LOCK, near) else "otp" if _any(_PROOF, near) else "code"


_CARD_SIDE = re.compile(
    r"\bcar[dt]|\bcb\b|\bkarte|tarjeta|\bback\b|verso|atras|retro|ruckseite|\bdos\b|dietro|visa\b"
)
_NO_CODE_MARKS = dict.fromkeys(map(ord, " -#*."))


def _read_code(around: _Around, at: int, how: int, gap: list[str]) -> _Read:
    plural = around.folded.startswith("codigos", around.label.start)
    kind = "backup_code" if plural and gap[:2] == ["de", "reserva"] else _code_kind(around, gap)
    if kind == "backup_code":
        spans = [] if not around.plural() and _SPACED.match(around.folded, at) else _read_backup(around, at)
        return spans or _read_digits(around, at, how), kind
    if kind == "wifi":
        return _read_password(around, at, how), kind
    if around.folded[around.label.end : around.label.end + 1] == '"' and around.folded[at].isdigit():
        return _NONE
    spans = _read_digits(around, at, how) if kind else []
    if kind == "otp" and not spans and _CARD_SIDE.search(f"{around.line()} {' '.join(gap)}"):
        return _read_short(around, at), "card_code"
    if kind == "pin" and not spans and how in (_COLON, _BE, _NEXT):
        short = _read_short(around, at)
        padlock = _any(_PADLOCK, [*around.before(4), *gap])
        ends = how != _NEXT and short and _END.match(around.folded, short[0][1])
        return (short if padlock or ends else []), kind
    if kind == "code" and not spans and how == _COLON and _WIFI.search(around.line()):
        return _read_password(around, at, how), "wifi"
    if kind != "code":
        return _more(around, spans), kind
    value = around.text[spans[0][0] : spans[0][1]] if spans else ""
    digits = sum(map(str.isdigit, value))
    if not 4 <= digits <= 8 or len(value.translate(_NO_CODE_MARKS)) != digits:
        return _NONE
    words = _LETTER_WORDS.findall(around.line() + around.folded[spans[0][1] : spans[0][1] + 60])
    lock = _any(_LOCK, words)
    proof = _any(_PROOF, words) or not _USING.isdisjoint(around.before(2))
    ends = _END.match(around.folded, spans[0][1]) is not None
    if how == _NEXT and not (ends and digits > 5) and not ((lock or proof) and (ends or digits > 5)):
        return _NONE
    return spans, "pin" if lock or digits == 4 else "otp"


def _read_key_kind(around: _Around, at: int, how: int, gap: list[str]) -> _Read:
    label = around.label
    word = around.folded[label.start : label.end]
    if label.name == "key":
        if word == "psk" or _WIFI.search(f"{around.line()} {' '.join(gap)}"):
            return _read_password(around, at, how), "wifi"
        if word != "apikey" and not _any(_KEY_OF, [*around.before(3), *gap[:3]]):
            return _NONE
    spans = _read_key(around, at, how)
    if label.name == "secret" and how not in (_COLON, _BE) and spans and spans[0][1] - spans[0][0] < 16:
        return _NONE
    return spans, "token"


_KEYS = frozenset(("token", "key", "secret"))


def _is_random(value: str) -> bool:
    """Whether nobody made this up: letters and digits mixed, long, or in groups."""
    return _looks(value) == _STRONG and (
        _RANDOM.fullmatch(value) is not None or _KEY_GROUPS.fullmatch(value) is not None
    )


def _backward(around: _Around) -> _Read:
    """A value that its label follows: `551290 is your login code`, `Mochuelo_Torre1 as password`."""
    folded, label = around.folded, around.label
    if label.name in _KEYS:
        span, gap = _before_is(folded, label.start)
        sure = label.name != "key" or _any(_KEY_OF, [*gap, *around.before(2)])
        return ([span], "token") if sure and _is_random(around.text[slice(*span)]) else _NONE
    if label.name not in ("password", "pw", "pass", "passcode", "pin", "otp", "code"):
        return _NONE
    if _DIGIT.search(folded, max(0, label.start - 90), label.start):
        spans = _typed(around)
        if spans:
            return spans, "password"
    word = _WORD_HEAD.search(folded, max(0, label.start - 40), label.start)
    span, gap = _before_is(folded, word.start() if word else label.start)
    value = around.text[slice(*span)]
    digits = sum(map(str.isdigit, value))
    if label.name in ("pin", "otp", "code"):
        number = _DIGITS.fullmatch(folded, *span) or (
            len(value) > 4 and _CODE_VALUE.fullmatch(folded, *span) and _looks(value) == _STRONG
        )
        after = re.split(r"[.,;:!?\n]", folded[label.end : label.end + 40], maxsplit=1)[0] if number else ""
        kind = label.name if label.name != "code" else _code_kind(around, _LETTER_WORDS.findall(after)[:4])
        if not number or not kind or digits < 4 or (kind == "code" and digits > 8):
            return _NONE
        return [span], ("otp" if digits > 4 else "pin") if kind == "code" else kind
    if value.isdigit():
        once = _ONCE.search(" ".join(gap)) is not None
        kind = "otp" if once else "pin" if label.name == "passcode" else "password"
        return ([span], kind) if digits > 3 else _NONE
    if _looks(value) != _STRONG or not (digits or _INNER_MARK.search(value)):
        return _NONE
    return [span], "wifi" if _WIFI.search(folded, max(0, span[0] - 60), label.start) else "password"


_OF_WORDS = frozenset(("password", "passphrase", "pw"))
"""Labels of values that may be several words."""

_CHOSEN = (
    r"(?:habe? ich|ich habe?|used?|uses|using|chose|chosen|choose|picked|set|is|es|ist|son|sao|sono"
    r"|nehme|nimm|nutze|verwende|benutze|pus|puse|he puesto|elegi|usei|uso|usa|usamos|escolhi|botei"
    r"|coloquei|meti"
    r"|ho messo|ho scelto|ho usato|ha messo|mis|choisi|utilise|avec|with|mit|con|com|scegli|imposta|pon|poe)"
)
_WORDS_AS = re.compile(
    rf"(?<![a-z]){_CHOSEN}[ \t]+(?P<value>[a-z]{{2,20}}(?:[ -][a-z]{{1,20}}){{3,7}})"
    r"[ \t]+(?:as|als|como|come|comme|per|para|pour|por|for|fur)(?:[ \t]+[a-z]{1,10}){0,3}[ \t]*\Z"
)
_WORDS_QUOTED = re.compile(
    r"[\"`](?P<value>[^\"`\n\uffff]{8,90})[\"`],?[ \t]+"
    r"(?:as|als|como|come|comme|per|para|pour|por|for|fur|is|ist|es|e|c'est|est"
    r"|=)(?:[ \t]+[a-z]{1,12}){0,3}[ \t]*\Z"
)
_WORDS_AFTER = re.compile(rf"(?:[ \t]+[a-z'-]{{1,20}}){{0,3}}?[ \t]+{_CHOSEN}[ \t]+(?=[a-z])")


def _phrased(around: _Around) -> _Read:
    """Several words that were chosen: `I used tulip anchor rain hammer as the passphrase`."""
    folded, label = around.folded, around.label
    first = max(0, label.start - 120)
    match = _WORDS_QUOTED.search(folded, first, label.start) or _WORDS_AS.search(folded, first, label.start)
    if match:
        value = match["value"].strip()
        start = folded.index(value, match.start("value"))
        words = value.split()
        said = match.re is _WORDS_AS and (words[0] in _STOPS - _ARTICLES or words[0] in _SAID)
        plain = said or (match.re is _WORDS_AS and not (_STOPS - _SMALL).isdisjoint(words[1:]))
        fits = len(words) > 2 and not plain and not _is_prose(value) and _SENDS.isdisjoint(words)
        return ([(start, start + len(value))], "passphrase") if fits else _NONE
    after = _WORDS_AFTER.match(folded, label.end) if label.name == "passphrase" else None
    return (_read_phrase(around, after.end(), _BE), "passphrase") if after else _NONE


def _typed(around: _Around) -> _Spans:
    """`type S3cret!pass in the password field`; `it is S3cret!pass, the password`."""
    folded, label = around.folded, around.label
    first = max(0, label.start - 90)
    said = label.name in ("password", "pw", "passcode") and folded[first : label.start].endswith(_THE)
    match = _IS_THE.search(folded, first, label.start) if said else None
    if not match:
        match = _FIELD.search(folded, first, label.start)
        match = match if match and match["verb"] in _TRYING else None
    if not match:
        match = _TRIED.search(folded, first, label.start)
        lead = folded[max(0, match.start() - 40) : match.start()] if match else ""
        match = match if not _TRYING.isdisjoint(_LETTER_WORDS.findall(lead)[-4:]) else None
    start, end = match.span("value") if match else (0, 0)
    end -= folded[start:end].endswith(",")
    value = around.text[start:end]
    last = _LETTER_WORDS.findall(folded, max(0, start - 20), start)[-1:]
    typed = (
        _looks(value) == _STRONG and _DIGIT.search(value) and not (_TRYING - _IS - {"were"}).isdisjoint(last)
    )
    return [(start, end)] if typed or _is_mixed(value) else []


_THE = tuple(f" {word} " for word in "a la le die das the your".split())
_FIELD = re.compile(
    r"(?<![a-z])(?P<verb>[a-z]{1,15}+)(?:[ \t][a-z]{1,10})?[ \t](?P<value>\S{6,64}+)"
    r"[ \t](?:in|into|no|na|nel|nella|dans|en|ins|im|as)(?:[ \t][a-z]{1,12}){0,3}[ \t]\Z"
)
"""`type S3cret!pass in the password field`."""

_TRYING = _USING | frozenset(
    """
    is are was ist est es era e set changed reset put messo metti mettete mis mets mettez choisi puse
    puesto pon pongo
    typing keep entering escribo escrevo scrivo digito tape ecris inserisco introduzco meto
    pus poe ponha coloquei coloque botei bota setze gesetzt
    """.split()
)
_TRIED = re.compile(
    r"(?<=[ \t])(?=\S{0,60}\d)(?P<value>\S{6,64}+)"
    r"(?:,?[ \t][a-z'-]{1,15}){1,7}[ \t]\Z"
)
"""`try S3cret!pass, I think that is the password`."""

_IS_THE = re.compile(
    r"(?<![a-z])(?:is|e|es|ist|c'est)[ \t](?P<value>\S{6,64}+)[ \t](?:a|la|le|die|das|the|your)[ \t]\Z"
)
"""`it is S3cret!pass, the password`, as Portuguese and Spanish say it."""


def _before_is(folded: str, head: int) -> tuple[tuple[int, int], list[str]]:
    """The word before the last form of to be before `head`, if it is near, and the words after that form."""
    first = max(0, head - 90)
    words = folded[first:head].split()
    if words and words[-1].endswith("(") and len(words) > 1:
        words[-1:] = [words[-1][:-1], "="] if len(words[-1]) > 1 else ["="]
    for place in range(len(words) - 1, max(0, len(words) - 7), -1):
        if words[place] in _IS:
            value = place - 1 - (words[place - 1] in _THAT)
            while value > 0 and not words[value].strip("\"'`*-,"):
                value -= 1
            if value < 0 or not _JOINED.isdisjoint(words[place + 1 :]):
                break
            end = folded.rfind(words[place], first, head)
            start = folded.rfind(words[value], first, end)
            end = start + len(words[value].rstrip(",.;:)*\"'`"))
            opened = len(words[value]) - len(words[value].lstrip("(\"'`*"))
            if (
                value
                and words[value][:1].isdigit()
                and words[value - 1].isdigit()
                and len(words[value - 1]) < 5
            ):
                start = folded.rfind(words[value - 1], first, start)
            return (start + opened, end), words[place + 1 :]
        if words[place][-1] == "," and place < len(words) - 1 and _ARTICLES.issuperset(words[place + 1 :]):
            start = folded.rfind(words[place], first, head)
            return (start, start + len(words[place]) - 1), words[place + 1 :]
        if words[place][-1] in '.,;:!?")':
            break
    return (head, head), []
