// What the console may cost.

import { defineLimits } from '../lib/limit.ts'

export const CONSOLE_LIMITS = defineLimits({
  signInsPerMinute: {
    what: 'attempts of one address to sign in to the console',
    value: 10,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  sessionSeconds: {
    what: 'life of a session of the console',
    value: 12 * 3_600,
    unit: 'seconds',
    beyond: '401: sign in again',
  },
  idleSeconds: {
    what: 'time without a request after which a session of the console ends',
    value: 3_600,
    unit: 'seconds',
    beyond: '401: sign in again',
  },
  signInSeconds: {
    what: 'time for signing in at the identity provider',
    value: 600,
    unit: 'seconds',
    beyond: 'it is begun again',
  },
  sessionsOfOne: {
    what: 'sessions of one principal in the console',
    value: 20,
    unit: '',
    beyond: 'the oldest ends',
  },
  streams: {
    what: 'streams of events of the console, in all',
    value: 500,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  streamsOfOne: {
    what: 'streams of events of one session of the console',
    value: 8,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  bodyBytes: {
    what: 'body of a request to the console’s API, with a session',
    value: 512 * 1_024,
    unit: 'bytes',
    beyond: '413, by the bytes that were received; the rest is not read',
  },
  importBytes: {
    what: 'file of signals that is imported in the console',
    value: 20 * 1_024 * 1_024,
    unit: 'bytes',
    beyond: '413, by the bytes that were received; the rest is not read',
  },
  importsAtOnce: {
    what: 'files of signals that are read for the console at a time; of one principal one',
    value: 2,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  agentCallsPerMinute: {
    what: 'questions to and calls of other agents from the console, of one principal',
    value: 60,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  agentCalls: {
    what: 'calls of other agents from the console at the same time',
    value: 16,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  agentCallsOfOne: {
    what: 'calls of other agents from the console at the same time, of one principal',
    value: 4,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  examinations: {
    what: 'examinations by the doctor from the console at the same time',
    value: 2,
    unit: '',
    beyond: '429 with `Retry-After`',
  },
  importSeconds: {
    what: 'time for which a file of signals is read for the console',
    value: 600,
    unit: 'seconds',
    beyond: 'it is called off; what was taken stays',
  },
  examinationSeconds: {
    what: 'time of an examination by the doctor from the console',
    value: 900,
    unit: 'seconds',
    beyond: 'the remaining checks are skipped, and the report lists them',
  },
  reports: {
    what: 'reports of the doctor that the console keeps in memory',
    value: 20,
    unit: '',
    beyond: 'the oldest is forgotten',
  },
  linksOfOne: {
    what: 'good buyer’s links of one principal',
    value: 50,
    unit: '',
    beyond: '409: revoke one first',
  },
  browsersOfLink: {
    what: 'browsers in which one buyer’s link is open',
    value: 20,
    unit: '',
    beyond: 'the oldest stream is closed',
  },
  linkOpensPerMinute: {
    what: 'attempts of one address to open a buyer’s link',
    value: 10,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  linkRequestsPerMinute: {
    what: 'requests of the pages of one buyer’s link',
    value: 300,
    unit: 'a minute',
    beyond: '429 with `Retry-After`',
  },
  endedLinkSeconds: {
    what: 'time for which an ended buyer’s link is listed',
    value: 30 * 86_400,
    unit: 'seconds',
    beyond: 'the link is forgotten',
  },
  refusedKindsPerHour: {
    what: 'entries of the audit log in an hour for refused sign-ins and requests of the console, of one principal, and of all unknown callers together',
    value: 200,
    unit: '',
    beyond: 'further attempts of that hour are counted together, without address and target',
  },
  unknownAudit: {
    what: 'entries of the audit log for attempts of unknown callers',
    value: 50_000,
    unit: '',
    beyond: 'the oldest are deleted',
  },
  auditSeconds: {
    what: 'time for which the console’s audit log is kept',
    value: 365 * 86_400,
    unit: 'seconds',
    beyond: 'the entry is forgotten',
  },
})
