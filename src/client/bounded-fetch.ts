// Wraps any fetch function so that it ends when its signal is aborted, even if it ignores the signal.

import type { ClientFetch } from '../transports/client.ts'

export function boundedFetch(fetch: ClientFetch): ClientFetch {
  return (request) => {
    const { signal } = request
    if (!signal) return fetch(request)
    return new Promise((resolve, reject) => {
      const stop = () => reject(new Error('the request was aborted'))
      if (signal.aborted) return stop()
      signal.addEventListener('abort', stop, { once: true })
      fetch(request)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop))
    })
  }
}
