import { describe, expect, test } from 'vitest'
import { accountOf, type ToAccount } from '../../../src/creative/message/account.ts'
import type { MessageRole } from '../../../src/creative/message/reading/roles.ts'

/** A message of parts, and what is reported about it beside what was printed. */
function reported(
  segments: readonly (readonly [MessageRole, string])[],
  printed: readonly string[],
  more: Partial<ToAccount> = {},
) {
  let at = 0
  const spans = segments.map(([role, text]) => {
    const start = at
    at += text.length
    return { start, end: at, role }
  })
  return accountOf({ text: segments.map(([, text]) => text).join(''), spans, printed, ...more })
}

const outcomes = (account: ReturnType<typeof reported>) =>
  account.parts.map(({ outcome }) => outcome)

describe('spec 4.2: copy of a message', () => {
  test('is drawn, shortened or omitted, by what is printed', () => {
    const account = reported(
      [
        ['headline', 'Warm feet, cold days. '],
        ['body', 'Free shipping until Sunday, and returns for 30 days. '],
        ['fact', 'Open 9:00 to 21:30.'],
      ],
      ['Warm feet, cold days', 'Free shipping until Sunday.', 'Shop now'],
    )
    expect(outcomes(account)).toEqual(['drawn', 'shortened', 'omitted'])
    expect(account.notes).toEqual([
      'omitted: “and returns for 30 days”',
      'omitted: “Open 9:00 to 21:30”',
    ])
  })

  test('is drawn where headline and description share it', () => {
    const account = reported(
      [['body', 'New boots in stores now, cheap']],
      ['New boots in stores', 'Now, cheap'],
    )
    expect(account).toMatchObject({ parts: [{ outcome: 'drawn' }], notes: [] })
  })

  test('is omitted with its reason where the message forbids it', () => {
    const account = reported(
      [
        ['fact', 'Kestrel e-bike, €2,499 '],
        ['avoid', '– no price please'],
      ],
      ['Kestrel e-bike'],
    )
    expect(outcomes(account)).toEqual(['shortened', 'followed'])
    expect(account.notes).toEqual(['omitted: “€2,499”: the message excludes it'])
  })

  test('may be where a click leads', () => {
    const account = reported([['fact', 'acme.example/sale']], ['Sale'], {
      clickUrl: 'https://www.acme.example/sale/',
    })
    expect(account.parts[0]).toMatchObject({ outcome: 'omitted', detail: 'a click leads there' })
    expect(account.notes).toEqual(['not printed, but a click leads there: “acme.example/sale”'])
  })

  test('of a long part the note has every figure', () => {
    const text = `${'Many words about nothing. '.repeat(20)}Only 49 € with code SAVE20.`
    expect(reported([['body', text]], ['Acme']).notes.join()).toMatch(/“49 €”.*“SAVE20”/)
  })
})

describe('spec 4.2: an instruction', () => {
  test('is not supported unless it is known to be followed, and the note says how to print it', () => {
    const account = reported([['instruction', 'Put the logo top left.']], ['Acme'])
    expect(outcomes(account)).toEqual(['not_supported'])
    expect(account.notes).toEqual([
      'not followed: “Put the logo top left”; to print it, put it in quotes or in `copy`',
    ])
  })

  test('is what became of it where that is known', () => {
    const outcome = {
      instruction: { text: 'Put the logo top left', origin: { start: 0, end: 21 } },
      outcome: 'not_possible' as const,
      detail: 'there is no logo',
    }
    const account = reported([['instruction', 'Put the logo top left.']], ['Acme'], {
      outcomes: [outcome],
    })
    expect(account.parts[0]).toMatchObject({ outcome: 'not_possible', detail: 'there is no logo' })
    expect(account.notes).toEqual(['not followed: “Put the logo top left”: there is no logo'])
  })

  test('that leads to copy is followed with it', () => {
    const account = reported(
      [
        ['instruction', 'Headline: "'],
        ['headline', 'Warm feet'],
        ['instruction', '". Second headline: "'],
        ['headline', 'Cold days'],
        ['instruction', '"'],
      ],
      ['Warm feet'],
    )
    expect(outcomes(account)).toEqual(['followed', 'drawn', 'not_possible', 'omitted', 'followed'])
    expect(account.notes).toEqual(['omitted: “Cold days”'])
  })

  test('that is printed is called so', () => {
    const account = reported(
      [['instruction', 'Discover boots for winter walks']],
      ['Discover boots for winter walks'],
    )
    expect(account.parts[0]).toMatchObject({ outcome: 'not_supported', detail: 'printed as copy' })
    expect(account.notes).toEqual([
      'printed, although it may be an instruction: “Discover boots for winter walks”',
    ])
  })
})

describe('spec 4.2: what is to be avoided', () => {
  test.each([
    ['Do not write "cheap"', ['Warm feet'], 'followed'],
    ['Do not write "cheap"', ['Cheap boots'], 'not_followed'],
    ['no prices', ['Boots for 49 €'], 'not_followed'],
    ['never compare us with other brands of the market', ['Warm feet'], 'not_followed'],
    ['no red', ['Warm feet'], 'not_followed'],
  ])('%s, beside %j: %s', (text, printed, outcome) => {
    const account = reported([['avoid', text]], printed)
    expect(outcomes(account)).toEqual([outcome])
    expect(account.notes).toHaveLength(outcome === 'followed' ? 0 : 1)
  })
})

test('spec 4.2: a remark has no outcome, and a greeting no note', () => {
  const account = reported(
    [
      ['chat', 'Hi team! '],
      ['chat', 'Our budget is 5,000 € in all.'],
    ],
    ['Acme'],
  )
  expect(outcomes(account)).toEqual([undefined, undefined])
  expect(account.notes).toEqual([
    'read as a remark, not printed: “Our budget is 5,000 € in all”; to print it, put it in quotes or in `copy`',
  ])
})
