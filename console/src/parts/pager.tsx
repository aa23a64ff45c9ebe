// Paging through a list. The server returns the next cursor; the previous ones are those already visited.

import { signal } from '@preact/signals'
import type { Counted } from '../../../src/console/api/common.ts'
import { changeQuery, path, query } from '../router.ts'
import { countText } from '../words.ts'

/** The cursors before the present one, by list and filters. */
const walked = signal<{ key: string; cursors: readonly string[] }>({ key: '', cursors: [] })

interface Props {
  page:
    | { items: readonly unknown[]; next_cursor?: string | undefined; total?: Counted | undefined }
    | undefined
  /** `deliveries`. */
  what: string
}

export function Pager({ page, what }: Props) {
  const here = query.value.get('cursor') ?? ''
  const filters = new URLSearchParams(query.value)
  filters.delete('cursor')
  const key = `${path.value}?${filters}`
  const back = walked.value.key === key ? walked.value.cursors : []
  const next = page?.next_cursor
  const forward = () => {
    walked.value = { key, cursors: [...back, here] }
    changeQuery({ cursor: next })
    scrollTo(0, 0)
  }
  const backward = () => {
    walked.value = { key, cursors: back.slice(0, -1) }
    changeQuery({ cursor: back.at(-1) })
    scrollTo(0, 0)
  }
  return (
    <nav class="pager" aria-label={`Pages of ${what}`}>
      <span aria-live="polite">{page && summaryOf(page, what)}</span>
      {(here !== '' || next !== undefined) && (
        <span class="row">
          <button type="button" class="button small" disabled={here === ''} onClick={backward}>
            {back.length > 0 ? 'Previous' : 'First page'}
          </button>
          <button
            type="button"
            class="button small"
            disabled={next === undefined}
            onClick={forward}
          >
            Next
          </button>
        </span>
      )}
    </nav>
  )
}

function summaryOf({ items, total }: NonNullable<Props['page']>, what: string): string {
  const returned = items.length.toLocaleString()
  if (total === undefined) return `${returned} ${what} on this page`
  return `${returned} of ${countText(total)} ${what}`
}
