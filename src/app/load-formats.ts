// The formats that the settings name: those built in, and the operator's own.

import { type FormatCatalogue, loadCatalogue } from '../creative/format-catalogue.ts'
import type { Config } from './config.ts'

/** Throws when a file of the operator's cannot be used. */
export function catalogueOf({
  config,
}: {
  config: Pick<Config, 'formatsDir' | 'builtInFormats'>
}): FormatCatalogue {
  const { formatsDir: extraDirs, builtInFormats: hasBuiltIn } = config
  const loaded = loadCatalogue({ extraDirs, hasBuiltIn })
  if (loaded.ok) return loaded.catalogue
  throw new Error(`the format catalogue cannot be used: ${loaded.faults.join('; ')}`)
}
