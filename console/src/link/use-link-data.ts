// What a page of a link displays: requested again every few seconds while somebody looks at it. When the link has
// ended, the whole page says so.

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
