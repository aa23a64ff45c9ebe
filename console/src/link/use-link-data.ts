// The data of a page of a link: requested again every few seconds while it is visible. When the link has expired, the
// whole page shows that.

import { useEffect } from 'preact/hooks'
import type { Call, CallParts } from '../api/client.ts'
import { type Loaded, useData } from '../api/use-data.ts'
import { linkFault, opened } from './open-link.ts'

const EVERY_MS = 10_000

export function useLinkData<C extends Extract<Call, `GET /link/${string}`>>(
  call: C,
  parts: Omit<CallParts<C>, 'signal' | 'body'>,
): ReturnType<typeof useData<C>> {
  const loaded = useData(call, parts, [])
  const { fault, refresh } = loaded as Loaded<unknown>
  useEffect(() => {
    if (fault?.kind !== 'signed-out') return
    linkFault.value = fault
    opened.value = undefined
  }, [fault])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return loaded
}
