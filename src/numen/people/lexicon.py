"""Words of six languages by the part that they play where people ask to be left alone, or talk.

All are folded: lower case, no accents; a star ends how a word begins. Letters name the parts: S stopping,
N negation, M more and again, W writing, calling and bothering, R receiving, G messages, X removing, L
lists, I the writer, Y who is written to, A peace, B blocking and the police, C consent, V curses, E
wishing, P politeness, Z last and done, T times, H contrast and condition, D other people, F questions, U
numbers and addresses, K matters of every day, O this and that, a articles.
"""

from __future__ import annotations

from collections.abc import Mapping

PARTS: Mapping[str, str] = {
    "S": """
    abseh* abstel* abstelle* abzuseh* acab* areter arret* assez aufhor* aufzuhor* bast* basta* beend*
    cease* cesa* cese* cess* chega* concluir deix* deixe* dej* desist detener detengan discontinue*
    einstell* einzustell* end ending ends enough ferm* fin fini finiamola finir* finisc* finish finissez
    finitela genug halt hor horen hort mettre parad parar pare parem paren pares piant* quit* refrain*
    reicht schluss smett* smetter* stell stellen stop* stpo suffit terminar* unterlass* wasting
    """,
    "N": """
    aucun aucune cannot dont jamais jamas kein keine keinem keinen keinerlei mai n nada nao ne neither nem
    nenhum nenhuma nessun* never ni nich nicht nichts nie niemals niente ningun ninguna nix nn no non nor
    not nulla nunca ohne pas rather sans sem senza sin without
    """,
    "M": """
    again altra altri altro ancora another any anymor anymore davantage desormais encore ever forever
    further future kunftig longer mais mas mehr more noch novamente novo nuevo nuovamente otra otro piu
    plus weiter weitere weiteren wieder zukunft
    """,
    "W": """
    adress* angeschrieb* annoy* anruf* anschreib* answer* antwort* anzuruf* anzuschreib* appel* assill*
    behellig* belastig* bomb* bombard* bombardier* bother* bug bugging call* chate* chiam* contact*
    contat* contatt* contest* derang* disturb* dm* ecri* ecrive* embet* envi* envo* erinner* escrev*
    escrib* fastidi* follow getext* harass* harcel* importun* incomod* insist* inund* invi* kontakt* lig*
    llam* mail* mand* mecri* meld* mescrib* messag* molest* nachfass* nerv* notify* pester* ping* rappel*
    reach* recontact* relanc* remind* reply* repond* reponds* respond* rispond* romp* ruf* schick*
    schreib* schrieb* scriv* send* sent sentire sollicit* spam* stor* talk* text* txt* volt* volv* volver*
    write* writing wrote zutext*
    """,
    "R": """
    arriv* bekomm* chegu* contacted empfang* entendre erhalt* get getting hear* kriegen llega llegar
    llegue messaged oir ouvir receb* receive* recev* recib* recoi* recoiv* ricev* saber
    """,
    "G": """
    aggiornament* avisos avvisi communication* comunicac* comunicacion* comunicazion* contacto contato
    contatto correo* correspondence courriel* emails erinnerung* kommunikation kontaktaufnahme lembretes
    mails meldung* mensag* mensaj* message messages messagg* nachricht* newsletter* notific* notificac*
    notification* notifich* nouvelles novedades pings promemoria pushes rappels recordatorios reminders
    sms spots texto textos texts updates werbung zusendung*
    """,
    "X": """
    abbestell* abmeld* apag* austrag* baja borr* cancell* count delet* desabonn* descadastr* desinscrev*
    desinscri* desuscrib* disiscriv* drop effac* elimin* enlev* entfern* erase* escludet* exclu* forget*
    hol holt loesch* losch* lose nehmen nehmt nimm opt opted oter otez quiten quitenme radi* remov*
    remove* retir* rimuov* sacadme sacame saquenme sors sortez sortir streich* strike supprim* take tir*
    tirate* togli* toglie* tolgano trag* unsub* unsubscrib*
    """,
    "L": """
    base cadastro contactos contacts database datenbank directory elenco fichier group gruppe kontakte
    list lista liste lists mailing mailingliste records rubrica sistema system verteiler
    """,
    "I": """
    ci eu i im j je m ma me mein* mes meu mi mia mich miei mim mine minha mio mir mis moi mon my myself
    noi nos nosso nous our uns unser* us yo
    """,
    "Y": """
    asistente assistant assistent* bot deine dich dir du euch euer eure ihnen ihr ihre lei os seu sie su
    sua suoi sus te tes teu toi ton tu tua tuo tuoi tus u usted ustedes voce voces voi vos vosotros vossa
    vosso vostr* votre vous vuestr* ya you your
    """,
    "A": """
    alone frieden pace paix paz peace ruhe stare tranquil* zufrieden
    """,
    "B": """
    abogado advogado anwalt anzeig* avocat avvocato blocc* block* blockier* bloqu* bloque* denunci*
    harassment lawyer* legal plainte police policia polizei polizia report* segnal* signal* stalking
    """,
    "C": """
    accept* accord aceit* acept* agree* angemeldet apunt* autoris* autoriz* consens* consent* consentim*
    einverstand* einwillig* inscrevi* inscrib* inscrit* iscritt* permess* permiso permission privacidad
    privacidade privacy privatsphare privee sign signed zugestimmt zustimm*
    """,
    "T": """
    abend* am amanha antes ate avant before bis cuando daily day days demain dia dias dienstag* dimanche
    domani domenica domingo* donnerstag* durante during early enquanto evening fino freitag* friday fruh
    giorni giorno giovedi hasta heure* heute hoje hora horas hour hours hoy jeudi jour* jueves late lundi
    lunedi lunes maio manana manha mardi martedi martes matin mattina may mayo mentre mercoledi mercredi
    mese midi midnight mientras miercoles minute minutes mittag mittwoch* mois monat monday montag* month
    morgen morning nacht* night noche noite noon notte nuit oggi ora ore pendant pm presto prima quand
    quando quarta quinta sabado* sabato samedi samstag* saturday segunda semaine semana sera settimana
    sexta soir sonntag* spat stasera stunde* sunday tag tage tard tarde tardi temprano terca thursday till
    today tomorrow tonight tot tuesday uhr until vendredi venerdi viernes vor wahrend wednesday week
    weekend wenn when whenever while woche wochenende
    """,
    "H": """
    aber altrimenti apenas ausser autres behalten but continua continue demas except excepto exceto falls
    fine garde* gern if instead invece jederzeit just keep lieber meglio mejor melhor nur only other
    others otherwise outros pero plutot rest salvo sauf se seulement should si sigue sino sinon so solo
    sondern sonst still surtout tranne unless weiterhin
    """,
    "D": """
    ami* amig* asked boss brother bruder casero chef chefe dad detto dice dijo disait disse dit el ela ele
    eles ella elle elles ellos er ex falou fratello frere freund* friend gesagt gli he her hermana hermano
    him his ihm ihn il ils irma irmao jefe landlord le les leur lhe loro lui meinte mom mum padrone patron
    proprio sagt sagte said says schwester she sister soeur sorella tells their them they told vermieter
    wants
    """,
    "P": """
    bitte cortesia danke favor favore gracias grazie hoflich kindly merci obrigad* peco piacere plait
    please pls plz politely por porfa prego prie ruego stp svp thank thanks veuillez
    """,
    "E": """
    agradec* aimerais appreciate ask chiedo demand* desejo deseo desidero desire exige exijo gostaria
    gradirei gustaria like mocht* need pido prefer* quero quiero quisiera request solicito souhait*
    verlang* veux voglio vorrei voudrais want will wish wollen wunsch*
    """,
    "V": """
    away barre cala callate casse degag* ferme fora fou* fuck* hau hell klappe lach* largat* largo leine
    levati lost merda mierda off piss shut some sparisci suma vaffancul* vattene verpiss* verschwind* vete
    zitto
    """,
    "F": """
    are can chi come comment como cosa could do does donde dove how is kann kannst konnen onde perche peut
    peux pode* poder* podr* porque potete potr* pourquoi pourr* pouvez puede puedes puo puoi que quem qui
    quien quoi warum was wer what where which who why wie wieso wo would
    """,
    "U": """
    address adresse archivio cellulare celular handy movil number numero nummer phone portable telefone
    telefono telemovel telephone
    """,
    "O": """
    ca ceci cela ces das dies* diese* disso disto eso esto isso isto it nisto questi questo sta sti that
    these this those
    """,
    "Z": """
    dernier derniere done fertig final finished last letzte letzten letztes over ultim*
    """,
    "K": """
    abbonamento abo abonnement appointment appuntamento assinatura aviso banca banco bank banque
    bestellung bus cafe calcio cancion canzone chanson cita coffee colis commande consulta contract
    contrat contrato contratto dinner direccion encomenda endereco erinnerung festa football fumer
    fussball futbol futebol gym indirizzo kaffee lait latte leche leite lembrete lied magazine meeting
    mesa meteo milch milk musica order ordine pacco package paket paquete parcel party pedido pizza rappel
    rauchen receita* receta* recette* recipe* recordatorio reminder rendez* rezept* ricett* smoking song
    sorpresa subscription surprise suscripcion table tavolo tempo termin tiempo tisch train uberraschung*
    version vertrag waiting weather wedding wetter zug
    """,
    "a": """
    a an as dem den der des die ein eine einen l la las lo los o the um uma un una une uno
    """,
}
"""The words of each part, the first that has a word wins."""
