// Of the roles that the SDK can check, those that Adwire has.
export const ROLES = {
  protocols: ['media_buy', 'creative', 'signals'],
  specialisms: [
    'creative-template',
    'creative-generative',
    'signal-marketplace',
    'signal-owned',
    'sales-non-guaranteed',
    'sales-guaranteed',
  ],
}

/** Storyboards that the SDK runs for our protocols although they are of a role that Adwire does not have. */
export const NOT_OURS = {
  'media_buy_seller/proposal_finalize':
    'It is of the specialism sales-proposal-mode, which alone names it and which is not declared; the SDK runs it because its file lies in the folder of the protocol.',
}

/** The same for phases, so that those behind them are checked. */
export const PHASES_NOT_OURS = {
  deterministic_testing: {
    deterministic_session: 'It is of sponsored intelligence, whose sessions Adwire does not have.',
  },
}

/** What the SDK can only check over MCP. */
export const MCP_ALONE = {
  security_baseline:
    "Over A2A it cannot be graded: its steps name their own credentials, and the SDK's runner (testing/storyboard/runner.js) sends every such step with rawMcpProbe, an MCP tools/call to the agent's URL, whatever the protocol of the run. There is no MCP at that URL, so the answer is 405; its rawA2aProbe is called by nothing.",
}

/** Steps whose failure would hide the phases behind them: each is checked in a run of its own, which ends with it. */
export const STEPS_APART = {
  idempotency: ['no_duplicate_webhooks_on_replay'],
}
