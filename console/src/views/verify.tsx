// Verify a webhook: paste a request, see each step of the checklist pass or fail, and why.

import { useSignal } from '@preact/signals'
import type { VerifyAnswer, VerifyBody } from '../../../src/console/api/verify.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { Badge } from '../parts/badge.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { HttpHeaders, SignatureParts } from '../parts/http.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel, ViewHead } from '../parts/panel.tsx'

const EXAMPLE = `POST /webhooks/adcp HTTP/1.1
Host: buyer.example
Content-Type: application/json
Content-Digest: sha-256=:…:
Signature-Input: sig1=("@method" …);created=…
Signature: sig1=:…:

{"task_id":"…"}`

export function View() {
  const answer = useSignal<VerifyAnswer | undefined>(undefined)
  return (
    <>
      <ViewHead
        title="Verify a webhook"
        about="Paste a request as it arrived. It is verified with the same checklist that a receiver uses; nothing is stored."
      />
      <div class="columns">
        <div class="half stack">
          <VerifyForm
            show={(value) => {
              answer.value = value
            }}
          />
        </div>
        <div class="half stack" aria-live="polite">
          {answer.value ? (
            <Checked answer={answer.value} />
          ) : (
            <Panel title="Checklist">
              <Notice title="No results yet">
                <p>Each step appears here, passed or failed, with the reason.</p>
              </Notice>
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

function VerifyForm({ show }: { show(answer: VerifyAnswer | undefined): void }) {
  const request = useSignal('')
  const url = useSignal('')
  const seller = useSignal('')
  const jwks = useSignal('')
  const asSigned = useSignal(false)
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    fault.value = undefined
    const body: VerifyBody = { request: request.value }
    if (url.value.trim() !== '') body.url = url.value.trim()
    if (seller.value.trim() !== '') body.seller_url = seller.value.trim()
    if (jwks.value.trim() !== '') body.jwks = jwks.value.trim()
    if (asSigned.value) body.now = 'signed'
    const answered = await api('POST /verify', { body })
    isBusy.value = false
    if (!answered.ok) fault.value = answered.fault
    show(answered.ok ? answered.value : undefined)
  }
  return (
    <Panel title="Request">
      <form class="stack" onSubmit={submit}>
        <Field
          label="The request, as it travels or as JSON of adwire webhook verify"
          value={request}
          type="lines"
          rows={14}
          placeholder={EXAMPLE}
          required
        />
        <Field
          label="Sent to"
          value={url}
          type="url"
          placeholder="https://buyer.example"
          hint="Scheme and host, if the request does not include them."
        />
        <Field
          label="Seller's site or agent"
          value={seller}
          type="url"
          placeholder="https://seller.example"
          hint="Its keys are looked up as a receiver would."
        />
        <details class="stack tight">
          <summary>Or paste its key set</summary>
          <Field
            label="Key set (JWKS)"
            value={jwks}
            type="lines"
            rows={6}
            placeholder='{"keys":[…]}'
          />
        </details>
        <label class="row">
          <input
            type="checkbox"
            checked={asSigned.value}
            onChange={(event) => {
              asSigned.value = event.currentTarget.checked
            }}
          />
          Verify as of the time it was signed
        </label>
        {fault.value && (
          <p class="bad wrap-anywhere" role="alert">
            {fault.value.message}
          </p>
        )}
        <div>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            Verify
          </button>
        </div>
      </form>
    </Panel>
  )
}

const MARKS = {
  passed: { class: 'pass', mark: '✓', word: 'passed' },
  failed: { class: 'fail', mark: '✕', word: 'failed' },
  not_reached: { class: 'skip-step', mark: '·', word: 'not reached' },
} as const

function Checked({ answer }: { answer: VerifyAnswer }) {
  const { ok, code, keyid, steps, message, signature, signature_base, notes } = answer
  return (
    <>
      <Panel
        title="Checklist"
        aside={<Badge tone={ok ? 'good' : 'bad'}>{ok ? 'verified' : 'refused'}</Badge>}
      >
        {code !== undefined && (
          <p>
            A receiver answers 401 with <code class="bad">{code}</code>.
          </p>
        )}
        {keyid !== undefined && (
          <p class="soft">
            Key <code class="wrap-anywhere">{keyid}</code>
          </p>
        )}
        <ol class="steps">
          {steps.map(({ step, title, state, detail }) => (
            <li key={step} class={MARKS[state].class}>
              <span class="mark" aria-hidden="true">
                {MARKS[state].mark}
              </span>
              <div>
                <span class={state === 'not_reached' ? 'faint' : ''}>
                  <span class="number faint">{step}</span> {title}
                  <span class="sr-only">: {MARKS[state].word}</span>
                </span>
                {detail !== undefined && <p class="small soft wrap-anywhere">{detail}</p>}
              </div>
            </li>
          ))}
        </ol>
        {notes.map((note) => (
          <p key={note} class="small faint wrap-anywhere">
            {note}
          </p>
        ))}
      </Panel>
      {signature && (
        <Panel title="Signature explained">
          <SignatureParts parts={signature} />
        </Panel>
      )}
      {signature_base !== undefined && (
        <Panel
          title="What is signed"
          aside={<CopyButton text={signature_base} what="signature base" />}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre class="code" tabIndex={0}>
            {signature_base}
          </pre>
        </Panel>
      )}
      <Panel title="As it was read" aside={`${message.body_bytes.toLocaleString()} bytes of body`}>
        <p class="http-line">
          <b>{message.method}</b> {message.url}
        </p>
        <HttpHeaders headers={message.headers} label="Headers as they were read" />
      </Panel>
    </>
  )
}
