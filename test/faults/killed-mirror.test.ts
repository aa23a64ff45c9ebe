// kill -9 of a mirror while it reads: it resumes where it was, skips nothing, and ends equal to its source.

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { adwire, folder, start } from '../support/cli.ts'
import { eventually } from '../support/eventually.ts'
import { createDice } from '../support/faults/random.ts'
import { growSource } from '../support/source-registry.ts'

/** The full number is run with `npm run test:faults`. */
const ROUNDS = Number(process.env.ADWIRE_FAULT_ROUNDS ?? 2)
const EVENTS = ROUNDS >= 100 ? 100_000 : 8_000
const KILLS = 3

test(
  `a mirror follows ${EVENTS} events through ${KILLS} kills and equals its source by digest`,
  async () => {
    const dice = createDice()
    const source = await startApp({
      config: { registryVerifyConcurrency: 0, registryCrawlConcurrency: 0 },
    })
    try {
      const grown = await growSource(source.storage, dice)
      const { key } = await source.organization('Mirror')
      await grown.change(EVENTS / 4)
      const data = folder()
      const args = ['registry', 'mirror', source.url, '--auth', key, '--data', data, '--create']
      const more = ['--allow-private', '--poll-seconds', '1']
      const eventsRead = async () => {
        const { stdout } = await adwire([
          'registry',
          'mirrors',
          '--data',
          data,
          '--create',
          '--json',
        ])
        const [mirror] = (JSON.parse(stdout) as { mirrors: { events_read: number }[] }).mirrors
        return mirror?.events_read ?? 0
      }
      let read = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const running = start([...args, ...more])
        await grown.change(EVENTS / 4)
        const before = read
        await eventually(async () => {
          read = await eventsRead()
          expect(read).toBeGreaterThan(before)
        })
        await sleep(dice.below(100))
        running.child.kill('SIGKILL')
        await running.ended
        const now = await eventsRead()
        expect(now, 'a kill took something back').toBeGreaterThanOrEqual(read)
        read = now
      }
      const checked = await adwire([...args, ...more, '--check', '--json'])
      expect(checked, `seed ${dice.seed}`).toMatchObject({ code: 0 })
      const said = JSON.parse(checked.stdout) as Record<string, unknown>
      expect(said, `seed ${dice.seed}`).toMatchObject({ is_equal: true, phase: 'follow' })
      expect(said.events_read, 'an event was skipped or stored twice').toBe(EVENTS + 1)
    } finally {
      await source.stop()
    }
  },
  600_000 + EVENTS * 10,
)
