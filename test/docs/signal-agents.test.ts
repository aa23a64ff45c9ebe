import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PAGE = readFileSync(new URL('../../docs/signal-agents.md', import.meta.url), 'utf8')
const DEMO = new URL('../../src/signals/demo/', import.meta.url)

const signals = readdirSync(DEMO)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readFileSync(new URL(file, DEMO), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line) as { name: string; signal_agent_segment_id: string })

test('the table of examples speaks of signals that the demo catalogue has', () => {
  const table = /<!-- examples -->([\s\S]*)<!-- \/examples -->/.exec(PAGE)?.[1] ?? ''
  const returned = [...table.matchAll(/(?:\| |<br>)([^|<]+?) \([\d.]+\)/g)].map(([, name]) => name)
  expect(returned.length).toBeGreaterThan(25)
  expect(signals.map(({ name }) => name)).toEqual(expect.arrayContaining(returned))
})

test('the signal that the page activates is in the demo catalogue', () => {
  const id = /"signal_agent_segment_id": "(motorlane[^"]+)"/.exec(PAGE)?.[1]
  expect(signals.map((signal) => signal.signal_agent_segment_id)).toContain(id)
})
