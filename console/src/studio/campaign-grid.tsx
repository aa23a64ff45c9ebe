// The builds of a campaign side by side: each shows its progress, then its creative with notes about it.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Build, BuildState } from '../../../src/console/api/studio.ts'
import { useData } from '../api/use-data.ts'
import { FaultNotice } from '../parts/notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { hrefOf } from '../router.ts'
import { BuildResult, BuildStatus, isOver } from './build-result.tsx'
import { ZipButton } from './downloads.tsx'

export function CampaignGrid({
  builds,
  refresh,
}: {
  builds: readonly BuildState[]
  refresh(): void
}) {
  const loaded = useSignal<ReadonlyMap<string, Build>>(new Map())
  const done = builds.filter(({ status }) => status === 'completed').length
  const over = builds.filter(isOver).length
  const keep = (build: Build) => {
    if (loaded.peek().has(build.task_id)) return
    loaded.value = new Map([...loaded.peek(), [build.task_id, build]])
  }
  const kept = builds.flatMap(({ task_id }) => loaded.value.get(task_id) ?? [])
  const files = kept.flatMap((build) =>
    build.creatives.map((creative) => ({ name: nameOf(build), ...creative })),
  )
  // An archive with a missing size would not show that.
  const isWhole = over === builds.length && kept.length === done
  return (
    <Panel
      title="Side by side"
      aside={
        <span class="row wrap">
          <span role="status">
            {done} of {builds.length} built
            {over > done && `, ${over - done} not`}
          </span>
          {isWhole && files.length > 0 && (
            <ZipButton creatives={files} label="Files of all sizes" small />
          )}
        </span>
      }
    >
      {over < builds.length && (
        <progress
          class="meter"
          max={builds.length}
          value={over}
          aria-label="Builds that have ended"
        />
      )}
      <ul class="campaign">
        {builds.map((build) => (
          <li key={build.task_id} class="campaign-card">
            <div class="row between">
              <h3 class="wrap-anywhere">{nameOf(build)}</h3>
              <a class="small" href={hrefOf(`/tasks/${encodeURIComponent(build.task_id)}`)}>
                Task<span class="sr-only"> of {nameOf(build)}</span>
              </a>
            </div>
            {build.status === 'completed' ? (
              <Built task_id={build.task_id} keep={keep} />
            ) : (
              <BuildStatus build={build} refresh={refresh} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Built({ task_id, keep }: { task_id: string; keep(build: Build): void }) {
  const { value, fault, refresh } = useData(
    'GET /studio/builds/:task_id',
    { params: { task_id } },
    [],
  )
  useEffect(() => {
    if (value) keep(value)
  }, [value])
  if (!value) {
    return fault ? (
      <FaultNotice fault={fault} retry={refresh} />
    ) : (
      <span class="skeleton block campaign-space" />
    )
  }
  return <BuildResult build={value} name={nameOf(value)} />
}

function nameOf({ format, task_id }: BuildState): string {
  if (!format) return task_id
  const { id, width, height } = format
  return width !== undefined && height !== undefined ? `${id} ${width}x${height}` : id
}
