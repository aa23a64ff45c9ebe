// How signed requests of callers are verified, as settings.

import { UNSIGNED_LEGACY } from '../agent/authentication.ts'
import { CONTENT_DIGEST_POLICIES, REQUEST_RELEASES, STRICT_RULES } from '../signing/profile.ts'
import { integer, list, oneOf } from './setting.ts'

const task = (part: string) =>
  /^[a-z][a-z0-9_]{0,63}$/.test(part)
    ? undefined
    : 'must be the name of a task, such as get_signals'
const method = (part: string) =>
  /^[A-Za-z][A-Za-z/]{0,63}$/.test(part)
    ? undefined
    : 'must be a method of JSON-RPC, such as tasks/cancel'

export const SIGNING_SETTINGS = {
  requestSigningProfile: oneOf({
    env: 'ADWIRE_REQUEST_SIGNING_PROFILE',
    about:
      'Rules for reading signed requests: those of 3.2, or the older ones of 3.1, never both. With 3.1, this server serves only 3.0 and 3.1.',
    default: STRICT_RULES,
    placeholder: 'release',
    values: REQUEST_RELEASES,
  }),
  requestContentDigest: oneOf({
    env: 'ADWIRE_REQUEST_CONTENT_DIGEST',
    about: 'Whether a signed request must cover the digest of its body; profile 3.2 requires it.',
    default: 'required',
    placeholder: 'policy',
    values: CONTENT_DIGEST_POLICIES,
  }),
  requestSigningRequiredFor: list({
    env: 'ADWIRE_REQUEST_SIGNING_REQUIRED_FOR',
    about: 'Tasks that are refused to callers that send neither a signature nor a key.',
    default: '',
    check: task,
  }),
  requestSigningWarnFor: list({
    env: 'ADWIRE_REQUEST_SIGNING_WARN_FOR',
    about:
      'Tasks for which an invalid signature is only logged; the call is then authenticated by its key.',
    default: '',
    check: task,
  }),
  requestSigningSupportedFor: list({
    env: 'ADWIRE_REQUEST_SIGNING_SUPPORTED_FOR',
    about: 'Tasks that the capabilities list as signable. Default: all.',
    default: '',
    check: task,
  }),
  requestSigningMethodsRequiredFor: list({
    env: 'ADWIRE_REQUEST_SIGNING_METHODS_REQUIRED_FOR',
    about: 'JSON-RPC methods that are refused to callers that send neither a signature nor a key.',
    default: '',
    check: method,
  }),
  unsignedLegacyWebhooks: oneOf({
    env: 'ADWIRE_UNSIGNED_LEGACY_WEBHOOKS',
    about:
      'Which unsigned requests may register webhooks with legacy authentication (HMAC or Bearer): unversioned (those that specify no release), all (as before 3.2), or none. Callers with a registered key must always sign. Default in a sandbox: all.',
    default: 'unversioned',
    placeholder: 'callers',
    values: UNSIGNED_LEGACY,
  }),
  requestNoncesPerKey: integer({
    env: 'ADWIRE_REQUEST_NONCES_PER_KEY',
    about:
      'Maximum number of unexpired signed requests per key; above it, further requests are refused. Default in a sandbox: 100, the number that conformance tests expect.',
    default: '1000000',
    min: 10,
    max: 10_000_000,
  }),
  requestSigningMethodsWarnFor: list({
    env: 'ADWIRE_REQUEST_SIGNING_METHODS_WARN_FOR',
    about:
      'JSON-RPC methods for which an invalid signature is only logged; the call is then authenticated by its key.',
    default: '',
    check: method,
  }),
}
