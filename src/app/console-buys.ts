// What the console's views of media buys receive.

import type { BuyPorts } from '../console/buys.ts'
import { createEmitter } from '../webhooks/sender/emit.ts'
import { channelBox } from './channel-box.ts'
import { impairmentPorts } from './impairment-ports.ts'
import { openDeliverySource } from './open-delivery-source.ts'
import type { Parts } from './parts.ts'

type Given = 'clock' | 'transact' | 'audit' | 'names' | 'reports'

export async function consoleBuys(parts: Parts): Promise<Omit<BuyPorts, Given>> {
  const { config, storage, log, stopping, onFault } = parts
  const { reports, activity, channels, packageCreatives } = storage
  const box = await channelBox(config, storage)
  const emitter = createEmitter({ ...storage, box, onFault })
  const sourceFault = (error: unknown) =>
    log.warn({ err: error }, 'the source of delivery figures did not answer the console')
  return {
    buyQueries: storage.consoleBuys,
    buys: storage.mediaBuys,
    packageCreatives,
    activity,
    channels,
    stopping,
    impairing: impairmentPorts(parts, emitter),
    snapshot: { reports, source: openDeliverySource(parts), onFault: sourceFault },
  }
}
