# ruff: noqa: E501
"""The words by which people ask to be left alone, in six languages: what `optout` reads with.

All are folded: lower case, no accents. `KEYWORDS` are whole messages; `FILLERS` and `LEADS` may stand before
and around; `NARROWING` makes a demand (`wishes`) mean a time, a place or a matter, and `WIDENING` takes that
back. Sources: carriers' keyword lists, and the ways that people are seen to ask in public threads.
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
    "revoke", "cease", "halt", "leave me alone", "go away", "no more", "quit it", "stop to all", "f off", "fuck off", "cease and desist", "stop and desist", "delete", "delete me", "delete it", "remove it", "remove this number", "delete this number", "delete my number", "no more of this", "stop stop stop", "make it stop",
    "stop2end", "stop2quit", "stop to end", "text stop", "reply stop", "i want out", "mute me", "leave me out of this", "please end this", "end this", "unfollow me", "lass mich", "lasst mich", "lass es", "go bother someone else", "stop it with the messages",
    # de
    "stopp", "stop alle", "stop alles", "stopp alle", "stopp alles", "ende", "abmelden", "abbestellen",
    "austragen", "aufhoren", "hor auf", "hort auf", "horen sie auf", "horen sie damit auf", "hor damit auf", "hort damit auf", "schluss", "schluss damit", "abmeldung",
    "loschen", "widerruf", "kundigen", "lass das", "lasst das", "kuendigen", "aufhoeren", "loeschen",
    # fr
    "arret", "arreter", "arretez", "arrete", "arretez tout", "tout arreter", "stop tout", "desabonner",
    "desabonnez moi", "desabonnement", "desabonne moi", "desinscrire", "desinscription", "fin", "ca suffit",
    "resilier", "annuler", "se desabonner", "se desinscrire", "me desinscrire", "me desabonner", "supprimer",
    # es
    "alto", "parad", "parad ya", "parar", "para", "pare", "paren", "basta", "baja", "dar de baja", "darse de baja", "darme de baja",
    "salir", "cancelar", "cancelar todo", "detener", "detente", "detenganse", "no mas", "terminar", "desuscribir",
    "desuscribirme", "desuscribirse", "eliminar", "parar todo", "stop todo", "anular", "cancelar suscripcion",
    # pt
    "parem", "sair", "descadastrar", "descadastre", "chega", "remover", "fim", "parar tudo", "cancelar tudo",
    "cancelar inscricao", "cancelar subscricao", "stop tudo", "encerrar", "desinscrever", "descadastro",
    # it
    "ferma", "fermatevi", "cancella", "cancellami", "cancella tutto", "disiscrivi", "disiscrivimi",
    "disiscriviti", "disiscrizione", "rimuovi", "rimuovimi", "smetti", "smettila", "smettetela", "annulla", "esci",
    "piantala", "piantatela", "termina", "revoca", "stop a tutto", "annulla iscrizione", "disdici", "fermare", "disattiva", "cancellazione",
)  # fmt: skip

PLAIN: Sequence[str] = (
    "stop", "stop it now", "please stop", "go away", "delete this number", "remove this number", "loschen", "cessez", "borrelo", "borralo", "borrenlo", "eliminelo", "apague", "apaguem", "cancellatelo", "supprimez le", "unsubscribe", "unsubscribe me", "remove me", "opt out", "opt me out", "leave me alone", "stop stop", "stop all", "delete it", "remove it", "take me off", "no more", "stop stop stop", "just stop",
    "stopp", "hor auf", "hort auf", "horen sie auf", "aufhoren", "abmelden", "nicht mehr schreiben", "lass es",
    "arretez", "arrete", "desabonnez moi", "desinscription", "basta", "no mas", "baja", "smettete", "smettetela", "smettila", "smetti", "parem", "pare", "chega", "descadastrar",
)  # fmt: skip
"""Keywords that are one also as the last sentence of a message that says more."""

LEADS: Sequence[str] = (
    r"and", r"so", r"but", r"look", r"listen", r"again", r"yes", r"no", r"once again", r"for the last time",
    r"i said", r"i (?:told|asked|have asked|already asked|already told) you(?: guys| all)?(?: nicely| already| before)? to", r"(?:u|you) (?:gotta|better|really need to|should just)", r"i (?:want|need|would like|'d like|ask|am asking|'m asking|beg) you(?: guys| all)? to",
    r"i'd like you to", r"i'm asking you to", r"(?:can|could|would|will) you(?: guys| all)?", r"you (?:need|have) to",
    r"you must", r"you should", r"you can", r"you people", r"y'all", r"everyone", r"team", r"bot", r"numen", r"dude",
    r"fucking", r"damn", r"god", r"wrong number", r"i'm asking nicely", r"would you mind", r"i request that you",
    r"konntest du", r"wurdest du", r"wurden sie", r"konntet ihr", r"wurdet ihr", r"fuck off", r"for god's sake",
    r"ab sofort", r"ab jetzt", r"(?:eu )?ja (?:disse|falei) que", r"ho (?:gia )?detto (?:di|che)", r"j'ai (?:deja )?dit (?:de|que)", r"ich (?:hab|habe|hatte) (?:doch |schon )?gesagt", r"les solicito", r"le solicito", r"i think it's", r"und", r"also", r"nein", r"ich mochte dass (?:sie|ihr|du)", r"ich sagte", r"konnten sie", r"konnt ihr",
    r"kannst du", r"konnen sie", r"ich bitte (?:sie|euch|dich)", r"zum letzten mal", r"noch einmal",
    r"et", r"alors", r"non", r"je vous demande de", r"je te demande de", r"de", r"pouvez vous", r"tu peux", r"tu pourrais", r"vous pouvez", r"vous pourriez", r"je vous demande", r"est ce que vous pouvez", r"est ce que tu peux", r"merci de bien vouloir", r"vous avez le mauvais numero", r"peux tu",
    r"veuillez(?: egalement)?", r"je vous prie de", r"je te prie de", r"je souhaite que vous", r"pourriez vous", r"j'ai dit", r"merci de", r"merci d'", r"priere de",
    r"y", r"pero", r"les pido que", r"le pido que", r"te pido que", r"pueden", r"puedes", r"podrian", r"me pueden", r"me puedes", r"me podrian", r"podrias", r"podria", r"puede", r"podeis", r"oye", r"oiga", r"q", r"le ruego que", r"vete a la mierda y",
    r"quiero que", r"les ruego(?: que)?", r"le ruego(?: que)?", r"ruego(?: que)?", r"les agradeceria que", r"le agradeceria que", r"agradeceria que", r"solicito que", r"hagan el favor de", r"haga el favor de", r"ya les dije que", r"he dicho que", r"os pido que", r"que",
    r"e", r"mas", r"peco que", r"solicito que", r"agradeco que", r"agradecia que", r"peco-vos que", r"peco-lhe que", r"peco vos que", r"peco lhe que", r"queiram", r"pedi que", r"podem", r"poderiam", r"poderia", r"voce pode", r"voces podem", r"podia", r"podiam", r"pode", r"podes", r"quero que", r"olha", r"favor",
    r"ma", r"si prega di", r"siete pregati di", r"vogliate", r"vi prego di", r"vi chiedo di", r"ti chiedo di", r"le chiedo di", r"potete", r"potreste", r"potresti", r"potrebbe", r"puo", r"vaffanculo e", r"puoi", r"vi prego",
    r"ti prego", r"la prego", r"la prego di", r"dai", r"ho detto", r"senti", r"sentite",
)  # fmt: skip
"""What may stand before a demand in its clause: who is spoken to, and that it is one."""

INVITING = (
    r"(?:just |please |but |rather |lieber |mejor |better |melhor |meglio )*(?:text|call|e ?mail|message|write|use|whatsapp|dm|ring|schreib|ruf|nutze?|ecris|appelle|utilise|"
    r"escribeme|llamame|usa|escreve|liga|me ligar?|scrivimi|chiamami)(?: (?:me|us|the|mir|mich|moi|instead|l|le|la|o|an)\b|$)"
)
"""A clause that asks for another way to be reached: what stands beside it is about the way."""

REQUEST = (
    r"(?:please |hey |hi |und |wrong number |bitte |por favor )*(?:can|could|would|will|may|what do i|how do i|where do i|how can i|"
    r"konnen|konntest|konnten|konnt|kannst|wurdest|wurden|wurdet|pou\w+|peux|tu p\w+|vous p\w+|veux tu|est ce que vous p\w+|me p\w+|"
    r"voces? pode\w*|pued\w+|podria\w*|podeis|pode\w*|poderia\w*|da para|puo\w*|potre\w+|potete|le dispiace|ti dispiace|est il possible)\b"
)
"""How a question begins that is a request."""

TAGGED = r",\s*(?:ok|okay|ja|right|understood|got it|vale|d'accord|capito|va bene|ta|sim|yeah|alright)\s*$"
"""A question that only wants to be heard."""

NAMED = (
    r"(?<!\w)(?:calling|call|llam\w*|appel\w*|chiam\w*|cham\w*)(?: ?(?:me|us|mi|moi))? (?!(?:me|us|moi|mi|at|on|in|and|or|please|again|any\w*|ever|so|from|to|about|"
    r"every\w*|all|this|here|you|i|we|it|that|now|already|constantly|for|by|before|after|until|with|no|mas|ya|por|de|y|o|en|a|nunca|jamas|piu|mai|e|per|al|svp|stp|"
    r"merci|plus|pas|jamais|sur|et|tout|sans|pour|ici|encore|avant|mais|ja|nunca|prima|dopo|la|le|les|el|durante|su|un|la|cuando|si|fino)\b)\w"
)
"""To be called by a name."""

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
    r"by (?:your \w+|you|anyone)", r"my (?:name|number)", r"at all", r"at this (?:number|address)", r"on this (?:number|phone|line)", r"on (?:my|the) (?:phone|cell|number|mobile)",
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
        "te", "avant", "jusqu'a", "jusqu'au", "pendant", "quand", "lorsque", "si", "entre", "apres", "ce soir", "demain", "aujourd'hui",
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
