// The preview next to the form: a valid creative is displayed, on the chosen device; errors are reported.

import type { Signal } from '@preact/signals'
import type { FormatRef } from '../../../src/console/api/studio.ts'
import { Badge } from '../parts/badge.tsx'
import { Notice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Notes } from './build-result.tsx'
import { saveManifest } from './download.ts'
import { DEVICES, type Device, PreviewFrames } from './preview-frames.tsx'
import { Save } from './save.tsx'
import type { Assets } from './slot-members.ts'
import type { LivePreview } from './use-preview.ts'

interface Props {
  name: string
  live: LivePreview
  device: Signal<Device>
  manifest: { format: FormatRef; assets: Assets }
  isEmpty: boolean
  /** Whether the format has no size or length yet. */
  isOpen: boolean
}

export function PreviewPane({ name, live, device, manifest, isEmpty, isOpen }: Props) {
  const { preview, fault, notes, isCurrent } = live
  return (
    <Panel title="Preview" aside={<LaneHealth live={live} isEmpty={isEmpty} />}>
      <div class="stack" aria-busy={live.isLoading}>
        <Devices device={device} />
        {fault && (
          <p class="bad wrap-anywhere" role="alert">
            {fault.message}
          </p>
        )}
        {preview ? (
          <PreviewFrames preview={preview} title={`Preview of ${name}`} device={device.value} />
        ) : (
          <Notice title={isOpen ? 'It has no size yet' : 'No preview yet'} compact>
            <p>
              {isOpen
                ? 'Enter its size or length first.'
                : isEmpty
                  ? 'Fill in the form or generate the creative. The preview updates as you type.'
                  : 'The preview appears when all required fields are filled in.'}
            </p>
          </Notice>
        )}
        <Notes notes={notes} />
        {!isEmpty && (
          <div class="row wrap">
            <Save
              name={name}
              creative={() => ({ format: manifest.format, assets: { ...manifest.assets } })}
              unless={
                isCurrent ? undefined : 'Fix the errors first: only valid creatives are saved.'
              }
            />
            <button
              type="button"
              class="button"
              onClick={() => saveManifest({ name, manifest: manifestOf(manifest) })}
            >
              Download the manifest
            </button>
            {preview?.interactive_path !== undefined && (
              <a class="button" href={preview.interactive_path} target="_blank" rel="noreferrer">
                Open on a page of its own
              </a>
            )}
          </div>
        )}
      </div>
    </Panel>
  )
}

function manifestOf({ format, assets }: Props['manifest']) {
  return { format_id: { agent_url: location.origin, ...format }, assets: { ...assets } }
}

function LaneHealth({ live, isEmpty }: { live: LivePreview; isEmpty: boolean }) {
  const { faults, isLoading, preview, isCurrent } = live
  if (isEmpty) return null
  if (faults.length > 0) {
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
    return <Badge tone="bad">{preview ? `${count}: showing the last valid version` : count}</Badge>
  }
  if (isLoading || !isCurrent) return <Badge tone="info">drawing</Badge>
  return <Badge tone="good">fits its format</Badge>
}

function Devices({ device }: { device: Signal<Device> }) {
  return (
    <fieldset class="tabs">
      <legend class="sr-only">Device</legend>
      {DEVICES.map((one) => (
        <button
          key={one.id}
          type="button"
          aria-pressed={device.value === one}
          onClick={() => {
            device.value = one
          }}
        >
          {one.name}
          {one.width !== undefined && <span class="faint"> {one.width}</span>}
        </button>
      ))}
    </fieldset>
  )
}
