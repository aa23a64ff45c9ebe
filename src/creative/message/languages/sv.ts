// Swedish: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const sv: MessageLanguage = {
  texts: {
    sv: {
      buttons: {
        learn: 'Läs mer',
        shop: 'Handla nu',
        book: 'Boka nu',
        register: 'Anmäl dig',
        apply: 'Ansök nu',
        call: 'Ring oss',
        order: 'Beställ nu',
        visit: 'Besök oss',
        download: 'Ladda ner',
        donate: 'Skänk en gåva',
      },
      callAt: 'Ring',
      sponsored: 'Sponsrad',
    },
  },
  reading: {
    stopWords:
      'och|för|med|på|till|av|är|det|den|ett|en|vi|vår|vårt|våra|alla|nu|inte|som|från|hos|bara|ny|nya|nytt|din|ditt|dina|du|ni|att|om|har|finns|kr|hela|eller|så|när|ut',
    artefacts:
      'banner|video|bannern|annons|annonsen|annonser|reklam|reklamen|reklambanner|affisch|inlägg|bild för|kampanj|kreativ|text för|något|motiv',
    make: 'gör|göra|skapa|skapar|ta fram|designa|formge|skriv|skriva|behöver|vill ha|önskar|snälla|tack|vänligen|kan ni|kan du|kunde ni|fixa|bygg|generera',
    about: 'för|om|till|kring|angående|som handlar om|som säger att|som berättar om',
    askBefore: `marknadsför|gör reklam för|annonsera|annonsera att|berätta om|berätta att|skriv om|det gäller|det handlar om|vi marknadsför|lyft fram`,
    askAfter: null,
    mention:
      'nämn|nämn att|nämn gärna|betona|betona att|lyft fram|lyft att|ta med|få med|inkludera|berätta att|skriv att|säg att|bara att|glöm inte|glöm inte att nämna|påpeka att|framhäv|poängtera|var noga med att nämna',
    mentionAfter: null,
    ctaAsk:
      'uppmana folk att|uppmana kunder att|uppmana till att|uppmana att|be folk att|be kunder att|be dem att|be dem|få folk att|få kunder att|få dem att|bjud in folk att|bjud in till att|bjud in till|säg åt folk att|folk ska|kunderna ska|de ska|vi vill att folk ska|vi vill att folk|vi vill att kunder|vi vill att kunderna|locka folk att|be läsarna att|be besökare att|uppmana till|uppmana läsarna att|uppmuntra folk att|uppmuntra till att|uppmuntra att|få läsare att|få besökare att|få dem|få folk|bjud in dem att|locka dem att|locka kunder att|inspirera folk att|led dem till|skicka dem till|låt folk|besökare ska|läsarna ska',
    ctaAskAfter: null,
    weWant: `vi vill|vi skulle vilja|vi önskar|vi hoppas|vi behöver|vill vi|jag vill|jag skulle vilja|målet är att|kunden vill`,
    wantAfter: null,
    avoid: `nämn inte|nämn inget|nämn ej|skriv inte|skriv inget|skriv ingenting|säg inte|säg inget|säg ingenting|använd inte|använd inga|prata inte|tala inte|lova inte|lova inget|visa inte|jämför inte|undvik|undvika|utan att nämna|utan att säga|inget om|ingenting om|inte ett ord om|ordet|orden|lämna ut|utelämna|hoppa över|får inte|ska inte nämnas|inte nämnas|ta inte med|ha inte med`,
    manner: `ton|tonen|tonläge|tonalitet|stil|stilen|känsla|känslan|bakgrund|bakgrunden|logga|loggan|logotyp*|typsnitt|bokstäver|stora bokstäver|versaler|färg|färger|färgen|färgerna|layout|uppe till vänster|uppe till höger|nere till vänster|nere till höger|foto på|bild på|på bilden|i bild|bilder|stockfoto*|håll det|håll texten|kort och|inte för|får gärna vara|ska vara|ska kännas|ska se ut|bör vara|använd vår|använd våra|använd en|grafik|formgivning|ljusa|mörk bakgrund|fetstil|tilltal|dua|gör den rolig|gör det roligt|gör den lekfull|med humor|med glimten i ögat|inga bilder|inga foton|utan bilder|längst ner|längst upp|svartvit*|iögonfallande|ordvits`,
    toneWords:
      'lekfull|lekfullt|lekfulla|rolig|roligt|humoristisk|allvarlig|allvarligt|vänlig|vänligt|varm|varmt|lugn|lugnt|ärlig|ärligt|elegant|enkel|enkelt|avslappnad|avslappnat|formell|formellt|saklig|sakligt|modern|modernt|ung|ungdomlig|kort|ironisk|glad|glatt|fräck|fräckt|personlig|personligt|inbjudande|trygg|tryggt|poetisk|torr|skämtsam|skämtsamt|varma|hjärtlig|hjärtligt|avspänd|trevlig|trevligt|humoristiskt',
    greetings: 'hej|hejsan|hallå|god morgon|god dag|tja|tjena|kära',
    talk: `tack på förhand|tack|tusen tack|stort tack|hälsningar|vänliga hälsningar|med vänlig hälsning|mvh|hälsar|här kommer|underlaget|underlag|briefen|briefing|bifogat|bifogar|som vi pratade om|enligt överenskommelse|som överenskommet|hör av er|hör av dig|hör gärna av|vid frågor|återkom|ha en fin|ha det bra|trevlig helg|ni bestämmer|resten|överraska|något fint|valfritt|dropbox|google drive|wetransfer|skickar jag|kommer senare|länken kommer|klick ska|landningssida|hör av dig om|i bilagan`,
    briefing: `målgrupp*|målgruppen|vi riktar oss|riktar sig|vi vänder oss|budget*|utkast*|första versionen|skiss*|era förslag|kunden vill|vår kund|idén är|syftet|målet|godkänna*|godkännande|förra kampanjen|tidigare instruktioner|ignorera|glöm allt|juridik*|deadline för|leverans av|våra kunder är|de flesta av våra kunder|som bakgrund|för kännedom|internt pris`,
  },
}
