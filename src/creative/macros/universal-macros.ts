// The names of the universal macros (spec 2.5), and whether a name is universal or supported by the format itself. A
// value that the caller supplies for any other macro also counts, if the creative has that macro.

import type { Format } from '../../protocol/schemas/format.ts'

/** @internal */
export const UNIVERSAL_MACROS = [
  'MEDIA_BUY_ID',
  'PACKAGE_ID',
  'CREATIVE_ID',
  'CACHEBUSTER',
  'TIMESTAMP',
  'CLICK_URL',
  'GDPR',
  'GDPR_CONSENT',
  'US_PRIVACY',
  'GPP_STRING',
  'GPP_SID',
  'IP_ADDRESS',
  'LIMIT_AD_TRACKING',
  'DEVICE_TYPE',
  'OS',
  'OS_VERSION',
  'DEVICE_MAKE',
  'DEVICE_MODEL',
  'USER_AGENT',
  'APP_BUNDLE',
  'APP_NAME',
  'COUNTRY',
  'REGION',
  'CITY',
  'ZIP',
  'DMA',
  'LAT',
  'LONG',
  'DEVICE_ID',
  'DEVICE_ID_TYPE',
  'DOMAIN',
  'PAGE_URL',
  'REFERRER',
  'KEYWORDS',
  'PLACEMENT_ID',
  'FOLD_POSITION',
  'AD_WIDTH',
  'AD_HEIGHT',
  'VIDEO_ID',
  'VIDEO_TITLE',
  'VIDEO_DURATION',
  'VIDEO_CATEGORY',
  'CONTENT_GENRE',
  'CONTENT_RATING',
  'PLAYER_WIDTH',
  'PLAYER_HEIGHT',
  'POD_POSITION',
  'POD_SIZE',
  'AD_BREAK_ID',
  'STATION_ID',
  'COLLECTION_NAME',
  'INSTALLMENT_ID',
  'AUDIO_DURATION',
  'TMPX',
  'IMPRESSION_ID',
  'AXEM',
  'CATALOG_ID',
  'SKU',
  'GTIN',
  'OFFERING_ID',
  'JOB_ID',
  'HOTEL_ID',
  'FLIGHT_ID',
  'VEHICLE_ID',
  'LISTING_ID',
  'STORE_ID',
  'PROGRAM_ID',
  'DESTINATION_ID',
  'CREATIVE_VARIANT_ID',
  'APP_ITEM_ID',
  'ITEM_NAME',
  'ITEM_DESCRIPTION',
  'ITEM_TAGLINE',
  'ITEM_PRICE',
  'ITEM_PRICE_CURRENCY',
] as const

export type UniversalMacro = (typeof UNIVERSAL_MACROS)[number]

export type MacroValues = Readonly<Record<string, string>>

const UNIVERSAL: ReadonlySet<string> = new Set(UNIVERSAL_MACROS)

export function isUniversalMacro(name: string): boolean {
  return UNIVERSAL.has(name)
}

export function isKnownMacro(
  name: string,
  { supported_macros }: Pick<Format, 'supported_macros'>,
): boolean {
  return UNIVERSAL.has(name) || (supported_macros?.includes(name) ?? false)
}

/** The values sorted by name, so that equal ones are serialized alike. */
export function orderedMacros(macros: MacroValues): MacroValues {
  return Object.fromEntries(Object.entries(macros).sort(([a], [b]) => (a < b ? -1 : 1)))
}
