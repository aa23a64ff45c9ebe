// German: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const de: MessageLanguage = {
  texts: {
    de: {
      buttons: {
        learn: 'Mehr erfahren',
        shop: 'Jetzt einkaufen',
        book: 'Jetzt buchen',
        register: 'Jetzt anmelden',
        apply: 'Jetzt bewerben',
        call: 'Jetzt anrufen',
        order: 'Jetzt bestellen',
        visit: 'Jetzt besuchen',
        download: 'App laden',
        donate: 'Jetzt spenden',
      },
      callAt: 'Anrufen:',
      sponsored: 'Anzeige',
    },
  },
  reading: {
    stopWords:
      'in|soll|sein|der|die|das|und|für|mit|von|bei|ist|im|auf|bis|nur|ein|eine|einen|unsere|unser|wir|sie|ihr|zu|zum|zur|am|ab|nicht|alle|jetzt|neu|auch|den|dem|aus|noch|uns|bitte|kein|keine|uhr',
    artefacts:
      'banner|video|spot|clip|anzeige|werbung|werbeanzeige|werbebanner|plakat|grafik|werbemittel|creative|bild für|post für|kampagne|inserat|werbetext|text für|etwas|was|motiv',
    make: 'wollen|wünschen uns|mach|macht|machen|mache|erstelle|erstellen|erstellt|gestalte|gestalten|gestaltet|schreib|schreibe|schreibt|schreiben|brauche|brauchen|bräuchte*|bitte|entwirf|entwerft|baue|baut|kannst du|könnt ihr|möchte|hätte gern*',
    about: 'für|über|zu|zum|zur|rund um|zu unserem|bezüglich|wegen|mit',
    askBefore: `es geht dabei um|thema ist|bewirb|bewerbt|bewerben|wir wollen bewerben|wir möchten bewerben|wir bewerben|es geht um|im mittelpunkt steht|macht werbung für|mach werbung für|kündigt an|kündige an|wir wollen bekannt machen dass|beworben werden soll|
    beworben wird|beworben werden`,
    askAfter: null,
    mention:
      'nur dass|sagt nur dass|schreibt dass|schreib dass|erwähne|erwähnt|erwähnen sie|nenne|nennt|nennen sie|betone|betont|betonen sie|hebe|hebt|weise darauf hin dass|weist darauf hin dass|unbedingt erwähnen|wichtig ist|wichtig|stellt heraus|stelle heraus|vergiss nicht|nicht vergessen',
    mentionAfter: null,
    ctaAsk:
      'sag den leuten|sagt den leuten|sagen sie den leuten|ladet kunden ein|dass die leute|dass kunden|dass alle|dass man|die leute sollen|leute sollen|kunden sollen|sie sollen|man soll|alle sollen|fordere die leute auf|fordert die leute auf|fordert auf zu|lade die leute ein|ladet die leute ein|ladet ein|leser sollen|interessierte sollen|besucher sollen|bitte die leute|fordern sie die leute auf|fordert die kunden auf|ruft dazu auf|ruft die leute auf|ruft auf|bittet die leute|bittet um|ermutigt die leute|ermuntert die leute|animiert zum|animiert die leute|motiviert die leute|ladet dazu ein|lade zum|ladet zum|ladet zur|lädt zum|die kunden sollen|die besucher sollen|die leser sollen|damit die leute|aufruf zum|aufruf zur|leitet sie|führt sie',
    ctaAskAfter: null,
    weWant: `wir möchten|wir wollen|wir würden gern|wir würden gerne|wir hätten gern|wir hätten gerne|wir brauchen|möchten wir|wollen wir|würden wir gern|würden wir gerne|ich möchte|ich will|ich würde gern|ziel ist|unser ziel ist|der kunde möchte|der kunde will`,
    wantAfter: null,
    avoid: `nicht erwähnen|nicht nennen|nicht verwenden|nicht schreiben|nicht sagen|nicht benutzen|nicht zeigen|nicht angeben|nicht versprechen|nicht das wort|nicht die wörter|nicht vom|nicht von|nicht über|nichts über|nichts von|kein wort|keine erwähnung|
    erwähne nicht|nenne nicht|verwende nicht|schreib nicht|schreibt nicht|verzichte auf|verzichtet auf|verzichten auf|verzichten sie auf|vermeide|vermeidet|vermeiden|bitte ohne|ohne erwähnung|weglassen|lass weg|lasst weg|auf keinen fall|
    keinen * erwähnen|keine * erwähnen|kein * erwähnen|keine * nennen|keinen * nennen|keine * verwenden|das wort|nicht vorkommen|darf nicht|dürfen nicht|bitte nicht|bitte kein|bitte keine|bitte keinen|erwähnt nicht|nennt nicht|verwendet nicht|schreiben sie nicht|erwähnen sie nicht|bitte nichts|schreibt nichts|schreib nichts|schreiben sie nichts|sagt nichts|sag nichts|erwähnt nichts|erwähne nichts|nicht drauf|nicht mit rein|soll nicht rein|nicht auftauchen|taucht nicht auf|soll nicht vorkommen|soll nicht stehen|nicht reinschreiben|bloß nicht|bloß kein|bloß keine|lieber nicht|nicht vergleichen|vergleicht uns nicht|wir möchten nicht|wir wollen nicht dass`,
    manner: `auf dem bild|im bild|großes foto|großes bild|handschrift*|illustration*|viel weiß|in unseren farben|hausfarben|weiß lassen|ton|tonalität|tonfall|stil|im stil|halte es|halten sie es|haltet es|soll wirken|sollte wirken|soll aussehen|soll es|sollte es|soll sein|hintergrund|logo|schrift|schriftart|buchstaben|farbe|farben|farblich|layout|oben links|oben rechts|unten links|unten rechts|foto von|stockfoto*|bilder von|nicht zu|sachlich halten|in großbuchstaben|großbuchstaben|
    fett|bitte kurz|kurz und|kurz halten|knapp halten|gestaltung|optik|anmutung|werblich|duzen|siezen|im design|verwende unser*|nutze unser*|bunt|bitte locker|bitte seriös|bitte sachlich|hochwertig wirken|in du form|per du|per sie|mach es lustig|macht es lustig|macht es witzig|gerne witzig|gern witzig|gerne lustig|gern lustig|gerne frech|gerne locker|mit humor|mit augenzwinkern|keine fotos|keine bilder|keine menschen|schwarz weiß|ansprache|anrede|wortwitz`,
    toneWords:
      'verspielte*|freche*|lockere*|lustige*|freundliche*|ruhige*|seriöse*|sachliche*|moderne*|herzliche*|warme*|warmherzig|vertrauenswürdig|bodenständig|poetisch|charmant|selbstbewusst|einladend|lebendig|jugendlich|trocken|leicht|nahbar|respektvoll|knapp|schlicht|einfach|fröhlich|klar|direkt|verspielt|frech|lustig|witzig|humorvoll|ernst|freundlich|warm|ruhig|ehrlich|elegant|edel|dringend|locker|förmlich|seriös|professionell|sachlich|modern|jung|kurz|knackig|emotional|ironisch|entspannt|augenzwinkernd|nüchtern|peppig|herzlich|humoristisch|spaßig|komisch|sympathisch|gelassen|höflich|feinsinnig|warmherzige*|verschmitzt|keck',
    greetings:
      'hallo|hi|guten tag|guten morgen|moin|servus|grüß gott|liebe|liebes|lieber|sehr geehrte*',
    talk: `briefing|im anhang|angehängt|schönen tag|schönes wochenende|bis bald|gern mehr|sagt bescheid|bei rückfragen|herzliche grüße|gruß|grüße|schönen gruß|brauchen wir bis|schickt uns|liebe grüße|viele grüße|mit freundlichen grüßen|beste grüße|lg|vg|mfg|danke|vielen dank|besten dank|wie besprochen|wie vereinbart|
    wie telefonisch|anbei|meldet euch|melden sie sich|bei fragen|freue mich|freuen uns auf eure|könnt ihr|könntet ihr|
    könnten sie|kannst du|können sie uns|was schönes|irgendwas|überrascht|ihr entscheidet|den rest|nach eurem|gebt bescheid|kurze info|dropbox|google drive|wetransfer|schicke ich|reiche ich nach|wird nachgereicht|liefern wir nach|klicks sollen|klick soll|verlinkt auf|landingpage|zielseite|bin im urlaub|per mail|meldet euch gern`,
    briefing: `zielgruppe*|vorschlag schicken|vorschläge bis|vorschläge schicken|vorschläge schickt|ihre vorschläge|eure vorschläge|zwei vorschläge|drei vorschläge|vorschläge zu|layouts|rückmeldung|abgabetermin|letzte kampagne|letzten kampagne|wir sprechen * an|ansprechen möchten|möchten wir ansprechen|budget|entwurf|entwürfe|erste version|freigabe|kunde möchte|unser kunde|abstimmung|die idee ist|wir möchten gern*|wir würden gern*|wir hätten gern*|
    ansprechen wollen|wollen wir ansprechen|richtet sich an|bis wann|vorherigen anweisungen|ignoriere|vergiss alle|rechtsabteilung|unsere kunden sind|die meisten unserer kunden|hintergrund dazu|zum hintergrund|kurz zum hintergrund|nur zur info|zur info`,
  },
}
