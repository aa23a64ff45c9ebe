// Brands that a demo server describes itself, so that their references can be verified without a network.

export interface DemoBrand {
  domain: string
  name: string
  colors: { primary: string; secondary: string }
  tagline: string
}

export const DEMO_BRANDS: readonly DemoBrand[] = [
  {
    domain: 'demo-brand.example',
    name: 'Demo Brand',
    colors: { primary: '#1F4E79', secondary: '#F4B942' },
    tagline: 'The brand that is always there to be looked up',
  },
  {
    domain: 'northwind-outdoor.example',
    name: 'Northwind Outdoor',
    colors: { primary: '#22543D', secondary: '#F6E05E' },
    tagline: 'Gear for the long way round',
  },
  {
    domain: 'solara-coffee.example',
    name: 'Solara Coffee',
    colors: { primary: '#4A2C2A', secondary: '#E8C39E' },
    tagline: 'Roasted at first light',
  },
]

/** The URL at which a demo server reached at `url` serves the brand.json of a demo brand. */
export function demoManifestUrl(url: string, domain: string): string {
  return `${url}/demo/${domain}/brand.json`
}

/** The brand.json of a demo brand: a single brand document. */
export function demoBrandJson({ domain, name, colors, tagline }: DemoBrand): object {
  return {
    id: name.toLowerCase().replaceAll(' ', '_'),
    names: [{ en: name }],
    house_domain: domain,
    tagline,
    colors,
    properties: [{ type: 'website', identifier: domain, primary: true }],
  }
}
