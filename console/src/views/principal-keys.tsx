// The keys of one principal: those it calls with, made and revoked here, and those it signs its requests with.

import { useSignal } from '@preact/signals'
import type { ApiKey, PrincipalDetails } from '../../../src/console/api/principals.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { CopyButton, Id } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Panel } from '../parts/panel.tsx'
import { SecretDialog } from '../parts/secret.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { VALIDITY_WORDS } from '../words.ts'
import type { OfPrincipal } from './principal.tsx'

export function ApiKeys(props: OfPrincipal) {
  const { principal } = props
  return (
    <Panel title="Keys" flush aside={<MakeKey {...props} />}>
      <Table
        caption="Keys, the newest first"
        columns={keyColumns(props)}
        rows={principal.api_keys}
        keyOf={({ key_id }) => key_id}
        empty={
          <div class="notice compact">
            <p>It has no key, and cannot call.</p>
          </div>
        }
      />
    </Panel>
  )
}

function keyColumns(props: OfPrincipal): readonly Column<ApiKey>[] {
  return [
    {
      name: 'State',
      width: 5,
      from: 'medium',
      cell: ({ state }) => <WordBadge word={VALIDITY_WORDS[state]} />,
    },
    {
      name: 'Key',
      cell: (key) => (
        <>
          <span class="only-narrow">
            <WordBadge word={VALIDITY_WORDS[key.state]} />
          </span>
          <span class="copyable">
            <code title={key.key_id}>{key.hint}…</code>
            <CopyButton text={key.key_id} what="key id" />
          </span>
          <span class="sub">
            {key.is_session && <b>you are signed in with it, </b>}
            <Ends of={key} />
          </span>
        </>
      ),
    },
    {
      name: 'Created',
      width: 5,
      from: 'medium',
      cell: ({ created_at }) => <Time at={created_at} as="ago" />,
    },
    {
      name: 'Last used',
      width: 5,
      from: 'medium',
      cell: ({ last_used_at }) => <Time at={last_used_at} as="ago" />,
    },
    {
      name: 'Action',
      width: 5,
      right: true,
      cell: (key) => (key.state === 'good' ? <RevokeKey {...props} apiKey={key} /> : null),
    },
  ]
}

function Ends({ of: { state, expires_at, revoked_at } }: { of: ApiKey }) {
  if (state === 'good' && expires_at === undefined) return <>does not end by itself</>
  const word = { good: 'ends', expired: 'ended', revoked: 'revoked' }[state]
  return (
    <>
      {word} <Time at={revoked_at ?? expires_at} as={state === 'good' ? 'until' : 'ago'} />
    </>
  )
}

const LIVES = [
  ['', 'Until it is revoked'],
  ['1', '1 day'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
] as const

function MakeKey({ principal, refresh }: OfPrincipal) {
  const days = useSignal('')
  const made = useSignal<string | undefined>(undefined)
  const { principal_id } = principal
  if (principal.revoked_at !== undefined) return null
  return (
    <>
      <Action
        needs="admin"
        label="Make a key"
        small
        run={() =>
          api('POST /principals/:principal_id/keys', {
            params: { principal_id },
            body: days.peek() === '' ? {} : { expires_in_days: Number(days.peek()) },
          })
        }
        done="Made a key."
        onDone={({ key }) => {
          made.value = key
          refresh()
        }}
        confirm={{
          title: 'Make one more key?',
          yes: 'Make the key',
          body: (
            <>
              <p>
                Existing keys stay valid. To replace one, create a key, switch the client to it, and
                revoke the old one when it is no longer used.
              </p>
              <SelectField label="Valid for" value={days} options={LIVES} />
            </>
          ),
        }}
      />
      {made.value !== undefined && (
        <SecretDialog
          title="The new key"
          what="key"
          text={made.value}
          about={`Give it to the client that calls as ${principal.name}.`}
          onClose={() => {
            made.value = undefined
          }}
        />
      )}
    </>
  )
}

function RevokeKey({ principal, show, apiKey }: OfPrincipal & { apiKey: ApiKey }) {
  const { key_id, hint, is_session } = apiKey
  const params = { principal_id: principal.principal_id, key_id }
  const isLast = principal.good_keys === 1
  const links = principal.links.filter(({ state }) => state === 'good').length
  return (
    <Action
      needs="admin"
      label="Revoke"
      kind="danger"
      small
      unless={
        is_session
          ? 'You are signed in with this key. Sign in with another one to revoke it.'
          : undefined
      }
      run={() => api('POST /principals/:principal_id/keys/:key_id/revoke', { params, body: {} })}
      done="Revoked. The key is refused from now on."
      onDone={show}
      confirm={{
        title: `Revoke the key ${hint}…?`,
        yes: 'Revoke the key',
        body: (
          <ul class="points">
            <li>
              Calls with it return 401 from now on, and its console sessions end. This cannot be
              undone.
            </li>
            {apiKey.last_used_at !== undefined && (
              <li>
                It was last used <Time at={apiKey.last_used_at} as="ago" />.
              </li>
            )}
            {isLast && (
              <li>
                <b>It is the last valid key.</b> {principal.name} cannot call until it gets another.
              </li>
            )}
            {links > 0 && (
              <li>
                The {links.toLocaleString()} valid links stay valid until they expire or are
                revoked.
              </li>
            )}
          </ul>
        ),
      }}
    />
  )
}

type RequestKey = PrincipalDetails['request_keys'][number]

const KINDS: Readonly<Record<RequestKey['kind'], string>> = {
  jwk: 'a key on file',
  jwks_url: 'what a key set publishes',
  agent_url: 'what an agent publishes',
}

export function RequestKeys(props: OfPrincipal) {
  const { principal, show } = props
  return (
    <Panel title="Keys for signed requests" flush aside={<AddRequestKey {...props} />}>
      <Table
        caption="Keys for signed requests, the oldest first"
        rows={principal.request_keys}
        keyOf={({ key_id }) => key_id}
        columns={[
          {
            name: 'Key or address',
            cell: (row) => (
              <>
                <Id text={row.key} what="key" />
                <span class="sub">
                  {KINDS[row.kind]}
                  {row.pin.length > 0 && `, pinned to ${row.pin.join(', ')}`}
                </span>
              </>
            ),
          },
          {
            name: 'Added',
            width: 5,
            from: 'medium',
            cell: ({ created_at }) => <Time at={created_at} as="ago" />,
          },
          {
            name: 'Action',
            width: 5,
            right: true,
            cell: ({ key_id, key }) => (
              <Action
                needs="admin"
                label="Remove"
                kind="danger"
                small
                run={() =>
                  api('POST /principals/:principal_id/request-keys/:key_id/remove', {
                    params: { principal_id: principal.principal_id, key_id },
                    body: {},
                  })
                }
                done="Removed. Nothing signed with it is accepted any more."
                onDone={show}
                confirm={{
                  title: 'Remove this key?',
                  yes: 'Remove',
                  body: (
                    <p class="wrap-anywhere">
                      Requests that are signed with {key} are refused from now on. It can be added
                      again.
                    </p>
                  ),
                }}
              />
            ),
          },
        ]}
        empty={
          <div class="notice compact">
            <p>No keys: its requests are authenticated only by bearer key.</p>
          </div>
        }
      />
    </Panel>
  )
}

const NEW_KINDS = [
  ['jwk', 'A public key'],
  ['jwks_url', 'The address of a key set'],
  ['agent_url', 'The URL of its agent'],
] as const

function AddRequestKey({ principal, show }: OfPrincipal) {
  const kind = useSignal('jwk')
  const text = useSignal('')
  if (principal.revoked_at !== undefined) return null
  const body = () => {
    const given = text.peek().trim()
    if (kind.peek() === 'jwks_url') return { jwks_url: given }
    return kind.peek() === 'agent_url' ? { agent_url: given } : { jwk: given }
  }
  return (
    <Action
      needs="admin"
      label="Add"
      small
      run={() =>
        api('POST /principals/:principal_id/request-keys', {
          params: { principal_id: principal.principal_id },
          body: body(),
        })
      }
      done="Added. Requests signed with it are accepted."
      onDone={(value) => {
        text.value = ''
        show(value)
      }}
      confirm={{
        title: 'Add a key',
        yes: 'Add',
        isReady: text.value.trim().length > 1,
        body: (
          <>
            <p>
              Requests signed with it are authenticated as {principal.name}. A key or an address
              belongs to one principal.
            </p>
            <SelectField label="What" value={kind} options={NEW_KINDS} />
            {kind.value === 'jwk' ? (
              <Field
                label="Public JWK"
                value={text}
                type="lines"
                rows={5}
                maxLength={8_000}
                hint="Only the public part, without d."
              />
            ) : (
              <Field label="URL" value={text} type="url" maxLength={2_000} />
            )}
          </>
        ),
      }}
    />
  )
}
