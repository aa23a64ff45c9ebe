// What the calls have in common: whose they are, and what they are about.

const DAY_MS = 86_400_000

export const BRAND = { domain: 'acmeoutdoor.example' }
export const SANDBOX = { brand: BRAND, operator: 'pinnacle-agency.example', sandbox: true }
export const REAL = { ...SANDBOX, sandbox: false }
export const inDays = (days) => new Date(Date.now() + days * DAY_MS).toISOString()
export const dayOf = (days) => inDays(days).slice(0, 10)

/** `tag` makes names and keys of a run its own. */
export function worldOf({ url, hook, isSandbox, isNewest, tag }) {
  let keys = 0
  const key = () => ({ idempotency_key: `shapes-${tag}-${++keys}-${Date.now()}` })
  const format = (id) => ({ agent_url: url, id })
  const BANNER = isSandbox ? 'display_300x250' : 'display_300x250_image'
  const CAPABILITY = 'display_300x250'
  const GENERATED = 'display_300x250_generative'
  const SLOT = isSandbox ? 'image' : 'banner_image'
  const banner = {
    format_id: format(BANNER),
    assets: {
      [SLOT]: {
        asset_type: 'image',
        url: 'https://cdn.acmeoutdoor.example/a.png',
        width: 300,
        height: 250,
        mime_type: 'image/png',
        format: 'png',
      },
      click_url: {
        asset_type: 'url',
        url: 'https://acmeoutdoor.example/',
        url_type: 'clickthrough',
      },
    },
  }
  const creative = (id, more = {}) => ({
    creative_id: `${id}-${tag}`,
    name: id,
    ...banner,
    ...more,
  })
  const account = { account: isSandbox ? SANDBOX : { account_id: 'none' } }
  const acct = isSandbox ? { account: SANDBOX } : {}
  return {
    key,
    format,
    BANNER,
    CAPABILITY,
    GENERATED,
    SLOT,
    banner,
    creative,
    account,
    acct,
    hook,
    isSandbox,
    isNewest,
    tag,
  }
}
