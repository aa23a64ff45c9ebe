// Dutch: the words that messages are read by, and the texts that an advertisement adds to them.

import type { MessageLanguage } from './message-language.ts'

export const nl: MessageLanguage = {
  texts: {
    nl: {
      buttons: {
        learn: 'Meer informatie',
        shop: 'Bekijk het aanbod',
        book: 'Boek nu',
        register: 'Meld je aan',
        apply: 'Solliciteer nu',
        call: 'Bel ons',
        order: 'Bestel nu',
        visit: 'Kom langs',
        download: 'Download de app',
        donate: 'Doneer',
      },
      callAt: 'Bel',
      sponsored: 'Gesponsord',
    },
  },
  reading: {
    stopWords:
      'de|het|een|en|voor|met|van|op|is|in|bij|tot|alleen|onze|ons|wij|je|jouw|naar|niet|alle|nu|nieuw|ook|aan|te|om|zijn|dat|geen|uur|maar',
    artefacts:
      'banner|video|spot|advertentie|reclame|poster|afbeelding|campagne|uiting|post|tekst|iets|visual',
    make: 'maak|maken|ontwerp|ontwerpen|schrijf|schrijven|graag|nodig|kun je|kunnen jullie|wil|willen|alsjeblieft|aub|bedenk|genereer',
    about: 'voor|over|maken voor|van',
    askBefore: `kondig aan|vertel over|vertel dat|promoot|promoten|we willen promoten|wij willen promoten|maak reclame voor|reclame maken voor|we adverteren|het gaat om|het gaat over|we willen laten weten dat|adverteer`,
    askAfter: null,
    mention:
      'alleen dat|schrijf dat|noem|noemt|noem ook|vermeld|vermelden|benadruk|benadrukken|zet erin|zet erbij|vergeet niet|vergeet niet te vermelden|leg de nadruk op|laat zien dat|zeg dat|voeg toe|met nadruk op',
    mentionAfter: null,
    ctaAsk:
      'vraag klanten om te|vraag klanten om|nodig klanten uit om te|nodig klanten uit om|vraag mensen om te|vraag mensen om|vraag ze om|nodig mensen uit om te|nodig mensen uit om|nodig uit om|laat mensen|laat ze|mensen moeten|roep op om te|roep mensen op om|roep op tot|zeg dat ze|moedig mensen aan om|spoor aan|vraag de mensen om te|vraag mensen te|vraag om te|nodig uit om te|nodig mensen uit|laat de mensen|laat klanten|laat bezoekers|laat lezers|roep mensen op om te|roep mensen op te|moedig mensen aan om te|moedig aan om te|stimuleer mensen om te|zet mensen aan om te|zet aan tot|overtuig mensen om te|stuur mensen naar|stuur ze naar|klanten moeten|bezoekers moeten',
    ctaAskAfter: null,
    weWant: `we willen|wij willen|we zouden graag|wij zouden graag|we wensen|willen we|we hopen|ik wil|ik zou graag|het doel is om|het doel is|de klant wil`,
    wantAfter: null,
    avoid: `niet noemen|niet vermelden|niet gebruiken|niet schrijven|niet zeggen|niet benoemen|niet beloven|noem niet|noem geen|noem de prijs niet|vermeld niet|vermeld geen|gebruik niet|gebruik geen|schrijf niet|schrijf geen|zeg niet|zeg niets|zet er geen|zet geen|zet niet|beloof niet|beloof geen|vermijd|vermijden|zonder te noemen|niets over|geen woord over|
    het woord|de woorden|laat weg|weglaten|liever geen|graag geen|alsjeblieft geen|mag niet|mogen niet|praat niet over|niet praten over|niet het woord|geen melding|noem het * niet|noem de * niet|noem onze * niet|vermeld de * niet|vermeld het * niet|schrijf niets|zeg niks|vertel niets|vertel niet|niets zeggen over|niet vergelijken|vergelijk ons niet|niet laten zien|toon geen|toon niet|liever niet|bij voorkeur geen|niet in de tekst|hoeft er niet in|hoeft niet genoemd|mag er niet in|niet in voorkomen|geen gebruik van|gebruik het woord|gebruik de woorden`,
    manner: `op de foto|in beeld|grote foto|onze kleuren|huisstijl|veel wit|zachte kleuren|illustratie*|stockfoto*|toon|tone of voice|stijl|in de stijl|achtergrond|logo|lettertype|letters|kleur|kleuren|vormgeving|opmaak|linksboven|rechtsboven|linksonder|rechtsonder|foto van|foto s van|hoofdletters|vetgedrukt|gebruik de|gebruik een|gebruik ons|gebruik onze|hou het|houd het|houden het|kort en|niet te|moet er|moet het|mag wel|moeilijke woorden|uitstraling|graag een beetje|een beetje brutaal|tutoyeren|je vorm|u vorm|sfeer|lekker kort|maak het grappig|maak het leuk|maak het luchtig|met humor|met een knipoog|geen foto s|geen plaatjes|zonder foto|zwart wit|opvallend|woordgrap|knipoog`,
    toneWords:
      'speelse|grappige|serieuze|vriendelijke|warme|rustige|eerlijke|elegante|informele|formele|zakelijke|nuchtere|moderne|jonge|korte|vrolijke|luchtige|gezellige|stoere|hartelijk|hartelijke|geruststellend|geruststellende|poëtisch|speels|simpel|eenvoudig|helder|speels|grappig|humoristisch|serieus|vriendelijk|warm|rustig|eerlijk|elegant|chic|dringend|informeel|formeel|zakelijk|nuchter|modern|jong|kort|ironisch|brutaal|vrolijk|luchtig|ondeugend|gezellig|stoer|positief|humoristische|komisch|sympathiek|ontspannen|beleefd|knipoog',
    greetings: 'hoi|hallo|dag|goedemorgen|goedemiddag|beste|hey',
    talk: `briefing|hierbij|in de bijlage|bijgevoegd|fijne dag|fijn weekend|succes ermee|tot snel|bedankt|alvast bedankt|dank je|dank u|groetjes|groeten|met vriendelijke groet|mvg|zoals besproken|zoals afgesproken|laat maar weten|
    laat me weten|hoor graag|horen graag|iets leuks|iets moois|verras|jullie keuze|de rest|kun je|kunnen jullie|zou je|zouden jullie|
    de briefing|even de|bij vragen|vragen hoor|dropbox|google drive|wetransfer|stuur ik|sturen we|volgt nog|volgt later|de link komt|kliks moeten|landingspagina|ik hoor het|in cc`,
    briefing: `jullie voorstel|schetsen|doelpubliek|we richten ons|wij richten ons|vorige campagne|doelgroep*|budget|eerste versie|concept|conceptversie|de klant|we willen vooral|wij willen vooral|willen we bereiken|bereiken|het idee is|het doel|we zouden graag|wij zouden graag|
    vorige instructies|negeer|vergeet alle|goedkeuring|deadline voor|onze klanten zijn|de meeste van onze klanten|ter info|ter informatie|achtergrondinfo|interne prijs`,
  },
}
