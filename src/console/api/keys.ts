// The keys that this operator signs with, and what a rotation or a revocation would do if the server did it now.

import { z } from 'zod'
import { KEY_PURPOSES } from '../../keys/store.ts'
import { time } from './common.ts'

const KEY_STATES = ['published', 'active', 'retiring', 'removed', 'revoked'] as const
const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256'] as const
/** Where the private key is: `elsewhere` is held by another program, `erased` exists nowhere. */
const CUSTODIES = ['sealed', 'plain', 'elsewhere', 'erased'] as const

/** The number of leading characters of a key's id that must be typed to revoke it. */
export const CONFIRM_CHARS = 8

const signingKey = z.strictObject({
  kid: z.string(),
  purpose: z.enum(KEY_PURPOSES),
  algorithm: z.enum(ALGORITHMS),
  state: z.enum(KEY_STATES),
  custody: z.enum(CUSTODIES),
  published_at: time,
  /** Missing until a rotation has activated it. */
  signs_from: time.optional(),
  signs_until: time.optional(),
  published_until: time.optional(),
  revoked_at: time.optional(),
  /** The last signature made with it, among the latest deliveries. */
  last_used_at: time.optional(),
  /** What a revocation would cause; missing when the key is revoked. */
  revocation: z
    .strictObject({
      /** Whether it signs now. */
      is_signing: z.boolean(),
      /** The key that signs afterwards; missing: a new one is generated. */
      signs_next: z.string().optional(),
    })
    .optional(),
})
export type SigningKey = z.infer<typeof signingKey>

const rotation = z.strictObject({
  purpose: z.enum(KEY_PURPOSES),
  /** The key that signs now; missing if none does. */
  current: z.string().optional(),
  /** The published key that takes over; missing: a new one is generated. */
  next: z.string().optional(),
  /** Seconds until the next key signs, normally and in a hurry. */
  signs_in_seconds: z.number(),
  hurried_in_seconds: z.number(),
})
export type Rotation = z.infer<typeof rotation>

export const signingKeys = z.strictObject({
  at: time,
  /** Newest first, with revoked keys last. */
  keys: z.array(signingKey),
  rotations: z.array(rotation),
  jwks_url: z.string(),
  revocations_url: z.string(),
  /** How long a key stays published after its last signature. */
  overlap_seconds: z.number(),
  /** Pending deliveries, and those that are being sent now with a signature on them. */
  in_flight: z.strictObject({ waiting: z.number(), sending: z.number() }),
  /** When a state changes by itself. */
  next_change_at: time.optional(),
  /** Why no key can be generated: the secret that encrypts keys has changed. */
  fault: z.string().optional(),
})
export type SigningKeys = z.infer<typeof signingKeys>

export const newKeyBody = z.strictObject({
  purpose: z.enum(KEY_PURPOSES),
  /** Default: that of the key before. */
  algorithm: z.enum(ALGORITHMS).optional(),
})

export const rotateBody = z.strictObject({
  ...newKeyBody.shape,
  /** After seconds instead of the usual time: some verifiers may not have the new key yet. */
  in_a_hurry: z.boolean().default(false),
})

export const kidParams = z.strictObject({ kid: z.string().min(1).max(256) })

export const revokeKeyBody = z.strictObject({
  /** The first characters of its id, as a person typed them. */
  confirm: z.string().max(256),
})
