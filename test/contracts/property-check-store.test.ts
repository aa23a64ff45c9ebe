import { expect, test } from 'vitest'
import { createPropertyCheckStore } from '../../src/storage/stores/properties/property-checks.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()

onBothStores(
  'the store of property checks',
  (database) => {
    const store = () => createPropertyCheckStore(database())
    const summary = { total: 4, remove: 1, modify: 1, assess: 1, ok: 2 }
    const add = (id: string) => database().transact((tx) => store().addReport(tx, id, summary))

    test('a domain is known by a valid adagents.json, or by what was saved for it and approved', async () => {
      const add = async (domain: string, manifest_type: 'adagents.json' | 'brand.json') => {
        const reference = {
          domain,
          manifest_type,
          reference_type: 'url' as const,
          manifest_url: `https://${domain}/file.json`,
          agent_url: null,
          agent_id: null,
          contributed_by_org_id: 'org_a',
        }
        await database().transact((tx) =>
          createReferenceStore(database()).add(tx, [reference], { verifyAt: 0 }),
        )
      }
      await add('known.example', 'adagents.json')
      await add('brand.example', 'brand.json')
      await database().transact((tx) =>
        tx.run(`UPDATE manifest_references SET verification_status = 'valid'`),
      )
      await add('pending.example', 'adagents.json')
      const save = (domain: string, review_status: string, owner: string | null) =>
        database().transact((tx) =>
          tx.run(
            `INSERT INTO saved_entries (kind, domain, id, name, body, review_status, owner_org_id, words, created_at, updated_at)
             VALUES ('property', $1, $1, $1, '{}', $2, $3, '', 0, 0)`,
            [domain, review_status, owner],
          ),
        )
      await save('known.example', 'approved', null)
      await save('saved.example', 'approved', null)
      await save('owned.example', 'approved', 'org_a')
      await save('waiting.example', 'pending', null)
      const requested = [
        'known.example',
        'brand.example',
        'pending.example',
        'saved.example',
        'owned.example',
        'waiting.example',
        'other.example',
        'a\0b',
      ]
      expect(await store().knownSources(requested)).toEqual(
        new Map([
          ['known.example', 'adagents_json'],
          ['saved.example', 'community'],
          ['owned.example', 'hosted'],
        ]),
      )
    })

    test('a report is read until it is too old, and then forgotten', async () => {
      await add('r1')
      const at = clock.now()
      clock.advance(1_000)
      await add('r2')
      expect(await store().report('r1', at)).toEqual(summary)
      expect(await store().report('r1', at + 1)).toBeUndefined()
      expect(await store().report('r3', 0)).toBeUndefined()
      expect(await database().transact((tx) => store().trimReports(tx, at + 1))).toBe(1)
      expect(await store().report('r1', 0)).toBeUndefined()
      expect(await store().report('r2', 0)).toEqual(summary)
    })
  },
  { clock },
)
