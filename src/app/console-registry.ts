// What the console's views of the registry are handed.

import type { RegistryPorts } from '../console/registry.ts'
import type { Parts } from './parts.ts'
import { callersReader, fileChecker } from './read-manifests.ts'

type Given = 'clock' | 'transact' | 'audit'

export function consoleRegistry({
  config,
  storage,
  workerPool,
}: Parts): Omit<RegistryPorts, Given> {
  return {
    references: storage.references,
    registryQueries: storage.consoleRegistry,
    allowHttp: config.egressAllowHttp,
    checkFile: (owner, file) => fileChecker(workerPool)(file, owner),
    readManifest: async (owner, bytes, question) =>
      callersReader(workerPool, { owner })(bytes, question),
  }
}
