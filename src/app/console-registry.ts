// What the console's views of the registry are handed.

import type { PublisherPorts } from '../console/publishers.ts'
import type { RegistryPorts } from '../console/registry.ts'
import type { ReviewPorts } from '../console/reviews.ts'
import { policyReviews } from '../registry/policies/review-policy.ts'
import type { Parts } from './parts.ts'
import { callersReader, fileChecker } from './read-manifests.ts'

type Given = 'clock' | 'transact' | 'audit'

export function consoleRegistry({
  config,
  storage,
  workerPool,
}: Parts): Omit<RegistryPorts & PublisherPorts & ReviewPorts, Given> {
  return {
    references: storage.references,
    network: storage.network,
    crawl: storage.crawl,
    authorizations: storage.authorizations,
    crawled: storage.consoleRegistry.crawled,
    reviews: new Map([['policy', policyReviews(storage)]]),
    registryQueries: storage.consoleRegistry,
    allowHttp: config.egressAllowHttp,
    checkFile: (owner, file) => fileChecker(workerPool)(file, owner),
    readManifest: async (owner, bytes, question) =>
      callersReader(workerPool, { owner })(bytes, question),
  }
}
