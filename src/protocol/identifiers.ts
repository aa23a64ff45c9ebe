// Every identifier that contains the protocol's name, derived only here. With a different name the same program
// belongs to another ecosystem; nothing else changes.

export const DEFAULT_PROTOCOL_NAME = 'proto'

/** The organization that defines the profile of a protocol: a URI needs a host, and the name does not contain one. */
const PROFILE_HOSTS: ReadonlyMap<string, string> = new Map([['adcp', 'adcontextprotocol.org']])

export interface Identifiers {
  name: string
  /** Tags of the two signing profiles. */
  webhookTag: string
  requestTag: string
  /** The JWK member that contains the key's purpose. */
  keyUse: string
  /** Headers of the legacy HMAC scheme, in lower case as they are compared. */
  signatureHeader: string
  timestampHeader: string
  /** `typ` of a signed revocation list. */
  revocationType: string
  /** Members of requests and answers. */
  errorMember: string
  versionMember: string
  majorVersionMember: string
  /** The member of an A2A artifact's metadata that names the continuing task. */
  taskIdMember: string
  /** The URI of the profile that binds the protocol to A2A 1.0. */
  a2aProfile: string
  /** `$schema` of an adagents.json. */
  adagentsSchema: string
  /** Names of tools. */
  callTool: string
  capabilitiesTask: string
}

export function identifiersFor(name: string): Identifiers {
  const host = PROFILE_HOSTS.get(name) ?? `${name}.example`
  return {
    name,
    webhookTag: `${name}/webhook-signing/v1`,
    requestTag: `${name}/request-signing/v1`,
    keyUse: `${name}_use`,
    signatureHeader: `x-${name}-signature`,
    timestampHeader: `x-${name}-timestamp`,
    revocationType: `${name}-gov-revocation+jws`,
    errorMember: `${name}_error`,
    versionMember: `${name}_version`,
    majorVersionMember: `${name}_major_version`,
    taskIdMember: `${name}_task_id`,
    a2aProfile: `https://${host}/extensions/${name}/v3`,
    adagentsSchema: `https://${host}/schemas/v3/adagents.json`,
    callTool: `call_${name}_agent`,
    capabilitiesTask: `get_${name}_capabilities`,
  }
}
