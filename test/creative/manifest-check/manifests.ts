// Formats of the catalogue, and manifests that fit them, for the tests of manifests.

import type { Format, FormatSlot } from '../../../src/protocol/schemas/format.ts'
import { catalogue } from '../../support/creative.ts'

export const AGENT = 'https://ads.example'

const formats = catalogue()

export function formatNamed(id: string, parameters: object = {}): Format {
  const found = formats.find({ agent_url: AGENT, id, ...parameters }, [AGENT])
  if (!found.ok) throw new Error(found.message)
  return found.format
}

/** A format with these slots alone. */
export function formatWith(...slots: object[]): Format {
  const assets = slots.map((slot) => ({
    item_type: 'individual',
    required: true,
    ...slot,
  })) as unknown as FormatSlot[]
  return {
    format_id: { agent_url: AGENT, id: 'own' },
    name: 'Own',
    type: 'display',
    assets,
    assets_required: assets.filter(({ required }) => required),
  }
}

export const BANNER = {
  banner_image: {
    asset_type: 'image' as const,
    url: 'https://cdn.example/a.png',
    width: 300,
    height: 250,
  },
  click_url: { asset_type: 'url' as const, url: 'https://brand.example/{CACHEBUSTER}' },
}

export function bannerManifest(assets: object = {}) {
  return {
    format_id: { agent_url: AGENT, id: 'display_300x250_image' },
    assets: { ...BANNER, ...assets },
  }
}

export const VAST = `<?xml version="1.0"?>
<VAST version="4.0"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle>
<Impression><![CDATA[https://t.example/i?c=[CACHEBUSTING]]]></Impression>
<Creatives><Creative><Linear><Duration>00:00:30</Duration><MediaFiles>
<MediaFile delivery="progressive" type="video/mp4" width="1" height="1"><![CDATA[https://cdn.example/a.mp4]]></MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`
