# ruff: noqa: E501
"""The ways to ask to be left alone, in six languages, as forms over small vocabularies.

All words are folded: lower case, no accents. A form is words in a row: `<stop>` is one of the language's
words of that name, `~` up to three words of any kind, `~~` up to six, `$` the end of the clause, `…` that what
follows is not looked at, `^` in front that only what may stand before a demand stands before it. The words come from carriers' keyword
lists and from how people are seen to ask in public threads.
"""

from __future__ import annotations

from collections.abc import Mapping

VOCABULARY: Mapping[str, Mapping[str, str]] = {
    "en": {
        "i": r"i|we|i'd|i'm|i am|i would|we'd",
        "unsub": r"unsubscribe|unsub|unsuscribe|unsubcribe|unsubscribed|opt|sign|unenroll|deregister",
        "stop": r"stop+|stahp|stpo|quit|cease(?: and desist)?|desist(?: from)?|halt|discontinue|refrain from|knock off|suspend|end|cancel",
        "writing": r"text(?:ing|in)|txt(?:ing|in)|mess?age?(?:ing|in)|msg(?:ing|in)|contact(?:ing|in)|call(?:ing|in)|e ?mailing|mailing|writing|pinging|bother(?:ing|in)|harr?ass(?:ing|in)|spamming|disturbing|pestering|bugging|notifying|reaching out|reaching|dming|annoying|sending|whatsapping|hassling|badgering|nagging|bombarding|phoning|ringing|hitting|blowing up|bugging|reminding",
        "write": r"text|txt|message|msg|contact|call|e ?mail|mail|write|ping|bother|harass|spam|disturb|pester|bug|notify|reach out|reach|dm|whatsapp|hassle|phone|ring|reply|respond|sms|approach|remind",
        "written": r"text(?:ed)?|messaged|contacted|called|e ?mailed|written to|pinged|bothered|disturbed|notified|spammed|reached out to|approached|hassled|on (?:your|this|the) (?:\w+ )?list",
        "wrote": r"texted|messaged|contacted|called|e ?mailed|wrote|pinged|bothered|sent",
        "mail": r"messages?|messaging|texts?|text messages?|sms|smses|calls?|e ?mails?|mails?|mailings?|spam|notifications?|reminders?|updates?|pings?|msgs?|alerts|newsletters?|offers|promos?|promotions|ads|communications?|contact|correspondence|whatsapps|dms|outreach|automated \w+",
        "me": r"me|us|this (?:number|phone|cell|address|line)|my (?:number|phone|cell|inbox|e ?mail)|here",
        "again": r"again|any ?more|any longer|ever|no more|further|from now on|at all",
        "dont": r"don't|do not|never|not to|shouldn't|should not|must not|may not|can you not|won't you not|not",
        "you": r"you|your|this|these|those|yours|numen|here",
        "remove": r"remove|take|delete|erase|drop|scrub|cross|strike|block|leave|get|wipe|pull|scratch|keep|count|unsubscribe|purge|cut",
        "mine": r"me|us|my (?:\w+ )?(?:number|name|contact|details|data|info\w*|phone|e ?mail|address|digits)|this (?:number|phone)|our (?:number|name)",
        "list": r"lists?|contacts?|phone|phonebook|database|systems?|records?|mailings?|messages|texts|thread|address book|everything|all|files?|this|these|it|those",
    },
    "de": {
        "i": r"(?:ich|wir) (?:mochten?|will|wollen|wunsche|wunschen|wurde|habe?|hatte|brauche|bitten?|bevorzuge)|mochte ich|ich",
        "stop": r"hort?e?|horen sie|auf|aufhoren|aufzuhoren|stopp?(?:t|en)?(?: sie)?|schluss|unterlass\w*|beende\w*|einstell\w*|einzustellen|stell\w*|lass\w* es|genug|spar\w*",
        "write": r"(?:an|zu)?(?:zu)?(?:schreib(?:e|t|en)?|kontaktier(?:e|t|en)?|ruf(?:e|t|en)?|meld(?:e|et|en)?|schick(?:e|t|en)?|send(?:e|et|en)?|nerv(?:e|t|en)?|belastig(?:e|t|en)?|stor(?:e|t|en)?|text(?:e|et|en)?|spamm?(?:e|t|en)?|simsen?|sims(?:e|t)|behellig(?:e|t|en)|benachrichtig(?:e|t|en)|angeschrieben|kontaktaufnehmen)",
        "written": r"kontaktiert|angeschrieben|angerufen|belastigt|gestort|genervt|benachrichtigt|behelligt|erhalten|bekommen|horen|empfangen|lesen|wissen|kriegen",
        "mail": r"(?:text|werbe|sprach)?nachricht(?:en)?|sms|e ?mails?|mails?|anrufe?|mitteilungen|messages|werbung|newsletter|erinnerungen|post|whatsapps?|kontakte?|kontaktaufnahmen?|kontaktversuchen?|kontaktieren|meldungen|benachrichtigungen|zusendungen|texte|werbe\w+",
        "no": r"nicht mehr|nich mehr|nichtmehr|nie mehr|nie wieder|niemals wieder|nie|niemals|nicht weiter|nicht wieder|nichts mehr|nix mehr|keine \w+ mehr|keine weiteren?|nicht langer|kunftig nicht",
        "me": r"mich|mir|uns|diese nummer|meine nummer|dieser nummer",
        "mine": r"mich|uns|meine (?:\w+ )?(?:nummer|daten|adresse|handynummer|telefonnummer|kontaktdaten|mailadresse)|meinen (?:namen|kontakt|eintrag)|diese nummer",
        "remove": r"nehm\w*(?: sie)?|nimm|streich\w*(?: sie)?|losch\w*(?: sie)?|loesch\w*(?: sie)?|entfern\w*(?: sie)?|trag\w*(?: sie)?|wirf|werft|vergiss|vergesst|vergessen sie|verlier\w*|schmei\w+",
        "list": r"\w*liste|\w*listen|verteilern?|datenbank|kartei|adressbuch|kontakten|system|telefonbuch|register|kreis",
        "off": r"(?:raus|heraus|entfernen|streichen|loschen|loeschen|austragen|auszutragen|nehmen|abmelden|abzumelden)",
        "your": r"von (?:dir|euch|ihnen)|deine\w*|eure\w*|ihre\w*|diese\w*",
    },
    "fr": {
        "i": r"je(?: ne)?|nous(?: ne)?|j'en ai|j'ai|j'en|je n'",
        "stop": r"arret(?:e|es|ez|er|ons)|cess(?:e|ez|er)|stopp?(?:e|ez|er)?|d'arreter|de cesser|d'interrompre|interromp(?:s|ez|re)|suspend(?:s|ez|re)|halte|evite[sz]?|eviter|marre|assez|fini",
        "writing": r"(?:de |d')?(?:m'|me |nous |de nous |a )?(?:re)?(?:ecrire|envoyer|contacter|appeler|texter|deranger|spammer|harceler|solliciter|relancer|embeter|joindre|importuner|rappeler|messager|saouler|souler|recontacter|notifier|emmerder|gonfler)",
        "write": r"(?:m'|me |nous )?(?:re)?(?:ecri(?:s|vez|ve)|envoi(?:e|es)|envoy(?:ez|er)|contact(?:e|es|ez|er)|appel(?:le|les|ez|er)|derang(?:e|es|ez|er)|text(?:e|es|ez|er)|sollicit(?:e|es|ez|er)|relanc(?:e|es|ez|er)|embet(?:e|es|ez)|harcel(?:e|es|ez)|spam(?:me|mes|mez)|rappel(?:ez|le|les)|joign(?:ez|s)|importun(?:e|ez)|parl(?:e|es|ez)|saoul(?:e|es|ez)|emmerd(?:e|es|ez))",
        "written": r"contacte\w*|derange(?!r)\w*|sollicite(?!r)\w*|appele(?!r)\w*|relance\w*|recontacte\w*|importune\w*|recevoir|entendre|nouvelles?|avoir de (?:tes|vos) nouvelles|lire|notifie\w*",
        "mail": r"messages?|sms|textos?|mails?|e ?mails?|courriels?|notifications?|envois?|appels?|pubs?|publicites?|newsletters?|rappels?|relances?|sollicitations?|contacts?|communications?|demarchage|prospection|spam",
        "me": r"moi|me|nous|ce numero|mon numero",
        "mine": r"moi|nous|mon (?:\w+ )?(?:numero|nom|contact|adresse|mail|06)|mes (?:coordonnees|donnees|infos)|ce numero",
        "remove": r"(?:de |me |d'|m'|nous )*(?:supprim|retir|enlev|effac|ray|desinscri|desabonn|radi|sort|ot|vir|biff|oubli|perd|desinscriv)(?:e|ez|er|s|re|vez|ire|is|iver)?",
        "list": r"listes?|fichiers?|bases?|contacts|repertoires?|carnets?|messages|envois|sms|newsletters?|tout|diffusion",
        "your": r"vos|votre|tes|ta|ton|ces|cette|ce|vous|toi",
    },
    "es": {
        "stop": r"(?:de)?j(?:a|e|en|ad|ar|as)(?: ya)?|para|pare|paren|parad|parar|basta|cese|cesen|cesar|cesad|stop|alto|corta|corten|termina|terminen|suspend(?:a|an|e)|detengan?|interrumpan?",
        "writing": r"(?:escribir|mandar|enviar|contactar|molestar|llamar|textear|fastidiar|joder|acosar|spamear|hablar|incordiar|marcar|hinchar|mensajear|dar la lata|rayar|chingar)(?:me|nos|le|les)?(?:lo|los)?",
        "write": r"(?:escrib(?:as|an|a|ais|ieras|ieran|iera)|mand(?:es|en|e|eis|aras|aran|ara)|envi(?:es|en|e|eis|aras|aran|ara)|contact(?:es|en|e|eis|aras|aran|ara)|molest(?:es|en|e|eis|aras|aran)|llam(?:es|en|e|eis|aras|aran)|habl(?:es|en|e|eis)|fastidi(?:es|en|e|eis)|jod(?:as|an|a|ais)|vuelv(?:as|an|a|ais) a \w+|volvais a \w+|busqu(?:es|en|e)|marqu(?:es|en|e)|incordi(?:es|en|e)|chingu(?:es|en)|textee[sn]?)",
        "written": r"recib\w+|contactad\w+|molestad\w+|saber|llamadas|que me <write>|que nadie me <write>|leer|oir",
        "mail": r"mensajes?|mensajitos|sms|textos?|correos?|llamadas?|mails?|e ?mails?|notificaciones|avisos|publicidad|whatsapps?|recordatorios|promociones|comunicaciones|comunicacion|contacto|envios?|msjs?|messages?",
        "me": r"me|nos|a este numero",
        "mine": r"me|nos|mi (?:\w+ )?(?:numero|nombre|contacto|telefono|correo)|mis datos|este numero",
        "remove": r"(?:me |nos )?(?:borr|elimin|quit|sac|saqu|olvid|retir|remuev|remov|tach|excluy|desapunt|suprim)\w*",
        "list": r"listas?|bases?|agenda|contactos|registros?|sistema|grupo|ahi|todo|envios",
        "your": r"tu|tus|su|sus|vuestr\w+|est[eoa]s?|ustedes|usted|ti|vosotros",
    },
    "pt": {
        "stop": r"para|pare|parem|parar|parai|cess\w+|basta|chega|stop|suspend\w+|interromp\w+|encerr\w+|termin(?:e|em|ar)",
        "writing": r"(?:de |com |a )*(?:me |nos )?(?:escrever|mandar|enviar|contactar|contatar|incomodar|ligar|chatear|spammar|perturbar|encher|importunar|assediar|notificar|molestar|procurar|falar|insistir)(?:em)?(?: me| nos)?",
        "write": r"(?:me |nos )?(?:volt(?:e|es|em|a|ar) a )?(?:me |nos )?(?:escrev(?:a|am|as|e|er|erem)|mand(?:e|em|es|a|ar|assem)|envi(?:e|em|es|a|ar|assem)|contact(?:e|em|es|a|ar|assem)|contat(?:e|em|es|a|ar|assem)|incomod(?:e|em|es|a|ar)|lig(?:ue|uem|ues|a|ar)|chate(?:ie|iem|ies|ar)|perturb(?:e|em|es|a|ar)|procur(?:e|em|es|a|ar)|importun(?:e|em|es)|fal(?:e|em|es|a|ar)|cham(?:e|em|es|a|ar)|entr(?:e|em|es|ar|a) (?:mais )?em conta\w+|ench(?:a|am|e)|tent(?:e|em) (?:me )?\w+)",
        "written": r"receb\w+|contactad\w+|contatad\w+|incomodad\w+|saber|perturbad\w+|notificad\w+|ler|ouvir|procurad[oa]",
        "mail": r"mensagens|mensagem|msgs?|sms|textos?|e ?mails?|ligacoes|chamadas|notificacoes|avisos|publicidade|whatsapps?|lembretes|promocoes|contactos?|contatos?|comunicacoes|comunicacao|propagandas?|envios?|recebimento|spam|messages?",
        "me": r"me|mim|nos|comigo|conosco|connosco|este numero",
        "mine": r"me|nos|(?:o |a )?(?:meu|minha) (?:\w+ )?(?:numero|contacto|contato|telefone|telemovel|celular|cadastro|nome|email)|(?:os )?meus dados|este numero|esse numero",
        "remove": r"(?:me |nos )?(?:tir|remov|retir|elimin|apag|exclu|risc|delet|esquec|esquec|perc|bloque|removam)\w*",
        "list": r"listas?|bases?|agenda|contactos|contatos|cadastros?|registos?|registros?|sistema|grupo|daqui|tudo|envios|mailing",
        "your": r"tua|tuas|sua|suas|vossa|vossas|voss?os?|teus?|seus?|ess[ea]s?|est[ea]s?|isto|isso|voces?|vos|voce",
    },
    "it": {
        "stop": r"smett\w+|piant\w+|finisc\w+|finitela|basta(?! (?:un|una|che|poco)\b)|cess\w+|stop|fermat?e?|interromp\w+|sospend\w+|la smetta|evit(?:a|i|ate|are)",
        "writing": r"(?:scriver|mandar|contattar|inviar|disturbar|telefonar|chiamar|infastidir|molestar|assillar|tormentar|importunar|messaggiar|stressar|cercar|romper|spammar|ricontattar|seccar)(?:mi|ci|e|meli|mele)?",
        "write": r"(?:mi |ci )?(?:scriv(?:a|ano|ete|ere|ermi|erci|etemi|eteci)|mand(?:i|ate|are|armi|arci|atemi|atemene|ino)|contatt(?:i|ate|are|armi|arci|atemi|ateci|ino)|invi(?:i|ate|are|armi|atemi|ino)|disturb(?:i|ate|are|armi|arci|atemi|ateci|ino)|telefon(?:i|ate|are|armi|atemi)|(?:ri)?chiam(?:i|ate|atemi|are|armi|arci|atemi|ateci)|infastidi\w*|molest(?:i|ate|are|armi|atemi)|cerc(?:hi|ate|are|armi|atemi)|assill(?:i|ate|are|armi|atemi)|importun(?:i|ate|are|armi|atemi)|romp(?:ere|ete|ermi|etemi|erci|a)|ricontatt(?:i|ate|are|armi|atemi)|ricontattate)",
        "written": r"ricev\w+|contattat\w+|disturbat\w+|sapere|sentir\w*|chiamat[oa]|infastidit\w+|importunat\w+|leggere|avere notizie",
        "mail": r"messaggi|messaggio|messaggini|sms|mail|e ?mail|chiamate|telefonate|notifiche|avvisi|pubblicita|whatsapp|promemoria|promozioni|comunicazioni|comunicazione|contatti|contatto|(?:l'|d')?invio|invii|spam|msg|messages?",
        "me": r"me|mi|ci|questo numero",
        "mine": r"mi|ci|(?:il )?mio (?:\w+ )?(?:numero|contatto|nome|indirizzo|telefono)|i miei dati|questo numero",
        "remove": r"(?:mi |ci )?(?:tog|tolg|rimuov|cancell|elimin|lev|depenn|escl|dimentic|scord|butt|perd)\w*",
        "list": r"list[ae]|elenc\w+|contatti|rubric[ae]|database|registri?|archivio|mailing|tutto|sistema",
        "your": r"tu[aeo]i?|tuoi|su[aeo]i?|suoi|vostr[aeio]|quest[aeio]|voi|te|lei|vi",
    },
}  # fmt: skip
"""By language: names of small sets of words."""

FORMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "stop-writing": ("<stop> ~ <writing>", "<stop> ~ <mail>", "^(?:enough|no) (?:already|of|with)? ~ (?:the|these|those|your|all) <mail>", "^turn ~ <mail> off", "^turn off ~ <mail>"),
        "do-not": ("<dont> ~ <write> ~ (?:<me>|<again>)", "^<dont> <write> (?:back)? $", "^<dont> send ~ (?:<mail>|any\\w*|more|again|else|stuff|these|those|this)", "^<dont> <write> (?:to this)? or …", "^you ~ not to <write> <me>"),
        "no-more": ("^(?:please )?(?:no|no more|no further|zero) ~ <mail> $", "^(?:no|no more|no further) <mail> (?:to|for|from|at|on|or|and|of any)", "^no more of (?:this|these|those) $"),
        "no-wish": ("<i>? (?:<dont>|no longer) ~ (?:want|wish|care|like|agree|consent|desire|intend) ~ (?:(?:your|the) \\w+ to <write>|receive|receiving|hear from|hear anything|be <written>|being <written>|you to <write>|<you> <mail>|any <mail>|any ?more <mail>|any further <mail>|more <mail>|any more of|contact)", "^<i> ~ (?:want|like|prefer|wish) ~ no (?:more|further) <mail>", "<i>? (?:<dont>|no longer) ~ (?:want|wish|need|like) ~ (?:your|these|those|any|any more|further|more) (?:\\w+ )?<mail>", "<i>? ~ (?:no interest|not interested|tired|sick|done|fed up) (?:in|of|with) ~ (?:hearing|receiving|getting|<mail>) ~ <you>", "<i>? ~ (?:tired of|sick of|done with|fed up with) ~ (?:your|these) <mail>"),
        "rather": ("<i>? ~ (?:prefer|appreciate|rather|better|best|like|love|glad|grateful|nice) (?:it)? (?:if)? ~~ (?:didn't|did not|don't|not to|not|never|no longer|wouldn't|would not) ~ (?:<write>|<writing>|<wrote>|hear|get|receive|send) ~ (?:<me>|<again>|from you)", "<i>? ~ (?:prefer|rather|like|want|wish|ask|request) ~ not ~ be <written>", "<i>? ~ (?:appreciate|prefer|love|like|glad|grateful|nice) (?:it)? (?:if)? you ~ stop(?:ped)? ~ (?:<writing>|<mail>)", "(?:make sure|ensure|see to it) ~ (?:i|we|this number|my number|nobody|no one) (?:is|am|are|will)? (?:don't|not|never|no longer|contacts|texts|isn't|be)? ~ (?:get|receive|<written>|<me>) ~"),
        "remove": ("<remove> ~ <mine> ~ (?:off|from|out of|of) ~ <list> (?:this is|you have|it is|i'm on)?", "(?:remove|delete|lose|forget|erase|drop|scrub|burn|block|ditch|purge|wipe) (?:all )?(?:of )?<mine> $", "(?:remove|delete|lose|forget|erase|drop|scrub|ditch) <mine> (?:and|please|or|from your|now|already|as)", "(?:take|get|keep) ~ <mine> off(?: of)? $", "(?:get|keep|take) ~ (?:off|out of) my (?:phone|back|case|inbox)", "^(?:count|leave|cut) (?:me|us) out of ~ (?:<mail>|this|list)"),
        "alone": ("(?:leave|let) (?:me|us) (?:(?:the|tf) )?(?:(?:hell|fuck|heck|f|fk) )?(?:alone|be|in peace)", "^(?:get lost|buzz off|fuck off|piss off|bugger off|go to hell|sod off) $", "^(?:get lost|buzz off|fuck off|piss off|bugger off|go to hell|sod off) and ~~"),
        "opt-out": ("<i> ~ (?:want|like|need) ~ (?:these|this|those|the|your) ~ to (?:stop|end) $", "<i> ~ (?:want|like|wish) ~ (?:off|out of|to leave|to get off) ~ (?:<list>) $", "<i> (?:<dont>) want (?:these|those|any|any of (?:these|this)) $", "<i> (?:<dont>) want <mail> ~ from ~ (?:<you>|bot) …", "(?:appreciate|prefer) no (?:more|further)? <mail> $", "(?:request|wish|ask|asking|asked|want|demand) ~ to be (?:removed|taken off|deleted|unsubscribed|left alone) ~ ~ $", "^make ~ <mail> stop $", "^<i> ~ (?:want|like|wish|need|prefer|choose|ask|request|hereby)? (?:to)? (?:unsubscribe|unsubcribe|opt out|opting out|be removed|be taken off|be left alone|unsubscribing) (?:<you>|everything|all|please|now)? $", "^<i> ~ (?:want|like|wish|need|ask|request|hereby)? (?:to)? (?:unsubscribe|opt out|opting out|be removed|be taken off) (?:from|of) ~ (?:<you>|everything|all|any|further|future|the list) …", "^<unsub> <mine> (?:out|off|up)? $", "^<unsub> <mine>? (?:out|off)? (?:and|please|or|now|already|completely|asap|of all|from all|of everything|from everything) …", "^<unsub> <mine>? (?:out|off)? (?:from|of|to) ~ (?:<you>|everything|all|any|it|the list|the texts|the messages) …", "(?:how|where) (?:do|can) (?:i|we) (?:unsubscribe|opt out|stop|get off|turn|get out) ~ (?:this|these|here|your|it|you) ~ $"),
        "consent": ("<i>? ~ (?:withdraw(?:ing)?|revok(?:e|ing)|rescind(?:ing)?|cancel(?:ling)?|object|do not give|don't give|never gave) ~ (?:consent|permission|agreement|contact|processing|communications?) …", "(?:do not|don't) (?:have|give) ~ (?:consent|permission) to <write>"),
        "threat": ("^(?:if|one more|next|another) ~ (?:you)? ~ (?:<write>|<mail>|time) ~ (?:and|again|me) ~ ~ (?:report|police|lawyer|block\\w*|sue|harassment|authorities|charges|reporting|complaint) …",),
    },
    "de": {
        "hor-auf": ("(?:hort?e?|horen sie) ~ (?:auf|damit|endlich)? ~~ <write>", "(?:hort?e?|horen sie) ~ auf ~ mit ~ <mail>", "(?:aufhoren|aufzuhoren|unterlassen|unterlasst|einstellen|einzustellen) ~ (?:<write>|<mail>)", "(?:aufhoren|aufzuhoren|zu unterlassen) $", "^(?:bitte )?(?:stopp?t?(?:en)?|beende\\w*|unterlass\\w*|schluss|genug|stell\\w*|spar\\w*) ~ (?:<mail>)", "^(?:stopp(?:e|t|en)?|beende\\w*)(?: sie)? ~ (?:das|dies|damit) ~ $", "^stopp(?:e|t|en)(?: sie)? $"),
        "nicht-mehr": ("<write> ~~ <no>", "<no> ~ <write>", "<write> ~ <me> ~ nicht(?: an)? $", "^(?:bitte )?nicht (?:<write>) $", "^mich ~ (?:nicht|nie) ~ <write> $"),
        "keine": ("^(?:bitte )?(?:keine?n?|keinerlei) ~ <mail> mehr", "^(?:bitte )?(?:keine?n?|keinerlei|nie wieder|nie mehr|null) ~ <mail> $"),
        "will-nicht": ("<i> ~ (?:nicht|nie)(?: mehr)? dass (?:du|sie|ihr|man|jemand) (?:mich|mir|uns) (?:<write>|schreibst|schreibst|kontaktierst|anschreibst|anrufst)", "<i> ~ (?:aus|von) ~ (?:<list>) ~ $", "(?:bitte|ersuche|fordere|verlange|wunsche) ~ (?:um)? (?:die|sofortige)? (?:loschung|streichung|entfernung|austragung|abmeldung) ~ ~ $", "<i> ~~ (?:<no>|nichts|keine?n? ~ mehr|keine?n? weiteren?|nicht) ~ (?:<written>|<mail>|<write>|zugeschickt|zugesendet)", "<i>? ~ (?:keine?n?|null) (?:bock|lust|interesse) ~ (?:auf|an) ~ <mail>", "<i> ~~ keine?n? ~ <mail> mehr", "<i> ~ (?:das|die|diese|sowas|so was) nicht mehr ~ (?:<written>|haben)"),
        "ruhe": ("(?:lass\\w*|lassen sie) ~ (?:mich|uns) ~ (?:in ruhe|in frieden|zufrieden) (?:$|(?:und|damit|mit|bitte|jetzt|endlich|sonst|verdammt|du|ihr|ja|mal)\\b)", "(?:mich|uns) ~ (?:in ruhe|in frieden|zufrieden) ~ (?:zu )?lass\\w*", "verschon\\w*(?: sie)? ~ (?:mich|uns)"),
        "liste": ("<remove> ~ <mine> ~ (?:aus|von|vom|runter|raus) ~~", "<mine> ~ (?:aus|von|vom) ~ <list> ~ <off>", "^(?:mich|uns)? (?:raus|weg)? (?:aus|von|vom) (?:der|ihrer|eurer|deiner|dem|dieser|ihrem|eurem|deinem|allen)? <list> ~ $", "(?:losch\\w*|loesch\\w*|vergiss|vergesst|vergessen|entfern\\w*|streich\\w*|verlier\\w*)(?: sie)? ~ <mine>", "<mine> ~ (?:zu )?(?:loschen|loeschen|entfernen|streichen|vergessen) $"),
        "abmelden": ("(?:ich|wir)? (?:meld\\w*|trag\\w*|bestell\\w*|abzumelden)(?: sie)? ~ (?:mich|uns) ~ (?:ab|aus)", "^(?:ich|wir) (?:mochten?|will|wollen) (?:mich|uns) ~ (?:abmelden|austragen)"),
        "widerruf": ("<i>? ~ (?:widerruf\\w*|entzieh\\w*|zieh\\w*|nehm\\w*) ~ (?:einwilligung|zustimmung|erlaubnis|einverstandnis) …", "<i>? ~ (?:widersprech\\w*|untersag\\w*|verbiet\\w*|verbitt\\w*|absehen|absehe\\w*|sehen sie|sieh) ~~ (?:<mail>|nutzung|verwendung|kontakt\\w*|daten|ab) …", "^(?:bitte )?(?:von)? ~ <mail> ~ (?:absehen|unterlassen)"),
        "weg": ("^(?:verschwinde|verschwindet|hau ab|haut ab|verpiss dich|verpisst euch|zieh leine|verzieh dich|verzieht euch|geh weg) ~ ~",),
    },
    "fr": {
        "arrete": ("<stop> ~ (?:<writing>|(?:ces|vos|tes|les|ton|votre|tous|aux|les|d')?(?: )?(?:ces|vos|tes|les|ton|votre|tous)? <mail>)", "^<stop> ~ (?:vos|tes|ces|votre|les|des|tout|toute|tous|aux) ~ <mail>"),
        "ne-plus": ("(?:ne|n'|de ne) (?:plus|pas|jamais) (?:jamais)? ~ <writing>", "(?:ne )?<write> (?:moi|nous)? (?:plus|pas|jamais)", "^(?:inutile|pas la peine|interdit|interdiction|plus la peine) ~ <writing>", "(?:n')<write> (?:plus|pas|jamais)"),
        "plus-de": ("^(?:je (?:ne )?veux)? (?:plus|pas|aucun|plus aucun|plus jamais|stop aux|non aux|assez) ~ <mail> $", "^(?:ne )?(?:plus|pas) ~ <writing>",),
        "veux-plus": ("<i> (?:veux|souhaite|desire|voudrais) (?:plus|pas) que (?:vous|tu|l'on|on) (?:me |m'|nous )\\w+ ~ $", "<i> (?:veux|souhaite|desire|voudrais|demande|exige) ~ (?:etre (?:retire|supprime|enleve|radie|desinscrit)\\w*|sortir|la suppression|ma desinscription|mon retrait) ~~ $", "jveux plus ~ <mail>", "qu'on (?:me|nous) laisse ~ tranquilles?", "<i>? (?:j'aimerais|je voudrais|veux|souhaite|desire|voudrais|tiens|accepte|prefere|prefererais|aimerais|demande) ~ (?:plus|pas|ne plus|ne pas) ~~ (?:<written>|<mail>|<writing>|que (?:vous|tu) <write>)", "<i>? (?:marre|assez|ras le bol) ~ (?:vos|tes|ces) <mail>"),
        "paix": ("(?:laiss\\w*|fich\\w*|fou(?:s|tez|tre)) (?:moi|nous) ~ (?:tranquilles?|en paix|la paix) (?:$|(?:et|avec|je|sinon|merci|maintenant|une bonne|svp|stp|a la fin|pour de bon)\\b)", "(?:me|nous) (?:laisser|foutre|ficher) ~ (?:tranquilles?|en paix|la paix)", "^lach\\w* (?:moi|nous) (?:$|(?:les baskets|la grappe|un peu|et|maintenant)\\b)", "^(?:degag\\w*|casse toi|cassez vous|va te faire \\w+|allez vous faire \\w+|barre toi|tire toi|oubli\\w+ moi) ~ ~"),
        "liste": ("<remove> <mine> ~ (?:de|des|du|hors de) ~ <list>", "<remove> <mine> ~ $", "(?:me|nous) (?:retir|supprim|enlev|effac|ray|radi|sort|desinscri|desabonn|ot)\\w* ~ ~ $"),
        "desabonne": ("^je (?:me |m'|veux me |souhaite me |voudrais me |desire me |tiens a me )(?:desabonn\\w+|desinscri\\w+|retir\\w+)", "(?:desabonn|desinscri)\\w* (?:moi|nous) (?:$|(?:de (?:tout|vos|votre|cette|ces|la liste|ta|tes)|et|des vos|tout|svp|stp)\\b)"),
        "consentement": ("<i>? (?:retire|revoque|annule|reprends) ~ (?:consentement|accord|autorisation|permission) …", "<i>? (?:m'oppose|oppose|refuse|n'accepte plus) ~ (?:a|au|aux|tout|toute|vos|d'etre)? ~~ (?:<mail>|contact\\w*|traitement|donnees|utilisation|numero) …"),
    },
    "es": {
        "deja": ("<stop> ~ (?:de|con) ~ (?:<writing>|<mail>)", "<stop> ~ <mail>", "^(?:absten\\w+|abstenerse) ~ de ~ (?:<writing>|<mail>)", "^<stop> ~ (?:todo|el|los|toda|cualquier) ~ <mail>"),
        "no-me": ("(?:no|nunca|jamas|nunca mas|ya no|q no|que no) (?:mas)? (?:se)? (?:me|nos)? <write>", "^(?:no|nunca|jamas) (?:me )?(?:contactar|escribir|llamar|molestar|enviar)(?:me)? ~ $"),
        "no-mas": ("^(?:no|ni|ya no|nada de|cero|basta de) (?:mas|un|una|nuevos)? ?<mail> ~ $", "^ni un <mail> mas", "^ningun <mail> mas", "^(?:no mas|basta de|nada de|ya basta de) ~ <mail>"),
        "no-quiero": ("ni se (?:te|le|les|os) ocurra ~~ <writing>", "(?:no|ya no) (?:quiero|deseo|queremos|autorizo|acepto) ~ <mail> $", "(?:no|ya no) ~ (?:quiero|deseo|quisiera|queremos|deseamos|necesito|acepto|autorizo|me interesa) ~~ (?:<written>|mas <mail>|<your> <mail>|que (?:me|nos) <write>|<writing>|saber)", "(?:preferiria|agradeceria|agradezco|prefiero|gustaria|pido|ruego|solicito|exijo) ~ (?:que )?(?:no|dej\\w+|ces\\w+) ~~ (?:<write>|<writing>|<written>|<mail>)", "(?:quiero|deseo|quisiera|prefiero|gustaria|solicito) (?:no|dejar de) ~ (?:<written>|<mail>)"),
        "paz": ("(?:dej\\w+(?:me|nos)|(?:me|nos) dej\\w+) ~ (?:en pa[zs]|tranquil[oa]s?) (?:$|(?:por favor|ya|y|con|de una vez|porque|o|con tus)\\b)", "^(?:largate|largo|larguense|largaos|vete|vayanse|pierdete|fuera|vete a la \\w+|chinga\\w*|que te jodan) $", "^(?:vete|vayanse|largate|pierdete) ~~ (?:no|deja|dejen) ~ <write>"),
        "lista": ("^(?:yo )?quiero salir de ~ <list> $", "(?:pido|solicito|exijo|quiero) (?:que )?(?:la )?(?:eliminacion|supresion|cancelacion|borrado) ~~ (?:numero|datos|contacto|lista)", "(?:me|nos) ~ <remove> ~ (?:de|del) ~ <list> (?:$|(?:de (?:contactos|difusion|envios|distribucion|correo)|y|por|ya)\\b)", "(?:<remove>)(?:me|nos) (?:de|del) ~ <list> (?:$|(?:de (?:contactos|difusion|envios|distribucion|correo)|y|por|ya)\\b)", "(?:<remove>) <mine> ~ (?:de|del) ~ <list>", "<remove> <mine> (?:$|(?:y|por|ya)\\b)", "(?:<remove>)(?:me|nos) $"),
        "baja": ("(?:den|dar|da|de|dame|denme|darme|doy|darnos|dadme) (?:me |nos )?(?:de )?baja", "^(?:solicito|quiero|pido|deseo|exijo) ~ (?:la |mi )?baja", "(?:quiero|deseo) ~ (?:desuscrib\\w+|cancelar (?:mi|la) suscripcion|darme de baja)", "^cancel\\w* ~ suscripcion $", "^desuscrib\\w*(?:me|nos)"),
        "consentimiento": ("(?:revoco|retiro|anulo|cancelo) ~ (?:consentimiento|autorizacion|permiso) …", "me opongo ~~ (?:<mail>|datos|tratamiento|contact\\w+|numero) …"),
    },
    "pt": {
        "pare": ("<stop> ~ (?:de|com)? ~ (?:<writing>|<mail>)", "(?:deix\\w+|par\\w+) de ~ <writing>", "^(?:abstenh\\w+|abster) ~ de ~ <writing>"),
        "nao-me": ("(?:nao|nunca mais|jamais|nunca|nem|n|nao quero que|para nao) (?:mais )?(?:se )?(?:me )?(?:nos )?<write> ~ (?:mais|nunca mais|novamente|de novo|nada|jamais|<me>)", "(?:nao|n|nunca mais|jamais) (?:mais )?(?:me|nos) <write>", "(?:nunca mais|jamais) ~ <write>", "^nao <write> (?:mais)? $"),
        "sem-mais": ("^(?:sem mais|nada de|nem mais uma|nenhuma|chega de|mais nenhuma|nao mais|nem uma|basta de|sem) ~ <mail> ~ $",),
        "nao-quero": ("(?:nao|n) (?:mais)? (?:quero|desejo|queremos|autorizo|aceito) ~ <mail> (?:$|(?:convosco|com|de|seus?|suas?|vossas?)\\b)", "^(?:eu )?quero sair (?:d[aeo]|desta|dessa) ~ <list>", "(?:nao|n) (?:mais )?(?:quero|desejo|queria|pretendo|preciso|aceito|autorizo|gostaria|queremos) ~~ (?:<written>|mais <mail>|<your> <mail>|que me <write>|<mail> mais)", "(?:prefiro|preferia|quero|desejo|gostaria de|agradeco|agradecia|agradeceria|peco|solicito|exijo|requeiro) ~ (?:que )?(?:nao|deix\\w+ de|parar de|parem de|cess\\w+) ~~ (?:<write>|<writing>|<written>|<mail>)", "(?:gostaria|quero|desejo|solicito|peco) ~ (?:cancel\\w+|remo\\w+|suspen\\w+) ~ (?:<mail>|numero|inscricao|subscricao|<list>)"),
        "isso": ("^<stop> ~ com (?:isso|isto) $",),
        "paz": ("(?:(?:me|nos) (?:deix|larg)\\w+|(?:deix|larg)\\w+ (?:me|nos)) ~ (?:em paz|sossegad[oa]|quiet[oa]|da mao|em sossego)", "larg\\w+ (?:d[oa] )?(?:meu )?pe", "^(?:me larga|vai embora|vao embora|some|suma|sumam|desaparec\\w+|cai fora|some daqui) $", "^(?:vai se fod\\w+|vai a merda|vai embora) e ~~ <stop>? ~"),
        "lista": ("(?:me|nos) (?:<remove>) ~ (?:d\\w{1,6}) ~ <list> (?:$|(?:de (?:contactos|contatos|envio|difusao|transmissao|mensagens)|e|por|ja)\\b)", "<remove> <mine> (?:d\\w{1,6}) ~ <list> (?:$|(?:de (?:contactos|contatos|envio|difusao|transmissao|mensagens)|e|por|ja)\\b)", "<remove> <mine> (?:$|(?:e|por|ja|agora|dai|daqui)\\b)"),
        "cancelar": ("(?:quero|desejo|gostaria de|preciso|solicito) ~ (?:descadastr\\w+|desinscrev\\w+|cancelar ~ (?:inscricao|subscricao|assinatura))", "^(?:me )?(?:descadastr|desinscrev)\\w*(?: me)? ~", "^cancel\\w* ~ (?:minha|esta|a) (?:subscricao|inscricao) $"),
        "consentimento": ("(?:retiro|revogo|cancelo|anulo) ~ (?:consentimento|autorizacao|permissao) …", "oponho (?:me)? ~~ (?:<mail>|dados|tratamento|conta\\w+) …"),
    },
    "it": {
        "smetti": ("<stop> ~ (?:di|con|coi)? ~ (?:<writing>|<mail>)", "^(?:non (?:ne )?posso piu|stufo|stufa|stanco|stanca) ~ <mail>"),
        "non-piu": ("(?:non|nn|mai|mai piu|di non) (?:mi |ci )?(?:piu )?(?:provate a |osate )?<write> ~ (?:piu|mai piu|mai|altro|nulla|niente)", "(?:non|nn|mai piu|di non) (?:piu )?<write> $", "^(?:mai piu) ~ <write>", "^(?:non|nn) romp\\w+ ~ (?:scatole|palle)"),
        "niente": ("^(?:niente|nessun\\w*|no|mai piu|zero|non piu) ~ <mail> $",),
        "non-voglio": ("(?:non|nn) (?:voglio|desidero|vogliamo|autorizzo|accetto) ~ <mail> $", "diffido ~ <writing> …", "(?:non|nn) ~ (?:voglio|desidero|vorrei|intendo|gradisco|accetto|autorizzo|vogliamo) ~~ (?:<written>|piu <mail>|<your> <mail>|altri <mail>|che mi)", "(?:preferirei|preferisco|vorrei|voglio|desidero|gradirei|chiedo|prego|chiediamo|apprezzerei) ~ (?:di |che )?(?:non|smett\\w+ di) ~~ (?:<written>|<mail>|<write>|<writing>|essere \\w+)"),
        "pace": ("(?:lasci\\w*(?:mi|ci)|(?:mi|ci) lasci\\w*) ~ (?:in pace|stare|perdere|tranquill[oa])", "^(?:vattene|andatevene|sparisci|sparite|levati|levatevi|vai via|andate via|levati dai piedi|vai a quel paese) $", "^vaffanculo ~~ <write>"),
        "lista": ("(?:mi|ci) (?:<remove>) ~ (?:da\\w*) ~ <list>", "(?:<remove>)(?:mi|ci) ~ (?:da\\w*) ~ <list>", "(?:<remove>) <mine> ~ (?:da\\w*) ~ <list>", "<remove> <mine> (?:$|(?:e|per|subito)\\b)"),
        "disiscrivi": ("(?:chiedo|esigo|richiedo|voglio|chiediamo) (?:la )?(?:cancellazione|rimozione|eliminazione) ~~ (?:numero|dati|contatto|lista)", "^(?:io )?(?:voglio|vorrei) uscire da\\w* ~ <list> $", "(?:voglio|vorrei|desidero|intendo|chiedo di) ~ (?:disiscriv\\w*|cancellarmi|disdire)", "^(?:mi )?(?:disiscriv\\w*) (?:$|(?:da (?:tutto|questo|questa|voi|questi)|dall\\w+ vostr\\w+|dai vostri|subito|e)\\b)", "^mi cancello"),
        "consenso": ("(?:revoco|ritiro|annullo|nego) ~ (?:consenso|permesso|autorizzazione) …", "mi oppongo ~~ (?:<mail>|dati|trattamento|contatt\\w+) …", "^(?:asten\\w+|si astenga) ~ da\\w* ~ (?:<writing>|<mail>)"),
    },
}  # fmt: skip
"""By language: a name, and the forms of one way to ask."""

BEFORE: Mapping[str, str] = {
    "en": r"he|she|they|him|her|them|people|someone|somebody|everyone says|mom|mum|dad|boss|ex|kids|says?|tells?|told (?!you)|wants|asks|how|why|when|where|what|who|if|you(?! (?:people|guys|all|must|should|need|have|can|are|will|may)\b)|can't|cannot|won't|wouldn't|couldn't|doesn't|didn't|don't|do not|never|not|i'll|i will|i can|trying to|like to|need to|have to|to (?:\w+ )?(?:him|her|them)|let's|did|does|do you|are you|should i|i (?:just |should |must )?",
    "de": r"er|sie (?!bitte)|wir|warum|wieso|wann|wie|wenn|falls|ob|du|dass er|sagte|sagt|hat|haben|soll|kann ich|muss ich|ich(?! (?:bitte|mochte|will|sagte|sag|hab|habe|wunsche|widerspr|widerr|hatte|wurde))|nicht|hast|bist|soll ich|sag\w*",
    "fr": r"il|elle|ils|elles|tu(?! (?:peux|pourrais|veux))|pourquoi|quand|comment|si|on|qui|dit|j'ai|je(?! (?:vous|te|ne|veux|souhaite|voudrais|desire|prefere|demande|aimerais|tiens))|est ce que|m'a|dis(?:'|) a|dites a",
    "es": r"el|ella|ellos|por que|cuando|como|si|dijo|dice|quien|no|yo|estoy|ex|hermano|me dijo|dijeron|sin|dile|digale|dil[ea]s",
    "pt": r"ele|ela|eles|elas|por ?que|quando|como|se|disse|quem|nao|meu ex|estou|eu|voce(?! (?:pode|poderia))|me disse|sem|di(?:z|ga) (?:ao?|para)|fala (?:pr?o|com)|pede",
    "it": r"lui|lei|loro|perche|quando|come|se|ha detto|chi|non|io|sto|tu|mi ha|hanno|senza|di'? a|dite a|dica a",
}  # fmt: skip
"""By language: what makes words after it a report, a question or a plan of another."""

CONTRAST = (
    r"(?:i'm|i am|im|estoy|estou|sono|sto|bin|ich bin|je suis|to) (?:(?:in|at|en|na|no|im|beim|bis|au|gerade|a) \w+|driving|busy|asleep|sleeping|working|away|occupee?|ocupad[oa]|impegnat[oa]|dormindo|durmiendo|dormendo|trabajando|trabalhando|lavorando|guidando|manejando|conduciendo|dirigindo)(?! (?:lists?|not?|ruhe)\b)|"
    r"ya lo tengo|ja tenho|ce l'ho|je l'ai deja|hab ich schon|habe ich schon|i already have|got it already|less often|less frequently|just the|only the|is fine|instead|i have it|once a|is enough|are fine|still want|keep the|"
    r"lieber|nur noch|weniger|(?:woche|monat|tag|einmal) reicht|solo el|solo la|solo los|solo meteo|solo il|solo lo|menos|so o|so a|meno|moins|seulement|juste|c'est regle|hat sich erledigt|"
    r"you're (?:making|too)|haha+|lol|jaja+|kkk+|rire|ridere|rindo|risa"
)
"""What says that only the matter, the way or the measure is meant, or that it is no earnest."""

AGENTS = (
    r"(?:tell|have|get|ask|make) (?:your|the|this|that)? ?(?:bot|ai|assistant|agent|robot|numen|system|program|software|machine|thing)(?: to)?",
    r"sag\w*(?: sie)? (?:deine\w|ihre\w|eure\w|de[rm]) (?:bot|assistent\w*|ki|roboter|programm)(?: dass)? (?:er|es|sie) soll",
    r"di(?:s|tes) a (?:votre|ton|ta|ce|cet|cette) (?:robot|bot|assistant|ia|machine|programme)(?: de| d')?",
    r"di(?:le|ga|gan|les)? a (?:tu|su|ese|este|vuestro) (?:bot|asistente|robot|ia|programa|maquina) que",
    r"(?:di(?:z|ga|gam)|fala|fale|pede|peca) (?:ao?|pr?o|pra|para o) (?:teu|seu|esse|vosso) (?:bot|assistente|robo|programa|ia)(?: para| que)?",
    r"di'?(?:ca|te)? al (?:tuo|suo|vostro|questo) (?:bot|assistente|robot|programma|ia)(?: di| che)?",
)  # fmt: skip
"""How the machine of the one who writes is spoken of: a demand that it is to be told is a demand."""
