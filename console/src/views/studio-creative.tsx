// One creative of a library: its appearance, its content, and its history.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LibraryCreative, PreviewAnswer } from '../../../src/console/api/studio.ts'
import { api } from '../api/client.ts'
import type { Fault } from '../api/request.ts'
import { useData } from '../api/use-data.ts'
import { WordBadge } from '../parts/badge.tsx'
import { Id } from '../parts/copy.tsx'
import { Json } from '../parts/json.tsx'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { Facts, Panel, ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import { Time } from '../parts/time.tsx'
import { Timeline } from '../parts/timeline.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'
import { mayAct } from '../session.ts'
import { Notes } from '../studio/build-result.tsx'
import { Downloads, FileLinks } from '../studio/downloads.tsx'
import { PreviewFrames } from '../studio/preview-frames.tsx'
import { CREATIVE_WORDS, sentence } from '../words.ts'

export function View({ params }: { params: Params }) {
  const { library_id = '' } = params
  const { value, fault, refresh } = useData(
    'GET /studio/library/:library_id',
    { params: { library_id } },
    ['creatives'],
  )
  return (
    <>
      <ViewHead
        title={value?.name ?? 'Creative'}
        within={{ title: 'Library', path: '/studio/library' }}
        actions={value && <Actions creative={value} />}
      >
        {value && <WordBadge word={CREATIVE_WORDS[value.status]} />}
      </ViewHead>
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={3} />}
      {value && (
        <div class="columns">
          <div class="stack two-thirds">
            <Looks creative={value} />
            <Panel title="Assets" aside={`${value.bytes.toLocaleString()} bytes`}>
              <div class="stack tight">
                <FileLinks files={value.files} />
                <Json value={value.manifest.assets} what="assets" />
              </div>
            </Panel>
          </div>
          <div class="stack third">
            <About creative={value} />
            <History creative={value} />
          </div>
        </div>
      )}
    </>
  )
}

/** Rendered again when the creative has changed: a preview is kept for a day. */
function Looks({ creative: { library_id, name, updated_at } }: { creative: LibraryCreative }) {
  const answer = useSignal<PreviewAnswer | undefined>(undefined)
  const fault = useSignal<Fault | undefined>(undefined)
  const load = async (signal?: AbortSignal) => {
    fault.value = undefined
    const requested = await api('POST /studio/library/:library_id/preview', {
      params: { library_id },
      body: {},
      ...(signal && { signal }),
    }).catch(() => undefined)
    if (!requested) return
    if (requested.ok) answer.value = requested.value
    else fault.value = requested.fault
  }
  useEffect(() => {
    const controller = new AbortController()
    void load(controller.signal)
    return () => controller.abort()
  }, [library_id, updated_at])
  const { preview, faults = [], notes = [] } = answer.value ?? {}
  return (
    <Panel title="Preview">
      <div class="stack">
        {fault.value && <FaultNotice fault={fault.value} retry={() => void load()} />}
        {!answer.value && !fault.value && <span class="skeleton block campaign-space" />}
        {preview && <PreviewFrames preview={preview} title={`Preview of ${name}`} />}
        {faults.length > 0 && <p>It no longer fits its format, so it cannot be rendered:</p>}
        {faults.map(({ pointer, message }) => (
          <p key={pointer + message} class="small bad wrap-anywhere">
            <code>{pointer}</code> {sentence(message)}
          </p>
        ))}
        <Notes notes={notes} />
      </div>
    </Panel>
  )
}

function About({ creative }: { creative: LibraryCreative }) {
  const { creative_id, format, tags, concept } = creative
  const same = hrefOf(`/studio/library?${new URLSearchParams({ format })}`)
  const of = hrefOf(
    `/studio/library?${new URLSearchParams({ principal_id: creative.principal_id })}`,
  )
  return (
    <Panel title="About">
      <Facts
        of={[
          ['Creative id', <Id key="id" text={creative_id} what="creative id" wraps />],
          [
            'Format',
            <a key="format" href={same} class="wrap-anywhere">
              {format}
            </a>,
          ],
          [
            'Principal',
            <a key="of" href={of}>
              {creative.principal_name ?? creative.principal_id}
            </a>,
          ],
          ['Concept', concept],
          ['Tags', tags.length > 0 && tags.join(', ')],
          ['First synced', <Time key="created" at={creative.created_at} as="full" />],
          ['Last changed', <Time key="updated" at={creative.updated_at} as="full" />],
        ]}
      />
    </Panel>
  )
}

function History({ creative }: { creative: LibraryCreative }) {
  const { created_at, updated_at, status, assignments } = creative
  const changed = status === 'archived' ? 'Archived' : 'Changed'
  const moments = [
    { key: 'created', tone: 'info' as const, title: 'First synced', at: created_at },
    ...assignments.map(({ package_id, weight, assigned_at: at }) => ({
      key: package_id,
      tone: 'good' as const,
      at,
      title: `Assigned to ${package_id}`,
      ...(weight !== undefined && { aside: <span class="small faint">weight {weight}</span> }),
    })),
    ...(updated_at === created_at
      ? []
      : [{ key: 'updated', tone: 'info' as const, title: changed, at: updated_at }]),
  ]
  return (
    <Panel title="History">
      <Timeline
        label="History, oldest first"
        moments={moments.toSorted((one, other) => (one.at < other.at ? -1 : 1))}
      />
    </Panel>
  )
}

function Actions({ creative }: { creative: LibraryCreative }) {
  const { library_id, name, manifest, files, format } = creative
  const [id = '', ...sizes] = format.split(' ')
  const requested = new URLSearchParams({ from: library_id })
  for (const size of sizes) {
    const [width, height] = size.split('x')
    if (size.endsWith('ms')) requested.set('duration_ms', size.slice(0, -2))
    else if (width && height) {
      requested.set('width', width)
      requested.set('height', height)
    }
  }
  return (
    <>
      {mayAct() && (
        <a class="button" href={hrefOf(`/studio/formats/${encodeURIComponent(id)}?${requested}`)}>
          Open in the studio
        </a>
      )}
      <Downloads creative={{ name, manifest, files }} />
    </>
  )
}
