// The ad servers' names for the universal macros (spec 2.5): only those documented for every caller. For a name that
// needs a number specific to the caller, such as a vendor of a consent string, the caller has to supply a table.

import type { UniversalMacro } from './universal-macros.ts'

/** A token for use anywhere, and one that is already encoded for a URL parameter. */
interface MacroToken {
  plain: string
  encoded?: string
}

export type MacroTable = ReadonlyMap<string, MacroToken>

type Named = Partial<Record<UniversalMacro, string | readonly [plain: string, encoded: string]>>

const GOOGLE_AD_MANAGER: Named = {
  CACHEBUSTER: '%%CACHEBUSTER%%',
  CLICK_URL: ['%%CLICK_URL_UNESC%%', '%%CLICK_URL_ESC%%'],
  CREATIVE_ID: '%ecid!',
  PACKAGE_ID: '%eaid!',
  MEDIA_BUY_ID: '%ebuy!',
  DOMAIN: '%%SITE%%',
  REFERRER: ['%%REFERRER_URL_UNESC%%', '%%REFERRER_URL_ESC%%'],
  AD_WIDTH: '%%WIDTH%%',
  AD_HEIGHT: '%%HEIGHT%%',
  DEVICE_ID: '%%ADVERTISING_IDENTIFIER_PLAIN%%',
  DEVICE_ID_TYPE: '%%ADVERTISING_IDENTIFIER_TYPE%%',
  LIMIT_AD_TRACKING: '%%ADVERTISING_IDENTIFIER_IS_LAT%%',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how it is written there.
  GDPR: '${GDPR}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how it is written there.
  GPP_SID: '${GPP_SID}',
}

const CAMPAIGN_MANAGER_360: Named = {
  CACHEBUSTER: '%n',
  CREATIVE_ID: '%ecid!',
  PACKAGE_ID: '%eaid!',
  MEDIA_BUY_ID: '%ebuy!',
  PLACEMENT_ID: '%epid!',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how it is written there.
  GDPR: '${GDPR}',
}

/** IAB VAST 4.x, for macros that a player fills in. */
const VAST: Named = {
  CACHEBUSTER: '[CACHEBUSTING]',
  TIMESTAMP: '[TIMESTAMP]',
  DOMAIN: '[DOMAIN]',
  PAGE_URL: '[PAGEURL]',
  APP_BUNDLE: '[APPBUNDLE]',
  DEVICE_ID: '[IFA]',
  DEVICE_ID_TYPE: '[IFATYPE]',
  LIMIT_AD_TRACKING: '[LIMITADTRACKING]',
  IP_ADDRESS: '[DEVICEIP]',
  USER_AGENT: '[DEVICEUA]',
  GDPR_CONSENT: '[GDPRCONSENT]',
  VIDEO_ID: '[CONTENTID]',
  POD_POSITION: '[PODSEQUENCE]',
}

export const AD_SERVERS: ReadonlyMap<string, MacroTable> = new Map([
  ['google_ad_manager', tableOf(GOOGLE_AD_MANAGER)],
  ['campaign_manager_360', tableOf(CAMPAIGN_MANAGER_360)],
  ['vast', tableOf(VAST)],
])

function tableOf(named: Named): MacroTable {
  return new Map(
    Object.entries(named).map(([name, token]): [string, MacroToken] =>
      typeof token === 'string'
        ? [name, { plain: token }]
        : [name, { plain: token[0], encoded: token[1] }],
    ),
  )
}
