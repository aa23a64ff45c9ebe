// The shortest honest receiver: it verifies, stores each message once in a commit that reaches the disk, answers, and
// then applies the message and marks it as applied. Standard input is not read; SIGTERM ends it.
// argv: a JSON object {publicJwk, dataDir | databaseUrl}
import { createServer } from 'node:http'
import { createMinimalVerifier } from './signing.mjs'
import { inGroups, openMinimalStore } from './stores.mjs'

const { publicJwk, ...where } = JSON.parse(process.argv[2])
const isValid = createMinimalVerifier(publicJwk)
const blob = where.databaseUrl ? 'BYTEA' : 'BLOB'
const store = await openMinimalStore(where, {
  create: [
    `CREATE TABLE IF NOT EXISTS messages (idempotency_key TEXT PRIMARY KEY, body ${blob} NOT NULL, received_at BIGINT NOT NULL, applied_at BIGINT)`,
  ],
  sqlite: (database) => {
    const insert = database.prepare(
      'INSERT INTO messages (idempotency_key, body, received_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    )
    const mark = database.prepare('UPDATE messages SET applied_at = ? WHERE idempotency_key = ?')
    return {
      add: (rows) => rows.map(({ key, body }) => insert.run(key, body, Date.now()).changes === 1),
      markApplied: (keys) => {
        for (const key of keys) mark.run(Date.now(), key)
      },
    }
  },
  postgres: (query) => ({
    add: async (rows) => {
      const { rows: added } = await query(
        'INSERT INTO messages (idempotency_key, body, received_at) SELECT key, body, $3 FROM unnest($1::text[], $2::bytea[]) AS new (key, body) ON CONFLICT DO NOTHING RETURNING idempotency_key',
        [rows.map(({ key }) => key), rows.map(({ body }) => body), Date.now()],
      )
      const keys = new Set(added.map(({ idempotency_key }) => idempotency_key))
      return rows.map(({ key }) => keys.has(key))
    },
    markApplied: (keys) =>
      query('UPDATE messages SET applied_at = $1 WHERE idempotency_key = ANY($2::text[])', [
        Date.now(),
        keys,
      ]),
  }),
})
const add = inGroups((rows) => store.commit(({ add: addAll }) => addAll(rows)))
const markApplied = inGroups((keys) => store.commit(({ markApplied: mark }) => mark(keys)))

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', async () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    const url = `http://${request.headers.host}${request.url}`
    if (!isValid({ url, headers: request.headers, body })) {
      return response.writeHead(401).end()
    }
    const message = JSON.parse(body.toString())
    const isNew = await add({ key: message.idempotency_key, body })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"accepted"}')
    if (isNew) apply(message)
  })
})

/** What an app does with a message is its own affair. */
function apply({ idempotency_key }) {
  markApplied(idempotency_key)
}

server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit(0))
