// Requests whose signer is known, but whose key cannot be found: `state.key_fault` says why, as a key lookup would.
// The signatures are right.
import { refused } from './compose.mjs'

const WHY = {
  jwks_unavailable: 'The key set cannot be fetched.',
  jwks_untrusted: 'The key set is where none may be fetched from.',
  capabilities_unreachable: 'The agent does not tell its capabilities.',
  brand_json_url_missing: 'The capabilities name no brand.json.',
  brand_json_unreachable: 'The brand.json cannot be fetched.',
  brand_json_malformed: 'The brand.json is no JSON object.',
  brand_json_ambiguous: 'Two entries of the brand.json have the URL of the agent.',
  brand_origin_mismatch: 'The brand.json is of another domain.',
  agent_not_in_brand_json: 'No entry of the brand.json has the URL of the agent.',
  key_origin_missing: 'The capabilities name no host of the keys.',
  key_origin_mismatch: 'The key set is on another host than the capabilities name.',
}

export const DISCOVERY = [
  ...Object.entries(WHY).map(([fault, about]) =>
    refused(
      `request-${fault.replaceAll('_', '-')}`,
      about,
      { profile: 'request', code: `signature_${fault}`, step: 7 },
      { state: { key_fault: `signature_${fault}` } },
    ),
  ),
  refused(
    'webhook-jwks-unavailable',
    'The webhook profile has no code for it: the key is unknown.',
    { code: 'signature_key_unknown', step: 7 },
    { state: { key_fault: 'signature_jwks_unavailable' } },
  ),
]
