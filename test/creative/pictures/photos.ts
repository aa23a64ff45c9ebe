// Pictures that look like photos to whatever crops and measures them: a horizon, light, and one thing in front.

import sharp from 'sharp'

export interface Scenery {
  sky: readonly [string, string]
  ground: string
  thing: string
}

export const SCENERIES = {
  beach: { sky: ['#fdf3d8', '#8fd3f4'], ground: '#f6e2b3', thing: '#e4572e' },
  night: { sky: ['#0b1026', '#2b3a67'], ground: '#10141f', thing: '#f2c14e' },
  studio: { sky: ['#ffffff', '#f3f3f3'], ground: '#e9e9ec', thing: '#1b998b' },
} satisfies Record<string, Scenery>

/** A JPEG. The thing stands a third from the right. */
export async function photoOf(
  { sky: [low, high], ground, thing }: Scenery,
  width = 1200,
  height = 900,
): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1200 900" preserveAspectRatio="none">
    <linearGradient id="sky" x1="0" y1="1" x2="0" y2="0"><stop offset="0.3" stop-color="${low}"/><stop offset="1" stop-color="${high}"/></linearGradient>
    <rect width="1200" height="900" fill="url(#sky)"/>
    <path d="M0 640 Q300 560 620 630 T1200 600 V900 H0 Z" fill="${ground}"/>
    <ellipse cx="800" cy="700" rx="190" ry="26" fill="#000000" opacity="0.25"/>
    <rect x="690" y="330" width="220" height="370" rx="46" fill="${thing}"/>
    <rect x="740" y="250" width="120" height="100" rx="18" fill="#2d3142"/>
    <rect x="712" y="350" width="36" height="320" rx="18" fill="#ffffff" opacity="0.45"/>
    <rect x="770" y="470" width="110" height="110" rx="12" fill="#fffaf0"/>
  </svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer()
}
