import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refuseMalformed } from '../../src/lib/refuse-malformed.ts'

async function serving(options = {}) {
  const server = createServer(options, (request, response) => {
    request.resume()
    response.end('ok')
  })
  server.on('clientError', refuseMalformed)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Everything that is received until the server ends it. */
async function say(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return received
}

test.each([
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n',
  ],
  ['no method', '\u0001\u0002 nonsense\r\n\r\n'],
])('a request with %s hears 400, however much more follows', async (_what, head) => {
  const port = await serving()
  const more = 'x'.repeat(2_000_000)
  for (let n = 0; n < 20; n++) {
    const received = await say(port, head + more)
    expect(received.split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request')
    expect(received).toContain('"error":"the request is malformed: it is not well-formed')
  }
})

test('headers that are too long hear 431', async () => {
  const port = await serving({ maxHeaderSize: 1_000 })
  const received = await say(
    port,
    `GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'y'.repeat(5_000)}\r\n\r\n`,
  )
  expect(received.split('\r\n')[0]).toBe('HTTP/1.1 431 Request Header Fields Too Large')
})

test('a request that does not end in time hears 408', async () => {
  const port = await serving({
    headersTimeout: 50,
    requestTimeout: 50,
    connectionsCheckingInterval: 20,
  })
  const received = await say(port, 'GET / HTTP/1.1\r\nhost: a')
  expect(received.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout')
})
