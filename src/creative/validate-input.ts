// `validate_input`: whether a manifest fits its format or other targets, without building or showing
// anything (spec 2.4, 7.1). Each target is answered for itself.

import { ProtocolError } from '../protocol/errors.ts'
import type { FormatId } from '../protocol/schemas/format-id.ts'
import { formatIdRefusal } from '../protocol/schemas/seed-rules.ts'
import {
  type ValidateInputRequest,
  type ValidateInputResponse,
  validateInputRequest,
  validateInputResponse,
} from '../protocol/schemas/validate-input.ts'
import { type CallContext, defineTask, type Task } from '../protocol/task.ts'
import type { FoundFormat } from './format-catalogue.ts'
import { checkManifest, type ManifestFault } from './manifest-check/check-manifest.ts'
import { type FindFormat, meansFormat, missingFormatError } from './manifest-check/find-format.ts'

export interface ValidateInputPorts {
  findFormat: FindFormat
  /** The URL of a format that is named without one. */
  publicUrl: () => string
}

type Result = ValidateInputResponse['results'][number]
type Target = Result['target']

/** Manifests may carry pictures. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024

export function validateInput(
  ports: ValidateInputPorts,
): Task<ValidateInputRequest, ValidateInputResponse> {
  return defineTask({
    name: 'validate_input',
    summary:
      'Whether a creative manifest fits its format, with every fault and what would be right',
    area: 'creative',
    access: 'tasks',
    changes: false,
    request: validateInputRequest,
    response: validateInputResponse,
    refusalFor: formatIdRefusal,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    handle: async (request, call) => {
      const targets = targetsOf(request)
      if (targets.length === 0) return { results: [judgeOwn(request, ports, call)] }
      return { results: targets.map((target) => judge(request, target, ports, call)) }
    },
  })
}

function targetsOf({ targets, format_ids, product_ids }: ValidateInputRequest): Target[] {
  return [
    ...(targets ?? []),
    ...(format_ids ?? []).map((id) => ({ kind: 'third_party_format' as const, id })),
    ...(product_ids ?? []).map((id) => ({ kind: 'product' as const, id })),
  ]
}

/** Without targets the manifest is judged by its own format, which must then be one of ours. */
function judgeOwn(
  { manifest, brand }: ValidateInputRequest,
  { findFormat }: ValidateInputPorts,
  { calledOn }: CallContext,
): Result {
  const { format_id } = manifest
  if (!format_id) {
    const message = 'Give format_id as an object with agent_url and id, or targets.'
    throw new ProtocolError('INVALID_FORMAT_ID', `/manifest/format_id: ${message}`, {
      issues: [{ pointer: '/manifest/format_id', message, keyword: 'required' }],
    })
  }
  const found = findFormat(format_id, calledOn)
  if (!found.ok) throw missingFormatError(found, '/manifest/format_id')
  const faults = checkManifest(manifest, found.format, {
    isBrandKnown: brand !== undefined,
    isSameFormat: meansFormat(found.format, findFormat, calledOn),
  })
  return resultOf({ kind: 'third_party_format', id: format_id }, faults)
}

/** The manifest's own format is no matter here: the question is whether it would fit another. */
function judge(
  { manifest, brand }: ValidateInputRequest,
  target: Target,
  ports: ValidateInputPorts,
  { calledOn }: CallContext,
): Result {
  if (target.kind === 'product') {
    const message = 'There is no such product here: name formats by format_ids.'
    return resultOf(target, [{ rule: 'known_product', pointer: '', message, actual: target.id }])
  }
  const found = formatOf(target.id, ports, calledOn)
  if (!found.ok) {
    return resultOf(target, [
      { rule: 'known_format', pointer: '', message: found.message, actual: target.id },
    ])
  }
  const faults = checkManifest(manifest, found.format, {
    isBrandKnown: brand !== undefined,
    isSameFormat: () => true,
  })
  return resultOf(target, faults)
}

function formatOf(
  id: string | FormatId,
  { findFormat, publicUrl }: ValidateInputPorts,
  calledOn: string,
): FoundFormat {
  return findFormat(typeof id === 'string' ? { agent_url: publicUrl(), id } : id, calledOn)
}

function resultOf(target: Target, faults: readonly ManifestFault[]): Result {
  if (faults.length === 0) return { target, ok: true, result_kind: 'validated_pass' }
  return {
    target,
    ok: false,
    result_kind: 'validated_fail',
    violations: faults.map(({ rule, pointer, message, expected, actual }) => ({
      rule,
      field: pointer,
      message,
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { predicted: actual }),
    })),
  }
}
