// How the attacks of `attacks.mjs` and `large-attacks.mjs` call a server, and say what came of it.
import { createServer } from 'node:http'

export async function many(count, one) {
  return tally(await Promise.all(Array.from({ length: count }, (_, n) => one(n))))
}

export function tally(statuses) {
  const counts = new Map()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .map(([status, count]) => (count === 1 ? status : `${count} x ${status}`))
    .join(', ')
}

export async function post(to, path, body, key) {
  const { status, bytes } = await call(to, path, body, key)
  return bytes > 1e6 ? `${status} with ${(bytes / 1e6).toFixed(1)} MB` : String(status)
}

/** Never rejects; an attacker who is cut off has lost. */
export async function call({ host, port, patienceMs }, path, body, key) {
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(patienceMs),
    })
    const text = await answer.text()
    return { status: answer.status, text, bytes: text.length }
  } catch (error) {
    return { status: error.name === 'TimeoutError' ? 'no answer' : 'cut off', text: '', bytes: 0 }
  }
}

/** A stranger's site for as long as `work` takes; addresses that begin with / are made whole. */
export async function serving(files, work) {
  const server = createServer((request, response) => {
    const { port } = server.address()
    const text = files[request.url] ?? ''
    response.end(text.replaceAll('"url":"/', `"url":"http://127.0.0.1:${port}/`))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${server.address().port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
