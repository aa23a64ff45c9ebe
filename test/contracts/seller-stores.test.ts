import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Transaction } from '../../src/lib/transaction.ts'
import type { AccountRecord } from '../../src/media-buys/account-store.ts'
import { accountKeyOf } from '../../src/media-buys/account-store.ts'
import { createAccountStore } from '../../src/storage/stores/media-buys/accounts.ts'
import { createApprovalStore } from '../../src/storage/stores/media-buys/approvals.ts'
import { createProductStore } from '../../src/storage/stores/media-buys/products.ts'
import { createProposalStore } from '../../src/storage/stores/media-buys/proposals.ts'
import { onBothStores } from '../support/databases.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { catalogueProduct, DAY_MS } from '../support/media-buys.ts'
import { overlapping } from '../support/overlapping.ts'

const clock = fakeClock()

onBothStores(
  'what a seller keeps beside its buys',
  (database) => {
    const inTx = <T>(work: (tx: Transaction) => Promise<T>) => database().transact(work)

    test('products are added, changed and left as they are, and each result is returned', async () => {
      const products = createProductStore(database())
      const [first, second] = [randomUUID(), randomUUID()].sort() as [string, string]
      const one = catalogueProduct({ product_id: first })
      const two = catalogueProduct({ product_id: second, visible_to: ['prn_a'] })
      expect(await inTx((tx) => products.put(tx, [one, two]))).toEqual(['added', 'added'])
      const before = await products.latest()
      const changed = { ...two, name: 'Naïve — 名前' }
      expect(await inTx((tx) => products.put(tx, [one, changed]))).toEqual(['unchanged', 'changed'])
      expect(await products.latest()).toBeGreaterThan(before)
      const found = await products.get([first, second, 'none'])
      expect([...found.keys()].sort()).toEqual([first, second])
      expect(found.get(second)?.product).toEqual(changed)
    })

    test('the catalogue comes in pages by id, each product once', async () => {
      const products = createProductStore(database())
      const ids = Array.from({ length: 5 }, () => `zz_${randomUUID()}`).sort()
      await inTx((tx) =>
        products.put(
          tx,
          ids.map((product_id) => catalogueProduct({ product_id })),
        ),
      )
      const seen: string[] = []
      for (let after: string | undefined = 'zz_'; ; after = seen.at(-1)) {
        const page = await products.page(after, 2)
        if (page.length === 0) break
        seen.push(...page.map(({ product }) => product.product_id))
      }
      expect(seen).toEqual(ids)
      const count = await products.count()
      expect(await inTx((tx) => products.remove(tx, [...ids, 'none']))).toBe(5)
      expect(await products.count()).toBe(count - 5)
      expect((await products.get(ids)).size).toBe(0)
    })

    const accountOf = (owner: string, over: Partial<AccountRecord> = {}): AccountRecord => {
      const brand = { domain: `${randomUUID()}.example` }
      return {
        account_id: `acc_${randomUUID()}`,
        owner,
        account_key: accountKeyOf({ brand, operator: 'agency.example' }),
        status: 'active',
        sandbox: false,
        created_at: clock.now(),
        updated_at: clock.now(),
        account: { name: 'Acme', brand, operator: 'agency.example' },
        ...over,
      }
    }

    test('accounts are found by id and key by their owner alone, and a key is taken once', async () => {
      const accounts = createAccountStore(database())
      const owner = `prn_${randomUUID()}`
      const account = accountOf(owner)
      await inTx(async (tx) => {
        await accounts.lockOwner(tx, owner)
        await accounts.put(tx, [account])
      })
      const { account_id, account_key } = account
      const look = (who: string) =>
        inTx(async (tx) => [
          await accounts.byId(tx, who, account_id),
          ...(await accounts.byKeys(tx, who, [account_key, 'none'])),
        ])
      expect(await look(owner)).toEqual([account, account])
      expect(await look('prn_other')).toEqual([undefined])
      const twin = { ...accountOf(owner), account_key }
      await expect(inTx((tx) => accounts.put(tx, [twin]))).rejects.toThrow()
      expect(await inTx((tx) => accounts.count(tx, owner))).toBe(1)
    })

    test('accounts are listed in pages, by status and sandbox; the others of a list are those not named', async () => {
      const accounts = createAccountStore(database())
      const owner = `prn_${randomUUID()}`
      const all = [0, 1, 2, 3].map((n) =>
        accountOf(owner, {
          created_at: clock.now() + n,
          sandbox: n === 3,
          status: n === 2 ? 'closed' : 'active',
        }),
      )
      await inTx((tx) => accounts.put(tx, all))
      const seen: string[] = []
      let after: { created_at: number; account_id: string } | undefined
      for (let more = true; more; ) {
        const page = await accounts.list(owner, { limit: 3, after })
        expect(page.total).toBe(4)
        seen.push(...page.accounts.map(({ account_id }) => account_id))
        after = page.accounts.at(-1)
        more = page.hasMore
      }
      expect([...seen].sort()).toEqual(all.map(({ account_id }) => account_id).sort())
      expect((await accounts.list(owner, { limit: 9, status: 'closed' })).accounts).toEqual([
        all[2],
      ])
      expect((await accounts.list(owner, { limit: 9, sandbox: true })).accounts).toEqual([all[3]])
      const [first] = all as [AccountRecord]
      const others = await inTx((tx) => accounts.others(tx, owner, [first.account_key]))
      expect(others.map(({ account_id }) => account_id).sort()).toEqual(
        [all[1], all[3]].map((one) => one?.account_id).sort(),
      )
    })

    const plan = {
      name: 'Plan ä',
      description: 'd',
      currency: 'USD',
      least_budget: 500,
      allocations: [
        {
          product_id: 'p',
          pricing_option_id: 'o',
          allocation_percentage: 100,
          held: catalogueProduct().pricing_options[0]!,
          rationale: 'r',
        },
      ],
    }

    test('a proposal is found by its origin until it is changed, and only by its owner', async () => {
      const proposals = createProposalStore()
      const owner = `prn_${randomUUID()}`
      const offer = (proposal_id: string, over: object = {}) =>
        inTx((tx) =>
          proposals.offer(tx, {
            owner,
            proposal_id,
            origin: 'o1',
            plan,
            expires_at: clock.now() + DAY_MS,
            ...over,
          }),
        )
      const first = await offer('prop_1')
      expect(first).toEqual({
        owner,
        proposal_id: 'prop_1',
        status: 'draft',
        plan,
        created_at: clock.now(),
        updated_at: clock.now(),
        expires_at: clock.now() + DAY_MS,
      })
      expect((await offer('prop_2', { expires_at: 7 })).proposal_id).toBe('prop_1')
      const bought = { ...first, status: 'committed' as const, media_buy_id: 'mb_1' }
      await inTx((tx) => proposals.change(tx, bought))
      expect(await inTx((tx) => proposals.lock(tx, owner, 'prop_1'))).toEqual(bought)
      expect(await inTx((tx) => proposals.lock(tx, 'prn_other', 'prop_1'))).toBeUndefined()
      expect((await offer('prop_3')).proposal_id).toBe('prop_3')
    })

    test('a proposal is added as it is, beside others of the same content', async () => {
      const proposals = createProposalStore()
      const owner = `prn_${randomUUID()}`
      const commercial_terms = {
        brand: { domain: 'acme.example' },
        purchases: [],
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-02-01T00:00:00Z',
      }
      const snapshot = { commercial_terms, terms_digest: 'sha256:x', parent_proposal_id: 'prop_0' }
      const record = {
        owner,
        proposal_id: 'prop_1',
        status: 'committed' as const,
        media_buy_id: 'mb_1',
        plan: { ...plan, snapshot },
        expires_at: clock.now() + DAY_MS,
      }
      const other = { ...record, proposal_id: 'prop_2', media_buy_id: undefined }
      await inTx((tx) => proposals.add(tx, record))
      await inTx((tx) => proposals.add(tx, other))
      const times = { created_at: clock.now(), updated_at: clock.now() }
      const found = await inTx((tx) => proposals.lock(tx, owner, 'prop_1'))
      expect(found).toEqual({ ...record, ...times })
      expect(await inTx((tx) => proposals.countHeld(tx, owner))).toBe(1)
      const declined = { ...other, status: 'declined' as const }
      await inTx((tx) => proposals.change(tx, declined))
      expect(await inTx((tx) => proposals.countHeld(tx, owner))).toBe(0)
    })

    test('drafts beyond the newest and what expired long ago are forgotten', async () => {
      const proposals = createProposalStore()
      const owner = `prn_${randomUUID()}`
      const offer = (name: string, expires_at: number) =>
        inTx((tx) =>
          proposals.offer(tx, { owner, proposal_id: name, origin: name, plan, expires_at }),
        )
      const there = async () => {
        const ids = ['a', 'b', 'c']
        const found = await inTx(async (tx) => {
          const all: string[] = []
          for (const id of ids) if (await proposals.lock(tx, owner, id)) all.push(id)
          return all
        })
        return found
      }
      const soon = clock.now() + 2 * DAY_MS
      for (const [name, expires_at] of [
        ['a', soon],
        ['b', soon],
        ['c', clock.now()],
      ] as const) {
        await offer(name, expires_at)
        clock.advance(1)
      }
      await inTx((tx) => proposals.keepNewest(tx, owner, 2))
      expect(await there()).toEqual(['b', 'c'])
      while ((await inTx((tx) => proposals.sweep(tx, clock.now()))) > 0);
      expect(await there()).toEqual(['b'])
    })

    test('of an owner those are counted that are finalised, and neither bought nor late', async () => {
      const proposals = createProposalStore()
      const owner = `prn_${randomUUID()}`
      const made = (name: string, over: object) =>
        inTx(async (tx) => {
          const expires_at = clock.now() + DAY_MS
          const offer = { owner, proposal_id: name, origin: name, plan, expires_at }
          const draft = await proposals.offer(tx, offer)
          await proposals.change(tx, { ...draft, ...over })
        })
      await made('draft', {})
      await made('held', { status: 'committed' })
      await made('bought', { status: 'committed', media_buy_id: 'mb_1' })
      await made('late', { status: 'committed', expires_at: clock.now() })
      expect(await inTx((tx) => proposals.countHeld(tx, owner))).toBe(1)
      expect(await inTx((tx) => proposals.countHeld(tx, 'prn_other'))).toBe(0)
    })

    test('what a buyer finalises or is offered again is not forgotten in the same moment', async () => {
      const proposals = createProposalStore()
      const owner = `prn_${randomUUID()}`
      const expires_at = clock.now() + DAY_MS
      const offer = (tx: Transaction, name: string) =>
        proposals.offer(tx, { owner, proposal_id: name, origin: name, plan, expires_at })
      const isThere = async (name: string) =>
        (await inTx((tx) => proposals.lock(tx, owner, name))) !== undefined
      const keepOne = () => inTx((tx) => proposals.keepNewest(tx, owner, 1))
      const a = await inTx((tx) => offer(tx, 'a'))
      for (const name of ['b', 'c']) {
        clock.advance(1)
        await inTx((tx) => offer(tx, name))
      }
      clock.advance(1)
      const isFinal = { ...a, status: 'committed' as const }
      await overlapping(database(), (tx) => proposals.change(tx, isFinal), keepOne)
      expect(await isThere('a')).toBe(true)
      await inTx((tx) => offer(tx, 'b'))
      clock.advance(1)
      await inTx((tx) => offer(tx, 'd'))
      clock.advance(1)
      await overlapping(database(), (tx) => offer(tx, 'b'), keepOne)
      expect(await isThere('b')).toBe(true)

      clock.advance(3 * DAY_MS)
      const later = clock.now() + DAY_MS
      const again = (tx: Transaction) =>
        proposals.offer(tx, { owner, proposal_id: 'x', origin: 'b', plan, expires_at: later })
      const sweep = () => inTx((tx) => proposals.sweep(tx, clock.now()))
      await overlapping(database(), again, sweep)
      expect(await isThere('b')).toBe(true)
    })

    const asking = (task_id: string) => ({
      task_id,
      owner: 'prn_buyer',
      task_type: 'create_media_buy',
      media_buy_id: 'mb_1',
      reason: 'above the limit: 20 000 € ä',
      requested: {
        total_budget: 20_000.5,
        currency: 'EUR',
        product_ids: ['homepage'],
        start_time: '2026-01-02T00:00:00.000Z',
        end_time: '2026-01-05T00:00:00.000Z',
      },
    })

    test('an approval is requested once, decided, listed by state and deleted when it is old', async () => {
      const approvals = createApprovalStore(database())
      const task_id = randomUUID()
      const ask = () => inTx((tx) => approvals.ask(tx, asking(task_id)))
      await ask()
      await ask()
      const waiting = await approvals.list({ state: 'waiting', limit: 100 })
      expect(waiting.filter((one) => one.task_id === task_id)).toMatchObject([
        { ...asking(task_id), state: 'waiting' },
      ])
      const decision = { state: 'approved' as const, note: 'fine', decided_by: 'operator' }
      await inTx(async (tx) => {
        expect((await approvals.lock(tx, task_id))?.state).toBe('waiting')
        await approvals.decide(tx, task_id, decision)
      })
      expect(await approvals.get(task_id)).toMatchObject(decision)
      expect(await inTx((tx) => approvals.sweep(tx, clock.now() - DAY_MS))).toBe(0)
      clock.advance(DAY_MS)
      while ((await inTx((tx) => approvals.sweep(tx, clock.now()))) > 0);
      expect(await approvals.get(task_id)).toBeUndefined()
      expect(await inTx((tx) => approvals.lock(tx, randomUUID()))).toBeUndefined()
    })
  },
  { clock },
)
