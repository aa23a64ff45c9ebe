import { describe, expect, test } from 'vitest'
import { checkDrawn, sharesOf } from '../../bench/messages/check-drawn.mjs'

const segments = [
  ['instruction', 'make a banner for ', 'make'],
  ['fact', 'our spring sale, 40% off until 3 May'],
  ['instruction', '. Keep the logo small and to the left', 'logo'],
] as const
const message = segments.map(([, text]) => text).join('')
const copy = 'Our spring sale, 40% off until 3 May'
const check = (texts: string[], notes: string[] = []) =>
  checkDrawn({ message, segments }, { texts: ['Acme', ...texts], notes }, ['Acme', 'Shop now'])

describe('a message as it was drawn', () => {
  test('is right with all of its copy and nothing else', () => {
    expect(check([copy, 'Shop now'])).toMatchObject({
      isRight: true,
      isPrinting: false,
      lostFacts: [],
      invented: [],
      falseNotes: [],
    })
  })

  test('is wrong with two words in a row of an instruction', () => {
    expect(check([copy, 'Keep the logo'])).toMatchObject({ isPrinting: true, isRight: false })
    expect(check([copy, 'small'])).toMatchObject({ isPrinting: false })
  })

  test('loses a figure that neither the ad nor a note has', () => {
    expect(check(['Our spring sale until 3 May']).lostFacts).toEqual(['40'])
    expect(check(['Our spring sale until 3 May'], ['omitted: “40% off”']).lostFacts).toEqual([])
  })

  test('loses copy of four words in a row without a note', () => {
    expect(check(['Our spring sale, 40%']).lostCopy).toHaveLength(1)
    expect(check(['Our spring sale, 40%'], ['omitted: “off until 3 May”']).lostCopy).toEqual([])
  })

  test('invents what no one gave', () => {
    expect(check([copy, 'Best prices']).invented).toEqual(['best', 'prices'])
  })

  test('has a false note where one says that something is left out which is drawn, or the reverse', () => {
    const omitted = 'omitted: “our spring sale”'
    expect(check([copy], [omitted]).falseNotes).toEqual([omitted])
    expect(check(['40% off until 3 May'], [omitted]).falseNotes).toEqual([])
    const printed = 'printed, although it may be an instruction: “Keep the logo small”'
    expect(check([copy], [printed]).falseNotes).toEqual([printed])
    expect(check([copy, 'Keep the logo small'], [printed]).falseNotes).toEqual([])
  })
})

test('an instruction in a script without blanks is printed with four letters in a row of it', () => {
  const chinese = [
    ['copy', '春季新品'],
    ['instruction', '，翻译成法语'],
  ].map(([role, text]) => [role === 'copy' ? 'headline' : role, text] as [string, string])
  const reported = { message: '春季新品，翻译成法语', segments: chinese }
  expect(checkDrawn(reported, { texts: ['春季新品翻译成法语'], notes: [] }).isPrinting).toBe(true)
  expect(checkDrawn(reported, { texts: ['春季新品'], notes: [] }).isPrinting).toBe(false)
})

test('the baselines are as bad as they must be: all prints instructions, nothing draws no copy', () => {
  expect(sharesOf([check([message])])).toMatchObject({
    printsInstruction: 1,
    copyDrawn: 1,
    right: 0,
  })
  expect(sharesOf([check([])])).toMatchObject({ printsInstruction: 0, copyDrawn: 0, right: 0 })
})
