// The settings of the signal agent: who may use it, how much is searched at once, and its connectors.

import { MAX_SPEC_LENGTH } from '../protocol/spec-length.ts'
import { ACCOUNT_RULES } from '../signals/access.ts'
import { sandboxRuleFault } from '../signals/connectors/sandbox.ts'
import { integer, list, oneOf, text, toggle } from './setting.ts'

export const SIGNAL_SETTINGS = {
  signalsAccess: oneOf({
    env: 'ADWIRE_SIGNALS_ACCESS',
    about:
      'Visibility of the signal agent: open to everyone, or only to ADWIRE_SIGNALS_PRINCIPALS; for all others it does not exist.',
    default: 'open',
    placeholder: 'who',
    values: ['open', 'private'],
  }),
  signalsRerank: toggle({
    env: 'ADWIRE_SIGNALS_RERANK',
    about:
      'Let the model in ADWIRE_LLM_MODEL rank the best 20 signals of a search, within 3 seconds.',
    default: 'false',
  }),
  signalsModel: toggle({
    env: 'ADWIRE_SIGNALS_MODEL',
    about:
      'Search signals with the sentence model, which uses about 340 MB of memory. Without it, the search uses only the distilled table and words.',
    default: 'true',
  }),
  signalsPrincipals: list({
    env: 'ADWIRE_SIGNALS_PRINCIPALS',
    about:
      'Principals, by id or name, that may use the signal agent. Default: all, unless it is private.',
    default: '',
    check: () => undefined,
  }),
  signalsAnonymous: toggle({
    env: 'ADWIRE_SIGNALS_ANONYMOUS',
    about:
      'Return the public signals from get_signals to callers without a key. Otherwise, the response is 401.',
    default: 'true',
  }),
  signalsAccounts: oneOf({
    env: 'ADWIRE_SIGNALS_ACCOUNTS',
    about:
      'Which platform accounts a principal may use: those granted to it, or, on a single-tenant server, any account of a platform where none was granted.',
    default: 'granted',
    placeholder: 'which',
    values: [...ACCOUNT_RULES],
  }),
  signalsSearchesAtOnce: integer({
    env: 'ADWIRE_SIGNALS_SEARCHES_AT_ONCE',
    about:
      'Concurrent signal searches. One principal can use at most half of them; so can all callers without a key together, with one each.',
    default: '8',
    min: 2,
    max: 256,
  }),
  signalsSearchesWaiting: integer({
    env: 'ADWIRE_SIGNALS_SEARCHES_WAITING',
    about:
      'Signal searches that may wait; above it, the response is 503. Callers without a key can use at most a quarter of them.',
    default: '512',
    min: 4,
    max: 100_000,
  }),
  signalsCallerWaiting: integer({
    env: 'ADWIRE_SIGNALS_CALLER_WAITING',
    about: 'Signal searches of one principal that may wait; above it, the response is 429.',
    default: '64',
    min: 1,
    max: 100_000,
  }),
  signalsKeylessWaiting: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_WAITING',
    about:
      'Signal searches of one address without a key that may wait; above it, the response is 429.',
    default: '8',
    min: 1,
    max: 100_000,
  }),
  signalsKeylessPerMinute: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_PER_MINUTE',
    about:
      'Signal searches per minute of one address without a key; above it, the response is 429.',
    default: '60',
    min: 1,
    max: 10_000_000,
  }),
  signalsKeylessSpecLength: integer({
    env: 'ADWIRE_SIGNALS_KEYLESS_SPEC_LENGTH',
    about: 'Maximum length of a signal_spec without a key, in characters; with a key it is 4000.',
    default: '1000',
    min: 1,
    max: MAX_SPEC_LENGTH,
  }),
  signalsSearchSeconds: integer({
    env: 'ADWIRE_SIGNALS_SEARCH_SECONDS',
    about: 'Maximum time of a signal search, including waiting; above it, the response is 503.',
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
      'Which activations the sandbox platform fails: a share from 0 to 1, or accounts by name, with * as a wildcard.',
    default: 'fail*',
    check: sandboxRuleFault,
  }),
  connectors: text({
    env: 'ADWIRE_CONNECTORS',
    about:
      'Services or modules that activate signals, by platform: JSON, or a file with it; see docs/writing-a-connector.md.',
    default: '',
    placeholder: 'json',
    secret: true,
  }),
} as const
