// How people say what they hope for: that others do something, that more of them come, that somebody is reached. A
// star matches any ending.

import { listsOf } from '../languages/languages.ts'
import type { WordLists } from '../phrases.ts'

/** The author of a preference, and the marker that it is one. The preference itself follows. */
export const WE_WANT = listsOf('weWant')

/** Marks a preference, where verbs come last: the preference itself precedes it. */
export const WANT_AFTER = listsOf('wantAfter')

/** Who should do it: those who see the advertisement. */
export const PEOPLE: WordLists = {
  all: `people|more people|customers|guests|visitors|readers|them|everyone|everybody|clients|users|parents|families|students|locals|fans|
    die leute|leute|dass die leute|kunden|menschen|gäste|besucher|leser|alle|interessierte|
    les gens|que les gens|que les clients|que le public|les clients|les visiteurs|les lecteurs|que l on|
    que la gente|que las personas|que los clientes|que el público|que la clientela|la gente|las personas|los clientes|
    che le persone|che la gente|che i clienti|che il pubblico|le persone|la gente|i clienti|
    que as pessoas|que os clientes|que o público|que a malta|as pessoas|os clientes|
    dat mensen|dat klanten|dat bezoekers|dat iedereen|mensen|klanten|bezoekers|
    żeby ludzie|aby ludzie|żeby klienci|aby klienci|by ludzie|ludzie|klienci|
    att folk|att kunder|att besökare|att fler|folk|kunder|människor|besökare|
    insanlar|insanların|müşteriler|müşterilerin|herkes|herkesin|ziyaretçiler|okuyucular|
    mọi người|khách hàng|khách|người dùng|
    ο κόσμος να|να έρθει ο κόσμος|οι πελάτες να|ο κόσμος|οι πελάτες|
    чтобы люди|чтобы клиенты|чтобы все|чтобы посетители|люди|клиенты|щоб люди|щоб клієнти|щоб усі|люди|клієнти|
    लोग|ग्राहक|सब|الناس أن|الناس|العملاء|الزبائن|الجمهور|أن يقوم الناس|שאנשים|שהלקוחות|שלקוחות|אנשים|לקוחות|
    ลูกค้า|ผู้คน|ทุกคน|คน|大家|用户|用戶|顾客|顧客|客人|客户|客戶|人们|人們|お客様に|お客さまに|みんなに|読者に|사람들이|고객이|고객들이|손님이|모두가|aby si lidé|aby lidé|aby se lidé|ať lidé|ať si lidé|aby zákazníci|aby si zákazníci|lidé|lidi|zákazníci|agar orang|supaya orang|agar pelanggan|supaya pelanggan|orang orang|orang|pelanggan|pengunjung|pembeli|folks|shoppers|businesses|companies`,
}

/** Introduces the verb for what people should do. */
export const TO: WordLists = {
  all: 'to|zu|à|de|a|att|te|om te|om|να|и|będą|kommen und|can|could|will|would|should|ska|kan|zal|zullen|untuk|bisa|mohli|aby',
}

/** A preference to be seen by some people is addressed to the creator of the ad, never to those people. */
export const REACH: WordLists = {
  all: `reach|target|address|appeal to|attract|speak to|talk to|get in front of|erreichen|ansprechen|anziehen|
    toucher|cibler|atteindre|viser|s adresser|attirer|séduire|llegar a|alcanzar|atraer|dirigirnos|conectar con|captar|
    raggiungere|attirare|rivolgerci|parlare a|intercettare|chegar a|atingir|alcançar|atrair|captar|falar com|
    bereiken|aanspreken|aantrekken|dotrzeć|trafić do|przyciągnąć|nå ut till|nå fram till|rikta oss|locka|attrahera|tilltala|
    ulaşmak|hitap etmek|çekmek|tiếp cận|hướng đến|hướng tới|nhắm đến|nhắm tới|thu hút|να προσεγγίσουμε|προσεγγίσουμε|να απευθυνθούμε|προσελκύσουμε|
    охватить|привлечь|достучаться|обратиться к|охопити|залучити|привабити|звернутися до|पहुँचना|पहुंचना|الوصول إلى|أن نصل|نصل إلى|نستهدف|جذب|
    להגיע ל|למשוך|לפנות ל|לפנות אל|เข้าถึง|ดึงดูด|触达|觸及|吸引|覆盖|届けたい|リーチ|訴求したい|도달|공략|oslovit|přilákat|zasáhnout|cílit na|menjangkau|menarik|menyasar|mencapai`,
}

/** More of something is hoped for: the purpose follows. */
export const MORE: WordLists = {
  all: `more|get more|to get more|have more|win more|attract more|sell more|to sell more|mehr|noch mehr|plus de|davantage de|más|vender más|conseguir más|tener más|más gente|
    più|vendere più|avere più|mais|vender mais|ter mais|meer|więcej|fler|få fler|att få fler|sälja fler|sälja mer|mer|daha fazla|daha çok|thêm|nhiều|nhiều hơn|bán nhiều|περισσότερες|περισσότερους|περισσότερα|
    больше|продать больше|более|більше|अधिक|ज़्यादा|المزيد من|יותר|更多|více|víc|lebih banyak|lebih`,
}

/** Between what there should be more of and its purpose. */
export const MORE_FOR: WordLists = {
  all: `for|into|to|in|at|of|für|zu|zum|zur|in|im|bei|pour|à|au|dans|para|en|a|al|per|a|al|alla|ai|nel|para|em|no|na|à|ao|voor|naar|in|bij|op|na|do|w|dla|för|till|att|i|på|cho|đến|για|σε|στο|στη|στην|στα|в|во|на|для|к|у|до|के लिए|ل|إلى|في|ל|ב|pro|ke|untuk|ke|di`,
}

/** What should be done with the advertised thing, at the end of a German sentence. */
export const PUSH_AFTER: WordLists = {
  all: `bekannt machen|bekanntmachen|bekannter machen|nach vorne bringen|in den vordergrund stellen|in den fokus rücken|bewerben|vorstellen|ankündigen|promoten|pushen|anpreisen|verkaufen|füllen|voll bekommen|
    onder de aandacht brengen|promoten|bekendmaken|in de kijker zetten|duyurmak|tanıtmak|öne çıkarmak|satmak`,
}

/** The same, before it. */
export const PUSH_BEFORE: WordLists = {
  all: `to push|push|to sell|sell|to fill|fill|to present|present|to launch|launch|to showcase|showcase|to introduce|introduce|to announce|announce|to promote|promote|to advertise|advertise|to draw attention to|draw attention to|to tell people about|to tell everyone about|to raise awareness of|raise awareness for|
    faire connaître|mettre en avant|pousser|vendre|lancer|présenter|annoncer|remplir|promouvoir|faire la promotion de|parler de|
    dar a conocer|promocionar|impulsar|vender|lanzar|presentar|anunciar|llenar|hablar de|
    spingere|far conoscere|lanciare|presentare|vendere|promuovere|annunciare|riempire|parlare di|
    divulgar|promover|dar a conhecer|lançar|apresentar|vender|anunciar|encher|falar de|impulsionar|
    wypromować|promować|zareklamować|sprzedać|pokazać|ogłosić|przedstawić|
    lyfta fram|lyfta|marknadsföra|sälja|lansera|presentera|berätta om|puffa för|fylla|göra reklam för|
    quảng bá|giới thiệu|bán|ra mắt|να προωθήσουμε|προωθήσουμε|να προβάλουμε|προβάλουμε|να παρουσιάσουμε|να ανακοινώσουμε|
    продвинуть|прорекламировать|рассказать про|рассказать о|рассказать об|представить|продать|просунути|прорекламувати|розповісти про|представити|продати|
    الترويج ل|ترويج|نروج ل|أن نروج ل|الإعلان عن|تسويق|לקדם את|לקדם|לפרסם את|לפרסם|להשיק את|להציג את|
    做一张横幅推广|做一張橫幅推廣|做广告推广|推广|推廣|宣传|宣傳|推出|介绍|介紹|销售|銷售|propagovat|zpropagovat|představit|prodat|naplnit|oznámit|uvést na trh|zviditelnit|promosi|promosikan|mempromosikan|memperkenalkan|mengenalkan|menjual|meluncurkan|mengumumkan|highlight|spotlight|feature|destacar|resaltar|valorizzare|evidenziare|mettre en valeur|onder de aandacht brengen|wyróżnić|framhäva|προβάλλουμε|выделить|подчеркнуть|виділити|підкреслити`,
}

/** Connects the marker of a preference with the preference itself. */
export const THAT: WordLists = {
  all: 'that|dass|daß|que|che|dat|że|żeby|aby|by|att|ότι|να|что|чтобы|що|щоб|أن|कि|rằng|že|ať|agar|supaya|bahwa',
}
