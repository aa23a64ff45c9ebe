// `health` and `impairments` of get_media_buys (spec 6.3): the open impairments are those committed with their cause.

import type { BuyView } from '../fill-buy-page.ts'
import { isEnded } from '../states.ts'
import { healthOf, serializeImpairment } from './impairment.ts'
import type { ImpairmentStore } from './store.ts'

export function impairmentView({ openOf }: Pick<ImpairmentStore, 'openOf'>): BuyView {
  return {
    membersOf: async (buys) => {
      const open = await openOf(buys.map(({ media_buy_id }) => media_buy_id))
      return new Map(
        buys.map(({ media_buy_id, status }) => {
          const found = isEnded(status) ? [] : (open.get(media_buy_id) ?? [])
          const impairments = found.map(serializeImpairment)
          return [media_buy_id, { health: healthOf(impairments), impairments }]
        }),
      )
    },
  }
}
