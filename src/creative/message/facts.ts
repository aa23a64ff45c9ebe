// The figures of a text: percentages, prices, dates, times, telephone numbers, codes, web addresses, handles.
// An advertisement must keep those of its message, and may not have others (spec 4.2).

import { outermost } from './phrases.ts'

type FactKind = 'link' | 'handle' | 'code' | 'price' | 'percentage' | 'phone' | 'date' | 'number'

export interface Fact {
  kind: FactKind
  text: string
  start: number
  end: number
}

/** The characters that an address may contain. */
const RUN = /[\p{sc=Latin}\p{Nd}:/.@_?=&%#~+-]+/gu
const TOP_LEVEL = new Set(
  'com net org info shop store app io co eu example de fr es it pt nl pl tr vn gr ru ua il in th jp kr cn tw hk uk us ca au br mx at ch be'.split(
    ' ',
  ),
)
/** Endings in addition to those at which the sequence model separates tokens. */
const MORE_TOP_LEVEL = new Set(
  'eu dev app ai tv biz online site xyz club travel gov edu cz sk hu ro bg hr rs lt lv ee fi se dk ie nz za sg ph sa ae ar cl pe рф укр бел срб ελ भारत ไทย 한국 中国 中國 公司 香港'.split(
    ' ',
  ),
)
/** Host names in other scripts. */
const OTHER_RUN =
  /[\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}\p{sc=Thai}\p{sc=Hang}\p{sc=Han}\p{M}][\p{sc=Cyrl}\p{sc=Grek}\p{sc=Deva}\p{sc=Thai}\p{sc=Hang}\p{sc=Han}\p{M}\p{Nd}.-]{1,80}(?:\/[^\s]{0,80})?/gu
const EMAIL = /^[^@]{1,64}@[^@.]{1,63}(?:\.[^@.]{1,63}){1,5}$/u
const HANDLE = /(?<![\p{L}\p{N}.@_/])@[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.]{1,29}/gu
/** A code without a digit is recognised by the word before it. */
const CODE_WORD =
  /(?:\b(?:code|codes|promo|voucher|coupon|gutschein|gutscheincode|rabattcode|aktionscode|código|cupón|cupom|codice|kod|kodem|kodu|kodom|kód|kupon|rabattkod|kode|mã)|(?:промо)?код(?:ом|у|а)?(?!\p{L})|κωδικό|κωδικός|कोड|كود|الكود|קוד|โค้ด|コード|クーポン|코드|쿠폰|优惠码|優惠碼|代码|折扣码)[\s:：="“„«「'-]{0,4}/giu
const CODE_SHAPE =
  /^(?=[\p{L}\p{N}_-]{0,18}(?:\p{Lu}{2}|\p{Nd}))[\p{L}\p{N}][\p{L}\p{N}_-]{2,19}(?![\p{L}\p{N}])/u
const FRACTION = /[\u00bc-\u00be\u2150-\u215f]/gu
/** In Chinese and Japanese an amount may be written in letters. */
const HAN_AMOUNT = /[一二三四五六七八九十百千万萬两兩半]{1,8}(?:折|元|円|块|塊)/gu
const CODE = /(?<![\p{L}\p{N}])(?=[A-Z\d]{0,11}\d)[A-Z][A-Z\d]{3,11}(?![\p{L}\p{N}])/gu
const NUMBER = /\p{Nd}(?:[\p{Nd}.,:'’٫٬，．/–〜~xX×+-]{0,30}\p{Nd})?/gu
const GROUPED = /^[ \u00a0\u202f-](?=\p{Nd}{2})/u
const MONEY_WORDS = new Set(
  `eur euro euros usd dollar dollars gbp pound pounds chf zł zl pln kr sek nok dkk tl lira try руб рублей рубля рубль ₽ р грн гривень uah đ d vnd đồng k元 元 円 원 บาท baht thb درهم درهما درهماً ريال ريالا ريالاً دينار جنيه שח שקל שקלים nis रुपये रुपए रु inr rs rupees pesos peso mxn reais real brl r$ ευρω ευρώ yen won yuan rmb aed sar huf ft kč czk lei ron`.split(
    ' ',
  ),
)
const MONEY_AFTER =
  /^ ?(?:\p{Sc}|元|円|원|만원|천원|บาท|درهم|ريال|دينار|جنيه|ש[״"]ח|שקל|रुपये|रुपए|₫|đ|k(?![\p{L}])|\.-)/iu
const PERCENT_AFTER =
  /^ ?[%٪％]|^ ?(?:percent|prozent|折|割|パーセント|프로|퍼센트|процент|відсотк|प्रतिशत|بالمئة|في المئة|אחוז|เปอร์เซ็นต์)/iu
const DATE_AFTER = /^ ?[年月日월일]|^\. ?\p{Lu}|^(?:st|nd|rd|th)\b/u
const NEXT_WORD = /^[ \u00a0](\p{L}[\p{L}\p{M}]{0,20})/u
const LAST_WORD = /(\p{L}[\p{L}\p{M}.]{0,20}) $/u

/** In text order; they are not nested. */
export function factsIn(text: string): Fact[] {
  const facts: Fact[] = []
  const add = (kind: FactKind, start: number, end: number) =>
    facts.push({ kind, text: text.slice(start, end), start, end })
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const length = trimmed(run)
    if (isAddress(run.slice(0, length))) add('link', index, index + length)
  }
  for (const { 0: run, index } of text.matchAll(OTHER_RUN)) {
    const length = trimmed(run)
    if (isOtherHost(run.slice(0, length))) add('link', index, index + length)
  }
  for (const { 0: handle, index } of text.matchAll(HANDLE)) {
    add('handle', index, index + trimmed(handle))
  }
  for (const { 0: code, index } of text.matchAll(CODE)) {
    add('code', index, index + code.length)
  }
  for (const { 0: word, index } of text.matchAll(CODE_WORD)) {
    const start = index + word.length
    const code = CODE_SHAPE.exec(text.slice(start, start + 21))?.[0]
    if (code !== undefined) add('code', start, start + code.length)
  }
  for (const { 0: amount, index } of text.matchAll(HAN_AMOUNT)) {
    const kind = amount.endsWith('折') ? 'percentage' : 'price'
    add(kind, index, index + amount.length)
  }
  for (const { 0: sign, index } of text.matchAll(FRACTION)) {
    add('number', index, index + sign.length)
  }
  let last = 0
  for (const { 0: digits, index } of text.matchAll(NUMBER)) {
    if (index < last) continue
    last = grouped(text, index + digits.length)
    const { kind, start, end } = numberAt(text, index, last)
    add(kind, start, end)
  }
  return outermost(facts)
}

/** Without sentence-ending punctuation. */
function trimmed(run: string): number {
  let end = run.length
  while (end > 0 && '.,;:!?-&'.includes(run.charAt(end - 1))) end--
  return end
}

/** Whether all of it is a web address. */
export function isLink(run: string): boolean {
  if (/^(?:https?:\/\/|www\.)./i.test(run)) return true
  const [host = ''] = run.split(/[/?#]/, 1)
  const labels = host.toLowerCase().split('.')
  return labels.length > 1 && /\p{L}/u.test(labels[0] ?? '') && TOP_LEVEL.has(labels.at(-1) ?? '')
}

function isAddress(run: string): boolean {
  if (isLink(run) || EMAIL.test(run)) return true
  const [host = ''] = run.split(/[/?#]/, 1)
  const labels = host.toLowerCase().split('.')
  const [first = '', last = ''] = [labels.at(-2), labels.at(-1)]
  return labels.length > 1 && /\p{L}{2}/u.test(first) && MORE_TOP_LEVEL.has(last)
}

function isOtherHost(run: string): boolean {
  const [host = ''] = run.split('/', 1)
  const labels = host.toLowerCase().split('.')
  return labels.length > 1 && labels[0] !== '' && MORE_TOP_LEVEL.has(labels.at(-1) ?? '')
}

/** Including the spaces and hyphens within a number: `1 500`, `0117 496 0382`. */
function grouped(text: string, from: number): number {
  let end = from
  while (GROUPED.test(text.slice(end, end + 3))) {
    end++
    while (/\p{Nd}/u.test(text.charAt(end))) end++
  }
  return end
}

/** Classifies a number by the text around it. */
function numberAt(text: string, start: number, end: number): Omit<Fact, 'text'> {
  const before = text.slice(Math.max(0, start - 24), start)
  const after = text.slice(end, end + 24)
  const next = NEXT_WORD.exec(after)?.[1] ?? ''
  const last = LAST_WORD.exec(before)?.[1] ?? ''
  const sign = /(?:[A-Za-z]{0,3}\p{Sc}|(?:Rs|kr|R\$)\.?) ?$/u.exec(before)?.[0]
  if (sign !== undefined) return { kind: 'price', start: start - sign.length, end }
  const money = MONEY_AFTER.exec(after)?.[0]
  if (money !== undefined) return { kind: 'price', start, end: end + money.length }
  if (isMoney(next)) return { kind: 'price', start, end: end + 1 + next.length }
  if (MILLIONS.test(after)) return { kind: 'price', start, end }
  if (isMoney(last)) return { kind: 'price', start: start - last.length - 1, end }
  const percent = PERCENT_AFTER.exec(after)?.[0]
  if (percent !== undefined) return { kind: 'percentage', start, end: end + percent.length }
  if (/[%٪％] ?$/u.test(before)) return { kind: 'percentage', start: start - 1, end }
  if (isPhone(text.slice(start, end))) return { kind: 'phone', start, end }
  return { kind: isDate(last, next, after) ? 'date' : 'number', start, end }
}

const MILLIONS =
  /^ (?:млн|тыс|тис|million|mil|Mio)\S{0,6} (?:руб|грн|₽|€|\$|euro|Euro|dollar|pesos)/u

function isMoney(word: string): boolean {
  return MONEY_WORDS.has(word.toLowerCase())
}

function isPhone(number: string): boolean {
  return number.replace(/\P{Nd}/gu, '').length >= 7 && !/[.,]\p{Nd}{3}$/u.test(number)
}

function isDate(last: string, next: string, after: string): boolean {
  if (DATE_AFTER.test(after) || isMonth(next) || isMonth(last)) return true
  // `5 de mayo`, and in Vietnamese the month before its number.
  const [, joint = '', month = ''] = after.split(' ')
  return last.toLowerCase() === 'tháng' || (/^d?e$/.test(joint) && isMonth(month))
}

const MONTHS = new Set(
  `jan feb mar apr may jun jul aug sep oct nov dec mär mai okt dez janv févr fév avr mai juin juil aoû aout déc ene abr ago dic gen mag giu lug set ott maj jún júl mrt mei sty lut kwi cze lip sie wrz paź lis gru oca şub nis haz tem ağu eyl eki kas ara
  янв фев мар апр мая май июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру ιαν φεβ μαρ απρ μαι μαϊ ιου αυγ σεπ οκτ νοε δεκ`.split(
    /\s+/,
  ),
)
const FULL_MONTHS =
  /^(?:जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर|يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر|ב?(?:ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר))$/u

/** In any of the languages that write numbers before them. */
export function isMonth(word: string): boolean {
  return MONTHS.has(word.toLowerCase().slice(0, 3)) || FULL_MONTHS.test(word)
}

/** Colleagues are mentioned by handle as well. */
const NO_OFFER: ReadonlySet<FactKind> = new Set(['number', 'date', 'handle'])

/** Whether it has a price, a percentage, a code, or contact details: then it is hardly talk. */
export function hasOffer(text: string): boolean {
  return factsIn(text).some(({ kind }) => !NO_OFFER.has(kind))
}

const DIGITS = /\p{Nd}/gu
const ZEROS = [
  0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50,
  0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10,
]

/** Only the digits of a figure, as 0 to 9, so that `1.299,00` and `１，２９９` can be compared. */
export function plainDigits(text: string): string {
  return (text.match(DIGITS) ?? [])
    .map((digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = ZEROS.find((one) => code >= one && code <= one + 9)
      return zero === undefined ? digit : String(code - zero)
    })
    .join('')
}
