// How an advertisement shall look and sound: never copy. A star stands for any ending.

import type { WordLists } from '../phrases.ts'

/** A clause that holds one of these says how it shall be. */
export const MANNER: WordLists = {
  en: `tone|tone of voice|in style|style should|the style|the look|look and feel|look should|should look|should feel|should be|keep it|keep the text|keep the copy|keep things|make it|make sure it|make the|use a|use the|use our|use big|use bright|use lots|use white|use black|use red|use blue|use green|with a * feel|background|logo|font|fonts|typeface|
    letters|lettering|bold|colour|colours|color|colors|colour scheme|layout|white space|top left|top right|bottom left|bottom right|centered|centred|photo of|photos of|stock photo*|picture of|pictures|imagery|image of|animation|animated|gradient|in capitals|all caps|lower case|font size|large type|nice and|sound like|sounds like|feel like an ad|not too salesy|salesy|
    nothing too|nothing fancy|not too|jokey|no jokes|no clichés|clichés|pixels|px|minimalist|in the style of|short and|wording|the voice|brand colours|brand colors|no more than`,
  de: `ton|tonalität|tonfall|stil|im stil|halte es|halten sie es|haltet es|soll wirken|sollte wirken|soll aussehen|soll es|sollte es|soll sein|hintergrund|logo|schrift|schriftart|buchstaben|farbe|farben|farblich|layout|oben links|oben rechts|unten links|unten rechts|foto von|stockfoto*|bilder von|nicht zu|sachlich halten|in großbuchstaben|großbuchstaben|
    fett|bitte kurz|kurz und|kurz halten|knapp halten|gestaltung|optik|anmutung|werblich|duzen|siezen|im design|verwende unser*|nutze unser*|bunt|bitte locker|bitte seriös|bitte sachlich|hochwertig wirken|in du form|per du|per sie`,
  fr: `ton|le ton|sur un ton|style|dans un style|le visuel doit|doit être|rester sobre|reste sobre|restez sobre|sobre|fond|arrière plan|logo|police|typo|lettres|couleur|couleurs|mise en page|en haut à gauche|en haut à droite|en bas à gauche|en bas à droite|photo de|photos de|banque d images|en majuscules|en gras|utilisez le|utilisez un|utilise le|utilise un|utilisez notre|utilisez nos|
    faites court|fais court|reste court|restez court|texte court|pas trop|sans trop|adjectifs|ambiance|graphisme|design|vouvoie*|tutoie*|plutôt chic|façon|esprit|chaleureux mais|quelque chose de sobre|soyez`,
  es: `tono|el tono|con un tono|estilo|que se vea|que sea|que suene|que quede|que parezca|fondo|logo|logotipo|tipografía|letra|letras|color|colores|diseño|arriba a la izquierda|arriba a la derecha|abajo a la izquierda|abajo a la derecha|foto de|fotos de|en mayúsculas|en negrita|usa el|usa un|usá un|usa nuestro*|usen el|usen un|utiliza|texto corto|breve|no muy|nada muy|sin exagerar|
    tutea*|trata de usted|de usted|con humor|cercano|cercana|que transmita|estética|imagen cuidada|habla de tú|sobrio`,
  it: `tono|con tono|stile|in stile|che sia|sfondo|logo|carattere|caratteri|font|colore|colori|grafica|in alto a sinistra|in alto a destra|in basso a sinistra|in basso a destra|foto di|maiuscolo|grassetto|usa lo|usa il|usa un|usa una|usate il|usate un|usate lo|usa i|usa colori|testo breve|breve|non troppo|aspetto|deve essere|dovrebbe essere|dare del tu|dare del lei|dai del tu|atmosfera|
    elegante e|sobrio|mantieni|mantenete|tieni|tenete`,
  pt: `tom|em tom|com tom|estilo|visual|fundo|logo|logótipo|logotipo|fonte|letra|letras|cor|cores|layout|design|canto superior|canto inferior|foto de|fotos de|maiúsculas|negrito|usa o|use o|use um|use uma|usem o|usa um|use nosso*|use nossa*|use cores|texto curto|curto e|nada muito|não muito|deve ser|deve parecer|deve ter|fala com humor|fale com|com humor|linguagem|mantém|mantenha|trata por tu|aspeto|aspecto|
    descontraíd*|que pareça|que seja|sóbrio`,
  nl: `toon|tone of voice|stijl|in de stijl|achtergrond|logo|lettertype|letters|kleur|kleuren|vormgeving|opmaak|linksboven|rechtsboven|linksonder|rechtsonder|foto van|foto s van|hoofdletters|vetgedrukt|gebruik de|gebruik een|gebruik ons|gebruik onze|hou het|houd het|houden het|kort en|niet te|moet er|moet het|mag wel|moeilijke woorden|uitstraling|graag een beetje|een beetje brutaal|tutoyeren|je vorm|u vorm|sfeer|lekker kort`,
  pl: `ton|tonie|w tonie|styl|w stylu|stylu|grafika ma|ma być|powinno być|powinien być|tło|tle|tłem|logo|czcionk*|liter|literami|kolor|kolory|kolorach|kolorystyk*|układ|w lewym górnym|w prawym górnym|w lewym dolnym|w prawym dolnym|zdjęcie|zdjęcia|wielkimi literami|pogrubion*|użyj|użyjcie|krótko|zwięźle|bez infantylnych|nie za|nie zbyt|utrzymaj|utrzymajcie|wygląd|wyglądało|na luzie|klimat|na pan|na ty`,
  tr: `ton|tonu|tonda|üslup|üslubu|üslupla|tarzı|tarzda|stil|stilde|arka plan*|zemin|logo|yazı tipi|harf*|renk*|renkler*|düzen|sol üst*|sağ üst*|sol alt*|sağ alt*|görselde|görsel sade|fotoğraf*|büyük harf*|kalın|kısa tut*|kısa ve|sade olsun|sade tut*|abartma*|çok abart*|tasarım*|havası|havada|samimi bir|esprili*|eğlenceli bir|sıcak bir|ciddi bir|resmi bir|hissi|kullanılsın|dil kullan*`,
  vi: `giọng|giọng điệu|giọng văn|tông|phong cách|thiết kế|nền|logo|font|phông|chữ to|chữ đậm|chữ lớn|màu|màu sắc|bố cục|góc trái|góc phải|ảnh minh họa|hình ảnh|viết hoa|ngắn gọn|ngắn thôi|nhẹ nhàng thôi|đơn giản thôi|đừng quá|không quá|vui tươi|dễ thương thôi|hài hước|trông|nhìn|tươi trẻ|sang trọng chút`,
  el: `ύφος|το ύφος|τόνος|τόνο|στιλ|στυλ|φόντο|λογότυπο|γραμματοσειρά|γράμματα|χρώμα|χρώματα|διάταξη|πάνω αριστερά|πάνω δεξιά|κάτω αριστερά|κάτω δεξιά|φωτογραφία|φωτογραφίες|κεφαλαία|έντονα|χρησιμοποίησε|χρησιμοποιήστε|κράτα το|κρατήστε το|σύντομο|όχι πολύ|να είναι|πωλησιακό|εμφάνιση|αισθητική|να δείχνει|με χιούμορ|να φαίνεται|πληθυντικό`,
  ru: `тон|тоне|тоном|в тоне|стиль|стиле|в стиле|фон|фоне|логотип*|лого|шрифт*|буквами|буквы|цвет|цвета|цветах|цветом|яркие|макет*|слева|справа|вверху|внизу|левом|правом|фото|фотограф*|заглавными|жирн*|используй*|коротко|покороче|кратко|не слишком|без пафоса|без канцелярита|выглядел*|выглядеть|оформлени*|атмосфер*|на вы|на ты|с юмором|дизайн*|должен быть|должно быть|должна быть|подача|подачу`,
  uk: `тон|тоні|тоном|стиль|стилі|у стилі|тло|тлі|фон|фоні|логотип*|лого|шрифт*|літерами|літери|колір|кольори|кольорах|кольором|яскраві|макет*|ліворуч|праворуч|вгорі|внизу|зліва|справа|фото|фотограф*|великими|жирн*|використай*|використайте|коротко|стисло|не надто|не дуже|без пафосу|виглядал*|оформленн*|атмосфер*|на ви|на ти|з гумором|дизайн*|має бути|подача|подачу`,
  hi: `टोन|लहजा|अंदाज़|अंदाज|शैली|स्टाइल|बैकग्राउंड|लोगो|फॉन्ट|फ़ॉन्ट|अक्षर|अक्षरों|रंग|डिज़ाइन|डिजाइन|लेआउट|बाएं|दाएं|ऊपर|नीचे कोने|फोटो|छोटा रखें|छोटा रखना|संक्षिप्त|सरल रखें|ज़्यादा रंग|मज़ेदार|मजेदार|दोस्ताना|गंभीर|हल्का फुल्का|रखना|रखें|लुक|भाषा`,
  ar: `نبرة|بنبرة|بأسلوب|الأسلوب|أسلوب|التصميم|تصميم|خلفية|الخلفية|بخلفية|الشعار|شعارنا|الخط|بخط|حروف|بحروف|اللون|الألوان|ألوان|بألوان|لون|أعلى اليسار|أعلى اليمين|أسفل|الصورة|صورة|مختصر|مختصرا|قصير|النص قصير|بسيط|غير مبالغ|بلا مبالغة|شبابي|مرح|فكاهي|رسمي|طابع|بطابع|أنيق|استخدموا|استخدم|اجعلوا|اجعل|اجعله|خلي|يكون`,
  he: `טון|בטון|סגנון|בסגנון|העיצוב|רקע|על רקע|לוגו|הלוגו|גופן|פונט|אותיות|באותיות|צבע|צבעים|בצבעים|בצבע|למעלה|למטה|בפינה|תמונה|תמונות|קצר|בקצרה|קצר וקולע|לא עמוס|נקי|לא יותר מדי|בלי להגזים|שיהיה|שייראה|תהיו|אווירה|באווירה|הומור|בהומור|קליל|רשמי|צעיר|יוקרתי|שפה|תשתמשו ב|השתמשו ב|תשמרו`,
  th: `โทน|น้ำเสียง|สไตล์|แนว|พื้นหลัง|โลโก้|ฟอนต์|ตัวหนังสือ|ตัวอักษร|ตัวใหญ่|สี|เลย์เอาต์|มุมซ้าย|มุมขวา|ด้านบน|ด้านล่าง|รูปภาพ|ภาพ|สั้นๆ|สั้น ๆ|กระชับ|ไม่ต้องเยอะ|เรียบๆ|เรียบ ๆ|น่ารักๆ|น่ารัก ๆ|ดูหรู|ดูแพง|ให้ดู|ขอแบบ|เป็นกันเอง|สนุกๆ|สนุก ๆ|ขำๆ|ทางการ|บรรยากาศ|ดีไซน์|ภาษา|ขอให้`,
  ja: `トーン|雰囲気|テイスト|スタイル|デザイン|背景|ロゴ|フォント|文字|書体|色は|色で|カラー|配色|レイアウト|左上|右上|左下|右下|写真|画像|短く|短め|簡潔|シンプルに|やさしい|ポップに|かわいく|可愛く|高級感|上品|感じで|イメージで|仕上げ|仕上がり|にしてください|してください|くださいませ|っぽく|風に|控えめ|派手|です・ます|口調|大きく|目立つ|見やすく`,
  ko: `톤|느낌|분위기|스타일|디자인|배경|로고|폰트|글씨|글자|색상|색깔|색으로|컬러|레이아웃|왼쪽|오른쪽|상단|하단|사진은|사진을|사진|이미지는|짧게|간단하게|간결|심플하게|귀엽게|귀여운|고급스럽|세련|화려|재미있게|유쾌|친근|차분|말투|존댓말|반말|해주세요|해 주세요|해줘|크게|깔끔하게`,
  zh: `语气|語氣|口吻|风格|風格|调性|調性|设计|設計|背景|底色|logo|LOGO|标志|標誌|字体|字體|字号|字要|大字|颜色|顏色|配色|色调|色調|排版|布局|左上|右上|左下|右下|图片|圖片|照片|简短|簡短|简洁|簡潔|短一点|短一點|活泼|活潑|一点就|一點就|喜庆一点|可爱一点|可愛一點|不要太|别太|別太|文青|高级感|高級感|氛围|氛圍|看起来|看起來|画面|畫面|感觉|感覺`,
}

/** A clause of these alone, and small words, names a tone. */
export const TONE_WORDS: WordLists = {
  en: 'playful|simple|clean|happy|cosy|clear|cool|direct|crisp|cheerful|playfully|cheeky|funny|fun|witty|humorous|serious|friendly|warm|calm|honest|low-key|elegant|classy|premium|luxurious|urgent|bold|light|light-hearted|casual|formal|professional|quirky|upbeat|confident|sophisticated|minimal|minimalist|short|snappy|punchy|modern|young|fresh tone|sincere|dramatic|relaxed|emotional|inspiring|matter-of-fact|tongue-in-cheek|sober|energetic|informal|sarcastic|ironic',
  de: 'knapp|schlicht|einfach|fröhlich|klar|direkt|verspielt|frech|lustig|witzig|humorvoll|ernst|freundlich|warm|ruhig|ehrlich|elegant|edel|dringend|locker|förmlich|seriös|professionell|sachlich|modern|jung|kurz|knackig|emotional|ironisch|entspannt|augenzwinkernd|nüchtern|peppig|herzlich',
  fr: 'simple|joyeux|clair|direct|gai|ludique|drôle|humoristique|sérieux|amical|chaleureux|calme|honnête|élégant|chic|urgent|décontracté|formel|professionnel|sobre|moderne|jeune|court|percutant|ironique|décalé|complice|espiègle|impertinent|léger|convivial|premium|dynamique',
  es: 'sencillo|alegre|claro|simple|divertido|gracioso|humorístico|serio|amistoso|amigable|cálido|tranquilo|honesto|elegante|urgente|informal|formal|profesional|sobrio|moderno|joven|juvenil|corto|irónico|pícaro|descarado|cercano|desenfadado|juguetón|fresco tono|directo',
  it: 'semplice|allegro|chiaro|giocoso|divertente|spiritoso|serio|amichevole|caldo|calmo|onesto|elegante|urgente|informale|formale|professionale|sobrio|moderno|giovane|giovanile|breve|ironico|simpatico|scherzoso|frizzante|diretto',
  pt: 'simples|alegre|claro|carinhoso|divertido|engraçado|bem-humorado|sério|amigável|caloroso|calmo|honesto|elegante|urgente|informal|formal|profissional|sóbrio|moderno|jovem|curto|irónico|irônico|brincalhão|descontraído|leve|acolhedor|atrevido|irreverente|próximo',
  nl: 'simpel|eenvoudig|helder|speels|grappig|humoristisch|serieus|vriendelijk|warm|rustig|eerlijk|elegant|chic|dringend|informeel|formeel|zakelijk|nuchter|modern|jong|kort|ironisch|brutaal|vrolijk|luchtig|ondeugend|gezellig|stoer|positief',
  pl: 'prosto|jasno|zabawny|zabawnie|żartobliwy|żartobliwie|dowcipnie|poważnie|przyjaźnie|ciepło|spokojnie|szczerze|elegancko|pilnie|luźno|formalnie|profesjonalnie|rzeczowo|nowocześnie|młodzieżowo|krótko|ironicznie|wesoło|radośnie|z humorem|na luzie|lekko|zadziornie',
  tr: 'eğlenceli|komik|esprili|ciddi|samimi|sıcak|sakin|dürüst|zarif|şık|acil|resmi|profesyonel|sade|modern|genç|kısa|ironik|neşeli|muzip|içten',
  vi: 'vui vẻ|hài hước|dí dỏm|nghiêm túc|thân thiện|ấm áp|nhẹ nhàng|trung thực|thanh lịch|sang trọng|gấp|trang trọng|chuyên nghiệp|hiện đại|trẻ trung|ngắn gọn|dễ thương|tinh nghịch',
  el: 'παιχνιδιάρικο|παιχνιδιάρικα|αστείο|αστεία|χιουμοριστικό|σοβαρό|σοβαρά|φιλικό|φιλικά|ζεστό|ζεστά|ήρεμο|ήρεμα|ειλικρινές|κομψό|κομψά|επείγον|επίσημο|επίσημα|επαγγελματικό|λιτό|λιτά|μοντέρνο|νεανικό|νεανικά|σύντομο|σύντομα|ειρωνικό|χαλαρό|χαλαρά|χιούμορ',
  ru: 'игриво|весело|смешно|шутливо|серьёзно|серьезно|дружелюбно|тепло по тону|спокойно|честно|элегантно|срочно|неформально|официально|профессионально|сдержанно|современно|молодёжно|молодежно|коротко|иронично|с юмором|легко|дерзко|по домашнему|душевно',
  uk: 'грайливо|весело|смішно|жартівливо|серйозно|дружньо|спокійно|чесно|елегантно|терміново|неформально|офіційно|професійно|стримано|сучасно|молодіжно|коротко|іронічно|з гумором|легко|зухвало|душевно|щиро',
  hi: 'मज़ेदार|मजेदार|चंचल|गंभीर|दोस्ताना|गर्मजोशी|शांत|ईमानदार|सुरुचिपूर्ण|औपचारिक|अनौपचारिक|आधुनिक|युवा|छोटा|हल्का|प्यारा',
}

/** Tones that change the words and the corners of a button. */
export const TONES_BY_NAME = {
  urgent:
    'urgent|urgency|hurry|limited time|last chance|ends soon|flash sale|dringend|urgente|pilnie|acil|срочно|терміново',
  premium:
    'luxur*|premium|elegant*|exclusive|sophisticated|refined|upscale|classy|edel|chic|lujo*|lusso|zarif|şık|элегантн*|елегантн*|上品|高級感|高级感',
  playful:
    'playful*|fun|quirky|cheeky|whimsical|humorous|witty|funny|verspielt|frech|lustig|witzig|ludique|divertido|giocoso|ironico|speels|brutaal|zabawn*|eğlenceli|esprili|игриво|весело|грайливо',
  friendly:
    'friendly|warm|approachable|caring|casual|welcoming|freundlich|herzlich|amical|chaleureux|amistoso|cálido|amichevole|amigável|vriendelijk|przyjazn*|samimi|дружелюбн*|дружн*|φιλικ*|ζεστ*',
} as const satisfies Record<string, string>

/** Those that nothing but an instruction says; the others count beside another instruction alone. */
export const SURELY_MANNER: WordLists = {
  all: `stock photo*|stock image*|tone of voice|friendly tone|keep it|keep the text|keep the copy|look and feel|the look should|logo top|logo in the|with a logo|with the logo|with our logo|with logo|the logo|our logo|white background|black background|green background|red background|blue background|dark background|background should|
    top left|top right|bottom left|bottom right|big bold|bold letters|font size|tone should|the tone|all caps|not too salesy|make it playful|make it fun|make it short|make it look|make it pop|brand colours|brand colors|make the logo|more white space|
    halte es|haltet es|halten sie es|tonalität|tonfall|hintergrund|das logo|oben links|oben rechts|unten links|unten rechts|le ton|sur un ton|fond blanc|fond noir|le logo|notre logo|rester sobre|restez sobre|reste sobre|en haut à gauche|en haut à droite|
    el tono|con un tono|tono *|que se vea|el logo|nuestro logo|fondo blanco|fondo negro|il tono|con tono|il logo|sfondo *|in alto a destra|in alto a sinistra|o tom|em tom|com humor|o logo|fundo branco|fundo preto|de toon|het logo|hou het|houd het|graag een beetje|
    achtergrond|linksboven|rechtsboven|w tonie|w lewym górnym|w prawym górnym|logo w|na białym tle|grafika ma być|logo sağ*|logo sol*|arka plan*|sade olsun|üslup*|giọng điệu|giọng văn|tông màu|logo ở|nền trắng|nền màu|το ύφος|το λογότυπο|ύφος|φόντο|
    тон общения|в тоне|без канцелярита|логотип*|на белом фоне|без пафоса|тон тексту|у тоні|без пафосу|на білому тлі|тон має|टोन|लोगो|बैकग्राउंड|नبرة|بنبرة|الشعار في|خلفية|بأسلوب|בטון|הלוגו|על רקע|עיצוב נקי|בסגנון|โทน|โลโก้|พื้นหลัง|น้ำเสียง|
    雰囲気で|テイスト|トーン|ロゴ|背景|感じで|イメージで|仕上がり|仕上げて|느낌으로|분위기로|로고|배경|스타일로|톤으로|말투|语气|語氣|口吻|风格|風格|字体|字體|背景用|底色|色调|色調`,
}

/** What a tone is called: a few words with one of these, and no fact, are about how it shall sound. */
export const TONE_NOUNS: WordLists = {
  all: `tone|voice|a * feel|an * feel|a * look|humour|humor|jokes|wording|ton|tonfall|formulieren|formuliert|registre|tono|registro|lenguaje|linguaggio|ironia|tom|linguagem|toon|humorem|językiem|dille|bir dil|üslup*|tonda|giọng|χιούμορ|ύφος|τόνο|
    юмором|тоном|тоне|подача|подайте|гумором|тоні|अंदाज़|अंदाज|लहजे|بأسلوب|بنبرة|בסגנון|בטון|โทน|ขอแบบ|感じで|トーン|口調|느낌|톤으로|써주세요|써 주세요|一点|一點|语气|語氣|风格|風格|口吻`,
}
