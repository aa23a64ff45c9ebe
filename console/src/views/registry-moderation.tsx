// Moderation: contributions that wait for a decision, oldest first, with everything that would become public.

import type { ReviewPage } from '../../../src/console/api/registry-network.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { Action } from '../parts/action.tsx'
import { Badge } from '../parts/badge.tsx'
import { Json } from '../parts/json.tsx'
import { FaultNotice, Notice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { spaced } from '../words.ts'
import { RegistryPlaces } from './registry-places.tsx'

type Item = ReviewPage['items'][number]

export function View() {
  const { value, fault, refresh, show } = useData('GET /registry/reviews', {}, ['registry'])
  return (
    <>
      <ViewHead
        title="Moderation"
        within={{ title: 'Registry', path: '/registry' }}
        about="Nothing of it is public before it is approved."
        actions={<RegistryPlaces />}
      />
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={2} />}
      {value?.items.length === 0 && (
        <Notice title="Nothing waits for a decision">
          <p>What organisations contribute to the registry appears here.</p>
        </Notice>
      )}
      <div class="stack">
        {value?.items.map((item) => (
          <Review key={`${item.kind} ${item.key}`} item={item} show={show} />
        ))}
      </div>
    </>
  )
}

function Review({ item, show }: { item: Item; show(value: ReviewPage): void }) {
  const { kind, key, name, organization_name, submitted_at, content } = item
  const decide = (decision: 'approve' | 'reject') => () =>
    api('POST /registry/reviews/decide', { body: { kind, key, decision } })
  return (
    <Panel title={name} aside={<Badge tone="warn">{spaced(kind)}</Badge>}>
      <div class="stack">
        <Facts
          of={[
            ['Contributed by', organization_name],
            ['Submitted', <Time key="at" at={submitted_at} as="full" />],
          ]}
        />
        <Json value={content} what="contribution" />
        <div class="row wrap">
          <Action
            label="Approve"
            kind="primary"
            run={decide('approve')}
            done="It is public now."
            onDone={show}
          />
          <Action
            label="Reject"
            kind="danger"
            run={decide('reject')}
            done="It was turned down."
            onDone={show}
            confirm={{
              title: `Reject ${name}?`,
              body: <p>It is deleted, and cannot be restored.</p>,
            }}
          />
        </div>
      </div>
    </Panel>
  )
}
