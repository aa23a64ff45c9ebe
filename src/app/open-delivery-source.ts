// The source of delivery figures on this server. If the setting is invalid, the server does not start.

import { readFileSync } from 'node:fs'
import type { DeliverySource } from '../media-buys/delivery-source.ts'
import { createCheckedSource } from '../media-buys/sources/checked.ts'
import { createFileSource } from '../media-buys/sources/file.ts'
import { createHttpSource } from '../media-buys/sources/http.ts'
import { createSimulatedSource } from '../media-buys/sources/simulated.ts'
import { outageOf } from './delivery-settings.ts'
import type { Parts } from './parts.ts'

const MINUTE_MS = 60_000

type Wanted = Pick<Parts, 'config' | 'storage' | 'egress' | 'onFault' | 'deliverySource'>

export function openDeliverySource(parts: Wanted): DeliverySource {
  const { config, egress, onFault } = parts
  if (parts.deliverySource) return createCheckedSource({ source: parts.deliverySource, onFault })
  const wanted = config.deliverySource ?? (config.demo ? 'simulated' : undefined)
  if (wanted === undefined) return config.sandbox ? NOTHING_DELIVERED : NO_SOURCE
  if (wanted === 'simulated') return simulatedSource(parts)
  if (/^https?:\/\//.test(wanted)) {
    return createHttpSource({ url: wanted, headers: bearer(config.deliveryBearerFile), egress })
  }
  if (/\.(?:csv|jsonl|ndjson)$/i.test(wanted)) return createFileSource({ path: wanted, onFault })
  throw new Error(
    'ADWIRE_DELIVERY_SOURCE must be simulated, the URL of a service, or a file that ends with .csv or .jsonl',
  )
}

/** There is no source of figures: every window is reported as late. */
const NO_SOURCE: DeliverySource = {
  deliveryOf: async ({ windows }) => windows.map((window) => ({ window, status: 'not_yet' })),
}

/** In a sandbox nothing is delivered except what its test controller receives. */
const NOTHING_DELIVERED: DeliverySource = {
  deliveryOf: async ({ windows }) =>
    windows.map((window) => ({ window, status: 'ready', by_package: [], is_final: true })),
}

function simulatedSource({ config, storage }: Wanted): DeliverySource {
  const outages = config.simulatedOutages.flatMap((part) => outageOf(part) ?? [])
  return createSimulatedSource({
    orders: storage.deliveryOrders,
    seed: config.simulatedSeed,
    delayMs: config.simulatedDelayMinutes * MINUTE_MS,
    lateShare: config.simulatedLatePercent / 100,
    isAway: (now) => outages.some(({ from, to }) => from <= now && now < to),
  })
}

function bearer(file: string | undefined): Record<string, string> {
  if (file === undefined) return {}
  try {
    return { authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` }
  } catch {
    throw new Error('the file of ADWIRE_DELIVERY_BEARER_FILE cannot be read')
  }
}
