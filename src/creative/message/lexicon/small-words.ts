// Small words of each language: those that identify it, those that precede a noun, and those that join clauses.

import { listsOf } from '../languages/languages.ts'
import type { WordLists } from '../phrases.ts'

/** Words that occur in almost every sentence; they distinguish languages. */
export const STOP_WORDS = listsOf('stopWords')

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
