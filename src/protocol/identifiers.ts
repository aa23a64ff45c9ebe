// Every identifier that holds the protocol's name, derived in this one place. With another name the
// same program speaks to another ecosystem, and nothing else about it changes.

export const DEFAULT_PROTOCOL_NAME = 'proto'

export interface Identifiers {
  name: string
  /** Tags of the two signing profiles. */
  webhookTag: string
  requestTag: string
  /** The member of a JWK that says what the key is for. */
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
  /** Names of tools. */
  callTool: string
  capabilitiesTask: string
}

export function identifiersFor(name: string): Identifiers {
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
    callTool: `call_${name}_agent`,
    capabilitiesTask: `get_${name}_capabilities`,
  }
}
