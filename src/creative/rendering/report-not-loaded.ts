// How the frame of a creative reports to the interactive page what it could not load: what the policy blocked and
// what failed, including URLs that a script built. A creative can send the same message itself, so the page treats
// the content as a few short strings of plain text and does nothing else with it.

/** In the frame, before the creative. Reports bypass the page, which has no script, and go to the one around it. */
export const REPORTER = `<script>(()=>{
const tell=(url,reason)=>{if(url)parent.parent.postMessage({notLoaded:{url:String(url).slice(0,500),reason}},'*')}
addEventListener('securitypolicyviolation',(event)=>tell(event.blockedURI,'refused by '+event.effectiveDirective))
addEventListener('error',({target})=>{if(target instanceof Element)tell(target.currentSrc||target.src||target.href||target.data,'failed')},true)
document.currentScript.remove()
})()</script>`

/** A part of the script of the interactive page, which defines `frame` and `at`. */
export const LISTENER = `
const missing = at('missing')
const told = new Map()
const forget = () => {
  told.clear()
  missing.hidden = true
  missing.querySelector('ul').replaceChildren()
}
const isInside = (source) => {
  const page = frame.contentWindow
  for (let index = 0; index < page.length; index++) if (page[index] === source) return true
  return false
}
addEventListener('message', ({ source, data }) => {
  const { url: given, reason } = (data && data.notLoaded) || {}
  if (typeof given !== 'string' || typeof reason !== 'string' || !isInside(source)) return
  const url = given.slice(0, 500)
  // What is refused fails too: the refusal says more, whichever comes first.
  const known = told.get(url)
  if (known ? reason === 'failed' : told.size >= 100) return
  const line = known || document.createElement('li')
  line.textContent = url + ' (' + reason.slice(0, 60) + ')'
  told.set(url, line)
  missing.querySelector('ul').append(line)
  missing.hidden = false
})
`
