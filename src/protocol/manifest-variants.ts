// Validates a manifest against its possible variants, for the checks of brand.json and adagents.json during
// verification (spec 2.1, 3.1).

import type { z } from 'zod'
import { defined } from '../lib/defined.ts'
import {
  MAX_MANIFEST_ISSUES,
  type ManifestIssue,
  manifestIssuesOf,
  pointerTo,
} from './manifest-issues.ts'
import { isObject } from './schemas/checks.ts'

export type ManifestCheck =
  | {
      ok: true
      variant: string
      /** Share of the variant's optional fields that are filled, 0 to 100. */
      completeness: number
      /** The location of the real document, if this one is a redirect. */
      redirectTo?: string
      summary: ManifestSummary
    }
  | { ok: false; issues: ManifestIssue[] }

export interface ManifestSummary {
  name?: string
  /** At most 100. */
  agents: { url: string; id?: string; type?: string }[]
  /** At most 100. */
  properties: { name?: string; type?: string; identifier?: string }[]
}

export interface ManifestCheckOptions {
  /** Accept http where https is required, for machines that test on loopback. Default false. */
  allowHttp?: boolean
}

/** One variant of a manifest. Field lists name top-level fields, `optional` paths below them. */
interface VariantSpec<T> {
  name: string
  /** Its name in messages, with its marker fields: `a redirect (authoritative_location)`. */
  phrase: string
  fits(document: JsonObject): boolean
  required: readonly string[]
  excluded: readonly string[]
  /** Paths such as `contact.email` or `brands.*.logos`, where `*` is any entry; equal weights. */
  optional: readonly string[]
  schema: z.ZodType<T>
  summarise(manifest: T): ManifestSummary
  redirectTo?(manifest: T): string
}

export interface Variant extends Omit<VariantSpec<unknown>, 'schema' | 'summarise' | 'redirectTo'> {
  read(document: JsonObject): Reading
}

type Reading =
  | { ok: true; summary: ManifestSummary; redirectTo: string | undefined }
  | { ok: false; issues: ManifestIssue[] }

type JsonObject = Record<string, unknown>

const MAX_SUMMARY_ENTRIES = 100

export function variant<T>(spec: VariantSpec<T>): Variant {
  return {
    ...spec,
    read(document) {
      const parsed = spec.schema.safeParse(document)
      if (!parsed.success) return { ok: false, issues: manifestIssuesOf(parsed.error, document) }
      const summary = bounded(spec.summarise(parsed.data))
      return { ok: true, summary, redirectTo: spec.redirectTo?.(parsed.data) }
    },
  }
}

/** Validates a document against the first variant whose marker fields it has. Never throws for JSON values. */
export function checkManifest(
  file: string,
  variants: readonly Variant[],
  document: unknown,
): ManifestCheck {
  if (!isObject(document)) {
    return refusal([{ pointer: '', message: `${file} must be a JSON object.` }])
  }
  const chosen = variants.find((candidate) => candidate.fits(document))
  if (!chosen) return refusal([noVariant(file, variants, document)])

  const reading = chosen.read(document)
  const misplaced = misplacedFields(chosen, document)
  if (!reading.ok) return refusal([...misplaced, ...reading.issues])
  if (misplaced.length > 0) return refusal(misplaced)

  return {
    ok: true,
    variant: chosen.name,
    completeness: completenessOf(document, chosen.optional),
    ...defined({ redirectTo: reading.redirectTo }),
    summary: reading.summary,
  }
}

/** The share of the paths that are filled, 0 to 100: filling one more never lowers it. @internal */
export function completenessOf(document: unknown, paths: readonly string[]): number {
  if (paths.length === 0) return 100
  const filled = paths.filter((path) => isFilled(document, path.split('.'), 0))
  return Math.round((100 * filled.length) / paths.length)
}

function isFilled(value: unknown, path: readonly string[], at: number): boolean {
  const step = path[at]
  if (step === undefined) return hasContent(value)
  if (step === '*') {
    return Array.isArray(value) && value.some((entry) => isFilled(entry, path, at + 1))
  }
  return isObject(value) && Object.hasOwn(value, step) && isFilled(value[step], path, at + 1)
}

function hasContent(value: unknown): boolean {
  if (value === null || value === undefined) return false
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value !== 'object' || Object.keys(value).length > 0
}

function misplacedFields(chosen: Variant, document: JsonObject): ManifestIssue[] {
  return chosen.excluded
    .filter((field) => Object.hasOwn(document, field))
    .map((field) => ({
      pointer: pointerTo([field]),
      message: `${field} does not belong in ${chosen.phrase}; remove it, or publish it in a document of its own.`,
    }))
}

function noVariant(
  file: string,
  variants: readonly Variant[],
  document: JsonObject,
): ManifestIssue {
  const shapes = variants.map(({ phrase }) => phrase).join('; ')
  const nearest = variants.reduce((best, next) =>
    overlap(next, document) > overlap(best, document) ? next : best,
  )
  const lacking = nearest.required.filter((field) => !Object.hasOwn(document, field))
  const hint =
    overlap(nearest, document) === 0
      ? 'This document matches none of them.'
      : `The nearest is ${nearest.phrase}, which lacks ${lacking.join(' and ')}.`
  return { pointer: '', message: `${file} is one of: ${shapes}. ${hint}` }
}

function overlap(candidate: Variant, document: JsonObject): number {
  const known = new Set([
    ...candidate.required,
    ...candidate.optional.map((path) => path.split('.')[0] ?? path),
  ])
  return [...known].filter((field) => Object.hasOwn(document, field)).length
}

function bounded(summary: ManifestSummary): ManifestSummary {
  return {
    ...summary,
    agents: summary.agents.slice(0, MAX_SUMMARY_ENTRIES),
    properties: summary.properties.slice(0, MAX_SUMMARY_ENTRIES),
  }
}

function refusal(issues: ManifestIssue[]): ManifestCheck {
  return { ok: false, issues: issues.slice(0, MAX_MANIFEST_ISSUES) }
}
