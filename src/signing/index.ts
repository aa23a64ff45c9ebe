// `adwire/signing`: the RFC 9421 profiles of spec 5 for other programs, without the rest of Adwire
// and without dependencies.

export { checkSignatureHere, checkSignatureOnThreadPool } from './check-signature.ts'
export { createContentDigest, readContentDigest } from './content-digest.ts'
export {
  generateKeyPair,
  importPublicKey,
  importVerificationKey,
  type KeyPair,
  type KeyPairOptions,
  type KeyPolicy,
  publicJwkOf,
  thumbprint,
} from './keys.ts'
export { importPrivateKey, localSigner, threadPoolSigner } from './local-signer.ts'
export type {
  CheckBody,
  CheckRevocation,
  CheckSignature,
  FindKey,
  FoundKey,
  HttpMessage,
  Jwk,
  KeyNotFound,
  ReplayStore,
  Signer,
} from './ports.ts'
export {
  type ContentDigestPolicy,
  codeOf,
  type DiscoveryFailure,
  FAILURES,
  type Failure,
  type FailureCode,
  type ProfileNames,
  type RequestProfileOptions,
  type RequestRelease,
  requestProfile,
  type SigningAlgorithm,
  type SigningProfile,
  webhookProfile,
} from './profile.ts'
export { type MemoryReplayOptions, memoryReplayStore } from './replay.ts'
export { type SignatureHeaders, type SignOptions, type SignResult, signMessage } from './sign.ts'
export { canonicalAuthority, canonicalTargetUri, type TargetUri } from './target-uri.ts'
export {
  type Refused,
  type Verified,
  type VerifiedHead,
  type VerifyOptions,
  verifyHead,
  verifyMessage,
} from './verify.ts'
export { type MessageHead, STEPS, type StepNumber } from './verify-steps.ts'
