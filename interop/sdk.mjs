// The parts of the SDK's main module that are used here.
import { createRequire } from 'node:module'

export const { PropertyRegistry, RegistryClient, RegistrySync } = createRequire(import.meta.url)(
  '@adcp/sdk',
)
