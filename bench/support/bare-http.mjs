// The baseline: a bare node:http server that answers every request with the same bytes.
// argv: a JSON object {headers, body}
import { createServer } from 'node:http'

const { headers, body } = JSON.parse(process.argv[2])
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit(0))
