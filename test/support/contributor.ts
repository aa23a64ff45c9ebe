// Organisations that contribute references to an app, and what becomes of these.

import { expect } from 'vitest'
import type { ReferenceRecord } from '../../src/protocol/manifest-reference.ts'
import type { ReferenceProof } from '../../src/registry/reference-proof.ts'
import type { VerificationHistoryEntry } from '../../src/registry/store.ts'
import { call, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

export interface Checked {
  id: string
  verification_status: string
  proved_by: string | null
  /** Of the last verification. */
  reason: string
}

export interface Contributor {
  id: string
  key: string
  /** Contributes a reference and waits until it has been verified. */
  contribute(fields: Record<string, unknown>): Promise<Checked>
  /** Verifies again and waits for the result. */
  verify(id: string): Promise<Checked>
  /** What to publish to prove the domain of a reference. */
  proof(id: string): Promise<ReferenceProof>
}

export async function contributor(app: TestApp, name: string): Promise<Contributor> {
  const { id, key } = await app.organization(name)
  const refs = `${app.url}/api/manifest-refs`
  return {
    id,
    key,
    contribute: async (fields) => {
      const reference_type = fields.agent_url === undefined ? 'url' : 'agent'
      const made = await call(refs, { key, body: { reference_type, ...fields } })
      expect(made.status, made.text).toBe(201)
      return checked(app, (made.body.reference as ReferenceRecord).id, 1)
    },
    verify: async (refId) => {
      const before = (await historyOf(app, refId)).length
      const requested = await call(`${refs}/${refId}/verify`, { key, method: 'POST' })
      expect(requested.status, requested.text).toBe(202)
      return checked(app, refId, before + 1)
    },
    proof: async (refId) => {
      const answer = await call(`${refs}/${refId}/proof`, { key, method: 'POST' })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.proof as unknown as ReferenceProof
    },
  }
}

async function historyOf(app: TestApp, id: string) {
  const { body } = await call(`${app.url}/api/manifest-refs/${id}`)
  return body.history as VerificationHistoryEntry[]
}

function checked(app: TestApp, id: string, verifications: number): Promise<Checked> {
  return eventually(
    async () => {
      const [last, ...before] = await historyOf(app, id)
      if (!last || before.length + 1 < verifications) throw new Error('not verified yet')
      const { verification_status, proved_by, reason } = last
      return { id, verification_status, proved_by, reason }
    },
    { pauseMs: 5 },
  )
}

/** What the lookup of a domain answers. */
export async function lookup(app: TestApp, domain: string, type = 'brand.json') {
  const query = `domain=${encodeURIComponent(domain)}&type=${type}`
  const { body } = await call(`${app.url}/api/manifest-refs/lookup?${query}`)
  return body.reference as
    | Pick<ReferenceRecord, 'manifest_url' | 'agent_url' | 'agent_id' | 'verification_status'>
    | undefined
}
