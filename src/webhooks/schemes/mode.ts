// Which scheme a webhook was registered with, and whether a delivery used that one (spec 5). There is no
// fallback: a delivery signed in another way is refused before it is checked. Otherwise an attacker who can strip
// a header could choose the weaker scheme.

import { headerLines } from '../../signing/message-headers.ts'
import type { HttpMessage } from '../../signing/ports.ts'
import type { HmacNames } from './hmac.ts'

const WEBHOOK_MODES = ['rfc9421', 'HMAC-SHA256', 'Bearer'] as const
export type WebhookMode = (typeof WEBHOOK_MODES)[number]

export type ModeVerdict =
  | { ok: true }
  | { ok: false; code: 'webhook_mode_mismatch'; detail: string }

/** A delivery without any signature passes: the check of its scheme reports what is missing. */
export function checkMode(
  registered: WebhookMode,
  headers: HttpMessage['headers'],
  names: HmacNames,
): ModeVerdict {
  const lines = headerLines(headers)
  const authorization = lines.get('authorization') ?? []
  const came: Record<WebhookMode, boolean> = {
    rfc9421: lines.has('signature-input') || lines.has('signature'),
    'HMAC-SHA256': lines.has(names.signatureHeader),
    Bearer: authorization.some((value) => /^bearer\b/i.test(value)),
  }
  const stronger = WEBHOOK_MODES.slice(0, WEBHOOK_MODES.indexOf(registered))
  const other =
    stronger.find((mode) => came[mode]) ??
    (came[registered] ? undefined : WEBHOOK_MODES.find((mode) => came[mode]))
  if (other === undefined) return { ok: true }
  return {
    ok: false,
    code: 'webhook_mode_mismatch',
    detail: `the webhook is registered for ${registered}, but the delivery has ${other}`,
  }
}
