// The language of European texts by their letters, small words and parts of words, to part words by its
// rules. One long word is often all there is, so it may remain open which of several it is.

import { cyrillicLanguage } from '../../../message/cyrillic.ts'

/** BCP 47, the likeliest first; of those whose words can be parted. Several when it is not clear, none without a sign. */
export function languagesOfWords(text: string): string[] {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const greek = text.match(/\p{sc=Greek}/gu)?.length ?? 0
  const cyrillic = text.match(/\p{sc=Cyrillic}/gu)?.length ?? 0
  if (letters === 0) return []
  if (greek * 2 > letters) return ['el']
  return cyrillic * 2 > letters ? cyrillicOf(text) : latinOf(text)
}

function cyrillicOf(text: string): string[] {
  if (/[ђјљњћџѓќў]/iu.test(text)) return []
  if (cyrillicLanguage(text) === 'uk') return ['uk']
  const isBulgarian = /ъ(?![еёюя])/iu.test(text) && !/[ыэё]/iu.test(text)
  if (isBulgarian) return ['bg']
  return /[ыэё]/iu.test(text) ? ['ru'] : ['ru', 'bg']
}

interface Signs {
  language: string
  /** Letters that hardly another language has, and those that few have. */
  own?: RegExp
  shared?: RegExp
  words: ReadonlySet<string>
  /** Parts of words. */
  parts: RegExp
}

const signs = (
  language: string,
  { own, shared, words, parts }: { own?: RegExp; shared?: RegExp; words: string; parts: RegExp },
): Signs => ({
  language,
  ...(own && { own }),
  ...(shared && { shared }),
  words: new Set(words.split(' ')),
  parts,
})

const LATIN: readonly Signs[] = [
  signs('de', {
    own: /ß/gu,
    shared: /[äöü]/gu,
    words:
      'der die das und für mit von ist nicht ein eine einen im zum zur auf bei jetzt ihre ihr wir sie neu neue alle mehr aus ihren den dem vom',
    parts:
      /sch|cht|ung|keit|heit|schaft|pf|tz|zw|eich|lich|isch|äu|ahr|ein|ge|ver|bei|eit|burg|ange|rbst|satz/gu,
  }),
  signs('nl', {
    shared: /[ëï]/gu,
    words:
      'de het een en van voor met op bij naar uw jouw nu je wij niet ook alle onze zijn meer uit',
    parts:
      /ij|lijk|heid|schap|ieuw|oe|aan|oor|eel|ering|sch|ge|ver|kken|aar|uit|oot|ingen|zeke|ziek/gu,
  }),
  signs('en', {
    words: 'the and of for your with our to in on is now from you we all more new by or at are',
    parts:
      /th|tion|ing\b|ght|ough|sh|wh|ness|ment\b|able|ship|ea|ful|ity|ly\b|ary|iza|craft|service|tele|inter|ional/gu,
  }),
  signs('fr', {
    own: /[œêûù]/gu,
    shared: /[éèçàâî]/gu,
    words:
      'le la les des et pour avec vos votre une du au aux sur dans est nos notre plus un en de',
    parts:
      /eau|aux|eux|oi|ement|ille|que|elle|ance|ière|ité|tion|ès|eur|ique|té\b|ment\b|ger\b|constitu|nnel/gu,
  }),
  signs('es', {
    own: /[ñ¿¡]/gu,
    shared: /[áíóúé]/gu,
    words: 'el la los las y para con tu su del una por en de que un más al sus',
    parts:
      /ción|cion|idad|mente|miento|ue|dad\b|ad[oa]s?\b|ón\b|ero\b|ancia|ico|ales\b|aria|tro|ll/gu,
  }),
  signs('it', {
    shared: /[àòùìè]/gu,
    words: 'il la gli le e per con dei della di che una tuo tua nel alla del lo un più i al',
    parts:
      /zion|mente|gli|cch|zz|tt|ità|aggio|issim|gio|ella|mento|ale\b|one\b|ata\b|ici\b|evol|tro/gu,
  }),
  signs('pt', {
    own: /[ãõ]/gu,
    shared: /[çáâêéíóú]/gu,
    words: 'o a os as e para com do da dos das em uma seu sua não um mais por no na',
    parts: /ção|ções|lh|nh|ões|ão|mente|dade|agem|ência|mento|eiro|ais\b|issim|ico|cional|ela\b/gu,
  }),
  signs('sv', {
    shared: /[åäö]/gu,
    words:
      'och för med till att en ett av på är din det nu vi du hos som alla mer från i den dina nya',
    parts: /ning|het|ck|skap|ör|ång|lig|förs|skydd|tion|vård|änst|ings|sk|äll|kamp/gu,
  }),
  signs('da', {
    own: /æ/gu,
    shared: /[øå]/gu,
    words: 'og til med af på er en et din det for vi du nu hos som alle mere fra i den dine nye',
    parts: /else|hed|ning|tion|tje|skab|øj|lig|ings|ege|yg|for|sik|sel|sk/gu,
  }),
  signs('nb', {
    shared: /[æøå]/gu,
    words: 'og til med av på er en et din det for vi du nå hos som alle mer fra i den dine nye',
    parts: /else|het|ning|sjon|skj|skap|øy|lig|ings|kj|eie|gje|utd|for|sik|sel|sk|rett/gu,
  }),
  signs('fi', {
    shared: /[äö]/gu,
    words: 'ja on ei sekä nyt kaikki joka tai kun se uusi oma ovat meidän sinun kanssa',
    parts:
      /aa|ää|ii|uu|yy|oo|kk|ssa|ssä|lla|llä|sta|stä|uus|nen|yö|uo|sto|llis|oi|ai|iö|ui|tt|eu|lu\b|ria|ent/gu,
  }),
  signs('pl', {
    own: /[łąęśźżćń]/gu,
    shared: /ó/gu,
    words: 'i w z na do dla oraz się nie to jest od po twoje już nowe wszystkie',
    parts: /sz|cz|rz|dz|prze|nie|owa|ść|owy|ego\b|ych\b/gu,
  }),
  signs('cs', {
    own: /[ěřůďťň]/gu,
    shared: /[ščžýáíé]/gu,
    words: 'a v na pro se je s z do od nebo vaše nyní všechny nové i za už',
    parts: /ost|ován|ní\b|ný\b|ých\b|ství|nej|při|roz|pod/gu,
  }),
  signs('hu', {
    own: /[őű]/gu,
    shared: /[áéíóúöü]/gu,
    words: 'a az és egy nem hogy most minden van meg új itt csak már',
    parts: /sz|gy|ny|zs|ás|és\b|ság|ség|meg|ett|ött|ban\b|ben\b|ol|ek\b|ok\b|tás|tés/gu,
  }),
  signs('tr', {
    own: /[ğş]|ı(?!\u0307)/gu,
    shared: /[çöü]/gu,
    words: 've bir için ile bu en daha yeni şimdi her çok sizin tüm',
    parts: /lar|ler|lık|lik|ınız|iniz|mak|mek|acak|ecek|yor|lı|dır|dir/gu,
  }),
]

/** What a sign counts for, and how much of the likeliest’s count makes another likely too. */
const OWN = 4
const SHARED = 1.5
const WORD = 3
const PART = 1
const NEAR = 0.72
/** As many as may be asked together. */
const MOST = 4

function latinOf(text: string): string[] {
  const lower = text.normalize('NFC').toLowerCase().slice(0, MAX_READ)
  const words = lower.match(/[\p{L}\p{M}]+/gu) ?? []
  const scores = LATIN.map(({ language, own, shared, words: small, parts }) => {
    const count = (sign: RegExp | undefined) => (sign ? (lower.match(sign)?.length ?? 0) : 0)
    const known = words.filter((word) => small.has(word)).length
    const score = count(own) * OWN + count(shared) * SHARED + known * WORD + count(parts) * PART
    return { language, score: score - strange(lower, language) }
  }).sort((a, b) => b.score - a.score)
  const best = scores[0]?.score ?? 0
  if (best <= 0) return []
  return scores
    .filter(({ score }) => score >= best * NEAR)
    .slice(0, MOST)
    .map(({ language }) => language)
}

/** More tells nothing new. */
const MAX_READ = 1_000

/** Letters that a language does not have speak against it. */
function strange(text: string, language: string): number {
  const alien = ALIEN.get(language)
  return alien ? (text.match(alien)?.length ?? 0) * 2 : 0
}

const ALIEN: ReadonlyMap<string, RegExp> = new Map([
  ['de', /[åæøñçłőűğşěřãõ]/gu],
  ['nl', /[äöåæøñłőűğşěřãõß]/gu],
  ['en', /[äöüåæøñçłőűğşěřãõß]/gu],
  ['fr', /[äöåæøñłőűğşěřãõß]/gu],
  ['es', /[äöåæøçłőűğşěřãõßàèêk]/gu],
  ['it', /[äöåæøñçłőűğşěřãõßkjwxy]/gu],
  ['pt', /[äöåæøñłőűğşěřßkwy]/gu],
  ['sv', /[üæøñçłőűğşěřãõß]/gu],
  ['da', /[äöüñçłőűğşěřãõß]/gu],
  ['nb', /[äöüñçłőűğşěřãõß]/gu],
  ['fi', /[åæøüñçłőűğşěřãõßcqwxz]/gu],
  ['pl', /[äöüåæøñçőűğşěřãõßqvx]/gu],
  ['cs', /[äöüåæøñçłőűğşãõßqwx]/gu],
  ['hu', /[äåæøñçłğşěřãõßqwx]/gu],
  ['tr', /[äåæøñłőűěřãõßqwx]/gu],
])
