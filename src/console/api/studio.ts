// The creative studio: formats as pictures, previews of what is being filled in, builds, and the library.

import { z } from 'zod'
import { MAX_MESSAGE_LENGTH, MAX_TARGETS } from '../../protocol/schemas/build-creative.ts'
import { creativeStatus } from '../../protocol/schemas/creative-library.ts'
import { FORMAT_TYPES } from '../../protocol/schemas/format.ts'
import { TASK_STATUSES } from '../../protocol/statuses.ts'
import { pageOf, pageQuery, textFilter, time } from './common.ts'

const side = z.coerce.number().int().min(1).max(16_384).optional()
const length = z.coerce.number().int().min(1).max(86_400_000).optional()

/** What a template leaves open. */
const parameters = { width: side, height: side, duration_ms: length }

/** A format of this server, with the parameters that its template requires. */
const formatRef = z.strictObject({ id: z.string().min(1).max(255), ...parameters })
export type FormatRef = z.infer<typeof formatRef>

/** Enough to draw it and to distinguish it from others. */
const formatItem = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  type: z.enum(FORMAT_TYPES),
  /** The proportions in which it is displayed; missing for audio only. */
  shape: z
    .strictObject({
      width: z.number(),
      height: z.number(),
      /**
       * Whether these are its actual pixels; otherwise it adapts to its place, and they are only an approximation.
       */
      is_exact: z.boolean(),
    })
    .optional(),
  /** The parameters that its id must include: `dimensions`, `duration`. */
  takes: z.array(z.string()),
  /** Equal for formats that differ only in size. */
  family: z.string(),
  /** Types of the assets that it requires. */
  asset_types: z.array(z.string()),
})
export type FormatItem = z.infer<typeof formatItem>

export const formatsQuery = z.strictObject({
  ...pageQuery,
  /** A part of the name or id, or a size such as 300x250. */
  q: textFilter.optional(),
  type: z.enum(FORMAT_TYPES).optional(),
  asset_type: textFilter.optional(),
  family: textFilter.optional(),
})
export type FormatsQuery = z.infer<typeof formatsQuery>

export const formatsPage = z.strictObject({
  ...pageOf(formatItem).shape,
  /** Of the whole catalogue: the available filter values. */
  asset_types: z.array(z.string()),
  families: z.array(z.strictObject({ family: z.string(), formats: z.number() })),
})
export type FormatsPage = z.infer<typeof formatsPage>

const slotMembers = {
  asset_type: z.string(),
  role: z.string().optional(),
  requirements: z.looseObject({}).optional(),
}

const slot = z.strictObject({
  name: z.string(),
  required: z.boolean(),
  ...slotMembers,
  /** Of a repeatable group. */
  group: z
    .strictObject({
      min: z.number(),
      max: z.number(),
      members: z.array(z.strictObject({ name: z.string(), ...slotMembers })),
    })
    .optional(),
})
export type Slot = z.infer<typeof slot>

export const formatParams = z.strictObject({ format: z.string().min(1).max(255) })
export const formatQuery = z.strictObject(parameters)

export const formatDetails = z.strictObject({
  ...formatItem.shape,
  slots: z.array(slot),
  macros: z.array(z.string()),
  /** As returned by list_creative_formats. */
  format: z.looseObject({}),
})
export type FormatDetails = z.infer<typeof formatDetails>

const fault = z.strictObject({
  /** A pointer into the manifest; empty if the manifest has no place for it. */
  pointer: z.string(),
  message: z.string(),
})
export type ManifestFault = z.infer<typeof fault>

const serializePreview = z.strictObject({
  renders: z.array(
    z.strictObject({
      /** On this server. */
      path: z.string(),
      role: z.string(),
      /** What a frame around it permits. */
      sandbox: z.string(),
      width: z.number().optional(),
      height: z.number().optional(),
    }),
  ),
  interactive_path: z.string().optional(),
  expires_at: time.optional(),
})
export type SerializedPreview = z.infer<typeof serializePreview>

const assets = z.record(z.string().max(200), z.unknown())
const manifest = z.looseObject({
  format_id: z.looseObject({}),
  assets: z.record(z.string(), z.unknown()),
})
export type Manifest = z.infer<typeof manifest>

/** Its files on this server, by slot. */
const files = z.array(z.strictObject({ slot: z.string(), path: z.string() }))

export const previewBody = z.strictObject({
  format: formatRef,
  assets,
  macros: z.record(z.string().max(100), z.string().max(4_096)).optional(),
})

export const previewAnswer = z.strictObject({
  /** Why there is no preview. */
  faults: z.array(fault),
  preview: serializePreview.optional(),
  /** What it does not show. */
  notes: z.array(z.string()),
})
export type PreviewAnswer = z.infer<typeof previewAnswer>

const MAX_VARIANTS = 10

export const buildBody = z.strictObject({
  formats: z.array(formatRef).min(1).max(MAX_TARGETS),
  message: z.string().min(1).max(MAX_MESSAGE_LENGTH),
  /** The domain on which the brand publishes its brand.json. */
  brand_domain: z.string().min(1).max(253).optional(),
  /** Or the brand itself. */
  brand_manifest: z.looseObject({}).optional(),
  /** What is filled in already. */
  assets: assets.optional(),
  variants: z.int().min(1).max(MAX_VARIANTS).default(1),
})
export type BuildBody = z.infer<typeof buildBody>

export const buildAnswer = z.strictObject({
  builds: z.array(
    z.strictObject({
      format: formatRef,
      /** Of what was begun. */
      task_id: z.string().optional(),
      /** Why it was not. */
      refusal: z.string().optional(),
    }),
  ),
})
export type BuildAnswer = z.infer<typeof buildAnswer>

const buildState = z.strictObject({
  task_id: z.string(),
  status: z.enum(TASK_STATUSES),
  format: formatRef.optional(),
  progress_percent: z.number().optional(),
  /** What it is doing. */
  message: z.string().optional(),
  errors: z.array(z.strictObject({ code: z.string(), message: z.string() })),
})
export type BuildState = z.infer<typeof buildState>

const taskId = z.string().min(1).max(256)

export const buildsQuery = z.strictObject({
  /** Separated by commas. */
  task_ids: z
    .string()
    .min(1)
    .max(MAX_TARGETS * 64),
})
export const buildsAnswer = z.strictObject({ builds: z.array(buildState) })

export const buildParams = z.strictObject({ task_id: taskId })

export const build = z.strictObject({
  ...buildState.shape,
  /** What was requested. */
  requested: z.strictObject({
    message: z.string().optional(),
    brand_domain: z.string().optional(),
  }),
  creatives: z.array(
    z.strictObject({
      manifest,
      /** If there are several: the first is the one that is built without variants. */
      rank: z.number().optional(),
      files,
      preview: serializePreview.optional(),
    }),
  ),
  /** What was done differently than requested, and why. */
  notes: z.array(z.string()),
  preview_fault: z.string().optional(),
  /** Until when its files are kept. */
  expires_at: time.optional(),
})
export type Build = z.infer<typeof build>

export const saveBody = z.strictObject({
  creative_id: z.string().min(1).max(255),
  name: z.string().min(1).max(255),
  tags: z.array(z.string().min(1).max(100)).max(50).optional(),
  /** The filled-in creative, or which creative of a build. */
  creative: z.union([
    z.strictObject({ format: formatRef, assets }),
    z.strictObject({ task_id: taskId, index: z.int().min(0).max(999) }),
  ]),
})
export type SaveBody = z.infer<typeof saveBody>

export const saveAnswer = z.strictObject({
  library_id: z.string(),
  action: z.enum(['created', 'updated', 'unchanged']),
  warnings: z.array(z.string()),
})
export type SaveAnswer = z.infer<typeof saveAnswer>

const libraryItem = z.strictObject({
  /** An owner's id for a creative is only unique with the owner: this one combines both. */
  library_id: z.string(),
  creative_id: z.string(),
  name: z.string(),
  /** The catalogue's name of the format, with its parameters. */
  format: z.string(),
  status: creativeStatus,
  principal_id: z.string(),
  principal_name: z.string().optional(),
  assignment_count: z.number(),
  created_at: time,
  updated_at: time,
})
export type LibraryItem = z.infer<typeof libraryItem>

export const libraryQuery = z.strictObject({
  ...pageQuery,
  /** An exact creative_id, or a part of a name. */
  q: textFilter.optional(),
  status: creativeStatus.optional(),
  /** The catalogue's name, with its parameters. */
  format: textFilter.optional(),
  principal_id: textFilter.optional(),
})
export type LibraryQuery = z.infer<typeof libraryQuery>

export const libraryPage = pageOf(libraryItem)
export type LibraryPage = z.infer<typeof libraryPage>

export const libraryParams = z.strictObject({ library_id: z.string().min(1).max(1_024) })

export const libraryCreative = z.strictObject({
  ...libraryItem.shape,
  tags: z.array(z.string()),
  concept: z.string().optional(),
  manifest,
  files,
  bytes: z.number(),
  /** The packages that it is assigned to, in the order of assignment. */
  assignments: z.array(
    z.strictObject({ package_id: z.string(), weight: z.number().optional(), assigned_at: time }),
  ),
})
export type LibraryCreative = z.infer<typeof libraryCreative>
