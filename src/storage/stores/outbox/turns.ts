// Owners in turn, in SQL: selects the circuits to examine when there are more than one claim can take. A walk skips
// from owner to owner along an index that begins with the owner, starting where the last one stopped, so that an
// owner with a thousand dead endpoints costs one step and delays no one (spec 6.4).

import type { Database, SqlTransaction } from '../../sql/database.ts'
import { inShards } from './shards.ts'

type Dialect = Database['dialect']

interface Step {
  tx: SqlTransaction
  now: number
  /** Circuits of other shards are left out. */
  shards: ReadonlySet<number>
}

/** Lanes of circuits, taking those of each owner in turn, up to a limit. */
export type OwnerTurns = (step: Step, most: number) => Promise<string[]>

/** Circuits whose probe is due, the longest due first for each owner. */
export function probeTurns(dialect: Dialect): OwnerTurns {
  const turns = circuitTurns(dialect, {
    walked: 'c.probe_at IS NOT NULL',
    wanted: 'c.probe_at <= $5',
    order: 'c.probe_at',
  })
  return (step, most) => turns(step, most, [step.now])
}

/** Closed circuits that may still hold deliveries. */
export function releaseTurns(dialect: Dialect): OwnerTurns {
  const walked = 'c.is_releasing = 1'
  const turns = circuitTurns(dialect, { walked, wanted: walked, order: 'c.lane' })
  return (step, most) => turns(step, most, [])
}

interface Circuits {
  /** The condition of the index that the walk uses. */
  walked: string
  /** The rows to find; `$5` and later are its parameters. */
  wanted: string
  order: string
}

/** Owners of one walk, and walks until something is found. */
const OWNERS = 32
const WALKS = 4

function circuitTurns(dialect: Dialect, circuits: Circuits) {
  const sql = walkSql(dialect, circuits)
  let cursor = ''

  return async (
    { tx, shards }: Step,
    most: number,
    params: readonly number[],
  ): Promise<string[]> => {
    const found = new Map<string, string[]>()
    for (let walk = 0; walk < WALKS && found.size === 0; walk++) {
      const began = cursor
      const rows = await tx.all<{ owner: string; lane: string | null }>(sql, [
        began,
        OWNERS,
        most,
        JSON.stringify([...shards]),
        ...params,
      ])
      const isCut = new Set(rows.map(({ owner }) => owner)).size === OWNERS
      cursor = isCut ? (rows.at(-1)?.owner ?? '') : ''
      for (const { owner, lane } of rows) {
        if (lane !== null) found.set(owner, [...(found.get(owner) ?? []), lane])
      }
      if (!isCut && began === '') break
    }
    return inTurn([...found.values()]).slice(0, most)
  }
}

function walkSql(dialect: Dialect, { walked, wanted, order }: Circuits): string {
  const first = `FROM webhook_circuits c WHERE ${walked} AND ${wanted} AND c.owner = o.owner
    AND ${inShards(dialect, 'c.shard', 4)}
    ORDER BY ${order} LIMIT $3`
  const joined =
    dialect === 'postgres'
      ? `LEFT JOIN LATERAL (SELECT c.lane ${first}) f ON true`
      : `LEFT JOIN webhook_circuits f ON f.lane IN (SELECT c.lane ${first})`
  const next = (after: string) => `(SELECT c.owner FROM webhook_circuits c
    WHERE ${walked} AND c.owner > ${after} ORDER BY c.owner LIMIT 1)`
  return `WITH RECURSIVE o(owner, n) AS (
      SELECT ${next('$1')}, 1
      UNION ALL
      SELECT ${next('o.owner')}, o.n + 1 FROM o WHERE o.owner IS NOT NULL AND o.n < $2)
    SELECT o.owner, f.lane FROM o ${joined} WHERE o.owner IS NOT NULL ORDER BY o.n`
}

/** The first of each, then the second of each, and so on. */
function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) =>
    lists.flatMap((list) => list.slice(at, at + 1)),
  ).flat()
}
