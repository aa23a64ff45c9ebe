// The files of a data folder contain secrets and request data: only their owner may access them, whatever mode the
// folder and the umask have.

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Creates the folder and the file if they are missing, and removes everyone else's access to the file. */
export function privateFile(dataDir: string, name: string): string {
  const path = join(dataDir, name)
  privateFolder(dataDir)
  try {
    closeSync(openSync(path, 'a', OWNER_ONLY))
  } catch (error) {
    throw folderFault(error, dataDir)
  }
  tighten(path)
  return path
}

/** Creates the folder if it is missing. Throws if no file can be created in it: SQLite needs some next to its own. */
export function privateFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir))
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderFault(error, dataDir)
  }
}

/** One folder after the other: with a single recursive call, Node retries forever if none can be created. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' })
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** What is wrong with a data folder, and how to fix it. */
export function folderFault(cause: unknown, dataDir: string): Error {
  return new Error(`cannot use the data folder ${dataDir}: ${whyUnusable(cause)}`, { cause })
}

/** Why a file could not be created or written there. */
export function whyUnusable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException
  return WHYS.get(code ?? '') ?? message
}

const WHYS = new Map([
  ['ENOTDIR', 'it is, or lies in, a file: give a folder with --data'],
  ['EACCES', 'this user may not write there: give a folder of its own with --data'],
  ['EPERM', 'this user may not write there: give a folder of its own with --data'],
  ['EROFS', 'its disk is read-only: give another with --data'],
  ['ENOENT', 'it cannot be made there: give another with --data'],
  ['ENOSPC', 'its disk is full: make room, or give another with --data'],
  ['EDQUOT', 'the disk quota is used up: make room, or give another with --data'],
])

/** Restricts a file to its owner; SQLite gives the files next to it the same mode. */
export function tighten(path: string): void {
  try {
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Missing, or owned by someone else: the owner restricts it at its own start.
    if (code !== 'ENOENT' && code !== 'EPERM') throw error
  }
}
