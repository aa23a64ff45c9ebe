// The formats that the settings name: those built in, and the operator's own.

import { type FormatCatalogue, loadCatalogue } from '../creative/format-catalogue.ts'
import { SANDBOX_FORMATS } from '../sandbox/load-built-in.ts'
import type { Config } from './config.ts'

type FormatSettings = Pick<Config, 'formatsDir' | 'builtInFormats' | 'sandbox'>

/** The files are read once for all callers that use the same settings object. */
const read = new WeakMap<FormatSettings, FormatCatalogue>()

/** Throws when one of the operator's files cannot be used. */
export function catalogueOf({ config }: { config: FormatSettings }): FormatCatalogue {
  const known = read.get(config)
  if (known) return known
  const catalogue = readCatalogue(config)
  read.set(config, catalogue)
  return catalogue
}

function readCatalogue(config: FormatSettings): FormatCatalogue {
  const { formatsDir: extraDirs, builtInFormats: hasBuiltIn, sandbox } = config
  const ownDir = sandbox ? SANDBOX_FORMATS : undefined
  const loaded = loadCatalogue({ extraDirs, ownDir, hasBuiltIn })
  if (loaded.ok) return loaded.catalogue
  throw new Error(`the format catalogue cannot be used: ${loaded.faults.join('; ')}`)
}
