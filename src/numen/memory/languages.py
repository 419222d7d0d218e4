"""Which language a text is in, told by its function words, and what a word's stem is there.

A turn of a few words tells its language by the small words in it or not at all; then it is taken to be in
the language of its script, English for Latin. That is enough for stemming, which is all it is used for:
a question's word is looked for under its stem in each language that the rows searched are in.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Protocol, cast

import Stemmer


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


_Maker = Callable[[str, int], _Stemmer]

DEFAULT = "english"
"""The language of a text in Latin script that shows no other."""

_SMALL_WORDS = {
    "english": """a about above after again all also am an and any are as at be because been before being
    both but by can could did do does doing down during each few for from further had has have having he her
    here hers him his how i if in into is it its just me more most my no nor not now of off on once only or
    other our ours out over own she should so some such than that the their them then there these they this
    those through to too under until up us very was we were what when where which while who whom whose why
    will with would you your yours don doesn didn isn aren wasn weren won wouldn shouldn couldn hasn haven
    hadn ain ll ve re im id ive""",
    "german": """aber alle als am an auch auf aus bei bin bis bist da damit das dass dein deine dem den der
    des die dir doch du durch ein eine einem einen einer eines er es euch für gegen hab habe haben hat hatte
    ich ihm ihn ihr ihre im in ist ja jetzt kann kein keine man mein meine meinem meinen meiner mich mir mit
    nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unser vom von vor war waren
    was weil wenn wer werden wie wieder wir wird wo zu zum zur wann""",
    "french": """à au aux avec ce ces cet cette dans de des du elle elles en es est et être eu il ils j je l
    la le les leur leurs lui ma mais me mes moi mon n ne nos notre nous on ont ou où par pas pour qu que
    quel quelle qui quand sa sans se ses si son sont suis sur ta te tes toi ton tu un une vos votre vous c d
    s était ai""",
    "spanish": """a al algo como con cuando cuándo de del desde donde dónde el él ella ellas ellos en era es
    esa ese eso esta está este esto estoy fue ha hay la las le les lo los más me mi mis muy nada no nos o
    para pero por porque qué que quién se ser si sí sin sobre son soy su sus también te tengo tiene tu tus
    un una unos y ya yo""",
    "italian": """a ai al alla alle anche che chi ci come con così cosa da dal dalla dei del della delle di
    dove e è era gli ha ho i il in io l la le lei lo loro ma me mi mia mio miei mie nel nella noi non o ogni
    per perché più quando quella quello questa questo qui se sei si sono su sua suo ti tra tu tuo tua un una
    uno vi""",
    "portuguese": """a ao aos as às até com como da das de dela dele do dos e é ela ele eles em era essa
    esse esta está estou este eu foi há isso isto já lhe mais mas me meu minha meus minhas muito na não nas
    nem no nos nós o os ou para pela pelo por porque qual quando que quem se sem ser seu sua são só também
    te tem tenho um uma você""",
    "dutch": """aan al als bij dan dat de der deze die dit doen door dus een en er ge geen haar had heb
    hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kunnen maar me meer met mij mijn na naar
    niet nog nu of om omdat onder ons ook op over te tot u uit van veel voor waar wanneer want was wat we
    wel werd wie wij wil zal ze zich zij zijn zo zou""",
    "swedish": """alla att av blev bli då de dem den denna det detta dig din du där efter ej eller en ett
    för från han har hade hans här hon hur i inte jag kan med men mig min mina mitt mot när nu och om oss på
    sig sin sitt ska så till under upp ut vad var vem vi vid är åt över""",
    "danish": """af alle at blev bliver da de dem den denne der deres det dette dig din du efter eller en er
    et for fra han har havde hende hendes her hun hvad hvem hvis hvor hvornår i ikke jeg kan man med men mig
    min mit mine ned nogle nu når og også om op os på sig sin skal så til ud under var vi vil være""",
    "norwegian": """alle at av ble bli da de deg dem den denne der dere deres det dette din ditt du eller en
    er et etter for fra ham han har hadde henne hennes her hun hva hvem hvis hvor hvordan i ikke jeg kan man
    med meg men min mitt mine noe når nå og også om opp oss på seg sin skal så til ut var vi vil være""",
    "finnish": """ei eli en että ei hän hänen he ja jo jos joka jotka kanssa koska kuin kun kuka kyllä me
    mikä minä minun minulla minut missä mitä mutta myös ne niin nyt olen oli olla on ovat se sen siellä sinä
    sinun sitä tai tämä te vain vaan voi milloin""",
    "hungarian": """a az és egy én te ő mi ti ők hogy nem is volt van ez de ha már csak meg mert mint el azt
    ezt vagy mit ki hol mikor nekem neki lesz kell még""",
    "romanian": """a ai al ale am ar are asta au avea că ca care ce cea cel cine cum cu da dar de din ea ei
    el este eu fi fost în îi îl la le lor lui mai mă mea meu mi ne nici noi nu o pe pentru sau să se sunt și
    te tu un una unde va vă când""",
    "turkish": """acaba ama ben beni benim bir biz bu çok da daha de değil diye en gibi hem her için ile ise
    kadar ki kim mi mı mu mü ne neden nerede o olan olarak onu onun sen şey siz şu ve veya var yok zaman""",
    "russian": """а без был была были было быть в вам вас во вот все всё вы где да для до его ее её если
    есть ещё еще же за и из или им их к как когда кто ли меня мне мой моя мои мы на надо нас не него нет но
    ну о об он она они от по под при с со так там тебе тебя то только ты у уже что чтобы эта это этот я""",
    "greek": """ο η το οι τα του της των τον την και να με σε για από που πως είναι ήταν έχω έχει δεν θα μου
    σου του μας σας τους ένα μια αλλά ή αν πότε τι ποιος""",
}
FUNCTION_WORDS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
"""The small words of each language that is told: they carry no subject, and they are not searched for."""

_BY_SCRIPT = (
    (re.compile("[\u0400-\u052f]"), "russian"),
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "greek"),
    (re.compile("[\u0600-\u06ff]"), "arabic"),
    (re.compile("[\u0900-\u097f]"), "hindi"),
    (re.compile("[\u0b80-\u0bff]"), "tamil"),
    (re.compile("[\u0530-\u058f]"), "armenian"),
)
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in FUNCTION_WORDS.items():
    for _word in _words:
        _LANGUAGES_OF.setdefault(_word, []).append(_language)

_STEMMERS: dict[str, _Stemmer] = {}
_STEMMING = threading.Lock()


def language_of(words: Iterable[str]) -> str:
    """The language of a text, given its words in lower case: the one whose function words are most of them.

    A word that several languages have counts for each; at a tie the earlier in the table above wins, so
    English does. Without any it is the script's language.
    """
    words = list(words)
    votes = dict.fromkeys(FUNCTION_WORDS, 0)
    for word in words:
        for language in _LANGUAGES_OF.get(word, ()):
            votes[language] += 1
    best = max(votes, key=lambda language: votes[language])
    if votes[best]:
        return best
    text = " ".join(words)
    return next((language for script, language in _BY_SCRIPT if script.search(text)), DEFAULT)


@lru_cache(maxsize=1 << 15)
def stem(word: str, language: str) -> str:
    """The stem of a word in lower case, by Snowball; a short word or one with digits is its own."""
    if len(word) < 3 or not word.isalpha():
        return word
    with _STEMMING:  # a stemmer keeps its own buffer: one word at a time
        stemmer = _STEMMERS.get(language)
        if stemmer is None:
            make = cast("_Maker", Stemmer.Stemmer)  # pyright: ignore[reportUnknownMemberType]
            stemmer = _STEMMERS[language] = make(language, 0)
        return stemmer.stemWord(word)
