// One principal: its keys, its signing keys, its data, its links; and the actions an operator can take.

import { useSignal } from '@preact/signals'
import type { PrincipalDetails } from '../../../src/console/api/principals.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { Badge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'
import { mayAct } from '../session.ts'
import { countText, spaced } from '../words.ts'
import { ApiKeys, RequestKeys } from './principal-keys.tsx'
import { PrincipalLinks } from './principal-links.tsx'

export interface OfPrincipal {
  principal: PrincipalDetails
  show(value: PrincipalDetails): void
  refresh(): void
}

export function View({ params }: { params: Params }) {
  const { principal_id = '' } = params
  const { value, fault, refresh, show } = useData(
    'GET /principals/:principal_id',
    { params: { principal_id } },
    ['principals'],
  )
  return (
    <>
      <ViewHead
        title={value?.name ?? 'Principal'}
        within={{ title: 'Principals', path: '/principals' }}
        actions={value && <Revoke principal={value} show={show} refresh={refresh} />}
      >
        {value &&
          (value.revoked_at === undefined ? (
            <Badge tone="good">good</Badge>
          ) : (
            <Badge tone="bad">revoked</Badge>
          ))}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole principal={value} show={show} refresh={refresh} />}
    </>
  )
}

function Whole(props: OfPrincipal) {
  const { principal } = props
  return (
    <div class="stack">
      {principal.revoked_at !== undefined && (
        <div class="banner bad">
          <span>
            <b>Revoked</b> since <Time at={principal.revoked_at} />. Its keys and links are not
            accepted. Work that it started continues.
          </span>
        </div>
      )}
      <div class="columns">
        <div class="stack two-thirds">
          <ApiKeys {...props} />
          <RequestKeys {...props} />
          <PrincipalLinks {...props} />
        </div>
        <div class="stack third">
          <About principal={principal} />
          <Usage principal={principal} />
        </div>
      </div>
    </div>
  )
}

function About({ principal }: Pick<OfPrincipal, 'principal'>) {
  const { principal_id, accounts, under_way } = principal
  const of = `?${new URLSearchParams({ principal_id })}`
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Principal', <Id key="id" text={principal_id} what="principal id" wraps />],
          [
            'May',
            <span key="scopes" class="scopes">
              {principal.scopes.map((scope) => (
                <Badge key={scope} tone={scope === 'operator' ? 'warn' : 'info'}>
                  {scope}
                </Badge>
              ))}
            </span>,
          ],
          ['You', principal.is_self && 'This is who you are signed in as.'],
          ['Demo', principal.is_demo && 'Created by a start with --demo. Works only in demo mode.'],
          ['Created', <Time key="created" at={principal.created_at} as="full" />],
          ['Last used', <Time key="used" at={principal.last_used_at} as="ago" />],
          [
            'In progress',
            <span key="under-way" class="wrap-anywhere">
              {countText(under_way.open_tasks)} tasks, {countText(under_way.waiting_webhooks)}{' '}
              webhooks, {countText(under_way.media_buys)} media buys
            </span>,
          ],
          [
            'Accounts',
            accounts.length > 0 && (
              <span class="wrap-anywhere">
                {accounts.map(({ platform, account }) => `${platform}:${account}`).join(', ')}
              </span>
            ),
          ],
          [
            'Its own',
            <span key="links" class="row wrap">
              <a href={hrefOf(`/deliveries${of}`)}>Deliveries</a>
              <a href={hrefOf(`/endpoints${of}`)}>Endpoints</a>
              <a href={hrefOf(`/tasks${of}`)}>Tasks</a>
              <a href={hrefOf(`/buys${of}`)}>Media buys</a>
              <a href={hrefOf(`/audit${of}`)}>Audit log</a>
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}

function Usage({ principal: { usage } }: Pick<OfPrincipal, 'principal'>) {
  if (usage.length === 0) return null
  return (
    <Panel title="Quota usage">
      <ul class="stack tight">
        {usage.map(({ quota, used, limit }) => (
          <li key={quota}>
            <div class="row between">
              <span>{spaced(quota)}</span>
              <span class="number soft">
                {used.toLocaleString()}
                {limit !== undefined && ` of ${limit.toLocaleString()}`}
              </span>
            </div>
            {limit !== undefined && (
              <progress
                class={used / limit > 0.9 ? 'meter bad' : 'meter'}
                max={limit}
                value={used}
                aria-label={`Share of ${spaced(quota)} that is used`}
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Revoke({ principal, show }: OfPrincipal) {
  const typed = useSignal('')
  const { principal_id, name, under_way } = principal
  if (principal.revoked_at !== undefined) return null
  if (principal.is_self && mayAct('admin')) {
    return (
      <span class="faint small">Another admin must revoke you: you cannot lock yourself out.</span>
    )
  }
  const links = principal.links.filter(({ state }) => state === 'good').length
  return (
    <Action
      needs="admin"
      label="Revoke"
      kind="danger"
      run={() =>
        api('POST /principals/:principal_id/revoke', {
          params: { principal_id },
          body: { confirm: typed.peek().trim() },
        })
      }
      done="Revoked. None of its keys is accepted any more."
      onDone={show}
      confirm={{
        title: 'Revoke this principal?',
        yes: 'Revoke the principal',
        isReady: typed.value.trim() === name,
        body: (
          <>
            <ul class="points">
              <li>
                From now on its {principal.good_keys.toLocaleString()} good keys, its signatures and
                its {links.toLocaleString()} good links are refused, and its sessions here end. This
                cannot be taken back.
              </li>
              <li>
                Work that it started continues: {countText(under_way.open_tasks)} open tasks,{' '}
                {countText(under_way.media_buys)} media buys, and{' '}
                {countText(under_way.waiting_webhooks)} webhooks that wait are still sent to it.
              </li>
              <li>
                Its callers get 401 from the next call on.
                {principal.scopes.includes('operator') && ' It is an operator of this server.'}
              </li>
            </ul>
            <Field label={`Type ${name} to confirm`} value={typed} autoComplete="off" />
          </>
        ),
      }}
    />
  )
}
