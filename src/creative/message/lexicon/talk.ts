// Words between the people who make an advertisement, which are not part of it: greetings, thanks, who it is for,
// what it may cost, when the draft is due. A star matches any ending.

import type { WordLists } from '../phrases.ts'

/** A clause with only this, perhaps with the person addressed, is a greeting. */
export const GREETINGS: WordLists = {
  en: 'hi|hello|hey|hiya|dear|good morning|good afternoon|good evening|greetings',
  de: 'hallo|hi|guten tag|guten morgen|moin|servus|grüß gott|liebe|liebes|lieber|sehr geehrte*',
  fr: 'bonjour|bonsoir|salut|coucou|cher|chère|chers',
  es: 'hola|buenos días|buenas tardes|buenas|estimad*|querid*',
  it: 'ciao|buongiorno|buonasera|salve|gentile|gentili|cari|care',
  pt: 'olá|oi|bom dia|boa tarde|prezad*|caros|caras|ola',
  nl: 'hoi|hallo|dag|goedemorgen|goedemiddag|beste|hey',
  sv: 'hej|hejsan|hallå|god morgon|god dag|tja|tjena|kära',
  pl: 'cześć|dzień dobry|witam|hej|szanown*|drodzy',
  tr: 'merhaba*|selam*|iyi günler|günaydın|sayın',
  vi: 'chào|xin chào|dạ chào|alo',
  el: 'καλημέρα|καλησπέρα|γεια|χαίρετε|αγαπητ*',
  ru: 'привет|здравствуйте|добрый день|доброе утро|добрый вечер|уважаем*|коллеги',
  uk: 'привіт|вітаю|добрий день|доброго дня|доброго ранку|шановн*|колеги',
  hi: 'नमस्ते|नमस्कार|हैलो|हेलो|हाय|प्रिय',
  ar: 'السلام عليكم|مرحبا|أهلا|تحية|صباح الخير|مساء الخير',
  he: 'שלום|היי|הי|בוקר טוב|ערב טוב|צהריים טובים',
  th: 'สวัสดี|หวัดดี',
  ja: 'お世話になって|お世話になります|こんにちは|はじめまして|お疲れ様|おつかれさま|おはようございます',
  ko: '안녕하세요|안녕하십니까|반갑습니다|수고 많으|수고하십니다',
  zh: '您好|你好|大家好|哈囉|哈喽|嗨|hi|各位',
  cs: 'dobrý den|dobré ráno|dobré odpoledne|ahoj|zdravím|zdravíme|čau|vážen*|milý|milá|milí',
  id: 'halo|hai|selamat pagi|selamat siang|selamat sore|selamat malam|assalamualaikum|permisi|dear|yth|hi',
}

/** To whom a greeting is said. */
export const GREETED: WordLists = {
  all: `équipe|alla|allihop|allihopa|teamet|gänget|equipo de|squadra|ekibe|ekibi|team|all|everyone|everybody|there|folks|guys|colleagues|zusammen|ihr|lieben|leute|kollegen|à tous|tous|toutes|
    equipo|a todos|todos|chicos|a tutti|tutti|ragazzi|equipe|pessoal|gente|time|allemaal|collega|team leden|wszystkim|
    wszystkich|państwu|zespole|ekip|herkese|arkadaşlar|anh|chị|bạn|mọi người|cả nhà|σας|σε όλους|παιδιά|всем|команда|
    коллеги|усім|всім|команда|टीम|जी|सर|לכולם|לכם|צוות|بكم|جميعا|وسهلا|ทีมงาน|ค่ะ|ครับ|tým|týme|kolegové|všichni|všem|tim|semua|semuanya|teman teman|kakak|kak|bapak|ibu|min|rekan rekan|amigos|vänner|người|ekip arkadaşlar`,
}

/** A clause that contains one of these is talk, and is omitted. */
export const TALK: WordLists = {
  en: `briefing|the brief|brief for|a quick brief|short brief|brief below|some background|attached|is attached|are attached|sizes to follow|media plan|in the loop|talk soon|speak soon|have a great|have a nice|have a lovely|sent from my|no idea|not sure yet|tbc|could we see|can we see|can you send|could you send|send it over|when can we|see something by|need it by|hope you|hope this finds|as discussed|as agreed|as promised|thank you|thanks|thx|cheers|best regards|kind regards|
    warm regards|looking forward|let me know|let us know|get back to me|get back to us|any questions|fyi|here is the brief|here s the brief|
    following up|per our call|on the call|can you help|could you help|would you mind|what do you think|up to you|
    surprise me|surprise us|your choice|whatever you like|no rush|asap|we just want|i was wondering|quick one|
    rest is up to you|you decide|over to you|take it from there|dropbox|google drive|wetransfer|shared folder|in a folder|i ll send|sends the|clicks should|clicks go|clicks to|click should|click goes|should link|links go|send clicks|landing page|high res|hi res|sign off|signs it off|on leave|out of office|just let me|give me a shout|ping me|shout if`,
  de: `briefing|im anhang|angehängt|schönen tag|schönes wochenende|bis bald|gern mehr|sagt bescheid|bei rückfragen|herzliche grüße|gruß|grüße|schönen gruß|brauchen wir bis|schickt uns|liebe grüße|viele grüße|mit freundlichen grüßen|beste grüße|lg|vg|mfg|danke|vielen dank|besten dank|wie besprochen|wie vereinbart|
    wie telefonisch|anbei|meldet euch|melden sie sich|bei fragen|freue mich|freuen uns auf eure|könnt ihr|könntet ihr|
    könnten sie|kannst du|können sie uns|was schönes|irgendwas|überrascht|ihr entscheidet|den rest|nach eurem|gebt bescheid|kurze info|dropbox|google drive|wetransfer|schicke ich|reiche ich nach|wird nachgereicht|liefern wir nach|klicks sollen|klick soll|verlinkt auf|landingpage|zielseite|bin im urlaub|per mail|meldet euch gern`,
  fr: `le brief|un brief|briefing|en pièce jointe|bon courage|bonne continuation|belle journée|bien cordialement|je reste à|nous restons à|je vous laisse|merci|merci d avance|merci beaucoup|merci pour|merci de|cordialement|bien à vous|bonne journée|suite à notre|comme convenu|comme discuté|
    voici les éléments|voici le brief|n hésitez pas|dites moi|tenez moi|à votre goût|à vous de voir|surprenez|
    quelque chose de|le reste|pourriez vous|pouvez vous|peux tu|s il te plaît|à bientôt|svp|stp|ci joint|on vous laisse|dropbox|google drive|wetransfer|je vous envoie|nous enverrons|vous sera envoyé|le lien suivra|page d atterrissage|les clics|le clic doit|bonne réception|dans l attente|en copie`,
  es: `el brief|briefing|brief|va el|os paso|te paso|les paso|un abrazo|abrazos|buen día|feliz día|en adjunto|adjunta|adjuntamos|gracias|muchas gracias|saludos|un saludo|cómo va|qué tal|cómo están|les cuento|te cuento|os cuento|como hablamos|como comentamos|como quedamos|
    cualquier duda|quedo atent*|quedamos atent*|me avisan|avísame|avisadme|algo bonito|algo chulo|lo que quieran|a su gusto|
    lo dejo en|el resto|podrían|podríais|pueden ayudarme|sorpréndan*|espero su|esperamos su|adjunto|dropbox|google drive|wetransfer|les envío|te envío|os envío|os mando|les mando|el enlace lo|los clics|el clic|página de destino|precio interno|quedo a la espera|en copia|un cordial`,
  it: `il brief|briefing|brief|ti mando|vi mando|vi scrivo|ti scrivo|due righe|in allegato|un abbraccio|mi serve entro|mi serve tutto|ci serve entro|entro e non oltre|grazie|grazie mille|cordiali saluti|un saluto|a presto|come d accordo|come da accordi|come concordato|restiamo in attesa|resto in attesa|
    rimango in attesa|vostra proposta|fateci sapere|fammi sapere|mi raccomando|qualcosa di|fate voi|decidete voi|a piacere|il resto|
    potreste|puoi fare|potete|in allegato|sono graditi|buon lavoro|buona giornata|dropbox|google drive|wetransfer|vi invio|ti invio|invieremo|il link lo|i clic|pagina di destinazione|resto a disposizione|in copia|attendo`,
  pt: `briefing|o brief|em anexo|segue em anexo|bom trabalho|boa semana|bom fim de semana|um abraço|preciso até|precisamos até|obrigad*|muito obrigad*|atenciosamente|cumprimentos|abraço|abraços|como combinado|conforme combinado|conforme conversamos|conforme falámos|qualquer dúvida|
    fico no aguardo|ficamos no aguardo|aguardo|aguardamos|o resto fica|ao vosso critério|a vosso critério|fica a critério|a seu critério|
    algo bonito|algo legal|o que acharem|vocês decidem|podem fazer|podem me|poderiam|tudo bem|segue o briefing|seguem|desde já|valeu|dropbox|google drive|wetransfer|o link será|os cliques|página de destino|fico à espera|em cópia|aguardo retorno`,
  nl: `briefing|hierbij|in de bijlage|bijgevoegd|fijne dag|fijn weekend|succes ermee|tot snel|bedankt|alvast bedankt|dank je|dank u|groetjes|groeten|met vriendelijke groet|mvg|zoals besproken|zoals afgesproken|laat maar weten|
    laat me weten|hoor graag|horen graag|iets leuks|iets moois|verras|jullie keuze|de rest|kun je|kunnen jullie|zou je|zouden jullie|
    de briefing|even de|bij vragen|vragen hoor|dropbox|google drive|wetransfer|stuur ik|sturen we|volgt nog|volgt later|de link komt|kliks moeten|landingspagina|ik hoor het|in cc`,
  pl: `brief|briefing|krótki brief|w załączeniu|miłej pracy|do usłyszenia|serdecznie|dziękuję|dziękujemy|dzięki|z góry|pozdrawiam|pozdrawiamy|czekam na|czekamy na|proszę o kontakt|w sprawie klienta|piszę z|piszemy z|
    jak ustalaliśmy|jak rozmawialiśmy|zgodnie z ustaleniami|w razie pytań|coś ładnego|coś fajnego|cokolwiek|reszta|według uznania|
    możecie|czy możecie|czy mogą|przesyłam|w załączniku|miłego dnia|dropbox|google drive|wetransfer|link do sklepu|link poda|link wyśle|wyślę|prześlę|dośle*|poda ania|kliknięcia mają|strona docelowa|będę wdzięczn*|w razie czego|dam znać`,
  sv: `tack på förhand|tack|tusen tack|stort tack|hälsningar|vänliga hälsningar|med vänlig hälsning|mvh|hälsar|här kommer|underlaget|underlag|briefen|briefing|bifogat|bifogar|som vi pratade om|enligt överenskommelse|som överenskommet|hör av er|hör av dig|hör gärna av|vid frågor|återkom|ha en fin|ha det bra|trevlig helg|ni bestämmer|resten|överraska|något fint|valfritt|dropbox|google drive|wetransfer|skickar jag|kommer senare|länken kommer|klick ska|landningssida|hör av dig om|i bilagan`,
  tr: `brief|briefing|ektedir|ekliyorum|iyi haftalar|iyi günler dilerim|görüşmek üzere|teşekkür*|sağ olun|saygılar*|sevgiler|kolay gelsin|rica ediyor*|rica ederi*|iyi çalışmalar|konuştuğumuz gibi|anlaştığımız gibi|bekliyoruz|
    bekliyorum|haber verin|sorunuz olursa|güzel bir şey|bir şeyler|size bırakıyor*|siz karar|gerisi|nasılsınız|ekte|dropbox|google drive|wetransfer|göndereceğ*|link gelecek|tıklamalar|açılış sayfası|selamlar|bilginize`,
  vi: `đính kèm|gửi kèm|gửi brief|brief|chúc mọi người|hẹn gặp|cảm ơn|cám ơn|thân ái|trân trọng|như đã trao đổi|như đã bàn|như đã nói|có gì báo|báo mình|liên hệ lại|làm gì cũng được|tùy bạn|tuỳ bạn|tùy ý|gì đó đẹp|
    cái gì đẹp|còn lại|khách vắng|muốn chạy|giúp mình|giúp em|giúp tôi|nhờ bạn|nhờ team|bên mình muốn|bên em muốn|gửi sau|sẽ gửi|mình gửi|link gửi|trang đích|thanks team|có gì nhắn|nhắn mình|phản hồi|cảm ơn nhé|nhé team`,
  el: `σας στέλνω|επισυνάπτω|συνημμένα|brief|καλή συνέχεια|καλή δουλειά|τα λέμε|ευχαριστώ|ευχαριστούμε|ευχαριστώ πολύ|με εκτίμηση|όπως είπαμε|όπως συμφωνήσαμε|όπως συζητήσαμε|περιμένω|περιμένουμε|πείτε μας|πείτε μου|κάτι ωραίο|
    κάτι όμορφο|ό τι θέλετε|ό τι νομίζετε|αποφασίστε|τα υπόλοιπα|μπορείτε να|θα μπορούσατε|τι κάνετε|φιλικά|θα στείλω|θα σας στείλω|το λινκ|ο σύνδεσμος θα|τα κλικ|σελίδα προορισμού|ενημερώστε|καλή σας|περιμένω νέα`,
  ru: `бриф|брифинг|прилагаю|прикрепляю|в приложении|хорошего дня|до связи|отправляю|ждём макет*|ждем макет*|жду макет*|спасибо|заранее спасибо|благодар*|с уважением|как договаривались|как договорились|как обсуждали|как обсудили|жду вариант*|ждём вариант*|ждем вариант*|дайте знать|
    если что|что нибудь красивое|что нибудь|на ваш вкус|на ваше усмотрение|остальное|решайте сами|придумайте|можете сделать|не могли бы|высылаю|во вложении|
    удивите|пишу вам|обращаюсь|дропбокс|гугл диск|пришлю|вышлю|скину|ссылку дам|ссылку пришл*|ссылка позже|клики должны|посадочная|макет нужен|макет к|напишите если`,
  uk: `бриф|брифінг|додаю|прикріплюю|у вкладенні|гарного дня|до зв язку|дякую|дякуємо|заздалегідь|з повагою|як домовлялися|як домовились|як обговорювали|чекаю|чекаємо|дайте знати|якщо що|щось гарне|щось красиве|на ваш смак|
    на ваш розсуд|решта|решту|вирішуйте|придумайте|чи можете|чи могли б|надсилаю|пишу вам|здивуйте|гугл диск|надішлю|скину|посилання дам|посилання надішл*|кліки мають|посадкова|макет потрібен|макет до|напишіть якщо`,
  hi: `संलग्न|ब्रीफ|भेज रहा हूँ|भेज रही हूँ|शुभकामनाएं|धन्यवाद|शुक्रिया|आभार|जैसा कि बात|जैसा तय|बता दीजिए|बता देना|बताइएगा|कुछ अच्छा|कुछ सुंदर|जो ठीक लगे|आप तय|बाकी आप|कैसे हैं|सादर|भेज दूंगा|भेज दूंगी|भेजेंगे|लिंक बाद में|लैंडिंग पेज`,
  ar: `مرفق|في المرفق|الموجز|أرسل لكم|نرسل لكم|يومكم سعيد|شكرا|وشكرا|شكراً|تحياتي|مع التحية|مع خالص|كما اتفقنا|كما تحدثنا|حسب الاتفاق|بانتظار|في انتظار|ننتظر|أخبرونا|شيئا جميلا|شيء جميل|أي شيء|كما ترون|على ذوقكم|
    لكم الخيار|والباقي|الباقي عليكم|هل يمكنكم|ممكن تعملوا|كيف حالكم|وتفضلوا|سأرسل|الرابط لاحقا|النقرات|صفحة الهبوط|في المرفقات|ولكم جزيل|مع الشكر|أطيب التحيات`,
  he: `מצורף|מצורפת|הבריף|בריף|שולח לכם|שולחת לכם|שבוע טוב|סוף שבוע נעים|תודה|בברכה|כמו שסיכמנו|כפי שסיכמנו|כמו שדיברנו|נשמח לקבל|אשמח לקבל|מחכה ל|מחכים ל|תעדכנו|משהו יפה|משהו נחמד|מה שבא לכם|לשיקולכם|לבחירתכם|תחליטו|השאר עליכם|
    אפשר בבקשה|תוכלו|מה שלומכם|יום נעים|אשלח|הקישור יישלח|הקליקים|דף נחיתה|מחכה לתשובה|אשמח לעזרה|נשמח לעזרה|תודה רבה`,
  th: `แนบ|บรีฟ|ส่งบรีฟ|สวัสดี|ขอบคุณ|ขอบพระคุณ|ตามที่คุย|ตามที่ตกลง|รบกวน|แล้วแต่|อะไรก็ได้|สวยๆ|ที่เหลือ|ตัดสินใจเลย|มีอะไรบอก|สอบถามได้|ด้วยความเคารพ|ช่วยหน่อย|จะส่งให้|ส่งให้ทีหลัง|ลิงก์จะ|คลิกแล้วไป|แลนดิ้งเพจ|ฝากด้วย|ขอบใจ`,
  ja: `添付|ブリーフ|以上です|お送りします|お送りいたします|お世話になって|お世話になります|はじめまして|お疲れ様|お願いしたく|お願いいたします|お願い致します|お願いします|よろしく|ありがとうございます|感謝|担当です|担当の|おまかせ|お任せ|いい感じ|なんでもいい|何でも|適当に|
    先日お話し|先日の打ち合わせ|ご連絡|ご検討|ご確認|いただけますと|いただけますか|幸いです|後ほど送|後日送|別途送|リンク先|クリック先|遷移先|ご査収|何卒|助かります|お手数`,
  ko: `첨부|브리프|보내드립니다|보내 드립니다|안녕하세요|감사합니다|감사하겠|고맙습니다|부탁드립니다|부탁드려요|부탁드리고|부탁해요|알아서|예쁘게|아무거나|말씀드린|논의한|통화한|회의에서|연락 주세요|연락주세요|좋겠고|
    좋겠습니다|좋겠어요|따로 드릴|수고하세요|마음대로|나중에 보내|추후 전달|별도로 전달|링크는|클릭하면|랜딩|랜딩페이지|확인 부탁|잘 부탁|회신`,
  zh: `附件|简报|簡報|发给你|發給你|祝好|祝顺利|祝順利|您好|你好|谢谢|謝謝|多谢|多謝|感谢|感謝|感恩|麻烦|麻煩|辛苦了|拜托|拜託|如之前|之前说的|之前說的|电话里|電話裡|按照约定|随便|隨便|都可以|你们决定|你們決定|你们看着办|
    看着办|看著辦|就好|好看一点|好看點|请多指教|期待|有问题|有問題|告訴我|告诉我|稍后发|稍後發|另外发|另外發|链接稍后|連結稍後|点击跳转|點擊跳轉|落地页|到達頁|着陆页|请查收|請查收|多谢支持|請見附件|请见附件`,
  cs: 'brief|zadání|podklady|v příloze|přikládám|přikládáme|posílám|posíláme|děkuji|děkuju|děkujeme|díky|předem děkuji|s pozdravem|hezký den|pěkný den|mějte se|jak jsme se domluvili|jak jsme se bavili|jak bylo domluveno|dejte vědět|ozvěte se|v případě dotazů|kdyby něco|něco hezkého|něco pěkného|cokoliv|zbytek|je to na vás|nechám na vás|můžete mi|můžete prosím|mohli byste|mohl byste|těším se|těšíme se',
  id: 'brief|briefnya|terlampir|lampiran|saya kirim|kami kirim|terima kasih|makasih|thanks|salam|hormat kami|sesuai obrolan|sesuai diskusi|seperti dibahas|kabari|hubungi saya|ditunggu|kami tunggu|kalau ada pertanyaan|sisanya|terserah|bebas saja|yang bagus|yang menarik|bisa tolong|bisa bantu|boleh minta|tolong ya|ya kak|mohon bantuannya',
}

/** A sentence that contains one of these is about the work, from beginning to end. */
export const BRIEFING: WordLists = {
  en: `target customer*|ideal customer*|core customer*|mock ups|mockups|artwork|facebook ads|instagram ads|google ads|ran ads|ads last year|last campaign|previous campaign|click through|audience|target group|target market|targeting|we re targeting|we are targeting|aimed at|demographic*|budget|draft|drafts|first version|mock up|mockup|
    legal|sign off|sign it off|stakeholder*|client|deadline for|objective|objectives|kpi*|goal is|drive trials|mandatories|deliverable*|
    we d like to|we would like to|we d love to|i d like you|the idea is|the brief|our agency|previous instructions|system prompt|ignore all|ignore previous|
    ignore the|disregard|you are now|reveal your|jailbreak|don t follow|forget everything|as an ai|our customers are|most of our customers|our buyers are|our readers are|some background|a bit of background|bit of context|some context|for context|internal price|not for publication`,
  de: `zielgruppe*|vorschlag schicken|vorschläge bis|vorschläge schicken|vorschläge schickt|ihre vorschläge|eure vorschläge|zwei vorschläge|drei vorschläge|vorschläge zu|layouts|rückmeldung|abgabetermin|letzte kampagne|letzten kampagne|wir sprechen * an|ansprechen möchten|möchten wir ansprechen|budget|entwurf|entwürfe|erste version|freigabe|kunde möchte|unser kunde|abstimmung|die idee ist|wir möchten gern*|wir würden gern*|wir hätten gern*|
    ansprechen wollen|wollen wir ansprechen|richtet sich an|bis wann|vorherigen anweisungen|ignoriere|vergiss alle|rechtsabteilung|unsere kunden sind|die meisten unserer kunden|hintergrund dazu|zum hintergrund|kurz zum hintergrund|nur zur info|zur info`,
  fr: `maquettes|livraison des maquettes|vos propositions|au plus tard|notre cible|la cible|on cible|nous ciblons|public cible|clientèle visée|dernière campagne|on vise|nous visons|cible|public visé|s adresse à|budget|maquette|première version|brouillon|le client|juridique|l idée est|l objectif|validation|
    nous souhaitons|nous aimerions|on aimerait|on voudrait|nous voudrions|instructions précédentes|ignore les|ignorez|livrable*|nos clients sont|la plupart de nos clients|pour info|pour contexte|en interne|prix interne`,
  es: `sus propuestas|vuestras propuestas|bocetos|maqueta*|nuestro público|público son|público es|público meta|target|última campaña|público objetivo|el público|audiencia|presupuesto|borrador|boceto|primera versión|el cliente|la idea es|el objetivo|nos dirigimos|dirigido a|va dirigid*|queremos llegar|
    nos gustaría|me gustaría|queremos que|instrucciones anteriores|ignora|olvida todo|aprobación|nuestros clientes son|la mayoría de nuestros clientes|para tu información|como contexto|precio interno|queremos llegar a`,
  it: `vostre proposte|bozze|ultima campagna|clientela tipo|target|pubblico|ci rivolgiamo|si rivolge|budget|bozza|prima versione|il cliente|l idea è|l obiettivo|vorremmo raggiungere|istruzioni precedenti|ignora|dimentica|approvazione|i nostri clienti sono|la maggior parte dei nostri clienti|per informazione|per contesto|prezzo interno|uso interno`,
  pt: `vossas propostas|suas propostas|maquetes|maquete|público são|público é|nosso público|queremos chegar|última campanha|público alvo|público jovem|o público|orçamento|verba|rascunho|primeira versão|o cliente|a ideia é|o objetivo|o objectivo|queremos atingir|queremos alcançar|direcionado|gostaríamos|gostaria|
    instruções anteriores|ignore|esqueça|aprovação|para o jurídico|nossos clientes são|os nossos clientes são|a maioria dos nossos clientes|para informação|para contexto|preço interno|uso interno`,
  nl: `jullie voorstel|schetsen|doelpubliek|we richten ons|wij richten ons|vorige campagne|doelgroep*|budget|eerste versie|concept|conceptversie|de klant|we willen vooral|wij willen vooral|willen we bereiken|bereiken|het idee is|het doel|we zouden graag|wij zouden graag|
    vorige instructies|negeer|vergeet alle|goedkeuring|deadline voor|onze klanten zijn|de meeste van onze klanten|ter info|ter informatie|achtergrondinfo|interne prijs`,
  pl: `wasze propozycje|makiety|grupy docelowej|nasi odbiorcy|kierujemy|kierowana do|poprzednia kampania|grupa docelowa|grupą docelową|odbiorc*|budżet|szkic|pierwsza wersja|wersję|klient chce|w imieniu klienta|celem|chodzi o to|zależy nam|chcielibyśmy|chciałbym|chciałabym|
    poprzednie instrukcje|zignoruj|zapomnij|akceptacj*|nasi klienci to|większość naszych klientów|dla informacji|do wiadomości|cena wewnętrzna|wewnętrznie|grupa docelowa to`,
  sv: `målgrupp*|målgruppen|vi riktar oss|riktar sig|vi vänder oss|budget*|utkast*|första versionen|skiss*|era förslag|kunden vill|vår kund|idén är|syftet|målet|godkänna*|godkännande|förra kampanjen|tidigare instruktioner|ignorera|glöm allt|juridik*|deadline för|leverans av|våra kunder är|de flesta av våra kunder|som bakgrund|för kännedom|internt pris`,
  tr: `hedef grup*|önerilerini*|geçen kampanya|hitap ediyoruz|hedef kitle*|bütçe*|taslağ*|taslak|ilk versiyon|müşterimiz|amacımız|amaç|istiyoruz ki|önceki talimat*|yok say|görmezden gel|unut|onay*|hukuk`,
  vi: `bản thiết kế|chiến dịch trước|khách mục tiêu|đối tượng|khách hàng mục tiêu|tệp khách|ngân sách|bản nháp|bản demo|phiên bản đầu|khách hàng của mình là|mục tiêu là|ý tưởng là|hướng đến|nhắm đến|nhắm tới|
    bỏ qua các|hướng dẫn trước|duyệt`,
  el: `τις προτάσεις σας|μακέτες|μακέτα|κοινό στόχο|στοχεύουμε|προηγούμενη καμπάνια|κοινό στόχος|κοινό μας|το κοινό|απευθυνόμαστε|απευθύνεται|προϋπολογισμός|μπάτζετ|προσχέδιο|πρώτη έκδοση|ο πελάτης|η ιδέα είναι|ο στόχος|στόχος μας|προηγούμενες οδηγίες|αγνόησε|έγκριση|οι πελάτες μας είναι|για ενημέρωση|εσωτερική τιμή|κοινό είναι`,
  ru: `ца|макеты|эскиз*|ваши варианты|прошлая кампания|ориентируемся|рассчитано на|целевая аудитория|наша аудитория|аудитория|бюджет|черновик|первый вариант|макет|клиент хочет|заказчик|идея в том|цель|хотелось бы|хотим охватить|предыдущие инструкции|игнорируй|забудь|
    согласовать|юристом|юристы|просьба|наши клиенты это|большинство наших клиентов|для справки|для информации|внутренняя цена|внутри компании`,
  uk: `ца|макети|ескіз*|ваші варіанти|минула кампанія|орієнтуємося|цільова аудиторія|наша аудиторія|аудиторія|бюджет|чернетк*|перший варіант|макет|клієнт хоче|замовник|ідея в тому|мета|хотілося б|хочемо охопити|попередні інструкції|ігноруй|забудь|
    погодити|юристом|прохання|наші клієнти це|більшість наших клієнтів|для довідки|до відома|внутрішня ціна`,
  hi: `पिछला अभियान|टारगेट|टारगेट ऑडियंस|लक्षित|दर्शक|बजट|ड्राफ्ट|पहला वर्शन|क्लाइंट|ग्राहक चाहते|उद्देश्य|हम चाहते|पिछले निर्देश|अनदेखा|भेज दीजिए|भेज देना`,
  ar: `المقترحات|مقترحات|التصاميم قبل|نخاطب|الحملة السابقة|الجمهور المستهدف|الفئة المستهدفة|جمهورنا|نستهدف|الميزانية|ميزانية|المسودة|مسودة|النسخة الأولى|العميل|الفكرة هي|الهدف|هدفنا|نرجو|نود أن|نرغب أن|التعليمات السابقة|تجاهل|انس|الموافقة`,
  he: `סקיצות|פונים ל|הקמפיין הקודם|קהל היעד|קהל יעד|תקציב|סקיצה|טיוטה|גרסה ראשונה|הלקוח|הרעיון הוא|המטרה|חשוב לנו|היינו רוצים|ההוראות הקודמות|התעלם|תתעלם|שכח|אישור`,
  th: `กลุ่มเป้าหมาย|งบประมาณ|งบ|ดราฟต์|ดราฟท์|แบบร่าง|เวอร์ชันแรก|ลูกค้าอยาก|เป้าหมายคือ|อยากได้|อยากให้|คำสั่งก่อนหน้า|เพิกเฉย|ละเว้น|ส่งงาน`,
  ja: `ご提案|前回のキャンペーン|ターゲット|予算|ラフ案|初稿|たたき台|クライアント|狙いは|目的は|前の指示|以前の指示|無視して|システムプロンプト|納期|締め切りは|までに送って|までにいただ|までにお送り|確認用`,
  ko: `제안서|지난 캠페인|대상 고객|타깃|타겟|대상은|예산|초안|시안|클라이언트|목표는|취지는|이전 지시|무시하고|시스템 프롬프트|보셨으면|주부님`,
  zh: `上次活动|上次活動|客群|目标客户|目標客群|目标人群|目標族群|受众|受眾|面向|预算|預算|初稿|草稿|样稿|樣稿|客户要求|客戶要求|目的是|想法是|之前的指令|先前的指示|忽略|系统提示|系統提示|给我看|給我看`,
  cs: 'cílová skupina|cílovou skupinu|cílovka|cílíme na|zaměřujeme se|naši zákazníci jsou|rozpočet|návrh do|návrhy|první verzi|první návrh|klient chce|zákazník chce|cílem je|jde nám o|rádi bychom|chtěli bychom|schválení|schválit|předchozí pokyny|ignoruj|zapomeň|minulá kampaň|termín odevzdání',
  id: 'target kami|targetnya|target pasar|target audiens|audiens|sasaran|sasarannya|anggaran|budget|budgetnya|draf|draft|versi pertama|klien mau|klien ingin|tujuannya|tujuan kami|idenya|persetujuan|approval|instruksi sebelumnya|abaikan|lupakan|kampanye sebelumnya|tenggat',
}

/** “Whatever you like”: a message with only this has no content. */
export const ANYTHING: WordLists = {
  all: `whatever you think|whatever works|you choose|you pick|mach mal|macht mal|mach einfach|something nice|something cool|something pretty|something good|anything nice|anything you like|whatever you like|was schönes|was nettes machen|irgendwas schönes|quelque chose de joli|quelque chose de beau|quelque chose de sympa|algo bonito|algo lindo|algo chulo|qualcosa di bello|
    qualcosa di carino|algo legal|algo bacana|iets leuks|iets moois|coś ładnego|coś fajnego|güzel bir şey|bir şeyler yap*|cái gì đó đẹp|gì đó đẹp|gì cũng được|κάτι ωραίο|κάτι όμορφο|κάτι καλό|что нибудь красивое|что то красивое|что нибудь интересное|щось гарне|щось красиве|कुछ अच्छा|कुछ सुंदर|
    شيئا جميلا|شيئاً جميلاً|شيء جميل|شيئا حلو|شي حلو|משהו יפה|משהו נחמד|משהו מגניב|อะไรก็ได้|สวยๆ|สวย ๆ|なんでもいい|何でもいい|いい感じに|いい感じの|適当に|아무거나|예쁘게 만들|알아서 해|随便|隨便|好看的|你们决定|你們決定|看着办|看著辦|něco hezkého|něco pěkného|cokoliv hezkého|sesuatu yang bagus|sesuatu yang menarik|apa saja|apa aja|terserah`,
}

/** Ends a letter; a name that follows is the signature. */
export const SIGN_OFFS: WordLists = {
  all: `regards|best regards|kind regards|cheers|thanks|thank you|many thanks|best|xx|grüße|gruß|viele grüße|liebe grüße|lg|vg|mfg|danke|cordialement|bien à vous|merci|à bientôt|saludos|un saludo|un abrazo|gracias|saluti|cordiali saluti|un saluto|grazie|a presto|
    cumprimentos|abraço|um abraço|obrigado|obrigada|atenciosamente|groet|groeten|groetjes|met vriendelijke groet|mvg|bedankt|pozdrawiam|pozdrowienia|dziękuję|dzięki|hälsningar|vänliga hälsningar|med vänlig hälsning|mvh|tack|saygılar*|sevgiler|teşekkür*|trân trọng|thân ái|cảm ơn|
    φιλικά|με εκτίμηση|ευχαριστώ|с уважением|спасибо|з повагою|дякую|सादर|धन्यवाद|تحياتي|مع التحية|شكرا|שלום רב|בברכה|תודה|ขอบคุณ|よろしく|감사합니다|드림|谢谢|謝謝|感謝|感谢|敬上|s pozdravem|děkuji|děkuju|díky|s přátelským pozdravem|terima kasih|makasih|salam|salam hangat|hormat kami`,
}
