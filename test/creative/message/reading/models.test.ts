import { readFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { readWith } from '../../../../src/creative/message/reading/models.ts'
import { reportOf } from '../reported-on.ts'

const WEIGHTS = new Uint8Array(
  readFileSync(
    new URL('../../../../src/creative/message/reading/weights/reader.bin', import.meta.url),
  ),
)

afterEach(() => readWith(WEIGHTS))

test('spec 4.2: what is not likely enough to be copy is left out, and a note says so', () => {
  expect(reportOf('Lemonade from Kent, 3 € a bottle').texts.headline).toBe(
    'Lemonade from Kent, 3 € a bottle',
  )
  readWith(WEIGHTS, 1.1)
  const { texts, notes } = reportOf('Elderflower from Kent, 3 € a bottle')
  expect(texts.headline).toBe('Acme')
  expect(notes).toEqual(['omitted: “Elderflower from Kent, 3 € a bottle”'])
})

test('spec 4.2: short copy that may be an order is printed, or a note has it', () => {
  const { printed, notes } = reportOf('Not for sale')
  expect([...printed, ...notes].join(' ')).toContain('Not for sale')
})
