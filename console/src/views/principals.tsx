// Principals: who may call this server and sign in to its console.

import { useSignal } from '@preact/signals'
import type { PrincipalItem, PrincipalsQuery } from '../../../src/console/api/principals.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { Badge } from '../parts/badge.tsx'
import { Checks } from '../parts/checks.tsx'
import { Field } from '../parts/field.tsx'
import { Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf, ListView } from '../parts/list-view.tsx'
import { Notice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { SecretDialog } from '../parts/secret.tsx'
import type { Column } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { go, hrefOf } from '../router.ts'

type Scope = PrincipalItem['scopes'][number]

const NAMES: readonly string[] = ['q', 'scope', 'state', 'cursor']

const STATES = [
  ['', 'All states'],
  ['good', 'Not revoked'],
  ['revoked', 'Revoked'],
] as const

const SCOPES: readonly (readonly [Scope, string, string])[] = [
  ['tasks', 'tasks', 'calls the tasks of the agents'],
  ['call-agents', 'call-agents', 'has this server call other agents'],
  ['viewer', 'viewer', 'signs in here and looks'],
  ['operator', 'operator', 'signs in here and changes everything'],
]

const COLUMNS: readonly Column<PrincipalItem>[] = [
  {
    name: 'Principal',
    cell: (row) => (
      <>
        <a class="open line" href={hrefOf(`/principals/${encodeURIComponent(row.principal_id)}`)}>
          {row.name}
        </a>
        <span class="sub mono">{row.principal_id}</span>
      </>
    ),
  },
  {
    name: 'State',
    width: 5,
    cell: ({ revoked_at }) =>
      revoked_at === undefined ? (
        <Badge tone="good">good</Badge>
      ) : (
        <Badge tone="bad">revoked</Badge>
      ),
  },
  {
    name: 'Scopes',
    width: 7,
    from: 'medium',
    cell: ({ scopes }) => <span class="line">{scopes.join(', ')}</span>,
  },
  {
    name: 'Keys',
    width: 3,
    from: 'medium',
    right: true,
    cell: ({ good_keys }) => good_keys.toLocaleString(),
  },
  {
    name: 'Last used',
    width: 5,
    from: 'medium',
    cell: ({ last_used_at }) => <Time at={last_used_at} as="ago" />,
  },
  {
    name: 'Created',
    width: 5,
    from: 'large',
    cell: ({ created_at }) => <Time at={created_at} as="ago" />,
  },
]

export function View() {
  const query: Partial<PrincipalsQuery> = filtersOf(NAMES)
  const list = useData('GET /principals', { query }, ['principals'])
  const scopes = [['', 'All scopes'], ...SCOPES.map(([scope]) => [scope, scope])] as const
  return (
    <>
      <ViewHead title="Principals" actions={<Create />} />
      <Filters>
        <Search label="Part of the name, id, or start of a key" kept={withoutSecret} />
        <Choice label="State" name="state" options={STATES} />
        <Choice
          label="Scope"
          name="scope"
          options={scopes.map(([value = '', text = '']) => [value, text] as const)}
        />
      </Filters>
      <ListView
        list={list}
        what="principals"
        caption="Principals, the newest first"
        columns={COLUMNS}
        keyOf={(row) => row.principal_id}
        hint="Keys are matched by their first eight characters."
        nothing={
          <Notice title="There is no principal">
            <p>Every client of this server needs one, with a key.</p>
          </Notice>
        }
      />
    </>
  )
}

/** A key that somebody pastes must not end up in the address, which browsers remember. */
function withoutSecret(text: string): string {
  return text.startsWith('adw_') ? text.slice(0, HINT_CHARS) : text
}

const HINT_CHARS = 8

function Create() {
  const name = useSignal('')
  const chosen = useSignal<readonly Scope[]>(['tasks'])
  const made = useSignal<{ principal_id: string; key: string } | undefined>(undefined)
  const mayAll = chosen.value.includes('operator')
  return (
    <>
      <Action
        needs="admin"
        label="Create a principal"
        kind="primary"
        run={() =>
          api('POST /principals', {
            body: { name: name.peek().trim(), scopes: [...chosen.peek()] },
          })
        }
        done="Created."
        onDone={(value) => {
          made.value = value
        }}
        confirm={{
          title: 'Create a principal',
          yes: 'Create with a key',
          isReady: name.value.trim() !== '' && chosen.value.length > 0,
          body: (
            <>
              <p>
                Anyone with its key acts as this principal. The key is displayed once, afterwards.
              </p>
              <Field label="Name" value={name} maxLength={200} autoComplete="off" />
              <Checks label="It may" options={SCOPES} chosen={chosen} />
              {mayAll && (
                <p class="warn">
                  An operator can do everything that you can, and revoke your key as well.
                </p>
              )}
            </>
          ),
        }}
      />
      {made.value && (
        <SecretDialog
          title="The key of the new principal"
          what="key"
          text={made.value.key}
          about="Give it to the client that calls this server, as a bearer key."
          onClose={() => {
            const { principal_id } = made.peek() ?? { principal_id: '' }
            made.value = undefined
            go(`/principals/${encodeURIComponent(principal_id)}`)
          }}
        />
      )}
    </>
  )
}
