// Headers of every response. The API serves data, never a page that may run scripts; the routes that serve pages set
// their own policy.

export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return publicUrl.startsWith('https:')
    ? { ...SECURITY_HEADERS, 'strict-transport-security': STRICT_TRANSPORT }
    : SECURITY_HEADERS
}

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Only where the public address is https: on http it would lock a developer out. */
const STRICT_TRANSPORT = 'max-age=31536000; includeSubDomains'
