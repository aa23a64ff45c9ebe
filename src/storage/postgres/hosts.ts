// Addresses of PostgreSQL with several hosts, as libpq writes them: postgres://a:5432,b:5432/db. One of them is the primary;
// after a failover it is another one.

import { isUrl } from '../../lib/is-url.ts'

export interface Hosts {
  /** One address for each host, in the given order. */
  urls: readonly [string, ...string[]]
  /** Whether a server in recovery is refused. */
  needsPrimary: boolean
}

const ATTRIBUTES = 'target_session_attrs'
/** With all but `any`, a server in recovery is refused. */
const ACCEPTED: readonly (string | null)[] = [null, 'any', 'read-write', 'primary']
const MAX_HOSTS = 16

/** Throws a TypeError that says what is wrong, without the password. */
export function hostsOf(url: string): Hosts {
  const { before, hosts, behind } = splitAtHosts(url)
  const urls: string[] = []
  let wanted: string | null = null
  for (const host of hosts) {
    const text = `${before}${host}${behind}`
    if (host === '' || !isUrl(text)) throw new TypeError('has a host that is not host:port')
    const one = new URL(text)
    wanted = one.searchParams.get(ATTRIBUTES)
    // The driver does not know it.
    one.searchParams.delete(ATTRIBUTES)
    urls.push(wanted === null ? text : one.href)
  }
  const [first, ...others] = urls
  if (first === undefined || urls.length > MAX_HOSTS) {
    throw new TypeError(`must have 1 to ${MAX_HOSTS} hosts`)
  }
  if (!ACCEPTED.includes(wanted)) {
    throw new TypeError(`has a ${ATTRIBUTES} that is none of any, read-write, primary`)
  }
  const isSingle = others.length === 0 && wanted === null
  return { urls: [first, ...others], needsPrimary: !isSingle && wanted !== 'any' }
}

/** What is wrong with an address, as the end of a sentence; undefined if nothing is. */
export function postgresUrlFault(url: string): string | undefined {
  if (!/^postgres(?:ql)?:\/\//.test(url)) {
    return 'must be a URL that begins with postgres:// or postgresql://'
  }
  try {
    hostsOf(url)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Hosts and database, for messages: without name and password. */
export function placeInUrl(url: string): string {
  const { hosts } = splitAtHosts(url)
  const { pathname } = new URL(hostsOf(url).urls[0])
  return `${hosts.join(',')}${pathname}`
}

/** For a program whose arguments other users can see. */
export function withoutPassword(url: string): { url: string; password: string } {
  const { before, hosts, behind } = splitAtHosts(url)
  const { protocol, username, password } = new URL(hostsOf(url).urls[0])
  const user = before.includes('@') && username !== '' ? `${username}@` : ''
  return {
    url: `${protocol}//${user}${hosts.join(',')}${behind}`,
    password: decodeURIComponent(password),
  }
}

/** The hosts are between the last @ and the first / or ? of what follows the scheme. */
function splitAtHosts(url: string): { before: string; hosts: string[]; behind: string } {
  const start = url.indexOf('://') + 3
  const places = ['/', '?', '#'].map((mark) => url.indexOf(mark, start)).filter((at) => at !== -1)
  const end = Math.min(url.length, ...places)
  const first = Math.max(start, url.lastIndexOf('@', end - 1) + 1)
  return {
    before: url.slice(0, first),
    hosts: url.slice(first, end).split(','),
    behind: url.slice(end),
  }
}

export interface HostChoice {
  /** The address of the host that is tried now. */
  url(): string
  /** `failed` did not serve: the next one is tried, unless another caller has moved on already. */
  next(failed: string): void
}

export function chooseHost({ urls }: Hosts): HostChoice {
  let at = 0
  const url = () => urls[at] as string
  return {
    url,
    next: (failed) => {
      if (failed === url()) at = (at + 1) % urls.length
    },
  }
}
