// Signals: a description in plain words, and the results, best first, with the reason for each.

import type { SignalItem, SignalsPage, SignalsQuery } from '../../../src/console/api/signals.ts'
import { useData } from '../api/use-data.ts'
import { Badge, WordBadge } from '../parts/badge.tsx'
import { Filters, Search } from '../parts/filters.tsx'
import { filtersOf } from '../parts/list-view.tsx'
import { FaultBanner, FaultNotice, Notice } from '../parts/notice.tsx'
import { Pager } from '../parts/pager.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { PlaceStates } from '../parts/signal-places.tsx'
import { AsPrincipal } from '../parts/signal-principals.tsx'
import { hrefOf, query } from '../router.ts'
import { priceText, TIER_WORDS } from '../signal-words.ts'
import { sentence } from '../words.ts'

const NAMES: readonly string[] = ['q', 'as', 'cursor']

const EXAMPLES = [
  'families who plan a ski trip',
  'people about to buy an electric car',
  'small business owners in Germany',
  'lapsed gym members',
] as const

export function View() {
  const isRequested = query.value.has('q')
  return (
    <>
      <ViewHead
        title="Signals"
        about="Describe whom to reach. The results are those of get_signals."
        actions={
          <a class="button" href={hrefOf('/signals/catalogue')}>
            Catalogue and import
          </a>
        }
      />
      <div class="wide-search">
        <Filters>
          <Search label="Describe an audience in natural language" />
          <AsPrincipal />
        </Filters>
      </div>
      {isRequested ? <Found /> : <Nothing />}
    </>
  )
}

function Nothing() {
  return (
    <div class="table-frame">
      <Notice title="Whom do you want to reach?">
        <p>
          A few words are enough, in English, German, French, Spanish, Italian, Portuguese or Dutch.
          You can also exclude groups.
        </p>
        <ul class="examples">
          {EXAMPLES.map((example) => (
            <li key={example}>
              <a href={hrefOf(`/signals?${new URLSearchParams({ q: example })}`)}>{example}</a>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function Found() {
  const requested: Partial<SignalsQuery> = filtersOf(NAMES)
  const { value, fault, refresh, isLoading } = useData('GET /signals', { query: requested }, [
    'signals',
  ])
  if (fault && !value) return <FaultNotice fault={fault} retry={refresh} />
  if (!value) return <Skeleton />
  return (
    <>
      <FaultBanner fault={fault} retry={refresh} />
      <Reported page={value} />
      {value.items.length === 0 ? (
        <div class="table-frame">
          <Notice title="No signal fits this description">
            <p>Use other words, or fewer words.</p>
          </Notice>
        </div>
      ) : (
        <ol class="found" aria-label="Signals, the best match first" aria-busy={isLoading}>
          {value.items.map((item) => (
            <Result key={item.signal_id} item={item} />
          ))}
        </ol>
      )}
      <Pager page={value} what="signals" />
    </>
  )
}

function Skeleton() {
  return (
    <div class="stack tight" role="status" aria-label="Searching">
      {[1, 2, 3, 4].map((row) => (
        <div key={row} class="panel skeleton-panel">
          <span class="skeleton short" />
          <span class="skeleton" />
        </div>
      ))}
    </div>
  )
}

/** The search's notes about its own results. */
function Reported({ page: { message, corrected, model } }: { page: SignalsPage }) {
  return (
    <div class="told" aria-live="polite">
      <p class="soft wrap-anywhere">{sentence(message)}</p>
      {corrected.length > 0 && (
        <p class="soft wrap-anywhere">
          Corrected query: {corrected.map(({ from, to }) => `‘${from}’ as ‘${to}’`).join(', ')}.
        </p>
      )}
      {model && <ModelNote model={model} />}
    </div>
  )
}

/** A search without the sentence model finds less, and reports that. */
function ModelNote({ model }: { model: NonNullable<SignalsPage['model']> }) {
  const { state, reason, signals, vectors } = model
  if (state === 'missing' || state === 'off') {
    return (
      <p class="warn wrap-anywhere">
        The sentence model is {state === 'off' ? 'turned off' : 'missing'}
        {reason !== undefined && `: ${reason}`}. Signals are found by words and a small table of
        meanings alone.
      </p>
    )
  }
  if (vectors >= signals) return null
  return (
    <p class="soft">
      The sentence model has read {vectors.toLocaleString()} texts of {signals.toLocaleString()}{' '}
      signals so far; equal texts are read once.
    </p>
  )
}

function Result({ item }: { item: SignalItem }) {
  const { match, pricing_options } = item
  const as = query.value.get('as')
  const search = as === null ? '' : `?${new URLSearchParams({ as })}`
  return (
    <li class="result">
      <div class="result-head">
        <h2>
          <a
            class="open wrap-anywhere"
            href={hrefOf(`/signals/catalogue/${encodeURIComponent(item.signal_id)}${search}`)}
          >
            {item.name}
          </a>
        </h2>
        {item.is_private && <Badge tone="warn">private</Badge>}
        {match?.tier && <WordBadge word={TIER_WORDS[match.tier]} />}
        {match && <Relevance share={match.relevance} />}
      </div>
      {match && <p class="wrap-anywhere">{sentence(match.reason)}</p>}
      <p class="soft small wrap-anywhere clamp">{item.description}</p>
      <p class="small wrap-anywhere">
        {item.data_provider} <span class="faint">·</span> {item.signal_type}{' '}
        <span class="faint">·</span> covers {item.coverage_percentage} %{' '}
        <span class="faint">·</span> {pricing_options.map(priceText).join(' or ')}
      </p>
      <PlaceStates places={item.places} />
    </li>
  )
}

function Relevance({ share }: { share: number }) {
  const percent = Math.round(share * 100)
  return (
    <span class="relevance" title="How well it fits, from 0 to 100">
      <progress class="meter" max={100} value={percent} aria-label="How well it fits" />
      <span class="number small">{percent}</span>
    </span>
  )
}
