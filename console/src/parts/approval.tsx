// A request that waits for an operator's decision, and the possible decisions: ask, approve and reject.

import { useSignal } from '@preact/signals'
import type { ApprovalItem } from '../../../src/console/api/tasks.ts'
import { api } from '../api/client.ts'
import { money, sentence } from '../words.ts'
import { Action } from './action.tsx'
import { Id } from './copy.tsx'
import { Field } from './field.tsx'
import { Facts } from './panel.tsx'
import { Time } from './time.tsx'
import { type Moment, Timeline } from './timeline.tsx'

export function ApprovalFacts({ approval }: { approval: ApprovalItem }) {
  const { requested } = approval
  return (
    <div class="stack">
      <p class="wrap-anywhere">{sentence(approval.reason)}</p>
      <Facts
        of={[
          ['Budget', <b key="budget">{money(requested.total_budget, requested.currency)}</b>],
          ['Products', requested.product_ids.join(', ')],
          ['Begins', <Begin key="start" at={requested.start_time} />],
          ['Ends', <Time key="end" at={requested.end_time} />],
          ['Media buy', <Id key="buy" text={approval.media_buy_id} what="media buy id" wraps />],
          ['Asked', <Time key="asked" at={approval.created_at} as="full" />],
          [
            'Approvals',
            approval.needed > 1 &&
              (approval.first_by === undefined
                ? 'two people have to approve'
                : `approved by ${approval.first_by_name ?? approval.first_by}; another person has to approve as well`),
          ],
          ['Decided', approval.decided_at && <Time at={approval.decided_at} as="full" />],
          ['Decided by', approval.decided_by_name ?? approval.decided_by],
          ['Note', approval.note],
        ]}
      />
      <Talk approval={approval} />
    </div>
  )
}

/** The questions and the answers. */
function Talk({ approval: { talk, state } }: { approval: ApprovalItem }) {
  if (talk.length === 0) return null
  const isOpen = state === 'waiting' && talk.at(-1)?.from === 'seller'
  const moments: Moment[] = talk.map(({ from, by, text, at }) => ({
    key: `${from} ${at}`,
    tone: from === 'seller' ? 'info' : 'good',
    title: from === 'seller' ? `Question by ${by}` : `Answer by ${by}`,
    at,
    children: <p class="said">{text}</p>,
  }))
  if (isOpen) {
    moments.push({ key: 'open', tone: 'future', title: 'The buyer has not answered yet' })
  }
  return <Timeline label="Questions and answers" moments={moments} />
}

/** `asap` is a start as well. */
function Begin({ at }: { at: string }) {
  return at === 'asap' ? <span>as soon as possible</span> : <Time at={at} />
}

interface DecisionProps {
  approval: ApprovalItem
  onDone(): void
  small?: boolean
}

export function DecisionActions({ approval, onDone, small = false }: DecisionProps) {
  const note = useSignal('')
  const { task_id, requested } = approval
  const decide = (approved: boolean) => {
    const said = note.peek().trim()
    const body = said === '' ? { approved } : { approved, note: said }
    return api('POST /approvals/:task_id', { params: { task_id }, body })
  }
  const field = (
    <Field
      label="Note for the buyer (optional)"
      value={note}
      type="lines"
      rows={3}
      maxLength={500}
    />
  )
  const budget = money(requested.total_budget, requested.currency)
  return (
    <>
      <AskAction approval={approval} onDone={onDone} small={small} />
      <Action
        needs="approver"
        label="Reject"
        kind="danger"
        small={small}
        run={() => decide(false)}
        done="Rejected. The buyer is notified."
        onDone={onDone}
        confirm={{
          title: `Reject this buy of ${budget}?`,
          body: (
            <>
              <p>The buyer's task ends as rejected. This cannot be undone.</p>
              {field}
            </>
          ),
        }}
      />
      <Action
        needs="approver"
        label="Approve"
        kind="primary"
        small={small}
        run={() => decide(true)}
        done={(value) =>
          value.state === 'approved'
            ? 'Approved. The buyer is notified.'
            : 'Approved. Another person has to approve as well.'
        }
        onDone={onDone}
        confirm={{
          title: `Approve this buy of ${budget}?`,
          body: (
            <>
              <p>
                {approval.needed > 1 && approval.first_by === undefined
                  ? 'This is the first of two approvals: the buy waits until another person approves it as well.'
                  : 'The buy is created as requested, and the buyer is notified.'}
              </p>
              {field}
            </>
          ),
        }}
      />
    </>
  )
}

function AskAction({ approval: { task_id }, onDone, small = false }: DecisionProps) {
  const question = useSignal('')
  return (
    <Action
      needs="approver"
      label="Ask"
      small={small}
      run={() => {
        const requested = question.peek().trim()
        if (requested === '') return NO_QUESTION
        return api('POST /approvals/:task_id/ask', {
          params: { task_id },
          body: { question: requested },
        })
      }}
      done="Question sent. The buyer is notified, and the buy stays pending."
      onDone={() => {
        question.value = ''
        onDone()
      }}
      confirm={{
        title: 'Ask the buyer',
        body: (
          <>
            <p>
              The buyer's task says the question. The answer appears here, and the buy waits for
              your decision meanwhile.
            </p>
            <Field
              label="Question"
              value={question}
              type="lines"
              rows={3}
              maxLength={1000}
              required
            />
          </>
        ),
      }}
    />
  )
}

const NO_QUESTION = Promise.resolve({
  ok: false,
  fault: { kind: 'refused', code: 'no_question', message: 'Write a question first.' },
} as const)
