import { expect, test } from 'vitest'
import { buildCost, previewCost } from '../../src/creative/drawing-cost.ts'
import type { CallContext } from '../../src/protocol/task.ts'

const call = {} as CallContext
const formats = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ agent_url: 'https://a.example', id: `f-${n}` }))
const inputs = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `v${n}` }))

test('H1: the cost of a build grows with formats × variants × previews and its kilobytes', () => {
  const one = buildCost.estimate({ message: 'Sale' }, call)
  const five = buildCost.estimate({ target_format_ids: formats(5), max_variants: 10 }, call)
  const previews = { include_preview: true, preview_inputs: inputs(50) }
  const all = buildCost.estimate({ target_format_ids: formats(50), ...previews }, call)
  expect(one).toBeLessThan(200)
  expect(five).toBeGreaterThan(3 * Number(one))
  expect(all).toBeGreaterThan(2_500)
  expect(all).toBeLessThanOrEqual(buildCost.limit)
  const picture = 'x'.repeat(2 * 1_024 * 1_024)
  expect(buildCost.estimate({ message: 'Sale', config: { picture } }, call)).toBeGreaterThan(2_000)
})

test('H1: the cost of previews grows with creatives × inputs, also where an entry is malformed', () => {
  const batch = (requests: unknown[]) =>
    previewCost.estimate({ request_type: 'batch', requests }, call)
  const one = previewCost.estimate({ request_type: 'single' }, call)
  expect(one).toBeLessThan(200)
  const entries = Array.from({ length: 50 }, () => ({ inputs: inputs(50) }))
  expect(batch(entries)).toBeGreaterThan(25_000)
  expect(batch(entries)).toBeLessThanOrEqual(previewCost.limit)
  expect(batch([null, 'text', { inputs: 'many' }])).toBeGreaterThanOrEqual(Number(one))
})
