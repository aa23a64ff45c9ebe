import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRequestQueue } from '../../../src/transports/http/request-queue.ts'
import { eventually } from '../../support/eventually.ts'
import { openRaw } from '../../support/raw-http.ts'

/** A server that answers when the test says so. */
async function served(maxPipelined = 10) {
  const queue = createRequestQueue({
    ownerOf: () => ({ name: 'a', hasKey: false }),
    maxPipelined,
  })
  const underWay: { url: string; response: ServerResponse }[] = []
  const server = createServer((request, response) =>
    queue.inOrder(request, response, () =>
      queue.inTurn(request, () => underWay.push({ url: request.url ?? '', response })),
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = () => underWay.map((one) => one.url)
  return { url, underWay, urls }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

test('pipelined requests are worked on one after the other, in their order', async () => {
  const { url, underWay, urls } = await served()
  const { socket, received } = openRaw(url)
  socket.write(get('/1') + get('/2') + get('/3'))
  for (const [index, path] of ['/1', '/2', '/3'].entries()) {
    await eventually(() => expect(underWay).toHaveLength(index + 1))
    expect(urls().at(-1)).toBe(path)
    underWay.at(-1)?.response.end(`answer ${path}`)
  }
  await eventually(() => expect(received()).toContain('answer /3'))
  // The connection is as good as new.
  socket.write(get('/4'))
  await eventually(() => expect(urls()).toEqual(['/1', '/2', '/3', '/4']))
})

test('while the client does not read an answer, the next request of its connection is not started', async () => {
  const { url, underWay } = await served()
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause()
  onTestFinished(() => void socket.destroy())
  socket.write(get('/1') + get('/2'))
  await eventually(() => expect(underWay).toHaveLength(1))
  // More than the buffers of the system take.
  underWay[0]?.response.end(Buffer.alloc(32 * 1_024 * 1_024))
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(underWay).toHaveLength(1)
  socket.resume()
  await eventually(() => expect(underWay).toHaveLength(2))
})

test('a connection with more waiting requests than it may have is closed', async () => {
  const { url, underWay } = await served(3)
  const { socket, closed } = openRaw(url)
  socket.write(Array.from({ length: 5 }, (_, n) => get(`/${n}`)).join(''))
  await closed
  expect(underWay.length).toBeLessThanOrEqual(1)
})

test('what waits on a connection that closes is never started', async () => {
  const { url, underWay } = await served()
  const gone = openRaw(url)
  gone.socket.write(get('/1') + get('/2'))
  await eventually(() => expect(underWay).toHaveLength(1))
  gone.socket.destroy()
  const { socket } = openRaw(url)
  socket.write(get('/3'))
  await eventually(() => expect(underWay.map((one) => one.url)).toEqual(['/1', '/3']))
})
