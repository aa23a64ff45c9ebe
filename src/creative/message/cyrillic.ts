// Ukrainian, Russian, Bulgarian or Serbian: by letters that only one of them has, or else by words.

import { folded } from './phrases.ts'

const UKRAINIAN = /[іїєґ]|\p{sc=Cyrl}['’ʼ]\p{sc=Cyrl}/iu
const RUSSIAN = /[ыэъё]/iu

/** Words of short advertisements that do not exist in the other language, although it has their letters. */
const SAID = {
  uk: 'це|ця|що|коли|знижка|знижки|знижку|знижок|знижкою|зараз|лише|щодня|кава|кави|каву|нова|нове|нову|замовляй|замовляйте|замов|замовте|купуй|купуйте|придбай|придбайте|спробуй|спробуйте|безкоштовно|безкоштовна|подарунок|подарунки|свято|кожен|кожна|тиждень|тижня|гривень|грн|щоб|але|чи|як|або|та|з|найкраще|найкраща|найкращий|найкращого|смак|смаку|смачно|смачна|смачне|дитячий|дитяча|взуття|одяг|квиток|квитки|розпродаж|завітайте|телефонуйте|дякую|ласкаво|повертайся|твого|цього|тепер|гарно|гарна|швидко|улюблена|улюблений',
  ru: 'скидка|скидки|скидку|скидок|скидкой|сейчас|только|ежедневно|кофе|новая|новое|новую|новый|заказывай|заказывайте|закажи|закажите|покупай|покупайте|попробуй|попробуйте|бесплатно|бесплатная|подарок|подарки|праздник|сегодня|неделя|недели|рублей|руб|чтобы|но|или|что|как|и|с|со|из|от|к|лучшее|лучшая|лучший|лучше|вкус|вкуса|вкусно|вкусная|вкусное|детский|детская|обувь|одежда|билет|билеты|распродажа|приглашаем|звоните|спасибо|твоего|теперь|дом',
} as const

type Cyrillic = keyof typeof SAID

const WORDS: Readonly<Record<Cyrillic, ReadonlySet<string>>> = {
  uk: new Set(SAID.uk.split('|')),
  ru: new Set(SAID.ru.split('|')),
}

const SERBIAN = /[ђјљњћџѓќў]/iu
const BULGARIAN = /ъ(?![еёюя])/iu

/** Russian if neither letters nor words decide. */
export function cyrillicLanguage(text: string): Cyrillic | 'bg' | 'sr' {
  if (SERBIAN.test(text)) return 'sr'
  if (UKRAINIAN.test(text)) return 'uk'
  if (BULGARIAN.test(text) && !/[ыэё]/iu.test(text)) return 'bg'
  if (RUSSIAN.test(text)) return 'ru'
  const { words } = folded(text)
  const count = (language: Cyrillic) =>
    words.filter(({ exact }) => WORDS[language].has(exact)).length
  return count('uk') > count('ru') ? 'uk' : 'ru'
}
