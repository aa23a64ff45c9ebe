// A wire to PostgreSQL that takes its time: half of a round trip in each direction, in order. Counts what is sent to the
// server: what a client writes at once is one message.
import { connect, createServer } from 'node:net'

export async function startSlowWire(target, roundTripMs) {
  const { hostname, port } = new URL(target)
  let messages = 0
  const sockets = new Set()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    sockets.add(client).add(upstream)
    client.on('data', (chunk) => {
      messages += 1
      later(() => upstream.write(chunk))
    })
    upstream.on('data', (chunk) => later(() => client.write(chunk)))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  const later = (work) => setTimeout(work, roundTripMs / 2)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(server.address().port)
  return {
    url: url.href,
    messages: () => messages,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
