// The formats that creatives can be created for, as pictures.

import type { FormatItem, FormatsQuery } from '../../../src/console/api/studio.ts'
import { useData } from '../api/use-data.ts'
import { Chips, Choice, Filters, Search } from '../parts/filters.tsx'
import { filtersOf } from '../parts/list-view.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Pager } from '../parts/pager.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { changeQuery, hrefOf } from '../router.ts'
import { Sketch, sizeText } from '../studio/sketch.tsx'
import { StudioTabs } from '../studio/studio-tabs.tsx'
import { spaced } from '../words.ts'

const TYPES = [
  ['', 'All types'],
  ['display', 'Display'],
  ['video', 'Video'],
  ['audio', 'Audio'],
  ['native', 'Native'],
  ['dooh', 'Out of home'],
  ['rich_media', 'Rich media'],
  ['universal', 'Universal'],
] as const

const NAMES: readonly string[] = ['q', 'type', 'asset_type', 'family', 'cursor']

export function View() {
  const query: Partial<FormatsQuery> = filtersOf(NAMES)
  const { value, fault, refresh } = useData('GET /studio/formats', { query }, [])
  const assetTypes = (value?.asset_types ?? []).map((type) => [type, spaced(type)] as const)
  return (
    <>
      <ViewHead title="Creative studio" actions={<StudioTabs />} />
      <Filters>
        <Search label="Name, or a size such as 300x250" />
        <Choice label="Type" name="type" options={TYPES} />
        <Choice
          label="Made of"
          name="asset_type"
          options={[['', 'Made of anything'], ...assetTypes]}
        />
        <Chips names={{ family: 'Family' }} />
      </Filters>
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {!fault && !value && <Loading />}
      {value?.items.length === 0 && <NothingFound />}
      {value && value.items.length > 0 && (
        <ul class="formats">
          {value.items.map((format) => (
            <FormatCard key={format.id} format={format} />
          ))}
        </ul>
      )}
      {value && <Pager page={value} what="formats" />}
    </>
  )
}

function FormatCard({ format }: { format: FormatItem }) {
  const { id, name, type, description } = format
  return (
    <li class="format-card">
      <Sketch format={format} />
      <a
        class="open"
        href={hrefOf(`/studio/formats/${encodeURIComponent(id)}`)}
        title={description}
      >
        {name}
      </a>
      <span class="small faint wrap-anywhere">
        {sizeText(format)} · {spaced(type)}
      </span>
    </li>
  )
}

function Loading() {
  return (
    <div class="formats" role="status" aria-label="Loading">
      {Array.from({ length: 12 }, (_, index) => (
        <div key={index} class="format-card">
          <span class="skeleton block sketch" />
          <span class="skeleton" />
          <span class="skeleton short" />
        </div>
      ))}
    </div>
  )
}

function NothingFound() {
  const clear = () => changeQuery(Object.fromEntries(NAMES.map((name) => [name, undefined])))
  return (
    <div class="panel">
      <Notice title="No formats fit these filters">
        <p>Search by part of a name or id, or by a size such as 300x250.</p>
        <div class="row">
          <button type="button" class="button" onClick={clear}>
            Show all formats
          </button>
        </div>
      </Notice>
    </div>
  )
}
