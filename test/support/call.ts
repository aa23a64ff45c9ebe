// One call over HTTP, as tests make it.

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** The body, which every answer of the server that is not a metric has as JSON. */
  body: Record<string, unknown>
}

export interface Call {
  method?: string
  key?: string
  /** Sent as JSON; a string as it is. */
  body?: unknown
  headers?: Record<string, string>
}

export async function call(
  url: string,
  { method, key, body, headers }: Call = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: asJson(text) }
}

function asJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { notJson: text }
  }
}
