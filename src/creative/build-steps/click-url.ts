// The click-through URL (spec 4.2), and which URLs of the request are not used for it.

import type { Offering } from '../../protocol/schemas/promoted-offerings.ts'
import { type DraftAsset, isVideoWork } from './draft.ts'
import type { BuildJob } from './job.ts'
import { offeringAddress } from './offering-address.ts'
import { roleOf } from './slots.ts'

/**
 * The click-through URL of the request, else the landing page of the message or the offering, else the brand's home
 * page.
 */
export function clickUrlOf(
  { material, brand }: Pick<BuildJob, 'material' | 'brand'>,
  offered: Offering | undefined = material.promoted.offerings[0],
): string | undefined {
  const own = ownClickUrl(material)
  return own ?? material.preferences.landingPage ?? offeringAddress(offered) ?? brand.url
}

function ownClickUrl({ assets }: BuildJob['material']): string | undefined {
  return assets.find(({ type, role }) => type === 'url' && role === 'clickthrough')?.asset.url
}

/** The URLs that clicks on the creative lead to. */
export function clickUrlsIn(assets: readonly DraftAsset[], job: BuildJob): string[] {
  const urls = assets.flatMap(({ name, part, content, isCarried }) => {
    if (isVideoWork(content)) return []
    const { asset_type, url, url_type } = content as Partial<Record<string, unknown>>
    if (asset_type === 'html' && !isCarried) return clickUrlOf(job) ?? []
    const isClick =
      url_type === 'clickthrough' || roleOf('url', `${name} ${part ?? ''}`) === 'clickthrough'
    return asset_type === 'url' && isClick && typeof url === 'string' ? url : []
  })
  return [...new Set(urls)]
}

const MAX_NAMED = 10

/** URLs of the request that no click leads to; the brand's home page is only the last resort. */
export function unusedAddresses(assets: readonly DraftAsset[], job: BuildJob): string[] {
  const { material } = job
  const used = clickUrlsIn(assets, job)
  const [first] = used
  if (first === undefined) return []
  const offered = material.promoted.offerings.map((one) => offeringAddress(one))
  const given: readonly (readonly [string, string | undefined])[] = [
    ['of creative_manifest', ownClickUrl(material)],
    ['in the message', material.preferences.landingPage],
    ...[...new Set(offered)].map((url) => ['of the offering', url] as const),
  ]
  return given
    .flatMap(([where, url]) =>
      url === undefined || used.includes(url)
        ? []
        : [`a click leads to ${first}: the address ${where}, ${url}, is not used`],
    )
    .slice(0, MAX_NAMED)
}
