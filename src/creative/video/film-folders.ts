// The folder that a video is drawn in, and those that were left behind by servers that were killed.

import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

const PREFIX = 'adwire-video-'
/** As `mkdtemp` ends a name. */
const OURS = /^adwire-video-[A-Za-z0-9]{6}$/
/** Videos take minutes: an older folder is no longer used by any running server. */
const LEFT_BEHIND_MS = 6 * 3_600_000

/** Anyone who makes it removes it. */
export function makeFilmFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), PREFIX))
}

export interface SweepPorts {
  clock: Clock
  log: Pick<Log, 'debug'>
  /** Where they are. Default: the folder for temporary files. */
  root?: string
}

/** Never rejects: a folder that cannot be removed stays, and is logged at debug level. */
export async function sweepFilmFolders({ clock, log, root = tmpdir() }: SweepPorts): Promise<void> {
  const names = await readdir(root).catch((error: unknown) => {
    log.debug({ err: error }, 'folders of old films were not looked for')
    return []
  })
  for (const name of names.filter((one) => OURS.test(one))) {
    const folder = join(root, name)
    try {
      if (!(await isLeftBehind(folder, clock.now()))) continue
      await rm(folder, { recursive: true, force: true })
      log.debug({ folder }, 'the folder of an old film was removed')
    } catch (error) {
      log.debug({ folder, err: error }, 'the folder of an old film was not removed')
    }
  }
}

/** A link, or anything made by another user, is not one of these folders, whatever its name. */
async function isLeftBehind(folder: string, now: number): Promise<boolean> {
  const found = await lstat(folder)
  const isOwn = process.getuid === undefined || found.uid === process.getuid()
  return found.isDirectory() && isOwn && now - found.mtimeMs > LEFT_BEHIND_MS
}
