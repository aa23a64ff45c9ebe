// A small web on this machine: one server that acts as every host of some top-level domains, and the TXT records of
// their names. An app that is given `egressHosts` and `resolveTxt` knows no other.

import type { ResolveTxt } from '../../src/lib/txt-records.ts'
import { type ManifestAnswer, startManifestServer } from './manifest-server.ts'

export interface Web {
  /** For the setting of the same name. */
  egressHosts: string[]
  resolveTxt: ResolveTxt
  /** Serves an answer at `https://host/path`. */
  publish(url: string, answer: ManifestAnswer): void
  unpublish(url: string): void
  /** The values of TXT records, by name. */
  txt: Map<string, string[]>
  /** The URLs requested so far, in order. */
  requested(): string[]
  stop(): Promise<void>
}

const TOP_LEVEL = ['example', 'com', 'net', 'io', 'uk']

export async function startWeb(): Promise<Web> {
  const server = await startManifestServer()
  const txt = new Map<string, string[]>()
  const pathOf = (url: string) => url.replace('https://', '/')
  return {
    egressHosts: TOP_LEVEL.map((tld) => `*.${tld}=${server.url}/{host}`),
    resolveTxt: async (name) => ({ ok: true, records: txt.get(name) ?? [] }),
    publish: (url, answer) => server.set(pathOf(url), answer),
    unpublish: (url) => server.set(pathOf(url), { status: 404, body: { error: 'nothing here' } }),
    txt,
    requested: () => server.requested.map((path) => `https:/${path}`),
    stop: server.stop,
  }
}

/** An answer that sends its reader on. */
export function redirect(location: string): ManifestAnswer {
  return { status: 302, headers: { location }, body: {} }
}
