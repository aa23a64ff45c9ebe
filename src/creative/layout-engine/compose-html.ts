// The advertisement as an HTML5 banner: the same design as the picture, with its letters as text, optional
// animation, and one link. It makes no network requests.

import { type BannerScript, scriptOf } from '../motion/banner-motion.ts'
import { movingParts } from '../motion/banner-parts.ts'
import { bannerFontsOf } from './banner-fonts.ts'
import type { ComposedAd } from './compose.ts'
import { withoutSoftHyphens } from './shaping/hyphenation/hyphen-breaks.ts'
import { escapeXml, svgOf } from './to-svg.ts'

export interface HtmlOptions {
  /** The click target, or the macro that will supply it. Default {CLICK_URL}. */
  clickUrl?: string
  /** How it moves. Default: its parts enter one after the other. */
  script?: BannerScript
}

/** A whole document. An ad server may set `clickTag`, as a global or in the query. */
export function composeHtml(ad: ComposedAd, options: HtmlOptions = {}): string {
  const { width, height, texts, scene } = ad
  const { language, direction } = scene.writing
  const script = options.script ?? (scriptOf(ad, 'entrance') as BannerScript)
  const scenes = [scene, ...script.reported.map((reported) => reported.scene)]
  const fonts = bannerFontsOf({ parts: scenes.flatMap(({ parts }) => parts) })
  const moving = movingParts(scene, script, { familiesOf: fonts.familiesOf })
  const headline = escapeXml(withoutSoftHyphens(texts.headline))
  const action = escapeXml(withoutSoftHyphens(texts.call_to_action))
  const label = [headline, action].filter(Boolean).join('. ')
  const href = escapeXml(safeTarget(options.clickUrl ?? '{CLICK_URL}'))
  return `<!doctype html>
<html${language === '' ? '' : ` lang="${language}"`}${direction === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="ad.size" content="width=${width},height=${height}">
<title>${headline}</title>
<style>
${fonts.faces}
html,body{margin:0;padding:0;background:transparent}
a{display:block;position:relative;width:${width}px;height:${height}px;overflow:hidden}
svg{display:block;width:100%;height:100%}
a:focus-visible{outline:2px solid ${ad.colours.ink};outline-offset:-2px}
${moving.style}
</style>
</head>
<body>
<a id="ad" href="${href}" target="_blank" rel="noopener" aria-label="${label}">
${svgOf(scene, moving.drawn)}
</a>
<script>
document.getElementById('ad').addEventListener('click', function () {
  var tag = window.clickTag || new URLSearchParams(location.search).get('clickTag')
  if (/^https?:\\/\\//i.test(tag)) this.href = tag
})
</script>
</body>
</html>
`
}

/** A web address or a macro: never a script. */
function safeTarget(url: string): string {
  return /^(?:https?:\/\/|\{[A-Z0-9_]+\})/i.test(url) ? url : '{CLICK_URL}'
}
