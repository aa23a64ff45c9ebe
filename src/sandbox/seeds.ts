// The `seed_…` scenarios: data that graders want to exist before they start. A seed is stored with its input: seeding
// the same again changes nothing, and a different one under the same id is refused, since tests would depend on who
// came first.

import { z } from 'zod'
import { canonicalJson } from '../lib/canonical-json.ts'
import { isLongerAsJson } from '../lib/json-size.ts'
import { isStorable } from '../lib/storable-text.ts'
import type { Transact, Transaction } from '../lib/transaction.ts'
import { opaqueId } from '../protocol/schemas/common.ts'
import { SANDBOX_LIMITS } from './limits.ts'
import { type AnyScenario, ControllerError, defineScenario, type ScenarioCall } from './scenario.ts'
import type { SandboxStore } from './store.ts'

/** The domain object that a seed describes. */
export type Fixture = Readonly<Record<string, unknown>>

interface Seed {
  /** By the names of its params. */
  ids: Readonly<Record<string, string>>
  fixture: Fixture
}

export interface SeedKind {
  name: string
  /** The params that name it. */
  ids: readonly string[]
  /** Stores it where it belongs; throws a ControllerError if that is not possible. */
  put(tx: Transaction, seed: Seed, call: ScenarioCall): Promise<void>
}

export interface SeedPorts {
  transact: Transact
  notes: SandboxStore
}

const MAX_FIXTURE_BYTES = 256 * 1_024

export function seedScenario(kind: SeedKind, { transact, notes }: SeedPorts): AnyScenario {
  const ids = Object.fromEntries(kind.ids.map((name) => [name, opaqueId.refine(isStorable)]))
  return defineScenario({
    name: kind.name,
    params: z.looseObject({ ...ids, fixture: z.looseObject({}).optional() }),
    run: ({ fixture = {}, ...params }, call) => {
      const named = Object.fromEntries(kind.ids.map((name) => [name, String(params[name])]))
      const json = canonicalJson(fixture)
      if (isLongerAsJson(fixture, MAX_FIXTURE_BYTES) || !isStorable(json)) {
        const message = `/params/fixture: give plain text below ${MAX_FIXTURE_BYTES} bytes`
        throw new ControllerError('INVALID_PARAMS', message)
      }
      const key = {
        owner: call.owner,
        kind: 'seed' as const,
        name: JSON.stringify([kind.name, ...Object.values(named)]),
      }
      return transact(async (tx) => {
        const before = await notes.lock(tx, key)
        if (before && canonicalJson(before.value) === json) return { message: 'existing' }
        if (before) {
          const message = '/params/fixture: another one was seeded under this id: take a new id'
          throw new ControllerError('INVALID_PARAMS', message)
        }
        await refuseTooMany({ notes }, tx, { owner: call.owner, chars: json.length })
        await kind.put(tx, { ids: named, fixture }, call)
        await notes.put(tx, key, fixture)
        return { message: 'seeded' }
      })
    },
  })
}

async function refuseTooMany(
  { notes }: Pick<SeedPorts, 'notes'>,
  tx: Transaction,
  { owner, chars }: { owner: string; chars: number },
): Promise<void> {
  const { seeds, seedBytes } = SANDBOX_LIMITS
  const kept = await notes.usage(tx, owner, 'seed')
  if (kept.count < seeds.value && kept.chars + chars <= seedBytes.value) return
  const message = `/params/fixture: a tenant may seed ${seeds.value} fixtures of ${seedBytes.value} bytes together: use a new key`
  throw new ControllerError('INVALID_PARAMS', message)
}

/** The names of everything of one kind that a caller has seeded. */
export async function seededIds(
  { notes }: Pick<SeedPorts, 'notes'>,
  owner: string,
  kind: string,
): Promise<string[]> {
  const all = await notes.list('seed', { owner, limit: 10_000 })
  return all.flatMap(({ name }) => {
    const [of, id] = JSON.parse(name) as string[]
    return of === kind && id !== undefined ? [id] : []
  })
}

export function invalidFixture(faults: readonly string[]): ControllerError {
  return new ControllerError('INVALID_PARAMS', `/params/fixture: ${faults.join(' ')}`)
}

/** A member of a fixture that is an object, or undefined. */
export function objectIn(fixture: Fixture, member: string): Fixture {
  const value = fixture[member]
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fixture) : {}
}

/** A member of a fixture that is a text that can be stored, or undefined. */
export function textIn(fixture: Fixture, member: string): string | undefined {
  const value = fixture[member]
  return typeof value === 'string' && value !== '' ? value : undefined
}
