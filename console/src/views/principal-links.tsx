// The buyer's links of one principal: made, listed and revoked.

import { useSignal } from '@preact/signals'
import type { LinkItem, LinkPart } from '../../../src/console/api/links.ts'
import { api } from '../api/client.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Checks } from '../parts/checks.tsx'
import { Panel } from '../parts/panel.tsx'
import { SecretDialog } from '../parts/secret.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { VALIDITY_WORDS } from '../words.ts'
import type { OfPrincipal } from './principal.tsx'

export function PrincipalLinks(props: OfPrincipal) {
  const { principal } = props
  return (
    <Panel title="Buyer’s links" flush aside={<MakeLink {...props} />}>
      <Table
        caption="Links, the newest first"
        columns={columns(props)}
        rows={principal.links}
        keyOf={({ link_id }) => link_id}
        empty={
          <div class="notice compact">
            <p>
              A link shows {principal.name} its own deliveries and reports for a time, without a
              key.
            </p>
          </div>
        }
      />
    </Panel>
  )
}

function columns({ principal, show }: OfPrincipal): readonly Column<LinkItem>[] {
  return [
    {
      name: 'State',
      width: 5,
      from: 'medium',
      cell: ({ state }) => <WordBadge word={VALIDITY_WORDS[state]} />,
    },
    {
      name: 'Link',
      cell: (link) => (
        <>
          <span class="only-narrow">
            <WordBadge word={VALIDITY_WORDS[link.state]} />
          </span>
          <span class="wrap-anywhere">{link.shows.join(', ')}</span>
          <span class="sub">
            by {link.made_by}
            {link.made_with === 'api' && ', over the API'}
          </span>
        </>
      ),
    },
    {
      name: 'Ends',
      width: 5,
      from: 'medium',
      cell: ({ state, expires_at, revoked_at }) => (
        <Time at={revoked_at ?? expires_at} as={state === 'good' ? 'until' : 'ago'} />
      ),
    },
    {
      name: 'Last opened',
      width: 6,
      from: 'medium',
      cell: ({ opens, opened_at }) =>
        opened_at === undefined ? (
          <span class="faint">never</span>
        ) : (
          <>
            <Time at={opened_at} as="ago" /> <span class="faint">({opens.toLocaleString()}×)</span>
          </>
        ),
    },
    {
      name: 'Action',
      width: 5,
      right: true,
      cell: ({ link_id, state }) =>
        state === 'good' && (
          <Action
            label="Revoke"
            kind="danger"
            small
            run={() =>
              api('POST /principals/:principal_id/links/:link_id/revoke', {
                params: { principal_id: principal.principal_id, link_id },
                body: {},
              })
            }
            done="Revoked. The link no longer works."
            onDone={show}
            confirm={{
              title: 'Revoke this link?',
              yes: 'Revoke the link',
              body: (
                <p>
                  Open pages stop working at their next request. You can create a new link at any
                  time.
                </p>
              ),
            }}
          />
        ),
    },
  ]
}

const LIVES = [
  ['3600', '1 hour'],
  ['28800', '8 hours'],
  ['86400', '1 day'],
  ['259200', '3 days'],
  ['604800', '7 days'],
] as const

const PARTS: readonly (readonly [LinkPart, string, string])[] = [
  ['deliveries', 'Deliveries', 'each with its attempts, requests and answers'],
  ['endpoints', 'Endpoints', 'and how they fare'],
  ['reports', 'Reports', 'the windows of its media buys'],
]

function MakeLink({ principal, refresh }: OfPrincipal) {
  const seconds = useSignal('86400')
  const shows = useSignal<readonly LinkPart[]>(['deliveries', 'endpoints', 'reports'])
  const made = useSignal<string | undefined>(undefined)
  const { principal_id, name } = principal
  if (principal.revoked_at !== undefined) return null
  return (
    <>
      <Action
        label="Make a link"
        small
        run={() =>
          api('POST /principals/:principal_id/links', {
            params: { principal_id },
            body: { seconds: Number(seconds.peek()), shows: [...shows.peek()] },
          })
        }
        done="Made a link."
        onDone={({ url }) => {
          made.value = url
          refresh()
        }}
        confirm={{
          title: `Make a link for ${name}?`,
          yes: 'Make the link',
          isReady: shows.value.length > 0,
          body: (
            <>
              <p>
                Anyone with the link can see what {name} was sent and the responses of its
                receivers. They can change nothing. The link shows no secrets and no data of other
                principals.
              </p>
              <SelectField label="Valid for" value={seconds} options={LIVES} />
              <Checks label="It shows" options={PARTS} chosen={shows} />
            </>
          ),
        }}
      />
      {made.value !== undefined && (
        <SecretDialog
          title="The link"
          what="link"
          text={made.value}
          about={`Send it to ${name} over a private channel.`}
          onClose={() => {
            made.value = undefined
          }}
        />
      )}
    </>
  )
}
