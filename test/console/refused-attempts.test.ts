import { beforeEach, expect, test } from 'vitest'
import { CONSOLE_LIMITS } from '../../src/console/limits.ts'
import {
  createRefusedAttempts,
  type RefusedAttempt,
  type RefusedAttemptPorts,
} from '../../src/console/refused-attempts.ts'
import { createAuditStore } from '../../src/storage/stores/console/audit.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const MOST = CONSOLE_LIMITS.refusedKindsPerHour.value

onBothStores(
  'refused attempts in the audit log',
  (database) => {
    let faults: unknown[]
    const audit = () => createAuditStore(database())
    const recorder = (over: Partial<RefusedAttemptPorts> = {}) =>
      createRefusedAttempts({
        transact: database().transact,
        audit: audit(),
        clock,
        onFault: (error) => faults.push(error),
        ...over,
      })
    const attempt = (over: Partial<RefusedAttempt> = {}): RefusedAttempt => ({
      by: undefined,
      address: '192.0.2.1',
      action: 'session.sign_in',
      code: 'unknown_key',
      detail: 'no principal has this key',
      ...over,
    })
    const entries = async () => (await audit().list({ limit: 1_000 })).rows
    beforeEach(async () => {
      faults = []
      await database().transact((tx) => tx.run('DELETE FROM console_audit'))
    })

    test('the first attempt is stored before it is answered', async () => {
      await recorder().record(attempt())
      expect(await entries()).toMatchObject([
        { principal_id: 'unknown', address: '192.0.2.1', outcome: 'refused', attempts: 1 },
      ])
    })

    test('a flood from one address is one entry with its count, and one write for the rest', async () => {
      let commits = 0
      const transact: RefusedAttemptPorts['transact'] = (work) => {
        commits += 1
        return database().transact(work)
      }
      const attempts = recorder({ transact })
      for (let n = 0; n < 5_000; n++) await attempts.record(attempt())
      expect(commits).toBe(1)
      await attempts.stop()
      expect(commits).toBe(2)
      expect(await entries()).toMatchObject([{ attempts: 5_000, last_at: clock.now() }])
    })

    test('attempts that arrive together are one entry', async () => {
      const attempts = recorder()
      await Promise.all(Array.from({ length: 50 }, () => attempts.record(attempt())))
      await attempts.stop()
      expect(await entries()).toMatchObject([{ attempts: 50 }])
    })

    test('reasons, actions, addresses and principals have entries of their own', async () => {
      const attempts = recorder()
      const by = { principal_id: 'prn_a', name: 'A', key_id: 'key_a' }
      for (const over of [
        {},
        { code: 'often' },
        { action: 'links.open' },
        { address: 'b' },
        { by },
      ])
        await attempts.record(attempt(over))
      expect(await entries()).toHaveLength(5)
    })

    test('beyond the hourly limit of kinds unknown callers are counted together, and principals are not', async () => {
      const attempts = recorder()
      for (let n = 0; n < MOST + 300; n++) {
        await attempts.record(attempt({ address: `10.0.${n >> 8}.${n & 255}` }))
      }
      const by = { principal_id: 'prn_a', name: 'A', key_id: undefined }
      await attempts.record(attempt({ by }))
      await attempts.stop()
      const rows = await entries()
      expect(rows).toHaveLength(MOST + 2)
      expect(rows.filter(({ principal_id }) => principal_id === 'prn_a')).toHaveLength(1)
      expect(rows.filter(({ address }) => address === undefined)).toMatchObject([
        { attempts: 300, detail: expect.stringContaining('counted together') },
      ])
      expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(MOST + 301)
    })

    test('another hour has entries of its own, also when the clock was set back', async () => {
      const attempts = recorder()
      await attempts.record(attempt())
      clock.advance(3_600_000)
      await attempts.record(attempt())
      clock.advance(-7_200_000)
      await attempts.record(attempt())
      expect(await entries()).toHaveLength(3)
    })

    test('what could not be written is refused all the same, and written later', async () => {
      let isAway = true
      const transact: RefusedAttemptPorts['transact'] = (work) =>
        isAway ? Promise.reject(new Error('away')) : database().transact(work)
      const attempts = recorder({ transact })
      await attempts.record(attempt())
      await attempts.record(attempt())
      expect(faults).toHaveLength(1)
      isAway = false
      clock.advance(3_600_000)
      await attempts.record(attempt())
      await attempts.stop()
      expect(await entries()).toMatchObject([{ attempts: 3 }])
    })
  },
  { clock },
)
