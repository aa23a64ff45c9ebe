// The sign-in page: an operator's key, or one click on the demo. The address stays, so that after signing in users
// are on the page they requested.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { Field } from '../parts/field.tsx'
import { endedBecause, hasDemo, session } from '../session.ts'
import icon from '../style/icon.svg'

const REASONS = {
  ended: 'Your session has ended. Sign in again to continue where you were.',
  'signed-out': 'You are signed out.',
}

export function SignIn() {
  const key = useSignal('')
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    document.title = 'Sign in · Adwire console'
  }, [])

  const signIn = async (body: { key: string } | { demo: true }) => {
    if (isBusy.peek()) return
    isBusy.value = true
    const answer = await api('POST /session', { body })
    isBusy.value = false
    if (!answer.ok) {
      fault.value = answer.fault
      return
    }
    endedBecause.value = undefined
    hasDemo.value = answer.value.demo
    session.value = answer.value
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const text = key.peek().trim()
    if (text === '') {
      const message = 'Enter a key that starts with adw_.'
      fault.value = { kind: 'refused', code: 'no_key', message }
    } else signIn({ key: text })
  }
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <div class="brand">
          <img src={icon} alt="" />
          Adwire console
        </div>
        <h1>Sign in</h1>
        {endedBecause.value && (
          <p class="soft" role="status">
            {REASONS[endedBecause.value]}
          </p>
        )}
        <form class="stack tight" onSubmit={submit} noValidate>
          <Field
            label="Key"
            type="password"
            value={key}
            maxLength={512}
            autoComplete="current-password"
            placeholder="adw_…"
            hint="The key of a principal with the scope operator or viewer."
          />
          {fault.value && (
            <p class="bad wrap-anywhere" role="alert">
              {fault.value.message}
            </p>
          )}
          <button type="submit" class="button primary block" disabled={isBusy.value}>
            Sign in
          </button>
        </form>
        {hasDemo.value && (
          <>
            <div class="or">or</div>
            <div class="stack tight">
              <button
                type="button"
                class="button block"
                disabled={isBusy.value}
                onClick={() => signIn({ demo: true })}
              >
                Explore the demo
              </button>
              <p class="faint small">
                This server runs with demo data, so no key is needed on this machine.
              </p>
            </div>
          </>
        )}
      </div>
    </main>
  )
}
