// The whole app: asks who is signed in, then shows the page to sign in or the shell with its views.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askAhead } from '../api/ahead.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { forgetData } from '../api/use-data.ts'
import { startLive, stopLive } from '../live.ts'
import { FaultNotice } from '../parts/notice.tsx'
import { Toasts } from '../parts/toast.tsx'
import { path } from '../router.ts'
import { hasDemo, session } from '../session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

export function App() {
  const fault = useSignal<Fault | undefined>(undefined)
  const ask = async () => {
    const answer = await api('GET /session')
    fault.value = undefined
    if (answer.ok) {
      askAhead(path.peek())
      hasDemo.value = answer.value.demo
      session.value = answer.value
    } else if (answer.fault.kind === 'signed-out') {
      hasDemo.value = answer.fault.demo === true
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
