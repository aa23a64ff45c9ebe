// What a file of this folder says of one release of the protocol (spec 9): what it adds, removes and renames, compared
// with the release before it. All that differs between releases is a feature with a name. The rest of the tree asks
// whether a caller has a feature, and never which release it speaks.

import type { TaskError } from '../errors.ts'

/** The release that calls are answered in that name none, or only a major version. */
export const DEFAULT_RELEASE = '3.1'

export interface Release {
  /** `3.2` for one that a call can name; another word for calls that name none. */
  name: string
  /** Who speaks it, as docs/versions.md says it. */
  about: string
  /** The newest published build that this server was compared with; `build_version` begins with it. */
  build?: string
  /** The release that answers name, of calls that name none. */
  answeredAs?: string
  /** What its callers get and those of the release before do not. Every later release keeps it until one removes it. */
  adds: Readonly<Record<string, Feature>>
  /** The same of things that only have another name since. */
  renames?: Readonly<Record<string, Feature>>
  /** What its callers no longer get, by the name of the feature, and why. */
  removes?: Readonly<Record<string, string>>
  /** What calls that name only a major version get besides the features of the release that they are answered in. */
  keptByMajor?: readonly string[]
}

/** Something that callers of some releases get and others do not. */
export interface Feature {
  /** A sentence for docs/versions.md. */
  what: string
  /** Into the form of callers that have it: answers and errors to them, and requests of all others. */
  up?: Converter
  /** Into the form of callers that do not have it: answers and errors to them, and requests of those that have it. */
  down?: Converter
  /** An error code that only callers with the feature know, and the code that transports and all others know. */
  code?: { name: string; before: string }
}

/**
 * The same thing in the form of another release. A converter returns what it received where nothing differs, and does
 * not change what has been converted before: answers and errors may come in either form. Requests are read in one form,
 * so a feature has a `request` either in `up` or in `down`.
 */
export interface Converter {
  /** The only task whose requests and answers it is for. Default all. */
  task?: string
  request?: (request: Members) => Members
  answer?: (answer: Members) => Members
  /** Of an answer, or of a row of one of its lists, that has `errors` or `violations`. */
  row?: (row: Members) => Members
  error?: (error: TaskError) => TaskError
}

export type Members = Readonly<Record<string, unknown>>
