// A receiver that reads every body and answers 200, and says how many it had on GET.
import { createServer } from 'node:http'

let count = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.method === 'POST') count++
    response.end(request.method === 'POST' ? '' : String(count))
  })
})
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
process.on('SIGTERM', () => process.exit(0))
