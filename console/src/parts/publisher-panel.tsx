// The crawler's data about a domain: which file describes it, its errors, who may sell for it, and what to change.

import type { PublisherDetails } from '../../../src/console/api/registry-network.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import {
  AUTHORIZATION_WORDS,
  CRAWL_WORDS,
  discoveryText,
  FINDING_WORDS,
} from '../registry-words.ts'
import { hrefOf } from '../router.ts'
import { sentence, withoutScheme } from '../words.ts'
import { Action } from './action.tsx'
import { Badge, WordBadge } from './badge.tsx'
import { Facts, Panel } from './panel.tsx'
import { Time } from './time.tsx'

export function PublisherPanel({ domain }: { domain: string }) {
  const { value, show } = useData('GET /registry/publishers/:domain', { params: { domain } }, [
    'registry',
  ])
  if (!value) return null
  const { crawl } = value
  return (
    <Panel
      title="Who may sell for it"
      aside={crawl ? <WordBadge word={CRAWL_WORDS[crawl.status]} /> : undefined}
    >
      <div class="stack">
        {crawl ? (
          <Facts
            of={[
              ['File', crawl.location],
              ['Found', discoveryText(crawl)],
              ['Read', <Time key="read" at={crawl.verified_at} as="ago" />],
              ['Error', crawl.error === undefined ? undefined : sentence(crawl.error)],
              ['Will point to', crawl.held_location],
            ]}
          />
        ) : (
          <p class="faint">The domain is not crawled.</p>
        )}
        <Findings of={value} />
        <Authorizations of={value} />
        <div class="row wrap">
          <Action
            label="Crawl now"
            small
            run={() =>
              api('POST /registry/publishers/:domain/crawl', { params: { domain }, body: {} })
            }
            done="It is first in line. What is found appears here."
            onDone={show}
          />
        </div>
      </div>
    </Panel>
  )
}

function Findings({ of: { findings, faults } }: { of: PublisherDetails }) {
  if (findings.length === 0 && faults.length === 0) return null
  return (
    <ul class="issues" aria-label="What to change">
      {findings.map(({ kind, code, message, change, agent_url = '' }) => (
        <li key={code + agent_url}>
          <span class="row">
            <WordBadge word={FINDING_WORDS[kind]} />
            <span class="wrap-anywhere">{sentence(message)}</span>
          </span>
          <span class="soft small wrap-anywhere">{sentence(change)}</span>
        </li>
      ))}
      {faults.map(({ pointer, message, line, severity }) => (
        <li key={pointer + message}>
          <span class="row">
            {line !== undefined && <span class="faint small">line {line}</span>}
            <code class={`wrap-anywhere ${severity === 'warning' ? 'warn' : 'bad'}`}>
              {pointer === '' ? 'the whole file' : pointer}
            </code>
          </span>
          <span class="wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
  )
}

function Authorizations({ of: { authorizations } }: { of: PublisherDetails }) {
  if (authorizations.length === 0) return <p class="faint">No agent is authorized.</p>
  return (
    <ul class="stack tight" aria-label="Agents">
      {authorizations.map((one, index) => (
        <li key={`${one.agent_url} ${index}`}>
          <div class="row between top">
            <a
              class="wrap-anywhere"
              href={hrefOf(`/registry/agent?agent_url=${encodeURIComponent(one.agent_url)}`)}
            >
              {withoutScheme(one.agent_url)}
            </a>
            <span class="row">
              {one.is_pinned && <Badge tone="info">keys pinned</Badge>}
              <WordBadge word={AUTHORIZATION_WORDS[one.status]} />
            </span>
          </div>
          <span class="soft small wrap-anywhere">
            {one.authorized_for} · {one.properties_authorized} of {one.properties_total} properties
            {one.effective_until !== undefined && ` · until ${one.effective_until.slice(0, 10)}`}
          </span>
        </li>
      ))}
    </ul>
  )
}
