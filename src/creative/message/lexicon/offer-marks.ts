// Words beside the figures of an offer: what a former price, a new price, a code and a deadline begin with, and what
// a price that is no offer stands beside. A star matches any ending.

import type { WordLists } from '../phrases.ts'

/** Beside the price that applied before. */
export const FORMER: WordLists = {
  all: `was|were|before|formerly|previously|instead of|rrp|down from|usually|normally|list price|reg|statt|anstatt|vorher|früher|bisher|uvp|au lieu de|avant|prix conseillé|antes|en vez de|en lugar de|invece di|prima|anziché|em vez de|em lugar de|van|in plaats van|normaal|zamiast|wcześniej|ord|ordinarie|förut|tidigare|istället för|før|tidligere|førpris|ennen|původně|místo|înainte|în loc de|korábban|helyett|yerine|önce|sebelumnya|dari harga|giá gốc|thay vì|trước đây|από|αντί|πριν|вместо|было|раньше|замість|було|раніше|पहले|के बजाय|بدلاً من|بدلا من|بدل|سابقا|במקום|ปกติ|จากปกติ|จากราคา|通常|通常価格|定価|元値|从前|原价|原價|정가|기존가`,
}

/** Before the price that applies now. */
export const CURRENT: WordLists = {
  all: `now|now only|only|just|jetzt|jetzt nur|nur|maintenant|seulement|ahora|solo|adesso|ora|agora|só|nu|nu slechts|teraz|tylko|nyt|nyní|acum|most|şimdi|sekarang|hanya|chỉ|chỉ còn|τώρα|μόνο|сейчас|всего|теперь|зараз|лише|अब|सिर्फ|केवल|الآن|فقط|עכשיו|רק|เหลือ|เพียง|ตอนนี้|今なら|只要|仅|僅|现在|지금|단`,
}

/** Before a code. */
export const CODED: WordLists = {
  all: `code|with code|with the code|use code|using code|promo code|voucher|coupon|mit code|mit dem code|mit gutschein|gutschein|gutscheincode|rabattcode|avec le code|avec code|con el código|con código|código|con il codice|con codice|codice|com o código|com código|cupom|met code|kod|z kodem|kodem|med kod|med koden|rabattkod|koodi|s kódem|kód|cu codul|kóddal|koduyla|kodu|kode|dengan kode|mã|nhập mã|με κωδικό|κωδικό|κωδικός|с кодом|промокод|по промокоду|код|з кодом|कोड|كود|الكود|بالكود|بكود|קוד|โค้ด|ใช้โค้ด|コード|クーポン|쿠폰|코드|优惠码|優惠碼|代码|折扣码`,
}

/** Before the day on which the offer ends. */
export const ENDING: WordLists = {
  all: `until|till|til|ends|ending|valid until|through|only until|bis|bis zum|nur bis|gültig bis|endet am|jusqu'au|jusqu'à|jusque|hasta|hasta el|válido hasta|fino al|fino a|entro il|até|até o|tot|tot en met|t/m|do|ważne do|tylko do|t o m|till och med|indtil|inntil|til og med|končí|până|până la|sampai|hingga|đến|đến hết|έως|μέχρι|до|только до|діє до|حتى|لغاية|עד|ถึง|ภายใน|截至|截止`,
}

/** Beside a price that is a condition and no offer. */
export const CONDITIONS: WordLists = {
  all: `minimum|min|over|above|order*|orders|basket|spend|deposit|shipping|delivery|postage|bestellwert|mindestbestellwert|einkaufswert|versand|lieferung|kaution|livraison|commande*|minimum|caution|envío|pedido*|mínimo|gastos|spedizione|ordine|ordini|minimo|portes|encomenda*|entrega|verzend*|bestelling*|borg|dostaw*|zamówien*|kaucj*|frakt|beställning*|doprav*|kaution|livrare|szállítás|kargo|teslimat|ongkir|vận chuyển|αποστολή|доставк*|заказ*|залог|शिपिंग|डिलीवरी|شحن|توصيل|الطلب|משלוח|ค่าส่ง|จัดส่ง|送料|以上|以上で|配送|运费|運費|配送费|배송|이상`,
}

/** The same, behind it. */
export const ENDED: WordLists = {
  all: `まで|까지|तक|kadar|saakka|asti|ig|止`,
}

/** Beside a percentage that a price is reduced by. */
export const REDUCED: WordLists = {
  all: `off|discount*|auf|auf alles|save|saving*|sale|less|cheaper|cashback|bonus|rabatt*|reduziert*|günstiger|sparen|spare|nachlass|förderung|zuschuss|réduction|remise|moins|descuento*|dto|menos|sconto|sconti|desconto*|korting|zniżki|zniżka|taniej|rabat*|alennus*|slevy|sleva|sleva*|reducere*|kedvezmény*|indirim*|diskon*|potongan|giảm*|έκπτωση|έκπτωσης|скидк*|знижк*|छूट|डिस्काउंट|خصم|تخفيض|הנחה|ลด|ส่วนลด|オフ|引き|割引|割|折|할인|优惠|優惠|減|减`,
}
