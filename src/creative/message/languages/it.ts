// Italian: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const it: MessageLanguage = {
  texts: {
    it: {
      buttons: {
        learn: 'Scopri di più',
        shop: 'Acquista',
        book: 'Prenota',
        register: 'Iscriviti',
        apply: 'Candidati',
        call: 'Chiama',
        order: 'Ordina',
        visit: 'Vieni a trovarci',
        download: 'Scarica l’app',
        donate: 'Dona',
      },
      callAt: 'Chiama lo',
      sponsored: 'Sponsorizzato',
    },
  },
  reading: {
    stopWords:
      'dai|ai|tu|il|lo|la|gli|le|dei|del|della|e|per|con|su|una|un|è|di|da|fino|nostro|nostra|tutti|tutte|che|al|alla|più|solo|nel|sul|a|non|senza|i',
    artefacts:
      'banner|video|spot|annuncio|pubblicità|immagine|locandina|grafica|campagna|inserzione|testo|post|qualcosa|creatività|manifesto',
    make: 'fai|fammi|fate|fateci|fare|crea|creare|create|realizza|realizzare|realizzate|scrivi|scrivere|prepara|preparate|preparare|serve|servirebbe|voglio|vorrei|vorremmo|per favore|ci serve|mi serve|genera|disegna',
    about: 'per|su|sul|sulla|di|del|della|dei|riguardo|che promuova|pensato per',
    askBefore: `annuncia|annunciate|parla di|parlate di|riguarda|è per|promuovi|promuovere|promuovete|vogliamo promuovere|vorremmo promuovere|vorremmo far sapere che|vogliamo far sapere che|far sapere che|pubblicizza|pubblicizzare|si tratta di|vogliamo annunciare|vorremmo annunciare|lanciamo`,
    askAfter: null,
    mention:
      'solo che|di che|dite che|menziona|menzionate|menzionare|metti in evidenza|mettete in evidenza|metti in risalto|mettete in risalto|evidenzia|evidenziate|sottolinea|sottolineate|indica|indicate|cita|citate|includi|includete|ricorda|ricordate|ricorda che|non dimenticare|aggiungi|aggiungete|specifica|specificate|scrivi che',
    mentionAfter: null,
    ctaAsk:
      'invita i clienti a|invitate i clienti a|chiedi ai clienti di|invita le persone a|invita la gente a|invitate a|invita a|invitare a|spingi a|spingi le persone a|chiedi di|chiedete di|chiedi alle persone di|incoraggia a|incoraggia le persone a|esorta a|fai in modo che|la gente deve|stimola a|convinci a|invitate le persone a|invitate la gente a|invitate il pubblico a|invitare le persone a|chiedete alle persone di|chiedere di|incoraggiate a|incoraggiate le persone a|esortate a|spingete a|spingete le persone a|stimolate a|convincete a|convincete le persone a|fate in modo che|le persone devono|chiama a|sprona a|portali a|invito a',
    ctaAskAfter: null,
    weWant: `vogliamo|vorremmo|ci piacerebbe|cerchiamo di|voglio|vorrei|l idea è|l idea è di|l obiettivo è|l obiettivo è di|il cliente vuole|il cliente vorrebbe`,
    wantAfter: null,
    avoid: `non parlare|non parlate|non menzionare|non menzionate|non usare|non usate|non utilizzare|non utilizzate|non scrivere|non scrivete|non mettere|non mettete|non dire|non dite|non citare|non citate|non indicare|non indicate|non nominare|non promettere|non promettete|non inserire|non inserite|non includere|non fare riferimento|
    evita|evitate|evitare|senza menzionare|senza parlare|senza usare|senza dire|senza citare|niente|nessun riferimento|nessun accenno|la parola|le parole|né la parola|vietat*|da evitare|tralascia|tralasciate|non deve comparire|non devono comparire|lascia fuori|non accennare|non accennate|non paragonare|non paragonate|non confrontare|non riportare|non riportate|non specificare|non specificate|non pubblicare|senza nominare|senza indicare|senza scrivere|senza riportare|non serve menzionare|non serve scrivere|meglio non|preferiamo non|preferirei non|non si deve|non deve apparire|non devono apparire|da non menzionare|da non usare|omettere|omettete|ometti`,
    manner: `nell immagine|nella foto|foto grande|nostri colori|molto bianco|illustrazion*|tono|con tono|stile|in stile|che sia|sfondo|logo|carattere|caratteri|font|colore|colori|grafica|in alto a sinistra|in alto a destra|in basso a sinistra|in basso a destra|foto di|maiuscolo|grassetto|usa lo|usa il|usa un|usa una|usate il|usate un|usate lo|usa i|usa colori|testo breve|breve|non troppo|aspetto|deve essere|dovrebbe essere|dare del tu|dare del lei|dai del tu|atmosfera|
    elegante e|sobrio|mantieni|mantenete|tieni|tenete|rendilo divertente|rendetelo divertente|fallo divertente|con ironia|con umorismo|con leggerezza|niente foto|senza foto|bianco e nero|gioco di parole|accattivante|linguaggio|tono scherzoso`,
    toneWords:
      'allegra|divertita|seria|calda|calorosa|caloroso|sobria|moderna|ironica|simpatica|diretta|poetico|poetica|rassicurante|sincero|sincera|accogliente|vivace|leggero|leggera|raffinato|raffinata|fresco|fresca|infantile|semplice|allegro|chiaro|giocoso|divertente|spiritoso|serio|amichevole|caldo|calmo|onesto|elegante|urgente|informale|formale|professionale|sobrio|moderno|giovane|giovanile|breve|ironico|simpatico|scherzoso|frizzante|diretto|umoristico|scherzosa|spiritosa|rilassante|rilassata|rilassato|gentile|affettuoso',
    greetings: 'ciao|buongiorno|buonasera|salve|gentile|gentili|cari|care',
    talk: `il brief|briefing|brief|ti mando|vi mando|vi scrivo|ti scrivo|due righe|in allegato|un abbraccio|mi serve entro|mi serve tutto|ci serve entro|entro e non oltre|grazie|grazie mille|cordiali saluti|un saluto|a presto|come d accordo|come da accordi|come concordato|restiamo in attesa|resto in attesa|
    rimango in attesa|vostra proposta|fateci sapere|fammi sapere|mi raccomando|qualcosa di|fate voi|decidete voi|a piacere|il resto|
    potreste|puoi fare|potete|in allegato|sono graditi|buon lavoro|buona giornata|dropbox|google drive|wetransfer|vi invio|ti invio|invieremo|il link lo|i clic|pagina di destinazione|resto a disposizione|in copia|attendo`,
    briefing: `vostre proposte|bozze|ultima campagna|clientela tipo|target|pubblico|ci rivolgiamo|si rivolge|budget|bozza|prima versione|il cliente|l idea è|l obiettivo|vorremmo raggiungere|istruzioni precedenti|ignora|dimentica|approvazione|i nostri clienti sono|la maggior parte dei nostri clienti|per informazione|per contesto|prezzo interno|uso interno`,
  },
}
