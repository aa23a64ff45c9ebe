// Reads the only signature that a verifier examines from `Signature-Input` and `Signature`: the one labelled `sig1`;
// other labels are ignored, whatever their content (spec 5; RFC 9421 §4).

import { type Base64Result, decodeBase64, decodePaddedBase64 } from '../lib/base64.ts'
import { isNonce } from './nonces.ts'
import type { SigningProfile } from './profile.ts'
import {
  type ParameterValue,
  readByteSequence,
  readDictionary,
  readInnerList,
} from './structured-fields.ts'

export interface ReceivedSignature {
  /** The names of the covered components, in the order of the list. */
  components: readonly string[]
  parameters: ReceivedParameters
  /** The inner list with its parameters, exactly as received. */
  text: string
  bytes: Buffer
}

interface ReceivedParameters {
  created?: number
  expires?: number
  nonce?: string
  keyid?: string
  alg?: string
  tag?: string
}

export type ReceivedResult =
  | { ok: true; signature: ReceivedSignature }
  | { ok: false; reason: string }

export function readReceivedSignature(
  inputField: string,
  signatureField: string,
  binary: SigningProfile['binary'] = 'base64url',
): ReceivedResult {
  const usual = binary === 'base64url' ? usualBytes(signatureField) : undefined
  const bytes = usual ?? generalBytes(signatureField, binary)
  if (!bytes.ok) return bytes
  const input = usualInput(inputField) ?? generalInput(inputField)
  if (!input.ok) return input
  if (input.parameters.nonce !== undefined && !isNonce(input.parameters.nonce)) {
    return refuse('the nonce is not 16 bytes or more in base64url without padding')
  }
  const { components, parameters, text } = input
  return { ok: true, signature: { components, parameters, text, bytes: bytes.bytes } }
}

const LABEL = 'sig1'
const INTEGERS = ['created', 'expires'] as const
const STRINGS = ['nonce', 'keyid', 'alg', 'tag'] as const
// Derived components and header names, which are in lower case (RFC 9421 §2.1).
const COMPONENT = /^@?[!#$%&'*+.^_`|~0-9a-z-]+$/

// The form that practically every signer of this profile writes, read in one step; anything else takes the general
// path, which would read this form with the same result.
// 64 bytes in canonical base64url.
const USUAL_SIGNATURE = /^sig1=:([\w-]{85}[AQgw]):$/
const USUAL_COMPONENTS = [
  '@method',
  '@target-uri',
  '@authority',
  'content-type',
  'content-digest',
] as const
const USUAL_INPUT =
  /^sig1=(\("@method" "@target-uri" "@authority" "content-type" "content-digest"\);created=(\d{1,15});expires=(\d{1,15});nonce="([\w-]*)";keyid="([\x20\x21\x23-\x5b\x5d-\x7e]{0,256})";alg="([\w-]*)";tag="([\w/.-]*)")$/

type InputResult = ({ ok: true } & Omit<ReceivedSignature, 'bytes'>) | { ok: false; reason: string }

function usualInput(field: string): InputResult | undefined {
  const usual = USUAL_INPUT.exec(field)
  if (!usual) return undefined
  const [, text = '', created, expires, nonce = '', keyid = '', alg = '', tag = ''] = usual
  const parameters = { created: Number(created), expires: Number(expires), nonce, keyid, alg, tag }
  return { ok: true, components: USUAL_COMPONENTS, parameters, text }
}

function generalInput(field: string): InputResult {
  const inputs = readDictionary(field)
  if (!inputs.ok) return refuse(`Signature-Input ${inputs.reason}`)
  const text = inputs.members.get(LABEL)
  if (text === undefined) return refuse(`Signature-Input has no ${LABEL}`)
  const list = readInnerList(text)
  if (!list.ok) return refuse(`${LABEL} ${list.reason}`)
  const nameFault = nameFaultOf(list.items)
  if (nameFault) return refuse(nameFault)
  const parameters = typedParameters(list.parameters)
  if (typeof parameters === 'string') return refuse(parameters)
  return { ok: true, components: list.items, parameters, text }
}

function usualBytes(field: string): Base64Result | undefined {
  const text = USUAL_SIGNATURE.exec(field)?.[1]
  return text === undefined ? undefined : { ok: true, bytes: Buffer.from(text, 'base64url') }
}

function generalBytes(field: string, binary: SigningProfile['binary']): Base64Result {
  const signatures = readDictionary(field)
  if (!signatures.ok) return refuse(`Signature ${signatures.reason}`)
  const text = readByteSequence(signatures.members.get(LABEL) ?? '')
  if (text === undefined) return refuse(`Signature has no byte sequence for ${LABEL}`)
  const decoded = binary === 'base64' ? decodePaddedBase64(text) : decodeBase64(text)
  return decoded.ok ? decoded : refuse(`the signature ${decoded.reason}`)
}

function nameFaultOf(names: readonly string[]): string | undefined {
  for (const [n, name] of names.entries()) {
    if (!COMPONENT.test(name)) return 'a component name is not in lower case'
    if (names.indexOf(name) !== n) return `the component ${name} is covered twice`
  }
  return undefined
}

function typedParameters(found: ReadonlyMap<string, ParameterValue>): ReceivedParameters | string {
  const parameters: ReceivedParameters = {}
  for (const name of INTEGERS) {
    const value = found.get(name)
    if (value === undefined) continue
    if (typeof value !== 'number') return `the parameter ${name} is not an integer`
    parameters[name] = value
  }
  for (const name of STRINGS) {
    const value = found.get(name)
    if (value === undefined) continue
    if (typeof value !== 'string') return `the parameter ${name} is not a quoted string`
    parameters[name] = value
  }
  return parameters
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}
