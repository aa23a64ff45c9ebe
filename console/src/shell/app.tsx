// The whole app: requests the signed-in user, then displays the sign-in page or the shell with its views.

import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { askAhead, forgetAhead, SESSION, takeAhead } from '../api/ahead.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { forgetData } from '../api/use-data.ts'
import { startLive, stopLive } from '../live.ts'
import { FaultNotice } from '../parts/notice.tsx'
import { Toasts } from '../parts/toast.tsx'
import { placeOf } from '../paths.ts'
import { path } from '../router.ts'
import { loadView } from '../routes.ts'
import { hasDemo, hasProvider, session } from '../session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

/** If shell, view and figures load within this time, they are rendered together instead of one after the other. */
const SOON_MS = 200

async function firstView(at: string): Promise<void> {
  const found = placeOf(at)
  const coming = Promise.allSettled([askAhead(at), found && loadView(found.view)])
  const soon = new Promise((resolve) => setTimeout(resolve, SOON_MS))
  await Promise.race([coming, soon])
}

export function App() {
  const fault = useSignal<Fault | undefined>(undefined)
  const ask = async () => {
    const answer = await (takeAhead<'GET /session'>(SESSION) ?? api('GET /session'))
    fault.value = undefined
    if (answer.ok) {
      await firstView(path.peek())
      hasDemo.value = answer.value.demo
      session.value = answer.value
    } else if (answer.fault.kind === 'signed-out') {
      hasDemo.value = answer.fault.demo === true
      hasProvider.value = answer.fault.provider === true
      session.value = null
    } else fault.value = answer.fault
  }
  const state = session.value === undefined ? 'unknown' : session.value ? 'in' : 'out'
  useEffect(() => {
    if (state === 'in') {
      startLive()
      return stopLive
    }
    forgetData()
    if (state === 'out') forgetAhead()
  }, [state])
  // Before anything is painted: there is nothing to see yet.
  useLayoutEffect(() => {
    if (state === 'unknown') ask()
  }, [state])

  return (
    <>
      {state === 'in' && <Shell />}
      {state === 'out' && <SignIn />}
      {state === 'unknown' && fault.value && (
        <main class="sign-in">
          <FaultNotice fault={fault.value} retry={ask} />
        </main>
      )}
      <Toasts />
    </>
  )
}
