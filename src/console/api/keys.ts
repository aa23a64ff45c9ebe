// What this operator signs with: its keys, and what a rotation or a revocation would do, as the server itself would
// do it now.

import { z } from 'zod'
import { KEY_PURPOSES } from '../../keys/store.ts'
import { time } from './common.ts'

const KEY_STATES = ['published', 'active', 'retiring', 'removed', 'revoked'] as const
const ALGORITHMS = ['ed25519', 'ecdsa-p256-sha256'] as const
/** Where the private half is: `elsewhere` is in the hands of another program, `erased` nowhere. */
const CUSTODIES = ['sealed', 'plain', 'elsewhere', 'erased'] as const

/** So many first characters of a key's id are typed to revoke it. */
export const CONFIRM_CHARS = 8

const signingKey = z.strictObject({
  kid: z.string(),
  purpose: z.enum(KEY_PURPOSES),
  algorithm: z.enum(ALGORITHMS),
  state: z.enum(KEY_STATES),
  custody: z.enum(CUSTODIES),
  published_at: time,
  /** Missing while a rotation has not taken it up. */
  signs_from: time.optional(),
  signs_until: time.optional(),
  published_until: time.optional(),
  revoked_at: time.optional(),
  /** The last signature of the latest deliveries that was made with it. */
  last_used_at: time.optional(),
  /** What follows when it is revoked; missing when it is. */
  revocation: z
    .strictObject({
      /** Whether it signs now. */
      is_signing: z.boolean(),
      /** Which signs afterwards; missing: a new one is made. */
      signs_next: z.string().optional(),
    })
    .optional(),
})
export type SigningKey = z.infer<typeof signingKey>

const rotation = z.strictObject({
  purpose: z.enum(KEY_PURPOSES),
  /** The one that signs now; missing where none does. */
  current: z.string().optional(),
  /** The published one that takes over; missing: a new one is made. */
  next: z.string().optional(),
  /** Seconds until the next one signs, as usual and in a hurry. */
  signs_in_seconds: z.number(),
  hurried_in_seconds: z.number(),
})
export type Rotation = z.infer<typeof rotation>

export const signingKeys = z.strictObject({
  at: time,
  /** The newest first; those that are revoked last. */
  keys: z.array(signingKey),
  rotations: z.array(rotation),
  jwks_url: z.string(),
  revocations_url: z.string(),
  /** How long a key stays published after its last signature. */
  overlap_seconds: z.number(),
  /** Deliveries that wait, and those that are being sent now with a signature on them. */
  in_flight: z.strictObject({ waiting: z.number(), sending: z.number() }),
  /** When a state changes by itself. */
  next_change_at: time.optional(),
  /** Why no key can be made: the secret that seals them is another one. */
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
  /** After seconds instead of the usual time: some verifiers may lag. */
  in_a_hurry: z.boolean().default(false),
})

export const kidParams = z.strictObject({ kid: z.string().min(1).max(256) })

export const revokeKeyBody = z.strictObject({
  /** The first characters of its id, as a person typed them. */
  confirm: z.string().max(256),
})
