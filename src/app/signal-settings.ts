// The settings of the signal agent: who may use it, how much is searched at once, and its connectors.

import { MAX_SPEC_LENGTH } from '../protocol/spec-length.ts'
import { ACCOUNT_RULES } from '../signals/access.ts'
import { sandboxRuleFault } from '../signals/connectors/sandbox.ts'
import { integer, list, oneOf, text, toggle } from './setting.ts'

export const SIGNAL_SETTINGS = {
  signalsAccess: oneOf({
    env: 'ADWIRE_SIGNALS_ACCESS',
    about:
      'Who knows of the signal agent: everybody, or only ADWIRE_SIGNALS_PRINCIPALS, to others it is ' +
      'not there.',
    default: 'open',
    placeholder: 'who',
    values: ['open', 'private'],
  }),
  signalsRerank: toggle({
    env: 'ADWIRE_SIGNALS_RERANK',
    about:
      'Let the model of ADWIRE_LLM_MODEL rank the best 20 signals of a search, within 3 seconds.',
    default: 'false',
  }),
  signalsModel: toggle({
    env: 'ADWIRE_SIGNALS_MODEL',
    about:
      'Search signals with the sentence model, which takes some 340 MB of memory. Without it they ' +
      'are found by the distilled table and their words alone.',
    default: 'true',
  }),
  signalsPrincipals: list({
    env: 'ADWIRE_SIGNALS_PRINCIPALS',
    about:
      'Principals, by id or name, that may use the signal agent. Empty: all, unless it is private.',
    default: '',
    check: () => undefined,
  }),
  signalsAnonymous: toggle({
    env: 'ADWIRE_SIGNALS_ANONYMOUS',
    about:
      'Answer get_signals to callers without a key, with the signals that are for everybody. Otherwise ' +
      'they are answered 401.',
    default: 'true',
  }),
  signalsAccounts: oneOf({
    env: 'ADWIRE_SIGNALS_ACCOUNTS',
    about:
      'Which accounts of platforms a principal may use: those it was granted, or, on a server of a ' +
      'single tenant, any where it was granted none.',
    default: 'granted',
    placeholder: 'which',
    values: [...ACCOUNT_RULES],
  }),
  signalsSearchesAtOnce: integer({
    env: 'ADWIRE_SIGNALS_SEARCHES_AT_ONCE',
    about:
      'Searches for signals at once; half of them at most of one principal, and half of all callers ' +
      'without a key, of whom each has one.',
    default: '8',
    min: 2,
    max: 256,
  }),
  signalsSearchesWaiting: integer({
    env: 'ADWIRE_SIGNALS_SEARCHES_WAITING',
    about:
      'Searches that wait before all are answered 503; a quarter of them at most of callers without ' +
      'a key.',
    default: '512',
    min: 4,
    max: 100_000,
  }),
  signalsCallerWaiting: integer({
    env: 'ADWIRE_SIGNALS_CALLER_WAITING',
    about: 'Searches of one principal that wait before it is answered 429.',
    default: '64',
    min: 1,
    max: 100_000,
  }),
  signalsKeylessWaiting: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_WAITING',
    about: 'The same of one address without a key.',
    default: '8',
    min: 1,
    max: 100_000,
  }),
  signalsKeylessPerMinute: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_PER_MINUTE',
    about: 'Searches of one address without a key in a minute before it is answered 429.',
    default: '60',
    min: 1,
    max: 10_000_000,
  }),
  signalsKeylessSpecLength: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_SPEC_LENGTH',
    about: 'Longest signal_spec without a key, in characters; with one it is 4000.',
    default: '1000',
    min: 1,
    max: MAX_SPEC_LENGTH,
  }),
  signalsSearchSeconds: integer({
    env: 'ADWIRE_SIGNALS_SEARCH_SECONDS',
    about: 'Longest time of a search for signals, its wait included, before it is answered 503.',
    default: '30',
    min: 1,
    max: 3_600,
  }),
  sandboxDelaySeconds: integer({
    env: 'ADWIRE_SANDBOX_DELAY_SECONDS',
    about: 'How long the platform sandbox takes to activate a signal.',
    default: '5',
    min: 0,
    max: 259_200,
  }),
  sandboxFail: list({
    env: 'ADWIRE_SANDBOX_FAIL',
    about:
      'What the sandbox platform fails: a share of activations from 0 to 1, or accounts by name, * ' +
      'standing for anything.',
    default: 'fail*',
    check: sandboxRuleFault,
  }),
  connectors: text({
    env: 'ADWIRE_CONNECTORS',
    about:
      'Services or modules that activate signals on platforms, by the platform: JSON, or a file of ' +
      'it; see docs/writing-a-connector.md.',
    default: '',
    placeholder: 'json',
    secret: true,
  }),
} as const
