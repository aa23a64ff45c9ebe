// Dependencies of the authorization routes.

import type { Clock } from '../../../lib/clock.ts'
import type { AuthorizationStore, FileStore } from '../../../registry/authorizations/store.ts'
import type { BrandStore } from '../../../registry/brands/store.ts'
import type { CrawlStore } from '../../../registry/crawler/store.ts'
import type { SavedStore } from '../../../registry/saved/store.ts'
import type { FeedStore } from '../../../registry/store.ts'
import type { GatePorts } from './answers.ts'

export interface AuthorizationRoutePorts extends Pick<GatePorts, 'access'> {
  authorizations: AuthorizationStore
  crawl: CrawlStore
  files: FileStore
  feed: FeedStore
  brands: Pick<BrandStore, 'get'>
  saved: Pick<SavedStore, 'get'>
  clock: Clock
  resourceMetadataUrl: () => string
}
