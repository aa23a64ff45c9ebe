// How a file in this folder describes one release of the protocol (spec 9): what it adds, removes and renames,
// compared with the release before it. Every difference between releases is a named feature. All other code checks
// whether a caller has a feature, and never which release it uses.

import type { TaskError } from '../errors.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'

/** The default release for calls that name none, or only a major version. */
export const DEFAULT_RELEASE = '3.1'

export interface Release {
  /** `3.2` for one that a call can name; another value for calls that name none. */
  name: string
  /** Which callers use it, in the wording of docs/versions.md. */
  about: string
  /** The newest published build that this server was compared with; `build_version` begins with it. */
  build?: string
  /** The release named in responses to calls that name none. */
  answeredAs?: string
  /**
   * Features of its callers that callers of the release before do not have. Every later release keeps them until one
   * removes them.
   */
  adds: Readonly<Record<string, Feature>>
  /** The same for features that only rename something. */
  renames?: Readonly<Record<string, Feature>>
  /** Features that its callers no longer get, by name, with the reason. */
  removes?: Readonly<Record<string, string>>
  /** Features for calls that only name a major version, in addition to those of the release used for them. */
  keptByMajor?: readonly string[]
}

/** Something that callers get in some releases only. */
export interface Feature {
  /** A sentence for docs/versions.md. */
  what: string
  /** Converts to the form for callers that have it: responses and errors to them, and requests of all others. */
  up?: Converter | readonly Converter[]
  /**
   * Converts to the form for callers that do not have it: responses and errors to them, and requests of those that
   * have it.
   */
  down?: Converter | readonly Converter[]
  /** An error code that only callers with the feature know, and the code for transports and all other callers. */
  code?: { name: string; before: string }
  /** What it means for the JSON Schemas of tasks. Default nothing. */
  shapes?: readonly Shape[]
}

/** A JSON Schema in addition to that of a request or response, for some callers. */
export interface Shape {
  /** Default all tasks. */
  task?: string
  of: 'request' | 'response'
  /** Only for tasks that change something. Default false. */
  onlyChanges?: boolean
  /** For callers that have the feature. Default nothing. */
  with?: JsonSchema
  /** For callers that do not have it. Default nothing. */
  without?: JsonSchema
  /** Members that have another schema for callers that have it. Default none. */
  instead?: Readonly<Record<string, JsonSchema>>
}

/**
 * Converts the same thing to the form of another release. A converter returns its input if nothing differs, and does
 * not change what is already converted: responses and errors may be in either form. Requests are read in one form, so
 * a feature has a `request` either in `up` or in `down`.
 */
export interface Converter {
  /** The only task to whose requests and responses it applies. Default all. */
  task?: string
  request?: (request: Members) => Members
  answer?: (answer: Members) => Members
  /** Applies to a response, or to a row of one of its lists, that has `errors` or `violations`. */
  row?: (row: Members) => Members
  error?: (error: TaskError) => TaskError
}

export type Members = Readonly<Record<string, unknown>>
