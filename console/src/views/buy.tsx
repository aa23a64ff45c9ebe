// One media buy: its delivery, its pending reports, its impairments, the messages to its buyer, and its full history.

import type { Buy } from '../../../src/console/api/buys.ts'
import { useData } from '../api/use-data.ts'
import { BUY_WORDS } from '../buy-words.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { Timeline } from '../parts/timeline.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'
import { APPROVAL_WORDS, money, sentence, spaced } from '../words.ts'
import { BuyActivityPanel } from './buy-activity.tsx'
import { Impairments, RaiseAction } from './buy-impairments.tsx'
import { PacingPanel } from './buy-pacing.tsx'
import { ReportsPanel } from './buy-reports.tsx'

export function View({ params }: { params: Params }) {
  const { media_buy_id = '' } = params
  const { value, fault, refresh, show } = useData(
    'GET /buys/:media_buy_id',
    { params: { media_buy_id } },
    ['buys', 'reports', 'approvals'],
  )
  return (
    <>
      <ViewHead
        title={value ? (value.name ?? value.buyer_ref ?? value.media_buy_id) : 'Media buy'}
        within={{ title: 'Media buys', path: '/buys' }}
        actions={value?.may.impair && <RaiseAction buy={value} show={show} />}
      >
        {value && <WordBadge word={BUY_WORDS[value.status]} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole buy={value} show={show} />}
    </>
  )
}

function Whole({ buy, show }: { buy: Buy; show(value: Buy): void }) {
  return (
    <div class="stack">
      <LaneHealth buy={buy} />
      <div class="columns">
        <div class="stack two-thirds">
          <PacingPanel buy={buy} />
          <ReportsPanel buy={buy} />
          <BuyActivityPanel buy={buy} />
        </div>
        <div class="stack third">
          <Impairments buy={buy} show={show} />
          <About buy={buy} />
          <Approvals buy={buy} />
          <History buy={buy} />
        </div>
      </div>
    </div>
  )
}

/** Why nothing is delivered, if that is the case. */
function LaneHealth({ buy: { status, ending, is_held, end_at } }: { buy: Buy }) {
  if (ending) {
    return (
      <div class="banner">
        <span class="wrap-anywhere">
          <b>
            {status === 'rejected' ? 'Rejected' : 'Canceled'} by the {ending.by}
          </b>{' '}
          at <Time at={ending.at} />
          {ending.reason === undefined ? '.' : `: ${sentence(ending.reason)}`}
        </span>
      </div>
    )
  }
  if (status === 'pending_creatives') {
    return (
      <div class="banner warn">
        <span>
          <b>Waiting for creatives.</b> It begins when every package has one, and is canceled at{' '}
          <Time at={end_at} /> if they do not come.
        </span>
      </div>
    )
  }
  if (status !== 'paused' && !is_held) return null
  return (
    <div class="banner warn">
      <span>
        <b>Held by the buyer.</b> Nothing is delivered until it is resumed.
      </span>
    </div>
  )
}

function About({ buy }: { buy: Buy }) {
  const deliveries = hrefOf(
    `/deliveries?${new URLSearchParams({ media_buy_id: buy.media_buy_id })}`,
  )
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Media buy', <Id key="id" text={buy.media_buy_id} what="media buy id" wraps />],
          ['Principal', buy.principal_name ?? buy.principal_id],
          [
            'Brand',
            buy.brand !== undefined && (
              <a href={hrefOf(`/registry/${encodeURIComponent(buy.brand)}`)}>{buy.brand}</a>
            ),
          ],
          [
            'Reference',
            buy.buyer_ref !== undefined && <Id text={buy.buyer_ref} what="buyer reference" wraps />,
          ],
          ['Purchase order', buy.po_number],
          [
            'Account',
            buy.account_id !== undefined && <Id text={buy.account_id} what="account id" wraps />,
          ],
          ['Budget', <b key="budget">{money(buy.total_budget, buy.currency)}</b>],
          ['Begins', <Time key="start" at={buy.start_at} as="full" />],
          ['Ends', <Time key="end" at={buy.end_at} as="full" />],
          ['Time zone', buy.time_zone],
          ['Created', <Time key="created" at={buy.created_at} as="full" />],
          ['Revision', buy.revision.toLocaleString()],
          [
            'Webhooks',
            <a key="hooks" href={deliveries}>
              Its deliveries
            </a>,
          ],
        ]}
      />
    </Panel>
  )
}

function Approvals({ buy: { approvals } }: { buy: Buy }) {
  if (approvals.length === 0) return null
  return (
    <Panel title="Approvals" aside="what an operator had to decide">
      <ul class="stack">
        {approvals.map((approval) => (
          <li key={approval.task_id}>
            <div class="row between">
              <a
                class="wrap-anywhere"
                href={hrefOf(`/tasks/${encodeURIComponent(approval.task_id)}`)}
              >
                {spaced(approval.task_type)}
              </a>
              <WordBadge word={APPROVAL_WORDS[approval.state]} />
            </div>
            <p class="soft small wrap-anywhere">{sentence(approval.reason)}</p>
            {approval.note !== undefined && <p class="small wrap-anywhere">“{approval.note}”</p>}
            <p class="faint small wrap-anywhere">
              {approval.decided_at === undefined ? 'asked ' : 'decided '}
              <Time at={approval.decided_at ?? approval.created_at} as="ago" />
              {approval.decided_by !== undefined && ` by ${approval.decided_by}`}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const ACTORS = { buyer: 'by the buyer', seller: 'by the seller', clock: 'by the clock' } as const

function History({ buy: { history } }: { buy: Buy }) {
  return (
    <Panel title="History" aside="the newest first">
      <Timeline
        label="History of the buy, newest first"
        moments={history.map(({ revision, at, actor, action, status, package_ids }) => ({
          key: String(revision),
          tone: status === undefined ? 'idle' : BUY_WORDS[status].tone,
          title: spaced(action),
          at,
          children: (
            <p class="said small">
              {ACTORS[actor]}
              {status !== undefined && `; now ${BUY_WORDS[status].text}`}
              {package_ids !== undefined && package_ids.length > 0 && `; ${package_ids.join(', ')}`}
            </p>
          ),
        }))}
      />
    </Panel>
  )
}
