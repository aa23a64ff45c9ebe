// A creative library on a database of its own, with the tasks about it, for tests.

import { afterAll, beforeAll } from 'vitest'
import type { LibraryLimits } from '../../src/creative/library-quota.ts'
import { listCreatives } from '../../src/creative/list-creatives.ts'
import type { FindFormat } from '../../src/creative/manifest-check/find-format.ts'
import { syncCreatives } from '../../src/creative/sync-creatives.ts'
import { RELEASES } from '../../src/protocol/releases/releases.ts'
import {
  type ListCreativesRequest,
  type ListCreativesResponse,
  listCreativesRequest,
  listCreativesResponse,
} from '../../src/protocol/schemas/list-creatives.ts'
import {
  type SyncCreativesRequest,
  type SyncCreativesResponse,
  syncCreativesRequest,
  syncCreativesResponse,
} from '../../src/protocol/schemas/sync-creatives.ts'
import type { CallContext } from '../../src/protocol/task.ts'
import { createCreativeStore } from '../../src/storage/stores/creatives/creatives.ts'
import { catalogue, inProcessWorkerPool } from '../support/creative.ts'
import { type TestDatabase, testDatabase } from '../support/databases.ts'
import { type FakeClock, fakeClock } from '../support/fake-clock.ts'
import { AGENT, BANNER } from './manifest-check/manifests.ts'

const formats = catalogue()
const workerPool = inProcessWorkerPool()

const CALLED_ON = 'http://127.0.0.1:8420'

export const findFormat: FindFormat = (formatId, calledOn) =>
  formats.find(formatId, [AGENT, calledOn])

export const callOf = (principalId: string | undefined): CallContext => ({
  principal: principalId ? { principal_id: principalId, name: 'x', scopes: ['tasks'] } : undefined,
  transport: 'http',
  version: RELEASES.version('unversioned'),
  calledOn: CALLED_ON,
  signal: new AbortController().signal,
})

export const formatId = (id: string, parameters: object = {}) => ({
  agent_url: AGENT,
  id,
  ...parameters,
})

/** A creative that fits. */
export const creative = (creative_id: string, over: object = {}) => ({
  creative_id,
  name: `Creative ${creative_id}`,
  format_id: formatId('display_300x250_image'),
  assets: { ...BANNER },
  ...over,
})

/** The tasks as their callers use them: requests and answers are held against their schemas. */
export function creativeLibrary() {
  const clock: FakeClock = fakeClock()
  let opened: TestDatabase | undefined
  beforeAll(async () => {
    opened = await testDatabase('sqlite', { clock })
  })
  afterAll(() => opened?.drop())
  let owners = 0
  const newOwner = (limits?: LibraryLimits) => {
    const owner = `prn_${++owners}`
    const database = () => (opened as TestDatabase).database
    const library = () => createCreativeStore(database())
    const sync = async (request: object): Promise<SyncCreativesResponse> => {
      const task = syncCreatives({
        findFormat,
        library: library(),
        transact: (work) => database().transact(work),
        workerPool,
        ...(limits ? { limits } : {}),
      })
      const parsed: SyncCreativesRequest = syncCreativesRequest.parse(request)
      return syncCreativesResponse.parse(await task.handle(parsed, callOf(owner)))
    }
    const list = async (request: object = {}): Promise<ListCreativesResponse> => {
      const task = listCreatives({ findFormat, library: library() })
      const parsed: ListCreativesRequest = listCreativesRequest.parse(request)
      return listCreativesResponse.parse(await task.handle(parsed, callOf(owner)))
    }
    const ids = async (filters: object = {}) =>
      (await list({ filters, sort: { field: 'name', direction: 'asc' } })).creatives.map(
        ({ creative_id }) => creative_id,
      )
    return { owner, library, database, sync, list, ids }
  }
  return { clock, newOwner }
}
