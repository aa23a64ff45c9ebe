// The language of a text: by its script, and in Latin letters by a classifier. The single detector used for the
// product's own words, for hyphenation, and for the language that a banner declares.

import { cyrillicLanguage } from './cyrillic.ts'
import { languageShares } from './language-model.ts'

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
/** Letters that exist in only one of the two scripts. */
const TRADITIONAL =
  /[們個這來時會國學開關長門東車電話圖報廣獨買賣價錢點雙幫設計費過還無風飛餐館體動與專業優惠購週兩寫寵愛葉華寶萬億員間樂術營運級繩織縮網紅給結絕統經組質貝貨資貼費貿賓賞賣賽軟輕載農進遠適選遲邊鄉醫鐵鑽錄閃閱陽陸雜難雲響頁項須預領頭題顏類顧食飲養餘駕驗魚鮮麵麼黃點齊龍]/u
/** Below this, a text does not identify its language. */
const LEAST_SHARE = 0.5

/** A language counts as equally likely if it has this fraction of the other's share. */
const NEAR_SHARE = 0.25
/** The most likely is also returned below LEAST_SHARE, as one of several. */
const LEAST_LIKELY = 0.4

/** As BCP 47; undefined if the text does not identify it. */
export function languageOf(text: string): Language | undefined {
  const own = languageOfLetters(text)
  if (own) return own
  const [found] = languageShares(text)
  return found && found.share >= LEAST_SHARE ? found.language : undefined
}

/** For a text of few words, which may be in several: most likely first. */
export function likelyLanguages(text: string): Language[] {
  const own = languageOfLetters(text)
  if (own) return isOpenCyrillic(text, own) ? ['ru', 'bg'] : [own]
  const shares = languageShares(text)
  const [first] = shares
  if (first === undefined || first.share < LEAST_LIKELY) return []
  return shares
    .filter(({ share }) => share >= first.share * NEAR_SHARE)
    .map(({ language }) => language)
}

/** For printed text: if it may be in several languages, the language of everything that was said. */
export function languageOfCopy(copy: string, said: Language | undefined): Language | undefined {
  const likely = likelyLanguages(copy)
  if (said !== undefined && (likely.length === 0 || likely.includes(said))) return said
  return languageOf(copy)
}

/** For a text that is not in Latin letters. */
function languageOfLetters(text: string): Language | undefined {
  const letters = lettersOf(text)
  for (const [script, language] of SCRIPTS) {
    if (isMuch(letters.match(script)?.length ?? 0, letters)) return language
  }
  if (isSparselyKana(letters)) return 'ja'
  const han = letters.match(/\p{sc=Han}/gu)?.length ?? 0
  if (isMuch(han, letters)) return TRADITIONAL.test(letters) ? 'zh-Hant' : 'zh-Hans'
  const cyrillic = letters.match(/\p{sc=Cyrl}/gu)?.length ?? 0
  return isMuch(cyrillic, letters) ? cyrillicLanguage(text) : undefined
}

/** Neither letters nor words distinguish Russian from Bulgarian. */
function isOpenCyrillic(text: string, language: Language): boolean {
  return language === 'ru' && !/[ыэё]/iu.test(text)
}

function lettersOf(text: string): string {
  return (text.match(/\p{L}/gu) ?? []).join('')
}

/** Announcements are mostly Han in Japanese too; a Chinese brand name may have one Kana, `の`. */
function isSparselyKana(letters: string): boolean {
  const kana = letters.match(/[\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0
  const han = letters.match(/\p{sc=Han}/gu)?.length ?? 0
  return kana > 1 && kana * 10 >= letters.length && isMuch(kana + han, letters)
}

/** Names in other letters do not make it another language. */
function isMuch(count: number, letters: string): boolean {
  return count > 0 && count * 4 >= letters.length
}
