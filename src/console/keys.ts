// The operator's own signing keys (spec 5): the state of each, what a change would do, and the change itself, by the
// rules of `adwire keys`. Every running instance is notified on commit.

import { RETIRING_MS, SHORTEST_LEAD_SECONDS, stateAt } from '../keys/lifecycle.ts'
import { generateKey, type KeyPorts, revokeKey, rotateKey } from '../keys/manage-keys.ts'
import { custodyOf, secretFault } from '../keys/private-key.ts'
import { KEY_PURPOSES, type SigningKeyRecord } from '../keys/store.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { joining, type Transaction } from '../lib/transaction.ts'
import type { OutboxStore, SentHeaders } from '../webhooks/sender/store.ts'
import { CONFIRM_CHARS, type SigningKey, type SigningKeys } from './api/keys.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso, isoOf } from './format-values.ts'
import type { Handlers } from './handlers.ts'
import { revocationOf, rotationOf } from './key-plans.ts'
import { notFound, Refused } from './refusal.ts'
import { keyidOf } from './signature-parts.ts'

export interface KeyViewPorts extends ActionPorts {
  clock: Clock
  outbox: Pick<OutboxStore, 'stats'>
  signingKeys: Omit<KeyPorts, 'transact'>
  /** Attempts of the latest deliveries, newest first, with the headers they were sent with. */
  latestSent: () => Promise<{ fired_at: number; request_headers: SentHeaders }[]>
  keyLeadSeconds: number
  /** The URLs of the key set and of the list of revoked keys. */
  keyUrls: () => { jwks: string; revocations: string }
}

type KeyRoute = 'listSigningKeys' | 'publishSigningKey' | 'rotateSigningKey' | 'revokeSigningKey'

export function keyHandlers(ports: KeyViewPorts): Handlers<KeyRoute> {
  const within = (tx: Transaction): KeyPorts => ({ ...ports.signingKeys, transact: joining(tx) })
  return {
    listSigningKeys: () => showKeys(ports),
    publishSigningKey: async ({ visitor, body: { purpose, algorithm } }) => {
      const wanted = { purpose, ...defined({ algorithm }) }
      const detail = (kid: string) => `published ${kid}`
      const action = { visitor, action: 'keys.publish', target: purpose, detail }
      await act(ports, action, async (tx) => {
        return accepted(await generateKey(within(tx), wanted)).key.kid
      })
      return showKeys(ports)
    },
    rotateSigningKey: async ({ visitor, body: { purpose, algorithm, in_a_hurry } }) => {
      const leadSeconds = in_a_hurry ? SHORTEST_LEAD_SECONDS : ports.keyLeadSeconds
      const wanted = { purpose, leadSeconds, ...defined({ algorithm }) }
      const detail = ({ kid, active_from }: SigningKeyRecord) =>
        `${kid} signs from ${isoOf(active_from ?? undefined)}`
      const action = { visitor, action: 'keys.rotate', target: purpose, detail }
      await act(ports, action, async (tx) => {
        return accepted(await rotateKey(within(tx), wanted)).key
      })
      return showKeys(ports)
    },
    revokeSigningKey: async ({ visitor, params: { kid }, body: { confirm } }) => {
      const detail = (signs: string) => `${signs} signs now`
      const action = { visitor, action: 'keys.revoke', target: kid, detail }
      await act(ports, action, async (tx) => {
        const key = (await ports.signingKeys.signingKeys.lockAll(tx)).find((one) => one.kid === kid)
        if (!key) throw notFound(`key ${kid}`)
        if (key.revoked_at !== null) throw conflict('the key is already revoked')
        if (confirm !== kid.slice(0, CONFIRM_CHARS)) {
          throw conflict(
            `type the first ${CONFIRM_CHARS} characters of the key: nothing was changed`,
          )
        }
        return accepted(await revokeKey(within(tx), kid)).signsNow.kid
      })
      return showKeys(ports)
    },
  }
}

async function showKeys(ports: KeyViewPorts): Promise<SigningKeys> {
  const { clock, outbox, signingKeys: held, keyLeadSeconds: leadSeconds } = ports
  const now = clock.now()
  const keys = await held.signingKeys.list()
  const { waiting } = await outbox.stats()
  const uses = await lastUses(ports)
  const urls = ports.keyUrls()
  const order = (key: SigningKeyRecord) => (key.revoked_at === null ? 1 : 0)
  const returned = [...keys].sort(
    (a, b) => order(b) - order(a) || b.published_at - a.published_at || (a.kid < b.kid ? 1 : -1),
  )
  return {
    at: iso(now),
    keys: returned.map((key) => serializeKey(key, { keys, now, usedAt: uses.get(key.kid) })),
    rotations: KEY_PURPOSES.map((purpose) => rotationOf(held, keys, { purpose, now, leadSeconds })),
    jwks_url: urls.jwks,
    revocations_url: urls.revocations,
    overlap_seconds: RETIRING_MS / 1_000,
    in_flight: { waiting: waiting.pending + waiting.held, sending: waiting.leased },
    ...defined({
      next_change_at: isoOf(nextChange(keys, now)),
      fault: secretFault(keys, held.box),
    }),
  }
}

interface KeyContext {
  /** All keys. */
  keys: readonly SigningKeyRecord[]
  now: number
  usedAt: number | undefined
}

function serializeKey(key: SigningKeyRecord, { keys, now, usedAt }: KeyContext): SigningKey {
  const timeOf = (at: number | null) => isoOf(at ?? undefined)
  return {
    kid: key.kid,
    purpose: key.purpose,
    algorithm: key.algorithm,
    state: stateAt(key, now),
    custody: custodyOf(key),
    published_at: iso(key.published_at),
    ...defined({
      signs_from: timeOf(key.active_from),
      signs_until: timeOf(key.retired_at),
      published_until: timeOf(key.remove_at),
      revoked_at: timeOf(key.revoked_at),
      last_used_at: isoOf(usedAt),
      revocation: key.revoked_at === null ? revocationOf(keys, key, now) : undefined,
    }),
  }
}

/** By key: a signature identifies the key it was made with. */
async function lastUses({ latestSent }: KeyViewPorts): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const { fired_at, request_headers } of await latestSent()) {
    const kid = keyidOf(request_headers)
    if (kid !== undefined) found.set(kid, Math.max(fired_at, found.get(kid) ?? 0))
  }
  return found
}

function nextChange(keys: readonly SigningKeyRecord[], now: number): number | undefined {
  const times = keys
    .filter(({ revoked_at }) => revoked_at === null)
    .flatMap(({ active_from, retired_at, remove_at }) => [active_from, retired_at, remove_at])
    .filter((at) => at !== null)
    .filter((at) => at > now)
  return times.length === 0 ? undefined : Math.min(...times)
}

function accepted<T extends { ok: true }>(result: T | { ok: false; message: string }): T {
  if (!result.ok) throw conflict(result.message)
  return result
}

function conflict(message: string): Refused {
  return new Refused(409, 'conflict', message)
}
