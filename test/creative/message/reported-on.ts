// An ad for a message of which only the words are made, and the resulting report about the message.

import { writeTexts } from '../../../src/creative/layout-engine/texts.ts'
import { accountOf } from '../../../src/creative/message/account.ts'
import { checkPreference } from '../../../src/creative/message/check-preference.ts'
import { readMessage } from '../../../src/creative/message/read-message.ts'

export function reportOf(message: string) {
  const read = readMessage(message)
  const { texts } = writeTexts({ brand: { name: 'Acme' }, message })
  const printed = [texts.headline, texts.description, texts.call_to_action]
  const { parts, notes } = accountOf({
    text: message,
    spans: read.spans,
    printed,
    check: (preference) => checkPreference(preference, { read, printed, hasLogo: false }),
  })
  return { read, texts, printed, parts, notes }
}
