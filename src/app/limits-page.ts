// Generates /docs/limits.md from the tables that the areas declare. An area that adds a limit adds a row to its own
// table; an area that has none yet adds its table here.

import { CALL_LIMITS, COST_LIMITS, REQUEST_KEY_LIMITS } from '../agent/limits.ts'
import type { TableEntry } from '../agent/task-table.ts'
import { CALLER_LIMITS } from '../caller/limits.ts'
import { CONSOLE_LIMITS } from '../console/limits.ts'
import { KEYLESS_DRAW_LIMITS } from '../creative/rendering/keyless-draws.ts'
import { KEY_DISCOVERY_LIMITS } from '../key-discovery/limits.ts'
import type { Limit, Limits } from '../lib/limit.ts'
import { BUY_LIMITS } from '../media-buys/limits.ts'
import { SOURCE_LIMITS } from '../media-buys/sources/limits.ts'
import { ADAGENTS_LIMITS } from '../protocol/adagents/limits.ts'
import { FAULT_LIMITS } from '../protocol/error-limits.ts'
import { AUTHORIZATION_LIMITS } from '../registry/authorizations/limits.ts'
import { CRAWL_LIMITS } from '../registry/crawler/limits.ts'
import { NETWORK_LIMITS } from '../registry/network/limits.ts'
import { REPLICA_LIMITS } from '../registry/replica/limits.ts'
import { SANDBOX_LIMITS } from '../sandbox/limits.ts'
import { A2A_LIMITS } from '../transports/a2a/limits.ts'
import { HTTP_LIMITS } from '../transports/http/limits.ts'
import { REGISTRY_LIMITS } from '../transports/http/registry/limits.ts'
import { STDIO_LIMITS } from '../transports/mcp/stdio.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'
import {
  BROWSER_PAGE,
  CREATIVE_PAGE,
  QUOTA_PAGE,
  SEARCH_PAGE,
  VERIFICATION_PAGE,
  WORKER_POOL_PAGE,
} from './settings-limits.ts'

/** By the heading they are listed under, with the tests that verify them. */
export const ALL_LIMITS: readonly (readonly [string, Limits, readonly string[]])[] = [
  [
    'Requests and connections',
    HTTP_LIMITS,
    ['attacks/budget', 'attacks/unread-answers', 'transports/http/slow-readers'],
  ],
  ['Task calls', CALL_LIMITS, ['attacks/budget', 'agent/authentication']],
  ['Cost of calls', COST_LIMITS, ['agent/cost-budget', 'agent/call']],
  [
    'Reported errors',
    FAULT_LIMITS,
    ['attacks/budget', 'protocol/error-limits', 'protocol/schemas/misspelt'],
  ],
  [
    'Keys of signed requests',
    { ...REQUEST_KEY_LIMITS, ...KEY_DISCOVERY_LIMITS },
    ['attacks/keys-and-nonces', 'key-discovery/fetch-limiter', 'contracts/request-key-store'],
  ],
  [
    'Calls of other agents',
    CALLER_LIMITS,
    ['attacks/called-agents', 'caller/call-agent', 'scenarios/call-agents'],
  ],
  ['MCP over standard input', STDIO_LIMITS, ['transports/mcp/stdio']],
  ['A2A', A2A_LIMITS, ['attacks/budget']],
  [
    'Files of publishers and the crawler',
    {
      ...ADAGENTS_LIMITS,
      ...CRAWL_LIMITS,
      ...AUTHORIZATION_LIMITS,
      ...NETWORK_LIMITS,
      ...REPLICA_LIMITS,
    },
    [
      'protocol/adagents/read-adagents',
      'attacks/publisher-files',
      'registry/network-health',
      'registry/replica',
    ],
  ],
  ['The registry', REGISTRY_LIMITS, ['attacks/budget', 'contracts/reference-list']],
  [
    'Verification of references',
    VERIFICATION_PAGE,
    ['attacks/take-over', 'protocol/read-manifest'],
  ],
  [
    'Creatives',
    CREATIVE_PAGE,
    ['attacks/content', 'creative/pictures/svg-cost', 'docs/creative-limits'],
  ],
  [
    'The worker pool',
    WORKER_POOL_PAGE,
    [
      'attacks/content',
      'attacks/slow-drawings',
      'lib/worker-pool/scheduler',
      'lib/worker-pool/worker-pool',
      'lib/worker-pool/worker-process',
    ],
  ],
  [
    'Previews without a key',
    KEYLESS_DRAW_LIMITS,
    ['attacks/keyless-previews', 'creative/rendering/keyless-draws'],
  ],
  ['Still pictures', BROWSER_PAGE, ['browser/stills', 'creative/stills/draw-stills']],
  ['Searches for signals', SEARCH_PAGE, ['attacks/search-flood', 'signals/search/fair-queue']],
  ['The console', CONSOLE_LIMITS, ['transports/http/console/sessions']],
  ['Media buys', BUY_LIMITS, ['scenarios/media-buys', 'attacks/media-buys']],
  ['Figures of delivery', SOURCE_LIMITS, ['media-buys/sources/sources']],
  ['What one principal may have', QUOTA_PAGE, ['contracts/quotas']],
  ['Tenants of a sandbox', SANDBOX_LIMITS, ['attacks/tenants', 'contracts/sandbox-store']],
]

export function limitsPage(tasks: readonly TableEntry[]): string {
  const parts = ALL_LIMITS.map(
    ([heading, limits, tests]) => `## ${heading}

Tested in ${tests.map((name) => `[${name}](../test/${name}.test.ts)`).join(', ')}.

| limit | value | setting | beyond it |
|---|---|---|---|
${Object.values(limits).map(rowOf).join('\n')}
`,
  )
  return `# Limits

What a caller may request, and what is returned beyond each limit. Each instance counts for itself. Where there
is a setting, the value is its default; the others are fixed. This page is generated: \`npm run docs\`.

${parts.join('\n')}
${costsSection(tasks)}`
}

/** What a call of each task may cost. */
function costsSection(tasks: readonly TableEntry[]): string {
  const own = tasks.filter(({ name, task }) => name === task.name)
  return `## Cost of each task

A call is estimated before its work begins, in units of about one row read, written or returned. Over the limit of its task it is
refused with 422 \`VALIDATION_ERROR\`, and the message states what is accepted. Tested in
[agent/task-costs](../test/agent/task-costs.test.ts).

| task | grows with | most units of one call | to reduce it |
|---|---|---|---|
${own.map(costRow).join('\n')}
`
}

function costRow({ task: { name, cost } }: TableEntry): string {
  const advice = cost.reduce?.advice ?? ''
  return `| \`${name}\` | ${cost.grows} | ${cost.limit} | ${advice} |`
}

function rowOf({ what, value, unit, setting, beyond }: Limit): string {
  return `| ${what} | ${returned(value, unit)} | ${setting ? `\`${setting}\`` : ''} | ${beyond} |`
}

function returned(value: number, unit: Limit['unit']): string {
  if (unit === 'bytes') return bytes(value)
  if (unit === 'ms') return `${value / 1_000} s`
  if (unit === 'seconds') return `${value} s`
  return unit === '' ? String(value) : `${value} ${unit}`
}

function bytes(value: number): string {
  if (value % 1_048_576 === 0) return `${value / 1_048_576} MiB`
  return value % 1_024 === 0 ? `${value / 1_024} KiB` : `${value} bytes`
}

/** Limits whose setting does not exist or has a different default. */
export function strayLimits(): string[] {
  const defaults = new Map(
    (Object.values(SETTINGS) as Setting<unknown>[]).map(({ env, default: value }) => [env, value]),
  )
  return ALL_LIMITS.flatMap(([, limits]) => Object.values(limits))
    .filter(({ setting, value }) => setting && defaults.get(setting) !== String(value))
    .map(({ setting = '' }) => setting)
}
