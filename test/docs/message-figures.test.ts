import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageFigures, withFigures } from '../../scripts/message-figures.mjs'

const PAGE = readFileSync(new URL('../../docs/creative-agents.md', import.meta.url), 'utf8')

test('the page of the creative agent has the figures that were measured; npm run docs brings it up to date', () => {
  expect(PAGE).toBe(withFigures(PAGE))
})

test('the figures are of people and authors that the reader was not trained on, and no fact is lost', () => {
  const { unseen, heldOut, groups } = messageFigures()
  expect(unseen).toHaveLength(6)
  expect(groups.flat().length).toBeGreaterThanOrEqual(10)
  expect(heldOut.languages.length).toBeGreaterThan(20)
  for (const { reader, nothing, all } of unseen) {
    expect(reader.losesFact).toBe(0)
    expect(reader.falseNotes).toBe(0)
    expect(nothing.copyDrawn).toBe(0)
    expect(all.printsInstruction).toBeGreaterThan(0.9)
  }
})
