// The frame around every view: navigation, the signed-in user, whether updates are live; and the view itself.

import { useSignal } from '@preact/signals'
import { api } from '../api/client.ts'
import { isHelpOpen } from '../keys.ts'
import { type LiveState, live } from '../live.ts'
import { Icon } from '../parts/icon.tsx'
import { toast } from '../parts/toast.tsx'
import { hrefOf, path } from '../router.ts'
import { GROUPS, isWithin } from '../routes.ts'
import { endedBecause, mainRoles, session } from '../session.ts'
import icon from '../style/icon.svg'
import { isDark, toggleTheme } from '../theme.ts'
import { Help } from './help.tsx'
import { Outlet } from './outlet.tsx'

export function Shell() {
  const isOpen = useSignal(false)
  const here = path.value
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <div class="shell">
        <div class={isOpen.value ? 'rail open' : 'rail'}>
          <a class="brand" href={hrefOf('/')}>
            <img src={icon} alt="" />
            Adwire
          </a>
          <button
            type="button"
            class="button quiet menu-button"
            aria-expanded={isOpen.value}
            aria-controls="navigation"
            onClick={() => {
              isOpen.value = !isOpen.value
            }}
          >
            <Icon name="menu" />
            Menu
          </button>
          <nav class="nav" id="navigation" aria-label="Views">
            {GROUPS.map(({ title, places }) => (
              <div key={title} class="nav-group">
                <p class="nav-title">{title}</p>
                {places.map((place) => (
                  <a
                    key={place.path}
                    href={hrefOf(place.path)}
                    aria-current={isWithin(place.path, here) ? 'page' : undefined}
                    onClick={() => {
                      isOpen.value = false
                    }}
                  >
                    <Icon name={place.icon} />
                    {place.title}
                  </a>
                ))}
              </div>
            ))}
          </nav>
          <RailFoot />
        </div>
        <main class="main" id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {isHelpOpen.value && <Help />}
    </>
  )
}

function RailFoot() {
  const { principal, demo } = session.value ?? {}
  return (
    <div class="rail-foot">
      <LiveMark state={live.value} />
      <div class="who">
        <div class="clip" title={principal?.name}>
          {principal?.name}
        </div>
        <div class="faint small">
          {mainRoles()}
          {demo && ' · demo data'}
        </div>
      </div>
      <div class="rail-buttons">
        <button
          type="button"
          class="button quiet small"
          aria-label={isDark() ? 'Use light colours' : 'Use dark colours'}
          title={isDark() ? 'Light' : 'Dark'}
          onClick={toggleTheme}
        >
          <Icon name={isDark() ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="button quiet small"
          aria-label="Keyboard"
          title="Keyboard (?)"
          onClick={() => {
            isHelpOpen.value = true
          }}
        >
          <Icon name="help" />
        </button>
        <button type="button" class="button quiet small" onClick={signOut}>
          <Icon name="leave" />
          Sign out
        </button>
      </div>
    </div>
  )
}

const LIVE_WORDS: Readonly<Record<LiveState, string>> = {
  off: 'connecting',
  on: 'live',
  away: 'reconnecting',
}

function LiveMark({ state }: { state: LiveState }) {
  return (
    <div class={`live ${state}`} role="status">
      <i />
      {LIVE_WORDS[state]}
    </div>
  )
}

async function signOut() {
  const answer = await api('DELETE /session')
  if (!answer.ok && answer.fault.kind !== 'signed-out') {
    toast(`You are still signed in: ${answer.fault.message}`, 'bad')
    return
  }
  endedBecause.value = 'signed-out'
  session.value = null
}
