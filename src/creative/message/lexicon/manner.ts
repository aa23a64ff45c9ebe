// How an advertisement is to look and sound: never copy. A star matches any ending.

import { listsOf } from '../languages/languages.ts'
import type { WordLists } from '../phrases.ts'

/** A clause that contains one of these says how it should be. */
export const MANNER = listsOf('manner')

/** A clause with only these and small words states a tone. */
export const TONE_WORDS = listsOf('toneWords')

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

/** Those used only in instructions; the others count only next to another instruction. */
export const SURELY_MANNER: WordLists = {
  all: `stock photo*|stock image*|tone of voice|friendly tone|keep it|keep the text|keep the copy|look and feel|the look should|logo top|logo in the|with a logo|with the logo|with our logo|with logo|the logo|our logo|dark background|light background|dark ground|light ground|white ground|white background|black background|green background|red background|blue background|background should|
    top left|top right|bottom left|bottom right|big bold|bold letters|font size|tone should|the tone|all caps|not too salesy|make it playful|make it fun|make it short|make it look|make it pop|brand colours|brand colors|make the logo|more white space|
    halte es|haltet es|halten sie es|tonalität|tonfall|hintergrund|das logo|oben links|oben rechts|unten links|unten rechts|le ton|sur un ton|fond blanc|fond noir|le logo|notre logo|rester sobre|restez sobre|reste sobre|en haut à gauche|en haut à droite|
    el tono|con un tono|tono *|que se vea|el logo|nuestro logo|fondo blanco|fondo negro|il tono|con tono|il logo|sfondo *|in alto a destra|in alto a sinistra|o tom|em tom|com humor|o logo|fundo branco|fundo preto|de toon|het logo|hou het|houd het|graag een beetje|
    achtergrond|linksboven|rechtsboven|w tonie|w lewym górnym|w prawym górnym|logo w|na białym tle|grafika ma być|logo sağ*|logo sol*|arka plan*|sade olsun|üslup*|giọng điệu|giọng văn|tông màu|logo ở|nền trắng|nền màu|το ύφος|το λογότυπο|ύφος|φόντο|
    тон общения|в тоне|без канцелярита|логотип*|на белом фоне|без пафоса|тон тексту|у тоні|без пафосу|на білому тлі|тон має|टोन|लोगो|बैकग्राउंड|नبرة|بنبرة|الشعار في|خلفية|بأسلوب|בטון|הלוגו|על רקע|עיצוב נקי|בסגנון|โทน|โลโก้|พื้นหลัง|น้ำเสียง|
    雰囲気で|テイスト|トーン|ロゴ|背景|感じで|イメージで|仕上がり|仕上げて|느낌으로|분위기로|로고|배경|스타일로|톤으로|말투|语气|語氣|口吻|风格|風格|字体|字體|背景用|底色|色调|色調|make it funny|make it humorous|make it witty|make it serious|make it warm|make it elegant|mach es lustig|macht es lustig|macht es witzig|mach es witzig|gerne witzig|ton humoristique|hazlo divertido|que sea divertido|que sea gracioso|rendilo divertente|maak het grappig|maak het leuk|gör den rolig|gör det roligt|na wesoło|na śmiesznie|ať je to vtipné|ať to je vtipné|ať je to veselé|bikin lucu|dibuat lucu|biar lucu|bikin santai|esprili olsun|komik olsun|eğlenceli olsun|v tónu|tón *|logo vlevo|logo vpravo|bílé pozadí|tmavé pozadí|nadanya|gaya bahasa|gayanya|latar belakang putih|logo di|warna latar`,
}

/** Words for tone: a few words with one of these, and no fact, are about how it should sound. */
export const TONE_NOUNS: WordLists = {
  all: `write it|write this|write like|say it like|make it sound|should sound|should read|should feel|has to be|needs to be|in the style|like a love letter|soll klingen|soll sein|soll wirken|schreib es|schreibt es|klingen wie|écris le|écrivez le|doit sonner|doit être|escríbelo|escribidlo|que suene|que sea|scrivilo|scrivetelo|deve essere|deve suonare|escreva como|deve soar|deve ser|schrijf het|moet klinken|moet zijn|ma być|ma brzmieć|napisz to|powinno być|ton wypowiedzi|tonen|ton|skriv det|skriv som|ska låta|ska kännas|тон|тональность|тональність|стиль|напиши это|напишите это|напиши це|напишіть це|має бути|має звучати|должно быть|должно звучать|tone|voice|a * feel|an * feel|a * look|humour|humor|jokes|wording|ton|tonfall|formulieren|formuliert|registre|tono|registro|linguaggio|ironia|tom|linguagem|toon|humorem|językiem|dille|üslup*|tonda|giọng|χιούμορ|ύφος|τόνο|
    юмором|тоном|тоне|подача|подайте|гумором|тоні|अंदाज़|अंदाज|लहजे|بأسلوب|بنبرة|בסגנון|בטון|โทน|ขอแบบ|感じで|トーン|口調|느낌|톤으로|써주세요|써 주세요|一点|一點|语气|語氣|风格|風格|口吻|tón|tónem|tónu|má znít|mělo by znít|ať to zní|nadanya|gaya bahasa|gayanya|bahasanya|make it funny|ironía|umorismo|scherzoso|glimten|przymrużeniem|mizah|大きめ|一些|调性|語調|语调|어조|말투|nada bicara|nada bahasa|dengan nada|bir dil`,
}
