"""What a person's words plainly say, told without a model: promises, facts about themselves, corrections.

Unsure is not extracted: a question, a condition, a doubt, a joke, a quotation and code say nothing.
"""

# ruff: noqa: E501 - a rule of the tables stands on one line
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from numen.memory.facts import CORRECTION, Fact, facts_in
from numen.memory.moments import Moment, Piece, pieces, settled
from numen.memory.types import LONGEST_SAID, Debtor, Promise

__all__ = ["CORRECTION", "Fact", "Said", "may_say", "said"]

MOST_SENTENCES = 40
"""Sentences of a message that are looked at (ours: more were pasted)."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was found in a message, in the order of the words."""

    facts: tuple[Fact, ...] = ()
    promises: tuple[Promise, ...] = ()


@dataclass(frozen=True, slots=True)
class Trigger:
    """How a promise begins: who owes it, and whether it is one without a time.

    `pattern` names the promise's words `rest`; `dull` are beginnings of them that promise nothing.
    `polite`: it may be asked as a question. `denies`: its own words hold a `not`.
    """

    language: str
    pattern: str
    who: Debtor
    needs_time: bool
    polite: bool = False
    denies: bool = False


def _trigger(language: str, who: Debtor, pattern: str, **more: bool) -> Trigger:
    return Trigger(
        language,
        pattern,
        who,
        more.get("needs_time", False),
        more.get("polite", False),
        more.get("denies", False),
    )


_LEAD = {
    "en": r"(?:(?:please|hey|hi|ok|okay|also|and|so|oh|thanks|sure|yes|yep|great|right|alright|fine)\b[,!]? )*",
    "de": r"(?:(?:bitte|hey|hallo|ok|okay|und|auch|ja|gut|also|danke|klar)\b[,!]? )*",
    "fr": r"(?:(?:s['’]il te plaît|bonjour|salut|ok|et|oui|merci|d['’]accord|bon|alors)\b[,!]? ?)*",
    "es": r"(?:(?:por favor|hola|oye|ok|vale|y|sí|gracias|bueno|claro)\b[,!]? )*",
}

_EN_ME = r"(?:me|us|my|our)"
_NOT_OTHERS = r"(?!(?:i|you|we|it|that|this|there|they|nobody|no one|who|what|which|someone|anyone)\b)"
_EN_WILL = r"(?:will|has agreed to|['’]ll|is going to|are going to|has to|promised(?: me)?(?: to)?|agreed to)"

_TRIGGERS = (
    _trigger("en", Debtor.OWNER, r"(?:(?:can|could|would|will) you )?(?:please )?(?:remind|notify|ping|alert) me (?P<rest>.+)", polite=True),
    _trigger("en", Debtor.OWNER, r"(?:(?:can|could|would) you )?(?:please )?(?:set|add|create|make)(?: me)?(?: up)? (?:a|another) reminder (?P<rest>.+)", polite=True),
    _trigger("en", Debtor.OWNER, r"(?:don['’]t|do not) let me forget (?P<rest>(?:to|about|that) .+)", denies=True),
    _trigger("en", Debtor.OWNER, r"(?:make sure|see to it that) i (?:don['’]t|do not) forget (?P<rest>(?:to|about|that) .+)", denies=True),
    _trigger("en", Debtor.OWNER, r"i (?:promise|swear)(?: you)?,? (?:that )?(?:to |i(?:['’]ll| will) )(?P<rest>.+)"),
    _trigger("en", Debtor.OWNER, r"i(?:['’]ll| will| shall| am going to|['’]m going to|['’]m gonna| have to|['’]ve got to| need to| must) (?P<rest>.+)", needs_time=True),
    _trigger("en", Debtor.ASSISTANT, r"you (?:promised|agreed)(?: me)? (?:to |(?:that )?you(?:['’]d| would) )(?P<rest>.+)"),
    _trigger("en", Debtor.ASSISTANT, r"you (?:told me|said|promised me|promised) (?:that )?you(?:['’]d| would) (?P<rest>.+)"),
    _trigger("en", Debtor.OTHER, r"(?!(?:i|you|we|it|that)\b)(?:[\w'’.-]+ ){0,3}[\w'’.-]+ (?:promised|told|assured) (?:me|us) (?:to |(?:that )?(?:he|she|they)(?:['’]d| would|['’]ll| will) )(?P<rest>.+)", needs_time=True),
    _trigger("en", Debtor.OTHER, rf"{_NOT_OTHERS}(?:[\w'’.-]+ ){{0,3}}?[\w'’.-]+?(?: {_EN_WILL}|['’]ll) (?P<rest>(?!(?:he|she|they|that|me|us)\b)(?=.*\b{_EN_ME}\b).+)", needs_time=True),
    _trigger("de", Debtor.OWNER, r"erinner[en]?(?: sie)? mich(?: bitte)?(?: mal)?(?: noch)?,? (?P<rest>.+)", polite=True),
    _trigger("de", Debtor.OWNER, r"(?:kannst|könntest|würdest|magst) du mich(?: bitte)? (?P<rest>.+?) (?:zu )?erinnern", polite=True),
    _trigger("de", Debtor.OWNER, r"(?:kannst|könntest|würdest) du mich(?: bitte)? (?P<rest>.*?\bdaran) erinnern(?P<tail>, .+)", polite=True),
    _trigger("de", Debtor.OWNER, r"ich verspreche(?: dir| euch| ihnen)?,? (?P<rest>.+)"),
    _trigger("de", Debtor.OWNER, r"ich (?P<rest>(?:melde|schicke|sende|bringe|liefere|erledige|bezahle|zahle|überweise|rufe|gebe|mache|schreibe|kümmere|reiche|hole|lade|repariere)\b.+)", needs_time=True),
    _trigger("de", Debtor.OWNER, r"ich (?:werde|muss) (?P<rest>.+)", needs_time=True),
    _trigger("de", Debtor.ASSISTANT, r"du hast(?: mir| uns)? (?:versprochen|zugesagt),? (?P<rest>.+)"),
    _trigger("de", Debtor.OTHER, r"(?!(?:ich|du|wir|es|das|er|sie|man|wer)\b)(?:[\w-]+ ){0,2}[\w-]+ (?:schickt|sendet|bringt|gibt|liefert|mailt|zahlt|überweist|repariert|ruft) (?:mir|uns|mich) (?P<rest>.+)", needs_time=True),
    _trigger("de", Debtor.OTHER, r"(?!(?:ich|du|wir|es|das|man|wer)\b)(?:[\w-]+ ){0,2}[\w-]+ (?:hat (?:mir|uns) versprochen,?|will (?:mir|uns)|wird (?:mir|uns)) (?P<rest>.+)", needs_time=True),
    _trigger("fr", Debtor.OWNER, r"(?:rappelle|rappelez|rappelles)-moi,? (?P<rest>.+)", polite=True),
    _trigger("fr", Debtor.OWNER, r"(?:tu peux|peux-tu|pourrais-tu|tu pourrais|vous pouvez|pouvez-vous)(?: s['’]il te plaît)? me rappeler (?P<rest>.+)", polite=True),
    _trigger("fr", Debtor.OWNER, r"je (?:te |vous )?promets (?:de |d['’])(?P<rest>.+)"),
    _trigger("fr", Debtor.OWNER, r"(?:je |j['’])(?:vais|dois) (?P<rest>(?!voir\b).+)", needs_time=True),
    _trigger("fr", Debtor.OWNER, r"(?:je |j['’])(?P<rest>(?:(?:te|vous|t['’]|lui|leur|m['’]|me|le|la|les|l['’]) ?)?(?:rappelle|envoie|finis|termine|apporte|appelle|livre|paie|paye|rends|rapporte|transmets|poste|dépose|occupe|règle)\b.+)", needs_time=True),
    _trigger("fr", Debtor.OWNER, r"(?:je |j['’])(?P<rest>(?:(?:te|vous|t['’]|lui|leur|m['’]|me|le|la|les|l['’]) ?)?(?!verrai|serai|pourrai|aurai)\w+rai\b.+)", needs_time=True),
    _trigger("fr", Debtor.ASSISTANT, r"(?:tu (?:m['’])?as|vous (?:m['’])?avez) promis (?:de |d['’])(?P<rest>.+)"),
    _trigger("fr", Debtor.OTHER, r"(?!(?:je|tu|on|il|elle|nous|vous|ça|ce|qui|personne)\b)(?:[\w'’-]+ ){0,3}?(?P<rest>(?:m['’]|me |nous )(?:envoie|envoient|apporte|appelle|rappelle|livre|rend|paie|rapporte|enverra|apportera|appellera|rappellera|livrera|rendra|paiera)\b.+)", needs_time=True),
    _trigger("fr", Debtor.OTHER, r"(?!(?:je|tu|on|nous|vous|qui)\b)(?:[\w'’-]+ ){1,3}?(?:va |doit )(?P<rest>(?:m['’]|me |nous )\w+.+)", needs_time=True),
    _trigger("fr", Debtor.OTHER, r"(?!(?:je|tu|on|nous|vous|qui)\b)(?:[\w'’-]+ ){1,3}?(?:m['’]a|nous a) promis (?:de |d['’])(?P<rest>.+)"),
    _trigger("es", Debtor.OWNER, r"¿?(?:recuérdame|recuerdame|recuérdeme),? (?P<rest>.+)", polite=True),
    _trigger("es", Debtor.OWNER, r"¿?(?:puedes|podrías|me puedes|me podrías)(?: por favor)? (?:recordarme|recordar) (?P<rest>.+)", polite=True),
    _trigger("es", Debtor.OWNER, r"(?:te |os )?prometo (?:que )?(?P<rest>.+)"),
    _trigger("es", Debtor.OWNER, r"(?:voy a|tengo que|debo) (?P<rest>(?!ver\b).+)", needs_time=True),
    _trigger("es", Debtor.OWNER, r"(?P<rest>(?:(?:te|os|le|les|lo|la|los|las) ){0,2}(?:llamo|envío|mando|traigo|pago|devuelvo|entrego|paso|aviso|escribo|termino)\b.+)", needs_time=True),
    _trigger("es", Debtor.OWNER, r"(?P<rest>(?:(?:te|os|le|les|lo|la|los|las) ){0,2}(?!será|habrá|estará)\w+(?:aré|eré|iré|dré|bré)\b.+)", needs_time=True),
    _trigger("es", Debtor.ASSISTANT, r"(?:me )?(?:prometiste|aseguraste|dijiste que ibas a) (?:que )?(?P<rest>.+)"),
    _trigger("es", Debtor.OTHER, r"(?!(?:yo|tú|él|ella|no|nadie|quien|quién|que)\b)(?:[\w-]+ ){1,3}?(?P<rest>(?:me|nos) (?:envía|manda|trae|llama|paga|devuelve|entrega|enviará|mandará|traerá|llamará|pagará|devolverá|entregará)\b.+)", needs_time=True),
    _trigger("es", Debtor.OTHER, r"(?!(?:yo|tú|no|nadie|quien|quién|que)\b)(?:[\w-]+ ){1,3}?(?:me|nos) prometió (?:que )?(?P<rest>.+)"),
    _trigger("es", Debtor.OTHER, r"(?!(?:yo|tú|no|nadie|quien|quién|que)\b)(?:[\w-]+ ){1,3}?(?:va a|tiene que) (?P<rest>(?:\w+(?:me|nos)\b).+)", needs_time=True),
)  # fmt: skip

_DULL = {
    "en": re.compile(
        r"(?:(?:to|that|about) )?(?:be|see|try|think|know|understand|let|consider|admit|say|tell you|bet|guess|assume"
        r"|have to see|pass|need|want|take a look|look into it sometime)\b"
        r"|(?:again )?(?:why|what|how|who|whom|whose|where|when|which|of)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(r"(?:noch ?mal,? |nochmals,? )?(?:wie|was|wann|wo|warum|wieso|wer|welche[rsn]?|schauen|sehen|gucken)\b", re.IGNORECASE),
    "fr": re.compile(r"(?:le nom|comment|pourquoi|ce que|ce qu['’]|quand|où|qui|quel|quelle|à quoi|combien|voir)\b", re.IGNORECASE),
    "es": re.compile(r"(?:otra vez|de nuevo|cómo|qué|por qué|cuándo|dónde|quién|cuál|cuánto|ver)\b", re.IGNORECASE),
}  # fmt: skip
"""What begins no promise: a state, a doubt, a question about what was known."""

_HEAD = {
    "en": re.compile(r"^(?:(?:to|about|that|for)\b\s*(?:i (?:have|need) to )?)", re.IGNORECASE),
    "de": re.compile(
        r"^(?:,? ?(?:daran|an|ans)\b,? ?(?:dass ich )?|,\s*(?:dass ich )?|dass ich )", re.IGNORECASE
    ),
    "fr": re.compile(r"^(?:de |d['’]|que je dois |qu['’]il faut |que )", re.IGNORECASE),
    "es": re.compile(r"^(?:que (?:tengo que|debo) |que |de )", re.IGNORECASE),
}
_NEEDS_HEAD = {"en": True, "de": True, "fr": True, "es": False}
"""Whether what a reminder is about is led by a word of its own, so that anything else is unsure."""

_ES_INFINITIVE = re.compile(
    r"^(?:no )?\w+(?:ar|er|ir|ír)(?:me|te|se|le|lo|la|los|las|les|nos)*\b", re.IGNORECASE
)

_DOUBT = re.compile(
    r"\b(?:if|unless|suppose|supposing|imagine|pretend|let['’]s say|say i|might|maybe|perhaps|probably|possibly"
    r"|hopefully|whenever|in case|i guess|i think|try to|would|should|could|(?-i:may)"
    r"|wenn|falls|sofern|würde|könnte|vielleicht|wahrscheinlich|eventuell|angenommen|hoffentlich|vermutlich|möglicherweise|wohl"
    r"|peut-être|probablement|pourrais|pourrait|serait|sans doute|si possible|j['’]espère"
    r"|quizá|quizás|tal vez|a lo mejor|podría|probablemente|ojalá|creo que)\b"
    r"|(?:^|[\s,])(?:si|s['’]il) (?!bien\b)",
    re.IGNORECASE,
)
_JOKE = re.compile(
    r"\b(?:lol|lmao|rofl|haha\w*|hehe\w*|jk|just kidding|mdr|ptdr|jaja\w*|kidding|joking|as if|scherz|spaß)\b"
    r"|[😂🤣😅😜😝🤪😉🙃]|;-?\)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“”„«»`]|(?<!\w)['‘](?=\w)[^'’]*['’](?!\w)")
_CODE = re.compile(r"[{}=<>|\\^]|//|\(\)|^\s*(?:[#$>*]|\[[A-Z]+\]|\d{4}-\d\d-\d\d[T ]\d\d:)|\w_\w+\(|;\s*$")
_REPEATED = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|yearly|jede[nrms]?|täglich|wöchentlich|monatlich|chaque|tous les|toutes les"
    r"|cada|todos los|todas las|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:when|once|as soon as|after|until|till|while) (?:i|we|you|he|she|they|the|my|it)\b"
    r"|\b(?:sobald|nachdem|während|bevor) \w+|\b(?:quand|dès que|lorsque|une fois) \w+|\b(?:cuando|en cuanto|apenas) \w+",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no longer|cannot|nothing|nobody|none|\w+n['’]t|nicht|nie|niemals|kein\w*|nichts|niemand|jamais|plus|pas"
    r"|aucun\w*|rien|ya no|nunca|jamás|nada|nadie|tampoco)\b|(?:^|\s)(?:ne |n['’])|(?:^|\s)no (?=me|te|se|lo|la|le|voy|tengo|puedo|\w+é\b)",
    re.IGNORECASE,
)
_ENDED = re.compile(
    r"\b(?:cancel\w*|delete|remove|drop|stop|undo|forget (?:about )?(?:the|that|my) reminder|used to|instead of|lösche?|storniere"
    r"|streiche|annule|supprime|efface|cancela|borra|elimina|anula)\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?…])(?<!\d\.)(?<![ap]\.m\.)(?<!\b[A-Z]\.)\s+(?=[\"“«¿¡\w])|\n+")
_HINT = re.compile(
    r"remind|notify me|ping me|alert me|forget|promise|agreed|going to|gonna|have to|got to|need to|\bmust\b|['’]ll\b|\bwill\b|\bshall\b"
    r"|\byou said|\btold (?:me|us)\b|\bassured\b|erinner|verspr|zugesagt|\bich\b|\bmir\b|\buns\b|rappel|promi[st]|promet|\bj(?:e\b|['’])"
    r"|\bnous\b|\bm['’]|recu[eé]rd|record[ae]|\bvoy a\b|tengo que|\bdebo\b|\w(?:aré|eré|iré|dré|bré)\b|\bme\b|\bnos\b|llamo|env[ií]o"
    r"|mando|traigo|pago|devuelvo|entrego|\bpaso\b|aviso|escribo|termino|\bi['’]?(?:m|ve)?\b|\bmy\b|\bwe live\b|call me|\bmein|\bnenn"
    r"|\bsoy\b|\btengo\b|\bvivo\b|\bresido\b|trabajo|\bodio\b|detesto|adoro|\bnací\b|cumplo|\bmi\b|\bmon\b|appel|ll[aá]mame"
    r"|^\s*(?:no|nope|nein|non|actually|correction|korrektur|corrección|wrong|sorry|oops|whoops|wait|scratch|typo|en fait|en realidad"
    r"|falsch|stimmt nicht|faux|eigentlich|perdón|pardon|incorrecto|mal|that['’]s|c['’]est|quise|quería|make (?:it|that)|not)\b"
    r"|, (?:not|nicht|pas|no) ",
    re.IGNORECASE | re.MULTILINE,
)


def may_say(text: str) -> bool:
    """Whether it is worth looking closer: cheap, for it is asked of every turn."""
    return len(text) <= LONGEST_SAID and _HINT.search(text) is not None


def said(text: str, at: datetime, zone: str) -> Said:
    """What `text`, said at `at` by someone whose clock stands in `zone`, plainly says."""
    local = local_time(at, zone)
    facts: list[Fact] = []
    promises: list[Promise] = []
    if _CODE.search(text) or _QUOTED.search(text):
        return Said()
    for sentence in sentences(text)[:MOST_SENTENCES]:
        if _JOKE.search(sentence):
            continue
        promise = _promise(sentence, local)
        if promise is not None:
            promises.append(promise)
            continue
        if not sentence.rstrip().endswith("?") and not _DOUBT.search(sentence):
            facts += facts_in(sentence)
    return Said(tuple(facts), tuple(promises))


def local_time(at: datetime, zone: str) -> datetime:
    """`at` on a clock in `zone`, as it is where there is no such zone."""
    try:
        return at.astimezone(ZoneInfo(zone))
    except (ZoneInfoNotFoundError, ValueError):
        return at


def sentences(text: str) -> list[str]:
    """The sentences of a message, without spaces around them; a number's point ends none."""
    return [one.strip() for one in _END.split(text) if one.strip()]


@cache
def triggers() -> Sequence[tuple[Trigger, re.Pattern[str]]]:
    """Each trigger with what a sentence that it begins looks like; compiled at first use, which takes 0.02 s."""
    flags = re.IGNORECASE | re.DOTALL
    return [(one, re.compile(rf"^(?:{_LEAD[one.language]})?{one.pattern}$", flags)) for one in _TRIGGERS]


def _promise(sentence: str, local: datetime) -> Promise | None:
    """The promise that a sentence makes, None where it makes none for sure."""
    is_question = sentence.rstrip().endswith("?")
    bare = sentence.rstrip(" .!?…")
    if _REPEATED.search(bare) or _PLACE.search(bare) or _ENDED.search(bare):
        return None
    for trigger, begins in triggers():
        match = begins.match(bare)
        if match is None:
            continue
        rest = match["rest"] + (match.groupdict().get("tail") or "")
        if is_question and not trigger.polite:
            return None
        if _DOUBT.search(rest if trigger.polite or trigger.who is Debtor.ASSISTANT else bare):
            return None
        if _DENIED.search(rest if trigger.denies else bare):
            return None
        return _owed(trigger, rest, local)
    return None


def _owed(trigger: Trigger, rest: str, local: datetime) -> Promise | None:
    language = trigger.language
    if _DULL[language].match(rest):
        return None
    found = pieces(rest, language)
    moment, what = _timed(rest, found, local)
    if moment is None and (found or trigger.needs_time):
        return None
    if trigger.needs_time and (moment is None or moment.due_at is None):
        return None
    is_reminder = trigger.polite or trigger.denies
    if is_reminder:
        head = _HEAD[language].match(what)
        if head is None and _NEEDS_HEAD[language]:
            return None
        if head is None and language == "es" and not _ES_INFINITIVE.match(what):
            return None
        what = what[head.end() :] if head is not None else what
    else:
        what = what.removeprefix(", ")
    if _DULL[language].match(what):
        return None
    what = _tidy(what)
    if not what or len(what) > 200:
        return None
    if moment is None:
        return Promise(what, trigger.who)
    return Promise(what, trigger.who, moment.due_at, moment.precision)


def _timed(rest: str, found: Sequence[Piece], local: datetime) -> tuple[Moment | None, str]:
    """The moment of a promise, and its words without those of the time.

    Time words that lead count first; what follows may add what they lack, and else belongs to the words: a
    reminder for Monday may be about Friday's meeting.
    """
    if not found:
        return None, rest
    moment = settled(found, local)
    if moment is not None:
        return moment, _without(rest, found)
    lead = _leading(rest, found)
    if lead and len(lead) < len(found):
        moment = settled(lead, local)
        if moment is not None and not any(one.unsure for one in found):
            return moment, _without(rest, lead)
    return None, rest


def _leading(rest: str, found: Sequence[Piece]) -> list[Piece]:
    """The time words with which the rest begins, nothing but spaces and commas between them."""
    lead: list[Piece] = []
    reached = 0
    for one in found:
        if rest[reached : one.start].strip(" ,"):
            break
        lead.append(one)
        reached = one.end
    return lead


def _without(rest: str, found: Sequence[Piece]) -> str:
    parts: list[str] = []
    reached = 0
    for one in found:
        parts.append(rest[reached : one.start])
        reached = one.end
    return _tidy(" ".join((*parts, rest[reached:])))


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
    text = re.sub(
        r"(?:,? (?:please|bitte|s['’]il te plaît|por favor|thanks|danke|merci|gracias))+$",
        "",
        text,
        flags=re.IGNORECASE,
    )
    return text.strip(" ,;:.!?-–—")
