import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { ManifestReference } from '../../src/protocol/manifest-reference.ts'
import { authorityOf, PROOFS, PROVED_ONCE, type ProvedBy } from '../../src/protocol/proof.ts'
import type {
  ClaimedReference,
  NewReference,
  ReferenceStore,
  SearchLabel,
  VerificationRecord,
} from '../../src/registry/store.ts'
import { createReferenceStore } from '../../src/storage/stores/references/references.ts'
import { onBothStores } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { fakeClock } from '../support/fake-clock.ts'

const clock = fakeClock()
const LEASE_MS = 60_000
const DAY_MS = 24 * 60 * 60 * 1_000

onBothStores(
  'the reference store',
  (database, _store, another) => {
    let references: ReferenceStore
    const store = () => references
    /** What the lookup answers, which the store gives as JSON. */
    const best = async (domain: string, manifestType: string) => {
      const json = await store().bestJson(domain, manifestType)
      return json === undefined ? undefined : (JSON.parse(json) as ManifestReference)
    }
    const transact = <T>(work: Parameters<ReturnType<typeof database>['transact']>[0]) =>
      database().transact(work) as Promise<T>
    const count = async (table: string) =>
      (await database().read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`))?.n

    beforeAll(() => {
      references = createReferenceStore(database())
    })
    beforeEach(async () => {
      clock.advance(DAY_MS)
      const left = await store().list({ limit: 10_000, offset: 0 })
      await database().transact(async (tx) => {
        for (const { id } of left.references) await store().remove(tx, id)
      })
    })

    const add = (references: readonly NewReference[], verifyAt = 0) =>
      database().transact((tx) => store().add(tx, references, { verifyAt }))
    const addOne = async (overrides: Partial<NewReference> = {}) => {
      const [added] = await add([reference(overrides)])
      if (!added) throw new Error('add answers for every reference')
      return added.reference
    }
    const claim = (limit = 100) =>
      database().transact((tx) => store().claimDue(tx, { limit, leaseMs: LEASE_MS }))
    const record = (
      claimed: Pick<ClaimedReference, 'id' | 'leaseToken'>,
      result: Partial<VerificationRecord> & {
        labels?: SearchLabel[]
        nextInMs?: number
        isGivenUp?: boolean
      } = {},
    ) =>
      database().transact((tx) => {
        const { labels = [], nextInMs = DAY_MS, ...rest } = result
        const isValid = (rest.verification_status ?? 'valid') === 'valid'
        return store().recordVerification(tx, claimed, {
          ...VALID,
          proved_by: isValid ? VALID.proved_by : null,
          ...rest,
          labels,
          nextVerificationAt: clock.now() + nextInMs,
        })
      })
    /** Verifies the only reference that is due. */
    const verify = async (result: Parameters<typeof record>[1] = {}) => {
      const [claimed] = await claim(1)
      if (!claimed) throw new Error('a reference is due')
      return record(claimed, result)
    }

    describe('adding', () => {
      test('spec 3.1: a new reference is pending and complete as given', async () => {
        const now = new Date(clock.now()).toISOString()
        const [added] = await add([reference({ domain: 'new.example' })])
        expect(added).toEqual({
          created: true,
          reference: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            domain: 'new.example',
            manifest_type: 'brand.json',
            reference_type: 'url',
            manifest_url: 'https://cdn.example/brand.json',
            agent_url: null,
            agent_id: null,
            verification_status: 'pending',
            proved_by: null,
            completeness_score: 0,
            contributed_by_org_id: 'org_a',
            last_verified_at: null,
            created_at: now,
            updated_at: now,
          },
        })
        expect(await store().get(added?.reference.id as string)).toEqual(added?.reference)
      })

      test('adding the same again answers with the first and adds nothing', async () => {
        const first = await addOne()
        clock.advance(1_000)
        expect(await add([reference()])).toEqual([{ reference: first, created: false }])
        expect(await count('manifest_references')).toBe(1)
      })

      test('adding the same again leaves what was verified as it is', async () => {
        await addOne()
        const verified = await verify({ completeness_score: 70 })
        expect(await add([reference()])).toEqual([{ reference: verified, created: false }])
        expect(await claim()).toEqual([])
      })

      test('duplicates in one batch become one row, created once, answered in order', async () => {
        const other = reference({ domain: 'other.example' })
        const answers = await add([reference(), other, reference(), other])
        expect(answers.map(({ created }) => created)).toEqual([true, true, false, false])
        expect(answers.map((answer) => answer.reference.domain)).toEqual([
          'acme.example',
          'other.example',
          'acme.example',
          'other.example',
        ])
        expect(answers[0]?.reference.id).toBe(answers[2]?.reference.id)
        expect(await count('manifest_references')).toBe(2)
      })

      test('another domain, type, target or contributor makes another reference', async () => {
        const answers = await add([
          reference(),
          reference({ domain: 'b.example' }),
          reference({ manifest_type: 'adagents.json' }),
          reference({ manifest_url: 'https://cdn.example/2.json' }),
          reference({ contributed_by_org_id: 'org_b' }),
          agentReference(),
          agentReference({ agent_id: 'second' }),
        ])
        expect(answers.every(({ created }) => created)).toBe(true)
        expect(await count('manifest_references')).toBe(7)
      })

      test('a batch of thousands is added whole and again without a duplicate', async () => {
        const batch = Array.from({ length: 1_203 }, (_, n) =>
          reference({ domain: `d${n}.example` }),
        )
        const first = await add(batch)
        expect(first.filter(({ created }) => created)).toHaveLength(1_203)
        expect(first.map((answer) => answer.reference.domain)).toEqual(
          batch.map(({ domain }) => domain),
        )
        const again = await add([...batch, reference({ domain: 'one-more.example' })])
        expect(again.filter(({ created }) => created)).toHaveLength(1)
        expect(await count('manifest_references')).toBe(1_204)
      })

      test('two who add the same at the same time make one row', async () => {
        const answers = await Promise.all(Array.from({ length: 8 }, () => add([reference()])))
        expect(answers.flat().filter(({ created }) => created)).toHaveLength(1)
        expect(new Set(answers.flat().map((answer) => answer.reference.id)).size).toBe(1)
      })

      test('what a failed transaction added is not there', async () => {
        const failing = transact(async (tx) => {
          await store().add(tx, [reference()], { verifyAt: 0 })
          throw new Error('stop')
        })
        await expect(failing).rejects.toThrow('stop')
        expect(await count('manifest_references')).toBe(0)
      })
    })

    describe('the lookup', () => {
      test('spec 4.1: answers exactly the five fields of a url reference', async () => {
        await addOne()
        expect(await best('acme.example', 'brand.json')).toEqual({
          reference_type: 'url',
          manifest_url: 'https://cdn.example/brand.json',
          agent_url: null,
          agent_id: null,
          verification_status: 'pending',
        })
      })

      test('spec 4.1: answers exactly the five fields of an agent reference', async () => {
        await add([agentReference()])
        expect(await best('acme.example', 'brand.json')).toEqual({
          reference_type: 'agent',
          manifest_url: null,
          agent_url: 'https://agent.example/mcp',
          agent_id: 'acme',
          verification_status: 'pending',
        })
      })

      test('answers nothing for another domain, another type, or an empty store', async () => {
        expect(await best('acme.example', 'brand.json')).toBeUndefined()
        await addOne()
        expect(await best('acme.example', 'adagents.json')).toBeUndefined()
        expect(await best('sub.acme.example', 'brand.json')).toBeUndefined()
      })

      test('many at once each get their own answer', async () => {
        await add(
          Array.from({ length: 50 }, (_, n) =>
            reference({ domain: `d${n}.example`, manifest_url: `https://cdn.example/${n}` }),
          ),
        )
        const answers = await Promise.all(
          Array.from({ length: 450 }, (_, n) => best(`d${n % 60}.example`, 'brand.json')),
        )
        expect(answers.map((answer) => answer?.manifest_url)).toEqual(
          Array.from({ length: 450 }, (_, n) =>
            n % 60 < 50 ? `https://cdn.example/${n % 60}` : undefined,
          ),
        )
      })

      test('ranks by proof, then score, last verification, newest, and id', async () => {
        const rank = fc.record({
          proved: fc.constantFrom<number | ProvedBy>(0, PROVED_ONCE, ...PROOFS),
          score: fc.constantFrom(0, 50, 100),
          verified: fc.constantFrom(0, 1_000, 2_000),
          created: fc.constantFrom(500, 600),
        })
        let runs = 0
        await fc.assert(
          fc.asyncProperty(fc.array(rank, { minLength: 1, maxLength: 9 }), async (ranks) => {
            const domain = `ranked-${runs++}.example`
            const added = await add(
              ranks.map((_, n) => reference({ domain, manifest_url: `https://cdn.example/${n}` })),
            )
            const rows = ranks.map((one, n) => ({
              ...one,
              authority: typeof one.proved === 'number' ? one.proved : authorityOf(one.proved),
              id: added[n]?.reference.id as string,
              url: `https://cdn.example/${n}`,
            }))
            await database().transact(async (tx) => {
              for (const row of rows) {
                await tx.run(
                  `UPDATE manifest_references SET authority = $2, completeness_score = $3,
                     last_verified_at = $4, created_at = $5 WHERE id = $1`,
                  [row.id, row.authority, row.score, row.verified, row.created],
                )
              }
            })
            const ranked = rows.toSorted(
              (a, b) =>
                b.authority - a.authority ||
                b.score - a.score ||
                b.verified - a.verified ||
                b.created - a.created ||
                (a.id < b.id ? -1 : 1),
            )
            expect((await best(domain, 'brand.json'))?.manifest_url).toBe(ranked[0]?.url)
            const listed = await store().list({ domain, limit: 100, offset: 0 })
            expect(listed.references.map((one) => one.manifest_url)).toEqual(
              ranked.map(({ url }) => url),
            )
          }),
          { numRuns: 40 },
        )
      })
    })

    describe('the lookup after a change', () => {
      const requested = () => best('acme.example', 'brand.json')

      test('finds a reference as soon as it was added, even if it was requested before', async () => {
        expect(await requested()).toBeUndefined()
        await addOne()
        expect(await requested()).toMatchObject({ verification_status: 'pending' })
      })

      test('sees a verification and a removal at once', async () => {
        const { id } = await addOne()
        await requested()
        await verify({ verification_status: 'invalid', nextInMs: 0 })
        expect(await requested()).toMatchObject({ verification_status: 'invalid' })
        await verify()
        expect(await requested()).toMatchObject({ verification_status: 'valid' })
        await database().transact((tx) => store().remove(tx, id))
        expect(await requested()).toBeUndefined()
      })

      test('sees nothing of a transaction that failed', async () => {
        await addOne()
        const before = await requested()
        const failing = database().transact(async (tx) => {
          await store().add(tx, [reference({ manifest_url: 'https://ghost.example' })], {
            verifyAt: 0,
          })
          await requested()
          throw new Error('stop')
        })
        await expect(failing).rejects.toThrow('stop')
        expect(await requested()).toEqual(before)
      })

      test('requested while a change is in progress, finds the change after its commit', async () => {
        for (let n = 0; n < 20; n++) {
          const domain = `race${n}.example`
          const adding = database().transact(async (tx) => {
            await store().add(tx, [reference({ domain })], { verifyAt: 0 })
            await best(domain, 'brand.json')
            await pause(n % 3)
          })
          const asking = Promise.all([1, 2, 3].map(() => best(domain, 'brand.json')))
          await adding
          await asking
          expect(await best(domain, 'brand.json')).toBeDefined()
        }
      })

      test('sees what another process wrote, a moment later', async () => {
        expect(await requested()).toBeUndefined()
        const other = another()
        onTestFinished(() => other.close())
        await other.transact((tx) =>
          createReferenceStore(other).add(tx, [reference()], { verifyAt: 0 }),
        )
        await eventually(async () => expect(await requested()).toBeDefined(), { timeoutMs: 1_000 })
      })
    })

    describe('the list', () => {
      const domains = async (filter: Partial<Parameters<ReferenceStore['list']>[0]>) => {
        const { references, total } = await store().list({ limit: 100, offset: 0, ...filter })
        return { domains: references.map(({ domain }) => domain), total }
      }

      test('filters by domain, type, status and contributor, which combine with AND', async () => {
        await add([reference({ domain: 'a.example' })])
        await verify()
        await add([
          reference({ domain: 'b.example', contributed_by_org_id: 'org_b' }),
          reference({ domain: 'c.example', manifest_type: 'adagents.json' }),
        ])
        expect(await domains({})).toEqual({
          domains: ['a.example', 'b.example', 'c.example'],
          total: 3,
        })
        expect((await domains({ domain: 'b.example' })).domains).toEqual(['b.example'])
        expect((await domains({ manifest_type: 'adagents.json' })).domains).toEqual(['c.example'])
        expect((await domains({ verification_status: 'valid' })).domains).toEqual(['a.example'])
        expect((await domains({ contributed_by_org_id: 'org_b' })).domains).toEqual(['b.example'])
        expect(
          await domains({ contributed_by_org_id: 'org_b', verification_status: 'valid' }),
        ).toEqual({ domains: [], total: 0 })
      })

      test('pages hold every reference once, and each the total', async () => {
        await add(Array.from({ length: 7 }, (_, n) => reference({ domain: `p${n}.example` })))
        const pages = await Promise.all([0, 3, 6, 9].map((offset) => domains({ limit: 3, offset })))
        expect(pages.map((page) => page.domains.length)).toEqual([3, 3, 1, 0])
        expect(pages.map((page) => page.total)).toEqual([7, 7, 7, 7])
        expect(new Set(pages.flatMap((page) => page.domains)).size).toBe(7)
      })
    })

    test('the statistics of an empty store are noughts', async () => {
      expect(Object.values(await store().stats())).toEqual(Array(11).fill(0))
    })

    test('the statistics count types, statuses, kinds, domains and contributors', async () => {
      await add([reference()])
      await verify()
      await add([reference({ domain: 'x.example' })])
      await verify({ verification_status: 'invalid' })
      await add([reference({ domain: 'y.example' })])
      await verify({ verification_status: 'unreachable' })
      await add([
        agentReference({ contributed_by_org_id: 'org_b' }),
        reference({ manifest_type: 'adagents.json' }),
      ])
      expect(await store().stats()).toEqual({
        total_references: 5,
        brand_json_count: 4,
        adagents_json_count: 1,
        verified_count: 1,
        pending_count: 2,
        invalid_count: 1,
        unreachable_count: 1,
        url_refs_count: 4,
        agent_refs_count: 1,
        unique_domains: 3,
        unique_orgs: 2,
      })
    })

    describe('the lease', () => {
      test('covers only what is due, the longest due first, up to the limit', async () => {
        await add([reference({ domain: 'later.example' })], clock.now() + 1)
        await add([reference({ domain: 'second.example' })], clock.now() - 5)
        await add([reference({ domain: 'first.example' })], clock.now() - 9)
        await add([reference({ domain: 'third.example' })], clock.now())
        expect((await claim(2)).map(({ domain }) => domain).sort()).toEqual([
          'first.example',
          'second.example',
        ])
        expect((await claim(2)).map(({ domain }) => domain)).toEqual(['third.example'])
        clock.advance(1)
        expect((await claim(2)).map(({ domain }) => domain)).toEqual(['later.example'])
      })

      test('of many claimers at once no two get the same reference', async () => {
        await add(Array.from({ length: 60 }, (_, n) => reference({ domain: `c${n}.example` })))
        const claims = await Promise.all(Array.from({ length: 10 }, () => claim(9)))
        for (const claimed of claims) expect(claimed.length).toBeLessThanOrEqual(9)
        const rest = await claim(100)
        const ids = [...claims.flat(), ...rest].map(({ id }) => id)
        expect(ids).toHaveLength(60)
        expect(new Set(ids).size).toBe(60)
      })

      test('that no one ended is counted by the next one, until there is a result', async () => {
        await addOne()
        const choose = (others: number) =>
          database().transact((tx) =>
            store().claimDue(tx, {
              limit: 5,
              leaseMs: LEASE_MS,
              chooseLost: (due) => ({ lost: due.map(({ id }) => id), others }),
            }),
          )
        expect(await choose(0)).toEqual([])
        const [first] = await choose(5)
        expect(first?.lost).toBe(1)
        await database().transact((tx) => store().releaseClaim(tx, first as ClaimedReference))
        expect(await choose(5)).toMatchObject([{ lost: 1 }])
        clock.advance(LEASE_MS)
        const [second] = await choose(0)
        expect(second?.lost).toBe(2)
        // Given up, it stays so.
        await record(second as ClaimedReference, { nextInMs: 0, isGivenUp: true })
        const [third] = await choose(0)
        expect(third?.lost).toBe(2)
        await record(third as ClaimedReference, { nextInMs: 0 })
        expect(await choose(0)).toEqual([])
        expect(await choose(1)).toMatchObject([{ lost: 1 }])
      })

      test('ends by itself, and then another claimer gets the reference', async () => {
        await addOne()
        const [first] = await claim()
        clock.advance(LEASE_MS - 1)
        expect(await claim()).toEqual([])
        clock.advance(1)
        const [second] = await claim()
        expect(second?.id).toBe(first?.id)
        expect(second?.leaseToken).not.toBe(first?.leaseToken)
      })

      test('that was lost lets no result through', async () => {
        const { id } = await addOne()
        const [late] = await claim()
        clock.advance(LEASE_MS)
        const [current] = await claim()
        expect(await record(late as ClaimedReference, { labels: [brand('Late')] })).toBeUndefined()
        expect(await store().get(id)).toMatchObject({ verification_status: 'pending' })
        expect(await store().history(id, 10)).toEqual([])
        expect(await store().search('brand', 'late', 5)).toEqual([])
        expect(await record(current as ClaimedReference)).toMatchObject({
          verification_status: 'valid',
        })
      })

      test('lets one result through and no second', async () => {
        await addOne()
        const [claimed] = await claim()
        expect(await record(claimed as ClaimedReference)).toBeDefined()
        expect(await record(claimed as ClaimedReference)).toBeUndefined()
      })

      test('of a reference that was removed meanwhile lets no result through', async () => {
        const { id } = await addOne()
        const [claimed] = await claim()
        await database().transact((tx) => store().remove(tx, id))
        expect(await record(claimed as ClaimedReference)).toBeUndefined()
      })

      test('given back unused can be taken at once, and only by its holder', async () => {
        const { id } = await addOne()
        const [claimed] = await claim()
        await database().transact((tx) =>
          store().releaseClaim(tx, { id, leaseToken: 'somebody-else' }),
        )
        expect(await claim()).toEqual([])
        await database().transact((tx) => store().releaseClaim(tx, claimed as ClaimedReference))
        expect(await claim()).toHaveLength(1)
      })
    })

    describe('a verification', () => {
      test('spec 3.1: sets status, score and times, and the next one is due when it says', async () => {
        await addOne()
        clock.advance(5_000)
        const updated = await verify({ completeness_score: 42, nextInMs: 60_000 })
        expect(updated).toMatchObject({
          verification_status: 'valid',
          completeness_score: 42,
          last_verified_at: new Date(clock.now()).toISOString(),
          updated_at: new Date(clock.now()).toISOString(),
        })
        clock.advance(59_999)
        expect(await claim()).toEqual([])
        clock.advance(1)
        expect(await claim()).toHaveLength(1)
      })

      test('keeps how the domain vouches for it, in the record and in the history', async () => {
        const { id } = await addOne()
        const proved = await verify({ proved_by: 'parent_dns', nextInMs: 0 })
        expect(proved).toMatchObject({ verification_status: 'valid', proved_by: 'parent_dns' })
        await verify({ verification_status: 'pending', reason: 'the proof is gone' })
        expect(await store().get(id)).toMatchObject({
          verification_status: 'pending',
          proved_by: null,
        })
        expect(await store().history(id, 10)).toMatchObject([
          { verification_status: 'pending', proved_by: null, reason: 'the proof is gone' },
          { verification_status: 'valid', proved_by: 'parent_dns' },
        ])
      })

      test('that is lost leaves a reference before those that were never proved', async () => {
        await addOne({ manifest_url: 'https://owner.example' })
        await verify({ nextInMs: 1_000 })
        await add([reference({ manifest_url: 'https://thief.example' })])
        clock.advance(500)
        await verify({ verification_status: 'pending' })
        for (const lost of ['pending', 'unreachable', 'invalid'] as const) {
          clock.advance(1_000)
          await verify({ verification_status: lost, nextInMs: 500 })
          expect(await best('acme.example', 'brand.json')).toMatchObject({
            manifest_url: 'https://owner.example',
            verification_status: lost,
          })
        }
      })

      test('looks for a challenge once it was requested, and for that reference only', async () => {
        const { id } = await addOne()
        await add([reference({ domain: 'other.example' })])
        const requested = () =>
          claim().then((all) =>
            all.map(({ domain, isProofRequested }) => [domain, isProofRequested]),
          )
        expect(await database().transact((tx) => store().askProof(tx, id))).toBe(true)
        expect(await database().transact((tx) => store().askProof(tx, id))).toBe(true)
        expect(await database().transact((tx) => store().askProof(tx, 'nobody'))).toBe(false)
        expect((await requested()).toSorted()).toEqual([
          ['acme.example', true],
          ['other.example', false],
        ])
      })

      test('that fails is counted until one succeeds', async () => {
        const seen: number[] = []
        await addOne()
        for (const verification_status of ['invalid', 'unreachable', 'valid', 'invalid'] as const) {
          const [claimed] = await claim()
          seen.push(claimed?.failures as number)
          await record(claimed as ClaimedReference, { verification_status, nextInMs: 0 })
        }
        expect(seen).toEqual([0, 1, 2, 0])
      })

      test('when requested, puts the reference first in line', async () => {
        await add([reference({ domain: 'waits.example' })], clock.now() - 1_000)
        await add([reference({ domain: 'asked.example' })], clock.now() + DAY_MS)
        const { references } = await store().list({ domain: 'asked.example', limit: 1, offset: 0 })
        const id = references[0]?.id as string
        expect(await database().transact((tx) => store().requestVerification(tx, id))).toBe(true)
        expect((await claim(1)).map(({ domain }) => domain)).toEqual(['asked.example'])
      })

      test('when requested during a lease, is done again after it', async () => {
        const { id } = await addOne()
        const [claimed] = await claim()
        await database().transact((tx) => store().requestVerification(tx, id))
        expect(await claim()).toEqual([])
        await record(claimed as ClaimedReference)
        const [again] = await claim()
        expect(again?.id).toBe(id)
        await record(again as ClaimedReference)
        expect(await claim()).toEqual([])
      })

      test('cannot be requested for a reference that does not exist', async () => {
        const requested = await database().transact((tx) =>
          store().requestVerification(tx, 'nobody'),
        )
        expect(requested).toBe(false)
      })

      test('is kept in a history, the newest first, of at most fifty', async () => {
        const { id } = await addOne()
        for (let n = 1; n <= 53; n++) {
          clock.advance(1_000)
          await verify({ completeness_score: n, reason: `run ${n}`, nextInMs: 0 })
        }
        const history = await store().history(id, 100)
        expect(history.map(({ completeness_score }) => completeness_score)).toEqual(
          Array.from({ length: 50 }, (_, n) => 53 - n),
        )
        expect(history[0]).toEqual({
          ...VALID,
          completeness_score: 53,
          reason: 'run 53',
          verified_at: new Date(clock.now()).toISOString(),
        })
        expect(await store().history(id, 3)).toHaveLength(3)
        expect(await count('reference_verifications')).toBe(50)
      })
    })

    describe('the search', () => {
      const labels = (hits: { label: string }[]) => hits.map(({ label }) => label)

      test('finds a brand by the beginning of any word of its name', async () => {
        await addOne()
        await verify({ labels: [brand('Acme Läufer-Shoes')] })
        for (const prefix of ['ac', 'acme', 'läuf', 'shoe', 'acme läufer']) {
          expect(await store().search('brand', prefix, 5)).toEqual([
            {
              kind: 'brand',
              label: 'Acme Läufer-Shoes',
              domain: 'acme.example',
              verification_status: 'valid',
            },
          ])
        }
        expect(await store().search('brand', 'hoes', 5)).toEqual([])
      })

      test('finds a reference by the beginning of its domain, before it is verified too', async () => {
        await addOne()
        expect(await store().search('brand', 'acme.ex', 5)).toEqual([
          {
            kind: 'brand',
            label: 'acme.example',
            domain: 'acme.example',
            verification_status: 'pending',
          },
        ])
        expect(await store().search('publisher', 'acme', 5)).toEqual([])
      })

      test('keeps brands, publishers and properties apart', async () => {
        await add([reference({ manifest_type: 'adagents.json', domain: 'news.example' })])
        await verify({
          labels: [
            { kind: 'publisher', label: 'Daily Star' },
            { kind: 'property', label: 'Star App' },
          ],
        })
        expect(labels(await store().search('publisher', 'star', 5))).toEqual(['Daily Star'])
        expect(labels(await store().search('property', 'star', 5))).toEqual(['Star App'])
        expect(await store().search('brand', 'star', 5)).toEqual([])
      })

      test('returns no more than requested, and a domain once', async () => {
        await add(Array.from({ length: 9 }, (_, n) => reference({ domain: `same${n}.example` })))
        await add([
          reference({ domain: 'same0.example', manifest_url: 'https://cdn.example/other' }),
        ])
        const hits = await store().search('brand', 'same', 5)
        expect(hits.map(({ domain }) => domain)).toEqual(
          Array.from({ length: 5 }, (_, n) => `same${n}.example`),
        )
      })

      test('shows the best reference of a domain, and no name that no one vouches for', async () => {
        await addOne({ manifest_url: 'https://thief.example' })
        await verify({ labels: [brand('Thief')], nextInMs: 0 })
        await verify({ verification_status: 'pending' })
        const hit = { kind: 'brand', domain: 'acme.example' }
        expect(await store().search('brand', 'acme.', 5)).toEqual([
          { ...hit, label: 'acme.example', verification_status: 'pending' },
        ])
        await add([reference({ manifest_url: 'https://owner.example' })])
        await verify({ labels: [brand('Owner')] })
        expect(await store().search('brand', 'acme.', 5)).toEqual([
          { ...hit, label: 'Owner', verification_status: 'valid' },
        ])
      })

      test('forgets the names of an earlier verification', async () => {
        await addOne()
        await verify({ labels: [brand('Before')], nextInMs: 0 })
        await verify({ labels: [brand('After')] })
        expect(await store().search('brand', 'before', 5)).toEqual([])
        expect(labels(await store().search('brand', 'after', 5))).toEqual(['After'])
      })

      test('takes no character of the query for a pattern', async () => {
        await addOne()
        await verify({ labels: [brand('Acme')] })
        for (const prefix of ['%', '_cme', 'a%', "a'--", '\u{10ffff}']) {
          expect(await store().search('brand', prefix, 5)).toEqual([])
        }
      })
    })

    test('a removed reference is gone with its history and its words', async () => {
      const { id } = await addOne()
      await verify({ labels: [brand('Gone')] })
      expect(await database().transact((tx) => store().remove(tx, id))).toBe(true)
      expect(await store().get(id)).toBeUndefined()
      expect(await best('acme.example', 'brand.json')).toBeUndefined()
      expect(await count('reference_verifications')).toBe(0)
      expect(await count('reference_words')).toBe(0)
      expect(await database().transact((tx) => store().remove(tx, id))).toBe(false)
    })

    test('a reader outside the transaction sees a change only after its commit', async () => {
      const writing = database().transact(async (tx) => {
        await store().add(tx, [reference()], { verifyAt: 0 })
        expect(await best('acme.example', 'brand.json')).toBeUndefined()
        await pause(1)
      })
      await writing
      expect(await best('acme.example', 'brand.json')).toBeDefined()
    })
  },
  { clock },
)

const VALID: VerificationRecord = {
  verification_status: 'valid',
  proved_by: 'well_known',
  completeness_score: 50,
  reason: 'a valid brand.json',
  issues: [{ pointer: '/names', message: 'ok' }],
  duration_ms: 12,
}

function reference(overrides: Partial<NewReference> = {}): NewReference {
  return {
    domain: 'acme.example',
    manifest_type: 'brand.json',
    reference_type: 'url',
    manifest_url: 'https://cdn.example/brand.json',
    agent_url: null,
    agent_id: null,
    contributed_by_org_id: 'org_a',
    ...overrides,
  }
}

function agentReference(overrides: Partial<NewReference> = {}): NewReference {
  return reference({
    reference_type: 'agent',
    manifest_url: null,
    agent_url: 'https://agent.example/mcp',
    agent_id: 'acme',
    ...overrides,
  })
}

function brand(label: string): SearchLabel {
  return { kind: 'brand', label }
}
