// Validates what a caller puts into a request, for the egress guard. A bad method, header or limit is a bug in our
// own program, so it is thrown as a TypeError before anything leaves the server.

export interface RequestParts {
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array | string
  totalTimeoutMs?: number
  queueTimeoutMs?: number
  maxBytes?: number
}

export interface PreparedRequest {
  method: string
  /** With lower-case names and defaults filled in. */
  headers: Record<string, string>
  body: Uint8Array | null
  totalTimeoutMs: number
  queueTimeoutMs: number
  maxBytes: number
}

export function prepareRequest(parts: RequestParts, userAgent: string): PreparedRequest {
  return {
    method: checkMethod(parts.method ?? 'GET'),
    headers: {
      'user-agent': userAgent,
      'accept-encoding': 'gzip, deflate, br',
      ...checkHeaders(parts.headers ?? {}),
    },
    body: typeof parts.body === 'string' ? Buffer.from(parts.body) : (parts.body ?? null),
    totalTimeoutMs: checkLimit('totalTimeoutMs', parts.totalTimeoutMs ?? 15_000),
    queueTimeoutMs: checkLimit('queueTimeoutMs', parts.queueTimeoutMs ?? 5_000),
    maxBytes: checkLimit('maxBytes', parts.maxBytes ?? 65_536),
  }
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MAX_LIMIT = 2 ** 31 - 1

/** Framing, routing and connection headers are set only by the guard. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
])

function checkMethod(method: string): string {
  if (TOKEN.test(method) && method.toUpperCase() !== 'CONNECT') return method
  throw new TypeError('the request method is not a token such as GET or POST')
}

function checkHeaders(headers: Record<string, string>): Record<string, string> {
  const checked = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (!TOKEN.test(name)) throw new TypeError('a request header name is not a token')
    if (OWN_HEADERS.has(key)) throw new TypeError(`the request header ${key} cannot be set`)
    if (checked.has(key)) throw new TypeError(`the request header ${key} is given twice`)
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      throw new TypeError(`the request header ${key} has a value with forbidden characters`)
    }
    checked.set(key, value)
  }
  return Object.fromEntries(checked)
}

function checkLimit(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= MAX_LIMIT) return value
  throw new TypeError(`${name} is not a whole number from 0 to ${MAX_LIMIT}`)
}
