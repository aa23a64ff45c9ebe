// Links within the console are followed without reloading the page; all others are left to the browser.

import { go } from './router.ts'

addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = (event.target as Element).closest?.('a')
  if (link?.target !== '' || link.hasAttribute('download')) return
  const { origin, pathname, search, hash } = new URL(link.href)
  if (origin !== location.origin || hash !== '') return
  if (pathname !== '/console' && !pathname.startsWith('/console/')) return
  // The way to the identity provider.
  if (pathname.startsWith('/console/oidc/')) return
  event.preventDefault()
  go(pathname.slice('/console'.length) + search)
})
