// The style of a preview page: a light card with a caption, the creative, and the details below it. A page contains
// only the rules it needs, because there are many pages and each is stored completely.

import { createRecentCache } from '../../lib/recent-cache.ts'
import { hashOf } from './policy.ts'

export interface PageStyle {
  css: string
  /** As a policy names it. */
  hash: string
}

/** Creatives come in few sizes and kinds. */
const known = createRecentCache<PageStyle>(256)

interface PixelSize {
  width: number
  height: number
}

export function pageStyle(size: PixelSize | undefined, content: string): PageStyle {
  const classes = classesIn(content)
  const used = SECTIONS.filter((name) => classes.has(name))
  const key = `${size?.width} ${size?.height} ${used}`
  const kept = known.get(key)
  if (kept) return kept
  const css = `${BASE}${used.map((name) => RULES[name]).join('')}${size ? alone(size, used) : ''}`
  const style = { css, hash: hashOf(css) }
  known.set(key, style)
  return style
}

const CLASS = 'class="'

/** All classes with their own attribute, in one pass: text from a creative is escaped, and has none. */
function classesIn(content: string): Set<string> {
  const found = new Set<string>()
  for (let at = content.indexOf(CLASS); at >= 0; at = content.indexOf(CLASS, at)) {
    at += CLASS.length
    const end = content.indexOf('"', at)
    if (end < 0) break
    found.add(content.slice(at, end))
  }
  return found
}

/** In a window of exactly its size the creative is alone, as it would be when served. */
function alone({ width, height }: PixelSize, used: readonly string[]): string {
  const fitted = FITTED.filter(([name]) => used.includes(name)).map(([, rules]) => rules)
  return `@media (width:${width}px) and (height:${height}px){html,body{overflow:hidden}.page{padding:0}.card{border:0;border-radius:0;box-shadow:none}.caption,.panel{display:none}.stage{padding:0;background:none}.stage img,.stage video{max-height:none}.screen{padding:0;border-radius:0}${fitted.join('')}}`
}

/** Content around pictures gets its room first, and the pictures get the rest: nothing is cut off. */
const WITHIN = '{display:flex;flex-direction:column;min-height:0;border:0;border-radius:0}'
const WHOLE = '.card{width:100%}.stage{height:100vh;gap:0;align-items:stretch}'
const FITTED: readonly (readonly [string, string])[] = [
  [
    'feed',
    `${WHOLE}.stage .feed${WITHIN}.stage>.feed{flex:1 1 0;width:100%}.stage .feed>img,.stage .feed>video{flex:1 1 0;min-height:0;width:100%;object-fit:contain}.feed>.top{padding:6px 10px}.feed .body{padding:8px 10px}`,
  ],
  [
    'strip',
    `${WHOLE}.stage>.strip{scroll-marker-group:none;flex:1 1 0;min-height:0;align-items:stretch;gap:8px;padding:0}.stage>.strip>*,.strip .feed{width:min(82%,80vh)}`,
  ],
  [
    'texts',
    `${WHOLE}.texts{flex:none;width:100%;font-size:12px;line-height:1.35}.texts li{padding:4px 10px}`,
  ],
]

const BASE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f4f6;color:#1f2430;font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.page{display:flex;justify-content:center;padding:24px}
.card{background:#fff;border:1px solid #dfe3e8;border-radius:12px;box-shadow:0 1px 3px rgba(20,30,50,.08);overflow:hidden;min-width:min(320px,100%);max-width:100%}
.caption{display:flex;flex-wrap:wrap;align-items:center;gap:8px;padding:12px 16px;border-bottom:1px solid #e8ebef}
.caption h1{font-size:15px;font-weight:600;margin:0 auto 0 0;padding-right:16px}
.chip{font-size:12px;color:#4a5265;background:#eef0f4;border-radius:99px;padding:2px 10px;white-space:nowrap}
.stage{display:flex;flex-direction:column;align-items:safe center;gap:16px;padding:24px;background:#fafbfc;overflow-x:auto}
.stage img,.stage video{display:block;max-width:100%;height:auto;background:#e9ecf1}
.stage video{max-height:80vh}
.stage iframe{border:0;background:#fff;flex:none;max-width:none}
figure{margin:0;max-width:100%}
figcaption{font-size:12px;color:#5c6577;padding-top:6px}
pre{margin:0;max-width:100%;overflow:auto;font:12px/1.5 ui-monospace,Consolas,monospace;background:#fff;border:1px solid #e3e6ec;border-radius:8px;padding:12px}
.panel{border-top:1px solid #e8ebef;padding:4px 16px}
.panel summary{cursor:pointer;font-size:13px;font-weight:600;padding:8px 0}
.panel dt{color:#6b7488;font-size:13px}
.panel dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
.panel dl{display:grid;grid-template-columns:minmax(90px,max-content) 1fr;gap:4px 16px;margin:0 0 12px;max-width:720px}
.panel dd{font:12px/1.6 ui-monospace,Consolas,monospace}
@media (max-width:520px){.page{padding:8px}.stage{padding:12px}.panel dl{grid-template-columns:1fr}}
`

/** Rules by the class of the block that needs them. */
const RULES = {
  feed: `.feed{width:min(420px,100%);background:#fff;border:1px solid #e3e6ec;border-radius:10px;overflow:hidden}
.feed>.top{display:flex;align-items:center;gap:10px;padding:12px 14px}
.feed .icon{width:36px;height:36px;object-fit:cover;border-radius:8px;flex:none}
.feed .sponsor{font-weight:600;font-size:14px}
.feed .ad{font-size:12px;color:#6b7488}
.feed>img{width:100%;object-fit:contain}
.feed .body{padding:14px}
.feed h2{font-size:18px;line-height:1.3;margin:0 0 6px;unicode-bidi:plaintext;overflow-wrap:anywhere}
.feed p{margin:0 0 10px;color:#3b4254;white-space:pre-line;overflow-wrap:anywhere;unicode-bidi:plaintext}
.feed .row{display:flex;flex-wrap:wrap;align-items:center;gap:12px;justify-content:space-between}
.price{font-weight:700}
.stars{color:#b06f00;letter-spacing:1px}
.cta{display:inline-block;background:#1d4ed8;color:#fff;border-radius:8px;padding:8px 16px;font-weight:600;font-size:14px}
`,
  strip: `.strip{display:flex;gap:12px;overflow-x:auto;align-items:flex-start;scroll-snap-type:x mandatory;max-width:100%;padding-bottom:8px;scroll-marker-group:after}
.strip:focus-visible{outline:2px solid #1d4ed8;outline-offset:2px}
.strip>*{flex:none;width:240px;scroll-snap-align:start}
.strip>*::scroll-marker{content:'';width:10px;height:10px;border-radius:5px;background:#c5ccd8}
.strip>*::scroll-marker:target-current{background:#1d4ed8}
.strip::scroll-marker-group{display:flex;gap:8px;justify-content:center;padding:4px}
.strip .feed{width:240px}
`,
  texts: `.texts{margin:0;padding:0;list-style:none;width:min(560px,100%)}
.texts li{padding:10px 0;border-bottom:1px solid #e8ebef;white-space:pre-line;overflow-wrap:anywhere;unicode-bidi:plaintext}
.label{display:block;font-size:12px;color:#6b7488}
`,
  md: `.md{white-space:normal;overflow-wrap:anywhere;max-width:100%;unicode-bidi:plaintext}
.md :is(p,li,h1,h2,h3,h4,h5,h6,blockquote){unicode-bidi:plaintext}
.md>:first-child{margin-top:0}
.md>:last-child{margin-bottom:0}
.texts .md li{padding:0;border:0;white-space:normal}
.md .link{color:#1d4ed8;text-decoration:underline}
.md code{font:13px/1.5 ui-monospace,Consolas,monospace}
.md blockquote{margin:12px 0;padding-left:14px;border-left:3px solid #c5ccd8;color:#4a5265}
.md hr{border:0;border-top:1px solid #dfe3e8}
`,
  player: `.player{width:min(560px,100%);background:#fff;border:1px solid #e3e6ec;border-radius:10px;padding:16px}
.player audio{width:100%;display:block}
`,
  brief: `.brief{width:min(640px,100%);background:#fff;border:1px solid #e3e6ec;border-radius:10px;padding:20px}
.brief h2{font-size:16px;margin:0 0 8px}
.brief dl{display:grid;grid-template-columns:max-content 1fr;gap:6px 16px;margin:0 0 12px}
.brief dt{color:#6b7488;font-size:13px}
.brief dd{margin:0;overflow-wrap:anywhere;white-space:pre-line;unicode-bidi:plaintext}
.brief .thumb{width:96px;height:96px;object-fit:contain;margin-bottom:4px}
.swatch{border-radius:4px;vertical-align:middle;margin-right:6px}
@media (max-width:520px){.brief dl{grid-template-columns:1fr}}
`,
  screen: `.screen{background:#14171d;border-radius:10px;padding:14px 14px 22px;box-shadow:0 8px 24px rgba(20,30,50,.25)}
.screen img{max-height:70vh;width:auto}
`,
  notice: `.notice{margin:0;padding:12px 16px;border:1px dashed #c5ccd8;border-radius:8px;background:#fff;color:#4a5265;max-width:560px}
`,
} as const satisfies Record<string, string>

const SECTIONS = Object.keys(RULES) as (keyof typeof RULES)[]
