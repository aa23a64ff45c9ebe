// A load generator that costs little: raw sockets, one request in flight on each, and no more
// parsing of an answer than finding its end.
import { connect } from 'node:net'

/**
 * @param {{ host: string, port: number, connections: number, seconds: number, count?: number,
 *   next: () => Buffer | string }} options ends after `seconds`, or `count` requests
 * @returns {Promise<{ rate: number, p50: number, p99: number, count: number, errors: number }>}
 *   requests a second and milliseconds
 */
export async function load({ host, port, connections, seconds, count = Infinity, next }) {
  const latencies = []
  let errors = 0
  const started = performance.now()
  const until = started + seconds * 1_000
  await Promise.all(
    Array.from({ length: connections }, () =>
      talk({ host, port, next, until, count }, latencies).then((failed) => {
        errors += failed
      }),
    ),
  )
  const elapsed = (performance.now() - started) / 1_000
  latencies.sort((a, b) => a - b)
  return {
    rate: latencies.length / elapsed,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
    count: latencies.length,
    errors,
  }
}

function talk({ host, port, next, until, count }, latencies) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true })
    let sentAt = 0
    let failed = 0
    let held = ''
    const send = () => {
      sentAt = performance.now()
      socket.write(next())
    }
    socket.once('connect', send)
    socket.once('error', reject)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      held = held === '' ? chunk : held + chunk
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /content-length: (\d+)/i.exec(held)
      if (held.length < end + 4 + Number(length?.[1] ?? 0)) return
      if (!held.startsWith('HTTP/1.1 2')) failed++
      held = ''
      const now = performance.now()
      latencies.push(now - sentAt)
      if (now < until && latencies.length < count) return send()
      socket.destroy()
      resolve(failed)
    })
  })
}
