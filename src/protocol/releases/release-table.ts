// The releases that a server knows, in order, with the features of each (spec 9). A value and no module state, so
// that a release is added by adding one file to the list.

import type { TaskError } from '../errors.ts'
import type { JsonSchema } from '../schemas/json-schema.ts'
import { atLeast, numbersOf } from './compare.ts'
import { type Conversion, conversionFor } from './convert.ts'
import { DEFAULT_RELEASE, type Feature, type Members, type Release, type Shape } from './release.ts'

/** The release that a call uses. Use `hasFeature` to find out what its caller gets. */
export interface Version {
  /** The release named in the response: the one that was used, or its pre-release if that was requested. */
  release: string
  /** The release whose features apply to the response; another value if the call named none. */
  level: string
  /** The version that the call named: a release, or only a major version. */
  named?: 'release' | 'major'
  features: ReadonlySet<string>
}

export interface ReleaseTableOptions {
  /** Pre-releases that are listed as supported in addition to the releases. Default none. */
  pins?: readonly string[] | undefined
  /** The release used for calls that only name a major version, if it is supported. Default 3.1. */
  majorOnly?: string | undefined
}

export interface ReleaseTable {
  /** Oldest first, including those that calls cannot name. */
  all: readonly Release[]
  /** The names that calls can name, oldest first. */
  served: readonly string[]
  /** The same, with the listed pre-releases. */
  supported: readonly string[]
  majors: readonly number[]
  /** The release of a call that is answered with the features of a level. */
  version(level: string, answered?: Pick<Version, 'named'> & { release?: string }): Version
  /** The release of a call that only names a major version. */
  majorOnly(): Version
  /** A request in the form that its handler reads. */
  requestOf(version: Version, task: string, request: Members): Members
  /** An answer as its caller reads it. */
  answerFor<Answer extends object>(version: Version, task: string, answer: Answer): Answer
  /** The same, without checking for errors, since it has none. */
  membersFor<Answer extends object>(version: Version, task: string, answer: Answer): Answer
  errorFor(version: Version, error: TaskError): TaskError
  /** How the JSON Schema of a request or response differs from the task's own. */
  shapesFor(version: Pick<Version, 'features'>, about: ShapesOf): Shapes
  /** The code that transports use for an error. */
  knownCode<Code extends string>(code: Code): Code
  /** `build_version` of a server with this version. */
  buildVersion(own: string): string
}

interface ShapesOf {
  task: string
  of: Shape['of']
  /** Whether the task changes something. */
  changes: boolean
}

interface Shapes {
  /** Schemas in addition to the task's own. */
  more: readonly JsonSchema[]
  /** Members with another schema. */
  instead: Readonly<Record<string, JsonSchema>>
}

export function createReleaseTable(
  all: readonly Release[],
  { pins = [], majorOnly = DEFAULT_RELEASE }: ReleaseTableOptions = {},
): ReleaseTable {
  const levels = new Map<string, Level>()
  let features: ReadonlySet<string> = new Set()
  for (const release of all) {
    features = featuresAfter(features, release)
    levels.set(release.name, { features, release: release.answeredAs ?? release.name })
  }
  const named = all.filter(({ name }) => numbersOf(name))
  const served = named.map(({ name }) => name)
  const newest = served.at(-1) ?? ''
  const notNewer = (name: string) => served.filter((one) => atLeast(name, one)).at(-1) ?? newest
  const kept = new Set(all.flatMap(({ keptByMajor = [] }) => keptByMajor))
  const levelOfMajor = levels.get(notNewer(majorOnly)) as Level
  const featuresOfMajor = new Set([...levelOfMajor.features, ...kept])
  const codes = new Map(all.flatMap(definitionsOf).flatMap(({ code }) => pairOf(code)))
  const conversions = new WeakMap<ReadonlySet<string>, Conversion>()
  const conversion = (version: Version) => {
    const known = conversions.get(version.features)
    if (known) return known
    const made = conversionFor(all, version.features)
    conversions.set(version.features, made)
    return made
  }
  return {
    all,
    served,
    supported: [...served, ...pins],
    majors: [...new Set(served.map((name) => numbersOf(name)?.major as number))],
    version: (level, { named: by, release } = {}) => {
      const known = levels.get(level) ?? (levels.get(notNewer(level)) as Level)
      const answered = release ?? notNewer(known.release)
      return { release: answered, level, ...(by && { named: by }), features: known.features }
    },
    majorOnly: () => {
      const { release } = levelOfMajor
      return { release, level: release, named: 'major', features: featuresOfMajor }
    },
    requestOf: (version, task, request) => conversion(version).request(task, request),
    answerFor: (version, task, answer) => conversion(version).answer(task, answer),
    membersFor: (version, task, answer) => conversion(version).members(task, answer),
    errorFor: (version, error) => conversion(version).error(error),
    shapesFor: (version, about) => shapesOf(all, version, about),
    knownCode: (code) => (codes.get(code) ?? code) as typeof code,
    buildVersion: (own) => `${named.at(-1)?.build ?? newest}+adwire.${own}`,
  }
}

interface Level {
  features: ReadonlySet<string>
  /** What answers name. */
  release: string
}

function featuresAfter(before: ReadonlySet<string>, release: Release): ReadonlySet<string> {
  const { adds, renames = {}, removes = {} } = release
  const unknown = Object.keys(removes).filter((name) => !before.has(name))
  if (unknown.length > 0) throw new Error(`${release.name} removes unknown features: ${unknown}`)
  const left = [...before].filter((name) => !Object.hasOwn(removes, name))
  return new Set([...left, ...Object.keys(adds), ...Object.keys(renames)])
}

function shapesOf(
  releases: readonly Release[],
  { features }: Pick<Version, 'features'>,
  { task, of, changes }: ShapesOf,
): Shapes {
  const defined = new Map<string, Feature>(
    releases.flatMap(({ adds, renames = {} }) => Object.entries({ ...adds, ...renames })),
  )
  const shapes = [...defined].flatMap(([name, feature]) =>
    (feature.shapes ?? [])
      .filter((one) => one.of === of && (one.task === undefined || one.task === task))
      .filter(({ onlyChanges = false }) => changes || !onlyChanges)
      .map((one) => ({ ...one, has: features.has(name) })),
  )
  return {
    more: shapes.flatMap((one): JsonSchema[] => {
      const schema = one.has ? one.with : one.without
      return schema ? [schema] : []
    }),
    instead: Object.assign({}, ...shapes.filter(({ has }) => has).map((one) => one.instead)),
  }
}

function definitionsOf({ adds, renames = {} }: Release) {
  return [...Object.values(adds), ...Object.values(renames)]
}

function pairOf(code: { name: string; before: string } | undefined): (readonly [string, string])[] {
  return code ? [[code.name, code.before]] : []
}
