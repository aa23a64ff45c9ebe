import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { SearchQuery } from '../../../src/signals/matching/query.ts'
import { createOpenAiReranker, withReranker } from '../../../src/signals/search/rerank.ts'
import type { SignalSearch } from '../../../src/signals/search/signal-search.ts'
import { catalogueSignal, memorySignals } from '../../support/memory-signals.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const IDS = ['a', 'b', 'c', 'd']
const signals = memorySignals(
  ...IDS.map((id) => catalogueSignal({ signal_agent_segment_id: id, name: `Segment ${id}` })),
)
const search: SignalSearch = {
  search: async ({ offset, limit }) => ({
    hits: IDS.map((id, at) => ({
      signal_agent_segment_id: id,
      relevance: 0.9 - at / 10,
      reason: 'words',
    })).slice(offset, offset + limit),
    total: 4,
  }),
  status: async () => ({ signals: 4, vectors: 4, model: { state: 'unused' } }),
}

/** A model server that answers each question with this content; undefined never answers. */
async function modelServer(content: string | undefined) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requested.push(body)
      if (content !== undefined) {
        response.end(JSON.stringify({ choices: [{ message: { content } }] }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requested }
}

async function reranked(content: string | undefined, query: Partial<SearchQuery> = {}) {
  const { url, requested } = await modelServer(content)
  const faults: unknown[] = []
  const rerank = createOpenAiReranker({
    url,
    model: 'm',
    timeoutMs: content === undefined ? 50 : 20_000,
    onFault: (error) => faults.push(error),
  })
  const better = withReranker(search, signals, rerank)
  const ask = (over: Partial<SearchQuery> = {}) =>
    better.search(
      { signal_spec: 'dogs', limit: 10, offset: 0, ...query, ...over },
      new AbortController().signal,
    )
  const ids = async (over?: Partial<SearchQuery>) =>
    (await ask(over)).hits.map((hit) => hit.signal_agent_segment_id)
  return { ask, ids, requested, faults }
}

test('the order is the model’s, and what it left out follows', async () => {
  const { ids, ask, requested } = await reranked('{"order": ["c", "a", "unknown", "c"]}')
  expect(await ids()).toEqual(['c', 'a', 'b', 'd'])
  const relevances = (await ask()).hits.map(({ relevance }) => relevance)
  expect(relevances).toEqual([...relevances].sort((one, other) => other - one))
  expect(requested[0]).toContain('Segment c')
})

test('pages of one question come from one order, which is requested once', async () => {
  const { ids, requested } = await reranked('{"order": ["d", "c", "b", "a"]}')
  expect(await ids({ limit: 2 })).toEqual(['d', 'c'])
  expect(await ids({ limit: 2, offset: 2 })).toEqual(['b', 'a'])
  expect(requested).toHaveLength(1)
})

test.each(['no JSON', '{"order": "a"}', '{"order": []}'])(
  'an answer such as %j leaves the order as it was',
  async (content) => {
    expect(await (await reranked(content)).ids()).toEqual(IDS)
  },
)

test('a model that does not answer in time leaves the order as it was, and is reported', async () => {
  const { ids, faults } = await reranked(undefined)
  expect(await ids()).toEqual(IDS)
  expect(faults).toHaveLength(1)
})

test('without words nothing is requested', async () => {
  const { ids, requested } = await reranked('{"order": ["d"]}', { signal_spec: undefined })
  expect(await ids()).toEqual(IDS)
  expect(requested).toEqual([])
})
