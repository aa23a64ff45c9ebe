// A buyer's page: a smaller frame around a principal's own deliveries, endpoints and reports. It polls, since the
// stream of changes is only for users who may see everything.

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LinkPart, OpenedLink } from '../../../src/console/api/links.ts'
import { Icon } from '../parts/icon.tsx'
import { Time } from '../parts/time.tsx'
import { Toasts } from '../parts/toast.tsx'
import { LINK_PATHS, type LinkViewName, matchPath, type Params } from '../paths.ts'
import { hrefOf, path } from '../router.ts'
import { isWithin, type View } from '../routes.ts'
import icon from '../style/icon.svg'
import { isDark, toggleTheme } from '../theme.ts'
import { LinkDeliveries } from './deliveries.tsx'
import { LinkDelivery } from './delivery.tsx'
import { LinkEndpoints } from './endpoints.tsx'
import { closeLink, linkFault, opened, openLink } from './open-link.ts'
import { LinkReports } from './reports.tsx'

const PLACES: readonly { part: LinkPart; title: string; path: string }[] = [
  { part: 'deliveries', title: 'Deliveries', path: LINK_PATHS.deliveries },
  { part: 'endpoints', title: 'Endpoints', path: LINK_PATHS.endpoints },
  { part: 'reports', title: 'Reports', path: LINK_PATHS.reports },
]

const VIEWS: Readonly<Record<LinkViewName, View>> = {
  deliveries: LinkDeliveries,
  delivery: LinkDelivery,
  endpoints: LinkEndpoints,
  reports: LinkReports,
}

export function LinkApp() {
  const link = opened.value
  useEffect(() => {
    openLink()
  }, [])
  return (
    <>
      {link ? <Frame link={link} /> : <NotOpen />}
      <Toasts />
    </>
  )
}

function Frame({ link }: { link: OpenedLink }) {
  const places = PLACES.filter(({ part }) => link.shows.includes(part))
  const here = path.value === '/link' ? (places[0]?.path ?? '') : path.value
  const { View, params } = viewOf(here)
  return (
    <div class="link-page">
      <header class="link-head">
        <div class="brand">
          <img src={icon} alt="" />
          <span class="clip" title={link.name}>
            {link.name}
          </span>
        </div>
        <nav class="tabs" aria-label="Views">
          {places.map((place) => (
            <a
              key={place.path}
              href={hrefOf(place.path)}
              aria-current={isWithin(place.path, here) ? 'true' : undefined}
            >
              {place.title}
            </a>
          ))}
        </nav>
        <div class="row link-foot">
          <span class="faint small">
            read-only, ends <Time at={link.expires_at} as="until" />
          </span>
          <button
            type="button"
            class="button quiet small"
            aria-label={isDark() ? 'Use light colours' : 'Use dark colours'}
            title={isDark() ? 'Light' : 'Dark'}
            onClick={toggleTheme}
          >
            <Icon name={isDark() ? 'sun' : 'moon'} />
          </button>
          <button type="button" class="button quiet small" onClick={closeLink}>
            <Icon name="leave" />
            Close
          </button>
        </div>
      </header>
      <main class="main" id="main" tabIndex={-1}>
        <View key={here} params={params} />
      </main>
    </div>
  )
}

function viewOf(here: string): { View: View; params: Params } {
  for (const name of Object.keys(LINK_PATHS) as LinkViewName[]) {
    const params = matchPath(LINK_PATHS[name], here)
    if (params) return { View: VIEWS[name], params }
  }
  return { View: NoSuchPage, params: {} }
}

function NoSuchPage() {
  return (
    <div class="notice">
      <h1>There is no such page</h1>
      <p>The address may have been cut off.</p>
      <div class="row">
        <a class="button" href={hrefOf('/link')}>
          Go to the start page
        </a>
      </div>
    </div>
  )
}

/** Displayed before the server has answered, and if the link is invalid. */
function NotOpen() {
  const isAsking = useSignal(false)
  const fault = linkFault.value
  useEffect(() => {
    document.title = 'Link · Adwire'
  }, [])
  if (!fault) return null
  const isEnded = fault.kind === 'signed-out'
  const again = async () => {
    isAsking.value = true
    await openLink()
    isAsking.value = false
  }
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <div class="brand">
          <img src={icon} alt="" />
          Adwire
        </div>
        <h1>{isEnded ? 'This link is not open' : 'The page could not be loaded'}</h1>
        <p role="alert">{fault.message}</p>
        {isEnded ? (
          <p class="soft">The sender of the link can create a new one.</p>
        ) : (
          <button type="button" class="button" disabled={isAsking.value} onClick={again}>
            Try again
          </button>
        )}
      </div>
    </main>
  )
}
