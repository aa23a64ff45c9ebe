// Pages that preview_creative returns (spec 2.5, 4.2): they display untrusted content, so they need a policy
// and an expiry. Rendering changes nothing, so these checks need no --write.

import { isObject } from '../../protocol/schemas/checks.ts'
import { checkAnswer } from '../../protocol/schemas/envelope.ts'
import { previewCreativeResponse } from '../../protocol/schemas/preview-creative.ts'
import { type Check, quotedValue, skipped, type Verdict, verdictOf } from '../check.ts'
import { boundedIssues } from './answers.ts'
import { type AgentContext, CONTEXT } from './context.ts'
import { anyFormat } from './formats.ts'

const group = 'previews'

export const PREVIEW_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'answer-preview_creative',
    group,
    writes: false,
    title: 'preview_creative answers what its schema promises',
    why: 'callers read the answer by the schema, and stumble where it is not kept',
    fix: 'return a response that matches the response schema of preview_creative; /schemas/v3/ of an Adwire server has it',
    run: (context) =>
      onPreview(context, (body) => {
        // Its expiry is checked separately.
        const { expires_at: _, ...rest } = body
        const whole = { ...rest, expires_at: new Date().toISOString() }
        return verdictOf(boundedIssues(checkAnswer(previewCreativeResponse, whole, context.names)))
      }),
  },
  {
    id: 'preview-expiry',
    group,
    writes: false,
    title: 'previews end: expires_at lies ahead, and not far',
    why: 'a page that never expires keeps showing withdrawn creatives and fills the disk',
    fix: 'answer expires_at, a day or so ahead, and answer 410 from then on',
    run: (context) =>
      onPreview(context, ({ expires_at }) => verdictOf([faultOfEnd(expires_at, Date.now())])),
  },
  {
    id: 'preview-policy',
    group,
    writes: false,
    title: 'a preview page has a Content-Security-Policy that isolates third-party scripts',
    why: 'markup of one advertiser would run in the agent’s own origin, next to everything else it serves',
    fix: 'send Content-Security-Policy with default-src none and sandbox, and no cookies',
    run: (context) => onPreview(context, (body) => checkPages(context, body)),
  },
]

async function onPreview(
  context: AgentContext,
  check: (body: Record<string, unknown>) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  if (!(await context.tasks()).has('preview_creative'))
    return skipped('the agent has no preview_creative')
  const answer = await context.once('preview', async () => {
    const format = await anyFormat(context)
    if (!format) return undefined
    const { format_id, assets } = format
    const creative_manifest = { format_id, assets }
    const request = { request_type: 'single', format_id, creative_manifest, context: CONTEXT }
    return context.call('preview_creative', request)
  })
  if (!answer)
    return skipped('no format of the agent can be previewed with an image, a text and a URL')
  if (answer.ok) return check(answer.body)
  return skipped(
    answer.httpStatus === 401
      ? 'it requires a key: use --auth'
      : `the agent refused: ${quotedValue(answer.message)}`,
  )
}

const LONGEST_MS = 31 * 24 * 60 * 60 * 1_000

function faultOfEnd(expires: unknown, now: number): string | undefined {
  if (expires === undefined) return 'there is no expires_at'
  const at = typeof expires === 'string' ? Date.parse(expires) : Number.NaN
  if (Number.isNaN(at)) return `expires_at is no time: ${quotedValue(expires)}`
  if (at <= now) return `expires_at has passed: ${quotedValue(expires)}`
  return at > now + LONGEST_MS
    ? `expires_at is more than a month ahead: ${quotedValue(expires)}`
    : undefined
}

const MAX_PAGES = 3

async function checkPages(context: AgentContext, body: Record<string, unknown>): Promise<Verdict> {
  const previews = Array.isArray(body.previews) ? body.previews.filter(isObject) : []
  const urls = previews
    .map(({ preview_url }) => preview_url)
    .filter((url) => typeof url === 'string')
  if (urls.length === 0) return skipped('the previews have no preview_url')
  const found: (string | undefined)[] = []
  for (const url of urls.slice(0, MAX_PAGES)) {
    const { status, headers } = await context.ask({ url, method: 'GET' })
    const where = quotedValue(new URL(url).pathname)
    if (status !== 200) found.push(`${where} answers ${status}`)
    else found.push(...faultsOfPage(headers).map((fault) => `${where}: ${fault}`))
  }
  return verdictOf(found)
}

function faultsOfPage(headers: Readonly<Record<string, string>>): string[] {
  const policy = headers['content-security-policy'] ?? ''
  const isShut =
    policy.includes('sandbox') || policy.includes('script-src') || policy.includes('default-src')
  return [
    ...(policy === '' ? ['it has no Content-Security-Policy'] : []),
    ...(policy !== '' && !isShut ? [`its policy lets scripts run: ${quotedValue(policy)}`] : []),
    ...(headers['set-cookie'] === undefined ? [] : ['it sets a cookie']),
  ]
}
