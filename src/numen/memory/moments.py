"""Times in words: where they stand in a sentence, and which moment they name. Unsure is no moment.

English, German, French and Spanish. What a phrase means is settled by tables of it; the calendar itself is
dateutil's and zoneinfo's.
"""

# ruff: noqa: E501 - a rule of the tables stands on one line
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import cache

from dateutil.relativedelta import relativedelta

from numen.memory.types import Due


@dataclass(frozen=True, slots=True)
class Piece:
    """A time word in a sentence, from `start` up to `end`: a day, a clock time, a distance, or nothing sure.

    `day` gives the day for the local time of saying, None where no such day is sure. `vague` names no single
    day. `evening` says which half of the day a bare hour is in.
    """

    start: int
    end: int
    day: Callable[[datetime], date | None] | None = None
    clock: time | None = None
    bare: bool = False
    elapsed: timedelta | None = None
    vague: bool = False
    unsure: bool = False
    evening: bool = False
    zone: tzinfo | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """What time words name together: a moment and how exact it is, or no single day (None)."""

    due_at: datetime | None
    precision: Due | None


_NUMBERS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve",
    "de": "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "cero un dos tres cuatro cinco seis siete ocho nueve diez once doce",
}
_MORE_NUMBERS = {
    "a": 1, "an": 1, "eine": 1, "einer": 1, "einem": 1, "einen": 1, "une": 1, "una": 1, "uno": 1,
    "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90,
    "fünfzehn": 15, "zwanzig": 20, "dreißig": 30, "quinze": 15, "vingt": 20, "trente": 30,
    "quince": 15, "veinte": 20, "treinta": 30,
}  # fmt: skip
_COUNT = {word: n for line in _NUMBERS.values() for n, word in enumerate(line.split())} | _MORE_NUMBERS

_WEEKDAYS = {
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
_MORE_WEEKDAYS = {"sonnabend": 5, "miercoles": 2, "sabado": 5}
_WEEKDAY = {word: n for line in _WEEKDAYS.values() for n, word in enumerate(line.split())} | _MORE_WEEKDAYS

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_MORE_MONTHS = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10,
    "nov": 11, "dec": 12, "jänner": 1, "setiembre": 9, "okt": 10, "dez": 12,
}  # fmt: skip
_MONTH = {word: n for line in _MONTHS.values() for n, word in enumerate(line.split(), 1)} | _MORE_MONTHS

_UNITS: Mapping[str, str] = {
    **dict.fromkeys(("minute", "minutes", "min", "mins", "minuten", "minuto", "minutos"), "minutes"),
    **dict.fromkeys(("hour", "hours", "stunde", "stunden", "heure", "heures", "hora", "horas"), "hours"),
    **dict.fromkeys(("day", "days", "tag", "tage", "tagen", "jour", "jours", "día", "días"), "days"),
    **dict.fromkeys(
        ("week", "weeks", "woche", "wochen", "semaine", "semaines", "semana", "semanas"), "weeks"
    ),
    **dict.fromkeys(("month", "months", "monat", "monate", "monaten", "mois", "mes", "meses"), "months"),
}

_ZONES: Mapping[str, tzinfo] = {
    "utc": UTC,
    "gmt": UTC,
    "cet": timezone(timedelta(hours=1)),
    "cest": timezone(timedelta(hours=2)),
    "est": timezone(timedelta(hours=-5)),
    "edt": timezone(timedelta(hours=-4)),
    "pst": timezone(timedelta(hours=-8)),
    "pdt": timezone(timedelta(hours=-7)),
}


def _any(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


def _of(table: Mapping[str, str], language: str, more: Iterable[str] = ()) -> str:
    return _any([*table[language].split(), *more])


_N = rf"(?:\d{{1,3}}|{_any(_COUNT)})"
_UNIT = _any(_UNITS)
_CLOCK = r"(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)(?:\s*(?P<ap>[ap])\.?m\b\.?)?"
_ZONED = rf"(?:\s*\(?(?P<z>{_any(_ZONES)})\b\)?)?"


def _in_days(days: int) -> Callable[[datetime], date | None]:
    return lambda now: (now + timedelta(days=days)).date()


def _next_weekday(weekday: int, *, is_next: bool) -> Callable[[datetime], date | None]:
    """The next such day after today. Said on that very day, or `next` where it may be a week later: unsure."""

    def day(now: datetime) -> date | None:
        ahead = (weekday - now.weekday()) % 7
        if not ahead:
            return None
        found = now.date() + timedelta(days=ahead)
        if is_next and found.isocalendar()[:2] == now.date().isocalendar()[:2]:
            return None
        return found

    return day


def _on(month: int | None, number: int, year: int | None = None) -> Callable[[datetime], date | None]:
    """The next such date, today not among them where neither month nor year is said."""

    def day(now: datetime) -> date | None:
        today = now.date()
        if year is not None and month is not None:
            return _date(year, month, number)
        if month is not None:
            found = _date(today.year, month, number)
            return found if found is not None and found >= today else _date(today.year + 1, month, number)
        for ahead in range(13):
            first = today.replace(day=1) + relativedelta(months=ahead)
            found = _date(first.year, first.month, number)
            if found is not None and found > today:
                return found
        return None

    return day


def _end_of_month(now: datetime) -> date | None:
    return (now + relativedelta(day=31)).date()


def _date(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None


Make = Callable[[re.Match[str]], Piece]


def _fixed(**what: object) -> Make:
    return lambda m: Piece(m.start(), m.end(), **what)  # pyright: ignore[reportArgumentType]


def _weekday_piece(m: re.Match[str]) -> Piece:
    groups = m.groupdict()
    weekday = _WEEKDAY[m["d"].casefold()]
    return Piece(
        m.start(),
        m.end(),
        day=_next_weekday(weekday, is_next=bool(groups.get("next"))),
        evening=bool(groups.get("eve")),
    )


def _date_piece(m: re.Match[str]) -> Piece:
    groups = m.groupdict()
    month = groups.get("mon")
    year = groups.get("y")
    number = int(m["n"])
    named = None if month is None else _MONTH.get(month.casefold().rstrip("."), 0)
    return Piece(m.start(), m.end(), day=_on(named, number, None if year is None else int(year)))


def _numeric_piece(m: re.Match[str]) -> Piece:
    """`25/12`: sure only where one of the two cannot be a month, or the language has one order."""
    first, second = int(m["a"]), int(m["b"])
    if first > 12 >= second > 0:
        return Piece(m.start(), m.end(), day=_on(second, first))
    if second > 12 >= first > 0:
        return Piece(m.start(), m.end(), day=_on(first, second))
    return Piece(m.start(), m.end(), unsure=True)


def _dotted_piece(m: re.Match[str]) -> Piece:
    """`3.5.` in German, `3/5` in French and Spanish: the day comes first."""
    return Piece(m.start(), m.end(), day=_on(int(m["b"]), int(m["a"])))


def _elapsed_piece(m: re.Match[str]) -> Piece:
    said = m["n"].casefold()
    count = int(said) if said.isdigit() else _COUNT[said]
    unit = _UNITS[m["u"].casefold()]
    if unit in {"minutes", "hours"}:
        return Piece(m.start(), m.end(), elapsed=timedelta(**{unit: count}))
    if unit == "months":
        return Piece(m.start(), m.end(), day=lambda now: (now + relativedelta(months=count)).date())
    return Piece(m.start(), m.end(), day=_in_days(count * (7 if unit == "weeks" else 1)))


def _clock_piece(m: re.Match[str]) -> Piece:
    groups = m.groupdict()
    said = m["h"].casefold()
    hour = int(said) if said.isdigit() else _COUNT.get(said, 99)
    minute = int(groups.get("m") or 0)
    half = (groups.get("ap") or "").casefold()
    zone = _ZONES.get((groups.get("z") or "").casefold())
    if half:
        if not 1 <= hour <= 12:
            return Piece(m.start(), m.end(), unsure=True)
        hour = hour % 12 + (12 if half in {"p", "tarde", "noche", "abends", "nachmittags", "soir"} else 0)
    if hour > 23:
        return Piece(m.start(), m.end(), unsure=True)
    bare = not half and "bare" in groups and groups.get("m") is None
    return Piece(m.start(), m.end(), clock=time(hour, minute), bare=bare or _is_low(groups, hour), zone=zone)


def _is_low(groups: Mapping[str, str | None], hour: int) -> bool:
    """`9:30` in English may be either half of the day; `09:30` and `16:20` may not."""
    said = groups.get("h") or ""
    low = 1 <= hour <= 12 and not said.startswith("0")
    return "english" in groups and not groups.get("ap") and groups.get("m") is not None and low


def _past_piece(m: re.Match[str]) -> Piece:
    """`half past four`, `quarter to five`."""
    said = m["h"].casefold()
    hour = int(said) if said.isdigit() else _COUNT.get(said, 99)
    if not 1 <= hour <= 12:
        return Piece(m.start(), m.end(), unsure=True)
    minutes = hour * 60 + {"half": 30, "quarter": 15}[m["part"].casefold()] * (-1 if m["to"] == "to" else 1)
    return Piece(m.start(), m.end(), clock=time(minutes // 60 % 24, minutes % 60), bare=True)


_SMALL = _any("one two three four five six seven eight nine ten eleven twelve".split())

_PATTERNS: Mapping[str, Sequence[tuple[str, Make]]] = {
    "en": (
        (r"(?:by |on |at |before )?(?:the )?end of (?:the )?(?:week|year|quarter)\b", _fixed(unsure=True)),
        (r"(?:sometime |some time )?(?:by |in |on )?(?:next|this|the) (?:week|month|year|weekend)\b", _fixed(vague=True)),
        (r"(?:before|until|till|since|after) (?!noon|lunch)(?:the )?(?:next |this )?"
         rf"(?:{_of(_WEEKDAYS, 'en')}|tomorrow|{_of(_MONTHS, 'en')}|\d)", _fixed(unsure=True)),
        (r"(?:on |by )?the day after tomorrow\b", _fixed(day=_in_days(2))),
        (r"(?:by |for )?(?:first thing )?tomorrow(?: (?:first thing|morning|afternoon|noon(?= )))?\b", _fixed(day=_in_days(1))),
        (rf"(?P<n>{_N}) (?P<u>{_UNIT}) from (?:today|tomorrow|{_of(_WEEKDAYS, 'en')})\b", lambda m: (
            _elapsed_piece(m) if m[0].casefold().endswith("today") else Piece(m.start(), m.end(), unsure=True))),
        (r"in (?:an|one) hour and a half\b|in one and a half hours\b", _fixed(elapsed=timedelta(minutes=90))),
        (r"in (?:a|one) fortnight\b", _fixed(day=_in_days(14))),
        (r"(?<=tomorrow) (?:evening|night)\b", _fixed(evening=True)),
        (r"(?:by |for )?(?:tonight|this evening)\b", _fixed(day=_in_days(0), evening=True)),
        (r"(?:by |for |later )?(?:today|this morning|this afternoon)\b", _fixed(day=_in_days(0))),
        (r"(?:by )?(?:the )?(?:eod|end of (?:the )?day|end of today|close of business)\b", _fixed(day=_in_days(0))),
        (r"(?:at |by |before )?(?:the )?end of (?:the |this )?month\b", _fixed(day=_end_of_month)),
        (rf"(?:by |on |for |due )?(?:(?P<next>next) |this |coming |the coming )?(?P<d>{_of(_WEEKDAYS, 'en')})"
         r"(?: (?:morning|afternoon|(?P<eve>evening|night)))?\b(?!['’]s)", _weekday_piece),
        (r"(?:by |on |for )?(?P<y>20\d\d)-(?P<mon2>\d\d)-(?P<n>\d\d)\b", lambda m: Piece(
            m.start(), m.end(), day=_on(int(m["mon2"]), int(m["n"]), int(m["y"])))),
        (rf"(?:by |on |for )?(?P<mon>{_of(_MONTHS, 'en', _MORE_MONTHS)})\.? (?:the )?(?P<n>[0-3]?\d)(?:st|nd|rd|th)?"
         r"(?:,? (?P<y>20\d\d))?\b", _date_piece),
        (rf"(?:by |on |for )?(?:the )?(?P<n>[0-3]?\d)(?:st|nd|rd|th)?(?: of)? (?P<mon>{_of(_MONTHS, 'en', _MORE_MONTHS)})\b"
         r"(?:,? (?P<y>20\d\d))?", _date_piece),
        (r"(?:by |on |for )(?P<a>[0-3]?\d)/(?P<b>[0-3]?\d)\b(?!/)", _numeric_piece),
        (r"(?:by |on |for )?the (?P<n>[0-3]?\d)(?:st|nd|rd|th)\b(?! \w+(?:st|nd|rd|th))", _date_piece),
        (r"in half an hour\b", _fixed(elapsed=timedelta(minutes=30))),
        (r"in (?:a few|a couple of|some|several) \w+", _fixed(unsure=True)),
        (rf"in (?P<n>{_N}) (?P<u>{_UNIT})(?:['’]? time)?\b", _elapsed_piece),
        (rf"(?P<n>{_N}) (?P<u>{_UNIT}) from now\b", _elapsed_piece),
        (rf"(?:at |by |before |for )?(?P<part>half|quarter) (?P<to>past|to) (?P<h>{_SMALL}|\d\d?)\b", _past_piece),
        (r"(?:at |by |before |around )?noon\b|(?:at |by )midday\b|before lunch\b", _fixed(clock=time(12))),
        (r"(?:at |by |before )?midnight\b", _fixed(day=_in_days(1), clock=time(0))),
        (rf"(?P<english>at |by |before |for |around )?{_CLOCK}{_ZONED}", _clock_piece),
        (rf"(?:at |by |before |for |around )?(?P<h>\d{{1,2}})\s*(?P<ap>[ap])\.?m\b\.?{_ZONED}", _clock_piece),
        (rf"(?:at |by |around )(?P<bare>)(?P<h>1[0-2]|[1-9]|{_SMALL})(?: o['’]clock)?(?![\w:./%-])(?! (?:percent|euros?|dollars?|people))", _clock_piece),
        (r"(?:in the )(?:morning|afternoon)\b", _fixed()),
        (r"(?:in the )(?:evening)\b|at night\b", _fixed(evening=True)),
    ),
    "de": (
        (r"(?:bis )?(?:zum )?ende (?:der|dieser) woche\b|bis (?:zum )?(?:jahresende|quartalsende|wochenende)\b", _fixed(unsure=True)),
        (r"(?:in )?(?:der )?(?:nächste[rn]?|diese[rn]?|kommende[rn]?) (?:woche|monat)\b|(?:am|dieses|nächstes|übers) wochenende\b", _fixed(vague=True)),
        (rf"(?:vor|nach|seit) (?:dem )?(?:{_of(_WEEKDAYS, 'de')}|\d)", _fixed(unsure=True)),
        (r"(?:bis )?übermorgen\b", _fixed(day=_in_days(2))),
        (r"(?:bis )?morgen (?:abend|nacht)\b", _fixed(day=_in_days(1), evening=True)),
        (r"(?:bis )?(?<!guten )morgen(?: (?:früh|vormittag|mittag|nachmittag))?\b", _fixed(day=_in_days(1))),
        (r"(?:bis )?heute (?:abend|nacht)\b", _fixed(day=_in_days(0), evening=True)),
        (r"(?:bis |noch )?heute(?: (?:früh|vormittag|mittag|nachmittag|noch))?\b", _fixed(day=_in_days(0))),
        (r"(?:am |bis |bis zum |zum )?(?:ende des monats|monatsende)\b", _fixed(day=_end_of_month)),
        (rf"(?:(?:am|bis|bis zum|zum|ab) )?(?:(?P<next>nächsten?) |diesen |kommenden )?(?P<d>{_of(_WEEKDAYS, 'de', ['sonnabend'])})"
         r"(?:(?:\s?(?:vormittag|nachmittag|mittag|morgen|früh|(?P<eve>abend))))?\b", _weekday_piece),
        (rf"(?:(?:am|bis|bis zum|zum) )?(?P<n>[0-3]?\d)\. ?(?P<mon>{_of(_MONTHS, 'de')})\b(?: (?P<y>20\d\d))?", _date_piece),
        (r"(?:am|bis|bis zum|zum) (?P<a>[0-3]?\d)\.(?P<b>[01]?\d)\.(?!\d)", _dotted_piece),
        (r"(?:am|bis zum|zum) (?P<n>[0-3]?\d)\.(?=\s|$)", _date_piece),
        (r"in einer halben stunde\b", _fixed(elapsed=timedelta(minutes=30))),
        (r"in (?:ein paar|einigen|wenigen) \w+", _fixed(unsure=True)),
        (rf"in (?P<n>{_N}) (?P<u>{_UNIT})\b", _elapsed_piece),
        (rf"(?:um |gegen )?halb {_any(_NUMBERS['de'].split())}\b", _fixed(unsure=True)),
        (rf"(?:um |bis |gegen )?(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)(?: uhr\b)?{_ZONED}", _clock_piece),
        (r"(?:um |bis |gegen )?(?P<h>[01]?\d|2[0-3]) uhr(?: (?P<m>[0-5]\d)\b)?", _clock_piece),
        (r"(?:um |bis )(?P<h>[01]?\d|2[0-3])(?![\w.:%-])(?! (?:prozent|euro))", _clock_piece),
        (r"um mitternacht\b", _fixed(day=_in_days(1), clock=time(0))),
    ),
    "fr": (
        (r"(?:d['’]ici |avant |à )?(?:la )?fin de (?:la semaine|l['’]année)\b", _fixed(unsure=True)),
        (r"(?:la semaine prochaine|cette semaine|le mois prochain|ce week-?end|le week-?end(?: prochain)?)\b", _fixed(vague=True)),
        (rf"(?:avant|après|depuis|jusqu['’]à|jusqu['’]au) (?:le )?(?:{_of(_WEEKDAYS, 'fr')}|demain|\d)", _fixed(unsure=True)),
        (r"(?:d['’]ici |pour )?après-demain\b", _fixed(day=_in_days(2))),
        (r"(?:d['’]ici |pour )?demain soir\b", _fixed(day=_in_days(1), evening=True)),
        (r"(?:d['’]ici |pour )?demain(?: (?:matin|après-midi|midi))?\b", _fixed(day=_in_days(1))),
        (r"ce soir\b", _fixed(day=_in_days(0), evening=True)),
        (r"(?:aujourd['’]hui|ce matin|cet après-midi)\b", _fixed(day=_in_days(0))),
        (r"(?:d['’]ici |à |pour |avant )?(?:la )?fin du mois\b", _fixed(day=_end_of_month)),
        (rf"(?:d['’]ici |pour |ce |le )?(?:à )?(?P<d>{_of(_WEEKDAYS, 'fr')})(?P<next> prochain)?"
         r"(?: (?:matin|après-midi|(?P<eve>soir)))?\b", _weekday_piece),
        (rf"(?:d['’]ici |pour )?(?:le |au )?(?P<n>[0-3]?\d|1er)(?:er)? (?P<mon>{_of(_MONTHS, 'fr')})\b(?: (?P<y>20\d\d))?", _date_piece),
        (r"(?:le |pour le |d['’]ici le )(?P<a>[0-3]?\d)/(?P<b>[01]?\d)\b", _dotted_piece),
        (r"(?:d['’]ici |pour )?le (?P<n>[0-3]?\d)(?=[\s.,!]|$)", _date_piece),
        (r"dans une demi-heure\b", _fixed(elapsed=timedelta(minutes=30))),
        (r"dans (?:quelques) \w+", _fixed(unsure=True)),
        (rf"dans (?P<n>{_N}) (?P<u>{_UNIT})\b", _elapsed_piece),
        (rf"(?:à |vers |pour |avant )?(?P<h>[01]?\d|2[0-3]) ?(?:h|heures?)(?: ?(?P<m>[0-5]\d))?\b(?! \d){_ZONED}", _clock_piece),
        (rf"(?:à |vers |avant )(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)\b{_ZONED}", _clock_piece),
        (r"(?:à |avant )midi\b", _fixed(clock=time(12))),
        (r"à minuit\b", _fixed(day=_in_days(1), clock=time(0))),
    ),
    "es": (
        (r"(?:para |a |antes del? )?(?:el )?(?:fin|final|finales) de (?:semana|año)\b(?<!este fin de semana)", _fixed(unsure=True)),
        (r"(?:la próxima semana|la semana que viene|esta semana|el mes que viene|el próximo mes|(?:este|el) fin de semana)\b", _fixed(vague=True)),
        (rf"(?:antes de|antes del|después de|después del|hasta|hasta el|desde) (?:el )?(?:{_of(_WEEKDAYS, 'es')}|mañana|\d)", _fixed(unsure=True)),
        (r"(?:para )?pasado mañana\b", _fixed(day=_in_days(2))),
        (r"(?:para )?mañana por la noche\b", _fixed(day=_in_days(1), evening=True)),
        (r"esta mañana\b", _fixed(day=_in_days(0))),
        (r"(?:para )?(?<!la )mañana(?: por la (?:mañana|tarde))?\b", _fixed(day=_in_days(1))),
        (r"esta noche\b", _fixed(day=_in_days(0), evening=True)),
        (r"(?:hoy|esta tarde)\b", _fixed(day=_in_days(0))),
        (r"(?:a |para )?(?:fin|final|finales) de mes\b", _fixed(day=_end_of_month)),
        (rf"(?:para |este )?(?:el |este )?(?P<next>próximo )?(?P<d>{_of(_WEEKDAYS, 'es', ['miercoles', 'sabado'])})"
         r"(?: por la (?:mañana|tarde|(?P<eve>noche)))?\b", _weekday_piece),
        (rf"(?:para )?(?:el )?(?P<n>[0-3]?\d) de (?P<mon>{_of(_MONTHS, 'es')})\b(?: de (?P<y>20\d\d))?", _date_piece),
        (r"(?:para )?el (?P<a>[0-3]?\d)/(?P<b>[01]?\d)\b", _dotted_piece),
        (r"(?:para )?el (?:día )?(?P<n>[0-3]?\d)(?=[\s.,!]|$)", _date_piece),
        (r"(?:en|dentro de) media hora\b", _fixed(elapsed=timedelta(minutes=30))),
        (r"(?:en|dentro de) (?:unos|unas|algunos|algunas) \w+", _fixed(unsure=True)),
        (rf"(?:en|dentro de) (?P<n>{_N}) (?P<u>{_UNIT})\b", _elapsed_piece),
        (rf"a las? (?P<h>[01]?\d|2[0-3])(?:[:.](?P<m>[0-5]\d))?(?: ?h\b)?(?: de la (?P<ap>mañana|tarde|noche)\b)?{_ZONED}", _clock_piece),
        (r"(?:al? )mediodía\b", _fixed(clock=time(12))),
        (r"a medianoche\b", _fixed(day=_in_days(1), clock=time(0))),
    ),
}  # fmt: skip


@cache
def _compiled(language: str) -> Sequence[tuple[re.Pattern[str], Make]]:
    return [
        (re.compile(rf"(?<!\w)(?:{pattern})", re.IGNORECASE), make) for pattern, make in _PATTERNS[language]
    ]


def pieces(text: str, language: str) -> list[Piece]:
    """The time words of a sentence in their order; of those that overlap the longest, then the earlier rule."""
    found: list[tuple[int, int, Piece]] = []
    for place, (pattern, make) in enumerate(_compiled(language)):
        found.extend(
            (m.start() - m.end(), place, make(m)) for m in pattern.finditer(text) if m.end() > m.start()
        )
    kept: list[Piece] = []
    for _, _, one in sorted(found, key=lambda each: each[:2]):
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def settled(found: Sequence[Piece], said_at: datetime) -> Moment | None:
    """The moment that time words name together, for the local time of saying; None where it is not sure."""
    if any(one.unsure for one in found):
        return None
    days = [one.day for one in found if one.day is not None]
    clocks = [one for one in found if one.clock is not None]
    distances = [one.elapsed for one in found if one.elapsed is not None]
    vague = any(one.vague for one in found)
    if len(days) > 1 or len(clocks) > 1 or len(distances) > 1 or (distances and (days or clocks or vague)):
        return None
    if distances:
        return Moment((said_at.astimezone(UTC) + distances[0]).astimezone(said_at.tzinfo), Due.MINUTE)
    if vague:
        return None if days or clocks else Moment(None, None)
    day = days[0](said_at) if days else None
    if days and day is None:
        return None
    if not clocks:
        if day is None:
            return None
        return Moment(datetime.combine(day, time(0), said_at.tzinfo), Due.DAY)
    evening = any(one.evening for one in found)
    return Moment(_at(clocks[0], day, said_at, evening=evening), Due.MINUTE)


def _at(one: Piece, day: date | None, said_at: datetime, *, evening: bool) -> datetime:
    """A clock time on its day, or its next occurrence."""
    assert one.clock is not None, "only pieces with a clock come here"
    hour = one.clock.hour
    if (one.bare and evening and hour < 12) or (one.bare and 1 <= hour <= 6):
        hour += 12
    zone = one.zone or said_at.tzinfo
    local = said_at.astimezone(zone)
    moment = datetime.combine(day or local.date(), time(hour, one.clock.minute), zone)
    if day is None and moment <= local:
        moment = datetime.combine(local.date() + timedelta(days=1), moment.time(), zone)
    return moment.astimezone(said_at.tzinfo)
