import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { understandSpec } from '../../../../src/signals/matching/language/understand-spec.ts'
import { smallVocabulary } from './words.ts'

const vocabulary = smallVocabulary()
const understand = (spec: string) => understandSpec(spec, vocabulary)
/** The audiences without the one that repeats them all. */
const textsOf = (spec: string) =>
  understand(spec)
    .intents.filter(({ isWhole }) => !isWhole)
    .map(({ text }) => text)
const rewritesOf = (spec: string) => understand(spec).intents.flatMap(({ rewrites }) => rewrites)

describe('slang, synonyms and brands are rewritten, and what was said is kept', () => {
  test.each([
    ['petrolheads', 'car enthusiasts'],
    ['a petrolhead', 'car enthusiasts'],
    ['foodies', 'food enthusiasts'],
    ['DINKs with a mortgage', 'childless dual-income couples with a mortgage'],
    ['soccer moms', 'suburban mothers'],
    ['fur parents', 'pet owners'],
    ['sneakerheads', 'sneaker and streetwear'],
    ['cord cutters', 'stream TV instead of cable'],
    ['crypto bros', 'cryptocurrency investors'],
    ['gym rats', 'gym members'],
    ['digital nomads', 'remote workers'],
    ['house hacking', 'real estate investors'],
    ['tying the knot next year', 'engaged couples'],
    ['bun in the oven', 'expectant parents'],
    ['kicking the habit', 'quit smoking'],
    ['people who don’t eat meat', 'vegetarians'],
    ['snowbirds', 'retiree'],
    ['silver surfers', 'seniors active online'],
    ['folks about to swap their gas car for a Tesla', 'people in the market for electric vehicle'],
    ['Peloton owners', 'home fitness owners'],
    ['people who stay in an Airbnb', 'vacation rental'],
    ['Xbox fans', 'console gaming fans'],
    ['people shopping around for car insurance', 'people in the market for car insurance'],
    ['people who love wine', 'wine enthusiasts'],
  ])('%j is also %j', (spec, meaning) => {
    const { intents } = understand(spec)
    expect(intents).toHaveLength(1)
    expect(intents[0]?.text).toBe(spec.replace('don’t', 'do not'))
    expect(rewritesOf(spec).join('\n')).toContain(meaning)
  })

  test('a word in another sense is not slang', () => {
    expect(rewritesOf('people who expect a discount')).toEqual([])
    expect(rewritesOf('caring neighbours')).toEqual([])
  })
})

describe('the stage of who is meant', () => {
  test.each([
    ['people who own an electric car', 'owner'],
    ['drivers of luxury cars', 'owner'],
    ['current customers', 'owner'],
    ['people who bought a stroller', 'owner'],
    ['in market for a minivan', 'intender'],
    ['planning to buy a house', 'intender'],
    ['people looking for a new bank', 'intender'],
    ['families about to move', 'intender'],
    ['shopping for a sofa', 'intender'],
    ['considering a hybrid', 'intender'],
    ['switching to solar', 'intender'],
    ['swap their phone for an iPhone', 'intender'],
    ['SUV owners looking for an electric car', 'intender'],
    ['luxury SUV intenders', 'intender'],
    ['former subscribers', 'lapsed'],
    ['people who used to play golf', 'lapsed'],
    ['churned customers', 'lapsed'],
    ['people who cancelled their gym membership', 'lapsed'],
    ['no longer customers', 'lapsed'],
    ['similar to our best buyers', 'lookalike'],
    ['lookalikes of luxury car owners', 'lookalike'],
    ['people like our customers', 'lookalike'],
    ['coffee drinkers', undefined],
    ['people who are used to cold weather', undefined],
    ['golfers who want quality', undefined],
  ])('%j: %s', (spec, stage) => {
    expect(understand(spec).intents[0]?.stage).toBe(stage)
  })

  test('the caller is not the requested audience', () => {
    expect(understand('We are looking for coffee drinkers').intents[0]).toEqual({
      text: 'coffee drinkers',
      rewrites: [],
    })
  })
})

describe('what is not wanted is avoided and leaves the text', () => {
  test.each([
    ['not parents', [], ['parents']],
    ['no golfers', [], ['golfers']],
    ['dog owners but not cat owners', ['dog owners'], ['cat owners']],
    ['home buyers, avoid first-time parents', ['home buyers'], ['first-time parents']],
    [
      'shoppers of wine excluding retirees, students and renters',
      ['shoppers of wine'],
      ['retirees', 'students', 'renters'],
    ],
    ['travellers except families', ['travellers'], ['families']],
    ['electric car buyers rather than hybrid owners', ['electric car buyers'], ['hybrid owners']],
    ['anyone but golfers', [], ['golfers']],
    ['dog owners, not cat owners, and gardeners', ['dog owners', 'gardeners'], ['cat owners']],
    ['sports fans (no golf)', ['sports fans'], ['golf']],
    ['couples without kids', ['couples'], ['parents with children']],
    ['wine lovers without a mortgage and with a dog', ['wine lovers and with a dog'], ['mortgage']],
    [
      'We want coffee drinkers. We do not want tea drinkers.',
      ['coffee drinkers'],
      ['tea drinkers'],
    ],
    ['golfers. Avoid people who just bought a car.', ['golfers'], ['recent car buyers']],
    ['non-smokers', ['non-smokers'], []],
    ['not only parents but also grandparents', ['parents', 'grandparents'], []],
    ['no-code developers', ['no-code developers'], []],
    ['people who no longer drink', ['people who no longer drink'], []],
    [
      'familias con niños pequeños pero no viajeros de lujo',
      ['families with young children'],
      ['luxury travellers'],
    ],
  ])('%j', (spec, wanted, avoided) => {
    expect(textsOf(spec)).toEqual(wanted)
    expect(understand(spec).avoided).toEqual(expect.arrayContaining(avoided))
    if (avoided.length === 0) expect(understand(spec).avoided).toEqual([])
  })

  test('what people themselves avoid is a habit of theirs', () => {
    const { intents, avoided } = understand('anyone avoiding beef, dairy and eggs entirely')
    expect(intents.length).toBeGreaterThan(0)
    expect(avoided).toEqual([])
  })

  test('slang that is avoided is avoided by its meaning too', () => {
    expect(understand('drivers, not petrolheads').avoided).toEqual([
      'petrolheads',
      'car enthusiasts',
    ])
  })
})

describe('each audience is an intent', () => {
  test.each([
    [
      'families with toddlers and also luxury travellers',
      ['families with toddlers', 'luxury travellers'],
    ],
    ['affluent skiers and golfers', ['affluent skiers', 'affluent golfers']],
    ['golf and tennis fans', ['golf fans', 'tennis fans']],
    [
      'people interested in golf and tennis',
      ['people interested in golf', 'people interested in tennis'],
    ],
    ['gamers, golfers and gardeners', ['gamers', 'golfers', 'gardeners']],
    ['students & nurses', ['students', 'nurses']],
    ['frequent flyers plus dog owners', ['frequent flyers', 'dog owners']],
    ['avid readers; wine drinkers', ['avid readers', 'wine drinkers']],
    ['- new homeowners\n- recent movers', ['new homeowners', 'recent movers']],
    [
      'people in the market for solar panels or heat pumps',
      ['people in the market for solar panels', 'people in the market for heat pumps'],
    ],
    ['vegan or vegetarian shoppers', ['vegan shoppers', 'vegetarian shoppers']],
    ['mums and dads', ['mums and dads']],
    ['food and drink lovers', ['food and drink lovers']],
    ['home & garden shoppers', ['home & garden shoppers']],
    ['bed and breakfast guests', ['bed and breakfast guests']],
    ['arts and crafts fans and gardeners', ['arts and crafts fans', 'gardeners']],
    ['young and affluent travellers', ['young and affluent travellers']],
    ['parents who cook and bake', ['parents who cook and bake']],
    ['people who love wine and live in the city', ['people who love wine and live in the city']],
    ['women aged between 25 and 40', ['women aged between 25 and 40']],
    [
      'outdoor sports such as skiing, climbing and golf',
      ['outdoor sports such as skiing, climbing and golf'],
    ],
  ])('%j', (spec, texts) => {
    expect(textsOf(spec)).toEqual(texts)
  })

  test.each([
    'buying and selling equities on their own account',
    'gambling on match results from a laptop or handset',
    'soon must hand the keys back to the dealer or sign up again',
  ])('but %j is one', (spec) => {
    expect(understand(spec).intents).toHaveLength(1)
  })

  test('and of several, one more is all of them together', () => {
    expect(understand('golfers and gardeners').intents.at(-1)).toEqual({
      text: 'golfers and gardeners',
      rewrites: [],
      isWhole: true,
    })
    expect(understand('golfers').intents.every(({ isWhole }) => !isWhole)).toBe(true)
  })
})

describe('a brief is read for its audience and its product', () => {
  test.each([
    [
      'We are launching a new oat milk brand in the UK in Q3. Budget is 50k. We want to reach health-conscious vegans. KPI is CTR.',
      ['health-conscious vegans', 'oat milk'],
    ],
    [
      'Hi team, we’re working on a campaign for a premium dog food subscription. Our customers are affluent dog owners living in cities. Please send ideas by Friday. Thanks!',
      ['affluent dog owners living in cities', 'premium dog food subscription'],
    ],
    [
      'Target audience: new parents\nBudget: 20k EUR\nFlight: Jan-Mar\nProduct: organic baby food',
      ['new parents', 'organic baby food'],
    ],
    [
      'I need an audience of frequent business travellers for our spring campaign on CTV, budget $50k',
      ['frequent business travellers'],
    ],
    ['Find me segments of people who love wine', ['people who love wine']],
    ['Looking for luxury SUV owners', ['luxury SUV owners']],
    ['Budget is 50k.', ['Budget is 50k']],
  ])('%j', (spec, texts) => {
    expect(textsOf(spec)).toEqual(texts)
  })
})

describe('where people live is left out, what is called after a place is not', () => {
  test.each([
    ['wine drinkers in the UK', 'wine drinkers'],
    ['US-based business owners', 'business owners'],
    ['golfers across Germany and France', 'golfers'],
    ['German families with toddlers', 'families with toddlers'],
    ['Italian food shoppers in Germany', 'Italian food shoppers'],
    ['French wine drinkers', 'French wine drinkers'],
    ['people planning holidays in Italy', 'people planning holidays in Italy'],
    ['travellers to Spain', 'travellers to Spain'],
    ['golfers like us', 'golfers like us'],
  ])('%j is %j', (spec, text) => {
    expect(textsOf(spec)).toEqual([text])
  })
})

test('another language comes as English, with the words as they were', () => {
  expect(understand('padres primerizos que buscan un coche eléctrico')).toEqual({
    intents: [
      {
        text: 'first-time parents looking for an electric car',
        rewrites: ['padres primerizos que buscan un coche eléctrico'],
        stage: 'intender',
      },
    ],
    avoided: [],
    corrected: [],
  })
})

test('spelling is repaired before anything else, and reported', () => {
  const { intents, corrected } = understand('luxery suv intneders')
  expect(intents[0]).toMatchObject({ text: 'luxury suv intenders', stage: 'intender' })
  expect(corrected).toEqual([
    { from: 'luxery', to: 'luxury' },
    { from: 'intneders', to: 'intenders' },
  ])
})

test.each(['', '   ', '...', '\n\n-\n', '€€€', '👩‍👧'])('nothing is left of %j', (spec) => {
  expect(understand(spec).intents.filter(({ text }) => /\w/.test(text))).toEqual([])
})

test('whatever is said, it does not throw, is bounded, and is understood alike again', () => {
  const word = fc.constantFrom(
    ...'people not and or , . ; \n without swap for looking in the UK budget 50k gamers luxery kids both who parents but petrolheads de la Kinder ( ) - we want to reach avoid'.split(
      ' ',
    ),
  )
  const spec = fc.oneof(
    fc.array(word, { maxLength: 60 }).map((words) => words.join(' ')),
    fc.string({ unit: 'binary', maxLength: 300 }),
  )
  fc.assert(
    fc.property(spec, (text) => {
      const { intents, avoided, corrected } = understand(text)
      expect(intents.length).toBeLessThanOrEqual(7)
      for (const intent of intents) {
        expect(intent.text.trim()).not.toBe('')
        expect(intent.text.length).toBeLessThanOrEqual(400)
        expect(intent.rewrites.length).toBeLessThanOrEqual(5)
        expect(intent.rewrites).not.toContain('')
      }
      expect(avoided.length).toBeLessThanOrEqual(8)
      for (const one of avoided) expect(one.length).toBeLessThanOrEqual(120)
      expect(corrected.length).toBeLessThanOrEqual(24)
      expect(understand(text)).toEqual({ intents, avoided, corrected })
    }),
    { numRuns: 300 },
  )
})

test('a text of a hundred thousand letters is understood by its beginning', () => {
  const { intents } = understand(`golfers. ${'x'.repeat(100_000)}`)
  expect(intents[0]?.text).toBe('golfers')
})
