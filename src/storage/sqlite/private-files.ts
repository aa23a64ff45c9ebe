// The files of a data folder hold secrets and the data of requests: only their owner may access them, whatever mode
// the folder and the umask have.

import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const OWNER_ONLY = 0o600
const OTHERS = 0o077

/** Makes the folder and the file where they are missing, and takes the file from everybody else. */
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

/** Makes the folder where it is missing. Throws where no file can be made in it: SQLite needs some beside its own. */
export function privateFolder(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir))
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw folderFault(error, dataDir)
  }
}

/** One folder after the other: with a single call for all, Node retries forever where none can be created. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' })
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

/** What is wrong with a data folder, with the way out. */
export function folderFault(cause: unknown, dataDir: string): Error {
  return new Error(`cannot use the data folder ${dataDir}: ${whyUnusable(cause)}`, { cause })
}

/** Why a file could not be made or written there. */
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

/** Takes a file from everybody but its owner; SQLite gives those beside it the same mode. */
export function tighten(path: string): void {
  try {
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, OWNER_ONLY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Not there, or somebody else's: whose it is tightens it at its own start.
    if (code !== 'ENOENT' && code !== 'EPERM') throw error
  }
}
