// Small words of each language: those that identify it, those that precede a noun, and those that join clauses.

import type { WordLists } from '../phrases.ts'

/** Words that occur in almost every sentence; they distinguish languages. */
export const STOP_WORDS: WordLists = {
  en: 'no|the|and|for|your|with|of|to|on|our|from|in|at|is|are|you|we|this|that|off|now|by|it|all|new|only|until|please|about|get|up',
  de: 'in|soll|sein|der|die|das|und|für|mit|von|bei|ist|im|auf|bis|nur|ein|eine|einen|unsere|unser|wir|sie|ihr|zu|zum|zur|am|ab|nicht|alle|jetzt|neu|auch|den|dem|aus|noch|uns|bitte|kein|keine|uhr',
  fr: 'ne|pas|que|d|l|le|la|les|des|du|et|pour|avec|sur|une|un|dans|est|vous|nous|votre|nos|notre|jusqu|sans|par|au|aux|ce|cette|plus|qui|à|de|en|dès|chez|toute|tous',
  es: 'no|el|la|los|las|del|y|para|con|en|una|un|es|su|tu|por|hasta|desde|sin|nuestro|nuestra|todos|todas|que|al|ya|más|solo|de|se|lo',
  it: 'dai|ai|tu|il|lo|la|gli|le|dei|del|della|e|per|con|su|una|un|è|di|da|fino|nostro|nostra|tutti|tutte|che|al|alla|più|solo|nel|sul|a|non|senza|i',
  pt: 'o|a|os|as|do|da|dos|das|e|para|com|em|uma|um|é|seu|sua|por|até|sem|nosso|nossa|todos|que|ao|na|no|mais|só|de|não|você|nova|novo|já',
  nl: 'de|het|een|en|voor|met|van|op|is|in|bij|tot|alleen|onze|ons|wij|je|jouw|naar|niet|alle|nu|nieuw|ook|aan|te|om|zijn|dat|geen|uur|maar',
  pl: 'i|w|na|z|do|dla|od|po|jest|się|nie|tylko|nasz|nasza|nasze|twój|przy|za|każdy|wszystkie|już|nowy|nowa|lub|że|bez|oraz|ze|o|to',
  sv: 'och|för|med|på|till|av|är|det|den|ett|en|vi|vår|vårt|våra|alla|nu|inte|som|från|hos|bara|ny|nya|nytt|din|ditt|dina|du|ni|att|om|har|finns|kr|hela|eller|så|när|ut',
  tr: 've|için|ile|bir|tüm|kadar|yeni|sadece|saat|çok|daha|gün|şimdi|olan|ücretsiz|bizim|sizin|indirim|siz|her|hemen|var|gibi|sonra|ilk',
  vi: 'và|của|cho|với|các|một|từ|đến|tại|chỉ|mới|khi|trong|là|có|giảm|bạn|này|được|ngày|mua|không|miễn|phí|những|người|ở|cả',
  cs: 'pro|nebo|vaše|nyní|všechny|nové|už|jen|zdarma|až|celou|nový|nová|náš|naše|naši|našeho|naší|který|která|které|jsou|bude|také|ještě|aby|ať|při|ze|ve|ke|si|se|je|to|tak|prosím',
  id: 'dan|di|ke|untuk|dengan|yang|dari|kami|anda|kita|sekarang|semua|hanya|hari|ini|itu|juga|atau|pada|agar|ya|saja|dong|lebih|bisa|ada|para|sudah|tolong',
}

/** Precedes a noun, and is dropped if the noun comes first. */
export const DETERMINERS: WordLists = {
  all: `our|the|a|an|my|their|your|this|these|unsere|unser|unserem|unseren|unserer|der|die|das|den|dem|ein|eine|einen|einem|notre|nos|le|la|les|un|une|du|des|l|nuestro|nuestra|nuestros|nuestras|el|los|las|una|il|lo|gli|i|nostro|nostra|nostri|nostre|o|os|as|nosso|nossa|nossos|nossas|um|uma|
    vår|vårt|våra|ett|onze|ons|de|het|een|nasz|nasza|nasze|naszego|naszej|naszych|наш|наша|наше|наши|нашего|нашей|наших|нашу|нашої|нашого|нашу|μας|το|τη|την|τον|τα|τους|τις|ο|η|οι|हमारे|हमारा|हमारी|that|about|che|que|ότι|что|що|że|dass|att|hazır|của mình|của chúng tôi|náš|naše|naši|našeho|naší|našich|našim|naším|naše nové|kami`,
}

/** Joins clauses; an instruction may begin after it. */
export const AND: WordLists = {
  all: 'and|och|samt|men|eller|or|oder|ou|of|lub|veya|hoặc|или|або|but|then|also|und|aber|sowie|et|mais|y|e|pero|ma|mas|en|maar|i|oraz|ale|ve|ama|và|nhưng|και|αλλά|и|а|но|і|й|та|але|और|लेकिन|و|ولكن|ו|אבל|plus|par ailleurs|además|anche|também|ook|też|ayrıca|nebo|také|dan|tetapi|tapi|atau|serta|juga',
}

/** Where a long line may be broken: a new thought begins with one of these. */
export const BREAKS: WordLists = {
  all: `och|med|för|på|till|från|vid|när|hos|and|with|for|in|on|at|by|from|until|till|when|if|so|plus|that|which|now|or|und|mit|für|bei|ab|bis|wenn|oder|am|im|auf|et|avec|pour|sur|dès|jusqu|en|dans|ou|y|con|para|desde|hasta|si|o|e|per|da|fino|su|se|com|até|em|ou|en|met|voor|bij|vanaf|tot|als|of|op|i|z|dla|od|do|na|w|lub|ve|ile|için|veya|và|cho|với|từ|đến|tại|chỉ|khi|
    και|με|για|από|έως|μέχρι|στη|στο|σε|ή|и|с|со|для|от|до|на|в|при|по|или|і|з|зі|від|у|та|або|और|पर|में|से|तक|के|من|في|حتى|على|مع|إلى|עם|עד|על|החל|או|nebo|pro|při|až|když|za|dan|dengan|untuk|di|dari|sampai|hingga|mulai|saat`,
}
