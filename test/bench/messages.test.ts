import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLabels } from '../../bench/messages/labels.mjs'
import {
  baselineTexts,
  type Label,
  scoreCreative,
  summary,
  wantedFacts,
} from '../../bench/messages/score.mjs'

const dev = readLabels('dev')
const unseen = readLabels('unseen')
const first = [...dev, ...unseen]
const dev2 = readLabels('dev2')
const unseen2 = readLabels('unseen2')
const second = [...dev2, ...unseen2]
const dev3 = readLabels('dev3')
const unseen3 = readLabels('unseen3')
const third = [...dev3, ...unseen3]
const labels = [...first, ...second, ...third]

/** A valid label; a test names only what it is about. */
function labelled(given: Partial<Label>): Label {
  const colors = { primary: '#000000', secondary: '#FFFFFF' }
  const brand = { name: 'Acme', url: 'https://acme.example', colors }
  return {
    id: 'x-01',
    language: 'en',
    kind: 'sale',
    split: 'dev',
    message: '',
    brand,
    facts: [],
    ...given,
  }
}

const fact = (...any_of: string[]) => ({ kind: 'offer', any_of })
const misses = (text: string, ...any_of: string[]) =>
  scoreCreative(labelled({ facts: [fact(...any_of)] }), [text]).missing.length > 0
const inventions = (language: string, message: string, text: string) =>
  scoreCreative(labelled({ language, message }), [text]).invented.map(({ kind }) => kind)

/** Ids only: what is unseen stays so when a test fails. */
const idsWhere = (isWrong: (label: Label) => boolean) => labels.filter(isWrong).map(({ id }) => id)

function countsByLanguage(some: Label[]): number[] {
  const counts = new Map<string, number>()
  for (const { language } of some) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts.values()]
}

describe('the labelled messages', () => {
  test('are at least 260, in 21 languages with 8 or more each, a third of them unseen', () => {
    const counts = countsByLanguage(first)
    expect(first.length).toBeGreaterThanOrEqual(260)
    expect(counts).toHaveLength(21)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(8)
    expect(unseen.length / first.length).toBeCloseTo(1 / 3, 1)
  })

  test('have a second set of at least 120, in 22 languages with 5 or more each, half of it unseen', () => {
    const counts = countsByLanguage(second)
    expect(second.length).toBeGreaterThanOrEqual(120)
    expect(counts).toHaveLength(22)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5)
    expect(unseen2.length / second.length).toBeCloseTo(1 / 2, 1)
  })

  test('have a third set of at least 130, in 24 languages with 5 or more each, half of it unseen', () => {
    const counts = countsByLanguage(third)
    expect(third.length).toBeGreaterThanOrEqual(130)
    expect(counts).toHaveLength(24)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(5)
    expect(unseen3.length / third.length).toBeCloseTo(1 / 2, 1)
  })

  test('have an id and a message of their own and lie in the folder of their split', () => {
    expect(new Set(labels.map(({ id }) => id)).size).toBe(labels.length)
    expect(new Set(labels.map(({ message }) => message)).size).toBe(labels.length)
    expect(dev.filter(({ split }) => split !== 'dev')).toEqual([])
    expect(unseen.filter(({ split }) => split !== 'unseen').map(({ id }) => id)).toEqual([])
    expect(dev2.filter(({ split }) => split !== 'dev2')).toEqual([])
    expect(unseen2.filter(({ split }) => split !== 'unseen2').map(({ id }) => id)).toEqual([])
    expect(dev3.filter(({ split }) => split !== 'dev3')).toEqual([])
    expect(unseen3.filter(({ split }) => split !== 'unseen3').map(({ id }) => id)).toEqual([])
  })

  test('have one to five facts to show, and none where the message is empty of them', () => {
    const isWrong = (label: Label) => {
      const { length } = wantedFacts(label)
      return label.kind === 'empty' ? length > 0 : length < 1 || length > 5
    }
    expect(idsWhere(isWrong)).toEqual([])
  })

  test('hold the facts and the instructions they are labelled with, and invent nothing', () => {
    const isWrong = (label: Label) => {
      const facts = label.facts.map((one) => ({ ...one, optional: false }))
      const { missing, printed, invented } = scoreCreative({ ...label, facts }, [label.message])
      const isLost = missing.some(({ derived }) => !derived)
      return isLost || invented.length > 0 || printed.length < (label.not_copy ?? []).length
    }
    expect(idsWhere(isWrong)).toEqual([])
  })

  test('can be answered: their facts alone, in any spelling, are an ad without a fault', () => {
    const isWrong = (label: Label) => {
      const spellings = [...label.facts, ...wantedFacts(label)].flatMap(({ any_of }) => any_of)
      const score = scoreCreative(label, [label.brand.name, spellings.join(' | ')])
      return Object.values(score).some((faults) => faults.length > 0)
    }
    expect(idsWhere(isWrong)).toEqual([])
  })

  test('require more than the name of the brand, and do not contain an unrelated number', () => {
    const isWrong = (label: Label) => {
      const { missing, invented } = scoreCreative(label, [label.brand.name, '7331 €'])
      return missing.length < wantedFacts(label).length || invented[0]?.kind !== 'number'
    }
    expect(idsWhere(isWrong)).toEqual([])
  })
})

describe('a fact appears', () => {
  test.each([
    ['HALF PRICE – today', 'half-price'],
    ['50 % Rabatt', '50%'],
    ['jusqu’à −50 %', "jusqu'à 50%"],
    ['только 1 299 ₽', '1 299 ₽'],
    ['nur 1.299 €', '1,299 €'],
    ['€ 49,95', '€49,95'],
    ['خصم ٧٠٪', '70%'],
    ['خصـــم مجاناً', 'خصم مجانا'],
    ['שַׁבָּת שָׁלוֹם', 'שבת שלום'],
    ['₹६५०', '₹650'],
    ['ท่านละ ๒๙๙ บาท', '299 บาท'],
    ['到手价１，２９９元', '1,299元'],
    ['全場 5 折，只有今天', '5折'],
    ['運動服 無料', '運動服無料'],
    ['무료배송', '무료 배송'],
    ['ＳＡＬＥ中', 'sale'],
    ['BÜYÜK AÇILIŞ CUMARTESİ', 'açılış'],
    ['ΔΩΡΟ ΚΑΦΕΔΕΣ', 'δώρο καφέδες'],
    ['Чёрная пятница', 'черная пятница'],
    ['STRASSE', 'straße'],
  ])('by %j as %j', (text, way) => {
    expect(misses(text, way)).toBe(false)
  })

  test.each([
    ['25% off', '5%'],
    ['from 49.90 €', '49'],
    ['for $1,299', '$299'],
    ['for 1,299', '299'],
    ['up to half', 'half price'],
    ['', 'anything'],
  ])('not by %j as %j', (text, way) => {
    expect(misses(text, way)).toBe(true)
  })

  test('in one text, never across two', () => {
    const label = labelled({ facts: [fact('free shipping')] })
    expect(scoreCreative(label, ['Feel free', 'shipping today']).missing).toEqual(label.facts)
  })

  test('as optional without being required, and as a call to action where one was required', () => {
    const facts = [{ ...fact('50%'), optional: true }]
    const label = labelled({ facts, call_to_action: { any_of: ['Book now'] } })
    expect(scoreCreative(label, ['Hello']).missing).toEqual([
      { kind: 'call_to_action', any_of: ['Book now'] },
    ])
  })
})

describe('what was to be left out is found', () => {
  test.each([
    ['cheap', 'CHEAPER than ever', true],
    ['art', 'Start today', false],
    ['/!/', 'Now！', true],
    ['/!/', 'Now.', false],
    ['第一', '全国第一', true],
    ['трудоустро', 'Трудоустройство', true],
  ])('%j in %j: %j', (phrase, text, isFound) => {
    expect(scoreCreative(labelled({ avoid: [phrase] }), [text]).avoided).toHaveLength(+isFound)
    expect(scoreCreative(labelled({ not_copy: [phrase] }), [text]).printed).toHaveLength(+isFound)
  })

  test('as a number, however it is written', () => {
    const label = labelled({ message: '€2,499', avoid_numbers: ['2499'] })
    for (const text of ['2.499 €', '2 499', '٢٤٩٩']) {
      expect(scoreCreative(label, [text]).avoided).toEqual(['2499'])
    }
    expect(scoreCreative(label, ['24.99 or 12499']).avoided).toEqual([])
  })
})

describe('it is invented', () => {
  test.each([
    ['en', 'Sneakers 50% off', 'Now 60% off', ['number']],
    ['en', 'Only 50 pairs', '50% off', ['number']],
    ['en', 'Boots for 49 €', 'Boots for $49', ['number']],
    ['de', 'Stiefel 12,50 €', 'Stiefel 1.250 €', ['number']],
    ['ar', 'خصم ٥٠٪', 'خصم ٦٠٪', ['number']],
    ['zh-Hans', '全场5折', '全场八折', ['number']],
    ['en', 'Call 0117 496 0382', 'Call 0117 496 0383', ['number']],
    ['en', 'Use SAVE20', 'Use SAVE30', ['code']],
    ['en', 'Great shoes', 'Visit shoes.example', ['link']],
    ['en', 'Market on 3 March', 'Market on 3 April', ['date']],
    ['pl', 'Targi 3 marca', 'Targi w sobotę, 3 marca, sobota', ['date']],
    ['ko', '일요일까지', '토요일까지', ['date']],
    ['en', 'Great shoes', 'The best shoes', ['superlative']],
    ['en', 'Our best shoes', 'Our cheapest shoes', ['superlative']],
    ['de', 'Schuhe', 'Kostenloser Versand', ['free']],
    ['fr', 'Chaussures', 'Nos chaussures sont garanties', ['guarantee']],
    ['he', 'נעליים', 'הנעליים החדשות', ['new']],
    ['ja', '靴', '本日限りの靴', ['urgency']],
    ['th', 'รองเท้า', 'รองเท้าลดราคา', ['offer']],
    ['uk', 'Взуття', 'Знижки на взуття', ['offer']],
    ['hi', 'जूते', 'सबसे अच्छे जूते', ['superlative']],
    ['en', 'Great shoes', 'Great shoes for christmas', ['occasion']],
    ['en', 'Running shoes', 'Try the AeroMax', ['name']],
    ['ja', 'スニーカー', 'Zoomerのスニーカー', ['name']],
  ])('in %s, from %j: %j', (language, message, text, kinds) => {
    expect(inventions(language, message, text)).toEqual(kinds)
  })

  test.each([
    ['en', 'Boots for 1,299 kr', 'Boots, kr 1299'],
    ['de', 'Am 24. Dezember', 'Am 24.12.'],
    ['he', 'הזמנות עד 10.9', 'הזמנות עד 10 בספטמבר'],
    ['nl', 'Voor 23.59 uur', 'Voor 23:59 uur'],
    ['en', 'Open Tues and Aug 31', 'Open Tuesday and August 31'],
    ['ja', '4/10(木)、金曜', '4/10木曜日、金曜日'],
    ['zh-Hant', '週六下午', '星期六下午'],
    ['en', 'Doors 8 pm', 'Doors 8:00 pm'],
    ['en', 'Call 0117 496 0382', 'Call +44 117-496-0382 or 0117-4960382'],
    ['en', '20% off', 'See the deal'],
    ['en', 'Nimbus 3 stroller', 'Shop now, or learn more about the Nimbus 3'],
    ['ja', 'LUMINAのリップ', '詳しくはこちら：LUMINA'],
    ['zh-Hans', '第二件八折', '第二件8折'],
    ['en', 'Shoes', 'Acme shoes at www.acme.example'],
    ['en', 'Boots', 'You may march in these boots'],
  ])('never in %s, from %j: %j', (language, message, text) => {
    expect(inventions(language, message, text)).toEqual([])
  })

  test('never in an ad that says the message word by word', () => {
    const piece = fc.constantFrom(
      '50',
      '1.299',
      '24.12.',
      ' ',
      '%',
      '€',
      'SAVE',
      'x',
      ' sale',
      'Mon',
      '折',
      '五',
      '월',
      '/',
      'www.',
      'shop',
      '.example',
      '+',
      '-',
      '(',
      '٣',
      '๒',
      'Aero',
      'Max',
      'ที่สุด',
      "'",
      ':00',
    )
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const language = fc.constantFrom('en', 'de', 'ar', 'th', 'zh-Hans', 'ko')
    fc.assert(
      fc.property(language, fc.oneof(text, fc.string({ unit: 'grapheme' })), (one, message) => {
        expect(inventions(one, message, message)).toEqual([])
      }),
    )
  })

  test('neither when the offering nor when a spelling of the label says it', () => {
    const label = labelled({ message: 'Half price boots', facts: [fact('half price', '50%')] })
    const offering = { name: 'TrailMax', price: 89 }
    expect(scoreCreative({ ...label, offering }, ['TrailMax 50% off: 89']).invented).toEqual([])
    expect(scoreCreative(label, ['TrailMax 50% off: 89']).invented).toHaveLength(2)
  })
})

test('a summary is of the messages that could fail, by language, kind and split', () => {
  const results = [
    { label: labelled({ facts: [fact('50%')], message: '50%', avoid: ['cheap'] }), text: 'cheap' },
    { label: labelled({ facts: [fact('50%')], message: '50%' }), text: '50%' },
    { label: labelled({ language: 'de', kind: 'empty', not_copy: ['bitte'] }), text: 'Bitte 7' },
  ].map(({ label, text }) => ({ label, score: scoreCreative(label, [text]) }))
  const { all, language, kind, split } = summary(results)
  expect(all).toEqual({
    messages: 3,
    allRight: 1 / 3,
    factsDisplayed: 1 / 2,
    nothingInvented: 2 / 3,
    nothingForbidden: 0,
    noInstructions: 0,
  })
  expect(language.en).toMatchObject({ messages: 2, allRight: 1 / 2, noInstructions: null })
  expect(kind.empty).toMatchObject({ messages: 1, factsDisplayed: null, nothingInvented: 0 })
  expect(split).toEqual({ dev: all })
})

describe('the baseline', () => {
  test('is the brand over the first 90 characters of the message, cut at a word', () => {
    const message = `${'word '.repeat(17)}sesquipedalian`
    expect(baselineTexts(labelled({ message }))).toEqual(['Acme', 'word '.repeat(17).trim()])
  })

  test('cuts where there are no spaces', () => {
    const [, text = ''] = baselineTexts(labelled({ language: 'ja', message: '夏の靴'.repeat(50) }))
    expect(text.length).toBeGreaterThan(80)
    expect(text.length).toBeLessThanOrEqual(90)
  })
})
