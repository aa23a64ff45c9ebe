// Parses an ads.txt for the manager of a site: lines `MANAGERDOMAIN=host`, the last of which counts. Everything else
// in it is ignored.

import { normaliseDomain } from '../../lib/host-name.ts'
import { createFaults, type FileFault, quoted } from './faults.ts'

export interface AdsTxtReading {
  /** The manager of the site; null if the file does not name one. */
  manager_domain: string | null
  faults: FileFault[]
  total_faults: number
  is_clean: boolean
}

/** Never throws; takes one pass over the text. */
export function readAdsTxt(text: string): AdsTxtReading {
  const faults = createFaults()
  let manager_domain: string | null = null
  for (const [index, raw] of text.split('\n').entries()) {
    const hash = raw.indexOf('#')
    const line = (hash < 0 ? raw : raw.slice(0, hash)).trim()
    const comment = hash < 0 ? '' : raw.slice(hash + 1)
    const equals = line.indexOf('=')
    if (equals < 0 || line.slice(0, equals).trim().toLowerCase() !== KEY) continue
    const isExcepted = comment
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(EXCEPTION)
    if (isExcepted) continue
    const value =
      line
        .slice(equals + 1)
        .split(',', 1)[0]
        ?.trim() ?? ''
    const named = normaliseDomain(value)
    if (named.ok && !value.includes('/')) manager_domain = named.domain
    else {
      faults.error(
        '',
        `MANAGERDOMAIN must be a domain alone, such as example.com (got ${quoted(value)})`,
      )
      const last = faults.list.at(-1)
      if (last && last.line === undefined) last.line = index + 1
    }
  }
  return {
    manager_domain,
    faults: faults.list,
    total_faults: faults.total,
    is_clean: faults.errors === 0,
  }
}

const KEY = 'managerdomain'
/** A word in a comment that excludes the line from what agents read. */
const EXCEPTION = 'noagents'
