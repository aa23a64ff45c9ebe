// How people request an advertisement, and what it should say: the subject follows the words (or precedes them, where
// verbs come last). A star matches any ending.

import type { WordLists } from '../phrases.ts'

/** What is to be made. */
export const ARTEFACTS: WordLists = {
  en: `banner|video|video ad|spot|clip|banners|ad|ads|advert|adverts|advertisement|creative|creatives|display ad|image ad|poster|flyer|post|graphic|visual|something|image for|campaign|copy|leaderboard|skyscraper|
    anything|one liner|tagline|ad copy|promo`,
  de: 'banner|video|spot|clip|anzeige|werbung|werbeanzeige|werbebanner|plakat|grafik|werbemittel|creative|bild für|post für|kampagne|inserat|werbetext|text für|etwas|was|motiv',
  fr: 'bannière|vidéo|spot|clip|annonce|pub|publicité|visuel|affiche|campagne|création|encart|texte pour|image pour|post pour|accroche pour|quelque chose',
  es: 'banner|vídeo|video|anuncio|anuncios|publicidad|cartel|imagen|pieza|campaña|gráfica|post|texto|algo|aviso|creatividad|publicación',
  it: 'banner|video|spot|annuncio|pubblicità|immagine|locandina|grafica|campagna|inserzione|testo|post|qualcosa|creatività|manifesto',
  pt: 'banner|vídeo|anúncio|anúncios|publicidade|propaganda|arte|peça|campanha|imagem|cartaz|post|texto|algo|criativo',
  nl: 'banner|video|spot|advertentie|reclame|poster|afbeelding|campagne|uiting|post|tekst|iets|visual',
  sv: 'banner|video|bannern|annons|annonsen|annonser|reklam|reklamen|reklambanner|affisch|inlägg|bild för|kampanj|kreativ|text för|något|motiv',
  pl: 'baner|wideo|film|spot|banner|reklama|reklamę|reklamy|ogłoszenie|grafikę|grafika|grafiki|plakat|kampanię|kampania|post|kreację|coś',
  tr: 'banner|video|reklam|reklamı|afiş|görsel|ilan|kampanya görseli|çalışma|bir şey|tasarım',
  vi: 'banner|video|quảng cáo|poster|ảnh|hình|bài đăng|mẫu|tờ rơi|cái gì',
  el: 'banner|διαφήμιση|μπάνερ|αφίσα|καταχώρηση|εικόνα|δημιουργικό|καμπάνια|κάτι|ανάρτηση',
  ru: 'баннер|банер|реклама|рекламу|рекламы|объявление|плакат|креатив|картинку|макет|пост|афишу|что то|текст для',
  uk: 'банер|реклама|рекламу|реклами|оголошення|плакат|креатив|картинку|пост|афішу|афіша|афіші|щось|текст для',
  hi: 'बैनर|विज्ञापन|पोस्टर|ऐड|क्रिएटिव|कुछ|पोस्ट',
  cs: 'banner|bannery|reklama|reklamu|reklamy|inzerát|inzerátu|plakát|leták|příspěvek|grafiku|grafika|kampaň|spot|video|vizuál|něco',
  id: 'banner|bannernya|iklan|iklannya|poster|spanduk|flyer|brosur|postingan|konten|visual|desain|materi promosi|materi iklan|kampanye|sesuatu',
}

/** What requests it. */
export const MAKE: WordLists = {
  en: `make|makes|create|design|write|build|draft|produce|generate|prepare|put together|do|do up|come up with|need|want|give me|give us|send me|whip up|looking for|please|pls|plz|can you|could you|would you`,
  de: 'wollen|wünschen uns|mach|macht|machen|mache|erstelle|erstellen|erstellt|gestalte|gestalten|gestaltet|schreib|schreibe|schreibt|schreiben|brauche|brauchen|bräuchte*|bitte|entwirf|entwerft|baue|baut|kannst du|könnt ihr|möchte|hätte gern*',
  fr: 'il me faut|il nous faut|fais|faites|faire|crée|créez|créer|réalise|réalisez|réaliser|écris|écrivez|besoin|prépare|préparez|conçois|concevez|voudrais|voudrions|merci de|s il vous plaît|imagine|imaginez|génère',
  es: 'haz|hazme|haznos|hagan|hacer|hacé|haceme|crea|creá|cree|crear|creen|diseña|diseñá|diseñen|diseñar|escribe|escribí|necesito|necesitamos|prepara|preparen|quiero|queremos|por favor|genera|quisiera|armá|armar',
  it: 'fai|fammi|fate|fateci|fare|crea|creare|create|realizza|realizzare|realizzate|scrivi|scrivere|prepara|preparate|preparare|serve|servirebbe|voglio|vorrei|vorremmo|per favore|ci serve|mi serve|genera|disegna',
  pt: 'faz|faça|façam|fazer|faz me|cria|crie|criem|criar|escreve|escreva|escrever|desenhe|prepare|preparem|preciso|precisamos|quero|queremos|por favor|gera|gere|monta|monte',
  nl: 'maak|maken|ontwerp|ontwerpen|schrijf|schrijven|graag|nodig|kun je|kunnen jullie|wil|willen|alsjeblieft|aub|bedenk|genereer',
  sv: 'gör|göra|skapa|skapar|ta fram|designa|formge|skriv|skriva|behöver|vill ha|önskar|snälla|tack|vänligen|kan ni|kan du|kunde ni|fixa|bygg|generera',
  pl: 'zrób|zróbcie|zrobić|stwórz|stwórzcie|przygotuj|przygotujcie|przygotować|napisz|napiszcie|zaprojektuj*|potrzebuję|potrzebujemy|potrzebna|potrzebny|potrzebne|proszę|prosimy|poproszę|chcę|chcemy|wygeneruj|wykonaj*',
  tr: 'yap|yapın|yapar mısın*|yapalım|hazırla|hazırlayın|hazırlar mısın*|oluştur|oluşturun|tasarla|tasarlayın|yaz|yazın|istiyorum|istiyoruz|lütfen|lazım|gerekiyor|rica*',
  vi: 'làm|tạo|thiết kế|viết|cần|muốn|giúp|soạn|vẽ|chạy|lên',
  el: 'φτιάξε|φτιάξτε|φτιάξετε|κάνε|κάντε|δημιούργησε|δημιουργήστε|σχεδίασε|σχεδιάστε|γράψε|γράψτε|ετοίμασε|ετοιμάστε|θέλω|θέλουμε|χρειαζόμαστε|χρειάζομαι|παρακαλώ',
  ru: 'сделай|сделайте|сделать|создай|создайте|создать|подготовь|подготовьте|напиши|напишите|нарисуй*|нужен|нужна|нужно|нужны|хотим|хочу|хотели бы|пожалуйста|требуется|придумай|придумайте|разработайте',
  uk: 'зроби|зробіть|зробити|створи|створіть|створити|підготуй|підготуйте|напиши|напишіть|намалюй*|потрібен|потрібна|потрібно|хочемо|хочу|будь ласка|треба|придумай|придумайте|розробіть',
  hi: 'बनाओ|बनाइए|बनाएं|बनाना|बना दो|बना दीजिए|बनाएँ|चाहिए|लिखो|लिखिए|कृपया|तैयार|डिज़ाइन करें|डिजाइन करें',
  cs: 'udělej|udělejte|udělat|vytvoř|vytvořte|vytvořit|připrav|připravte|připravit|napiš|napište|navrhni|navrhněte|potřebuji|potřebuju|potřebujeme|potřebovali bychom|prosím|prosíme|chci|chceme|chtěli bychom|zpracujte|nachystejte|vygeneruj*',
  id: 'buat|buatkan|bikin|bikinkan|tolong|tolong buatkan|tolong bikin|rancang|desain|siapkan|tulis|tuliskan|mohon|butuh|kami butuh|kami perlu|perlu|mau|minta|saya mau',
}

/** Words allowed between it and its subject. */
export const ABOUT: WordLists = {
  en: 'for|about|promoting|advertising|announcing|on|that says|that tells people|that tells them|which says|that announces|that promotes|to promote|to advertise|to announce|featuring|saying|to push',
  de: 'für|über|zu|zum|zur|rund um|zu unserem|bezüglich|wegen|mit',
  fr: 'pour|sur|à propos de|à propos du|au sujet de|annonçant|concernant|de',
  es: 'para|sobre|de|del|acerca de|que anuncie|anunciando|por|promocionando',
  it: 'per|su|sul|sulla|di|del|della|dei|riguardo|che promuova|pensato per',
  pt: 'para|sobre|de|do|da|dos|das|a divulgar|divulgando|acerca de',
  nl: 'voor|over|maken voor|van',
  sv: 'för|om|till|kring|angående|som handlar om|som säger att|som berättar om',
  pl: 'dla|o|na temat|promując*|dotycząc*|na',
  tr: 'için|hakkında',
  vi: 'cho|về|giới thiệu',
  el: 'για|σχετικά με|του|της|που να προβάλλει',
  ru: 'к|ко|для|о|об|про|на тему|с рекламой',
  uk: 'до|для|про|на тему|щодо',
  hi: 'के लिए|का|के|की|पर',
  cs: 'na|pro|o|k|ke|ohledně|propagující|který propaguje',
  id: 'untuk|tentang|soal|mengenai|dari|buat',
}

/** The subject follows immediately. In scripts without spaces they are searched for anywhere. */
export const ASK_BEFORE: WordLists = {
  en: `promote|promoting|advertise|announce|announce that|it is about|it s about|this is about|the ad is about|then advertise|wants to push|want to push|wants to promote|want to promote|we want to tell people that|we want to announce|please promote|
    shout about|spread the word about|main message is|the message is|tell people about|tell everyone about|we want people to know|
    we want people to know that|let people know about|let people know that|let people know|let everyone know|we are promoting|we re promoting|we re advertising|the ad is for|we re launching|this ad is for|this is for|the banner is about|we want to advertise|we re looking to promote|help us promote|help promote|help us announce|advertising our`,
  de: `es geht dabei um|thema ist|bewirb|bewerbt|bewerben|wir wollen bewerben|wir möchten bewerben|wir bewerben|es geht um|im mittelpunkt steht|macht werbung für|mach werbung für|kündigt an|kündige an|wir wollen bekannt machen dass|beworben werden soll|
    beworben wird|beworben werden`,
  fr: `annonce|annoncez|faites connaître|fais connaître|c est pour|ça parle de|parle de|parlez de|faites la promotion de|fais la promotion de|promouvoir|nous voulons promouvoir|on veut promouvoir|mettre en avant|nous souhaitons promouvoir|il s agit de|on lance|faire connaître|annoncez|annonce que`,
  es: `anuncia|anuncia que|anuncien|habla de|hablen de|es sobre|es para|promociona|promocionar|promocionen|queremos promocionar|queremos dar a conocer|queremos anunciar|anunciar|difundir|se trata de|publicita|queremos contar que|hay que contar que|dar a conocer`,
  it: `annuncia|annunciate|parla di|parlate di|riguarda|è per|promuovi|promuovere|promuovete|vogliamo promuovere|vorremmo promuovere|vorremmo far sapere che|vogliamo far sapere che|far sapere che|pubblicizza|pubblicizzare|si tratta di|vogliamo annunciare|vorremmo annunciare|lanciamo`,
  pt: `fale de|fala de|fale sobre|fala sobre|falem de|falem sobre|divulgar|divulga|divulgue|divulguem|promover|promova|promove|queremos promover|queremos divulgar|queremos anunciar|anunciar|anuncia|anuncie|trata se de|é sobre`,
  nl: `kondig aan|vertel over|vertel dat|promoot|promoten|we willen promoten|wij willen promoten|maak reclame voor|reclame maken voor|we adverteren|het gaat om|het gaat over|we willen laten weten dat|adverteer`,
  pl: `ogłoś|ogłoście|opowiedz o|napisz o|napiszcie o|promuj|promujemy|promować|chcemy promować|chcemy wypromować|chcemy zareklamować|reklamujemy|zareklamuj|chodzi o|chcemy poinformować że|promowanie|ogłaszamy`,
  sv: `marknadsför|gör reklam för|annonsera|annonsera att|berätta om|berätta att|skriv om|det gäller|det handlar om|vi marknadsför|lyft fram`,
  tr: 'tanıtın|duyurun|tanıt|duyur',
  vi: 'quảng cáo cho|quảng cáo về|quảng cáo|quảng bá|giới thiệu về|muốn quảng bá|truyền thông cho|muốn chạy ưu đãi|chạy quảng cáo cho|làm quảng cáo cho|viết quảng cáo cho|thông báo',
  el: 'θέλουμε να προβάλουμε|θέλουμε να προωθήσουμε|θέλουμε να διαφημίσουμε|θέλουμε να ανακοινώσουμε|προώθησε|προωθήστε|διαφήμισε|διαφημίστε|πρόβαλε|προβάλετε|πρόκειται για',
  ru: 'объявите о|объявите что|расскажите о|расскажите об|расскажите про|напишите о|напишите про|продвигаем|рекламируем|прорекламируйте|рекламируй|рекламируйте|хотим продвинуть|хотим прорекламировать|хотим рассказать о|нужно прорекламировать|продвиньте|речь идёт о|речь о|анонсируем|нужно рассказать о',
  uk: 'оголосіть про|розкажіть про|напишіть про|просуваємо|рекламуємо|прорекламуйте|рекламуйте|хочемо просунути|хочемо прорекламувати|хочемо розповісти про|треба прорекламувати|йдеться про|анонсуємо',
  hi: 'प्रचार करें|हमें बताना है कि|प्रमोट करें|हमें प्रमोट करना है',
  ar: 'نرغب في إعلان عن|نريد إعلانا عن|نريد إعلاناً عن|نريد إعلان عن|نرغب في الإعلان عن|اكتب إعلانا عن|اكتبوا إعلانا عن|صمموا إعلانا ل|صمم إعلانا ل|صمم إعلان ل|صمموا إعلان ل|اعملوا إعلان عن|إعلان عن|إعلان ل|بانر ل|بانر عن|روّج ل|روج ل|روجوا ل|نروج ل|أعلنوا عن|لافتة ل|تصميم ل|بوستر ل|صمموا ملصقا ل|صمموا ملصقاً ل|ملصق ل|ملصقا ل|ملصقاً ل|منشور عن|منشور ل|إعلانا ل|إعلانا عن|إعلاناً ل|إعلاناً عن|إعلانًا ل|إعلانًا عن|اعلان ل|اعلان عن|اعلانا ل|اعلانا عن|بانرا ل|بانرا عن|بانراً ل|بانراً عن|بانرًا ل|بانرًا عن|لافتة عن|ملصق عن|ملصقا عن|ملصقاً عن|ملصقًا ل|ملصقًا عن|تصميم عن|تصميما ل|تصميما عن|تصميماً ل|تصميماً عن|تصميمًا ل|تصميمًا عن|منشورا ل|منشورا عن|منشوراً ل|منشوراً عن|منشورًا ل|منشورًا عن|بوستر عن|حملة ل|حملة عن|إعلان إلى ل|إعلان إلى عن',
  he: 'תעצבו פוסטר ל|עצבו פוסטר ל|פוסטר ל|תעצבו באנר ל|פרסומת ל|פרסומת על|מודעה ל|מודעה על|באנר ל|באנר על|פוסט ל|פוסט על|מודעת פרסום ל|תעשו באנר ל|תכינו באנר ל|הכינו באנר ל|תכינו מודעה ל|אנחנו רוצים לפרסם את|רוצים לקדם את|לפרסם את|לקדם את|קמפיין ל|צריך באנר ל|צריכים באנר ל|צריכה באנר ל|צריך מודעה ל|צריכים מודעה ל|צריך פרסומת ל|רוצה באנר ל|רוצים באנר ל|תעשו מודעה ל|תעצבו מודעה ל|הכינו מודעה ל|צרו באנר ל|צרו מודעה ל|עצבו באנר ל|עצבו מודעה ל|באנר עבור|מודעה עבור|אנחנו פותחים|אנחנו משיקים',
  th: 'ช่วยออกแบบโปสเตอร์|ออกแบบโปสเตอร์|ช่วยทำโปสเตอร์|ทำโปสเตอร์|ช่วยทำแบนเนอร์โปรโมต|ช่วยทำแบนเนอร์|ทำแบนเนอร์โปรโมต|ทำแบนเนอร์สำหรับ|ทำแบนเนอร์|ช่วยทำโฆษณาสำหรับ|ช่วยทำโฆษณา|ทำโฆษณาสำหรับ|ทำโฆษณา|ช่วยออกแบบโฆษณา|ช่วยออกแบบ|ออกแบบแบนเนอร์|ออกแบบ|โฆษณาสำหรับ|โฆษณา|ช่วยโปรโมท|ช่วยโปรโมต|ช่วยเขียน|อยากได้แบนเนอร์|อยากได้โฆษณา|ต้องการแบนเนอร์|ต้องการโฆษณา|ขอแบนเนอร์|ขอโฆษณา|โปรโมท|โปรโมต|ช่วยทำป้าย|ทำป้ายโฆษณา|ช่วยทำรูปโปรโมต|ช่วยทำสื่อโปรโมต|อยากโปรโมต|อยากโปรโมท|อยากได้โฆษณาสำหรับ|อยากได้แบนเนอร์สำหรับ|อยากได้โปสเตอร์|ขอโปสเตอร์|สร้างแบนเนอร์สำหรับ|สร้างแบนเนอร์|สร้างโฆษณาสำหรับ|สร้างโฆษณา|ทำภาพโฆษณา|ต้องการโปรโมต|ต้องการโปรโมท',
  zh: '请帮忙做一张|請幫忙做一張|帮忙做一张|幫忙做一張|帮我做一张|幫我做一張|帮我们做一张|幫我們做一張|帮我做一个|幫我做一個|帮我做个|幫我做個|帮我们做个|幫我們做個|请做一张|請做一張|请帮忙做|請幫忙做|做一张|做一張|做一个|做一個|请为我们的|請為我們的|请为|請為|帮我们的|幫我們的|给我们的|給我們的|为我们的|為我們的|宣传我们的|宣傳我們的|宣传一下|宣傳一下|宣传|宣傳|推广我们的|推廣我們的|推广一下|推广|推廣|帮我写|幫我寫|写一个|寫一個|写一条|寫一則|写一句|主推|我们想推广|我們想推廣|我们想宣传|我們想宣傳|想推广|想推廣|想宣传|想宣傳|请帮我们的|請幫我們的|请给我们的|請給我們的|请给|請給|幫我們|帮我们|做一个推广|为新店|為新店',
  cs: 'propagujte|propaguj|propagujeme|chceme propagovat|chceme zpropagovat|chceme představit|oznamte|oznam|jde o|týká se|reklama na|reklamu na|banner na|inzerát na|řekněte o|napište o|dejte vědět o',
  id: 'promosikan|kami mau promosi|kami mau promosikan|kami ingin promosi|kami ingin mempromosikan|mau promosi|ingin promosi|mempromosikan|umumkan|iklankan|ini tentang|beri tahu orang tentang|beritahu orang tentang|perkenalkan',
}

/** What it is about stands before. */
export const ASK_AFTER: WordLists = {
  tr: 'için bir reklam*|için reklam*|için banner*|için bir banner*|için bir çalışma*|için afiş*|için bir afiş*|için görsel*|için bir görsel*|için bir ilan*|için ilan*|reklamı hazırlayın|reklamı yapın|reklamı yap|reklamı istiyoruz|hakkında bir reklam*|banneri hazırla*|banneri yap*|tanıtımı|için tanıtım*|için bir tanıtım*|için sosyal medya*|için kreatif*|için bir kreatif*|için tasarım*|için bir tasarım*|ilanı hazırla*|afişi hazırla*|reklamı lazım|bannerı hazırla*|bannerı yap*|için bir banner lazım',
  hi: 'का विज्ञापन|के लिए विज्ञापन|के लिए एक विज्ञापन|के लिए बैनर|के लिए एक बैनर|का बैनर|का एक बैनर|का पोस्टर|के लिए पोस्टर|के लिए एक पोस्टर|का ऐड|के लिए ऐड|का प्रचार|का एक विज्ञापन|के लिए विज्ञापन चाहिए|का विज्ञापन चाहिए|के लिए बैनर चाहिए|का बैनर चाहिए|का पोस्टर चाहिए|के लिए पोस्ट|का पोस्ट|का प्रमोशन|के प्रचार के लिए|का क्रिएटिव|के लिए क्रिएटिव|के लिए एक ऐड',
  ja: 'のバナーを|のバナー|の広告を|の広告|のポスター|用のバナー|用の広告|向けバナー|についての広告|の宣伝|のチラシ|をPRして|を宣伝して|を告知して|のバナーを作って|の広告を作って|のポスターを作って|のバナー広告|用バナー|用広告|のビジュアル|のクリエイティブ|のPR|のキャンペーンバナー|を広めたい|を宣伝したい|をPRしたい|を告知したい',
  ko: ' 배너| 광고를| 광고 | 광고로| 광고인데| 광고예요| 광고입니다| 광고 만들| 광고 부탁| 광고 좀| 포스터| 홍보물| 홍보| 이미지 만들|용 배너|배너를|배너로|배너 하나|광고 배너|광고 하나|홍보 배너|광고 이미지|광고가 필요|배너가 필요|이벤트 배너',
  zh: '的横幅|的橫幅|横幅|橫幅|的广告|的廣告|做广告|做廣告|做个广告|做個廣告|做一个广告|做一則廣告|做一则广告|做一张海报|做一張海報|做张海报|做一张横幅|做一張橫幅|做个横幅|做一张图|做一張圖|设计一张|設計一張|的海报|的海報|做海报|做海報|的banner|做banner|的图|的圖|貼文圖|贴文图|的文案|的宣传图|做一个横幅|做一個橫幅|做一个banner|做橫幅|做横幅|做一条横幅|做個橫幅|設計橫幅|设计横幅|设计一个横幅|設計一個橫幅|设计海报|設計海報|设计一张海报|做一个海报|做個海報|做一支廣告|做支廣告|設計廣告|设计广告|做宣传|做宣傳|做推广|做推廣',
}

/** What the ad should say follows immediately. */
export const MENTION: WordLists = {
  en: 'mention|mentioning|mention that|include|including the|highlight|highlighting|emphasise|emphasize|stress that|stress the|stress our|feature|say that|point out|make clear|call out|don t forget|only that|just that|just say that|only say that|remember to mention|make sure to mention|make sure you mention|be sure to mention|add that|note that|with emphasis on|lead with',
  de: 'nur dass|sagt nur dass|schreibt dass|schreib dass|erwähne|erwähnt|erwähnen sie|nenne|nennt|nennen sie|betone|betont|betonen sie|hebe|hebt|weise darauf hin dass|weist darauf hin dass|unbedingt erwähnen|wichtig ist|wichtig|stellt heraus|stelle heraus|vergiss nicht|nicht vergessen',
  fr: 'seulement que|juste que|dites que|dis que|écrivez que|mentionne|mentionnez|mentionner|précise|précisez|préciser|souligne|soulignez|mets en avant|mettez en avant|mettre en avant|indique|indiquez|indiquer|rappelle|rappelez|n oublie pas|n oubliez pas|en mentionnant|en précisant|insiste sur|insistez sur|ajoute|ajoutez',
  es: 'solo que|sólo que|solo di que|digan que|escribe que|menciona|mencioná|mencionen|mencionar|destaca|destacá|destaquen|destacar|resalta|resaltá|resalten|resaltar|incluye|incluí|incluyan|incluir|pon|poné|pongan|di que|aclara que|que diga|que se note|no olvides|no olviden|recalca|indica|indiquen|agrega|añade',
  it: 'solo che|di che|dite che|menziona|menzionate|menzionare|metti in evidenza|mettete in evidenza|metti in risalto|mettete in risalto|evidenzia|evidenziate|sottolinea|sottolineate|indica|indicate|cita|citate|includi|includete|ricorda|ricordate|ricorda che|non dimenticare|aggiungi|aggiungete|specifica|specificate|scrivi che',
  pt: 'só que|apenas que|digam que|escreva que|menciona|mencione|mencionem|mencionar|destaca|destaque|destaquem|destacar|inclui|inclua|incluam|incluir|refere|refira|refiram|realça|realce|coloca|coloque|coloquem|não esqueça|não se esqueça|não se esqueçam|fala que|diz que|diga que|cita|cite|põe|acrescenta|dá destaque',
  nl: 'alleen dat|schrijf dat|noem|noemt|noem ook|vermeld|vermelden|benadruk|benadrukken|zet erin|zet erbij|vergeet niet|vergeet niet te vermelden|leg de nadruk op|laat zien dat|zeg dat|voeg toe|met nadruk op',
  pl: 'tylko że|powiedz że|wspomnij|wspomnij o|wspomnijcie o|wspomnieć o|podkreśl|podkreślcie|podkreślić|zaznacz|zaznaczcie|zaznacz że|dodaj|dodajcie|uwzględnij|uwzględnijcie|koniecznie|napisz że|pokaż|nie zapomnij o|wyeksponuj*|umieść',
  sv: 'nämn|nämn att|nämn gärna|betona|betona att|lyft fram|lyft att|ta med|få med|inkludera|berätta att|skriv att|säg att|bara att|glöm inte|glöm inte att nämna|påpeka att|framhäv|poängtera|var noga med att nämna',
  vi: 'nhắc đến|nhắc tới|nhắc|nhấn mạnh|đề cập|đề cập đến|nêu rõ|nêu bật|ghi rõ|ghi|nhớ ghi|thêm|làm nổi bật|nói rõ|có ghi|đừng quên|để chữ',
  el: 'ανέφερε|αναφέρετε|αναφέρεις|τόνισε|τονίστε|υπογράμμισε|υπογραμμίστε|βάλε|βάλτε|πες ότι|πείτε ότι|γράψε ότι|γράψτε ότι|πρόσθεσε|προσθέστε|να αναφέρεται|να φαίνεται|μην ξεχάσεις|μην ξεχάσετε|σημείωσε|δώσε έμφαση σ*|με έμφαση σ*|ανάφερε',
  ru: 'упомяни|упомяните|укажи|укажите|подчеркни|подчеркните|выдели|выделите|добавь|добавьте|отметь|отметьте|напиши что|напишите что|не забудь про|не забудьте про|не забудьте указать|скажите что|сделайте акцент на|акцент на|обязательно|упомянуть|указать|подчеркнуть',
  uk: 'згадай|згадайте|вкажи|вкажіть|підкресли|підкресліть|виділи|виділіть|додай|додайте|зазнач|зазначте|напиши що|напишіть що|не забудь про|не забудьте про|не забудьте вказати|скажіть що|зробіть акцент на|акцент на|обов язково|згадати|вказати|зазначити',
  hi: 'लिखिए कि|लिखें कि|लिखो कि|लिखना कि|बताएं कि|बताइए कि|बताना कि|बताएँ कि|कहें कि|यह लिखें कि|ज़रूर लिखें कि|जरूर लिखें कि',
  ar: 'اذكروا أن|اذكر أن|اذكروا|اذكر|مع ذكر|ركزوا على|ركز على|مع التركيز على|أبرزوا|أبرز|مع إبراز|أضيفوا|أضف|أكدوا على|أكد على|نوهوا إلى|لا تنسوا|لا تنس|وضحوا أن',
  he: 'ציינו את|ציינו ש|ציינו|תציינו את|תציינו ש|תציינו|הזכירו את|הזכירו|תזכירו את|תזכירו|הדגישו את|הדגישו|תדגישו את|תדגישו|להדגיש את|להדגיש|לציין את|לציין ש|לציין|הוסיפו|תוסיפו|עם דגש על|לא לשכוח|חשוב לציין',
  th: 'เน้นเรื่อง|เน้นว่า|เน้น|ระบุว่า|ระบุ|ใส่คำว่า|ใส่ข้อความ|ใส่|บอกว่า|บอกด้วยว่า|พูดถึง|อย่าลืมบอกว่า|อย่าลืมใส่|อย่าลืม|เขียนว่า',
  zh: '突出显示|突出顯示|突出|强调|強調|提到|提及|写上|寫上|注明|註明|标明|標明|加上|重点是|重點是|主打|别忘了|別忘了|记得写|記得寫|要写|要寫|一定要有|要有',
  cs: 'zmiň|zmiňte|zmínit|uveď|uveďte|uvést|zdůrazni|zdůrazněte|zdůraznit|připomeň|připomeňte|nezapomeň na|nezapomeňte na|nezapomeňte uvést|napište že|napiš že|řekněte že|přidej|přidejte|vyzdvihněte|určitě zmiňte|s důrazem na',
  id: 'sebutkan|sebut|cantumkan|tonjolkan|tekankan|masukkan|jangan lupa sebutkan|jangan lupa|tambahkan|tulis bahwa|tuliskan bahwa|pastikan ada|sertakan|fokus pada|fokus ke',
}

/** What shall be said stands before. */
export const MENTION_AFTER: WordLists = {
  tr: 'vurgulayın|vurgula|belirtin|belirt|belirtilsin|bahsedin|bahset|ekleyin|ekle|yazın|yaz|öne çıkarın|öne çıkar|geçsin|öne çıksın|unutmayın|mutlaka olsun|olsun|vurgulansın|yazsın',
  hi: 'ज़रूर लिखना|जरूर लिखना|ज़रूर लिखें|जरूर लिखें|ज़रूर बताएं|जरूर बताएं|लिखना|लिखें|लिखिए|बताएं|बताना|बताइए|का ज़िक्र करें|का जिक्र करें|का ज़िक्र|का जिक्र|पर ज़ोर दें|पर जोर दें|को हाइलाइट करें|हाइलाइट करें|दिखाएं|दिखाना|जोड़ें|भी लिखें',
  ja: 'を大きく|を強調して|を強調|を目立たせて|を目立つように|を入れてください|を入れて|も入れてください|も入れて|と入れて|を記載して|を載せて|も載せて|をアピールして|をアピール|を訴求して|を訴求|と書いて|を明記して|を忘れずに|を前面に',
  ko: ' 넣어주시고| 넣어주세요| 넣어 주세요| 넣어줘| 강조해주세요| 강조해 주세요| 강조해주시고| 강조해| 꼭 넣어| 언급해주세요| 언급해 주세요| 언급해| 표시해주세요| 써주세요| 써 주세요| 크게 | 꼭 들어가| 들어가게| 포함해주세요| 포함해|을 강조|를 강조|도 넣어|라고 써|이라고 써|도 적어|라고 적어',
}

/** Followed by what people are to be encouraged to do. */
export const CTA_ASK: WordLists = {
  en: `gets people to|that gets people to|to get people to|get customers to|gets customers to|invite customers to|ask people to|ask them to|ask readers to|ask customers to|ask everyone to|tell people to|tell them to|tell customers to|tell everyone to|get people to|get them to|invite people to|invite them to|invite readers to|encourage people to|
    encourage them to|encourage customers to|encourage readers to|want people to|want them to|need people to|need them to|would like people to|d like people to|d love people to|hope people will|we want people to|have people|people should|they should|customers should|readers should|the aim is to get people to|
    urge people to|point people to|send people to|call to action should be to|cta should be to|push people to|make them|send them to|take people to|take them to|drive people to|drive them to|direct people to|direct them to|lead people to|nudge people to|nudge them to|persuade people to|convince people to|convince them to|remind people to|remind them to|prompt people to|prompt them to|motivate people to|ask folks to|get folks to|get readers to|get visitors to|get users to|call on people to`,
  de: 'sag den leuten|sagt den leuten|sagen sie den leuten|ladet kunden ein|dass die leute|dass kunden|dass alle|dass man|die leute sollen|leute sollen|kunden sollen|sie sollen|man soll|alle sollen|fordere die leute auf|fordert die leute auf|fordert auf zu|lade die leute ein|ladet die leute ein|ladet ein|leser sollen|interessierte sollen|besucher sollen|bitte die leute|fordern sie die leute auf|fordert die kunden auf|ruft dazu auf|ruft die leute auf|ruft auf|bittet die leute|bittet um|ermutigt die leute|ermuntert die leute|animiert zum|animiert die leute|motiviert die leute|ladet dazu ein|lade zum|ladet zum|ladet zur|lädt zum|die kunden sollen|die besucher sollen|die leser sollen|damit die leute|aufruf zum|aufruf zur|leitet sie|führt sie',
  fr: 'invitez les clients à|incitez les clients à|inciter les clients à|encouragez les clients à|dites aux clients de|demandez aux clients de|incitez les gens à|incite les gens à|inciter les gens à|incitez à|inciter à|invitez les gens à|invite les gens à|inviter à|invitez à|encouragez les gens à|encouragez à|encourager à|demandez aux gens de|dites aux gens de|poussez les gens à|pousser à|donnez envie de|il faut que les gens|les gens doivent|invitez le public à|invitez les lecteurs à|invite à|incitez le public à|encouragez le public à|appelez à|appelez les gens à|poussez à|poussez les clients à|motivez les gens à|donner envie de|proposez de|proposez aux gens de|il faut inciter à|que les gens|envoyez les vers|redirigez vers',
  es: 'invita a los clientes a|anima a los clientes a|pide a los clientes que|invita a la gente a|invita a|invite a|inviten a|invitar a|anima a la gente a|anima a|animen a|animad a|animar a|pide que|pidan que|pide a la gente que|que la gente|incita a|diles que|motiva a|motiven a|llama a|hay que invitar a|que se animen a|pídele a la gente que|pidan a la gente que|pedid que|pedid a la gente que|invitad a|invita al público a|convoca a|llamen a|anima al público a|anime a|haz que la gente|hagan que la gente|consigue que|dile a la gente que|queremos que la gente|llévalos a|llevarlos a',
  it: 'invita i clienti a|invitate i clienti a|chiedi ai clienti di|invita le persone a|invita la gente a|invitate a|invita a|invitare a|spingi a|spingi le persone a|chiedi di|chiedete di|chiedi alle persone di|incoraggia a|incoraggia le persone a|esorta a|fai in modo che|la gente deve|stimola a|convinci a|invitate le persone a|invitate la gente a|invitate il pubblico a|invitare le persone a|chiedete alle persone di|chiedere di|incoraggiate a|incoraggiate le persone a|esortate a|spingete a|spingete le persone a|stimolate a|convincete a|convincete le persone a|fate in modo che|le persone devono|chiama a|sprona a|portali a|invito a',
  pt: 'convide os clientes a|incentive os clientes a|peça aos clientes para|convide as pessoas a|convide a|convidem a|convida as pessoas a|convida a|convidar a|incentive as pessoas a|incentive a|incentivar a|incentiva a|peça para|peçam para|pede para|pede às pessoas que|peça às pessoas para|chame para|chama para|estimule a|leve as pessoas a|diga para|as pessoas devem|peça às pessoas que|peçam às pessoas que|peçam às pessoas para|pede às pessoas para|peça ao público que|peça ao público para|convidem as pessoas a|convide o público a|convidar as pessoas a|incentivem as pessoas a|incentivem a|incentivar as pessoas a|chame as pessoas para|chame o público para|chamem para|leve o público a|motive as pessoas a|motive a|apele a|apelem a|estimule as pessoas a|faça com que as pessoas|diga às pessoas para|é para as pessoas',
  nl: 'vraag klanten om te|vraag klanten om|nodig klanten uit om te|nodig klanten uit om|vraag mensen om te|vraag mensen om|vraag ze om|nodig mensen uit om te|nodig mensen uit om|nodig uit om|laat mensen|laat ze|mensen moeten|roep op om te|roep mensen op om|roep op tot|zeg dat ze|moedig mensen aan om|spoor aan|vraag de mensen om te|vraag mensen te|vraag om te|nodig uit om te|nodig mensen uit|laat de mensen|laat klanten|laat bezoekers|laat lezers|roep mensen op om te|roep mensen op te|moedig mensen aan om te|moedig aan om te|stimuleer mensen om te|zet mensen aan om te|zet aan tot|overtuig mensen om te|stuur mensen naar|stuur ze naar|klanten moeten|bezoekers moeten',
  sv: 'uppmana folk att|uppmana kunder att|uppmana till att|uppmana att|be folk att|be kunder att|be dem att|be dem|få folk att|få kunder att|få dem att|bjud in folk att|bjud in till att|bjud in till|säg åt folk att|folk ska|kunderna ska|de ska|vi vill att folk ska|vi vill att folk|vi vill att kunder|vi vill att kunderna|locka folk att|be läsarna att|be besökare att|uppmana till|uppmana läsarna att|uppmuntra folk att|uppmuntra till att|uppmuntra att|få läsare att|få besökare att|få dem|få folk|bjud in dem att|locka dem att|locka kunder att|inspirera folk att|led dem till|skicka dem till|låt folk|besökare ska|läsarna ska',
  pl: 'zachęć do|zachęcić do|zachęćcie do|zachęcamy do|zachęć ludzi do|zachęć żeby|zaproś do|zaproście do|zaproś na|niech ludzie|niech klienci|niech|poproś o|namów do|wezwij do|wezwanie do|skłoń do|zachęcaj do|zachęcajcie do|zachęć ich do|zachęć klientów do|zachęć odbiorców do|zapraszaj do|zaproś ludzi do|zaproś ludzi na|zaproś klientów do|namawiaj do|nakłoń do|nakłoń ludzi do|nakłoniajcie do|skłoń ludzi do|poproś ludzi o|poproście o|zmotywuj do|skieruj ludzi do|wezwijcie do',
  vi: 'kêu gọi khách hàng|kêu gọi khách|kêu gọi mọi người|kêu gọi|mời khách hàng|mời khách|mời mọi người|khuyến khích khách|khuyến khích mọi người|khuyến khích|nhắc khách|bảo khách|rủ mọi người|thúc đẩy khách|kêu gọi người xem|kêu gọi các bạn|mời người xem|mời các bạn|mời gọi|khuyến khích khách hàng|thúc giục khách|thôi thúc khách|để khách|dẫn khách đến|hướng khách đến|nhắc mọi người|rủ khách|giục khách',
  el: 'προέτρεψε τον κόσμο να|προτρέψτε τον κόσμο να|προέτρεψε να|προτρέψτε να|κάλεσε τον κόσμο να|καλέστε τον κόσμο να|κάλεσε να|πες τους να|πείτε τους να|ζήτα να|ζητήστε να|παρότρυνε τον κόσμο να|παρότρυνε να|παροτρύνετε να|ο κόσμος να|να τους πεις να|ζήτησε να|καλέστε τους να|καλέστε να|προσκαλέστε τον κόσμο να|προσκάλεσε τον κόσμο να|προσκαλέστε να|προσκαλέστε σε|ενθαρρύνετε τον κόσμο να|ενθάρρυνε τον κόσμο να|ενθαρρύνετε να|παροτρύνετε τον κόσμο να|προτρέψτε τους να|ζητήστε από τον κόσμο να|ζητήστε τους να|να καλεί σε|οδηγήστε τους να|κάντε τους να',
  ru: 'пусть|пусть люди|пусть клиенты|призовите|призови|призывайте|позовите|пригласите|предложите|предложи|попросите|попроси|просим людей|мотивируйте|надо чтобы люди|нужно чтобы люди|призыв|призовите людей|призывайте людей|призвать|пригласи|приглашайте|приглашайте людей|пригласите людей|позови|зовите|зовите людей|предлагайте|предложите людям|попросите людей|просите|побуждайте|побудите|побудите людей|мотивируй|мотивируйте людей|подтолкните|подтолкните к|убедите|убедите людей|людям нужно предложить|направьте',
  uk: 'нехай|хай|нехай люди|закличте|заклич|запросіть|запропонуйте|запропонуй|попросіть|попроси|мотивуйте|треба щоб люди|заклик|закликайте|закликай|закликайте людей|закличте людей|закликати|запроси|запрошуйте|запрошуйте людей|запросіть людей|пропонуйте|попросіть людей|просіть|спонукайте|спонукайте людей|спонукайте до|заохочуйте|заохотьте|заохотьте людей|мотивуй|мотивуйте людей|переконайте|переконайте людей|кличте|покличте',
  ar: 'اطلبوا من الناس|اطلب من الناس|اطلبوا منهم|اطلب منهم|ادعوا الناس إلى|ادع الناس إلى|ادعوا العملاء إلى|ادعوهم إلى|شجعوا الناس على|شجع الناس على|شجعوا العملاء على|شجعوا على|شجع على|حثوا الناس على|حث الناس على|مع دعوة الناس إلى|مع دعوة إلى|دعوة الناس إلى|ادعُ الناس إلى|ادعو الناس إلى|ادعوا الجمهور إلى|ادع الجمهور إلى|ادعهم إلى|شجع العملاء على|شجعهم على|شجعوهم على|حث على|حثوا على|حثهم على|اطلب من العملاء|اطلبوا من العملاء|اطلب من الجمهور|وجه الناس إلى|وجهوا الناس إلى|حفزوا الناس على|حفز الناس على',
  he: 'הזמינו אנשים ל|תזמינו אנשים ל|תזמינו אותם ל|הזמינו את הקהל ל|לעודד אנשים ל|עודדו אנשים ל|תעודדו אנשים ל|עודדו ל|בקשו מאנשים ל|תבקשו מאנשים ל|תבקשו מהם ל|תגידו לאנשים ל|שאנשים י|לקרוא לאנשים ל|קריאה ל|קראו לאנשים ל|להזמין אנשים ל|תזמינו את הקהל ל|להזמין את הקהל ל|עודדו את הקהל ל|תעודדו את הקהל ל|לעודד ל|תקראו לאנשים ל|קראו לקהל ל|לגרום לאנשים ל|תגרמו לאנשים ל|תניעו לפעולה: ל|בקשו מהם ל|הפנו אותם ל|שכנעו אנשים ל|שאנשים',
  th: 'ชวนให้ลูกค้า|ชวนลูกค้า|ชวนให้คน|ชวนคน|ชวนให้|เชิญชวนให้|เชิญชวน|กระตุ้นให้ลูกค้า|กระตุ้นให้คน|กระตุ้นให้|บอกให้ลูกค้า|บอกให้คน|บอกให้|ให้ลูกค้า|ให้คน|ชวนผู้คน|ชวนทุกคน|ชวนเพื่อนๆ|ชักชวนให้|ชักชวน|เชิญชวนให้ลูกค้า|เชิญชวนลูกค้า|เชิญชวนให้คน|ขอให้ลูกค้า|ขอให้คน|โน้มน้าวให้|กระตุ้นลูกค้าให้|เรียกร้องให้',
  zh: '希望大家|希望用户|希望用戶|希望顾客|希望顧客|希望客人|希望更多人|想让大家|想讓大家|让大家|讓大家|请大家|請大家|引导用户|引導用戶|引导客户|引导大家|引導大家|引导顾客|引導顧客|引导|引導|鼓励大家|鼓勵大家|鼓励|鼓勵|号召大家|號召大家|号召|號召|邀请大家|邀請大家|呼籲大家|呼吁大家|叫大家|提醒大家|让客人|讓客人|让顾客|讓顧客|请呼籲大家|請呼籲大家|呼籲|呼吁|請呼籲|请呼吁|引导粉丝|引導粉絲|引导他们|引導他們|让用户|讓用戶|让客户|讓客戶|让他们|讓他們|请引导|請引導|动员大家|動員大家|鼓励用户|鼓勵用戶|鼓励顾客|鼓勵顧客|号召用户|提醒用户|提醒用戶|请用户|請用戶|让人|讓人',
  cs: 'vyzvi k|vyzvěte k|vyzvěte lidi k|vyzvěte lidi ať|vyzvěte lidi aby|pozvi lidi na|pozvěte lidi na|pozvěte na|pozvěte k|ať lidé|ať si lidé|ať lidi|ať zákazníci|lidé mají|řekněte lidem ať|řekněte lidem aby|přesvědčte lidi aby|motivujte k|požádejte lidi o|výzva k|nalákejte lidi na',
  id: 'ajak orang untuk|ajak orang|ajak mereka untuk|ajak mereka|ajak pelanggan untuk|ajak pelanggan|ajak untuk|minta orang untuk|minta mereka untuk|minta pelanggan untuk|dorong orang untuk|dorong mereka untuk|dorong pelanggan untuk|undang orang untuk|undang mereka untuk|undang orang|suruh orang|arahkan orang untuk|arahkan ke|arahkan mereka ke|himbau untuk|imbau untuk|supaya orang|agar orang',
}

/** Preceded by what people are to be encouraged to do. */
export const CTA_ASK_AFTER: WordLists = {
  tr: 'çağrısı yapın|çağrısı yap|çağrısı olsun|çağrısıyla|daveti yapın|davet edin|davet et|yönlendirin|yönlendir|teşvik edin|teşvik et|demelerini isteyin|isteyin|söyleyin|çağırın|çağır|davet edelim|davet ediniz|yönlendirelim|teşvik ediniz|teşvik edelim|yapmalarını isteyin|yapmaya davet edin|yapmaya teşvik edin|yaptırmaya davet edin|yaptırmaya teşvik edin|demeye çağırın|yapmalarını sağla|yapmalarını sağlayın|ikna edin',
  hi: 'के लिए कहें|के लिए कहो|के लिए कहना|के लिए बोलें|को कहें|करने को कहें|करने को कहो|करने को बोलें|के लिए प्रेरित करें|के लिए आमंत्रित करें|के लिए बुलाएं|कहिए|करने के लिए कहें|करने के लिए कहिए|करने के लिए प्रेरित करें|करने के लिए आमंत्रित करें|करने के लिए बुलाएं|करने को प्रेरित करें|को बुलाएं|की अपील करें|का आग्रह करें|का अनुरोध करें|को कहिए|करवाएं',
  ja: 'を促してください|を促して|を促す|するよう促して|へ誘導して|に誘導して|へ誘導|に誘導|してもらえるように|するように呼びかけて|を呼びかけて|するよう呼びかけて|を案内して|へ案内して|に導いて|を促してほしい|を促すように|を促したい|を呼びかけてください|を呼び掛けて|へ誘導してください|に誘導してください|へつなげて|につなげて|してもらうように|するよう誘導して|するように誘導して|するよう案内して|へ誘導したい|に誘導したい|をお願いする形',
  ko: '하라고 해주세요|하라고 해 주세요|하라고 해줘|하라고 안내해|하라고 써|하라고 적어|하라고|하도록 유도해|하도록 유도|을 유도해|를 유도해|을 유도|를 유도|하게 해주세요|하도록 해주세요|하도록 안내해|하도록|을 유도해 주세요|를 유도해 주세요|을 유도해주세요|를 유도해주세요|을 권유해|를 권유해|을 독려해|를 독려해|하도록 독려|하도록 권유|하게끔|하게 유도|으로 유도해|로 유도해|하라는 내용',
}
