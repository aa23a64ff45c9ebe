// The project's own catalogue of formats, for tests.

import { type FormatCatalogue, loadCatalogue } from '../../src/creative/format-catalogue.ts'

export function catalogue(): FormatCatalogue {
  const loaded = loadCatalogue()
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'))
  return loaded.catalogue
}
