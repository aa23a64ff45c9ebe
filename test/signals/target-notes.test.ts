import { expect, test } from 'vitest'
import { targetNotes } from '../../src/signals/target-notes.ts'

const dsp = { type: 'platform' as const, platform: 'dsp' }
const agent = { type: 'agent' as const, agent_url: 'https://agent.example' }

test('spec 4.3: members that name different targets are answered with a note', () => {
  expect(targetNotes({ destinations: [dsp], deliver_to: { deployments: [agent] } })).toEqual([
    '/destinations and /deliver_to/deployments name different targets: signals for any of them are returned',
  ])
})

test('members that name the same targets, or only one of them, get none', () => {
  expect(targetNotes({ destinations: { deployments: [dsp] }, deployments: [dsp] })).toEqual([])
  expect(targetNotes({ destinations: [dsp, agent] })).toEqual([])
})
