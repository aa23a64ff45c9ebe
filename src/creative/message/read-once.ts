// The reading of one message, shared by everything that uses it in turn: its words and its tone, the sizes of a build
// and its steps, the guards. Reading costs more than setting.

import { type ReadMessage, readMessage } from './read-message.ts'

let last: { message: string | undefined; read: ReadMessage } | undefined

export function readOnce(message: string | undefined): ReadMessage {
  if (last === undefined || last.message !== message) last = { message, read: readMessage(message) }
  return last.read
}
