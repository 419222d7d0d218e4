# ruff: noqa: E501
"""The words by which people ask to be left alone, in six languages: what `optout` reads with.

All are folded: lower case, no accents. `KEYWORDS` are whole messages; `FILLERS` and `LEADS` may stand before
and around; `DEMANDS` begin a clause; `NARROWING` makes one mean a time, a place or a matter, and `WIDENING`
takes that back. Sources: carriers' keyword lists, and the ways that people are seen to ask in public threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

FILLERS: Sequence[str] = (
    # en
    "please", "pls", "plz", "thanks", "thank you", "thx", "ty", "now", "right now", "just", "ok", "okay", "hi",
    "hello", "hey", "sorry", "immediately", "already", "guys", "man", "kindly", "asap", "really", "seriously",
    "omg", "ffs", "ugh", "wtf", "lol", "bro", "bruh", "nah", "nope", "yo", "jesus", "smh", "already", "no thanks", "no thank you",
    # de
    "bitte", "danke", "vielen dank", "jetzt", "sofort", "einfach", "mal", "doch", "endlich", "hallo", "umgehend",
    # fr
    "s'il vous plait", "s'il te plait", "svp", "stp", "merci", "maintenant", "tout de suite", "bonjour",
    "immediatement", "enfin",
    # es
    "por favor", "porfa", "porfavor", "gracias", "ya", "ahora", "hola", "inmediatamente", "ahora mismo",
    # pt
    "pf", "pfv", "faz favor", "se faz favor", "obrigado", "obrigada", "agora", "ja", "ola", "oi",
    "imediatamente",
    # it
    "per favore", "per piacere", "per cortesia", "grazie", "adesso", "ora", "subito", "ciao", "immediatamente",
)  # fmt: skip
"""Politeness and haste: a message is the same without them."""

KEYWORDS: Sequence[str] = (
    # en: the carriers' words, and whole messages that mean nothing else
    "stop", "stop all", "stopall", "stop it", "stop this", "stop that", "stop everything", "stop stop", "end",
    "end all", "cancel", "cancel all", "quit", "unsubscribe", "unsubscribe all", "unsubscribe me", "unsub",
    "unsuscribe", "unsubcribe", "unsubscibe", "remove", "remove me", "opt out", "optout", "opt me out", "opting out",
    "revoke", "cease", "halt", "leave me alone", "go away", "no more", "stop stop stop", "make it stop",
    "stop2end", "stop2quit", "stop to end", "text stop", "reply stop", "i want out", "mute me", "leave me out of this", "please end this", "end this", "unfollow me", "lass mich", "lasst mich", "lass es", "go bother someone else", "stop it with the messages",
    # de
    "stopp", "stop alle", "stop alles", "stopp alle", "stopp alles", "ende", "abmelden", "abbestellen",
    "austragen", "aufhoren", "hor auf", "hort auf", "horen sie auf", "schluss", "schluss damit", "abmeldung",
    "loschen", "widerruf", "kundigen", "lass das", "lasst das", "kuendigen", "aufhoeren", "loeschen",
    # fr
    "arret", "arreter", "arretez", "arrete", "arretez tout", "tout arreter", "stop tout", "desabonner",
    "desabonnez moi", "desabonnement", "desabonne moi", "desinscrire", "desinscription", "fin", "ca suffit",
    "resilier", "annuler", "se desabonner", "se desinscrire", "me desinscrire", "me desabonner", "supprimer",
    # es
    "alto", "parar", "para", "pare", "paren", "basta", "baja", "dar de baja", "darse de baja", "darme de baja",
    "salir", "cancelar", "cancelar todo", "detener", "detente", "detenganse", "no mas", "terminar", "desuscribir",
    "desuscribirme", "desuscribirse", "eliminar", "parar todo", "stop todo", "anular", "cancelar suscripcion",
    # pt
    "parem", "sair", "descadastrar", "descadastre", "chega", "remover", "fim", "parar tudo", "cancelar tudo",
    "cancelar inscricao", "cancelar subscricao", "stop tudo", "encerrar", "desinscrever", "descadastro",
    # it
    "ferma", "fermatevi", "cancella", "cancellami", "cancella tutto", "disiscrivi", "disiscrivimi",
    "disiscriviti", "disiscrizione", "rimuovi", "rimuovimi", "smetti", "smettila", "smettetela", "annulla", "esci",
    "termina", "revoca", "stop a tutto", "annulla iscrizione", "disdici", "fermare", "disattiva", "cancellazione",
)  # fmt: skip

LEADS: Sequence[str] = (
    r"and", r"so", r"but", r"look", r"listen", r"again", r"yes", r"no", r"once again", r"for the last time",
    r"i said", r"i (?:told|asked|have asked|already asked|already told) you(?: guys| all)?(?: nicely| already| before)? to", r"(?:u|you) (?:gotta|better|really need to|should just)", r"i (?:want|need|would like|'d like|ask|am asking|'m asking|beg) you(?: guys| all)? to",
    r"i'd like you to", r"i'm asking you to", r"(?:can|could|would|will) you(?: guys| all)?", r"you (?:need|have) to",
    r"you must", r"you should", r"you can", r"you people", r"y'all", r"everyone", r"team", r"bot", r"numen", r"dude",
    r"fucking", r"damn", r"god", r"wrong number", r"i'm asking nicely", r"would you mind", r"i request that you",
    r"und", r"also", r"nein", r"ich mochte dass (?:sie|ihr|du)", r"ich sagte", r"konnten sie", r"konnt ihr",
    r"kannst du", r"konnen sie", r"ich bitte (?:sie|euch|dich)", r"zum letzten mal", r"noch einmal",
    r"et", r"alors", r"non", r"je vous demande de", r"je te demande de", r"de", r"pouvez vous", r"peux tu",
    r"veuillez(?: egalement)?", r"je vous prie de", r"je te prie de", r"je souhaite que vous", r"pourriez vous", r"j'ai dit", r"merci de", r"merci d'", r"priere de",
    r"y", r"pero", r"les pido que", r"le pido que", r"te pido que", r"pueden", r"puedes", r"podrian", r"oye", r"oiga",
    r"quiero que", r"les ruego(?: que)?", r"le ruego(?: que)?", r"ruego(?: que)?", r"les agradeceria que", r"le agradeceria que", r"agradeceria que", r"solicito que", r"hagan el favor de", r"haga el favor de", r"ya les dije que", r"he dicho que", r"os pido que", r"que",
    r"e", r"mas", r"peco que", r"solicito que", r"agradeco que", r"agradecia que", r"peco-vos que", r"peco-lhe que", r"peco vos que", r"peco lhe que", r"queiram", r"pedi que", r"podem", r"pode", r"podes", r"quero que", r"olha", r"favor",
    r"ma", r"si prega di", r"siete pregati di", r"vogliate", r"vi prego di", r"vi chiedo di", r"ti chiedo di", r"le chiedo di", r"potete", r"puoi", r"vi prego",
    r"ti prego", r"la prego", r"la prego di", r"dai", r"ho detto", r"senti", r"sentite",
)  # fmt: skip
"""What may stand before a demand in its clause: who is spoken to, and that it is one."""

_ABOUT = r"(?=.*\b(?:numero|number|contact\w*|contat\w*|contatt\w*|list\w*|elenco|verteiler|nummer|messag\w*|messagg\w*|mensa\w*|nachricht\w*|sms|texts?|texted|texting|e ?mails?|correos?|call\w*|kontakt\w*|dados|datos|donnees|daten|dati|baja|communicat\w*|comunica\w*|opt out|removal|removed|unsubscri\w*|consent|permission|removido|removida|rimoss[oa]|rubrica|base|cadastro|subscri\w*|suscri\w*|iscri\w*|inscri\w*|hear\w*|envio\w*|envoi\w*|invi\w*|werbung|versand|zusendung\w*|derang\w*|disturb\w*|molest\w*|incomod\w*|saber|sapere|horen|recib\w*|receb\w*|recev\w*|ricev\w*|receiv\w*|notif\w*|alerts?|llam\w*|ligac\w*|chiam\w*|appel\w*|anruf\w*|escrib\w*|escrev\w*|scriv\w*|ecri\w*|write|writing|textos?|newsletters?|entendre|sentir\w*|legg\w*))"
"""Somewhere in the clause it is about being written to."""

_EN_WORDS = (
    r"(?:messages?|messaging|texts?|texting|text messages?|sms|smses|calls?|calling|e ?mails?|e ?mailing|mails?|mailing|"
    r"spam|spamming|notifications?|reminders?|updates?|pings?|pinging|msgs?|alerts|newsletters?|offers|promos?|"
    r"promotions|ads|communications?|contact|correspondence|whatsapps|dms)"
)
_EN_DOING = (
    r"(?:messaging|texting|contacting|calling|e ?mailing|mailing|writing(?: to)?|pinging|bothering|harassing|"
    r"spamming|sms ?ing|whatsapping|disturbing|pestering|bugging|hitting|blowing|notifying|reaching out to|dming|annoying|hitting up|"
    r"blowing up|msging)"
)
_EN_DO = (
    r"(?:message|text|contact|call|e ?mail|mail|write(?: to)?|ping|bother|harass|spam|sms|whatsapp|disturb|pester|"
    r"bug|notify|reach out to|dm|msg|reach|send(?: messages| texts| anything| stuff)? to)"
)
_EN_ME = r"(?:me up|up my (?:phone|cell)|me|us|this (?:number|phone|cell|address|line)|my (?:number|phone|cell|inbox|e ?mail)|here|to this number|at this number)"

_DE_WORDS = (
    r"(?:nachricht(?:en)?|sms|mails?|e ?mails?|textnachrichten|anrufe?|mitteilungen|messages|werbung|newsletter|"
    r"erinnerungen|post|whatsapps?|kontakt|kontaktaufnahme|meldungen|benachrichtigungen)"
)
_DE_ADVERBS = r"(?:(?:bitte|doch|endlich|einfach|jetzt|sofort|mal|ab sofort|ab jetzt|hier|uns|mir|mich|an diese nummer|an mich|damit|bloss|ja|per sms|per mail|auf dieser nummer)\s+)*"
_FR_WORDS = (
    r"(?:messages?|sms|textos?|mails?|e ?mails?|courriels?|notifications?|envois|appels?|pubs?|publicites?|"
    r"newsletters?|rappels?|relances?|sollicitations?)"
)
_FR_TAIL = rf"(?=$| (?:(?:des|de|tous|vos|tes|ces|d'|autant de|toujours|sans arret|encore|svp|s'il|stp|merci|maintenant|a|sur|ici|et|ou|je|tout|pour rien|la|le|les|n'importe quoi|tes trucs)\b|{_FR_WORDS}))"
"""What may follow who is bothered: not a name that one is called by."""

_FR_DOING = (
    r"(?:m'ecrire|m'envoyer|me contacter|m'appeler|me texter|me deranger|me spammer|me harceler|me solliciter|"
    r"me relancer|m'embeter|nous contacter|nous ecrire|nous envoyer|nous deranger|me joindre|m'importuner|"
    r"me rappeler|me messager|me saouler|me souler|envoyer (?:des|vos|ces|tes|de) (?:messages|sms|textos|mails))"
)
_ES_WORDS = (
    r"(?:mensajes?|mensajitos|sms|textos?|correos?|llamadas?|mails?|e ?mails?|notificaciones|avisos|publicidad|"
    r"whatsapps?|recordatorios|promociones|comunicaciones)"
)
_ES_TAIL = rf"(?=$| (?:(?:mas|ya|a|por|de|tus|sus|esos|estos|tantos|cosas|y|o|aqui|todo|los|la|este|nunca|siempre|mil)\b|{_ES_WORDS}))"

_PT_WORDS = (
    r"(?:mensagens|mensagem|msgs?|sms|textos?|e ?mails?|ligacoes|chamadas|notificacoes|avisos|publicidade|"
    r"whatsapps?|lembretes|promocoes|contactos?|contatos?|comunicacoes|propagandas?)"
)
_PT_TAIL = rf"(?=$| (?:(?:mais|ja|por|de|suas|tuas|essas|estas|tantas|coisas|e|ou|aqui|tudo|a|este|nunca|sempre|para)\b|{_PT_WORDS}))"

_IT_WORDS = (
    r"(?:messaggi|messaggio|messaggini|sms|mail|e ?mail|chiamate|telefonate|notifiche|avvisi|pubblicita|"
    r"whatsapp|promemoria|promozioni|comunicazioni|contatti)"
)

_IT_TAIL = rf"(?=$| (?:(?:piu|sempre|a|al|i|questi|tanti|cose|roba|e|o|qui|tutto|ogni|continuamente|su)\b|{_IT_WORDS}))"

DEMANDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "stop-doing": rf"(?:stop|quit|cease|refrain from|give up|knock off|stop all)(?: ever| fucking| even| constantly)? {_EN_DOING}(?: {_EN_ME})?(?=$| (?:please|anymore|any ?more|again|all|at|on|with|and|or|about|everyday|every|so|before|until|while|during|when|because|it|i|you|for|in|from|this|ever|altogether|completely|forever))",
        "stop-sending": rf"(?:stop|quit|cease) sending(?: out)?(?: (?:me|us|to me|any ?more|any|all|these|those|this|your|the|so many|stuff|things|it|messages?|texts?))*(?: {_EN_WORDS})?",
        "stop-words": rf"(?:stop|end|cease|cancel|no more|no further|enough(?: already)?(?: of| with)?|quit|turn off|halt|not? any more)(?: with)?(?: of)?(?: (?:all|any|the|these|those|your|this|my|more|further|future|unsolicited|marketing|automated|automatic|daily|and))* {_EN_WORDS}(?: {_EN_WORDS})*(?: (?:or|and) {_EN_WORDS})?(?=$| (?:to|from you|and|any ?more|already|at|on|in|here|before|until|while|during|when|about|please|i|for|by))",
        "do-not": rf"(?:don't|dont|do not|never|never ever|must not|may not|not to|shouldn't|stop to)(?: you)?(?: ever| even| dare)? {_EN_DO}(?: {_EN_ME})?(?: or {_EN_DO}(?: {_EN_ME})?)?(?=$| (?:please|anymore|any|again|ever|at|on|in|before|until|till|while|during|when|if|unless|between|after|about|for|so|tonight|today|tomorrow|or|and|under|from|by|via|i|back|over))",
        "do-not-send": rf"(?:don't|dont|do not|never) send(?: (?:me|us|here|to me))?(?: (?:any|any ?more|anything|more|these|those|this|your|else|messages?|texts?|again|further))+(?: {_EN_WORDS})?",
        "not-wanted": rf"{_ABOUT}(?:i|we) (?:don't|dont|do not|no longer|never|really don't|would rather not|didn't|did not|don't even)(?: really| ever)? (?:want|wish|care|need|like|agree|consent|sign(?:ed)? up|ask(?:ed)?)(?: to)?(?: (?:get|getting|receive|receiving|hear from|be (?:contacted|messaged|texted|called|on)|see|have|for|any ?more|any|all|these|those|this|your|the|of|further|such|you to (?:contact|text|message|call|write))+)+(?: {_EN_WORDS}| you| me| list| lists)?(?: by you)?",
        "consent": r"(?:i|we)(?: hereby| am| 'm|'m)? (?:withdraw(?:ing)?|revok(?:e|ing)|rescind(?:ing)?|retract(?:ing)?|take back|cancel|withhold) (?:(?:my|our|any|all) )?(?:consent|permission|agreement|opt in)(?=$| (?:to|for|given|and))",
        "off-list": r"(?:take|remove|delete|drop|strike|get|cross|scratch|keep|erase|pull) (?:me|us|my (?:number|name|contact(?: details| info(?:rmation)?)?|details|phone number|phone|e ?mail(?: address)?|address|info|data)|this number|this phone)(?: off| from| out)+(?: of)?(?: (?:your|the|this|these|all|any|every|whatever|our|mailing|mail|text|texting|sms|contact|contacts|call|calling|phone|distribution|e ?mail|marketing|message|messaging|and|or|of|subscriber|notification|broadcast|damn|group))* (?:lists?|databases?|contacts?|systems?|records?|directory|address book|phone book|phonebook|recipients|files?|texts?|messages|newsletter)",
        "how-out": r"(?:how|where) (?:do|can|could|would) (?:i|we) (?:unsubscribe|opt out|stop (?:these|this|getting|receiving)|get off|turn (?:this|these) off|get out)(?: (?:from|of))?(?: (?:this|these|here|your|the (?:list|texts|messages)|it))?(?: (?:texts?|messages?|list|emails?|notifications?))?(?=$)",
        "off-this": r"(?:take|remove|get|drop) me off(?: of)? (?:this|these|your)(?: (?:thing|stuff|list|texts?|messages?))?(?=$)",
        "off-your-list": r"(?:take|remove|delete|drop) me from (?:this|these|here|your (?:texts?|messages|contacts))",
        "lose-number": r"(?:lose|delete|forget|erase|remove|drop|scrub|ditch|burn|block)(?: all)? (?:my|this|our|the)(?: phone| cell| mobile)? (?:number|contact(?: info| details)?|digits)(?=$| (?:and|please|or|from (?:your|this|all|any)|now|already|you))",
        "alone": r"(?:leave|let) (?:me|us)(?: (?:the (?:hell|fuck|heck)|tf|tfh|the f))? (?:alone|be|in peace)(?: already)?(?=$| (?:and|or|please|from|you|already|forever|for good|i|about|until|till|for a|for an|while|when|today|tonight|now|with))",
        "unsubscribe": r"(?:unsubscribe|unsub|unsuscribe|opt)(?: (?:me|us|this number|my number|my phone))?(?: out)?(?: (?:from|of|to))? (?:this|these|your|all|everything|any|here|the (?:list|texts|messages|service|newsletter))(?: .*)?",
        "unsubscribe-me": r"(?:unsubscribe|unsub|unsuscribe|opt|sign|count)(?: (?:me|us|this number|my number))(?: out| off)?(?=$| (?:and|or|already|completely|asap))",
        "wish-out": r"(?:i|we)(?: (?:want|would like|wish|need|'d like|like|am|choose|have decided|hereby))*(?:'d like|'m| want)?(?: to)? (?:unsubscribe|opt out|opting out|be removed|be taken off|be left alone|stop (?:receiving|getting)|no longer receive|not receive)(?: .*)?",
        "go-away": r"(?:go away|get lost|piss off|fuck off|buzz off|bugger off|get off my (?:phone|back|case)|f off|shut up and go|do not disturb me)(?=$| (?:and|or|already|forever|you))",
        "no-contact": r"(?:do not contact|do not text|do not call|do not message|don't contact|don't text|don't message|don't write|no contact|no texting|no texts|cease contact|cease and desist|stop contact)(?: any ?more| again| ever again)?(?=$| (?:please|me|us|this|and))",
        "make-stop": rf"make (?:it|this|the {_EN_WORDS}|these {_EN_WORDS}|them) stop",
        "stop-now": r"(?:just )?stop(?: it| this| that)?(?: right)? (?:now|already|immediately|at once|for good|forever|everything)(?=$)",
        "someone": r"(?:can|could|would) (?:someone|anyone|somebody) (?:please )?(?:remove|unsubscribe|take|drop|delete) me(?: (?:from|off|of))*(?: (?:this|the|these|your|all))? ?(?:lists?|threads?|emails?|mails?|notifications?|repository|repo|issue|group)?(?=$)",
        "no-more": r"no more of (?:these|this|those|your|them)(?: \w+)?(?=$)",
        "formal": rf"{_ABOUT}(?:(?:i|we)(?:'d)? (?:(?:would |'d |) (?:appreciate it if|prefer if|prefer it if|rather) you (?:stopped|ceased|quit|didn't|did not|no longer)|(?:do not|don't|no longer) (?:consent|agree|give (?:you )?(?:my )?(?:consent|permission))|object|am not interested in|'m not interested in|am no longer interested in|'m no longer interested in|(?:would |'d |)(?:prefer|rather) not(?: to)?|(?:hereby )?(?:request|demand|ask)(?: for)?(?: the| my| to be| that you| you to)*(?: (?:removal|removed|remove|deletion|deleted|delete|stop|cease|taken))|(?:wish|want|prefer|ask|demand|request|would like|do) (?:not |to not )?to (?:not )?be (?:contacted|messaged|texted|called|emailed|written to))|(?:ensure|make sure|see to it)(?: that)? (?:i am|i'm|i do|my number is)(?: not|n't| no longer)|you (?:no longer|do not|don't|never) (?:have|had)(?: (?:my|our|any|the))? (?:consent|permission)|consider this (?:my|a|an) (?:\w+ )?(?:opt out|removal|unsubscribe|request)|this is (?:my|a|an) (?:\w+ )*(?:opt out|removal|unsubscribe)|discontinue (?:sending|all|any|these|your|contact|contacting)|(?:refrain|desist|abstain) from (?:{_EN_DOING}|sending|any|all|further|future))(?: .*)?",
        "my-details": r"(?:remove|delete|erase|purge|wipe) (?:all )?(?:my|our) (?:details|contact details|data|personal data|information|contact information|phone number|number|e ?mail|e ?mail address|name)(?: from (?:your|all|any|the) (?:\w+ )?(?:list|lists|database|databases|system|systems|records|contacts|files|crm))?(?: and .*)?(?=$)",
        "end-service": r"(?:cancel|end|stop|deactivate|terminate)(?: (?:this|my|the|your|sms|text|message|messaging))+ (?:subscription|service|messages|alerts)(?= to (?:your|this|these|the)|$)",
    },
    "de": {
        "hor-auf": rf"(?:hor|hore|hort|horen sie|hoer|hoert|hoeren sie) {_DE_ADVERBS}auf(?: {_DE_ADVERBS}(?:mit .*{_DE_WORDS}|.*zu (?:schreiben|nerven|texten|senden|schicken|kontaktieren|storen|belastigen)|.*an(?:zurufen|zuschreiben)))",
        "nicht-mehr": rf"(?:schreib|schreibe|schreibt|schreiben sie|kontaktier|kontaktiere|kontaktiert|kontaktieren sie|sende|sendet|senden sie|schick|schicke|schickt|schicken sie|text|texte|textet|texten sie|nerv|nerve|nervt|nerven sie|belastig|belastige|belastigt|belastigen sie|stor|store|stort|storen sie|melde? dich|meldet euch|melden sie sich|ruf|ruft|rufen sie|simst|simse|spam|spamme|spammt|kontakt)(?P<inner>.*?) (?:nicht mehr|nie mehr|nie wieder|niemals wieder|nicht weiter|nicht wieder|keine .*mehr|nichts mehr|keine weiteren|keine {_DE_WORDS}|nicht(?=$| an$| bitte))(?: an)?",
        "nicht-schreiben": rf"(?:{_DE_ADVERBS})(?:nicht mehr|nie wieder|nie mehr|nicht weiter|nicht langer|nicht)(?P<inner>.*?) (?:schreiben|anschreiben|kontaktieren|anrufen|texten|melden|storen|nerven|belastigen|zusenden|zuschicken|schicken|senden)(?=$)",
        "keine-mehr": rf"(?:{_DE_ADVERBS})(?:keine|keinerlei|null|nie mehr|nie wieder|kein)(?: weiteren?| einzige| solchen?| neuen?)?(?: {_DE_WORDS})(?: (?:oder|und) {_DE_WORDS})?(?: mehr)?(?P<inner>.*)",
        "ruhe": rf"(?:lass|lasse|lasst|lassen sie) (?:mich|uns) {_DE_ADVERBS}(?:in ruhe|in frieden|zufrieden)(?=$| (?:und|ich|ihr|sonst|damit|verdammt|mit))",
        "ruhe-lassen": r"(?:mich|uns) .*in (?:ruhe|frieden) (?:zu )?lassen(?=$)",
        "liste-nehmen": r"(?:mich|uns|meine (?:nummer|daten|adresse)) .*(?:von|aus) .*(?:liste|listen|verteiler|datenbank|kontakten) .*(?:nehmen|streichen|loschen|entfernen|austragen|auszutragen)(?=$)",
        "liste": rf"(?:nimm|nehmt|nehmen sie|streich|streiche|streicht|streichen sie|losch|losche|loscht|loschen sie|loesch|loesche|loescht|loeschen sie|entfern|entferne|entfernt|entfernen sie|trag|trage|tragt|tragen sie|werft|wirf) {_DE_ADVERBS}(?:mich|uns|meine (?:nummer|daten|handynummer|telefonnummer|adresse|mailadresse)|meinen (?:namen|kontakt|eintrag)|diese nummer) {_DE_ADVERBS}(?:aus|von)(?: (?:deiner|deinem|ihrer|ihrem|eurer|eurem|der|dem|dieser|diesem|allen|allem|euren|ihren|deinen|den|saemtlichen|samtlichen))? ?\w*(?:liste|listen|verteiler|verteilern|datenbank|kartei|adressbuch|kontakten|system|telefonbuch)",
        "nummer": rf"(?:losch|losche|loscht|loschen sie|loesche|loescht|loeschen sie|vergiss|vergesst|vergessen sie|entfern|entferne|entfernt|entfernen sie|streich|streichen sie|verlier) {_DE_ADVERBS}(?:meine|diese) (?:nummer|handynummer|telefonnummer|kontaktdaten|daten)",
        "abmelden": rf"(?:meld|melde|meldet|melden sie|trag|trage|tragt|tragen sie|bestell|bestellt|kundigen sie) (?:mich|uns) {_DE_ADVERBS}(?:ab|aus|hiervon ab|davon ab|uberall ab|von allem ab|von (?:euren|ihren|diesen|allen|eurem|ihrem|diesem) .*(?:ab|aus))(?=$| )",
        "will-keine": rf"(?:ich|wir)? ?(?:will|wollen|mochte|mochten|wunsche|wunschen|brauche|habe)(?: ich| wir)? {_DE_ADVERBS}(?:gar |wirklich |ab sofort |kunftig |in zukunft |auch |von (?:euch|ihnen|dir) )*(?:keine|keinen|keinerlei|nichts|nicht mehr|nicht|nie wieder|nie mehr)(?: weiteren?)?(?: lust mehr auf (?:eure|ihre|deine|diese))?(?: (?:von (?:euch|ihnen|dir)|eure|ihre|diese|deine))?(?:(?: {_DE_WORDS})| mehr (?:horen|lesen|bekommen|erhalten|empfangen|wissen)|(?: mehr)? (?:kontaktiert|angeschrieben|angerufen|belastigt|gestort))(?P<inner>.*)",
        "abmelden-will": r"(?:ich|wir) (?:mochte|will|mochten|wollen) (?:mich|uns) (?:abmelden|austragen|hiervon abmelden|abmelden bitte)|(?:ich|wir) (?:melde|melden|trage) (?:mich|uns) (?:hiermit )?(?:ab|aus)",
        "einwilligung": r"(?:(?:ich|wir|hiermit) )*(?:widerruf(?:e|en)?|entzieh(?:e|en)|zieh(?:e|en)|nehm(?:e|en))(?: ich| wir)?(?: hiermit)? (?:meine|meiner|die|unsere|jede|jegliche) (?:einwilligung|zustimmung|erlaubnis|einverstandnis).*",
        "schluss": rf"(?:schluss|genug|stopp?|aus|ende)(?: jetzt)? (?:mit|von|der|die|den)(?: den| diesen| euren| ihren| deinen| der| dieser| alle| allen)* ?{_DE_WORDS}",
        "formell": rf"{_ABOUT}(?:(?:ich|hiermit|wir) )*(?:widersprech(?:e|en)|untersag(?:e|en)|verbiet(?:e|en)|verbitt(?:e|en)|unterlass(?:t|en sie|e)|unterlassen sie|stell(?:t|en sie)?|sehen sie|sieh|seht)(?: ich| wir)?(?: mir| hiermit| bitte| ab sofort| kunftig| in zukunft)* .*(?:{_DE_WORDS}|versand|zusendung\w*|kontaktaufnahmen?|nutzung|verwendung|kontaktierung).*|(?:ich|wir) bitten? (?:(?:sie|euch|dich) )?(?:hiermit )?um (?:die )?(?:loschung|entfernung|austragung|streichung|abmeldung).*",
        "liste-kurz": r"(?:mich |bitte |uns )*(?:raus |weg )?(?:aus|von) (?:der|dem|dieser|diesem|ihrer|eurer|deiner|eurem|ihrem|deinem|allen) (?:liste|verteiler|listen|verteilern|adressliste|kontakten)(?: (?:bitte|nehmen|streichen|loschen|entfernen|austragen|raus))*(?=$)",
        "bock": rf"(?:ich (?:hab|habe) )?(?:kein(?:en)?|null) (?:bock|lust|interesse) (?:mehr )?(?:auf|an) (?:deine|eure|ihre|diese|weitere|weiteren|deinen|euren|ihren)? ?{_DE_WORDS}",
        "verschone": r"verschon(?:e|t|en sie)? (?:mich|uns)(?=$| (?:mit|bitte|damit))",
        "nichts-mehr": r"(?:ich )?(?:will|mochte) (?:nie wieder|nichts|nie mehr)(?: mehr)? (?:etwas |was )?von (?:dir|euch|ihnen)(?: (?:mehr|wieder))? horen",
        "weg": r"(?:verschwinde|verschwindet|hau ab|haut ab|verpiss dich|verpisst euch|zieh leine)(?=$| )",
        "stopp-nachrichten": rf"stopp?(?:en sie|t)?(?: (?:bitte|alle|die|diese|eure|ihre|mit|den|diesen|euren|ihren))* {_DE_WORDS}",
    },
    "fr": {
        "arrete": rf"(?:arret(?:e|ez|er|ons)|cess(?:e|ez|er)|stopp?(?:e|ez|er)?|halte|y en a marre|marre|assez|basta)(?: (?:tout|toute|toutes|tous|donc|avec|a|aux|de|d|les|des|vos|tes|ces|ce|l|d'|immediatement))*(?: ?d'| )(?:{_FR_DOING}{_FR_TAIL}|(?:(?:les|vos|tes|ces|tous|envoyer|de|des|l'envoi) )*(?:l'envoi de |l'envoi des )?{_FR_WORDS}(?=$| (?:a|de|svp|s'il|merci|et|sur|maintenant|publicitaires|commerciaux|incessants|aussi|pendant|avant|le|la|ce|tard)))(?P<inner>.*)",
        "ne-plus": r"(?:(?:je|on) )?(?:ne |n')?(?:m'|me |nous )?(?:ecri(?:s|vez|ve)|envoy(?:ez|er)|envoi(?:e|es)|contact(?:e|es|ez|er)|appel(?:le|les|ez|er)|derang(?:e|es|ez|er)|text(?:e|es|ez|er)|sollicit(?:e|es|ez|er)|relanc(?:e|es|ez|er)|recontact(?:e|es|ez|er)|embet(?:e|es|ez)|harcel(?:e|es|ez)|spam(?:me|mez)|rappel(?:ez|le)|joign(?:ez|s)|importun(?:e|ez))(?: moi| nous)? (?:plus|pas|jamais)(?P<inner>.*)",
        "ne-plus-infinitif": rf"(?:de )?ne (?:plus|pas|jamais) (?:jamais )?{_FR_DOING}(?P<inner>.*)",
        "plus-de": rf"(?:(?:je (?:ne )?veux|il n'y ait) )?(?:plus|pas|aucun|plus aucun|plus jamais|stop aux|non aux|assez)(?: (?:de|d'|un seul|aucun))? ?{_FR_WORDS}(?=$| (?:svp|stp|s'il|a|sur|non|publicitaires|commerciaux|et|merci|maintenant|ici))",
        "paix": r"(?:laisse|laissez|fiche|fichez|fous|foutez)[ -]?(?:moi|nous)(?: donc| un peu| enfin)? (?:tranquille|tranquilles|en paix|la paix)(?=$| (?:et|avec|je|sinon|merci|maintenant|une bonne))",
        "liste": r"(?:supprim|retir|enlev|effac|ray|desinscri|desabonn|radi|sort|ot|vir|biff)\w*[ -](?:moi|nous|mon (?:numero|nom|contact|adresse|mail)|mes (?:coordonnees|donnees)|ce numero)(?: (?:de|des|du|hors de))(?: (?:votre|vos|ta|tes|la|cette|toutes|les|ces|ce|tous))*(?: \w+)? ?(?:listes?|fichiers?|bases?|contacts|repertoires?|carnets?|messages|envois|sms|newsletters?)",
        "numero": r"(?:supprim|effac|oubli|perd|retir|enlev|ray)\w* (?:mon|ce) (?:numero|contact|06|nom)",
        "desabonne": r"(?:desabonn|desinscri|radi)\w*[ -](?:moi|nous)(?=$| (?:de (?:tout|vos|votre|cette|ces|la liste|ta)|et|des vos|immediatement))",
        "je-me": r"je (?:me |veux me |souhaite me |voudrais me |desire me |tiens a me )(?:desabonn\w+|desinscri\w+|retir\w+)(?=$| (?:de (?:vos|votre|cette|ces|tout|ta|tes)|des (?:messages|sms)|et))",
        "je-ne-veux": rf"{_ABOUT}je (?:ne |n')?(?:veux|souhaite|desire|voudrais|tiens|accepte|ai)(?: a)? (?:plus|pas|ne plus)(?: etre (?:contacte|derange|sollicite|appele|relance)e?| recevoir| rien recevoir| entendre parler| avoir| que (?:vous|tu) (?:me|m')| de nouvelles| de)*.*",
        "souhaite-ne-plus": r"je (?:souhaite|veux|voudrais|desire|prefere|demande a|demande de)(?: a)? ne (?:plus|pas) (?:etre|recevoir|avoir).*",
        "consentement": r"je (?:retire|revoque|annule|reprends)(?: par la presente)? (?:mon|tout|ma) (?:consentement|accord|autorisation|permission).*",
        "me-retirer": r"(?:de )?(?:me|nous) (?:retirer|supprimer|enlever|effacer|rayer|radier|sortir|desinscrire|desabonner|oter|laisser (?:tranquille|en paix|la paix))(?=$| (?:de (?:votre|vos|ta|tes|cette|toutes|tous|ces|la liste)|des (?:messages|sms|envois)|du fichier|et|immediatement))",
        "mes-coordonnees": r"(?:de )?(?:supprim|effac|retir|enlev)\w* (?:mes (?:coordonnees|donnees)|mon (?:numero|adresse|nom|contact))(?=$| )",
        "formel": rf"(?:je m'oppose a|je refuse|je n'accepte plus|(?:de )?(?:cess|arret|interromp|stopp)\w*) (?:tout|toute|toutes|tous|vos|votre|l'|les|de recevoir|d'autres|la|cet|ces)(?: ?(?:vos|les|votre|nouvel|nouveau|autre|future?s?))*(?: ?(?:envois?|contacts?|{_FR_WORDS}|communications?|prise de contact|demarchage|prospection|utilisation|sollicitation)).*",
        "lache": r"lache(?:z)?[ -](?:moi|nous)(?: la grappe| les baskets)?(?=$| (?:maintenant|et))",
        "ouste": r"(?:degage|degagez|fous le camp|foutez le camp|va t'en|allez vous en|du balai)(?=$| )",
    },
    "es": {
        "para": rf"(?:para(?= (?:ya )?(?:de|con) )|pare|paren|parad|dejaran|dejasen|deja|deje|dejen|dejad|cesa|cese|cesen|detengan|parar|dejar|cesar|alto|stop|basta(?= (?:ya )?(?:de|con) ))(?: ya| tu| todos?| a| la| el| los| esos| estos| tus| sus| con)*(?: de| con| a)?(?: (?:los|esos|estos|tus|sus|tantos|el|envio|de|me|nos|a))*(?: (?:escribir|escribirme|escribirnos|escribiendome|mandar|mandarme|mandarnos|enviar|enviarme|enviarnos|contactarme|contactar|molestar|molestarme|llamarme|textearme|fastidiar|fastidiarme|acosarme|insistir|spamear|spamearme|joder|joderme|notificarme|contactarnos|molestarnos){_ES_TAIL}(?P<inner>.*)| {_ES_WORDS}(?=$| (?:a|ya|de|por|y|en|antes|hasta|mas|para|masivos|publicitarios|comerciales)))",
        "no-me": rf"(?:ya |nunca |jamas )?no (?:me |nos )?(?:vuelv(?:a|as|an|ais) a )?(?:(?:escrib|mand|envi|contact|molest|llam|text|busq|fastidi|acos|notifi)\w*)(?: (?:mas|nunca mas|jamas|nada|ningun|otro|otra vez|nunca|aqui|a este numero|a este telefono|{_ES_WORDS}))*(?P<inner>.*)",
        "no-quiero": rf"{_ABOUT}(?:(?:yo )?(?:ya )?no (?:quiero|deseo|quisiera|necesito|me interesa|acepto|queremos|autorizo)|(?:quiero|deseo|me gustaria) (?:no|dejar de)) (?:(?:que me|volver a|seguir|mas|recibir|recibiendo|sus|tus|estos|esos|ningun|saber|nada|ser|saber nada|contactad[oa]|leer|(?:escriban|escribas|contacten|molesten|manden|llamen)) ?)+(?:de (?:ustedes|ti|usted|vosotros|esto))?(?: ?{_ES_WORDS})?(?P<inner>.*)",
        "no-mas": rf"(?:no|ni|ningun|cero|stop|nada de|ni un|ni uno)(?: (?:mas|un|otro))* {_ES_WORDS}(?: mas)?(?P<inner>.*)",
        "paz": r"(?:deja|deje|dejen|dejad|deje)(?:me|nme|dme|nos|nnos)(?: ya| de una vez)? (?:en paz|tranquil[oa]s?)(?=$| (?:y|ya|de|por|que no|o|carajo|joder))",
        "lista": r"(?:quit|sac|saq|borr|elimin|retir|suprim|remuev|remov|tach|baj)\w*(?:me|nos)(?: por favor)? de (?:su|sus|tu|tus|la|esta|vuestra|vuestras|todas|las|este|el|esa|cualquier)(?: (?:sus|las|lista de))* ?(?:listas?|base|bases|agenda|directorio|contactos|registros?|grupo de difusion|sistema)(?: (?:de (?:envios?|contactos|difusion|correo|correos|distribucion|datos|mensajes|sms)))?(?=$| (?:y|ya|por|porque|gracias))",
        "quiero-fuera": rf"{_ABOUT}(?:ya )?(?:no (?:quiero|deseo) (?:pertenecer|estar|seguir|figurar|aparecer)|(?:quisiera|quiero|deseo|solicito|pido|me gustaria|gustaria|agradeceria|agradezco|favor de|ruego|necesito)(?: (?:que|me|ser|no|se|cancelar|la|mi|mis|dejar de))*) ?(?:recib\w+|elimin\w+|borr\w+|retir\w+|quit\w+|suscripcion|envi\w+|mand\w+|contact\w+|en|a)\b.*(?:lista|base|datos|mensajes?|correos?|sms|numero|contact\w+|registros?).*",
        "pido-que": r".{0,40}?(?:pedir|pedirles|solicitar|solicitarles) (?:que )?(?:dejen de (?:contactar|escribir|enviar|mandar|molestar)\w*|no me (?:contacten|escriban|envien|manden)).*",
        "numero": r"(?:borr|elimin|olvid|pierd|perd|suprim|quit|sac|saq)\w* (?:mi|este|mis) (?:numero|contacto|datos|telefono|celular|movil|nombre)",
        "baja": r"(?:(?:quiero|deseo|solicito|necesito|quisiera|pido|me) )?(?:da|de|den|dad|dar|dame|deme|denme|dadme|darme|doy|causar)(?:me)? (?:de )?(?:la )?baja(?=$| (?:de (?:su|sus|tu|tus|esta|este|estos|todo|todas|la lista|los mensajes|vuestr\w+)|a? ?mi (?:numero|contacto|telefono)|ya|y|en (?:su|esta)|inmediata))|(?:solicito|quiero|pido) (?:la|mi) baja",
        "consentimiento": r"(?:(?:yo|por la presente) )?(?:retiro|revoco|anulo|cancelo|quito) (?:mi|el|todo) (?:consentimiento|permiso|autorizacion).*",
        "formal": rf"{_ABOUT}(?:(?:solicito|pido|ruego|exijo|les ruego|le ruego|les pido|agradeceria|agradezco|les agradeceria|le agradeceria|les solicito|por la presente solicito)(?: que)? (?:(?:me|mis|mi|se|la|el) )*(?:den de baja|elimin\w+|borr\w+|retir\w+|quit\w+|supri\w+|remuev\w+|dej\w+ de|ces\w+|no me|remocion|cancelacion|baja).*|me opongo a .*|(?:abstengase|abstenganse|absteneos) de .*|ces(?:e|en|ad) (?:el|los|todo|todos|cualquier) (?:envio|envios|contacto|comunicacion|mensajes?).*)",
        "vete": r"(?:vete|largate|largaos|larguense|vayanse|piérdete|pierdete|vete a la mierda)(?=$| )",
        "suscripcion": r"(?:desuscrib\w*(?:me|nos)|cancel\w* (?:mi|la|esta) suscripcion)(?=$| (?:de (?:esto|sus|tus|todo|esta|estos|su)|a (?:sus|estos)|y|ya))",
    },
    "pt": {
        "pare": rf"(?:para(?= (?:ja |logo )?(?:de|com) )|pare|parem|parai|deixa|deixe|deixem|cessa|cesse|cessem|basta(?= (?:ja )?(?:de|com) )|chega(?= (?:ja )?(?:de|com) )|parar|chega ja|stop)(?: ja| logo| com| de| a| as| os| essas?| estas?| esses?| suas| tuas| tantas| vossas| me| nos| mais)* (?:(?:escrever|mandar|enviar|contactar|contatar|incomodar|ligar|chatear|spammar|perturbar|encher|importunar|assediar|notificar|molestar|insistir|escreverem|mandarem|enviarem)(?:-?me|-?nos| me| nos)?{_PT_TAIL}(?P<inner>.*)|{_PT_WORDS}(?=$| (?:a|ja|de|por|e|em|no|na|antes|ate|para|mais)))",
        "nao-me": r"(?:nao|nunca mais|jamais|nunca|nem) (?:me |nos )?(?:volt(?:e|es|em) a )?(?:me )?(?:escrev|mand|envi|contact|contat|incomod|lig|chate|perturb|procur|importun|tent)\w*(?: me| nos|-me|-nos)?(?: (?:mais|nunca mais|nada|nenhuma|de novo|aqui|para este numero))*(?P<inner>.*)",
        "nao-quero": rf"{_ABOUT}(?:(?:eu )?(?:ja )?nao (?:quero|desejo|queria|pretendo|preciso|aceito|autorizo|gostaria)|(?:quero|desejo|gostaria de) (?:nao|deixar de|parar de)) (?:(?:que me|mais|receber|recebendo|de|suas|tuas|vossas|essas|estas|nenhuma|saber|nada|ser|voltar a|contactad[oa]|contatad[oa]|incomodad[oa]|ler|(?:escrevam|contactem|contatem|incomodem|mandem|liguem)) ?)+(?: ?{_PT_WORDS})?(?P<inner>.*)",
        "sem-mais": rf"(?:sem mais|nada de|nem mais uma|nenhuma|chega de|mais nenhuma|nao mais|nem uma|basta de)(?: (?:mais|outra|estas|essas))* ?{_PT_WORDS}(?: mais)?(?P<inner>.*)",
        "paz": r"(?:me )?(?:deixa|deixe|deixem|deixai|larga|largue|larguem|deixa-|deixe-|deixem-)(?:-?m[ea]|-?nos)?(?: me)? (?:em paz|sossegad[oa]|quiet[oa]|da mao|em sossego)(?=$| )|me larga(?=$| )",
        "lista": r"(?:me )?(?:tir|remov|retir|elimin|apag|exclu|risc|delet)\w*(?:[ -]?(?:me|nos))? (?:(?:o )?(?:meu|este) (?:numero|contacto|contato|nome) )?(?:d[aeo]s?|desta|dessa|deste|de toda[s]?)(?: (?:sua|suas|tua|vossa|vossas|toda|todas|essa|esta|as))* ?(?:listas?|base|bases|agenda|contactos|contatos|cadastro|registos?|registros?|sistema)(?: de (?:contactos?|contatos?|envios?|emails?|distribuicao|transmissao|dados|mensagens|sms|difusao))?(?=$| (?:e|ja|por|obrigad[oa]|agora|de))",
        "quero-fora": rf"{_ABOUT}(?:gostaria de|desejo|quero|solicito|peco|pretendo|agradeco|favor|queria|venho pedir)(?: (?:que|me|ser|nao|para|a|o|deixar de))* (?:receb\w+|remov\w+|retirad\w+|exclu\w+|eliminad\w+|apagad\w+|enviar|mandar|contact\w+) .*(?:lista|base|dados|mensage\w+|e ?mails?|sms|numero|contact\w+|cadastro).*",
        "meu-da-lista": r"(?:tir|remov|retir|elimin|apag|exclu|delet)\w* (?:o )?(?:meu|minha|este) \w+ (?:d[aeo]s?|desta|dessa|d[ao] voss[ao]) .*(?:lista|base|agenda|contactos|contatos|cadastro)(?=$)",
        "numero": r"(?:apag|esquec|elimin|remov|delet|perc|perd|tir|exclu)\w* (?:o )?(?:meu|este) (?:numero|contacto|contato|telefone|telemovel|celular|cadastro)",
        "cancelar": r"(?:(?:quero|desejo|gostaria de|vou|preciso) )?(?:me )?(?:descadastr\w+|desinscrev\w+|desinscri\w+)(?:-?me)?(?=$| (?:d[aeo]s?|dessa|desta|e|ja|por))",
        "cancelar-inscricao": r"(?:(?:quero|desejo) )?cancel\w* (?:a )?(?:minha|esta|a) (?:subscricao|inscricao|assinatura)(?=$| (?:destas|dessas|das vossas|nesta|e))",
        "consentimento": r"(?:eu )?(?:retiro|revogo|cancelo|anulo) (?:o|o meu|meu|todo o) (?:consentimento|autorizacao|permissao).*|(?:eu )?(?:retiro|revogo) (?:a|a minha|minha) (?:autorizacao|permissao).*",
        "formal": rf"{_ABOUT}(?:(?:solicito|peco|exijo|requeiro|agradeco|agradecia|agradeceria|venho solicitar|gostaria de solicitar)(?: a| o| que| por favor| me)* (?:remocao|remov\w+|elimin\w+|exclu\w+|cancelamento|retir\w+|tir\w+|deix\w+ de|cess\w+|nao me|nao|apag\w+|descadastr\w+).*|oponho-? ?me a .*|abstenh\w+-? ?se de .*|cess(?:e|em) (?:o|os|todo|todos|qualquer|imediatamente o) (?:envio|envios|contacto|contato|comunicacao|mensagens).*|queiram (?:remover|retirar|eliminar|tirar).*)",
        "some": r"(?:some daqui|suma|sumam|vai embora|vao embora|desaparece|desaparecam|cai fora)(?=$| )",
    },
    "it": {
        "smetti": rf"(?:smett(?:i|a|ete|ano|ila|etela|erla|ere|iamola)|piantala|piantatela|finiscila|finitela|basta(?= (?:di|con|coi) )|basta(?= {_IT_WORDS})|cessate|cessa|stop|fermate|ferma|dateci un taglio|la smetta)(?: (?:subito|ora|una volta per tutte))?(?: (?:di|con|a|ai|coi|tutti|i|gli|le|questi|questo|quei|tutto|tutte|vostri|tuoi|suoi|l'invio|invio|dei|degli|d))* ?(?:(?:scriver|mandar|contattar|inviar|disturbar|telefonar|chiamar|infastidir|molestar|assillar|tormentar|spammar|importunar|messaggiar|stressar)(?:mi|ci|e(?: (?:piu|a me|a noi|a questo numero|{_IT_WORDS}))?(?=$)){_IT_TAIL}(?P<inner>.*)|{_IT_WORDS}(?=$| (?:a|da|per|e|al|su|di|in|prima|fino|durante|pubblicitari|commerciali|continui)))",
        "non-piu": r"(?:non|mai piu|non mi|non ci) ?(?:mi |ci |provate a |provi a |osate )?(?:devi |dovete |deve )?(?:piu )?(?:scriv|mand|contatt|invi|disturb|telefon|chiam|infastid|molest|cerc|assill|importun|messaggi)\w*(?: (?:piu|mai piu|mai|altro|niente|nulla|qui|a questo numero|altri|nessun))*(?P<inner>.*)",
        "non-voglio": rf"{_ABOUT}(?:io )?(?:non (?:voglio|desidero|vorrei|intendo|gradisco|accetto|autorizzo|mi interessa)|(?:vorrei|voglio|desidero) (?:non|smettere di)) (?:(?:che mi|piu|ricevere|ricever|i|vostri|tuoi|suoi|questi|altri|nessun|sapere|niente|nulla|essere|contattat[oa]|disturbat[oa]|sentire|sentirvi|leggere|(?:scriviate|contattiate|scriva|scriva|contatti|disturbiate)) ?)+(?: ?{_IT_WORDS})?(?P<inner>.*)",
        "niente": rf"(?:niente|nessun|nessuno|no|mai|zero|non)(?: (?:piu|altri|altro|ai|a|questi|i|vostri))* {_IT_WORDS}(?: piu)?(?P<inner>.*)",
        "pace": r"(?:lascia|lasciate|lasci|mi lasci|mi lasciate|ci lasci)(?:mi|temi|ci|teci)?(?: un po)? (?:in pace|stare|perdere|tranquill[oa]|respirare)(?=$| )",
        "lista": r"(?:mi |ci )?(?:tog|rimuov|cancell|elimin|lev|depenn|tolg|escl)\w* ?(?:(?:il mio|questo) (?:numero|contatto|nome) )?(?:dall[aeo']|dai|dal|da|dagli|dalle)(?: ?(?:vostr[aeio]|tu[aeo]|su[aeo]|tutte|quest[aeio]|le|la|ogni))* ?(?:list[ae]|elenc(?:o|hi)|contatti|rubric[ae]|database|registri?|archivio|mailing)(?: (?:di (?:contatti|distribuzione|invio|messaggi)|contatti|broadcast|list))*(?=$| (?:e|ora|per|grazie|di))",
        "numero": r"(?:cancell|dimentic|elimin|perd|rimuov|butt|scord)\w* (?:il mio|questo|il) (?:numero|contatto|telefono|cellulare|mio numero)",
        "disiscrivi": r"(?:(?:voglio|vorrei|desidero|chiedo di|mi|intendo) )?(?:disiscriv\w*|cancellarmi|disdire l'iscrizione|mi cancello|disiscrivo)(?=$| (?:da (?:tutto|questo|questa|voi)|dall[ae] (?:vostra|vostre)|dai (?:vostri|messaggi)|subito))",
        "consenso": r"(?:io )?(?:revoco|ritiro|annullo|tolgo|nego) (?:il|il mio|ogni) (?:consenso|permesso)(?: .*)?|(?:revoco|ritiro) l'autorizzazione.*",
        "formale": rf"{_ABOUT}(?:(?:chiedo|desidero|vorrei|voglio|richiedo|esigo|vi chiedo|le chiedo|si richiede|con la presente chiedo)(?: che| di| la| l'| il)*(?: (?:mi|essere|venga|venire|vengano|siano|i miei dati|il mio numero))* ?(?:cancell\w+|rimo\w+|elimin\w+|tolt\w+|disiscri\w+|non essere|non (?:ricevere|venire)|cess\w+).*|mi oppongo a.*|(?:astenetevi|si astenga|vi prego di astenervi) da.*|(?:cessate|cessi|interrompete|interrompa|sospendete) (?:ogni|l'|gli|i|qualsiasi|tutte le|tutti i)(?: ?(?:invio|invii|comunicazione|comunicazioni|contatto|messaggi|sms)).*|vogliate (?:cancell|rimuov|elimin|toglier)\w+.*)",
        "via": r"(?:vattene|andate via|andatevene|sparite|sparisci|vai via|levati|levatevi)(?=$| )",
    },
}  # fmt: skip
"""By language: a name, and how a clause begins that is a demand."""

NEUTRAL: Sequence[str] = (
    r"(?:this is (?:the|a) |you have (?:the|a) |you've got the )?wrong (?:number|person|guy)", r"i said", r"i mean it", r"i(?:'m| am) serious",
    r"who(?: the \w+)? (?:is|are) (?:this|you)", r"not interested", r"i(?:'m| am) not interested", r"no", r"enough", r"enough is enough",
    r"i(?:'ve| have)? (?:already )?(?:asked|told) you(?: \w+)*", r"have a (?:nice|good|great) day", r"i don't know you", r"(?:best|kind) regards", r"i (?:never|didn't|did not) (?:sign up|signed up|ask|asked|agree|agreed|subscribe|subscribed)(?: (?:for|to) (?:this|these|that|it|any of this))?", r"who gave you (?:my|this) number", r"new phone(?: who dis)?", r"who dis", r"(?:i'm|im|i am) good", r"whoever (?:this|you) (?:is|are)", r"this is not \w+(?:'s)?(?: number)?",
    r"falsche nummer", r"kein interesse", r"wer (?:ist das|sind sie|bist du)", r"mir reicht's", r"es reicht", r"mauvais numero", r"pas interessee?",
    r"numero equivocado", r"no me interesa", r"numero errado", r"nao tenho interesse", r"numero sbagliato", r"non mi interessa", r"non sono interessat[oa]",
    r"ya no mas", r"ya basta", r"qui etes vous", r"quien (?:es|eres)", r"quem e", r"chi (?:e|sei)",
)  # fmt: skip
"""Clauses that may stand beside a keyword and change nothing."""

WIDENING: Sequence[str] = (
    r"about (?:this|these|it|that|your|anything|every)(?: \w+)?", r"from this (?:thread|list|issue|chat|group)",
    r"at all", r"at this (?:number|address)", r"on this (?:number|phone|line)", r"on (?:my|the) (?:phone|cell|number|mobile)",
    r"in (?:the )?future", r"in any (?:way|form)", r"for good", r"for any reason", r"in my life", r"at once", r"on here",
    r"by (?:text|sms|phone|e ?mail)(?: or \w+)?", r"under any circumstances?", r"from now on", r"from (?:you|this number|your company)",
    r"in zukunft", r"in keiner weise", r"ab (?:sofort|jetzt|heute)", r"an (?:diese|meine) nummer", r"auf (?:diese|dieser|meiner) nummer",
    r"unter dieser nummer", r"von (?:euch|ihnen|dir)", r"auf (?:meinem|meinem) handy", r"per (?:sms|mail|whatsapp)",
    r"a l'avenir", r"sur (?:ce|mon) (?:numero|telephone|portable)", r"a ce numero", r"de (?:votre|ta) part", r"par (?:sms|mail|telephone)",
    r"en (?:el )?futuro", r"en adelante", r"a (?:este|mi) (?:numero|telefono|celular|movil)", r"por (?:sms|whatsapp|correo|telefono|este medio|aqui)",
    r"de su parte", r"de (?:ustedes|usted|ti)", r"en la vida", r"de una vez", r"en absoluto", r"de ninguna manera",
    r"no futuro", r"para (?:este|o meu|meu) (?:numero|telefone|telemovel|celular)", r"por (?:sms|whatsapp|email|aqui)", r"da vossa parte",
    r"neste numero", r"de (?:voces|vos)", r"na vida", r"a (?:questo|mio) numero", r"su questo numero", r"in futuro", r"da parte vostra",
    r"per (?:sms|mail|nessun motivo)", r"sul (?:mio )?(?:telefono|cellulare|numero)", r"al mio numero", r"una volta per tutte", r"d'ora in poi",
)  # fmt: skip
"""Words that narrow nothing, though one of them could."""

_CLOCK = r"\d{1,2}(?: ?(?:h|uhr|am|pm|heures?|ore|horas?))?(?: \d\d)?"

NARROWING: Mapping[str, Sequence[str]] = {
    "en": (
        "before", "until", "till", "while", "during", "when", "whenever", "if", "unless", "between", "after", "at", "on",
        "in", "tonight", "today", "tomorrow", "morning", "evening", "this (?:week|weekend|month|afternoon)", "so", "about",
        "for", "except", "instead", "by", "via", "yet", "just yet", "late", "early", "as", "than", "like", "to (?:bob|him|her|them|mom|dad|your|the)",
        "him", "her", "them", "his", "their", "regarding", "he", "she", "says?", "said", "told", "back", "over", "every (?:day|hour|minute|5|five|ten)",
        "for (?:a|an|one|the next)", "twice", "that often", "too", "both", "here's", "is", "was", "means", "work", "works", _CLOCK,
    ),
    "de": (
        "wahrend", "vor", "bis", "wenn", "falls", "abends", "nachts", "morgens", "mittags", "heute", "morgen", "am", "um",
        "in der", "im", "bei der", "beim", "zwischen", "nach", "uber", "solange", "ausser", "ihm", "ihr", "ihnen gesagt",
        "wegen", "spat", "fruh", "so", "sagte", "sagt", "hat", "er", "noch", "sondern", "statt", "tagsuber", "zu spat", "kurz", "eine weile", "einen moment", "sonntags", "samstags",
        "werktags", "montags", "freitags", "wochenende", "ob", "weil ich (?:schlafe|arbeite)", "gerade", "bevor", "ehe", "an (?:ihn|sie|mama|papa)", _CLOCK,
    ),
    "fr": (
        "avant", "jusqu'a", "jusqu'au", "pendant", "quand", "lorsque", "si", "entre", "apres", "ce soir", "demain", "aujourd'hui",
        "le (?:matin|soir|dimanche|samedi|lundi|week end)", "la nuit", "au (?:travail|bureau|lycee|cours)", "en (?:cours|reunion|classe)", "sauf",
        "durant", "tant que", "si (?:tard|tot)", "aussi", "tout de suite", "tard", "tot", "a propos", "au sujet", "a \\d+", "a midi",
        "sur le", "a (?:lui|elle|paul|maman)", "elle", "il", "dit", "pour", "dans", "lui", "leur", "encore", "les", "un (?:moment|instant|peu)", "que (?:deux|trois)",
        "a (?:la|l')", "cette semaine", "ce matin", "ce week end", "de rire", "du tout mal", "besoin", "tellement", "trop", "banque", _CLOCK,
    ),
    "es": (
        "antes", "hasta", "mientras", "durante", "cuando", "si", "entre", "despues", "esta (?:noche|tarde|semana|manana)", "manana", "hoy",
        "en", "a las", "tan", "salvo", "sobre", "por la", "de noche", "los (?:domingos|lunes|sabados|fines)", "al", "a (?:el|ella|juan|mama|la|las)",
        "excepto", "ella", "dijo", "dice", "todavia", "aun", "acerca", "para", "por las", "tarde", "temprano", "le", "les", "esto no es", "antes de",
        "un (?:rato|momento|ratito|poco)", "el (?:domingo|lunes|sabado|fin)", "fuera de", "tanto", "trabajando", _CLOCK,
    ),
    "pt": (
        "antes", "ate", "enquanto", "durante", "quando", "se", "entre", "depois", "hoje", "amanha", "na", "no", "em", "as \\d+", "a noite",
        "de (?:manha|noite|madrugada)", "aos (?:domingos|sabados)", "ao (?:domingo|sabado)", "tao", "salvo", "exceto", "sobre", "ela", "ele", "disse", "diz",
        "ainda", "para (?:o|a|ele|ela|casa)", "tarde", "cedo", "lhe", "ao", "esta (?:semana|tarde|noite)", "agora nao", "tanto", "fora", "pela", "pelo",
        "um (?:pouco|bocado|momento|minuto)", "nas", "nos (?:domingos|fins)", "a (?:ele|ela|mae)", "este fim", _CLOCK,
    ),
    "it": (
        "prima", "fino", "finche", "mentre", "durante", "quando", "se", "tra", "fra", "dopo", "stasera", "domani", "oggi", "in", "alle",
        "di (?:notte|sera|mattina|domenica|giorno)", "la (?:sera|notte|domenica|mattina)", "a (?:lezione|scuola|lavoro|cena|pranzo|lui|lei|mamma)", "al", "salvo", "cosi",
        "sul (?:lavoro|tavolo)", "lei", "lui", "ha detto", "dice", "ancora", "per (?:la|il|cena|casa|ora)", "tardi", "presto", "gli", "loro",
        "questa (?:settimana|sera|notte)", "troppo", "tanto", "un (?:attimo|momento|minuto|po)", "nel", "nella", "riguardo", "entro", "questo fine", "sto", "perche sto", "stanotte", _CLOCK,
    ),
}  # fmt: skip
"""By language: what makes a demand hold for a time, a place, a matter or another person only."""
