// Disks that a test can fill or make read-only: a small tmpfs, and a read-only view of a folder. Both need root and a
// system that lets it mount; `canMount` says whether that is so, and tests that need it say loudly that they are skipped.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0

/** Whether this machine lets the tests mount a disk. Warns when it does not. */
export const canMount = (() => {
  const path = mkdtempSync(join(tmpdir(), 'adwire-mount-'))
  const isMounted = run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path)
  if (isMounted) run('umount', path)
  else console.warn('SKIPPED: tests on a full disk need root and the right to mount a tmpfs')
  rmSync(path, { recursive: true, force: true })
  return isMounted
})()

export interface SmallDisk {
  path: string
  /** Takes all the space there is. */
  fill(): void
  /** Gives it back. */
  free(): void
}

export function smallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'adwire-disk-'))
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path)) {
    throw new Error('this machine does not mount a tmpfs')
  }
  onTestFinished(() => {
    // Lazily: a process that was killed may not be gone yet.
    run('umount', '--lazy', path)
    rmSync(path, { recursive: true, force: true })
  })
  const filler = join(path, 'filler')
  return {
    path,
    fill: () => {
      for (const bytes of [65_536, 4_096]) {
        const isFull = () => {
          try {
            writeFileSync(filler, Buffer.alloc(bytes, 1), { flag: 'a' })
            return false
          } catch {
            return true
          }
        }
        while (!isFull());
      }
    },
    free: () => rmSync(filler, { force: true }),
  }
}

/** The same folder at another path, where nothing can be written. */
export function readOnlyView(folder: string): string {
  const path = mkdtempSync(join(tmpdir(), 'adwire-view-'))
  const isMounted =
    run('mount', '--bind', folder, path) && run('mount', '-o', 'remount,bind,ro', path)
  onTestFinished(() => {
    run('umount', '--lazy', path)
    rmSync(path, { recursive: true, force: true })
  })
  if (!isMounted) throw new Error('this machine makes no read-only mount')
  return path
}
