// The link that this browser has open. Its token is in the fragment of the address, which browsers send to nobody; it
// is exchanged for a cookie, and removed from the address before anything else happens.

import { signal } from '@preact/signals'
import type { OpenedLink } from '../../../src/console/api/links.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { forgetData } from '../api/use-data.ts'

/** Undefined until the server has answered. */
export const opened = signal<OpenedLink | undefined>(undefined)
/** Why nothing is displayed. */
export const linkFault = signal<Fault | undefined>(undefined)

export async function openLink(): Promise<void> {
  const token = takeToken()
  const answer =
    token === undefined
      ? await api('GET /link/session')
      : await api('POST /link/session', { body: { token } })
  if (token !== undefined) forgetData()
  opened.value = answer.ok ? answer.value : undefined
  linkFault.value = answer.ok ? undefined : answer.fault
}

export async function closeLink(): Promise<void> {
  await api('DELETE /link/session')
  forgetData()
  opened.value = undefined
  linkFault.value = {
    kind: 'signed-out',
    code: 'closed',
    message: 'You closed it in this browser. Open the link again to see more.',
  }
}

function takeToken(): string | undefined {
  const { hash, pathname, search } = location
  if (hash.length <= 1) return undefined
  history.replaceState(null, '', pathname + search)
  return hash.slice(1)
}

// Pasting another link over this page only changes the fragment.
addEventListener('hashchange', () => {
  if (location.hash.length > 1) openLink()
})
