// The words by which a message says what a click is for, and what is said about people who pay. A star matches any
// ending.

const INTENTS = [
  'learn',
  'shop',
  'book',
  'register',
  'apply',
  'call',
  'order',
  'visit',
  'download',
  'donate',
] as const
export type Intent = (typeof INTENTS)[number]

/** The first whose words are said. */
export const INTENT_WORDS: readonly (readonly [Intent, string])[] = [
  [
    'book',
    `rezervuj*|rezervac*|rezervovat|objednejte se|termín|pesan tempat|reservasi|booking|jadwalkan|viewing|umów*|rezerwacj*|записатися на|book|book a table|booking|reserve|reservation*|hotel*|flights|appointment*|buchen|buchung|reservier*|termin vereinbaren|réserv*|rendez vous|reserv*|cita|prenot*|prenotazion*|boek*|boka|bokning*|reserveer*|zarezerw*|rezerw*|rezervasyon*|randevu*|đặt lịch|đặt bàn|đặt phòng|đặt chỗ|κράτηση|κλείσ*|κρατήσεις|ραντεβού|заброниров*|бронир*|забронюв*|брон*|बुक*|احجز|حجز|الحجز|הזמנת מקום|לקבוע תור|จอง|予約|예약|预订|預訂|预约|預約|订位|訂位`,
  ],
  [
    'apply',
    `apply|hiring|we re hiring|vacanc*|careers|your cv|join our team|bewirb|bewerbt euch|bewerb*|stellenangebot*|verstärkung gesucht|recrut*|postul*|candidat*|vacante*|únete al equipo|candidar*|candidati|candidatura|contrata*|sollicit*|vacature*|aplik*|rekrut*|cv|rekryter*|ansök*|lediga jobb|nábor*|životopis*|náborov*|lowongan|lamar|melamar|rekrutmen|loker|başvur*|personel alım*|iş ilanı|tuyển|ứng tuyển|ζητούνται|ζητείται|βιογραφικ*|ваканси*|резюме|требуются|отклик*|вакансі*|відгук*|भर्ती|नौकरी|आवेदन|وظيف|وظائف|توظيف|للتقديم|דרושים|דרושות|משרה|קורות חיים|สมัครงาน|รับสมัคร|求人|募集|採用|応募|채용|구인|지원하|招聘|招募|诚聘|誠徵|投简历|投履歷|简历|履歷|应聘|應徵`,
  ],
  [
    'register',
    `přihla*|přihlás*|registruj*|registrac*|daftar*|mendaftar|gabung|bergabung|apúnt*|apunt*|anmäl*|registrera*|sign up|register|registration|enrol|enroll|join|subscribe|anmeld*|inscri*|iscri*|inscrev*|matrícul*|matricul*|aanmeld*|inschrijv*|zapis*|zapisz*|rejestr*|kayıt*|đăng ký|ghi danh|εγγραφ*|δηλώσ*|запис*|запиш*|регистр*|реєстр*|रजिस्टर*|पंजीकरण|दाखिला|سجل|التسجيل|تسجيل|להירשם|הרשמה|สมัคร|ลงทะเบียน|申し込|登録|신청|등록|가입|报名|報名|注册|註冊`,
  ],
  [
    'call',
    `zavolej*|zavolat|volejte|hubungi*|menghubungi|telepon|telpon|chat kami|whatsapp|ring|ring oss|call|phone us|ring us|text us|whatsapp|anrufen|ruft an|rufen|appel*|téléphon*|llam*|telefone*|ligue|ligar|liga|chiam*|telefona*|bel|bellen|bel ons|zadzwo*|dzwoń*|arayın|arayınız|ara|gọi|τηλεφων*|καλέσ*|позвон*|звон*|подзвон*|дзвон*|телефон*|कॉल*|फोन*|اتصل|اتصال|الاتصال|להתקשר|חייגו|โทร|電話|전화|打电话|打電話|致电|致電|来电`,
  ],
  [
    'order',
    `objedn*|pesan sekarang|pesan|memesan|order sekarang|beställ*|order|bestell*|command*|pedid*|encarg*|pide|pedir|ordin*|encomend*|zamów*|zamaw*|sipariş*|đặt hàng|đặt món|παραγγ*|заказ*|замов*|ऑर्डर*|اطلب|الطلب|להזמין|สั่ง|注文|주문|下单|下單|订购|訂購`,
  ],
  [
    'visit',
    `navštiv*|přijďte|přijít|kunjungi|mengunjungi|mampir|datang|visitem|besök*|kom förbi|titta in|visit|come by|drop by|stop by|besuch*|vorbeikommen|venir|visit*|rendre visite|visita*|vieni|passate|visite|venha|langskom*|kom langs|odwiedz*|przyjd*|ziyaret*|gelin|ghé|đến|επισκεφ*|περάσ*|приход*|зайти|заход*|завіта*|приходьте|आएं|आइए|पधार*|زوروا|زيارة|לבקר|בואו|แวะ|มาที่|来店|ご来場|방문|들르|光临|光臨|到店`,
  ],
  [
    'download',
    `stáhn*|stahuj*|unduh|mengunduh|download|ladda ner|ladda ned|installera|download|install|the app|herunterladen|télécharg*|descarg*|scaric*|baix*|pobier*|pobrania|indirin|indir|tải|κατεβάσ*|скача*|завантаж*|डाउनलोड*|حمل|تحميل|להוריד|ดาวน์โหลด|ダウンロード|다운로드|下载|下載`,
  ],
  [
    'donate',
    `přispě*|přispět|darujte|donasi|berdonasi|sumbang*|підтрим*|поддерж*|je donne|spendet|捐|skänk*|donera|donate|donation*|spende|spenden|faire un don|donar|donat*|doar|doaç*|doneer*|darowizn*|wesprz*|bağış*|quyên góp|δωρεά|пожертв*|помочь|помог*|допомог*|दान|تبرع|לתרום|תרומה|บริจาค|寄付|기부|捐款|捐赠`,
  ],
  [
    'shop',
    `nakup*|kupte|koupit|slev*|výprodej*|belanja|beli|membeli|diskon|promo|handla|köp|köpa|rea|shop|buy|purchase|kaufen|einkaufen|sale|achet*|boutique|soldes|compr*|rebajas|acquist*|saldi|promoção|kopen|koop|korting|opruiming|kup*|wyprzedaż*|satın*|alışveriş*|indirim*|mua|giảm|αγορ*|εκπτώσεις|купи*|скидк*|распродаж*|знижк*|розпродаж*|खरीद*|सेल|छूट|تسوق|شراء|تخفيضات|خصم|לקנות|מבצע|הנחה|ซื้อ|ช้อป|ลด|購入|セール|OFF|구매|할인|购买|選購|选购|折|优惠|優惠`,
  ],
]
