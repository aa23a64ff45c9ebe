// One of a buyer's own deliveries: every attempt with the exact request and what was answered.

import { useSignal } from '@preact/signals'
import type { Delivery } from '../../../src/console/api/deliveries.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { SignatureParts } from '../parts/http.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { hrefOf } from '../router.ts'
import type { Params } from '../routes.ts'
import { Request, WhatHappened } from '../views/delivery.tsx'
import { AttemptTimeline } from '../views/delivery-timeline.tsx'
import { deliveryWord, spaced } from '../words.ts'
import { useLinkData } from './use-link-data.ts'

const LIST = { title: 'Deliveries', path: '/link/deliveries' }

export function LinkDelivery({ params }: { params: Params }) {
  const { delivery_id = '' } = params
  const { value, fault, refresh } = useLinkData('GET /link/deliveries/:delivery_id', {
    params: { delivery_id },
  })
  return (
    <>
      <ViewHead title={`Delivery ${delivery_id}`} within={LIST}>
        {value && <WordBadge word={deliveryWord(value)} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && (
        <FaultNotice
          fault={fault}
          retry={refresh}
          home={{ path: LIST.path, title: 'All deliveries' }}
        />
      )}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole delivery={value} />}
    </>
  )
}

function Whole({ delivery }: { delivery: Delivery }) {
  const chosen = useSignal<number | undefined>(undefined)
  const last = delivery.history.at(-1)
  const shown = delivery.history.find(({ attempt }) => attempt === chosen.value) ?? last
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <WhatHappened delivery={delivery} />
        <Panel title="Timeline">
          <AttemptTimeline
            delivery={delivery}
            chosen={shown?.attempt}
            choose={(attempt) => {
              chosen.value = attempt
            }}
          />
        </Panel>
        {shown && <Request attempt={shown} delivery={delivery} />}
      </div>
      <div class="stack third">
        <About delivery={delivery} />
        {shown?.request.signature && (
          <Panel title="Signature in words">
            <SignatureParts parts={shown.request.signature} />
          </Panel>
        )}
      </div>
    </div>
  )
}

function About({ delivery }: { delivery: Delivery }) {
  const { task_id, operation_id, media_buy_id } = delivery
  const all = (name: string, value: string) =>
    hrefOf(`${LIST.path}?${new URLSearchParams({ [name]: value })}`)
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Endpoint', <Id key="url" text={delivery.url} what="URL" wraps />],
          [
            'Of this endpoint',
            <a key="all" href={all('endpoint', delivery.url)}>
              All deliveries
            </a>,
          ],
          ['Tells of', spaced(delivery.notification_type)],
          ['Task', task_id !== undefined && <Id text={task_id} what="task id" wraps />],
          [
            'Operation',
            operation_id !== undefined && <Id text={operation_id} what="operation id" wraps />,
          ],
          [
            'Media buy',
            media_buy_id !== undefined && (
              <>
                <Id text={media_buy_id} what="media buy id" wraps />{' '}
                <a href={all('media_buy_id', media_buy_id)}>All deliveries</a>
              </>
            ),
          ],
          [
            'Idempotency key',
            <Id key="key" text={delivery.idempotency_key} what="idempotency key" wraps />,
          ],
          ['Secured by', delivery.scheme],
          ['Created', <Time key="created" at={delivery.created_at} as="full" />],
          ['Ended', delivery.ended_at && <Time at={delivery.ended_at} as="full" />],
          ['Given up at', !delivery.ended_at && <Time at={delivery.expires_at} as="full" />],
        ]}
      />
    </Panel>
  )
}
