// The checklist of a signed webhook, step by step, for a pasted message.

import { z } from 'zod'
import { header, signaturePart } from './deliveries.ts'

const MAX_REQUEST_CHARS = 262_144
const MAX_JWKS_CHARS = 131_072

export const verifyBody = z.strictObject({
  /**
   * A raw HTTP request (`POST /path HTTP/1.1`, headers, an empty line, the body), or the JSON of `adwire webhook
   * verify`.
   */
  request: z.string().min(1).max(MAX_REQUEST_CHARS),
  /** Where it was sent, if the request does not include it: scheme and host. */
  url: z.string().max(2_048).optional(),
  /** The signer's key set as JSON; or else `seller_url`. */
  jwks: z.string().max(MAX_JWKS_CHARS).optional(),
  /** The seller's site or agent: its keys are looked up the way a receiver does it. */
  seller_url: z.string().max(2_048).optional(),
  /** The time to verify against; default now. `signed`: the time at which the signature says it was made. */
  now: z.union([z.literal('signed'), z.iso.datetime({ offset: true })]).optional(),
})
export type VerifyBody = z.infer<typeof verifyBody>

const STEP_STATES = ['passed', 'failed', 'not_reached'] as const

export const verifyAnswer = z.strictObject({
  ok: z.boolean(),
  /** The code of the step that failed. */
  code: z.string().optional(),
  keyid: z.string().optional(),
  steps: z.array(
    z.strictObject({
      /** `pre`, 1 to 14, and 9a. */
      step: z.string(),
      /** What is checked. */
      title: z.string(),
      state: z.enum(STEP_STATES),
      /** Why it failed, or what was found. */
      detail: z.string().optional(),
    }),
  ),
  /** The message as it was read. */
  message: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(header),
    body_bytes: z.number(),
  }),
  signature: z.array(signaturePart).optional(),
  /** What the signature covers (RFC 9421 §2.5), if verification got that far. */
  signature_base: z.string().optional(),
  /** What was done to find the keys, as readable text. */
  notes: z.array(z.string()),
})
export type VerifyAnswer = z.infer<typeof verifyAnswer>
