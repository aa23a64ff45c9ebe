// The shortest honest sender: one row for each event in a commit that reaches the disk, claimed in batches under a lease,
// signed, posted, and its result stored in batches. What a process that dies had claimed is sent again after the lease.
import { randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { createMinimalSigner } from './signing.mjs'
import { inGroups, openMinimalStore } from './stores.mjs'

const LEASE_MS = 60_000

export async function openMinimalSender({ url, inFlight, privateJwk, ...where }) {
  const sign = createMinimalSigner(privateJwk)
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections: inFlight })
  const store = await openMinimalStore(where, statementsFor(where.databaseUrl ? 'BYTEA' : 'BLOB'))
  const add = inGroups((rows) => store.commit(({ add: addAll }) => addAll(rows)))
  const finish = inGroups((results) => store.commit(({ finish: finishAll }) => finishAll(results)))
  const wanted = []
  let isClaiming = false
  let isEmpty = true
  let isStopped = false

  const claim = async () => {
    if (isClaiming || isEmpty || wanted.length === 0) return
    isClaiming = true
    // An event that is added meanwhile sets it back.
    isEmpty = true
    const limit = wanted.length
    const rows = await store.commit(({ claim: claimSome }) => claimSome(limit))
    isClaiming = false
    if (rows.length === limit) isEmpty = false
    for (const row of rows) wanted.shift()?.(row)
    claim()
  }
  const slot = async () => {
    while (!isStopped) {
      const row = await new Promise((resolve) => {
        wanted.push(resolve)
        claim()
      })
      if (row === undefined) return
      const body = Buffer.from(row.body)
      const headers = sign(url, body)
      const answer = await pool.request({ method: 'POST', path, headers, body })
      await answer.body.dump()
      await finish({ id: row.id, status: answer.statusCode })
      if (answer.statusCode === 200) done += 1
    }
  }
  let done = 0
  const slots = Array.from({ length: inFlight }, slot)
  return {
    emit: async (body) => {
      await add({ id: randomUUID(), body })
      isEmpty = false
      claim()
    },
    delivered: () => done,
    close: async () => {
      isStopped = true
      for (const resolve of wanted.splice(0)) resolve(undefined)
      await Promise.all(slots)
      await pool.close()
      await store.close()
    },
  }
}

function statementsFor(blob) {
  return {
    create: [
      `CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body ${blob} NOT NULL, state TEXT NOT NULL, leased_until BIGINT NOT NULL DEFAULT 0, status INTEGER)`,
      "CREATE INDEX IF NOT EXISTS events_open ON events (leased_until) WHERE state = 'open'",
    ],
    sqlite: (database) => {
      const insert = database.prepare("INSERT INTO events (id, body, state) VALUES (?, ?, 'open')")
      const take = database.prepare(
        "UPDATE events SET leased_until = ? WHERE id IN (SELECT id FROM events WHERE state = 'open' AND leased_until <= ? ORDER BY leased_until LIMIT ?) RETURNING id, body",
      )
      const end = database.prepare('UPDATE events SET state = ?, status = ? WHERE id = ?')
      return {
        add: (rows) => {
          for (const { id, body } of rows) insert.run(id, body)
        },
        claim: (limit) => take.all(Date.now() + LEASE_MS, Date.now(), limit),
        finish: (results) => {
          for (const { id, status } of results) end.run(stateOf(status), status, id)
        },
      }
    },
    postgres: (query) => ({
      add: (rows) =>
        query(
          "INSERT INTO events (id, body, state) SELECT id, body, 'open' FROM unnest($1::text[], $2::bytea[]) AS new (id, body)",
          [rows.map(({ id }) => id), rows.map(({ body }) => body)],
        ),
      claim: async (limit) => {
        const { rows } = await query(
          "UPDATE events SET leased_until = $1 WHERE id IN (SELECT id FROM events WHERE state = 'open' AND leased_until <= $2 ORDER BY leased_until LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING id, body",
          [Date.now() + LEASE_MS, Date.now(), limit],
        )
        return rows
      },
      finish: (results) =>
        query(
          'UPDATE events SET state = ended.state, status = ended.status FROM unnest($1::text[], $2::text[], $3::integer[]) AS ended (id, state, status) WHERE events.id = ended.id',
          [
            results.map(({ id }) => id),
            results.map(({ status }) => stateOf(status)),
            results.map(({ status }) => status),
          ],
        ),
    }),
  }
}

/** Anything else is sent again when its lease ends. */
function stateOf(status) {
  return status === 200 ? 'delivered' : 'open'
}
