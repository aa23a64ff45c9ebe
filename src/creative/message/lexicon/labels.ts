// The names of the parts of an advertisement, where a message gives them word by word, and of the parts of
// a brief. A star stands for any ending.

import type { WordLists } from '../phrases.ts'

export const LABELS = {
  headline: `headline|title|heading|head|header|h1|main line|tagline|slogan|claim|use this line exactly|use this line|use the line|use exactly this line|this exact line|exact copy|überschrift|titel|schlagzeile|hauptzeile|titre|titre principal|gros titre|slogan|título|titular|encabezado|lema|eslogan|titolo|intestazione|
    titulo|manchete|chamada|título principal|kop|kopregel|koptekst|titel|nagłówek|tytuł|hasło|başlık|manşet|slogan|tiêu đề|tiêu đề chính|câu chính|τίτλος|επικεφαλίδα|κεντρικός τίτλος|σλόγκαν|заголовок|слоган|заголовок оголошення|शीर्षक|हेडलाइन|टाइटल|العنوان|عنوان|العنوان الرئيسي|כותרת|כותרת ראשית|סלוגן|
    พาดหัว|หัวข้อ|หัวเรื่อง|见出し|見出し|タイトル|キャッチコピー|キャッチ|コピー|제목|헤드라인|타이틀|메인 카피|标题|標題|主标题|主標題|大标题|大標題|主文案`,
  description: `description|subline|sub line|subtitle|sub title|subhead|subheadline|sub headline|body|body copy|body text|copy|text|supporting text|second line|line 2|beschreibung|unterzeile|untertitel|subline|fließtext|text|textzeile|accroche|sous titre|texte|description|corps|corps du texte|baseline|
    subtítulo|texto|descripción|bajada|cuerpo|cuerpo del texto|bajante|copete|sottotitolo|testo|descrizione|corpo|corpo del testo|legenda|descrição|corpo do texto|ondertitel|tekst|subkop|beschrijving|bodytekst|podtytuł|opis|treść|tekst|alt başlık|metin|açıklama|alt metin|mô tả|nội dung|phụ đề|dòng phụ|tiêu đề phụ|
    υπότιτλος|κείμενο|περιγραφή|подзаголовок|текст|описание|основной текст|підзаголовок|опис|основний текст|उपशीर्षक|विवरण|टेक्स्ट|पाठ|सबहेड|النص|نص|الوصف|العنوان الفرعي|עוד שורה|טקסט|תיאור|כותרת משנה|תת כותרת|גוף הטקסט|
    ข้อความ|รายละเอียด|คำบรรยาย|เนื้อหา|本文|サブタイトル|サブコピー|説明文|説明|本文テキスト|본문|부제|부제목|설명|내용|서브 카피|正文|副标题|副標題|内文|內文|描述|说明|說明|文案`,
  call_to_action: `cta|cta button|call to action|button|button text|button copy|button label|schaltfläche|knopf|button|button text|handlungsaufforderung|bouton|appel à l action|texte du bouton|botón|texto del botón|llamada a la acción|boton|pulsante|bottone|tasto|invito all azione|testo del pulsante|botão|texto do botão|chamada para ação|chamada para a ação|botao|
    knop|knoptekst|tekst op de knop|przycisk|tekst przycisku|wezwanie do działania|guzik|buton|düğme|buton metni|eylem çağrısı|nút|nút bấm|nút kêu gọi|κουμπί|κείμενο κουμπιού|кнопка|текст кнопки|текст на кнопке|призыв|кнопка дії|заклик|बटन|सीटीए|बटन पर|الزر|زر|نص الزر|כפתור|הכפתור|טקסט הכפתור|
    ปุ่ม|ข้อความปุ่ม|ปุ่มกด|ボタン|ボタン文言|버튼|버튼 문구|按钮|按鈕|按钮文字|按鈕文字`,
} as const satisfies Record<string, string>

/** What may stand between a label and its words. */
export const SAYS: WordLists = {
  all: `to|as|auf|is|should be|should say|should read|must say|must be|says|reads|to say|saying|soll lauten|soll heißen|lautet|soll sagen|mit dem text|mit|est|doit dire|doit être|sera|disant|es|debe decir|que diga|dice|con el texto|è|deve dire|dice|con scritto|deve dizer|diz|com o texto|com|é|moet zijn|zegt|met de tekst|met|
    ma brzmieć|brzmi|z napisem|z tekstem|şu olsun|yazsın|ghi|là|με κείμενο|να λέει|να γράφει|с текстом|с надписью|должна гласить|з текстом|з написом|में लिखें|यह हो`,
}

/** Parts of a brief whose words are copy. */
export const COPY_SECTIONS: WordLists = {
  all: `key message|main message|core message|message|key messages|offer|the offer|product|proposition|single minded proposition|usp|usps|benefit|benefits|hook|kernbotschaft|hauptbotschaft|botschaft|angebot|produkt|vorteil*|nutzen|message clé|message principal|offre|produit|mensaje clave|mensaje principal|mensaje|
    oferta|producto|beneficio*|messaggio chiave|messaggio principale|messaggio|offerta|prodotto|mensagem principal|mensagem chave|mensagem|produto|kernboodschap|boodschap|aanbod|aanbieding|product|główny przekaz|przekaz|komunikat|oferta|produkt|ana mesaj|mesaj|teklif|ürün|kampanya|thông điệp|thông điệp chính|ưu đãi|sản phẩm|
    κύριο μήνυμα|βασικό μήνυμα|μήνυμα|προσφορά|προϊόν|ключевое сообщение|главное сообщение|основная мысль|предложение|оффер|продукт|ключове повідомлення|головне повідомлення|пропозиція|продукт|मुख्य संदेश|संदेश|ऑफर|उत्पाद|الرسالة الأساسية|الرسالة|العرض|المنتج|المسר המרכזי|מסר מרכזי|המסר|המבצע|המוצר|
    ข้อความหลัก|ข้อเสนอ|สินค้า|โปรโมชัน|メインメッセージ|メッセージ|訴求ポイント|訴求|特典|オファー|商品|핵심 메시지|메시지|혜택|상품|제품|核心信息|核心訊息|主要信息|卖点|賣點|优惠|優惠內容|产品|產品|活动|活動內容`,
}

/** Parts of a brief whose words are not. */
export const TALK_SECTIONS: WordLists = {
  all: `background|context|objective|objectives|goal|goals|aim|target|target audience|audience|target group|tone|tone of voice|style|look|mandatories|mandatory|budget|deadline|timing|format|formats|size|sizes|channel|channels|kpi|kpis|client|brand|notes|note|brief|briefing|task|deliverables|language|to do|do not|don ts|dos|avoid|restrictions|
    hintergrund|ziel|ziele|zielgruppe|tonalität|stil|budget|frist|abgabe|kunde|marke|hinweis|hinweise|aufgabe|format|größe|kanal|sprache|contexte|objectif|objectifs|cible|ton|budget|délai|client|marque|remarque|format|consignes|contexto|objetivo|objetivos|público|público objetivo|tono|presupuesto|plazo|cliente|marca|nota|formato|
    contesto|obiettivo|obiettivi|target|pubblico|tono|stile|scadenza|cliente|nota|note|formato|contexto|objetivo|objectivo|público alvo|tom|orçamento|prazo|verba|formato|achtergrond|doel|doelgroep|toon|stijl|klant|opmerking|formaat|tło|cel|cele|grupa docelowa|ton|styl|budżet|termin|klient|uwagi|format|
    arka plan|amaç|hedef|hedef kitle|ton|üslup|bütçe|teslim|müşteri|not|bối cảnh|mục tiêu|đối tượng|giọng|ngân sách|hạn|khách hàng|lưu ý|υπόβαθρο|στόχος|κοινό|ύφος|τόνος|προϋπολογισμός|πελάτης|σημείωση|контекст|цель|задача|аудитория|целевая аудитория|тон|стиль|бюджет|срок|клиент|заметка|примечание|формат|
    мета|завдання|аудиторія|цільова аудиторія|термін|клієнт|примітка|पृष्ठभूमि|उद्देश्य|लक्ष्य|ऑडियंस|टोन|बजट|समय सीमा|ग्राहक|नोट|الخلفية|الهدف|الأهداف|الجمهور|الجمهور المستهدف|الأسلوب|الميزانية|الموعد|العميل|ملاحظة|ملاحظات|רקע|מטרה|מטרות|קהל|קהל יעד|טון|סגנון|תקציב|לקוח|הערה|הערות|
    กลุ่มเป้าหมาย|เป้าหมาย|วัตถุประสงค์|โทน|งบ|งบประมาณ|กำหนดส่ง|ลูกค้า|หมายเหตุ|背景|目的|目標|ターゲット|トーン|予算|納期|備考|注意|サイズ|배경|목표|목적|타깃|타겟|톤|예산|마감|참고|비고|사이즈|背景|目标|目的|受众|受眾|目标人群|目標客群|语气|語氣|风格|風格|预算|預算|截稿|备注|備註|尺寸`,
}
