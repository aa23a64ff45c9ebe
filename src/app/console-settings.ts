// Settings of the console.

import { ROLES, type Role } from '../console/api/role-names.ts'
import { providerIssuerFault } from './issuer-fault.ts'
import { checkedText, integer, list, oneOf, requiredText, text, toggle } from './setting.ts'

/** RFC 6749 §3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/

export const CONSOLE_SETTINGS = {
  console: toggle({
    env: 'ADWIRE_CONSOLE',
    about: 'Serve the operator console under /console/.',
    default: 'true',
  }),
  consoleDemo: toggle({
    env: 'ADWIRE_CONSOLE_DEMO',
    about:
      'Let anyone who can reach a demo server sign in to its console with one click. By default, only the machine that runs the demo can.',
    default: 'false',
  }),
  consoleKeys: oneOf({
    env: 'ADWIRE_CONSOLE_KEYS',
    about:
      'Which API keys may sign in to the console: all with a role, or only those with the scope break-glass. The ' +
      'latter is for servers where people sign in with OpenID Connect.',
    default: 'all',
    placeholder: 'which',
    values: ['all', 'break-glass'],
  }),
  oidcIssuer: optionalIssuer({
    env: 'ADWIRE_OIDC_ISSUER',
    about:
      'OpenID provider where people sign in to the console, exactly as it spells itself in its tokens. Default: ' +
      'people sign in with keys.',
  }),
  oidcClientId: text({
    env: 'ADWIRE_OIDC_CLIENT_ID',
    about: 'Client id of this server at the OpenID provider.',
    default: '',
    placeholder: 'id',
  }),
  oidcClientSecret: text({
    env: 'ADWIRE_OIDC_CLIENT_SECRET',
    about:
      'Client secret of this server at the OpenID provider. Default: a public client, with PKCE alone.',
    default: '',
    placeholder: 'secret',
    secret: true,
  }),
  oidcScopes: list({
    env: 'ADWIRE_OIDC_SCOPES',
    about:
      'Scopes that are requested at the OpenID provider. Add those that it requires for groups and for refresh ' +
      'tokens, such as groups or offline_access.',
    default: 'openid,profile,email',
    check: (part) => (SCOPE.test(part) ? undefined : 'is not the name of a scope'),
  }),
  oidcGroupsClaim: requiredText({
    env: 'ADWIRE_OIDC_GROUPS_CLAIM',
    about: 'Claim that lists the groups of a person, in the ID token or the userinfo.',
    default: 'groups',
    placeholder: 'claim',
  }),
  oidcRoles: list({
    env: 'ADWIRE_OIDC_ROLES',
    about:
      `Roles in the console by group, each as role=group. Roles: ${ROLES.join(', ')}. A person may ` +
      'have several; a person without one is refused.',
    default: '',
    placeholder: 'admin=ops,viewer=staff',
    check: (part) => (roleOfGroup(part) ? undefined : `must look like ${ROLES[0]}=group`),
  }),
  oidcRecheckSeconds: integer({
    env: 'ADWIRE_OIDC_RECHECK_SECONDS',
    about:
      'How long the groups of a person are trusted before the OpenID provider is asked again: access ends at most ' +
      'this long after a group was removed, or twice as long while the provider is unreachable.',
    default: '300',
    min: 30,
    max: 3_600,
  }),
} as const

function optionalIssuer(description: { env: string; about: string }) {
  const fault = (value: string) => (value === '' ? undefined : providerIssuerFault(value))
  return checkedText({ ...description, default: '', placeholder: 'url', fault })
}

function roleOfGroup(part: string): { role: Role; group: string } | undefined {
  const at = part.indexOf('=')
  const role = ROLES.find((one) => one === part.slice(0, at))
  const group = part.slice(at + 1)
  return role === undefined || group === '' ? undefined : { role, group }
}

/** By group. */
export function rolesByGroup(parts: readonly string[]): ReadonlyMap<string, readonly Role[]> {
  const roles = new Map<string, Role[]>()
  for (const part of parts) {
    const read = roleOfGroup(part)
    if (read) roles.set(read.group, [...(roles.get(read.group) ?? []), read.role])
  }
  return roles
}
