// `adwire reports check-source`: tries a delivery source before a server makes reports of it. Exits with 1 when a check
// failed.

import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import type { Config } from '../app/config.ts'
import type { Egress } from '../lib/safe-fetch/safe-fetch.ts'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import { checkDeliverySource, type TriedPackage } from '../media-buys/sources/check-source.ts'
import { createFileSource } from '../media-buys/sources/file.ts'
import { createHttpSource } from '../media-buys/sources/http.ts'
import { ALLOW_PRIVATE, isLoopbackUrl, openEgress } from './own-egress.ts'
import { repeatable } from './repeatable.ts'
import { addSettings, configFrom } from './settings-options.ts'
import { printJson, printTable, UsageError } from './terminal.ts'

interface Flags {
  buy: string
  package: string[]
  from?: string
  to?: string
  currency?: string
  allowPrivate?: boolean
  json?: boolean
}

export function checkSource(): Command {
  const command = new Command('check-source')
    .description(
      'Try a delivery source, a service or a file, with a buy that the ad server knows and has delivered.',
    )
    .argument('[source]', 'URL or file. Default ADWIRE_DELIVERY_SOURCE')
    .requiredOption('--buy <media_buy_id>', 'the buy')
    .requiredOption(
      '--package <package_id[=budget]>',
      'a package of the buy, with its budget if spend is to be held against it; may be given several times',
      repeatable,
    )
    .option('--from <time>', 'start of its flight. Default seven days ago')
    .option('--to <time>', 'end of its flight. Default now')
    .option('--currency <code>', 'currency of the buy', 'USD')
    .option(...ALLOW_PRIVATE)
    .option('--json', 'print the checks as JSON')
  const settings = [
    'deliverySource',
    'deliveryBearerFile',
    'egressAllow',
    'egressAllowHttp',
  ] as const
  return addSettings(command, [...settings, 'dns', 'dnsServers']).action(
    async (given: string | undefined, flags: Flags) => {
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
    },
  )
}

async function tryOut(source: DeliverySource, flags: Flags): Promise<void> {
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
      const right = 'add --allow-private if the service is on a network of yours'
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
