// The language of a text, by its script and its small words: for the words that are ours, and for nothing
// that could be wrong. Small on purpose.

import { cyrillicLanguage } from './cyrillic.ts'
import { STOP_WORDS } from './lexicon/small-words.ts'
import { folded } from './phrases.ts'

export type Language = string

const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/[\p{sc=Hira}\p{sc=Kana}]/gu, 'ja'],
  [/\p{sc=Hang}/gu, 'ko'],
  [/\p{sc=Thai}/gu, 'th'],
  [/\p{sc=Deva}/gu, 'hi'],
  [/\p{sc=Hebr}/gu, 'he'],
  [/\p{sc=Arab}/gu, 'ar'],
  [/\p{sc=Grek}/gu, 'el'],
]
/** Letters that are written in one of the two ways only. */
const TRADITIONAL =
  /[們個這來時會國學開關長門東車電話圖報廣獨買賣價錢點雙幫設計費過還無風飛餐館體動與專業優惠購週兩寫寵愛葉華寶萬億員間樂術營運級繩織縮網紅給結絕統經組質貝貨資貼費貿賓賞賣賽軟輕載農進遠適選遲邊鄉醫鐵鑽錄閃閱陽陸雜難雲響頁項須預領頭題顏類顧食飲養餘駕驗魚鮮麵麼黃點齊龍]/u
const LATIN: readonly (readonly [RegExp, Language])[] = [
  [/[đơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/iu, 'vi'],
  [/[ğıİ]/u, 'tr'],
  [/[łąęśźżćń]/iu, 'pl'],
  [/[șț]/iu, 'ro'],
  [/[ěřůďťňčšž]/iu, 'cs'],
  [/[őű]/iu, 'hu'],
  [/[øæ]/iu, 'da'],
  [/[øæ]/iu, 'nb'],
  [/ää|yy|öö/iu, 'fi'],
  [/[ìò]/iu, 'it'],
  [/[ãõ]/iu, 'pt'],
  [/[ñ¿¡]/iu, 'es'],
  [/å/iu, 'sv'],
  [/ß/u, 'de'],
  [/[œêâû]/iu, 'fr'],
  [/[äöü]/iu, 'de'],
  [/[èùç]/iu, 'fr'],
]
/** Of languages that other lists have no words of, and words that are too short for other lists. */
const OTHERS: Readonly<Record<string, string>> = {
  cs: 'si|po|při|ke|aby|ať|lidé|každý|každou|každé|chceme|hledáme|prosím|jsou|který|která|které|náš|naše|naši|také|vás|váš|vám|není|a|v|ve|na|pro|se|je|s|z|do|od|nebo|vaše|nyní|všechny|nové|za|už|jen|nyní|sleva|slevou|zdarma|až|celou|nový|nová',
  da: 'og|til|med|af|på|er|et|din|det|for|vi|du|nu|hos|alle|mere|fra|den|dine|nye|hele|rabat|gratis|kun|også',
  fi: 'ja|on|ei|sekä|nyt|kaikki|joka|tai|kun|se|uusi|uudet|oma|ovat|meidän|sinun|kanssa|koko|vain|alennus|alennuksessa|ilmainen|tänään',
  hu: 'a|az|és|egy|nem|hogy|most|minden|van|új|itt|csak|már|kedvezmény|kedvezménnyel|ingyenes|egész|akció',
  id: 'tanpa|mulai|sampai|dalam|pukul|dapat|bisa|setiap|beli|harga|jangan|orang|juga|atau|pada|agar|itu|kita|dan|di|ke|untuk|dengan|yang|dari|kami|anda|sekarang|semua|baru|gratis|diskon|hanya|hari|ini|sepanjang',
  nb: 'og|til|med|av|på|er|et|din|det|for|vi|du|nå|hos|alle|mer|fra|den|dine|nye|hele|rabatt|gratis|bare|også|kun',
  ro: 'și|si|în|la|cu|de|pentru|din|pe|un|o|acum|toate|noi|nou|nouă|reducere|reduceri|gratuit|toată|mai|doar',
}
/** Words that tell a language apart and are of no other use. */
const TELLING: Readonly<Record<string, string>> = {
  en: 'was|has|have|will|be|an|as|or|if|they|their|who|every|free|open|today|week|weekend|sale|best',
  de: 'wird|werden|haben|hat|oder|wenn|dass|wie|sind|eure|euch|du|dein|deine|jeden|jede|heute|ohne|nach|über|gesucht|frei',
  fr: 'ou|se|sont|vos|mon|ma|mes|chaque|gratuit|gratuite|offert|jours|jour|aussi|très|être|ans|leur',
  es: 'o|como|son|cada|gratis|hoy|también|muy|este|esta|tus|sus|fin|semana|desde|hay|años|nuestros|nuestras',
  it: 'alle|allo|dalle|dal|nella|nelle|nei|delle|dello|degli|ore|presso|ogni|oggi|questo|questa|sono|ed|anche|gratis|libero|incontro|con|cerchiamo|vostro|vostra|dalla',
  pt: 'ou|são|cada|grátis|hoje|também|muito|este|esta|nossos|nossas|seus|suas|pelo|pela|aos|às|dias|toda|todo|anos',
  nl: 'of|worden|wordt|heeft|elke|ieder|gratis|vandaag|vanaf|jullie|deze|dit|onder|uit|dag|dagen|meer|bel|zonder',
  pl: 'są|każda|każde|darmowe|dziś|także|bardzo|ten|ta|twoja|twoje|tym|lat|godz|przez|nad|pod|jak|ma',
  sv: 'är|varje|gratis|idag|också|mycket|denna|detta|dig|er|söker|öppet|lördag|söndag|kan|vid|år|få|utan',
}
const SMALL_WORDS: Readonly<Record<string, string>> = { ...STOP_WORDS, ...OTHERS }
const WORDS = new Map(
  [...Object.entries(SMALL_WORDS), ...Object.entries(TELLING)].flatMap(([language, list]) =>
    list
      .split('|')
      .map((word) => [`${language} ${folded(word).words[0]?.exact}`, language] as const),
  ),
)
const LANGUAGES = Object.keys(SMALL_WORDS)

/** As BCP 47 has it; undefined where the text does not tell. */
export function languageOf(text: string): Language | undefined {
  const letters = lettersOf(text)
  for (const [script, language] of SCRIPTS) {
    if (isMuch(letters.match(script)?.length ?? 0, letters)) return language
  }
  if (isSparselyKana(letters)) return 'ja'
  const han = letters.match(/\p{sc=Han}/gu)?.length ?? 0
  if (isMuch(han, letters)) return TRADITIONAL.test(letters) ? 'zh-Hant' : 'zh-Hans'
  const cyrillic = letters.match(/\p{sc=Cyrl}/gu)?.length ?? 0
  if (isMuch(cyrillic, letters)) return cyrillicLanguage(text) ?? 'ru'
  return latinOf(text)
}

function lettersOf(text: string): string {
  return (text.match(/\p{L}/gu) ?? []).join('')
}

/** Announcements are mostly Han in Japanese too; a brand in Chinese may have one Kana, `の`. */
function isSparselyKana(letters: string): boolean {
  const kana = letters.match(/[\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0
  const han = letters.match(/\p{sc=Han}/gu)?.length ?? 0
  return kana > 1 && kana * 10 >= letters.length && isMuch(kana + han, letters)
}

/** Names in other letters do not make it another language. */
function isMuch(count: number, letters: string): boolean {
  return count > 0 && count * 4 >= letters.length
}

function latinOf(text: string): Language | undefined {
  const counts = new Map<Language, number>()
  for (const { exact } of folded(text).words) {
    for (const language of LANGUAGES) {
      if (WORDS.has(`${language} ${exact}`)) counts.set(language, (counts.get(language) ?? 0) + 1)
    }
  }
  for (const [letters, language] of LATIN) {
    if (letters.test(text)) counts.set(language, (counts.get(language) ?? 0) + 2)
  }
  const [best, second] = [...counts].sort(([, a], [, b]) => b - a)
  if (!best) return undefined
  return second && second[1] === best[1] && counts.has('en') && counts.get('en') === best[1]
    ? 'en'
    : best[0]
}
