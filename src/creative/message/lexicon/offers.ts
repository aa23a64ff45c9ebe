// Words that make an offer without a figure: they have priority over other words when there is little room. A star
// matches any ending.

import type { WordLists } from '../phrases.ts'

export const OFFERS: WordLists = {
  all: `free|for free|buy one get one|bogo|half price|2 for 1|two for one|third one free|gift|gratis|kostenlos*|umsonst|geschenkt|halber preis|zum halben preis|versandkostenfrei|gratuit*|offert*|cadeau|moitié prix|regalo|de regalo|2x1|3x2|mitad de precio|gratuit*|omaggio|in omaggio|metà prezzo|
    grátis|gratuit*|oferta de|leve|metade do preço|halve prijs|cadeau|za darmo|bezpłatn*|darmow*|w prezencie|gratis|pół ceny|fri frakt|på köpet|halva priset|zdarma|dárek|dárkem|půl ceny|cuma cuma|beli 1 gratis|hadiah|ücretsiz|bedava|hediye|yarı fiyatına|miễn phí|tặng|nửa giá|δωρεάν|δώρο|μισή τιμή|
    бесплатн*|в подарок|подарок|полцены|безкоштовн*|у подарунок|подарунок|пів ціни|मुफ़्त|मुफ्त|फ्री|مجان|هدية|نصف السعر|חינם|מתנה|חצי מחיר|ฟรี|แถม|ครึ่งราคา|無料|半額|プレゼント|무료|증정|반값|免费|免費|买一送一|買一送一|赠|贈|半价|半價|包邮|免運`,
}
