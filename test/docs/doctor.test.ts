import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { AGENT_CHECKS } from '../../src/doctor/agent/checks.ts'
import { withChecks } from '../../src/doctor/checks-page.ts'
import { RECEIVER_CHECKS } from '../../src/doctor/receiver/checks.ts'

const PAGE = readFileSync(new URL('../../docs/doctor.md', import.meta.url), 'utf8')

test('docs/doctor.md has every check as it is; npm run docs brings it up to date', () => {
  expect(PAGE).toBe(withChecks(PAGE))
  for (const { id } of [...AGENT_CHECKS, ...RECEIVER_CHECKS]) expect(PAGE).toContain(`\`${id}\``)
})

test.each([
  ['agent', AGENT_CHECKS],
  ['receiver', RECEIVER_CHECKS],
])('the checks of an %s have names of their own, and need only checks before them', (_, checks) => {
  const before = new Set<string>()
  for (const { id, group, needs = [] } of checks) {
    expect(before).not.toContain(id)
    for (const need of needs) expect(before).toContain(need)
    expect(id).toMatch(/^[a-z0-9][a-z0-9_-]+$/)
    expect(checks.some((other) => other.id === group)).toBe(false)
    before.add(id)
  }
})
