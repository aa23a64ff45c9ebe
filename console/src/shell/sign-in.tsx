// The sign-in page: an operator's key, or one click on the demo. The address stays, so that after signing in users
// are on the page they requested.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { Field } from '../parts/field.tsx'
import { path, query } from '../router.ts'
import { endedBecause, hasDemo, hasProvider, session } from '../session.ts'
import icon from '../style/icon.svg'

const REASONS = {
  ended: 'Your session has ended. Sign in again to continue where you were.',
  'signed-out': 'You are signed out.',
}

/** Why the identity provider did not sign in, by the codes of the server. */
const FAULTS: ReadonlyMap<string, string> = new Map([
  ['state', 'The sign-in took too long, or was begun in another browser. Sign in again.'],
  ['provider', 'The identity provider cannot be reached. Try again in a moment.'],
  ['refused', 'The identity provider did not sign you in. Try again.'],
  ['token', 'The response of the identity provider is not accepted. Contact the administrator.'],
  ['role', 'You are signed in, but none of your groups may use this console.'],
  ['revoked', 'Your access to this console was revoked.'],
  ['often', 'Too many attempts to sign in. Try again in a moment.'],
])

function providerHref(): string {
  const search = new URLSearchParams(query.value)
  search.delete('sign_in')
  const rest = search.size > 0 ? `?${search}` : ''
  return `/console/oidc/start?return_to=${encodeURIComponent(`/console${path.value}${rest}`)}`
}

export function SignIn() {
  const key = useSignal('')
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const why = query.value.get('sign_in') ?? ''
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
        {FAULTS.has(why) && (
          <p class="bad wrap-anywhere" role="alert">
            {FAULTS.get(why)}
          </p>
        )}
        {hasProvider.value && (
          <>
            <a class="button primary block" href={providerHref()}>
              Sign in with your account
            </a>
            <div class="or">or</div>
          </>
        )}
        <form class="stack tight" onSubmit={submit} noValidate>
          <Field
            label="Key"
            type="password"
            value={key}
            maxLength={512}
            autoComplete="current-password"
            placeholder="adw_…"
            hint="The key of a principal with a role in the console."
          />
          {fault.value && (
            <p class="bad wrap-anywhere" role="alert">
              {fault.value.message}
            </p>
          )}
          <button
            type="submit"
            class={hasProvider.value ? 'button block' : 'button primary block'}
            disabled={isBusy.value}
          >
            {hasProvider.value ? 'Sign in with a key' : 'Sign in'}
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
