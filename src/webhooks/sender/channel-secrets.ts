// The token and the credentials of a channel, sealed for storage (spec 2.9): they are bound to one channel and cannot
// be opened for another.

import type { SecretBox } from '../../lib/secret-box.ts'
import type { Channel, ChannelKey } from './store.ts'

export interface ChannelSecrets {
  /** Returned to the receiver, which recognises us by it. */
  token: string | undefined
  /** The shared secret or bearer token of a legacy scheme. */
  credentials: string | undefined
}

/** Undefined if there is nothing to store. */
export function sealSecrets(
  key: ChannelKey,
  { token, credentials }: ChannelSecrets,
  box: SecretBox,
): string | undefined {
  if (token === undefined && credentials === undefined) return undefined
  return box.seal(JSON.stringify({ token, credentials }), contextOf(key))
}

/** Throws if the box has a different secret than the one that sealed them. */
export function openSecrets(
  channel: Pick<Channel, keyof ChannelKey | 'secrets'>,
  box: SecretBox,
): ({ ok: true } & ChannelSecrets) | { ok: false } {
  if (channel.secrets === undefined) return { ok: true, token: undefined, credentials: undefined }
  const opened = box.open(channel.secrets, contextOf(channel))
  if (!opened.ok) return opened
  const { token, credentials } = JSON.parse(opened.text) as Partial<ChannelSecrets>
  return { ok: true, token, credentials }
}

function contextOf({ owner, subject, name }: ChannelKey): string {
  return JSON.stringify(['webhook channel', owner, subject, name])
}
