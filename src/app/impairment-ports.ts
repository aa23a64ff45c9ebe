// The ports that raise, clear and report impairments, composed from the stores: for the server, and for commands that
// run next to it.

import type { ImpairmentWatchPorts } from '../media-buys/impairments/watch-buys.ts'
import { withTasks } from '../media-buys/notification-tasks.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import type { Emitter } from '../webhooks/sender/emit.ts'
import type { Config } from './config.ts'
import { catalogueOf } from './load-formats.ts'
import type { Storage } from './open-storage.ts'

export function impairmentPorts(
  { config, storage }: { config: Config; storage: Storage },
  sender: Pick<Emitter, 'emit' | 'room'>,
): ImpairmentWatchPorts {
  const { impairments, ownSignals: signals, mediaBuys: buys, channels } = storage
  return {
    impairments,
    signals,
    buys,
    sender: withTasks(sender, storage.tasks),
    channels,
    isFormatServed: servedFormats(config),
    windowMs: config.impairmentWindowSeconds * 1_000,
  }
}

/** Compares the name only: an id may use any of this server's names, and the format is still one of its own. */
function servedFormats(config: Config): (formatId: FormatId) => boolean {
  const catalogue = catalogueOf({ config })
  return (formatId) => {
    const found = catalogue.find(formatId, [formatId.agent_url])
    return found.ok || found.reason !== 'unknown_id'
  }
}
