// The fonts of a server, reported at startup: which packages are missing, and what is used from the operator's own
// folder.

import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import type { CreativeWorkerPool } from '../creative/jobs/creative-worker-pool.ts'
import { FONT_PACKAGES, isInstalled } from '../creative/layout-engine/shaping/font-packages.ts'
import type { Log } from '../lib/log.ts'
import type { Config } from './config.ts'

/** As an absolute path; empty for none. Throws when the folder does not exist. */
export function fontsDirOf({ fontsDir }: Pick<Config, 'fontsDir'>): string {
  if (fontsDir === undefined) return ''
  const folder = resolve(fontsDir)
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`ADWIRE_FONTS_DIR: ${folder} is no folder that can be read`, { cause: error })
  }
  return folder
}

/** Only reports what it finds: a server without a font still serves all other requests. */
export function checkFonts(folder: string, workerPool: CreativeWorkerPool, log: Log): void {
  for (const fonts of FONT_PACKAGES) {
    if (!fonts.isUsual || isInstalled(fonts)) continue
    const message = `${fonts.scripts} cannot be drawn: the package ${fonts.name} is not installed`
    log.warn({ package: fonts.name }, message)
  }
  if (folder === '') return
  workerPool.run('read_fonts', { folder }, { owner: 'operator' }).then(
    ({ families, unused }) => {
      log.info({ families }, 'fonts of ADWIRE_FONTS_DIR')
      for (const { file, reason } of unused)
        log.warn({ file, reason }, 'a file of ADWIRE_FONTS_DIR is not used')
    },
    (error: unknown) => log.error({ err: error }, 'ADWIRE_FONTS_DIR cannot be read'),
  )
}
