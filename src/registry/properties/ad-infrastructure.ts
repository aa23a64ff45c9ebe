// Domains that belong to advertising infrastructure: they contain no publisher properties, so a list of properties
// should not name them. Kept on the server, so that all callers share it.

type InfrastructureType = 'ad_server' | 'intermediary' | 'cdn' | 'tracker'

export interface Infrastructure {
  domain_type: InfrastructureType
  blocked_reason: string
}

const REASONS: Readonly<Record<InfrastructureType, string>> = {
  ad_server: 'it serves ads, and publishes none of the pages that they are on',
  intermediary: 'it trades or places ads for others, and is not where they are seen',
  cdn: 'it delivers files for ads, and has no pages of its own',
  tracker: 'it measures, and has no pages of its own',
}

const DOMAINS: Readonly<Record<InfrastructureType, readonly string[]>> = {
  ad_server: [
    'doubleclick.net',
    'googleadservices.com',
    'admob.com',
    'amazon-adsystem.com',
    'adform.net',
    'flashtalking.com',
    'serving-sys.com',
    'smartadserver.com',
    'springserve.com',
    'unityads.unity3d.com',
  ],
  intermediary: [
    'googleadmanager.com',
    'adnxs.com',
    'criteo.com',
    'taboola.com',
    'outbrain.com',
    'adsrvr.org',
    'rubiconproject.com',
    'pubmatic.com',
    'openx.net',
    'casalemedia.com',
    'indexww.com',
    'sharethrough.com',
    'triplelift.com',
    '3lift.com',
    'bidswitch.net',
    'applovin.com',
    'inmobi.com',
  ],
  cdn: [
    'googlesyndication.com',
    '2mdn.net',
    'googletagservices.com',
    'criteo.net',
    'adnxs-simple.com',
  ],
  tracker: [
    'google-analytics.com',
    'googletagmanager.com',
    'scorecardresearch.com',
    'quantserve.com',
    'moatads.com',
    'doubleverify.com',
    'adsafeprotected.com',
    'demdex.net',
    'bluekai.com',
  ],
}

const BY_DOMAIN: ReadonlyMap<string, InfrastructureType> = new Map(
  (Object.keys(DOMAINS) as InfrastructureType[]).flatMap((type) =>
    DOMAINS[type].map((domain) => [domain, type] as const),
  ),
)

/** The domain itself, or one that it is a subdomain of. */
export function infrastructureOf(domain: string): Infrastructure | undefined {
  for (let rest = domain; rest !== ''; rest = afterDot(rest)) {
    const type = BY_DOMAIN.get(rest)
    if (type) return { domain_type: type, blocked_reason: REASONS[type] }
  }
  return undefined
}

function afterDot(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}
