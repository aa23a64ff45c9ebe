// One request after the other on some connections to a server in a process of its own.
import { load } from '../support/load.mjs'
import { cpuMs, startServer } from '../support/processes.mjs'

const BARE = {
  http: new URL('../support/bare-http.mjs', import.meta.url).pathname,
}

/** @returns {import('./rounds.mjs').Way} */
export function loaded(server, { next, count, connections }) {
  return async () => {
    const before = cpuMs(server.child.pid)
    const seconds = Number.POSITIVE_INFINITY
    const done = await load({ ...server, connections, seconds, count, next })
    if (done.errors > 0) throw new Error(`${done.errors} of ${done.count} requests failed`)
    const cpu = cpuMs(server.child.pid) - before
    return { rate: done.rate, cpuUs: (cpu * 1_000) / done.count, p99: done.p99 }
  }
}

export function getRequest(path) {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
}

export function postRequest(path, body, headers = {}) {
  const text = JSON.stringify(body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

/** What the server answers, as the headers and body of a server that answers nothing else. */
export async function answerOf({ host, port }, path, body) {
  const answer = await fetch(`http://${host}:${port}${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      accept: 'application/json, text/event-stream',
    },
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  const headers = Object.fromEntries(answer.headers)
  for (const name of ['date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name]
  return { headers, body: await answer.text() }
}

/** A bare node:http server that always gives this answer. */
export function startBare(answer) {
  return startServer([BARE.http, JSON.stringify(answer)])
}
