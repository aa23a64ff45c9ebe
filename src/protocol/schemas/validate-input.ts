// validate_input: whether a manifest fits its targets, without building or rendering anything (spec 4.2, 7.1).
// Targets are given by kind and id, or as formats and products in their own members.

import { z } from 'zod'
import { brandRef, ext, opaqueId } from './common.ts'
import { creativeManifest } from './creative-manifest.ts'
import { errorList } from './error-object.ts'
import { formatId } from './format-id.ts'

const target = z.looseObject({
  kind: z
    .enum(['canonical', 'capability', 'product', 'third_party_format'])
    .describe('What the id names.'),
  id: z.union([opaqueId, formatId]).describe('Canonical kind, capability, product or format.'),
  params: z
    .looseObject({})
    .optional()
    .describe('Of a canonical kind: its parameters, such as width and height.'),
})

export const validateInputRequest = z.looseObject({
  manifest: creativeManifest.describe('The creative to judge.'),
  targets: z
    .array(target)
    .min(1)
    .max(50)
    .optional()
    .describe('What it must fit; default its format.'),
  format_ids: z
    .array(z.union([formatId, opaqueId]))
    .max(50)
    .optional()
    .describe('Formats it must fit, as identifiers or names.'),
  target_capability_id: opaqueId.optional().describe('The capability it must fit, of 3.2.'),
  target_capability_ids: z.array(opaqueId).min(1).max(50).optional().describe('Several of them.'),
  product_ids: z.array(opaqueId).max(50).optional().describe('Products it must fit.'),
  brand: brandRef.optional().describe('The brand it speaks for.'),
})
export type ValidateInputRequest = z.infer<typeof validateInputRequest>

const violation = z.strictObject({
  rule: z.string().describe('Which requirement, such as max_file_size_kb.'),
  field: z
    .string()
    .describe('Where in the manifest, as a JSON pointer; as assets.<slot> for a capability.'),
  message: z.string().optional().describe('What would be right.'),
  expected: z.unknown().optional().describe('What the target requires.'),
  predicted: z.unknown().optional().describe('What the manifest has.'),
  retry_with: z.looseObject({}).optional().describe('A change that would help.'),
})

export const validateInputResponse = z.strictObject({
  results: z
    .array(
      z.strictObject({
        target: target.describe('What was tried.'),
        ok: z.boolean().describe('Whether it fits.'),
        result_kind: z
          .enum(['validated_pass', 'validated_fail', 'unvalidatable_nondeterministic'])
          .describe('The same, and whether it could be known.'),
        violations: z.array(violation).optional().describe('Why it does not fit.'),
        warnings: z
          .array(z.string())
          .optional()
          .describe('What was interpreted differently from its name.'),
      }),
    )
    .describe('One for each target, in order.'),
  errors: errorList.optional().describe('Warnings.'),
  ext: ext.optional(),
})
export type ValidateInputResponse = z.infer<typeof validateInputResponse>
