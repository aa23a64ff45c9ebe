// References of the demo's brands that fail verification, so that the console of a demo displays why: a file that is
// not what it claims to be, and one that no one serves. Both are requested from this same machine.

import { referenceEvent } from '../../registry/references.ts'
import type { NewReference } from '../../registry/store.ts'
import { VERIFICATION_TOPIC } from '../../registry/verification-schedule.ts'
import type { Storage } from '../open-storage.ts'
import { demoManifestUrl } from './demo-brands.ts'
import { demoOrganizationId } from './load-demo.ts'

const ADAGENTS = 'adagents.json'

/** Nothing listens at this port of any machine. */
const NOBODY = 'http://127.0.0.1:9/adagents.json'

/** Safe to repeat: loading them again adds no duplicates. */
export async function loadDemoReferences(storage: Storage, url: string): Promise<void> {
  const { transact, references, feed } = storage
  const organization = await demoOrganizationId(storage)
  if (organization === undefined) return
  const of = (domain: string, manifest_url: string): NewReference => ({
    domain,
    manifest_type: ADAGENTS,
    reference_type: 'url',
    manifest_url,
    agent_url: null,
    agent_id: null,
    contributed_by_org_id: organization,
  })
  const wanted = [
    of('northwind-outdoor.example', demoManifestUrl(url, 'northwind-outdoor.example')),
    of('solara-coffee.example', NOBODY),
  ]
  await transact(async (tx) => {
    const added = (await references.add(tx, wanted, { verifyAt: 0 })).filter(
      ({ created }) => created,
    )
    const events = added.map(({ reference }) =>
      referenceEvent('manifest_ref.created', reference, { actor: 'system' }),
    )
    await feed.append(tx, events)
    await tx.wake(VERIFICATION_TOPIC)
  })
}
