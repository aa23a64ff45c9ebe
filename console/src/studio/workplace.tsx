// Where a creative of one format is made: by filling in its form, with the preview beside it, or from a message.

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type {
  Build,
  FormatDetails,
  FormatRef,
  ManifestFault,
} from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import { Panel } from '../parts/panel.tsx'
import { toast } from '../parts/toast.tsx'
import { changeQuery, query } from '../router.ts'
import { AboutFormat } from './about-format.tsx'
import { Generate, Generated } from './generate.tsx'
import { MacroFields } from './macro-fields.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import { DEVICES, type Device } from './preview-frames.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { otherFaults, SlotForm } from './slot-form.tsx'
import type { Assets } from './slot-members.ts'
import { usePreview } from './use-preview.ts'

interface Props {
  format: FormatDetails
  /** With the size and length from the address. */
  at: FormatRef
}

/** The form's content, and how often it was restarted from an existing creative. */
interface Begun {
  assets: Signal<Assets>
  times: Signal<number>
}

export function Workplace({ format, at }: Props) {
  const begun: Begun = { assets: useSignal<Assets>({}), times: useSignal(0) }
  useLibraryCreative(begun)
  const build = query.value.get('build')
  const edit = ({ manifest }: Build['creatives'][number]) => {
    begin(begun, manifest.assets)
    changeQuery({ mode: undefined })
    toast('The creative is in the form.')
  }
  if (query.value.get('mode') !== 'generate')
    return <Filling format={format} at={at} begun={begun} />
  return (
    <div class="columns">
      <div class="half">
        <Panel title="Generate" aside={<Modes mode="generate" />}>
          <div class="stack">
            <ParameterFields format={format} />
            <Generate format={at} assets={begun.assets.value} />
          </div>
        </Panel>
      </div>
      <div class="half">
        <AboutFormat format={format} />
      </div>
      {build !== null && <Generated task_id={build} name={format.name} edit={edit} />}
    </div>
  )
}

function begin({ assets, times }: Begun, with_: Assets) {
  assets.value = with_
  times.value += 1
}

/** `from` in the address: a creative of the library to begin with. */
function useLibraryCreative(begun: Begun) {
  const from = query.value.get('from')
  useEffect(() => {
    if (from === null) return
    const load = async () => {
      const answer = await api('GET /studio/library/:library_id', { params: { library_id: from } })
      if (answer.ok) begin(begun, answer.value.manifest.assets)
      else toast(`The creative could not be loaded: ${answer.fault.message}`, 'bad')
    }
    void load()
  }, [from])
}

function Filling({ format, at, begun: { assets, times } }: Props & { begun: Begun }) {
  const macros = useSignal<Readonly<Record<string, string>>>({})
  const device = useSignal<Device>(DEVICES[0])
  const isOpen = format.takes.length > 0
  const isEmpty = Object.keys(assets.value).length === 0
  const values = macrosWith(format, macros.value, device.value.macro)
  const live = usePreview(
    isEmpty || isOpen ? undefined : { format: at, assets: assets.value, macros: values },
  )
  return (
    <div class="columns">
      <div class="stack half">
        <Panel title="Form" aside={<Modes mode="form" />}>
          <div class="stack">
            <ParameterFields format={format} />
            <StrayFaults faults={otherFaults(format.slots, live.faults)} />
            <SlotForm key={times.value} slots={format.slots} assets={assets} faults={live.faults} />
          </div>
        </Panel>
        <MacroFields names={format.macros} values={macros} />
      </div>
      <div class="half">
        <div class="stack beside">
          <PreviewPane
            name={format.name}
            live={live}
            device={device}
            manifest={{ format: at, assets: assets.value }}
            isEmpty={isEmpty}
            isOpen={isOpen}
          />
          <AboutFormat format={format} />
        </div>
      </div>
    </div>
  )
}

/** A device sets its own macros, unless the person sets them. */
function macrosWith(
  { macros: names }: FormatDetails,
  typed: Readonly<Record<string, string>>,
  device: string | undefined,
): Record<string, string> {
  const given = Object.entries(typed).filter(([, value]) => value !== '')
  const own = device !== undefined && names.includes('DEVICE_TYPE') ? { DEVICE_TYPE: device } : {}
  return { ...own, ...Object.fromEntries(given) }
}

function Modes({ mode }: { mode: 'form' | 'generate' }) {
  return (
    <fieldset class="tabs">
      <legend class="sr-only">How to make it</legend>
      {(['form', 'generate'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={mode === one}
          onClick={() => changeQuery({ mode: one === 'form' ? undefined : one })}
        >
          {one === 'form' ? 'Fill in the form' : 'From a message'}
        </button>
      ))}
    </fieldset>
  )
}

function StrayFaults({ faults }: { faults: readonly ManifestFault[] }) {
  if (faults.length === 0) return null
  return (
    <ul class="plain-list small bad" aria-label="Errors without a field">
      {faults.map(({ pointer, message }) => (
        <li key={pointer + message} class="wrap-anywhere">
          {pointer !== '' && <code>{pointer}</code>} {message}
        </li>
      ))}
    </ul>
  )
}
