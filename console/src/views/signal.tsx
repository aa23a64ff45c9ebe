// One signal: its description, where it is live or in progress and for whom, and its activation elsewhere.

import type { SignalDetails } from '../../../src/console/api/signals.ts'
import { useData } from '../api/use-data.ts'
import { Badge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Filters } from '../parts/filters.tsx'
import { Json } from '../parts/json.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { AsPrincipal } from '../parts/signal-principals.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import type { Params } from '../paths.ts'
import { query } from '../router.ts'
import { mayAct } from '../session.ts'
import { priceText } from '../signal-words.ts'
import { ActivateForm } from './signal-activate.tsx'
import { SignalPlaces } from './signal-places.tsx'

export function View({ params }: { params: Params }) {
  const { signal_id = '' } = params
  const as = query.value.get('as') ?? undefined
  const requested = as === undefined ? {} : { as }
  const { value, fault, refresh } = useData(
    'GET /signals/:signal_id',
    { params: { signal_id }, query: requested },
    ['signals', 'tasks'],
  )
  return (
    <>
      <ViewHead title={value?.name ?? 'Signal'} within={{ title: 'Signals', path: '/signals' }}>
        {value && <Badge tone="idle">{value.signal_type}</Badge>}
        {value?.is_private && <Badge tone="warn">private</Badge>}
      </ViewHead>
      <Filters>
        <AsPrincipal />
      </Filters>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && <Whole signal={value} as={as} refresh={refresh} />}
    </>
  )
}

interface WholeProps {
  signal: SignalDetails
  as: string | undefined
  refresh(): void
}

function Whole({ signal, as, refresh }: WholeProps) {
  return (
    <div class="columns">
      <div class="stack two-thirds">
        <Panel title="Description">
          <p class="wrap-anywhere">{signal.description}</p>
          {signal.methodology !== undefined && (
            <p class="soft wrap-anywhere">{signal.methodology}</p>
          )}
        </Panel>
        <SignalPlaces signal={signal} refresh={refresh} />
        <Panel title="In the catalogue">
          <details>
            <summary>Full catalogue entry</summary>
            <Json value={signal.catalogue} what="catalogue entry" />
          </details>
        </Panel>
      </div>
      <div class="stack third">
        {mayAct() && <ActivateForm signal={signal} as={as} refresh={refresh} />}
        <About signal={signal} />
      </div>
    </div>
  )
}

function About({ signal }: { signal: SignalDetails }) {
  const { countries, tags, visible_to } = signal
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Signal id', <Id key="id" text={signal.signal_id} what="signal id" wraps />],
          ['Provider', signal.data_provider],
          ['Provider’s domain', signal.data_provider_domain],
          ['Coverage', `${signal.coverage_percentage} %`],
          ['Countries', countries.length === 0 ? 'Everywhere' : countries.join(', ')],
          [
            'Prices',
            <ul key="prices">
              {signal.pricing_options.map((option) => (
                <li key={option.pricing_option_id}>{priceText(option)}</li>
              ))}
            </ul>,
          ],
          ['Visible to', visible_to?.join(', ') ?? 'Everybody'],
          ['Tags', tags.length > 0 && tags.join(', ')],
          ['Renewed', signal.refresh_cadence],
          ['Last refreshed', signal.updated_at && <Time at={signal.updated_at} as="full" />],
          ['Version', signal.version],
          ['Changed here', <Time key="changed" at={signal.changed_at} as="full" />],
        ]}
      />
    </Panel>
  )
}
