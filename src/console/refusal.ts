// What the console returns when it refuses a request.

export interface Refusal {
  status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503
  code: string
  message: string
  retryAfterSeconds?: number
}

/** Aborts an action: its transaction is rolled back, and the refusal is returned. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly refusal: Refusal

  constructor(status: Refusal['status'], code: string, message: string) {
    super(message)
    this.refusal = { status, code, message }
  }
}

export function tooMany(message: string, retryAfterSeconds: number): Refused {
  const refused = new Refused(429, 'too_many_requests', message)
  refused.refusal.retryAfterSeconds = retryAfterSeconds
  return refused
}

export function notFound(what: string): Refused {
  return new Refused(404, 'not_found', `there is no ${what}`)
}

export function badCursor(): Refused {
  const right = 'use the cursor of the previous page, or start without one'
  return new Refused(400, 'invalid_cursor', `this cursor does not belong to this list: ${right}`)
}
