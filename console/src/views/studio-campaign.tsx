// A campaign: one message and one brand in every size of a family, displayed side by side as they are made.

import { useSignal } from '@preact/signals'
import type { BuildState, FormatItem } from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { useData } from '../api/use-data.ts'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { changeQuery, query } from '../router.ts'
import { mayAct } from '../session.ts'
import { BriefForm, requestedBy, useBrief } from '../studio/brief-form.tsx'
import { CampaignGrid } from '../studio/campaign-grid.tsx'
import { FormatChoice } from '../studio/format-choice.tsx'
import { StudioTabs } from '../studio/studio-tabs.tsx'

/** The most of one build. */
const MOST_FORMATS = 50

export function View() {
  const task_ids = query.value.get('builds')
  return (
    <>
      <ViewHead
        title="Campaign"
        within={{ title: 'Creative studio', path: '/studio' }}
        about="One message and one brand, in every size that you choose."
        actions={<StudioTabs />}
      />
      <div class="stack">
        {mayAct() && <CampaignForm />}
        {task_ids !== null && <Campaign task_ids={task_ids} />}
        {task_ids === null && !mayAct() && (
          <div class="panel">
            <Notice title="No campaign selected">
              <p>
                Viewers cannot build creatives. Open the address of a campaign that an operator
                built.
              </p>
            </Notice>
          </div>
        )}
      </div>
    </>
  )
}

function CampaignForm() {
  const family = query.value.get('family') ?? FIRST_FAMILY
  const { value, fault, refresh } = useData(
    'GET /studio/formats',
    { query: { family, limit: 200 } },
    [],
  )
  if (!value) {
    return fault ? <FaultNotice fault={fault} retry={refresh} /> : <Skeletons panels={2} />
  }
  const formats = value.items.filter(({ takes }) => takes.length === 0)
  return <Chosen key={family} family={family} formats={formats} families={value.families} />
}

const FIRST_FAMILY = 'display_*_image'

interface ChosenProps {
  family: string
  formats: readonly FormatItem[]
  families: readonly { family: string; formats: number }[]
}

function Chosen({ family, formats, families }: ChosenProps) {
  const brief = useBrief()
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const refusals = useSignal<readonly string[]>([])
  const chosen = useSignal<ReadonlySet<string>>(
    new Set(formats.slice(0, MOST_FORMATS).map(({ id }) => id)),
  )
  const refuse = (message: string) => {
    fault.value = { kind: 'refused', code: 'incomplete', message }
  }
  const submit = async () => {
    const requested = requestedBy(brief)
    if ('missing' in requested) return refuse(requested.missing)
    if (chosen.value.size === 0) return refuse('Choose at least one size.')
    if (chosen.value.size > MOST_FORMATS) return refuse(`At most ${MOST_FORMATS} sizes at once.`)
    fault.value = undefined
    isBusy.value = true
    const wanted = formats.filter(({ id }) => chosen.peek().has(id)).map(({ id }) => ({ id }))
    const answer = await api('POST /studio/builds', { body: { ...requested, formats: wanted } })
    isBusy.value = false
    if (!answer.ok) {
      fault.value = answer.fault
      return
    }
    const { builds } = answer.value
    refusals.value = builds.flatMap(({ format, refusal }) =>
      refusal === undefined ? [] : [`${format.id}: ${refusal}`],
    )
    changeQuery({ builds: builds.flatMap(({ task_id }) => task_id ?? []).join(',') })
  }
  const { size } = chosen.value
  return (
    <div class="columns">
      <div class="half">
        <Panel title="What to say">
          <BriefForm
            brief={brief}
            fault={fault.value}
            isBusy={isBusy.value}
            submit={() => void submit()}
            label={size === 1 ? 'Build 1 size' : `Build ${size} sizes`}
          />
          {refusals.value.map((refusal) => (
            <p key={refusal} class="small bad wrap-anywhere">
              Not begun: {refusal}
            </p>
          ))}
        </Panel>
      </div>
      <div class="half">
        <FormatChoice family={family} families={families} formats={formats} chosen={chosen} />
      </div>
    </div>
  )
}

function Campaign({ task_ids }: { task_ids: string }) {
  const { value, fault, refresh } = useData('GET /studio/builds', { query: { task_ids } }, [
    'tasks',
  ])
  if (!value) {
    return fault ? <FaultNotice fault={fault} retry={refresh} /> : <Skeletons panels={1} />
  }
  const { builds } = value
  return (
    <>
      <FaultBanner fault={fault} retry={refresh} />
      {builds.length === 0 ? (
        <div class="panel">
          <Notice title="No builds found">
            <p>Tasks are deleted after some time. Saved creatives are in the library.</p>
          </Notice>
        </div>
      ) : (
        <CampaignGrid builds={builds as readonly BuildState[]} refresh={refresh} />
      )}
    </>
  )
}
