// Buyers' links: created by an operator, or by a principal for itself; opened with a token of 256 random bits that is
// stored hashed, in exchange for a cookie that belongs to the browser. Whether a link is valid is checked again on
// every request, so that a revoked link displays nothing from then on.

import { randomBytes } from 'node:crypto'
import type { Principal, PrincipalStore } from '../agent/principals.ts'
import { createApiKey, hashApiKey } from '../lib/api-key.ts'
import type { Clock } from '../lib/clock.ts'
import { defined } from '../lib/defined.ts'
import { uuid7 } from '../lib/uuid7.ts'
import { LINK_PARTS, type LinkItem, type LinkPart } from './api/links.ts'
import { type ActionPorts, act } from './audit.ts'
import { iso, isoOf } from './format-values.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { LinkRecord, LinkStore } from './link-store.ts'
import { notFound, Refused } from './refusal.ts'

export interface LinkPorts extends ActionPorts {
  links: LinkStore
  principals: Pick<PrincipalStore, 'get' | 'lock'>
  clock: Clock
  /** The URL of the page of a link, with its token. */
  linkUrl: (token: string) => string
}

interface WantedLink {
  principal_id: string
  seconds: number
  shows: readonly LinkPart[]
  made_by: LinkRecord['made_by']
}

interface MadeLink {
  link_id: string
  /** With the token: returned only here. */
  url: string
  expires_at: string
}

/** A visitor who opened a link, in one browser. */
export interface Guest {
  sessionHash: string
  link: LinkRecord
  /** Whose data is displayed. */
  principal: Principal
}

export interface Links {
  /** Throws a Refused. */
  make(by: Principal, wanted: WantedLink): Promise<MadeLink>
  /** The links of a principal, newest first. */
  list(principalId: string): Promise<LinkItem[]>
  /** Throws a Refused when this principal has no such valid link. */
  revoke(by: Principal, key: { principal_id: string; link_id: string }): Promise<void>
  /** A new cookie for the client that has the token; undefined when the token belongs to no valid link. */
  open(token: string): Promise<{ cookie: string; guest: Guest } | undefined>
  /** The visitor with this cookie; undefined when its link is no longer valid. */
  guestOf(cookie: string): Promise<Guest | undefined>
  close(guest: Pick<Guest, 'sessionHash'>): Promise<void>
}

const TOKEN_PREFIX = 'adl_'
const TOKEN = /^adl_[A-Za-z0-9_-]{43}$/
const COOKIE = /^[A-Za-z0-9_-]{43}$/
const LISTED = 50

export function createLinks(ports: LinkPorts): Links {
  const { transact, links, principals, clock } = ports
  /** Undefined when the link or its principal is no longer valid. */
  const principalOf = async (link: LinkRecord): Promise<Principal | undefined> => {
    if (stateOf(link, clock.now()) !== 'good') return undefined
    const principal = await principals.get(link.principal_id)
    return principal?.revoked_at === null ? principal : undefined
  }
  return {
    make: (by, wanted) => makeLink(ports, by, wanted),
    list: async (principalId) =>
      (await links.list(principalId, LISTED)).map((link) => itemOf(link, clock.now())),
    revoke: async (principal, key) => {
      const { principal_id: target, link_id } = key
      const action = { visitor: { principal }, action: 'links.revoke', target, detail: link_id }
      await act(ports, action, async (tx) => {
        if (!(await links.revoke(tx, key))) throw notFound(`good link ${link_id}`)
      })
    },
    open: async (token) => {
      if (!TOKEN.test(token)) return undefined
      const link = await links.byToken(hashApiKey(token))
      const principal = link && (await principalOf(link))
      if (!link || !principal) return undefined
      // Always a new one: a cookie planted by an attacker is useless.
      const cookie = randomBytes(32).toString('base64url')
      const sessionHash = hashApiKey(cookie)
      const { link_id, principal_id } = link
      const isOpen = await transact(async (tx) => {
        const most = CONSOLE_LIMITS.browsersOfLink.value
        if (!(await links.open(tx, link_id, { sessionHash, most }))) return false
        const entry = { principal_id, principal_name: principal.name, action: 'links.open' }
        await ports.audit.add(tx, {
          ...entry,
          target: principal_id,
          outcome: 'done',
          detail: link_id,
        })
        return true
      })
      return isOpen ? { cookie, guest: { sessionHash, link, principal } } : undefined
    },
    guestOf: async (cookie) => {
      if (!COOKIE.test(cookie)) return undefined
      const sessionHash = hashApiKey(cookie)
      const link = await links.bySession(sessionHash)
      const principal = link && (await principalOf(link))
      return link && principal && { sessionHash, link, principal }
    },
    close: async ({ sessionHash }) => {
      await transact((tx) => links.endSession(tx, sessionHash))
    },
  }
}

async function makeLink(ports: LinkPorts, maker: Principal, wanted: WantedLink): Promise<MadeLink> {
  const { links, principals, linkUrl } = ports
  const { principal_id, seconds, made_by } = wanted
  const shows = LINK_PARTS.filter((part) => wanted.shows.includes(part))
  const { key: token, keyHash } = createApiKey(TOKEN_PREFIX)
  const detail = ({ link_id, expires_at }: { link_id: string; expires_at: number }) =>
    `${link_id} shows ${shows.join(', ')} until ${iso(expires_at)}, made by the ${made_by}`
  const action = {
    visitor: { principal: maker },
    action: 'links.make',
    target: principal_id,
    detail,
  }
  const made = await act(ports, action, async (tx) => {
    const principal = await principals.lock(tx, principal_id)
    if (!principal) throw notFound(`principal ${principal_id}`)
    if (principal.revoked_at !== null) throw conflict('the principal has been revoked')
    const most = CONSOLE_LIMITS.linksOfOne.value
    if ((await links.countGood(tx, principal_id)) >= most) {
      throw conflict(`it has ${most} valid links, the maximum: revoke one first`)
    }
    const now = await tx.now()
    const link = {
      link_id: `lnk_${uuid7(now).replaceAll('-', '')}`,
      principal_id,
      shows,
      made_by,
      maker_id: maker.principal_id,
      maker_name: maker.name,
      created_at: now,
      expires_at: now + seconds * 1_000,
    }
    await links.add(tx, link, keyHash)
    return link
  })
  return { link_id: made.link_id, url: linkUrl(token), expires_at: iso(made.expires_at) }
}

function itemOf(link: LinkRecord, now: number): LinkItem {
  return {
    link_id: link.link_id,
    state: stateOf(link, now),
    shows: link.shows,
    made_by: link.maker_name,
    made_with: link.made_by,
    opens: link.opens,
    created_at: iso(link.created_at),
    expires_at: iso(link.expires_at),
    ...defined({ opened_at: isoOf(link.opened_at), revoked_at: isoOf(link.revoked_at) }),
  }
}

function stateOf({ revoked_at, expires_at }: LinkRecord, now: number): LinkItem['state'] {
  if (revoked_at !== undefined) return 'revoked'
  return expires_at <= now ? 'expired' : 'good'
}

function conflict(message: string): Refused {
  return new Refused(409, 'conflict', message)
}
