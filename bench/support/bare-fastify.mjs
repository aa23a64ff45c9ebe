// The baseline of a wire: a bare Fastify route that reads the request and answers fixed bytes.
// argv: a file that holds {path, headers, body} in JSON
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const { path, headers, body } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const app = fastify()
app.post(path, (_request, reply) => reply.headers(headers).send(body))
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`http://127.0.0.1:${app.server.address().port}`)
process.on('SIGTERM', () => process.exit(0))
