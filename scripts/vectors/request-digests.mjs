// Requests up to 3.1 under each policy about the digest: covered or not, with a body or without one.
import { accepted, digestOf, refused } from './compose.mjs'

const BODY = '{"brief":"sports"}'
const THREE = ['@method', '@target-uri', '@authority']
const FOUR = [...THREE, 'content-type']
const FIVE = [...FOUR, 'content-digest']
const TYPE = { 'Content-Type': 'application/json' }
const POLICIES_OF = ['required', 'either', 'forbidden']

const withDigest = {
  profile: 'request',
  body: BODY,
  components: FIVE,
  headers: { ...TYPE, 'Content-Digest': digestOf(BODY) },
}
const withoutDigest = { profile: 'request', body: BODY, components: FOUR, headers: TYPE }
/** It came, but nobody vouches for it: whether it is right is not looked at. */
const uncovered = {
  ...withoutDigest,
  headers: { ...TYPE, 'Content-Digest': digestOf('another body') },
}
const bodyless = { profile: 'request', method: 'GET', body: '', components: THREE, headers: {} }
const bodylessWithDigest = {
  ...bodyless,
  components: [...THREE, 'content-digest'],
  headers: { 'Content-Digest': digestOf('') },
}

const by = (contentDigest) => ({ profileOptions: { contentDigest } })
const incomplete = { code: 'signature_components_incomplete', step: 6 }
const unexpected = { code: 'signature_components_unexpected', step: 6 }
const mismatch = { code: 'signature_digest_mismatch', step: 11 }
const swapped = {
  after: (request) => {
    request.body = '{"brief":"crypto"}'
  },
}

export const POLICIES = [
  accepted('digest-required-covered', 'Required: it is.', withDigest, by('required')),
  accepted('digest-either-covered', 'Either: it is covered.', withDigest, by('either')),
  accepted('digest-either-left-out', 'Either: it is not covered.', withoutDigest, by('either')),
  accepted('digest-either-uncovered', 'Either: it came uncovered.', uncovered, by('either')),
  accepted('digest-forbidden-left-out', 'Forbidden: it is not.', withoutDigest, by('forbidden')),
  accepted(
    'digest-forbidden-uncovered',
    'Forbidden: it came uncovered.',
    uncovered,
    by('forbidden'),
  ),
  ...POLICIES_OF.map((policy) =>
    accepted(`bodyless-${policy}`, 'No body, and no digest of it.', bodyless, by(policy)),
  ),
  ...['required', 'either'].map((policy) =>
    accepted(`bodyless-digest-${policy}`, 'The digest of no body.', bodylessWithDigest, by(policy)),
  ),
  refused(
    'digest-required-left-out',
    'Required: it is not covered.',
    { ...withoutDigest, ...incomplete },
    by('required'),
  ),
  refused(
    'digest-required-uncovered',
    'Required: it came, but uncovered.',
    { ...uncovered, ...incomplete },
    by('required'),
  ),
  refused(
    'digest-forbidden-covered',
    'Forbidden: it is covered.',
    { ...withDigest, ...unexpected },
    by('forbidden'),
  ),
  refused(
    'bodyless-digest-forbidden',
    'Forbidden: that of no body is covered.',
    { ...bodylessWithDigest, ...unexpected },
    by('forbidden'),
  ),
  ...['required', 'either'].map((policy) =>
    refused(
      `digest-${policy}-swapped`,
      'It is covered, and the body is another one.',
      { ...withDigest, ...mismatch, ...swapped },
      by(policy),
    ),
  ),
  ...POLICIES_OF.map((policy) =>
    refused(
      `body-added-${policy}`,
      'A body was added to a request that had none.',
      { ...bodyless, ...incomplete, method: 'POST', ...swapped },
      by(policy),
    ),
  ),
]
