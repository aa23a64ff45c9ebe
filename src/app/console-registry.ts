// What the console's views of the registry receive.

import type { PublisherPorts } from '../console/publishers.ts'
import type { RegistryPorts } from '../console/registry.ts'
import type { ReviewPorts } from '../console/reviews.ts'
import type { Parts } from './parts.ts'
import { callersReader, fileChecker } from './read-manifests.ts'
import { registryReviews } from './registry-reviews.ts'

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
    reviews: new Map(Object.entries(registryReviews({ storage }))),
    registryQueries: storage.consoleRegistry,
    allowHttp: config.egressAllowHttp,
    checkFile: (owner, file) => fileChecker(workerPool)(file, owner),
    readManifest: async (owner, bytes, question) =>
      callersReader(workerPool, { owner })(bytes, question),
  }
}
