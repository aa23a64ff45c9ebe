// A creative generated from a message and a brand: started here, followed while it is built, its variants side by
// side.

import { useSignal } from '@preact/signals'
import type { Build, FormatRef } from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { useData } from '../api/use-data.ts'
import { Field } from '../parts/field.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { changeQuery, hrefOf } from '../router.ts'
import { BriefForm, requestedBy, useBrief } from './brief-form.tsx'
import { BuildResult, BuildStatus } from './build-result.tsx'
import type { Assets } from './slot-members.ts'

const MOST_VARIANTS = 10

interface GenerateProps {
  format: FormatRef
  /** What is in the form. */
  assets: Assets
}

export function Generate({ format, assets }: GenerateProps) {
  const brief = useBrief()
  const variants = useSignal('1')
  const fault = useSignal<Fault | undefined>(undefined)
  const isBusy = useSignal(false)
  const filled = Object.keys(assets).length
  const goesOn = useSignal(filled > 0)
  const refuse = (message: string) => {
    fault.value = { kind: 'refused', code: 'incomplete', message }
  }
  const submit = async () => {
    const requested = requestedBy(brief)
    if ('missing' in requested) return refuse(requested.missing)
    const wanted = Number(variants.value)
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > MOST_VARIANTS) {
      return refuse(`Variants: a number from 1 to ${MOST_VARIANTS}.`)
    }
    fault.value = undefined
    isBusy.value = true
    const begun = goesOn.peek() && filled > 0 ? { assets: { ...assets } } : {}
    const body = { ...requested, ...begun, formats: [format], variants: wanted }
    const answer = await api('POST /studio/builds', { body })
    isBusy.value = false
    if (answer.ok) changeQuery({ build: answer.value.builds[0]?.task_id })
    else fault.value = answer.fault
  }
  return (
    <BriefForm
      brief={brief}
      fault={fault.value}
      isBusy={isBusy.value}
      submit={() => void submit()}
      label="Generate"
    >
      <Field
        label="Variants, side by side"
        value={variants}
        maxLength={2}
        hint={`1 to ${MOST_VARIANTS}.`}
      />
      {filled > 0 && (
        <label class="row">
          <input
            type="checkbox"
            checked={goesOn.value}
            onChange={(event) => {
              goesOn.value = event.currentTarget.checked
            }}
          />
          Continue from the form
        </label>
      )}
    </BriefForm>
  )
}

interface GeneratedProps {
  task_id: string
  /** What its creatives are called. */
  name: string
  edit(creative: Build['creatives'][number]): void
}

/** Across the whole view: variants are side by side. */
export function Generated({ task_id, name, edit }: GeneratedProps) {
  const { value, fault, refresh } = useData(
    'GET /studio/builds/:task_id',
    { params: { task_id } },
    ['tasks'],
  )
  const task = hrefOf(`/tasks/${encodeURIComponent(task_id)}`)
  return (
    <Panel title="Generated" aside={<a href={task}>Open the task</a>}>
      {!value && fault && <FaultNotice fault={fault} retry={refresh} />}
      {!value && !fault && <span class="skeleton block campaign-space" />}
      {value && (
        <div class="stack" aria-live="polite">
          <FaultBanner fault={fault} retry={refresh} />
          {value.requested.message !== undefined && (
            <p class="soft wrap-anywhere">“{value.requested.message}”</p>
          )}
          <BuildStatus build={value} refresh={refresh} />
          <BuildResult build={value} name={name} edit={edit} />
        </div>
      )}
    </Panel>
  )
}
