// How people say what an advertisement must not say. A star matches any ending.

import { listsOf } from '../languages/languages.ts'
import type { WordLists } from '../phrases.ts'

/** A clause that contains one of these says what to avoid. */
export const AVOID = listsOf('avoid')

/** Negations: with a topic they say what to avoid, and also after another such clause. */
export const NOT: WordLists = {
  all: `inte|inget|ingen|inga|ej|utan|aldrig|no|not|don t|never|without|nor|neither|kein|keine|keinen|keiner|nicht|ohne|weder|noch|pas de|pas d|sans|ni|aucun|aucune|sin|nada de|ningún|ninguna|non|senza|né|nessun*|niente|não|sem|nem|nenhum*|nada|
    geen|niet|zonder|noch|nie|bez|ani|żadn*|olmasın|yok|không|đừng|μην|μη|όχι|χωρίς|ούτε|не|без|ни|ні|жодн*|никак*|मत|न|ना|बिना|नहीं|بدون|ولا|لا|من دون|دون|בלי|ללא|לא|אל|ולא|ובלי|
    ไม่|อย่า|ห้าม|なし|ない|不要|不|别|別|勿|말|마세요|없이|ne|nic|žádn*|nikdy|jangan|tanpa|tidak|bukan|nggak|gak|nichts|keinerlei|rien|jamais|nunca|mai|nunca|nooit|niks|nigdy|asla|değil|olmadan|ποτέ|никогда|ніколи|нет|कभी नहीं|أبدا|אף פעם`,
}

/** Directly before a verb: that it must not be done. Not `no`, which is `in the` in Portuguese. */
export const NOT_TO: WordLists = {
  all: `don t|dont|do not|never|not|nicht|n|ne|pas|não|nunca|non|mai|niet|nooit|nie|nigdy|inte|aldrig|ikke|не|никогда|ніколи|không|đừng|jangan|不要|不|别|別|勿|อย่า|ไม่|μην|μη|لا|אל|לא|मत`,
}
/** Verbs and nouns that negate what they mention: `Cancel your subscription`, `Nothing to buy`. */
export const AGAINST: WordLists = {
  all: `cancel|cancel your|cancel my|quit|quit your|stop|stop your|end your|ditch|ditch your|skip|skip the|skip your|nothing to|no need to|without|without a|free of|no|zero|instead of|rather than|kein|keine|keinen|ohne|statt|kündige|kündige deine|kündige dein|kündigen sie|sans|aucun|aucune|résiliez|résilie|résiliez votre|sin|sin ningún|sin ninguna|cancela|cancela tu|sem|cancele|cancele a|senza|nessun|nessuna|disdici|annulla|geen|zonder|zeg|bez|żadnego|zrezygnuj z|inget|ingen|utan|säg upp|intet|uden|ingen|uten|ei|ilman|žádné|žádný|без|нет|отмени|без жодного|nincs|nélkül|fără|olmadan|khỏi|không cần|tanpa|χωρίς|بدون|لا حاجة|ללא|בלי|बिना|ไม่ต้อง|无需|無需|免`,
}
/** After a verb: that none of it must be done. */
export const NOTHING_WORDS: WordLists = {
  all: 'nothing|nichts|rien|nada|niente|nulla|niets|niks|nic|ingenting|intet|ничего|нічого|τίποτα|hiçbir şey|không gì|jangan apa apa',
}

/** Topics, grouped by what is then omitted. */
export const TOPICS = {
  price: `pris|priset|priser|priserna|kostnad*|price*|pricing|cost|costs|fee|fees|rate|rates|how much|preis*|kosten|gebühr*|prix|tarif*|coût*|precio*|tarifa*|coste*|costo|costos|prezz*|tariff*|preço*|valor|valores|prijs*|prijzen|tarieven|cen|cena|ceny|cenę|cenach|cenami|koszt*|fiyat*|ücret*|giá|giá cả|
    học phí|chi phí|τιμή|τιμές|τιμών|κόστος|цен*|стоимост*|прайс*|цін*|вартіст*|ціна|कीमत*|दाम|मूल्य|रेट|फीस|الأسعار|السعر|أسعار|سعر|التكلفة|الرسوم|מחיר*|מחירים|המחיר|עלות|ราคา|ค่า|価格|値段|料金|金額|가격|요금|금액|비용|价格|價格|价钱|價錢|价位|費用|费用|金额|金額|cenu|cenách|cenou|ceník*|harga|harganya|biaya|tarif|prislapp|prislappar|كم السعر|ثمن|الثمن|售价|售價|定价|定價`,
  discount: `rabatter|procent|discount*|percentage*|percent|sale|rabatt*|prozent*|remise*|réduction*|promo*|descuento*|rebaja*|scont*|desconto*|korting*|rabat*|zniżk*|indirim*|giảm giá|khuyến mãi|έκπτωση|εκπτώσεις|скидк*|знижк*|छूट|خصم|الخصم|تخفيض*|הנחה|הנחות|ส่วนลด|割引|値引|할인|折扣|优惠|優惠|sleva|slevu|slevy|slevě|slevách|procenta|diskon|potongan harga|promo`,
  phone: `telefonnummer*|phone|phone number|telephone|number|telefon*|nummer|téléphone|numéro|teléfono|telefono|numero|telefone|número|numer|số điện thoại|τηλέφωνο|телефон*|номер|फोन|फ़ोन|नंबर|رقم الهاتف|الهاتف|رقم|טלפון|เบอร์|電話|전화|电话|telefonní číslo|nomor telepon|nomor|telepon|nomor hp`,
  address: `adress|adressen|address|adresse|dirección|indirizzo|endereço|adres|adresu|địa chỉ|διεύθυνση|адрес*|पता|العنوان|כתובת|ที่อยู่|住所|주소|地址|adresa|adresy|alamat|alamatnya`,
  link: `webbplats*|hemsida*|länk*|url|website|web address|link|webseite|site web|sitio web|sito|strona|web sitesi|trang web|сайт|वेबसाइट|الرابط|الموقع|קישור|לינק|אתר|เว็บไซต์|リンク|홈페이지|링크|网址|網址|链接|連結|odkaz|webové stránky|webovou adresu|situs|tautan|alamat web`,
  date: `datum|date|dates|datum|termin|fecha*|data|date de|tarih*|ngày|ημερομηνία|дат*|तारीख|التاريخ|תאריך|วันที่|日付|날짜|日期|data konání|tanggal|tanggalnya`,
  exclamation: `utropstecken|exclamation mark*|exclamation point*|exclamation*|ausrufezeichen|ausrufungszeichen|point d exclamation|points d exclamation|signos de exclamación|exclamacion*|exclamación|punti esclamativi|punto esclamativo|pontos de exclamação|ponto de exclamação|uitroepteken*|wykrzyknik*|ünlem*|dấu chấm than|chấm than|
    θαυμαστικ*|восклицательн*|восклицани*|знак* оклику|оклику|विस्मयादिबोधक|علامات تعجب|علامة تعجب|التعجب|סימני קריאה|סימן קריאה|เครื่องหมายตกใจ|อัศเจรีย์|感嘆符|ビックリマーク|느낌표|感叹号|感嘆號|驚嘆號|惊叹号|vykřičník*|tanda seru`,
  emoji: `smileys|emojier|emoji*|emotikon*|émoticône*|emoticon*|smajlik*|βατσάκια|emojis|smiley*|эмодзи|смайл*|емодзі|इमोजी|إيموجي|الرموز التعبيرية|אימוג*|อีโมจิ|絵文字|이모지|이모티콘|表情符号|表情符號|表情|smajlík*|emotikony|emotikon`,
} as const satisfies Record<string, string>

/** The word that follows must be avoided. */
export const THE_WORD: WordLists = {
  all: `ordet|orden|the word|the words|the term|the phrase|das wort|den begriff|die wörter|le mot|les mots|le terme|la palabra|las palabras|el término|la parola|le parole|il termine|a palavra|as palavras|o termo|het woord|de woorden|słowa|słów|słowo|từ|τη λέξη|τις λέξεις|слово|слова|слов|शब्द|كلمة|כלמה|המילה|המילים|คำว่า|slovo|slova|slov|výraz|kata|kata kata|istilah|the expression|den ausdruck|die begriffe|das adjektiv|l expression|les termes|la expresión|los términos|l espressione|i termini|a expressão|os termos|de term|wyrazu|wyrażenia|begreppet|uttrycket|cụm từ|chữ|τον όρο|την έκφραση|выражение|термин|вираз|термін|عبارة|הביטוי`,
}

/** Verbs of saying: with a negation, next to other instructions, they say what to avoid. */
export const SAYING: WordLists = {
  all: `mention*|say|saying|write|writing|refer|referring|talk|talking|speak|compare|comparing|promise|claim|disclose|reveal|erwähn*|nennen|nenne|nennt|schreiben|schreib|schreibt|sagen|sagt|sag|sprechen|sprecht|reden|redet|vergleichen|vergleicht|versprechen|versprecht|behaupten|thematisier*|
    mentionn*|parler|parle|parlez|écrire|écris|écrivez|dire|dites|dis|évoquer|évoque|évoquez|comparer|comparez|promettre|promettez|citer|citez|mencion*|hablar|hables|hablen|habléis|escribir|escribas|escriban|decir|digas|digan|digáis|nombrar|nombres|comparar|compares|comparen|prometer|prometas|pongáis|
    menzion*|parlare|parlate|scrivere|scrivete|dire|dite|nominare|nominate|paragonare|paragonate|confrontare|promettere|promettete|falar|fale|fales|falem|escrever|escreva|escrevam|dizer|diga|digam|comparar|compare|comparem|prometer|refiram|
    noem|noemen|vermeld|vermelden|schrijf|schrijven|zeg|zeggen|praat|praten|vergelijk|vergelijken|beloof|beloven|wspomin*|pisz|piszcie|pisać|mów|mówcie|mówić|wymien*|porówn*|obiecuj*|podawaj*|podawać|nämn|nämna|skriv|skriva|säg|säga|prata|tala|jämför|jämföra|lova|
    nhắc|nói|viết|ghi|đề cập|so sánh|hứa|αναφέρ*|αναφερθ*|γράψ*|γράφ*|πεις|πείτε|μιλήσ*|μιλάτε|συγκρ*|υποσχ*|упомин*|упомян*|пиши*|писать|говори*|говорить|сравнив*|обеща*|указыва*|называ*|згадув*|згадуй*|пиши*|пишіть|писати|говори*|кажіть|порівню*|обіця*|вказув*|вказуй*|назива*|ज़िक्र|जिक्र|उल्लेख|लिखें|लिखना|बताएं|कहें|तुलना|वादा|neuvád*|uvád*|zmiň*|piš*|psát|říkej*|říkat|mluv*|srovnáv*|slib*|sebut*|menyebut*|tulis|menulis|bilang|katakan|cantumkan|bahas|membahas|bandingkan|janjikan|show|list|reference|zeigen|zeigt|angeben|montrer|montrez|indiquer|indiquez|mostrar|muestres|muestren|indicar|indiques|mostrare|mostrate|indicare|mostre|mostrem|indique|tonen|toon|visa|pokazuj*|показыв*|показуй*`,
}
