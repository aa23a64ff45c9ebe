// `validate_input`: whether a manifest fits its format or other targets, without building or showing anything
// (spec 2.4, 7.1). Each target has its own result.

import { defined } from '../lib/defined.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { formatIdRefusal } from '../protocol/schemas/generation-rules.ts'
import {
  type ValidateInputRequest,
  type ValidateInputResponse,
  validateInputRequest,
  validateInputResponse,
} from '../protocol/schemas/validate-input.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import { constantCost } from '../protocol/task-cost.ts'
import { callerOf } from './caller-of.ts'
import { capabilitiesOf } from './canonical/capabilities.ts'
import { askCapability, askKind, type CanonicalQuery } from './canonical/check-canonical.ts'
import { isCanonicalKind } from './canonical/default-slots.ts'
import type { FormatCatalogue, FoundFormat } from './format-catalogue.ts'
import type { CreativeWorkerPool } from './jobs/creative-worker-pool.ts'
import { MAX_CHECK_TARGETS, MAX_REQUEST_BYTES, MAX_WORK_CHARS } from './limits.ts'
import { faultsOf } from './manifest-check/check-manifests.ts'
import type { CheckItem } from './manifest-check/check-request.ts'
import type { ManifestFault } from './manifest-check/fault.ts'
import { type FindFormat, meansFormat, missingFormatError } from './manifest-check/find-format.ts'

export interface ValidateInputPorts {
  catalogue: FormatCatalogue
  findFormat: FindFormat
  /** The agent URL for a format that is named without one. */
  publicUrl: () => string
  workerPool: CreativeWorkerPool
}

type Result = ValidateInputResponse['results'][number]
type Target = Result['target']

export function validateInput(
  ports: ValidateInputPorts,
): Task<ValidateInputRequest, ValidateInputResponse> {
  return defineTask({
    name: 'validate_input',
    summary:
      'Checks a creative manifest against its format and lists every error with the accepted values',
    area: 'creative',
    access: 'tasks',
    changes: false,
    request: validateInputRequest,
    response: validateInputResponse,
    refusalFor: formatIdRefusal,
    bodyLimitBytes: MAX_REQUEST_BYTES,
    cost: constantCost(200, 'formats that are checked'),
    handle: async (request, call) => {
      const questions = questionsOf(request, ports, call)
      const items = [...new Set(questions.flatMap(({ item }) => (item ? [item] : [])))]
      const by = { owner: callerOf(call), signal: call.signal }
      const found = await faultsOf(ports.workerPool, items, by)
      const results = questions.map(({ item, faults, ...about }) =>
        resultOf(about, faults ?? found[items.indexOf(item as CheckItem)] ?? []),
      )
      return { results }
    },
  })
}

/** A target with the manifest to validate, or with what is wrong with the target itself. */
interface Question {
  target: Target
  item?: CheckItem
  faults?: ManifestFault[]
  /** The errors with the target's own slot names. Default: unchanged. */
  reported?: (faults: readonly ManifestFault[]) => ManifestFault[]
  warnings?: readonly string[]
  /** Whether the result may differ between calls. Default false. */
  isSynthesized?: boolean
}

/** What the questions about one request share. */
interface Validation {
  request: ValidateInputRequest
  /** The manifest. */
  json: string
  ports: ValidateInputPorts
  calledOn: string
}

function questionsOf(
  request: ValidateInputRequest,
  ports: ValidateInputPorts,
  call: CallContext,
): Question[] {
  const targets = targetsOf(request)
  if (targets.length > MAX_CHECK_TARGETS) {
    const message = `a manifest is checked for at most ${MAX_CHECK_TARGETS} targets in one call (got ${targets.length})`
    throw new ProtocolError('INVALID_REQUEST', message, { field: '/targets' })
  }
  const json = JSON.stringify(request.manifest)
  const validation = { request, json, ports, calledOn: call.calledOn }
  if (targets.length === 0) return [askOwn(validation)]
  // A repeated target is the same question: searching for what fits it costs more than naming it.
  const requested = new Map<string, Question>()
  let chars = 0
  return targets.map((target) => {
    const key = JSON.stringify(target)
    const question = requested.get(key) ?? ask(target, validation)
    requested.set(key, question)
    chars += question.item?.json.length ?? 0
    refuseWork(chars)
    return question
  })
}

/** Before the manifest is written for the next target. */
function refuseWork(chars: number): void {
  if (chars <= MAX_WORK_CHARS) return
  const message = `the manifest times its targets has more than ${MAX_WORK_CHARS} characters: send fewer targets`
  throw new ProtocolError('INVALID_REQUEST', message, { field: '/targets' })
}

function targetsOf(request: ValidateInputRequest): Target[] {
  const { targets, format_ids, product_ids } = request
  const { target_capability_id: one, target_capability_ids: several } = request
  return [
    ...(targets ?? []),
    ...(one === undefined ? [] : [one])
      .concat(several ?? [])
      .map((id) => ({ kind: 'capability' as const, id })),
    ...(format_ids ?? []).map((id) => ({ kind: 'third_party_format' as const, id })),
    ...(product_ids ?? []).map((id) => ({ kind: 'product' as const, id })),
  ]
}

/** Without targets the manifest is validated against its own format, which must then be in the catalogue. */
function askOwn({ request, json, ports, calledOn }: Validation): Question {
  const { manifest, brand } = request
  const { findFormat } = ports
  const { format_id, format_kind } = manifest
  if (!format_id && format_kind !== undefined) {
    return askCanonically(request, { kind: 'canonical', id: format_kind }, ports)
  }
  if (!format_id) {
    const message = 'Give format_id as an object with agent_url and id, or targets.'
    throw new ProtocolError('INVALID_FORMAT_ID', `/manifest/format_id: ${message}`, {
      issues: [{ pointer: '/manifest/format_id', message, keyword: 'required' }],
    })
  }
  const found = findFormat(format_id, calledOn)
  if (!found.ok) throw missingFormatError(found, '/manifest/format_id')
  const { format } = found
  const isSameFormat = meansFormat(format, findFormat, calledOn)(format_id)
  const item = { json, format, isSameFormat, isBrandKnown: brand !== undefined }
  return { target: { kind: 'third_party_format', id: format_id }, item }
}

/** The manifest's own format is ignored here: the question is whether it would fit another. */
function ask(target: Target, { request, json, ports, calledOn }: Validation): Question {
  const { brand } = request
  if (isCanonical(target)) return askCanonically(request, target, ports)
  if (target.kind === 'product') {
    const message = 'No product with this id. Use format_ids instead.'
    return { target, faults: [{ rule: 'known_product', pointer: '', message, actual: target.id }] }
  }
  const found = formatOf(target.id, ports, calledOn)
  if (!found.ok) {
    const { message } = found
    return { target, faults: [{ rule: 'known_format', pointer: '', message, actual: target.id }] }
  }
  const isBrandKnown = brand !== undefined
  return { target, item: { json, format: found.format, isSameFormat: true, isBrandKnown } }
}

/** A name of the catalogue is also accepted under `canonical`, as it always was. */
function isCanonical({ kind, id }: Target): boolean {
  if (kind === 'capability') return true
  return kind === 'canonical' && typeof id === 'string' && isCanonicalKind(id)
}

function askCanonically(
  { manifest, brand }: ValidateInputRequest,
  target: Target,
  { catalogue, publicUrl }: ValidateInputPorts,
): Question {
  const capabilities = capabilitiesOf(catalogue)
  const { kind, id, params } = target
  const requested: CanonicalQuery =
    kind === 'canonical' && typeof id === 'string'
      ? askKind({ kind: id, params, agentUrl: publicUrl() }, manifest)
      : askCapability(capabilities, id, manifest)
  if ('faults' in requested) return { target, faults: requested.faults }
  const { format, manifest: meant, ...how } = requested
  const isBrandKnown = brand !== undefined
  const item = { json: JSON.stringify(meant), format, isSameFormat: true, isBrandKnown }
  return { target, item, ...how }
}

function formatOf(
  id: string | FormatId,
  { findFormat, publicUrl }: ValidateInputPorts,
  calledOn: string,
): FoundFormat {
  return findFormat(typeof id === 'string' ? { agent_url: publicUrl(), id } : id, calledOn)
}

function resultOf(
  { target, reported, warnings = [], isSynthesized }: Omit<Question, 'item' | 'faults'>,
  found: readonly ManifestFault[],
): Result {
  const faults = reported ? reported(found) : found
  const noted = defined({ warnings: warnings.length > 0 ? [...warnings] : undefined })
  if (faults.length === 0) {
    const result_kind = isSynthesized ? 'unvalidatable_nondeterministic' : 'validated_pass'
    return { target, ok: true, result_kind, ...noted }
  }
  return {
    target,
    ok: false,
    result_kind: 'validated_fail',
    violations: faults.map(({ rule, pointer, message, expected, actual }) => ({
      rule,
      field: pointer,
      message,
      ...defined({ expected, predicted: actual }),
    })),
    ...noted,
  }
}
