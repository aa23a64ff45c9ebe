// How people say what an advertisement must not say. A star stands for any ending.

import type { WordLists } from '../phrases.ts'

/** A clause that holds one of these says what to leave out. */
export const AVOID: WordLists = {
  en: `don t mention|do not mention|don t say|do not say|don t use|do not use|don t write|do not write|don t put|do not put|don t include|do not include|don t show|do not show|don t talk about|do not talk about|
    don t call|do not call|don t print|do not print|don t state|do not state|don t quote|do not quote|don t promise|do not promise|don t claim|do not claim|don t add|do not add|don t name|do not name|don t refer|do not refer|don t give|do not give|
    never mention|never say|never use|never write|never call|leave out|leave off|keep out|no mention of|without mentioning|without saying|without using|nothing about|not a word about|avoid|avoiding|skip the|omit|
    please no|no need to mention|not mention|should not mention|shouldn t mention|must not mention|must not say|must not appear|should not appear|shouldn t appear|is not to be mentioned|drop the word|stay away from|steer clear of|
    not allowed to say|we can t say|we cannot say|we may not say|refrain from`,
  de: `nicht erwähnen|nicht nennen|nicht verwenden|nicht schreiben|nicht sagen|nicht benutzen|nicht zeigen|nicht angeben|nicht versprechen|nicht das wort|nicht die wörter|nicht vom|nicht von|nicht über|nichts über|nichts von|kein wort|keine erwähnung|
    erwähne nicht|nenne nicht|verwende nicht|schreib nicht|schreibt nicht|verzichte auf|verzichtet auf|verzichten auf|verzichten sie auf|vermeide|vermeidet|vermeiden|bitte ohne|ohne erwähnung|weglassen|lass weg|lasst weg|auf keinen fall|
    keinen * erwähnen|keine * erwähnen|kein * erwähnen|keine * nennen|keinen * nennen|keine * verwenden|das wort|nicht vorkommen|darf nicht|dürfen nicht|bitte nicht|bitte kein|bitte keine|bitte keinen|erwähnt nicht|nennt nicht|verwendet nicht|schreiben sie nicht|erwähnen sie nicht`,
  fr: `ne mentionne pas|ne mentionnez pas|ne pas mentionner|ne parle pas|ne parlez pas|ne pas parler|n utilise pas|n utilisez pas|ne pas utiliser|n écris pas|n écrivez pas|ne pas écrire|ne mets pas|ne mettez pas|ne pas mettre|ne dis pas|ne dites pas|ne pas dire|
    n indique pas|n indiquez pas|ne pas indiquer|ne pas afficher|n affichez pas|ne cite pas|ne citez pas|ne pas citer|évite|évitez|éviter|sans mentionner|sans parler|sans utiliser|sans dire|pas de mention|rien sur|pas un mot sur|surtout pas|le mot|les mots|ne promettez|ne pas promettre|pas le mot|ni le mot|oubliez le mot|ne précisez pas`,
  es: `no menciones|no mencionen|no mencionar|no mencionés|no menciona|no uses|no usen|no usar|no utilices|no utilicen|no utilizar|no pongas|no pongan|no poner|no pongáis|no digas|no digan|no decir|no hables|no hablen|no hablar|no escribas|no escriban|no incluyas|no incluyan|no incluir|no muestres|no prometas|no prometan|no prometer|
    evita|eviten|evitad|evitar|sin mencionar|sin decir|sin usar|sin hablar|nada de|nada sobre|ni una palabra|ni la palabra|la palabra|las palabras|prohibid*|no citar|no cites|no nombres|no nombrar|no queremos que aparezca|que no aparezca|no debe aparecer|deja fuera|dejen fuera|omite|omitir`,
  it: `non parlare|non parlate|non menzionare|non menzionate|non usare|non usate|non utilizzare|non utilizzate|non scrivere|non scrivete|non mettere|non mettete|non dire|non dite|non citare|non citate|non indicare|non indicate|non nominare|non promettere|non promettete|non inserire|non inserite|non includere|non fare riferimento|
    evita|evitate|evitare|senza menzionare|senza parlare|senza usare|senza dire|senza citare|niente|nessun riferimento|nessun accenno|la parola|le parole|né la parola|vietat*|da evitare|tralascia|tralasciate|non deve comparire|non devono comparire|lascia fuori`,
  pt: `não mencionar|não mencione|não menciones|não mencionem|não citar|não cite|não citem|não usar|não use|não usem|não utilizar|não utilize|não uses|não falar|não fale|não fales|não falem|não escrever|não escreva|não escrevam|não colocar|não coloque|não coloquem|não pôr|não ponha|não dizer|não diga|não digam|não incluir|não inclua|não prometer|não prometa|não referir|não refira|não refiram|não divulgar|não mostrar|não mostre|
    evitar|evite|evitem|sem mencionar|sem falar|sem usar|sem dizer|sem citar|nada de|nada sobre|nem a palavra|a palavra|as palavras|proibid*|não pode aparecer|não deve aparecer|não queremos|deixe de fora|deixem de fora|omitir`,
  nl: `niet noemen|niet vermelden|niet gebruiken|niet schrijven|niet zeggen|niet benoemen|niet beloven|noem niet|noem geen|noem de prijs niet|vermeld niet|vermeld geen|gebruik niet|gebruik geen|schrijf niet|schrijf geen|zeg niet|zeg niets|zet er geen|zet geen|zet niet|beloof niet|beloof geen|vermijd|vermijden|zonder te noemen|niets over|geen woord over|
    het woord|de woorden|laat weg|weglaten|liever geen|graag geen|alsjeblieft geen|mag niet|mogen niet|praat niet over|niet praten over|niet het woord|geen melding`,
  pl: `nie wspominaj*|nie wspominać|nie pisz|nie piszcie|nie pisać|nie używaj*|nie używać|nie podawaj*|nie podawać|nie mów*|nie mówić|nie wymieniaj*|nie wymieniać|nie dodawaj*|nie umieszczaj*|nie umieszczać|nie obiecuj*|nie obiecywać|nie zamieszczaj*|nie zamieszczać|nie pokazuj*|nie stosuj*|nie stosować|
    unikaj*|unikać|bez wspominania|bez używania|bez podawania|bez słowa|bez słów|słowa|ani słowa|ani słowem|ani słów|nic o|pomiń*|pominąć|bez informacji o|nie może się pojawić|nie chcemy`,
  tr: `bahsetmeyin|bahsetme|yazmayın|yazma|yazılmasın|kullanmayın|kullanma|kullanılmasın|belirtmeyin|belirtme|belirtilmesin|söylemeyin|söyleme|demeyin|değinmeyin|eklemeyin|ekleme|koymayın|koyma|vermeyin|vaat etmeyin|vaat etme|geçmesin|olmasın|yer almasın|kelimesini|kelimesi|kelimelerini|sözcüğünü|sözünü etmeyin|bahsedilmesin|kaçının|anmayın|göstermeyin`,
  vi: `đừng ghi|đừng dùng|đừng nhắc|đừng nói|đừng viết|đừng để|đừng đề cập|đừng đưa|đừng nêu|đừng hứa|đừng cho|không ghi|không dùng từ|không nhắc|không nói đến|không nói về|không viết|không đề cập|không được nhắc|không được ghi|không được dùng|không nêu|không để giá|tránh|tránh dùng|tránh từ|bỏ phần|khỏi ghi|khỏi nhắc|dùng từ`,
  el: `μη γράψεις|μη γράψετε|μην γράψεις|μην γράψετε|μη γράφεις|μην αναφέρεις|μην αναφέρετε|μην αναφερθεί|μη χρησιμοποιήσεις|μη χρησιμοποιήσετε|μην χρησιμοποιήσεις|μην χρησιμοποιήσετε|μην πεις|μην πείτε|μη βάλεις|μη βάλετε|μην βάλεις|μην βάλετε|μην υποσχεθείς|μην υποσχεθείτε|
    χωρίς αναφορά|χωρίς να αναφέρ*|χωρίς τη λέξη|όχι τη λέξη|τη λέξη|τις λέξεις|η λέξη|απόφυγε|αποφύγετε|αποφύγεις|τίποτα για|καμία αναφορά|να μην αναφέρεται|να μη γραφτεί|να μην υπάρχει|μη μιλήσεις|μη μιλήσετε|μην δώσεις|παράλειψε|παραλείψτε`,
  ru: `не упоминай*|не упоминать|не упомин*|не пиши*|не писать|не использ*|не указывай*|не указывать|не говори*|не говорить|не называй*|не называть|не обеща*|не добавляй*|не ставь*|не ставить|не употребля*|не надо писать|не надо упоминать|не нужно писать|не нужно упоминать|
    избегай*|избегать|без упоминания|без слова|без слов|слово|слова|ни слова|ничего про|ничего о|ничего об|уберите|не должно быть|нельзя писать|нельзя использовать|не показыва*|не вставляй*`,
  uk: `не згадуй*|не згадувати|не пиши*|не пишіть|не писати|не використов*|не вказуй*|не вказувати|не говоріть|не говори|не кажіть|не називай*|не обіцяй*|не обіцяти|не додавай*|не став*|не вживай*|не вживати|не треба писати|не потрібно писати|
    уникай*|уникати|без згадки|без слова|без слів|слово|слова|ні слова|нічого про|приберіть|не повинно бути|не можна писати|не показуй*`,
  hi: `मत लिखना|मत लिखें|मत लिखो|मत लिखिए|न लिखें|ना लिखें|नहीं लिखना|मत इस्तेमाल|इस्तेमाल न करें|इस्तेमाल मत|इस्तेमाल ना|प्रयोग न करें|का ज़िक्र न|का जिक्र न|ज़िक्र मत|जिक्र मत|का ज़िक्र नहीं|उल्लेख न|मत बताना|न बताएं|मत बताएं|मत डालना|न डालें|मत डालें|मत दिखाना|न दिखाएं|शब्द|से बचें|बिना बताए|मत करना|वादा न|वादा मत|मत कहना|न कहें`,
  ar: `لا تذكروا|لا تذكر|لا تكتبوا|لا تكتب|لا تستخدموا|لا تستخدم|لا تستعملوا|لا تضعوا|لا تضع|لا تقولوا|لا تقل|لا تشيروا|لا تشر|لا تعدوا|لا تتحدثوا|لا تتحدث|بدون ذكر|من دون ذكر|دون ذكر|دون الإشارة|بدون كتابة|بدون استخدام|ولا كلمة|كلمة|كلمات|تجنبوا|تجنب|عدم ذكر|عدم استخدام|ولا تذكر|ولا تستخدم|ولا تكتب|ممنوع`,
  he: `לא להזכיר|אל תזכירו|אל תזכיר|אל תכתבו|אל תכתוב|אל תכתבי|לא לכתוב|לא להשתמש|אל תשתמשו|אל תשתמש|לא לציין|אל תציינו|אל תגידו|לא להגיד|לא לומר|אל תבטיחו|לא להבטיח|בלי להזכיר|בלי לציין|בלי לכתוב|בלי המילה|בלי המילים|ללא אזכור|המילה|המילים|להימנע|הימנעו|תימנעו|לא לפרסם|בלי אזכור|אין לציין|אין להשתמש|אין להזכיר|בלי מחיר|ללא ציון|בלי סימני|ללא סימני`,
  th: `อย่าใส่|อย่าเขียน|อย่าใช้|อย่าพูดถึง|อย่าพูด|อย่าบอก|อย่าระบุ|อย่าเอ่ย|อย่าให้มี|ไม่ต้องใส่|ไม่ต้องบอก|ไม่ต้องพูดถึง|ไม่ต้องเขียน|ไม่ต้องระบุ|ห้ามใส่|ห้ามใช้|ห้ามเขียน|ห้ามพูด|ห้ามบอก|ห้ามระบุ|ไม่ใช้คำว่า|ไม่เอาคำว่า|หลีกเลี่ยง|ไม่พูดถึง|ไม่ระบุ|คำว่า`,
  sv: `nämn inte|nämn inget|nämn ej|skriv inte|skriv inget|skriv ingenting|säg inte|säg inget|säg ingenting|använd inte|använd inga|prata inte|tala inte|lova inte|lova inget|visa inte|jämför inte|undvik|undvika|utan att nämna|utan att säga|inget om|ingenting om|inte ett ord om|ordet|orden|lämna ut|utelämna|hoppa över|får inte|ska inte nämnas|inte nämnas|ta inte med|ha inte med`,
  ja: `しないでください|しないで下さい|の話はしない|ないでほしい|書かないで|入れないで|使わないで|載せないで|触れないで|出さないで|言わないで|記載しないで|表示しないで|書かず|入れず|使わず|載せず|触れず|避けて|避けたい|は不要|はなしで|は無しで|なしで|という言葉|という表現|などの言葉|などの表現|は禁止|NG|控えて|使用しない|言及しない|省いて|は書かない|は入れない|は使わない`,
  ko: `하지 말아|하지 마세요|하지 말고|말아 주세요|말아주세요|쓰지 마|쓰지 말|쓰지마|쓰지 않|넣지 마|넣지 말|넣지마|넣지 않|언급하지|말하지 마|말하지 말|표시하지|적지 마|적지 말|적지 않|사용하지|빼주세요|빼 주세요|빼고|제외해|제외하고|피해주세요|피해 주세요|라는 단어|라는 말은|같은 단어|같은 말은|같은 표현|라는 표현|금지|없이 |쓰면 안|나오지 않게|안 나오게`,
  zh: `不要写|不要寫|不要提|不要出现|不要出現|不要用|不要使用|不要说|不要說|不要放|不要加|不要有|不要包含|不要标|不要標|不要承诺|不要承諾|别写|別寫|别提|別提|别用|別用|别出现|別出現|别说|別說|别放|別放|避免|不能写|不能寫|不能出现|不能出現|不能用|不能提|不可以|不得|勿|禁止|不提|不写|不寫|不出现|这类词|這類詞|这个词|這個詞|这两个字|兩個字|两个字|字眼|等词|等詞|的字|请勿|請勿`,
}

/** Negations: with a topic they say what to leave out, and after another such clause as well. */
export const NOT: WordLists = {
  all: `inte|inget|ingen|inga|ej|utan|aldrig|no|not|don t|never|without|nor|neither|kein|keine|keinen|keiner|nicht|ohne|weder|noch|pas de|pas d|sans|ni|aucun|aucune|sin|nada de|ningún|ninguna|non|senza|né|nessun*|niente|não|sem|nem|nenhum*|nada|
    geen|niet|zonder|noch|nie|bez|ani|żadn*|olmasın|yok|không|đừng|μην|μη|όχι|χωρίς|ούτε|не|без|ни|ні|жодн*|никак*|मत|न|ना|बिना|नहीं|بدون|ولا|لا|من دون|دون|בלי|ללא|לא|אל|ולא|ובלי|
    ไม่|อย่า|ห้าม|なし|ない|不要|不|别|別|勿|말|마세요|없이`,
}

/** What it may be about, by what is then left out. */
export const TOPICS = {
  price: `pris|priset|priser|priserna|kostnad*|price*|pricing|cost|costs|fee|fees|rate|rates|how much|preis*|kosten|gebühr*|prix|tarif*|coût*|precio*|tarifa*|coste*|costo|costos|prezz*|tariff*|preço*|valor|valores|prijs*|prijzen|tarieven|cen|cena|ceny|cenę|cenach|cenami|koszt*|fiyat*|ücret*|giá|giá cả|
    học phí|chi phí|τιμή|τιμές|τιμών|κόστος|цен*|стоимост*|прайс*|цін*|вартіст*|ціна|कीमत*|दाम|मूल्य|रेट|फीस|الأسعار|السعر|أسعار|سعر|التكلفة|الرسوم|מחיר*|מחירים|המחיר|עלות|ราคา|ค่า|価格|値段|料金|金額|가격|요금|금액|비용|价格|價格|价钱|價錢|价位|費用|费用|金额|金額`,
  discount: `rabatter|procent|discount*|percentage*|percent|sale|rabatt*|prozent*|remise*|réduction*|promo*|descuento*|rebaja*|scont*|desconto*|korting*|rabat*|zniżk*|indirim*|giảm giá|khuyến mãi|έκπτωση|εκπτώσεις|скидк*|знижк*|छूट|خصم|الخصم|تخفيض*|הנחה|הנחות|ส่วนลด|割引|値引|할인|折扣|优惠|優惠`,
  phone: `telefonnummer*|phone|phone number|telephone|number|telefon*|nummer|téléphone|numéro|teléfono|telefono|numero|telefone|número|numer|số điện thoại|τηλέφωνο|телефон*|номер|फोन|फ़ोन|नंबर|رقم الهاتف|الهاتف|رقم|טלפון|เบอร์|電話|전화|电话`,
  address: `adress|adressen|address|adresse|dirección|indirizzo|endereço|adres|adresu|địa chỉ|διεύθυνση|адрес*|पता|العنوان|כתובת|ที่อยู่|住所|주소|地址`,
  link: `webbplats*|hemsida*|länk*|url|website|web address|link|webseite|site web|sitio web|sito|strona|web sitesi|trang web|сайт|वेबसाइट|الرابط|الموقع|קישור|לינק|אתר|เว็บไซต์|リンク|홈페이지|링크|网址|網址|链接|連結`,
  date: `datum|date|dates|datum|termin|fecha*|data|date de|tarih*|ngày|ημερομηνία|дат*|तारीख|التاريخ|תאריך|วันที่|日付|날짜|日期`,
  exclamation: `utropstecken|exclamation mark*|exclamation point*|exclamation*|ausrufezeichen|ausrufungszeichen|point d exclamation|points d exclamation|signos de exclamación|exclamacion*|exclamación|punti esclamativi|punto esclamativo|pontos de exclamação|ponto de exclamação|uitroepteken*|wykrzyknik*|ünlem*|dấu chấm than|chấm than|
    θαυμαστικ*|восклицательн*|восклицани*|знак* оклику|оклику|विस्मयादिबोधक|علامات تعجب|علامة تعجب|التعجب|סימני קריאה|סימן קריאה|เครื่องหมายตกใจ|อัศเจรีย์|感嘆符|ビックリマーク|느낌표|感叹号|感嘆號|驚嘆號|惊叹号`,
  emoji: `smileys|emojier|emoji*|emotikon*|émoticône*|emoticon*|smajlik*|βατσάκια|emojis|smiley*|эмодзи|смайл*|емодзі|इमोजी|إيموجي|الرموز التعبيرية|אימוג*|อีโมจิ|絵文字|이모지|이모티콘|表情符号|表情符號|表情`,
} as const satisfies Record<string, string>

/** The word that follows is the one to leave out. */
export const THE_WORD: WordLists = {
  all: `ordet|orden|the word|the words|the term|the phrase|das wort|den begriff|die wörter|le mot|les mots|le terme|la palabra|las palabras|el término|la parola|le parole|il termine|a palavra|as palavras|o termo|het woord|de woorden|słowa|słów|słowo|từ|τη λέξη|τις λέξεις|слово|слова|слов|शब्द|كلمة|כלמה|המילה|המילים|คำว่า`,
}

/** Verbs of saying: with a negation, beside other instructions, they say what to leave out. */
export const SAYING: WordLists = {
  all: `mention*|say|saying|write|writing|refer|referring|talk|talking|speak|compare|comparing|promise|claim|disclose|reveal|erwähn*|nennen|nenne|nennt|schreiben|schreib|schreibt|sagen|sagt|sag|sprechen|sprecht|reden|redet|vergleichen|vergleicht|versprechen|versprecht|behaupten|thematisier*|
    mentionn*|parler|parle|parlez|écrire|écris|écrivez|dire|dites|dis|évoquer|évoque|évoquez|comparer|comparez|promettre|promettez|citer|citez|mencion*|hablar|hables|hablen|habléis|escribir|escribas|escriban|decir|digas|digan|digáis|nombrar|nombres|comparar|compares|comparen|prometer|prometas|pongáis|
    menzion*|parlare|parlate|scrivere|scrivete|dire|dite|nominare|nominate|paragonare|paragonate|confrontare|promettere|promettete|falar|fale|fales|falem|escrever|escreva|escrevam|dizer|diga|digam|comparar|compare|comparem|prometer|refiram|
    noem|noemen|vermeld|vermelden|schrijf|schrijven|zeg|zeggen|praat|praten|vergelijk|vergelijken|beloof|beloven|wspomin*|pisz|piszcie|pisać|mów|mówcie|mówić|wymien*|porówn*|obiecuj*|podawaj*|podawać|nämn|nämna|skriv|skriva|säg|säga|prata|tala|jämför|jämföra|lova|
    nhắc|nói|viết|ghi|đề cập|so sánh|hứa|αναφέρ*|αναφερθ*|γράψ*|γράφ*|πεις|πείτε|μιλήσ*|μιλάτε|συγκρ*|υποσχ*|упомин*|упомян*|пиши*|писать|говори*|говорить|сравнив*|обеща*|указыва*|называ*|згадув*|згадуй*|пиши*|пишіть|писати|говори*|кажіть|порівню*|обіця*|вказув*|вказуй*|назива*|ज़िक्र|जिक्र|उल्लेख|लिखें|लिखना|बताएं|कहें|तुलना|वादा`,
}
