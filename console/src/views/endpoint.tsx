// One endpoint: its health in figures and text, the channels that use it, and the actions an operator can take.

import type { EndpointDetails } from '../../../src/console/api/endpoints.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { ENDPOINT_DELIVERY_COLUMNS } from '../parts/delivery-columns.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Table } from '../parts/table.tsx'
import { lasting, Time } from '../parts/time.tsx'
import type { Params } from '../paths.ts'
import { go, hrefOf } from '../router.ts'
import { ENDPOINT_WORDS, sentence, withoutScheme } from '../words.ts'
import { Limits } from './endpoint-limits.tsx'
import { RecoverAction, Recoveries } from './endpoint-recoveries.tsx'

export function View({ params }: { params: Params }) {
  const { endpoint_id = '' } = params
  const { value, fault, refresh, show } = useData(
    'GET /endpoints/:endpoint_id',
    { params: { endpoint_id } },
    ['endpoints', 'deliveries'],
  )
  return (
    <>
      <ViewHead
        title={value ? withoutScheme(value.url) : 'Endpoint'}
        within={{ title: 'Endpoints', path: '/endpoints' }}
        actions={value && <Actions endpoint={value} show={show} />}
      >
        {value && <WordBadge word={ENDPOINT_WORDS[value.state]} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole endpoint={value} show={show} />}
    </>
  )
}

function Whole({ endpoint, show }: ActionsProps) {
  return (
    <div class="stack">
      <LaneHealth endpoint={endpoint} />
      <Health endpoint={endpoint} />
      <div class="columns">
        <div class="stack two-thirds">
          <Faults endpoint={endpoint} />
          <LatestDeliveries endpoint={endpoint} />
        </div>
        <div class="stack third">
          <About endpoint={endpoint} />
          <Recoveries endpoint_id={endpoint.endpoint_id} />
          <Limits endpoint={endpoint} show={show} />
          <Channels endpoint={endpoint} />
        </div>
      </div>
    </div>
  )
}

/** Why nothing is sent there, if that is the case. */
function LaneHealth({
  endpoint: { state, circuit, paused_at, held },
}: {
  endpoint: EndpointDetails
}) {
  if (state === 'paused') {
    return (
      <div class="banner warn">
        <span>
          <b>Paused by an operator</b> since <Time at={paused_at} />. New deliveries wait until it
          is resumed.
        </span>
      </div>
    )
  }
  if (state === 'gone') {
    return (
      <div class="banner bad">
        <span>
          <b>The receiver returned 410 Gone.</b> Nothing is sent there until it is registered again.
        </span>
      </div>
    )
  }
  if (!circuit) return null
  return (
    <div class="banner bad">
      <span>
        <b>Idle since</b> <Time at={circuit.opened_at} /> after {circuit.failures.toLocaleString()}{' '}
        failures in a row. {held.toLocaleString()} deliveries are held.{' '}
        {circuit.next_probe_at !== undefined && (
          <>
            Next probe: <Time at={circuit.next_probe_at} as="until" />.
          </>
        )}
      </span>
    </div>
  )
}

function Health({ endpoint: { health, waiting, held } }: { endpoint: EndpointDetails }) {
  const { success_share } = health
  const tone =
    success_share === undefined || success_share >= 0.95
      ? ''
      : success_share >= 0.5
        ? 'warn'
        : 'bad'
  return (
    <div class="tiles">
      <div class="tile">
        <span class="name">Success</span>
        <span class={`value ${tone}`}>
          {success_share === undefined ? '–' : `${Math.round(success_share * 100)} %`}
        </span>
        <span class="note">of the last {health.attempts.toLocaleString()} attempts</span>
      </div>
      <div class="tile">
        <span class="name">Answers within</span>
        <span class="value">{lasting(health.p50_ms)}</span>
        <span class="note">p95 {lasting(health.p95_ms)}</span>
      </div>
      <div class="tile">
        <span class="name">Waiting</span>
        <span class="value">{waiting.toLocaleString()}</span>
        <span class="note">{held.toLocaleString()} held</span>
      </div>
      <div class="tile">
        <span class="name">Last success</span>
        <span class="value">
          <Time at={health.last_success_at} as="ago" />
        </span>
        <span class="note">
          last attempt <Time at={health.last_attempt_at} as="ago" />
        </span>
      </div>
    </div>
  )
}

function Faults({ endpoint: { health } }: { endpoint: EndpointDetails }) {
  return (
    <Panel title="Errors" aside={`in the last ${health.attempts} attempts`}>
      {health.faults.length === 0 ? (
        <p class="faint">Nothing.</p>
      ) : (
        <ul class="stack">
          {health.faults.map((fault) => (
            <li key={fault.kind + fault.message}>
              <div class="row between top">
                <span class="wrap-anywhere">
                  {sentence(fault.message)}
                  {fault.code !== undefined && !fault.message.includes(fault.code) && (
                    <>
                      {' '}
                      <code>{fault.code}</code>
                    </>
                  )}
                </span>
                <span class="faint small nowrap">
                  {fault.count.toLocaleString()} × · <Time at={fault.last_at} as="ago" />
                </span>
              </div>
              {fault.advice !== undefined && <p class="soft small">{sentence(fault.advice)}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const FEW = 8

function LatestDeliveries({ endpoint: { endpoint_id, url } }: { endpoint: EndpointDetails }) {
  const { value, fault, refresh } = useData(
    'GET /deliveries',
    { query: { endpoint_id, limit: FEW } },
    ['deliveries'],
  )
  const all = hrefOf(`/deliveries?${new URLSearchParams({ endpoint: url })}`)
  return (
    <Panel title="Latest deliveries" aside={<a href={all}>All to this endpoint</a>} flush>
      {fault && !value ? (
        <FaultNotice fault={fault} retry={refresh} />
      ) : (
        <Table
          caption="Latest deliveries to this endpoint"
          columns={ENDPOINT_DELIVERY_COLUMNS}
          rows={value?.items}
          keyOf={(row) => row.delivery_id}
          skeletonRows={FEW}
          empty={<Notice title="Nothing was sent there yet" compact />}
        />
      )}
    </Panel>
  )
}

function About({ endpoint }: { endpoint: EndpointDetails }) {
  return (
    <Panel title="About">
      <Facts
        of={[
          ['URL', <Id key="url" text={endpoint.url} what="URL" wraps />],
          ['Principal', endpoint.principal_name ?? endpoint.principal_id],
        ]}
      />
    </Panel>
  )
}

function Channels({ endpoint: { channels } }: { endpoint: EndpointDetails }) {
  return (
    <Panel title="Registered for" aside={`${channels.length} shown`}>
      {channels.length === 0 ? (
        <p class="faint">No registration uses this endpoint.</p>
      ) : (
        <ul class="stack tight">
          {channels.map((channel) => (
            <li key={channel.channel_id}>
              <Id text={channel.subject} what="subject" wraps />
              <div class="faint small">
                {channel.scheme} · {channel.form} · <Time at={channel.created_at} as="ago" />
                {channel.gone_at !== undefined && <span class="bad"> · gone</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface ActionsProps {
  endpoint: EndpointDetails
  show(value: EndpointDetails): void
}

function Actions({ endpoint: { endpoint_id, may }, show }: ActionsProps) {
  const params = { endpoint_id }
  return (
    <>
      {may.pause && (
        <Action
          label="Pause"
          run={() => api('POST /endpoints/:endpoint_id/pause', { params, body: {} })}
          done="Paused. New deliveries wait."
          onDone={show}
          confirm={{
            title: 'Pause this endpoint?',
            body: (
              <p>
                Nothing is sent there until it is resumed. New deliveries wait, and fail when they
                expire.
              </p>
            ),
          }}
        />
      )}
      {may.resume && (
        <Action
          label="Resume"
          kind="primary"
          run={() => api('POST /endpoints/:endpoint_id/resume', { params, body: {} })}
          done="Resumed. Waiting deliveries are sent now."
          onDone={show}
        />
      )}
      <RecoverAction endpoint_id={endpoint_id} />
      {may.test && (
        <Action
          label="Send a test event"
          run={() => api('POST /endpoints/:endpoint_id/test', { params, body: {} })}
          done="A test event was queued."
          onDone={({ delivery_id }) => go(`/deliveries/${delivery_id}`)}
        />
      )}
    </>
  )
}
