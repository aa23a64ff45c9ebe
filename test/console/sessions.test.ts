import { beforeEach, expect, test } from 'vitest'
import { createPrincipal } from '../../src/agent/principals.ts'
import { createSessions } from '../../src/console/sessions.ts'
import { createAuditStore } from '../../src/storage/stores/console/audit.ts'
import { createSessionStore } from '../../src/storage/stores/console/sessions.ts'
import { createPrincipalStore } from '../../src/storage/stores/principals/principals.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const MINUTE_MS = 60_000

onBothStores(
  'the life of a session',
  (database) => {
    let key: string
    const sessions = () =>
      createSessions({
        transact: database().transact,
        clock,
        demoKey: () => undefined,
        sessions: createSessionStore(database()),
        audit: createAuditStore(database()),
        principals: createPrincipalStore(database(), clock),
        keyOwner: async () => undefined,
      })
    const cookie = async () => {
      const signedIn = await sessions().signIn({ key }, '192.0.2.1')
      if (!signedIn.ok) throw new Error(signedIn.why)
      return signedIn.cookie
    }
    beforeEach(async () => {
      const principals = createPrincipalStore(database(), clock)
      const ports = { transact: database().transact, principals }
      const made = await createPrincipal(ports, { name: 'A', scopes: ['operator'] })
      if (!made.ok) throw new Error(made.message)
      key = made.key
    })

    test('ends after an hour without a request', async () => {
      const value = await cookie()
      clock.advance(59 * MINUTE_MS)
      expect(await sessions().visitorOf(value)).toBeDefined()
      clock.advance(59 * MINUTE_MS)
      expect(await sessions().visitorOf(value)).toBeDefined()
      clock.advance(60 * MINUTE_MS)
      expect(await sessions().visitorOf(value)).toBeUndefined()
    })

    test('is not kept alive by an open stream', async () => {
      const value = await cookie()
      clock.advance(50 * MINUTE_MS)
      expect(await sessions().visitorOf(value, { isUse: false })).toBeDefined()
      clock.advance(10 * MINUTE_MS)
      expect(await sessions().visitorOf(value, { isUse: false })).toBeUndefined()
    })

    test('ends after twelve hours, however much it is used', async () => {
      const value = await cookie()
      for (let n = 0; n < 23; n++) {
        clock.advance(30 * MINUTE_MS)
        expect(await sessions().visitorOf(value)).toBeDefined()
      }
      clock.advance(30 * MINUTE_MS)
      expect(await sessions().visitorOf(value)).toBeUndefined()
    })

    test('its token is its own, and not its cookie', async () => {
      const [one, other] = [await cookie(), await cookie()]
      const tokens = await Promise.all(
        [one, other].map(async (value) => (await sessions().visitorOf(value))?.csrf),
      )
      expect(new Set([...tokens, one, other]).size).toBe(4)
      expect(await sessions().visitorOf('x'.repeat(43))).toBeUndefined()
      expect(await sessions().visitorOf("' OR 1=1 --")).toBeUndefined()
    })
  },
  { clock },
)
