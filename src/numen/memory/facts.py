"""Facts that people state about themselves and their closest family, and corrections; plain, first person.

English, German, French and Spanish. Each rule names its predicate and where its value stands.
"""

# ruff: noqa: E501 - a rule of the tables stands on one line
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

CORRECTION = "correction"
"""The predicate of a claim that says that something was wrong."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as words say it: `sentence` as it stands there, `subject` one of the family or empty."""

    sentence: str
    predicate: str
    value: str
    subject: str = ""


Check = Callable[[str], str | None]
"""A value as it is kept, None where it is not one for sure."""

_FAMILY = "son|daughter|wife|husband|mother|brother"

_JOBS = frozenset(
    """accountant actor actress architect artist baker barber bartender beekeeper biologist bookkeeper bookseller
    bricklayer builder butcher carpenter cashier chef chemist cleaner coach composer consultant cook courier dancer
    dentist designer developer dietitian director doctor dressmaker driver economist editor electrician engineer
    farmer firefighter fisherman florist gardener geologist glazier goldsmith graphic hairdresser historian
    illustrator interpreter janitor joiner journalist judge lawyer lecturer librarian lifeguard locksmith machinist
    mason mathematician mechanic midwife miner model musician nanny notary novelist nurse nutritionist optician
    painter paralegal paramedic pharmacist philosopher photographer physicist physiotherapist pianist pilot plasterer
    plumber poet policeman policewoman postman potter printer producer professor programmer proofreader psychiatrist
    psychologist psychotherapist publisher radiographer radiologist receptionist researcher roofer sailor
    scientist sculptor secretary sculptress shoemaker singer solicitor statistician stonemason surgeon surveyor
    sysadmin tailor teacher technician therapist translator tutor typist undertaker upholsterer vet veterinarian
    violinist waiter waitress watchmaker weaver welder writer zoologist administrator analyst student intern""".split()
)
_JOBS_DE = re.compile(
    r"(?:\w*(?:lehrer|ärzt|arzt|pfleger|schwester|händler|bäcker|meister|techniker|ingenieur|künstler|schreiner|tischler"
    r"|maler|maurer|koch|köch|gärtner|fahrer|berater|forscher|schneider|friseur|übersetzer|entwickler|informatiker"
    r"|elektriker|klempner|mechaniker|mechatroniker|architekt|anwalt|anwält|richter|journalist|fotograf|hebamme"
    r"|student|apotheker|therapeut|polizist|erzieher|verkäufer|buchhalter|landwirt|optiker|zimmermann|dolmetscher"
    r"|musiker|physiker|chemiker|biologe|biolog|psycholog|psychologe|bibliothekar|dachdecker|kellner|metzger)(?:in|e)?)",
    re.IGNORECASE,
)
_JOBS_FR = re.compile(
    r"(?:infirmi(?:er|ère)|médecin|professeure?|enseignante?|avocate?|boulang(?:er|ère)|pâtissi(?:er|ère)|cuisini(?:er|ère)"
    r"|plombier|électricien(?:ne)?|menuisi(?:er|ère)|charpentier|mécanicien(?:ne)?|ingénieure?|architecte|journaliste"
    r"|photographe|traduct(?:eur|rice)|développeu(?:r|se)|coiffeu(?:r|se)|vendeu(?:r|se)|serveu(?:r|se)|comptable"
    r"|dentiste|pharmacien(?:ne)?|vétérinaire|sage-femme|étudiante?|fleuriste|libraire|bibliothécaire|facteur|factrice"
    r"|chauffeur|jardini(?:er|ère)|peintre|musicien(?:ne)?|juge|notaire|institut(?:eur|rice)|secrétaire|kiné\w*|psychologue"
    r"|graphiste|interprète|policier|policière|pompier|agricult(?:eur|rice)|maçon|opticien(?:ne)?)(?: [a-zà-ÿ-]+)?",
    re.IGNORECASE,
)
_JOBS_ES = re.compile(
    r"(?:enfermer[oa]|médic[oa]|profesora?|maestr[oa]|abogad[oa]|panader[oa]|cociner[oa]|fontaner[oa]|electricista"
    r"|carpinter[oa]|mecánic[oa]|ingenier[oa]|arquitect[oa]|periodista|fotógraf[oa]|traductora?|programadora?"
    r"|peluquer[oa]|camarer[oa]|contable|dentista|farmacéutic[oa]|veterinari[oa]|matrona|estudiante|florista|librer[oa]"
    r"|bibliotecari[oa]|carter[oa]|conductora?|jardiner[oa]|pintora?|músic[oa]|juez|jueza|notari[oa]|secretari[oa]"
    r"|fisioterapeuta|psicólog[oa]|diseñadora?|intérprete|policía|bomber[oa]|agricultora?|albañil|taxista)(?: [a-záéíóúñ]+)?",
    re.IGNORECASE,
)
_NOT_ALLERGENS = frozenset(
    "mornings mondays monday meetings work nonsense bullshit drama people mathematics exercise effort stupidity"
    " réunions lundis travail lunes reuniones trabajo montage meetings arbeit".split()
)
_DEICTIC = re.compile(
    r"(?:how|that|when|where|what|why|who|if|to be|this|these|those|it|you|your|him|her|them|his|their|us|me|all|both"
    r"|one|some of|the (?!sea|beach|mountains|theatre|theater|opera|countryside|outdoors|rain|snow|ocean|forest|cinema)"
    r"|dich|dir|es|das|dass|wie|wenn|sie|ihn|diese\w*|den|die|dein\w*|euch|wenn"
    r"|ça|cela|ce|cette|ces|quand|que|comment|toi|vous|ton|ta|tes|bien|te|t['’]"
    r"|esto|eso|este|esta|estos|estas|que|cómo|cuando|tu|tus|verte)\b",
    re.IGNORECASE,
)
_NOT_NAMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday tomorrow today tonight asap back later now maybe
    january february march april june july august september october november december at on in when if
    montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi
    dimanche lunes martes miércoles jueves viernes sábado domingo""".split()
)
_HOME = re.compile(
    r"^(?:home|night|the moment|present|least|all|it|myself|a living|free|them|him|her|us|days|weekends|noon|hand"
    r"|casa|maison|domicile|hause|nachts|nuit)\b",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul"
    r"|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet"
    r"|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre)"
)
_BIRTHDAY = re.compile(
    rf"(?:(?:the )?[0-3]?\d(?:st|nd|rd|th|er|\.)?(?: of| de)? {_MONTH}|{_MONTH} (?:the )?[0-3]?\d(?:st|nd|rd|th)?"
    r"|[0-3]?\d[./][01]?\d\.?)(?:,? (?:de |del )?(?:19|20)\d\d)?",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:(?:de|van|von|da|di|del|la|le|el|bin|al)\s+)?[^\W\d_a-z][\w'’.-]*(?:\s+(?:(?:de|van|von|da|di|del|la|der|den)\s+)*[^\W\d_a-z][\w'’.-]*){0,3}"
)
_PLACE = re.compile(
    r"(?:(?:the|la|le|el|los|las|den|der|das|die)\s+)?[^\W\d_a-zà-ÿ][\w'’.-]*(?:[\s-]+(?:(?:de|del|la|le|les|sur|am|an der|im|upon|of|the|los|las|in|der|bei)[\s-]+)*[^\W\d_a-zà-ÿ][\w'’.-]*){0,4}(?:, [^\W\d_a-zà-ÿ][\w'’.-]*)?"
)
_CLAUSE = re.compile(
    r"\s*(?:[,;:(–—]| - | and i\b| but\b| because\b| so\b| since\b| though\b| when\b| which\b| if\b| by the way\b"
    r"| und ich\b| aber\b| weil\b| et je\b| et j['’]| mais\b| parce\b| y (?:soy|vivo|trabajo|me)\b| pero\b| porque\b).*$",
    re.IGNORECASE | re.DOTALL,
)
_ARTICLE = re.compile(
    r"^(?:an?|the|der|die|das|dem|den|einer?|einem|einen|le|la|les|l['’]|un|une|el|los|las|una)\s*(?<=[\s'’])",
    re.IGNORECASE,
)


def _clause(value: str) -> str:
    """`value` up to where another clause begins."""
    return _CLAUSE.sub("", value).strip(" .!,;")


def _name(value: str) -> str | None:
    match = _NAME.match(value)
    if match is None or match[0].split()[0].casefold() in _NOT_NAMES:
        return None
    return match[0].rstrip(" .-'’")


def _place(value: str) -> str | None:
    value = re.sub(r"^(?:and around|near|downtown|central|beautiful|sunny) ", "", value)
    match = _PLACE.match(value)
    if match is None or re.match(
        r"\s+(?:until|till|for (?:the|a|two|three)|bis|jusqu|hasta)\b", value[match.end() :]
    ):
        return None
    return _ARTICLE.sub("", match[0].rstrip(" .,-'’"))


def _work(value: str) -> str | None:
    value = _clause(value)
    if not value or _HOME.match(value) or len(value.split()) > 6:
        return None
    return _ARTICLE.sub("", value)


def _thing(value: str) -> str | None:
    value = _clause(value)
    if not value or _DEICTIC.match(value) or len(value.split()) > 6:
        return None
    return _ARTICLE.sub("", value)


def _allergen(value: str) -> str | None:
    value = re.sub(r"^(?:to|both|also|all|any|certain|some|most) ", "", _clause(value), flags=re.IGNORECASE)
    value = _ARTICLE.sub("", value)
    return None if not value or value.casefold() in _NOT_ALLERGENS or len(value.split()) > 4 else value


def _birthday(value: str) -> str | None:
    match = _BIRTHDAY.match(value)
    if match is None or value[match.end() :].strip(" .,!"):
        return None
    return re.sub(r"^the ", "", match[0], flags=re.IGNORECASE)


def _job(value: str) -> str | None:
    phrase = re.sub(
        r"\s+(?:living|working|based|at|in|from|for|with|by|who|and|on|near)\b.*$",
        "",
        _clause(value),
        flags=re.IGNORECASE,
    )
    words = phrase.split()
    return phrase if 0 < len(words) <= 4 and words[-1].casefold().rpartition("-")[2] in _JOBS else None


def _job_de(value: str) -> str | None:
    match = _JOBS_DE.fullmatch(re.sub(r"\s+(?:bei|in|aus|am|und|von)\b.*$", "", _clause(value)))
    return None if match is None else match[0]


def _job_fr(value: str) -> str | None:
    match = _JOBS_FR.fullmatch(re.sub(r"\s+(?:à|chez|dans|en|au|et|de)\b.*$", "", _clause(value)))
    return None if match is None else match[0]


def _job_es(value: str) -> str | None:
    match = _JOBS_ES.fullmatch(re.sub(r"\s+(?:en|de|y|del)\b.*$", "", _clause(value)))
    return None if match is None else match[0]


def _as_is(value: str) -> str | None:
    return value.strip() or None


def _zone(value: str) -> str | None:
    match = re.match(
        r"(?:[A-Z][A-Za-z]+/[A-Za-z_]+(?:/[A-Za-z_]+)?|UTC(?:[+-]\d{1,2})?|GMT(?:[+-]\d{1,2})?|CES?T|E[SD]T|P[SD]T)\b",
        value,
    )
    return None if match is None else match[0]


_DIETS = r"(?P<v>(?:vegan|vegetarian|pescatarian|coeliac|celiac|lactose[ -]intolerant|gluten[ -]intolerant|gluten[ -]free|dairy[ -]free|halal|kosher|keto|diabetic))"
_WHO = rf"(?:(?:i['’]m|i am)|my (?P<s>{_FAMILY})(?:['’]s| is))"

_RULES: Sequence[tuple[str, str, Check]] = (
    ("name", r"(?:my name is|my name['’]s|you can call me|please call me|call me|i['’]m called|i am called) (?P<v>.+)", _name),
    ("name", rf"my (?P<s>{_FAMILY})(?:['’]s name is| is called| is named) (?P<v>.+)", _name),
    ("allergy", rf"{_WHO} (?:also |very |really |severely |badly )?allergic to (?P<v>.+)", _allergen),
    ("allergy", rf"(?:i have|my (?P<s>{_FAMILY}) has) an? (?:severe |bad |serious )?(?P<v>[\w -]+?) allergy\b.*", _allergen),
    ("allergy", rf"(?:i have|my (?P<s>{_FAMILY}) has) an? (?:severe |bad |serious )?allergy to (?P<v>.+)", _allergen),
    ("birthday", rf"(?:my|my (?P<s>{_FAMILY})['’]s) birthday(?: is|['’]s)(?: on)? (?P<v>.+)", _birthday),
    ("birthday", r"i was born on (?P<v>.+)", _birthday),
    ("diet", rf"{_WHO} (?:an? |strictly |fully |a strict |a lifelong )?{_DIETS}\b(?! (?:food|restaurant|option|recipe|place))", _as_is),
    ("diet", rf"i (?:only )?(?:eat|keep) {_DIETS}(?: food)?", _as_is),
    ("diet", rf"i(?:['’]ve| have) been (?:an? |strictly )?{_DIETS} (?:for|since)\b.*", _as_is),
    ("diet", rf"(?:i follow|i['’]m on|i am on) an? (?:strict )?{_DIETS} diet\b.*", _as_is),
    ("lives_in", r"(?:i (?:currently |now |actually )?live|i['’]m (?:currently |now )?living|i am living|i['’]m (?:currently )?based|i am based|we live|my home is)(?: now| currently)?(?: just)?(?: in| near| outside(?: of)?) (?P<v>.+)", _place),
    ("lives_in", r"(?:i['’]m|i am) an? [\w -]+? (?:living|based) in (?P<v>.+)", _place),
    ("works_at", r"i (?:currently |now )?work (?:at|for) (?P<v>.+)", _work),
    ("works_at", r"(?:i work as an? [\w -]+? (?:at|for)|i['’]m employed (?:at|by)|i am employed (?:at|by)|my employer is) (?P<v>.+)", _work),
    ("works_at", r"(?:i['’]m|i am) an? [\w -]+? (?:working )?(?:at|for) (?P<v>[A-Z].+)", _work),
    ("occupation", r"(?:i['’]m|i am|i work as) an? (?P<v>.+)", _job),
    ("timezone", r"my time ?zone is (?P<v>.+)", _zone),
    ("timezone", r"(?:i['’]m|i am) (?:in|on)(?: the)? (?P<v>[A-Za-z/_+-]+\d*)(?: time)?(?: ?zone)", _zone),
    ("likes", r"i (?:really |absolutely |quite |also )?(?:like|love|enjoy|adore) (?P<v>.+)", _thing),
    ("dislikes", r"i (?:really |absolutely |also )?(?:dislike|hate|detest|loathe|can['’]t stand|cannot stand|don['’]t like|do not like) (?P<v>.+)", _thing),
    ("name", r"(?:mein name ist|ich heiße|ich heisse|nenn mich|nennt mich|du kannst mich) (?P<v>.+?)(?: nennen)?", _name),
    ("allergy", r"ich bin (?:stark |leider )?allergisch (?:gegen|auf) (?P<v>.+)", _allergen),
    ("allergy", r"ich habe (?:eine|leider eine) (?P<v>\w+?)-?allergie\b.*", _allergen),
    ("birthday", r"(?:mein geburtstag ist (?:am |der )?|ich habe am )(?P<v>.+?)(?: geburtstag)?", _birthday),
    ("diet", r"ich (?:bin|esse|lebe) (?P<v>vegan|vegetarisch|veganer(?:in)?|vegetarier(?:in)?|glutenfrei|halal|koscher)\b.*", _as_is),
    ("lives_in", r"ich (?:wohne|lebe)(?: jetzt| zurzeit| seit [\w ]+?| gerade)? in (?P<v>.+)", _place),
    ("works_at", r"ich arbeite(?: jetzt| seit [\w ]+?)? (?:bei|für|beim) (?P<v>.+)", _work),
    ("occupation", r"ich (?:bin|arbeite als) (?:ein |eine )?(?P<v>.+?)(?: von beruf)?", _job_de),
    ("timezone", r"meine zeitzone ist (?P<v>.+)", _zone),
    ("dislikes", r"ich (?:hasse|verabscheue|mag kein(?:e|en)?) (?P<v>.+)", _thing),
    ("dislikes", r"ich mag (?P<v>.+?) (?:nicht|gar nicht|überhaupt nicht)", _thing),
    ("likes", r"ich (?:mag|liebe) (?:sehr )?(?!kein|nicht)(?P<v>.+)", _thing),
    ("name", r"(?:je m['’]appelle|mon nom est|mon prénom est|appelle-moi|appelez-moi|tu peux m['’]appeler) (?P<v>.+)", _name),
    ("allergy", r"je suis (?:très )?allergique (?:aux|au|à la|à l['’]|à) ?(?P<v>.+)", _allergen),
    ("birthday", r"mon anniversaire(?:,)? (?:est|c['’]est|tombe) (?:le )?(?P<v>.+)", _birthday),
    ("diet", r"je (?:suis|mange) (?P<v>végétarien(?:ne)?|végane?|vegan|végétalien(?:ne)?|cœliaque|coeliaque|halal|casher|sans gluten)\b.*", _as_is),
    ("lives_in", r"(?:j['’]habite|je vis) (?:à|en|au|aux|dans) (?P<v>.+)", _place),
    ("works_at", r"je travaille (?:chez|pour|à|au|à la) (?P<v>.+)", _work),
    ("occupation", r"je suis (?:une? )?(?P<v>.+)", _job_fr),
    ("timezone", r"mon fuseau horaire est (?P<v>.+)", _zone),
    ("dislikes", r"(?:je déteste|je n['’]aime pas|j['’]ai horreur (?:de|du|des)) (?P<v>.+)", _thing),
    ("likes", r"(?:j['’]aime|j['’]adore)(?: beaucoup| bien)? (?P<v>.+)", _thing),
    ("name", r"(?:me llamo|mi nombre es|llámame|puedes llamarme) (?P<v>.+)", _name),
    ("allergy", r"(?:soy|tengo) (?:muy )?(?:alérgic[oa]|alergia) (?:al|a las?|a los|a) (?P<v>.+)", _allergen),
    ("birthday", r"mi cumpleaños es (?:el )?(?P<v>.+)", _birthday),
    ("birthday", r"(?:nací el|cumplo años el|je suis née? le|ich bin am) (?P<v>.+?)(?: geboren)?", _birthday),
    ("diet", r"(?:soy|como) (?P<v>vegan[oa]|vegetarian[oa]|celíac[oa]|sin gluten|halal|kosher)\b.*", _as_is),
    ("lives_in", r"(?:vivo|resido) en (?P<v>.+)", _place),
    ("works_at", r"trabajo (?:en|para) (?P<v>.+)", _work),
    ("occupation", r"(?:soy|trabajo de|trabajo como) (?:una? )?(?P<v>.+)", _job_es),
    ("timezone", r"mi zona horaria es (?P<v>.+)", _zone),
    ("dislikes", r"(?:odio|detesto|no me gustan?|no soporto) (?P<v>.+)", _thing),
    ("likes", r"(?:me gustan?|me encantan?|adoro)(?: mucho)? (?P<v>.+)", _thing),
)  # fmt: skip

_ASIDE = (
    "sadly|unfortunately|too|as well|by the way|leider|hélas|malheureusement|también|por desgracia|aussi|auch"
)
_GREETING = (
    r"(?:(?:hi|hello|hey|oh|well|so|and|btw|by the way|fyi|hallo|guten tag|bonjour|salut|hola|buenas|thanks)\b"
    r"(?: there| again| all| zusammen)?[,!.]? )*"
)
_FIRST_PERSON = re.compile(
    rf"(?P<hello>{_GREETING})(?:i\b|i['’]|my\b|we live|call me|you can call|please call|ich\b|mein|nenn|du kannst|je\b|j['’]|mon\b|appel|tu peux"
    r"|me\b|mi\b|ll[aá]mame|puedes|soy\b|tengo\b|como\b|vivo\b|resido\b|trabajo\b|odio\b|detesto\b|adoro\b|no (?:me|soporto)|nací|cumplo)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|no longer|isn['’]t|don['’]t|doesn['’]t|any ?more|used to|nicht|kein\w*|früher|nie|jamais|ne|n['’]\w+|plus"
    r"|avant|ya no|nunca|antes)\b|(?:^|\s)no (?!me gusta|soporto)",
    re.IGNORECASE,
)
_HATES = re.compile(
    r"don['’]t like|do not like|can['’]t stand|cannot stand|n['’]aime pas|mag kein\w*|\bnicht$|überhaupt nicht|gar nicht|no me gusta|no soporto",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:want to|would like|i['’]d|hope to|wish|will|going to|soon|next (?:week|month|year)|until|möchte|will|bald|voudrais|veux|quisiera|quiero|voy a)\b",
    re.IGNORECASE,
)

_OPENING = re.compile(
    r"^(?:(?P<no>(?:no|nope|nein|non)(?: wait| sorry| warte| attends| espera)?(?=\s*[,:.!–—-]))"
    r"|(?P<act>actually|eigentlich|en fait|en realidad|sorry|perdón|pardon|oops|whoops|wait|my mistake|my bad)"
    r"|(?P<sure>correction|korrektur|corrección|wrong|that['’]s (?:wrong|not right)|not quite|scratch that|typo"
    r"|falsch|stimmt nicht|faux|c['’]est faux|incorrecto|mal))\b\s*[,:.!]?\s*[–—-]?\s*(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_MEANT = re.compile(
    r"^(?:sorry,? |no,? |nein,? |non,? )?(?:i meant|i mean|i said|ich meinte|ich meine|ich sagte|je voulais dire|quise decir|quería decir|make (?:it|that)|(?:it|that) should (?:be|say))(?: to say)? "
    r"(?P<v>.+?)(?:,? (?:and )?(?:not|nicht|pas|no) (?P<old>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_IT_IS = re.compile(
    r"^(?:not|nicht|pas|no) (?P<old2>[^,]+?),? (?:but|sondern|mais|sino) (?P<y>.+)$|^(?:(?:it|that|this)(?:['’]s| is| starts at| begins at| ends at| was| should be)|the [\w -]+? (?:is|starts at|was)|make (?:it|that)"
    r"|es ist|es war|das ist|der [\w -]+ ist|die [\w -]+ ist|das [\w -]+ ist|es beginnt um|c['’]est|c['’]était|il est|ça commence à|le [\w -]+ est|la [\w -]+ est"
    r"|es|son|era|la [\w -]+ es|el [\w -]+ es|empieza a)\b ?(?:at |on |in |um |am |im |bei |le |la |les |à |au |aux |en |chez |dans |el |las? |a las? )*(?P<v>.+)$"
    r"|^(?:at|on|in|um|am|im|le|à|el|a las?) (?P<w>.+)$|^(?P<x>.+?),? (?:not|nicht|pas|no) (?P<old>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_SWAPPED = r"(?P<v>[^,]+), (?:not|nicht|pas|no) [^,]+"
"""`Tuesday, not Monday`."""

_WEEKDAY = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
    r"|tomorrow|today|morgen|heute|demain|mañana)"
)
_CERTAIN = re.compile(
    rf"(?:{_WEEKDAY}|(?:the )?\d[\d.,:/h-]*(?:st|nd|rd|th)?(?: ?(?:am|pm|uhr|h|euros?|dollars?|people|%|{_MONTH}|of {_MONTH}|de {_MONTH}))?"
    rf"|{_MONTH} \d\d?(?:st|nd|rd|th)?|[A-Z]+\d+\w*|(?:[\w-]+ )?\d+)",
    re.IGNORECASE,
)
_PROPER = re.compile(r"[^\W\d_a-zà-ÿ][\w'’-]*(?: [^\W\d_a-zà-ÿ][\w'’-]*){0,2}")
_SPELLED = re.compile(r" (?:with|without|mit|ohne|avec|sans|con|sin) .+$", re.IGNORECASE)


@cache
def statements() -> Sequence[tuple[str, re.Pattern[str], Check]]:
    """Each rule with its words compiled; at first use, for all of them take 0.04 s."""
    return [
        (predicate, re.compile(rf"{_GREETING}{pattern}", re.IGNORECASE), check)
        for predicate, pattern, check in _RULES
    ]


def facts_in(sentence: str) -> list[Fact]:
    """The facts that a sentence states, in its order, and the correction that it makes, last."""
    bare = sentence.rstrip(" .!…")
    opening = _OPENING.match(bare)
    stated = opening["rest"] if opening is not None else bare
    found = _stated(sentence, stated)
    corrected = _corrected(bare, opening, found)
    return [*found, *([] if corrected is None else [Fact(sentence, CORRECTION, corrected)])]


def _stated(sentence: str, text: str) -> list[Fact]:
    begun = _FIRST_PERSON.match(text)
    if begun is None:
        return []
    text = _not_old(text[begun.end("hello") :])
    if _NEGATED.search(_HATES.sub("", text)) or _WISH.search(text):
        return []
    facts: list[Fact] = []
    seen: set[str] = set()
    for predicate, pattern, check in statements():
        match = pattern.fullmatch(text)
        if match is None or predicate in seen:
            continue
        subject = (match.groupdict().get("s") or "").casefold()
        values = [one for one in map(check, _listed(predicate, match["v"])) if one]
        if values:
            seen.add(predicate)
            facts += [Fact(sentence, predicate, one, subject) for one in dict.fromkeys(values)]
            if predicate in {"dislikes", "likes"}:
                seen |= {"dislikes", "likes"}
    place = {"occupation": 0, "lives_in": 1, "works_at": 2}
    return sorted(facts, key=lambda one: place.get(one.predicate, 0))


def _not_old(text: str) -> str:
    """A statement without the value that it takes back: `, not Lumna`."""
    return re.sub(r",? (?:and )?(?:not|nicht|pas|no) [\w'’ -]+$", "", text) if "," in text else text


def _listed(predicate: str, value: str) -> list[str]:
    """Several values of one statement: `cats and pollen`."""
    if predicate != "allergy":
        return [value]
    value = re.sub(rf",? (?:{_ASIDE})$", "", value, flags=re.IGNORECASE)
    return [one for one in re.split(r",\s*(?:and|und|et|y)?\s*| (?:and|und|et|y) ", value) if one.strip()]


def _corrected(bare: str, opening: re.Match[str] | None, found: Sequence[Fact]) -> str | None:
    """The value that a correction puts in place of another, None where it is none for sure."""
    meant = _MEANT.match(bare)
    if meant is not None:
        value = meant["v"].strip(" ,")
        return value if meant["old"] or _is_sure(value) else None
    if opening is None:
        plain = _IT_IS.match(bare) if ", " in bare else None
        swapped = (
            None if plain is None or not plain["v"] else re.fullmatch(_SWAPPED, plain["v"], re.IGNORECASE)
        )
        return swapped["v"] if swapped is not None and _is_sure(swapped["v"]) else None
    if found:
        return found[0].value
    match = _IT_IS.match(opening["rest"])
    if match is None:
        value = opening["rest"].strip(" ,")
        return value if _CERTAIN.fullmatch(value) and opening["act"] is None else None
    value = _SPELLED.sub("", (match["v"] or match["w"] or match["x"] or match["y"] or "").strip(" ,."))
    old = re.search(r",? (?:not|nicht|pas|no) .+$", value)
    if old is not None:
        return value[: old.start()].strip(" ,")
    if match["old"] or match["old2"]:
        return _ARTICLE.sub("", re.sub(r"^(?:am|um|im|at|on|in|à|en|a) ", "", value))
    return value if _is_sure(value) or (opening["sure"] and len(value.split()) <= 3) else None


def _is_sure(value: str) -> bool:
    """Whether a value is of a kind that corrections are about: a day, a time, a number, a name, a code."""
    return _CERTAIN.fullmatch(value) is not None or _PROPER.fullmatch(value) is not None
