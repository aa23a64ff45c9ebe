// Turns a row about a delivery into a check: what is sent, which answers are correct, and which schemes it applies
// to.

import { isObject } from '../../protocol/schemas/checks.ts'
import type { ClientResponse } from '../../transports/client.ts'
import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import type { ReceiverContext, Scheme } from './context.ts'

/** Nothing else can be checked unless this passes: the receiver might refuse everything, for any reason. */
export const ACCEPTS_VALID = 'accepts-valid'

export interface Delivered extends Pick<Check<ReceiverContext>, 'id' | 'title' | 'why' | 'fix'> {
  group: string
  /** Required in addition to accepting a valid delivery. Default nothing. */
  needs?: readonly string[]
  /** Default any. */
  mode?: Scheme['mode']
  /** The correct statuses: `2xx`, or this list. */
  right: '2xx' | readonly number[]
  /** Returns undefined, and why, if it cannot be tried. */
  send(context: ReceiverContext): Promise<ClientResponse | ClientResponse[] | string>
}

export function deliveredCheck({
  right,
  mode: _,
  needs = [],
  send,
  ...row
}: Delivered): Check<ReceiverContext> {
  return {
    ...row,
    writes: false,
    ...(row.id === ACCEPTS_VALID ? {} : { needs: [ACCEPTS_VALID, ...needs] }),
    run: async (context): Promise<Verdict> => {
      const sent = await send(context)
      if (typeof sent === 'string') return skipped(sent)
      const answers = Array.isArray(sent) ? sent : [sent]
      return verdictOf(answers.map((answer) => faultOf(answer, right)))
    },
  }
}

function faultOf(answer: ClientResponse, right: Delivered['right']): string | undefined {
  const { status } = answer
  const isRight = right === '2xx' ? isSuccess(status) : right.includes(status)
  if (isRight) return undefined
  const wanted = right === '2xx' ? 'any 2xx' : right.join(' or ')
  return `it was answered ${status}${saidIn(answer)}, and ${wanted} would be right`
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function saidIn({ headers, body }: ClientResponse): string {
  const challenge = headers['www-authenticate']
  if (challenge !== undefined) return ` (${quotedValue(challenge)})`
  const text = body.subarray(0, 300).toString('utf8').trim()
  return text === '' ? '' : ` (${quotedValue(text)})`
}

/** What the answer says about the message, if anything. */
export function wordOf({ body }: ClientResponse): string | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    const status = isObject(value) ? value.status : undefined
    return typeof status === 'string' ? status : undefined
  } catch {
    return undefined
  }
}
