// Displayed where there is no content: empty, error, not allowed.

import type { ComponentChildren } from 'preact'
import type { Fault } from '../api/request.ts'
import { hrefOf } from '../router.ts'
import { mainRoles, session } from '../session.ts'

interface NoticeProps {
  title: string
  children?: ComponentChildren
  /** In a panel of an overview there is less room. */
  compact?: boolean
}

export function Notice({ title, children, compact = false }: NoticeProps) {
  return (
    <div class={compact ? 'notice compact' : 'notice'}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

const TITLES: Readonly<Record<Fault['kind'], string>> = {
  away: 'The server does not answer',
  'signed-out': 'The session has ended',
  forbidden: 'Not allowed',
  missing: 'Not found',
  busy: 'Too many requests',
  refused: 'The server did not accept this',
  broken: 'Something went wrong on the server',
}

interface FaultProps {
  fault: Fault
  retry(): void
  /** Where to go when it is not there. */
  home?: { path: string; title: string }
}

const OVERVIEW = { path: '/', title: 'Go to the overview' }

/** In place of what could not be loaded. */
export function FaultNotice({ fault, retry, home = OVERVIEW }: FaultProps) {
  return (
    <div class="notice" role="alert">
      <h2>{TITLES[fault.kind]}</h2>
      <p class="wrap-anywhere">{fault.message}</p>
      {fault.kind === 'forbidden' && session.value && (
        <p class="soft">
          You are signed in as {session.value.principal.name}, with the role {mainRoles()}.
        </p>
      )}
      <div class="row">
        {fault.kind === 'missing' ? (
          <a class="button" href={hrefOf(home.path)}>
            {home.title}
          </a>
        ) : (
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  )
}

/** Displayed above older data if requesting it again failed. */
export function FaultBanner({ fault, retry }: { fault: Fault | undefined; retry(): void }) {
  if (!fault) return null
  return (
    <div class="banner bad" role="alert">
      <span>
        {fault.message} <span class="soft">This page may be out of date.</span>
      </span>
      <button type="button" class="button small" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
