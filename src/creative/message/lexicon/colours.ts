// The colours that people request or exclude, and the names of colours. A star matches any ending.

import type { WordLists } from '../phrases.ts'

export const COLOURS: WordLists = {
  all: `red|blue|green|yellow|orange|pink|purple|violet|black|white|grey|gray|brown|gold|silver|beige|turquoise|neon|
    rot*|blau*|grün*|gelb*|rosa|lila|schwarz*|weiß*|grau*|braun*|rouge*|bleu*|vert|verte|jaune*|rose|violet*|noir*|blanc|blanche|gris|marron|
    rojo*|roja*|azul*|verde*|amarill*|rosado|morado|negr*|blanc*|marrón|rosso|rossa|blu|giall*|viola|nero|nera|bianco|bianca|grigio|marrone|vermelh*|amarel*|roxo|pret*|branc*|cinza|castanho|
    rood|rode|blauw*|groen*|geel|gele|oranje|roze|paars*|zwart*|wit|witte|grijs|grijze|bruin*|czerwon*|czerwień|czerwieni|niebiesk*|zielon*|żółt*|pomarańczow*|różow*|fiolet*|czarn*|biał*|szar*|brązow*|
    röd|rött|röda|blå|blått|blåa|grön|grönt|gröna|gul|gult|gula|rosa|svart|svarta|vit|vitt|vita|grå|grått|brun|brunt|červen*|modr*|zelen*|žlut*|oranžov*|růžov*|fialov*|čern*|bíl*|šed*|hněd*|
    merah|biru|hijau|kuning|oranye|jingga|ungu|hitam|putih|abu abu|coklat|kırmızı|mavi|yeşil|sarı|turuncu|pembe|mor|siyah|beyaz|gri|kahverengi|đỏ|xanh|vàng|cam|hồng|tím|đen|trắng|xám|nâu|
    κόκκιν*|μπλε|πράσιν*|κίτριν*|πορτοκαλί|ροζ|μωβ|μαύρ*|λευκ*|άσπρ*|γκρι|καφέ|красн*|синий|синего|синим|зелён*|зелен*|жёлт*|желт*|оранжев*|розов*|фиолетов*|чёрн*|черн*|бел*|сер*|коричнев*|червон*|синього|блакитн*|жовт*|помаранчев*|рожев*|фіолетов*|чорн*|біл*|сір*|
    लाल|नीला|नीले|हरा|हरे|पीला|पीले|नारंगी|गुलाबी|बैंगनी|काला|काले|सफेद|أحمر|الأحمر|حمراء|أزرق|الأزرق|أخضر|الأخضر|أصفر|الأصفر|برتقالي|وردي|بنفسجي|أسود|الأسود|أبيض|الأبيض|אדום|כחול|ירוק|צהוב|כתום|ורוד|סגול|שחור|לבן|
    สีแดง|สีฟ้า|สีน้ำเงิน|สีเขียว|สีเหลือง|สีส้ม|สีชมพู|สีม่วง|สีดำ|สีขาว|赤|青|緑|黄色|オレンジ|ピンク|紫|黒|白|빨간|빨강|파란|파랑|초록|노란|노랑|주황|분홍|핑크|보라|검정|검은|하얀|흰색|红色|紅色|大红|蓝色|藍色|绿色|綠色|黄色|黃色|橙色|粉色|紫色|黑色|白色`,
}

export const COLOUR: WordLists = {
  all: `colour*|color*|tones|tone|shades|background|farbe|farben|töne|couleur*|teinte*|color*|colore*|tinte|cor|cores|kleur*|tinten|kolor*|barw*|barv*|färg*|warna|renk*|màu*|χρώμα*|цвет*|цвета|колір|кольор*|रंग*|لون|اللون|ألوان|צבע*|สี|色|색`,
}
