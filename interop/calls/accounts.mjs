// What the agent can do, and accounts: see index.mjs.
import { BRAND } from './world.mjs'

export function accountCalls(add, { key, tag }) {
  add('get_adcp_capabilities', {})
  add('get_adcp_capabilities', { protocols: ['signals'] })
  add('get_adcp_capabilities', { protocols: ['creative', 'media_buy'], context: { a: 1 } })
  add('get_adcp_capabilities', { protocols: 'none' })
  add('sync_accounts', {
    ...key(),
    accounts: [
      { brand: BRAND, operator: 'pinnacle-agency.example', billing: 'operator', sandbox: true },
    ],
  })
  add('sync_accounts', {
    ...key(),
    accounts: [
      {
        brand: { domain: `b${tag}.example` },
        operator: 'other.example',
        billing: 'agent',
        payment_terms: 'net_30',
      },
      { brand: BRAND, operator: 'x.example', billing: 'operator' },
      { brand: BRAND, operator: 'x.example', billing: 'operator' },
    ],
  })
  add('sync_accounts', {
    ...key(),
    dry_run: true,
    accounts: [
      { brand: { domain: 'dry.example' }, operator: 'dry.example', billing: 'advertiser' },
    ],
  })
  add('sync_accounts', { ...key(), accounts: [] })
  add('list_accounts', {}, { saves: (b, s) => (s.account = b.accounts?.[0]?.account_id) })
  add(
    'list_accounts',
    { pagination: { max_results: 1 } },
    { saves: (b, s) => (s.cursor = b.pagination?.cursor) },
  )
  add('list_accounts', (s) => ({ pagination: { max_results: 1, cursor: s.cursor ?? 'x' } }))
  add('list_accounts', { status: 'closed' })
  add('list_accounts', { sandbox: true })
  add('list_accounts', { pagination: { cursor: 'no cursor' } })
}
