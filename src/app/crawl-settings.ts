// Settings of the crawler, which reads what publishers declare about who may sell for them.

import { ADAGENTS_LIMITS } from '../protocol/adagents/limits.ts'
import { integer, oneOf } from './setting.ts'

export const CRAWL_SETTINGS = {
  registryCrawlConcurrency: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_CONCURRENCY',
    about: 'Domains that this instance crawls concurrently; 0 leaves crawling to other instances.',
    default: '8',
    min: 0,
    max: 256,
  }),
  registryCrawlPerMinute: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_PER_MINUTE',
    about: 'Maximum number of domains that this instance starts to crawl per minute.',
    default: '3000',
    min: 1,
    max: 1_000_000,
  }),
  registryCrawlHours: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_HOURS',
    about: 'Hours between two crawls of a domain that has an adagents.json.',
    default: '6',
    min: 1,
    max: 24,
  }),
  registryCrawlPerSite: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_PER_SITE',
    about: 'Concurrent requests to one site: a registrable domain with its subdomains.',
    default: '2',
    min: 1,
    max: 256,
  }),
  registryCrawlGapMs: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_GAP_MS',
    about: 'Milliseconds between two requests to one site.',
    default: '100',
    min: 0,
    max: 60_000,
  }),
  registryCrawlBytes: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_BYTES',
    about: 'Maximum size of an adagents.json or ads.txt, in bytes.',
    default: String(ADAGENTS_LIMITS.adagentsBytes.value),
    min: 1_024,
    max: 20_971_520,
  }),
  registryCrawlProperties: integer({
    env: 'ADWIRE_REGISTRY_CRAWL_PROPERTIES',
    about: 'Maximum number of properties in an adagents.json.',
    default: String(ADAGENTS_LIMITS.adagentsProperties.value),
    min: 1,
    max: 100_000,
  }),
  offerCheck: oneOf({
    env: 'ADWIRE_OFFER_CHECK',
    about:
      'Whether create_media_buy, and calls to other agents, check in the registry that an agent may sell what it offers: off, warn (in the log, or in `warnings` of the call) or refuse.',
    default: 'off',
    values: ['off', 'warn', 'refuse'],
  }),
} as const
