import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askForBody, keepWaiting, lingerForResponse } from '../../src/lib/linger.ts'

/** A server that answers before it reads, and keeps or closes the connection. */
async function serving(answer: RequestListener): Promise<number> {
  const server = createServer((request, response) => {
    lingerForResponse(request, response)
    answer(request, response)
  })
  server.on('checkContinue', (request, response) => {
    keepWaiting(request, response)
    lingerForResponse(request, response)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.closeAllConnections())
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function open(port: number): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return { socket, received: () => received, closed }
}

const head = (length: number, more = '') =>
  `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n${more}\r\n`
const CHUNKED = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n'
const refuse =
  (headers = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(413, headers).end('no')

test.each([
  ['that keeps the connection', {}],
  ['that closes it', { connection: 'close' }],
])(
  'a response %s is received by a client that writes everything before it reads',
  async (_what, headers) => {
    const port = await serving(refuse(headers))
    for (let n = 0; n < 10; n++) {
      const { socket, received, closed } = open(port)
      socket.pause()
      await new Promise((resolve) => socket.write(head(3_000_000) + 'x'.repeat(3_000_000), resolve))
      socket.end()
      socket.resume()
      await closed
      expect(received()).toContain('413 Payload Too Large')
    }
  },
)

test.each([
  ['keeps', {}],
  ['closes', { connection: 'close' }],
])(
  'an upload without end is cut, also when the answer %s the connection',
  async (_what, headers) => {
    const port = await serving(refuse(headers))
    const { socket, received, closed } = open(port)
    const endless = () => {
      while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`));
    }
    socket.on('drain', endless)
    socket.write(CHUNKED)
    endless()
    await closed
    expect(received()).toContain('413 Payload Too Large')
  },
)

test('a small body is let past, and the connection serves the next request', async () => {
  let requests = 0
  const port = await serving((_request, response) => {
    requests++
    response.end(`answer ${requests}`)
  })
  const { socket, received } = open(port)
  socket.write(`${head(5)}12345${head(5)}12345`)
  await expect.poll(received).toContain('answer 2')
  socket.destroy()
})

test('a body that has come before the answer does not delay the end of the connection', async () => {
  const port = await serving((request, response) => {
    request.resume()
    request.once('end', () => response.setHeader('connection', 'close').end('done'))
  })
  const { socket, received, closed } = open(port)
  socket.write(`${head(5)}12345`)
  await closed
  expect(received()).toContain('done')
})

test('a client that waits for it gets 100 Continue only when its body is wanted', async () => {
  const expecting = 'expect: 100-continue\r\n'
  const refusing = open(await serving(refuse()))
  refusing.socket.write(head(100, expecting))
  await refusing.closed
  expect(refusing.received()).toMatch(/^HTTP\/1\.1 413 /)
  expect(refusing.received()).toContain('onnection: close')

  const reading = open(
    await serving(async (request, response) => {
      askForBody(request)
      const [body] = (await once(request, 'data')) as [Buffer]
      response.end(body)
    }),
  )
  reading.socket.write(head(5, expecting))
  await expect.poll(reading.received).toContain('100 Continue')
  reading.socket.write('hello')
  await expect.poll(reading.received).toContain('hello')
  reading.socket.destroy()
})
