// The numbers of a text with the percent sign or currency beside them, in every local style.

import { lower } from './fold.mjs'

const UNITS = Object.entries({
  percent:
    '%, percent, prozent, pour cent, por ciento, per cento, por cento, procent, procenta, τοις εκατό, процент, процента, процентов, відсоток, відсотка, відсотків, بالمئة, بالمائة, في المئة, אחוז, אחוזים, प्रतिशत, फीसदी, เปอร์เซ็นต์, パーセント, 퍼센트, yüzde, phần trăm, 百分之',
  EUR: '€, eur, euro, euros, ευρώ, евро, євро, يورو, אירו, यूरो, ยูโร, ユーロ, 欧元, 歐元, 유로',
  USD: '$, us$, usd, dollar, dollars, dólares, доллар, долларов, دولار, דולר, 美元, ドル, 달러',
  GBP: '£, gbp, pounds',
  CHF: 'chf, franken',
  kr: 'kr, sek, nok, dkk',
  PLN: 'zł, zl, pln, złotych, złote, złoty',
  TRY: '₺, tl, lira, liraya',
  VND: '₫, đ, vnd, vnđ, đồng',
  RUB: '₽, руб, рублей, рубля, р',
  UAH: '₴, грн, гривень, гривні, гривня',
  ILS: '₪, ils, שח, ש"ח, ש״ח, שקל, שקלים',
  AED: 'aed, درهم, درهما, دراهم',
  SAR: 'sar, ريال, ريالا, ريالات',
  EGP: 'egp, جنيه, جنيها',
  INR: '₹, inr, rs, rs., रुपये, रुपए, रु',
  THB: '฿, thb, บาท',
  CNY: '¥, cny, rmb, 元, 块',
  TWD: 'nt$, twd, 元, 塊',
  HKD: 'hk$, hkd, 元',
  JPY: '¥, jpy, yen, 円',
  KRW: '₩, krw, 원',
  CZK: 'kč, czk, korun, koruny',
  IDR: 'rp, idr, rupiah',
  BRL: 'r$, brl, reais',
  tenths: '折',
}).flatMap(([unit, words]) => words.split(', ').map((word) => ({ unit, word: lower(word) })))

/** A sign or word may represent several units: 元 is money of three places. */
const UNITS_BY_WORD = new Map()
for (const { unit, word } of UNITS)
  UNITS_BY_WORD.set(word, [...(UNITS_BY_WORD.get(word) ?? []), unit])

/** In these scripts a unit is a whole word: "kr" is not the beginning of "kraft". */
const LETTER =
  '[\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Arabic}\\p{sc=Hebrew}\\p{sc=Deva}]'
const WORDS = [...UNITS_BY_WORD.keys()]
  .sort((a, b) => b.length - a.length)
  .map((word) => word.replace(/[$.]/g, '\\$&'))
  .join('|')
const UNIT_AFTER = new RegExp(`^[.,]?-* ?(${WORDS})(?:(?<!${LETTER})|(?!${LETTER}))`, 'u')
const UNIT_BEFORE = new RegExp(`(?:(?<!${LETTER})|(?!${LETTER}))(${WORDS}) ?$`, 'u')
/** Room for the longest unit on either side of a number, with a space and a dash. */
const BESIDE = 20
const TENTHS = '一二三四五六七八九'
const NUMBER = /\d+(?:[.,']\d+)*/g

/**
 * The numbers in a text, each with the values it may mean and the units it may have.
 * 1.299 may be a thousand or a bit more than one; 24.12.2026 is three numbers.
 */
export function numbersIn(text) {
  const written = lower(text)
    .replace(/(?<=\d)[:h]00(?!\d)/g, ' ')
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, "'")
    .replace(/[一二三四五六七八九]{1,2}(?=折)/g, (tenths) =>
      [...tenths].map((tenth) => TENTHS.indexOf(tenth) + 1).join(''),
    )
  const found = []
  for (const match of written.matchAll(NUMBER)) {
    const end = match.index + match[0].length
    const units = unitsAt(
      written.slice(Math.max(0, match.index - BESIDE), match.index),
      written.slice(end, end + BESIDE),
    )
    const values = valuesOf(match[0])
    if (values.length > 0) found.push({ raw: match[0], values, units })
    else for (const part of match[0].split(/[.,']/)) found.push(bare(part))
  }
  return found
}

/** Whether a number is one of these: a value in common, and the same unit where it has one. */
export function isAmong(number, known) {
  const fits = ({ values, units }) =>
    values.some((value) => number.values.includes(value)) &&
    (number.units.length === 0 || units.some((unit) => number.units.includes(unit)))
  if (known.some(fits)) return true
  const parts = datePartsOf(number)
  return parts.length > 0 && parts.every((part) => isAmong(part, known))
}

/** Both numbers of 24.12. and of 20.30, for a month may be named and an hour have a colon. */
export function datePartsOf({ raw, units }) {
  return units.length === 0 && /^\d{1,2}\.\d{1,2}$/.test(raw) ? raw.split('.').map(bare) : []
}

export function bare(digits) {
  return { raw: digits, values: [Number(digits)], units: [] }
}

/** Nothing, when the points and commas make neither thousands nor decimals. */
function valuesOf(raw) {
  const parts = raw.split(/[.,']/)
  if (parts.length === 1) return [Number(raw)]
  const signs = raw.replace(/\d/g, '')
  const last = parts.at(-1)
  const isGrouped = (groups) =>
    groups[0].length <= 3 && groups.slice(1).every((g) => g.length === 3)
  const values = []
  if (isGrouped(parts) && new Set(signs).size === 1) values.push(Number(parts.join('')))
  const isDecimal =
    parts.length === 2 ? signs !== "'" : isGrouped(parts.slice(0, -1)) && signs.at(-1) !== signs[0]
  if (isDecimal) values.push(Number(`${parts.slice(0, -1).join('')}.${last}`))
  return values
}

function unitsAt(before, after) {
  const found = UNIT_AFTER.exec(after) ?? UNIT_BEFORE.exec(before)
  return found === null ? [] : UNITS_BY_WORD.get(found[1])
}
