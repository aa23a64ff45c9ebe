// The work of `adwire registry`: reads page by page until the end of the feed, then again after a pause.

import type { Storage } from '../app/open-storage.ts'
import { readSecretValue } from '../app/receive/secret-value.ts'
import { isUrl } from '../lib/is-url.ts'
import { pause } from '../lib/pause.ts'
import { trimEnd } from '../lib/trim-end.ts'
import { createRowsDigest } from '../registry/replica/digest.ts'
import { type FollowPorts, followOnce } from '../registry/replica/follow-registry.ts'
import { readSnapshot, type SourcePorts } from '../registry/replica/read-source.ts'
import type { Replica } from '../registry/replica/store.ts'
import { iso, wholeNumber } from './arguments.ts'
import { CommandError } from './exit-codes.ts'
import { openEgress } from './own-egress.ts'
import { withStorage } from './settings-options.ts'
import { print, printJson, printTable, UsageError } from './terminal.ts'

interface Flags {
  auth?: string
  once?: boolean
  check?: boolean
  pollSeconds: string
  allowPrivate?: boolean
  json?: boolean
}

/** How often the comparison is repeated if the source changes while it runs. */
const COMPARED = 5
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 60_000

export async function mirror(given: string, options: Record<string, unknown>): Promise<void> {
  const flags = options as unknown as Flags
  const url = registryUrl(given)
  const pollMs = wholeNumber('--poll-seconds', flags.pollSeconds) * 1_000
  const key = flags.auth === undefined ? undefined : secretOf(flags.auth)
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  await withStorage(options, async (storage, config) => {
    const egress = openEgress(config, { allowPrivate: flags.allowPrivate })
    const source: SourcePorts = { fetch: egress.fetch, url, key, signal: stopping.signal }
    const ports: FollowPorts = { ...storage, source }
    try {
      if (flags.check) await compare(ports, flags)
      else if (flags.once) report(await toTheEnd(ports), flags)
      else await forever(ports, { pollMs, signal: stopping.signal })
    } finally {
      await egress.close()
    }
  })
}

function secretOf(text: string): string {
  const read = readSecretValue(text)
  if (!read.ok) throw new UsageError(`--auth ${read.error}`)
  return read.value
}

function registryUrl(given: string): string {
  if (!isUrl(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw new UsageError(`${given} is not the URL of a registry`)
  }
  const { origin, pathname } = new URL(given)
  return `${origin}${trimEnd(pathname, '/')}`
}

/** Reads to the end of the feed; a source that cannot be read ends the command. */
async function toTheEnd(ports: FollowPorts): Promise<Replica> {
  for (;;) {
    const step = await followOnce(ports)
    if (step.outcome === 'in_step') return step.replica
    if (step.outcome === 'failed') {
      throw new CommandError('unreachable', `${ports.source.url}: ${step.message}`)
    }
  }
}

async function forever(
  ports: FollowPorts,
  { pollMs, signal }: { pollMs: number; signal: AbortSignal },
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const step = await followOnce(ports)
    if (step.outcome === 'failed') {
      if (signal.aborted) return
      failures += 1
      process.stderr.write(`${ports.source.url}: ${step.message}\n`)
    } else failures = 0
    if (step.outcome === 'more') continue
    const backOffMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10))
    await pause(failures > 0 ? backOffMs : pollMs, signal)
  }
}

async function compare(ports: FollowPorts, flags: Flags): Promise<void> {
  for (let round = 1; ; round++) {
    const replica = await toTheEnd(ports)
    const [own, theirs] = [await ownDigest(ports), await sourceDigest(ports.source)]
    const isEqual = own.digest === theirs.digest
    if (!isEqual && round < COMPARED) continue
    if (flags.json) printJson({ ...replica, is_equal: isEqual, mirror: own, source: theirs })
    else {
      print(`source: ${theirs.rows} authorizations, digest ${theirs.digest}`)
      print(`mirror: ${own.rows} authorizations, digest ${own.digest}`)
      print(isEqual ? 'equal' : 'different')
    }
    if (!isEqual) process.exitCode = 1
    return
  }
}

const ROWS_AT_ONCE = 2_000

async function* rowsOf(replicas: Storage['replicas'], url: string) {
  for (let after = { kind: '', id: '' }; ; ) {
    const rows = await replicas.rows(url, { after, limit: ROWS_AT_ONCE })
    const last = rows.at(-1)
    if (!last) return
    yield* rows
    after = last
  }
}

async function ownDigest({ replicas, source }: FollowPorts) {
  const digest = createRowsDigest()
  for await (const { kind, body } of rowsOf(replicas as Storage['replicas'], source.url)) {
    if (kind === 'authorization') digest.add(body)
  }
  return digest.value()
}

async function sourceDigest(source: SourcePorts) {
  const digest = createRowsDigest()
  for (let after: string | null = ''; after !== null; ) {
    const page = await readSnapshot(source, after)
    if (!page.ok) throw new CommandError('unreachable', `${source.url}: ${page.message}`)
    for (const row of page.rows) digest.add(row)
    after = page.next
  }
  return digest.value()
}

function report(replica: Replica, { json }: Flags): void {
  if (json) printJson(replica)
  else
    print(
      `${replica.rows_read} rows and ${replica.events_read} events read; up to date with its source`,
    )
}

export async function listMirrors(options: Record<string, unknown>): Promise<void> {
  await withStorage(options, async ({ replicas }) => {
    const list = await replicas.list()
    if (options.json === true) return printJson({ mirrors: list })
    printTable(
      ['REGISTRY', 'PHASE', 'ROWS', 'EVENTS', 'IN STEP AT'],
      list.map((one) => [
        one.url,
        one.phase,
        String(one.rows_read),
        String(one.events_read),
        one.in_step_at === 0 ? 'never' : iso(one.in_step_at),
      ]),
    )
  })
}

export async function exportMirror(given: string, options: Record<string, unknown>): Promise<void> {
  await withStorage(options, async ({ replicas }) => {
    const url = await known(replicas, given)
    for await (const { kind, id, body } of rowsOf(replicas, url)) {
      if (options.kind === undefined || options.kind === kind) printJson({ kind, id, ...body })
    }
  })
}

export async function forgetMirror(given: string, options: Record<string, unknown>): Promise<void> {
  await withStorage(options, async ({ replicas, transact }) => {
    const url = await known(replicas, given)
    while ((await transact((tx) => replicas.forget(tx, url))) > 0);
    print(`deleted the mirror of ${url}`)
  })
}

async function known(replicas: Storage['replicas'], given: string): Promise<string> {
  const url = registryUrl(given)
  if (await replicas.get(url)) return url
  throw new UsageError(`${url} is not mirrored: adwire registry mirrors lists the mirrors`)
}
