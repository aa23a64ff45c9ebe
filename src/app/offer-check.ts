// The setting that controls how offers are checked against the registry, for the seller and for the caller.

import type { OfferCheck } from '../caller/check-offer.ts'
import type { SellerOfferCheck } from '../media-buys/offer-check.ts'
import { agentUrls } from '../protocol/agent-url.ts'
import { checkOffer } from '../registry/authorizations/check-offer.ts'
import type { Parts } from './parts.ts'

export function callerOfferCheck({ config, storage, clock }: Parts): OfferCheck | undefined {
  const mode = config.offerCheck
  if (mode === 'off') return undefined
  return {
    mode,
    faults: (agentUrl, products) =>
      checkOffer(storage, { agentUrls: [agentUrl], products, now: clock.now() }),
  }
}

/** For offers of this server itself. */
export function sellerOfferCheck(parts: Parts): SellerOfferCheck | undefined {
  const { config, storage, clock, publicUrl, log } = parts
  const mode = config.offerCheck
  if (mode === 'off') return undefined
  return {
    mode,
    faults: (products) => {
      const names = agentUrls({ publicUrl, ownAgentUrls: config.formatAgentUrls }, publicUrl())
      const own = names.filter((url) => url !== '*')
      return checkOffer(storage, { agentUrls: own, products, now: clock.now() })
    },
    warn: (faults) =>
      log.warn(
        { faults: faults.slice(0, 20) },
        'a product is bought that no publisher is known to have authorized',
      ),
  }
}
