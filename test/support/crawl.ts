// A domain crawled by a running app, to its end.

import { expect } from 'vitest'
import { call, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

let callers = 0

/** Requests a crawl by an organisation of its own, waits for its end and for what follows, and returns its status. */
export async function crawl(app: TestApp, domain: string): Promise<Record<string, unknown>> {
  const { key } = await app.organization(`Crawl caller ${++callers}`)
  await app.storage.database.transact((tx) =>
    tx.run('UPDATE crawl_requests SET requested_at = 0 WHERE domain = $1', [domain]),
  )
  const requested = await call(`${app.url}/api/registry/crawl-request`, { key, body: { domain } })
  expect(requested.status, requested.text).toBe(202)
  const path = `${app.url}/api/registry/crawl-request/${requested.body.crawl_request_id}`
  let status: Record<string, unknown> = {}
  await eventually(async () => {
    status = (await call(path, { key })).body
    expect(['completed', 'invalid', 'failed', 'retrying']).toContain(status.status)
  })
  await eventually(async () => expect(await app.storage.publisherFiles.unapplied(1)).toEqual([]))
  return status
}

/** Settings of an app that crawls a small web of a test, without pauses. */
export const crawling = (egressHosts: string[]) => ({
  registryVerifyConcurrency: 0,
  egressHosts,
  registryCrawlGapMs: 0,
})
