// The months and weekdays that a text names, in its language or in English.

import { lower, spacedWords } from './fold.mjs'

const namesByLanguage = new Map()
const VERBS_TOO = new Set(['may', 'march'])
/** Scripts without spaces, and those whose words take prefixes and endings. */
const WITHIN_WORDS = /[\p{sc=Thai}\p{sc=Hang}\p{sc=Hebrew}\p{sc=Han}]/u

/**
 * The months (`month 5`) and weekdays (`weekday 2`) in a text, as this language and English name
 * them. Short names are words of other meanings too, so they count where that does no harm: in what
 * an ad may draw on, and not in the ad.
 */
export function datesIn(text, language, { withShort = false } = {}) {
  const words = spacedWords(text)
  const plain = lower(text)
  const found = new Set()
  for (const { name, sought, date, isAnywhere, isShort } of namesOf(language)) {
    if (isShort && !withShort) continue
    const isThere = isAnywhere ? plain.includes(name) : words.includes(sought)
    if (isThere && (!VERBS_TOO.has(name) || isBesideNumber(plain, name))) found.add(date)
  }
  return found
}

function namesOf(language) {
  const known = namesByLanguage.get(language)
  if (known !== undefined) return known
  const names = [...new Set([language, 'en'])].flatMap((one) =>
    ['long', 'short'].flatMap((width) => [...monthsOf(one, width), ...weekdaysOf(one, width)]),
  )
  namesByLanguage.set(language, names)
  return names
}

/** A month alone and within a date may differ: maj, 3 maja. With a digit (5月) it is a number's. */
function monthsOf(language, width) {
  return [{ month: width }, { month: width, day: 'numeric' }].flatMap((options) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, month) => {
      const parts = format.formatToParts(Date.UTC(2024, month, 1))
      const { value } = parts.find(({ type }) => type === 'month')
      return asName(value, `month ${month + 1}`, width)
    }).filter(({ name }) => !/\d/.test(name))
  })
}

function weekdaysOf(language, width) {
  const format = new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => {
    const written = format.format(Date.UTC(2024, 0, 7 + day))
    return [written, ...otherNamesOf(written)].map((one) => asName(one, `weekday ${day}`, width))
  }).flat()
}

/** Monday has a plural, 金曜日 is also 金曜 and (金), 星期六 also 周六 and 週六. */
function otherNamesOf(weekday) {
  if (weekday.endsWith('day')) return [`${weekday}s`]
  if (weekday === 'Tue' || weekday === 'Thu') return [weekday === 'Tue' ? 'Tues' : 'Thurs']
  if (weekday.endsWith('曜日')) return [weekday.slice(0, 2), `(${weekday[0]})`]
  return weekday.startsWith('星期') ? [`周${weekday[2]}`, `週${weekday[2]}`] : []
}

function asName(written, date, width) {
  const plain = lower(written)
  const name = /\d/.test(plain) ? plain : spacedWords(plain).trim() || plain
  const isAnywhere = WITHIN_WORDS.test(name)
  return { name, sought: ` ${name} `, date, isAnywhere, isShort: width === 'short' }
}

function isBesideNumber(text, name) {
  return new RegExp(`\\d(?:st|nd|rd|th)? (?:of )?${name}\\b|\\b${name} \\d`).test(text)
}
