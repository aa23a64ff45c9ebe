// The doctor: examine an agent, or a receiver of webhooks; and the latest reports.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import type { Examination, ExamineBody } from '../../../src/console/api/doctor.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { useData } from '../api/use-data.ts'
import { AgentAddress } from '../parts/agent-address.tsx'
import { AgentsTabs } from '../parts/agents-tabs.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Field } from '../parts/field.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel, ViewHead } from '../parts/panel.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { go, hrefOf, query } from '../router.ts'
import { mayAct } from '../session.ts'
import { examinationWord, withoutScheme } from '../words.ts'

const REFRESH_MS = 3_000

export function View() {
  const list = useData('GET /doctor', {}, [])
  const isRunning = list.value?.items.some(({ state }) => state === 'running') ?? false
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(list.refresh, REFRESH_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <>
      <ViewHead
        title="Doctor"
        within={{ title: 'Agents', path: '/agents' }}
        about="Examines an agent or a webhook receiver: what is wrong, why it matters, and what to do."
        actions={<AgentsTabs />}
      />
      <div class="columns">
        <div class="third stack">
          {mayAct() ? (
            <ExamineForm hasOwnKey={list.value?.has_own_key ?? false} />
          ) : (
            <Panel title="Examine">
              <Notice title="Only operators can run the doctor" compact>
                <p>You can read the reports.</p>
              </Notice>
            </Panel>
          )}
        </div>
        <div class="two-thirds stack">
          {list.value && <FaultBanner fault={list.fault} retry={list.refresh} />}
          <Panel title="Latest reports" aside="in the memory of this server" flush>
            {list.fault && !list.value ? (
              <FaultNotice fault={list.fault} retry={list.refresh} />
            ) : (
              <Table
                caption="Latest reports of the doctor"
                columns={COLUMNS}
                rows={list.value?.items}
                keyOf={(row) => row.run_id}
                skeletonRows={3}
                empty={
                  <Notice title="Nothing was examined yet">
                    <p>The report of each address stays here until the server restarts.</p>
                  </Notice>
                }
              />
            )}
          </Panel>
        </div>
      </div>
    </>
  )
}

const COLUMNS: readonly Column<Examination>[] = [
  { name: 'State', width: 6, cell: (row) => <WordBadge word={examinationWord(row)} /> },
  {
    name: 'Address',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/agents/doctor/${encodeURIComponent(row.run_id)}`)}>
          {withoutScheme(row.url)}
        </a>
        <span class="sub">
          {row.subject}, by {row.by}
        </span>
      </>
    ),
  },
  {
    name: 'Passed',
    width: 4,
    from: 'medium',
    right: true,
    cell: ({ summary }) => summary.passed,
  },
  { name: 'Failed', width: 4, right: true, cell: ({ summary }) => summary.failed },
  {
    name: 'Skipped',
    width: 4,
    from: 'medium',
    right: true,
    cell: ({ summary }) => summary.skipped,
  },
  { name: 'Begun', width: 5, from: 'medium', cell: (row) => <Time at={row.started_at} as="ago" /> },
]

const SUBJECTS = [
  ['agent', 'An agent'],
  ['receiver', 'A webhook receiver'],
] as const

function ExamineForm({ hasOwnKey }: { hasOwnKey: boolean }) {
  const subject = useSignal<ExamineBody['subject']>(
    query.peek().get('subject') === 'receiver' ? 'receiver' : 'agent',
  )
  const form = useExamineForm()
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy.peek()) return
    isBusy.value = true
    fault.value = undefined
    const body = subject.value === 'agent' ? agentBody(form) : receiverBody(form)
    const answered = await api('POST /doctor', { body })
    isBusy.value = false
    if (answered.ok) go(`/agents/doctor/${encodeURIComponent(answered.value.run_id)}`)
    else fault.value = answered.fault
  }
  return (
    <Panel title="Examine">
      <form class="stack" onSubmit={submit}>
        <fieldset class="tabs">
          <legend class="sr-only">What to examine</legend>
          {SUBJECTS.map(([value, title]) => (
            <button
              key={value}
              type="button"
              aria-pressed={subject.value === value}
              onClick={() => {
                subject.value = value
              }}
            >
              {title}
            </button>
          ))}
        </fieldset>
        {subject.value === 'agent' ? (
          <AgentFields form={form} />
        ) : (
          <ReceiverFields form={form} hasOwnKey={hasOwnKey} />
        )}
        {fault.value && (
          <p class="bad wrap-anywhere" role="alert">
            {fault.value.message}
          </p>
        )}
        <div>
          <button type="submit" class="button primary" disabled={isBusy.value}>
            Examine
          </button>
        </div>
      </form>
    </Panel>
  )
}

type CredentialKind = 'own-key' | 'hmac' | 'bearer'

interface ExamineFields {
  url: Signal<string>
  secret: Signal<string>
  otherSecret: Signal<string>
  mayWrite: Signal<boolean>
  kind: Signal<CredentialKind>
  receiverSecret: Signal<string>
  token: Signal<string>
}

function useExamineForm(): ExamineFields {
  return {
    url: useSignal(query.peek().get('url') ?? ''),
    secret: useSignal(''),
    otherSecret: useSignal(''),
    mayWrite: useSignal(false),
    kind: useSignal<CredentialKind>('own-key'),
    receiverSecret: useSignal(''),
    token: useSignal(''),
  }
}

function agentBody({ url, secret, otherSecret, mayWrite }: ExamineFields): ExamineBody {
  const [key, other_key] = [secret.value.trim(), otherSecret.value.trim()]
  return {
    subject: 'agent',
    url: url.value.trim(),
    may_write: mayWrite.value,
    ...(key !== '' && { key }),
    ...(other_key !== '' && { other_key }),
  }
}

function receiverBody({ url, kind, receiverSecret, token }: ExamineFields): ExamineBody {
  const secret = receiverSecret.value
  return {
    subject: 'receiver',
    url: url.value.trim(),
    credential: kind.value === 'own-key' ? { kind: 'own-key' } : { kind: kind.value, secret },
    ...(token.value !== '' && { token: token.value }),
  }
}

function AgentFields({ form: { url, secret, otherSecret, mayWrite } }: { form: ExamineFields }) {
  return (
    <>
      <AgentAddress url={url} secret={secret} />
      <details class="stack tight">
        <summary>Key of another caller</summary>
        <Field
          label="Another key"
          value={otherSecret}
          type="password"
          autoComplete="off"
          hint="To check that callers are isolated from each other."
        />
      </details>
      <label class="row top">
        <input
          type="checkbox"
          checked={mayWrite.value}
          onChange={(event) => {
            mayWrite.value = event.currentTarget.checked
          }}
        />
        <span>
          Also run checks that change data
          <span class="small soft block">
            Starts tasks that cost nothing. Otherwise, these checks are skipped.
          </span>
        </span>
      </label>
    </>
  )
}

function ReceiverFields({ form, hasOwnKey }: { form: ExamineFields; hasOwnKey: boolean }) {
  const id = useId()
  const { url, kind, receiverSecret, token } = form
  return (
    <>
      <Field
        label="Address of the receiver"
        value={url}
        type="url"
        placeholder="https://buyer.example/webhooks"
        hint="About 70 valid and invalid deliveries are sent there, for tasks that do not exist."
        required
      />
      <div class="field">
        <label for={id}>How it authenticates the sender</label>
        <select
          id={id}
          class="input"
          value={kind.value}
          onChange={(event) => {
            kind.value = event.currentTarget.value as CredentialKind
          }}
        >
          <option value="own-key">By this server’s signing key</option>
          <option value="hmac">By a shared secret (HMAC, legacy)</option>
          <option value="bearer">By a bearer token (legacy)</option>
        </select>
        {kind.value === 'own-key' && !hasOwnKey && (
          <p class="fault">This server has no signing key yet.</p>
        )}
      </div>
      {kind.value !== 'own-key' && (
        <Field
          label={kind.value === 'hmac' ? 'Shared secret' : 'Bearer token'}
          value={receiverSecret}
          type="password"
          autoComplete="off"
          hint="Used only for this run and never stored."
          required
        />
      )}
      <Field
        label="Token of the registration"
        value={token}
        type="password"
        autoComplete="off"
        hint="Only if every delivery must have one."
      />
    </>
  )
}
