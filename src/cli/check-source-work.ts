// The checks of `adwire reports check-source`.

import { readFileSync } from 'node:fs'
import type { Config } from '../app/config.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import { checkDeliverySource, type TriedPackage } from '../media-buys/sources/check-source.ts'
import { createFileSource } from '../media-buys/sources/file.ts'
import { createHttpSource } from '../media-buys/sources/http.ts'
import { isLoopbackUrl, openEgress } from './own-egress.ts'
import { configFrom } from './settings-options.ts'
import { printJson, printTable, UsageError } from './terminal.ts'

export interface SourceFlags {
  buy: string
  package: string[]
  from?: string
  to?: string
  currency?: string
  allowPrivate?: boolean
  json?: boolean
}

export async function checkSourceAt(given: string | undefined, flags: SourceFlags): Promise<void> {
  const config = configFrom({ ...flags })
  const place = given ?? config.deliverySource ?? ''
  const egress = openEgress(config, {
    allowPrivate: flags.allowPrivate,
    allowLoopback: isLoopbackUrl(place),
  })
  try {
    await tryOut(sourceAt(place, config, egress), flags)
  } finally {
    await egress.close()
  }
}

async function tryOut(source: DeliverySource, flags: SourceFlags): Promise<void> {
  const checks = await checkDeliverySource(source, {
    buy: {
      media_buy_id: flags.buy,
      currency: flags.currency,
      packages: flags.package.map(packageOf),
      start_at: timeOf('--from', flags.from),
      end_at: timeOf('--to', flags.to),
    },
  })
  if (flags.json) printJson(checks)
  else {
    const rows = checks.map(({ check, result, about, reason }) => [check, result, reason ?? about])
    printTable(['check', 'result', ''], rows)
  }
  if (checks.some(({ result }) => result === 'failed')) process.exitCode = 1
}

function sourceAt(place: string, config: Config, egress: Egress): DeliverySource {
  if (/^https?:\/\//.test(place)) {
    const checked = egress.checkUrl(place)
    if (!checked.ok) {
      const right = 'add --allow-private if the service is on your own network'
      throw new UsageError(`${checked.message}: ${right}`)
    }
    const { deliveryBearerFile: file } = config
    const token = file === undefined ? undefined : readFileSync(file, 'utf8').trim()
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return createHttpSource({ url: place, egress, headers })
  }
  if (/\.(?:csv|jsonl|ndjson)$/i.test(place)) {
    return createFileSource({
      path: place,
      onFault: (fault) => process.stderr.write(`${String(fault)}\n`),
    })
  }
  throw new UsageError('give the URL of a service, or a file that ends with .csv or .jsonl')
}

function packageOf(text: string): TriedPackage {
  const [, package_id = text, budget] = /^(.*)=([0-9.]+)$/.exec(text) ?? []
  return budget === undefined ? { package_id } : { package_id, budget: Number(budget) }
}

function timeOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`${flag} must be a time such as 2026-01-31T00:00:00Z (got ${text})`)
}
