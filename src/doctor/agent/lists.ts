// Long lists: that a cursor leads to the next page and ends, that an invalid one is refused, and that a model can
// afford to read the tools (spec 4.2, 8).

import { canonicalJson } from '../../lib/canonical-json.ts'
import { isObject } from '../../protocol/schemas/checks.ts'
import { type Check, quotedValue, skipped, verdictOf } from '../check.ts'
import { SIGNALS_WANTED } from './answers.ts'
import type { AgentContext } from './context.ts'

interface Pages {
  task: string
  request: Record<string, unknown>
  /** The member that holds the list. */
  member: string
}

const PAGED: readonly Pages[] = [
  { task: 'list_creative_formats', request: {}, member: 'formats' },
  { task: 'get_products', request: { brief: 'video' }, member: 'products' },
  { task: 'get_signals', request: SIGNALS_WANTED, member: 'signals' },
]

const PAGE = 3
const MAX_PAGES = 4
const MAX_TOOLS_BYTES = 256 * 1_024

export const LIST_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'pagination',
    group: 'lists',
    writes: false,
    title: 'a cursor leads to the next page, and never back',
    why: 'a caller that follows it sees the same again and again, and never the rest',
    fix: 'base cursors on a position in a stable order, and return the items after it',
    run: async (context) => {
      const walks = await Promise.all(PAGED.map((pages) => walk(context, pages)))
      const walked = walks.filter((one) => one !== undefined)
      if (walked.length === 0) return skipped('no list of the agent has a second page')
      return verdictOf(walked.flat())
    },
  },
  {
    id: 'pagination-bad-cursor',
    group: 'lists',
    writes: false,
    title: 'a cursor that the agent never gave is refused',
    why: 'a caller with a broken cursor would restart and count everything twice, or see a server that breaks',
    fix: 'refuse it with INVALID_REQUEST',
    run: async (context) => {
      const tasks = await context.tasks()
      const pages = PAGED.find(({ task }) => tasks.has(task))
      if (!pages) return skipped('the agent has no list with pages')
      const pagination = { max_results: PAGE, cursor: 'a-cursor-of-nobody' }
      const answer = await context.call(pages.task, { ...pages.request, pagination })
      if (answer.ok) {
        const isPaged = isObject(answer.body.pagination)
        return isPaged
          ? verdictOf([`${pages.task} takes it`])
          : skipped(`${pages.task} has no pages`)
      }
      const status = answer.httpStatus ?? 0
      return verdictOf(status >= 500 ? [`${pages.task} answers it ${status}`] : [])
    },
  },
  {
    id: 'tools-size',
    group: 'lists',
    writes: false,
    title: `tools/list is at most ${MAX_TOOLS_BYTES / 1_024} KiB, and each tool is described`,
    why: 'a model reads the whole list before its first call, and pays for every byte',
    fix: 'share parts of schemas by $ref, and keep long descriptions in the documentation',
    run: async (context) => {
      const mcp = (await context.served()).find(({ transport }) => transport === 'mcp')
      if (!mcp?.list.ok) return skipped('the agent serves no MCP')
      const bare = mcp.list.tasks.filter(
        ({ description, inputSchema }) => !description || !inputSchema,
      )
      return verdictOf([
        mcp.listBytes > MAX_TOOLS_BYTES ? `it is ${mcp.listBytes} bytes` : undefined,
        bare.length > 0
          ? `without description or inputSchema: ${quotedValue(bare.map(({ name }) => name).join(', '))}`
          : undefined,
      ])
    },
  },
]

/** What went wrong while reading the pages; undefined if there is only one page. */
async function walk(
  context: AgentContext,
  { task, request, member }: Pages,
): Promise<string[] | undefined> {
  if (!(await context.tasks()).has(task)) return undefined
  const seen = new Set<string>()
  const cursors = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const pagination = { max_results: PAGE, ...(cursor === undefined ? {} : { cursor }) }
    const answer = await context.call(task, { ...request, pagination })
    if (!answer.ok)
      return page === 0
        ? undefined
        : [`${task}: page ${page + 1} is refused: ${quotedValue(answer.message)}`]
    const items = Array.isArray(answer.body[member]) ? answer.body[member] : []
    for (const item of items.map(canonicalJson)) {
      if (seen.has(item)) return [`${task}: page ${page + 1} repeats what was on a page before`]
      seen.add(item)
    }
    const given = isObject(answer.body.pagination) ? answer.body.pagination : {}
    if (given.has_more === true && typeof given.cursor !== 'string') {
      return [`${task}: there is more, and no cursor to it`]
    }
    if (typeof given.cursor !== 'string' || given.has_more === false)
      return page === 0 ? undefined : []
    if (cursors.has(given.cursor)) return [`${task}: the same cursor is given twice`]
    cursor = given.cursor
    cursors.add(cursor)
  }
  return []
}

export const RATE_CHECKS: readonly Check<AgentContext>[] = [
  {
    id: 'rate-limit',
    group: 'limits',
    writes: false,
    title: 'the response to a rate-limited caller has Retry-After',
    why: 'callers that do not know when to come again come at once, all of them',
    fix: 'send Retry-After with every 429, and RATE_LIMITED with retry_after in the body',
    run: async ({ received }) => {
      const limited = received.filter(({ status }) => status === 429)
      if (limited.length === 0)
        return skipped('no answer was 429, and the doctor does not provoke one')
      const bare = limited.find(({ headers }) => !/^\d{1,9}$/.test(headers['retry-after'] ?? ''))
      return verdictOf(
        bare
          ? [`a 429 of ${quotedValue(new URL(bare.request.url).pathname)} has no Retry-After`]
          : [],
      )
    },
  },
]
