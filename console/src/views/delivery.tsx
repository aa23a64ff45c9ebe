// One delivery, with the actions an operator can take.

import type { Delivery } from '../../../src/console/api/deliveries.ts'
import { api } from '../api/client.ts'
import { useData } from '../api/use-data.ts'
import { curlOf } from '../curl.ts'
import { Action } from '../parts/action.tsx'
import { copyText } from '../parts/copy.tsx'
import { DeliveryFrame } from '../parts/delivery-frame.tsx'
import { toast } from '../parts/toast.tsx'
import type { Params } from '../paths.ts'
import { hrefOf } from '../router.ts'

const LINKS = {
  endpoint: ({ endpoint_id }: Delivery) => hrefOf(`/endpoints/${encodeURIComponent(endpoint_id)}`),
  task: (task_id: string) => hrefOf(`/tasks/${encodeURIComponent(task_id)}`),
  buy: (media_buy_id: string) => hrefOf(`/buys/${encodeURIComponent(media_buy_id)}`),
}

export function View({ params }: { params: Params }) {
  const { delivery_id = '' } = params
  const loaded = useData('GET /deliveries/:delivery_id', { params: { delivery_id } }, [
    'deliveries',
  ])
  const { value, show } = loaded
  return (
    <DeliveryFrame
      delivery_id={delivery_id}
      loaded={loaded}
      list="/deliveries"
      actions={value && <Actions delivery={value} show={show} />}
      about={LINKS}
    />
  )
}

interface ActionsProps {
  delivery: Delivery
  show(value: Delivery): void
}

function Actions({ delivery, show }: ActionsProps) {
  const { delivery_id, may } = delivery
  const params = { delivery_id }
  return (
    <>
      <CopyCurl delivery={delivery} />
      {may.cancel && (
        <Action
          label="Cancel"
          kind="danger"
          run={() => api('POST /deliveries/:delivery_id/cancel', { params, body: {} })}
          done="Cancelled. Nothing more is sent."
          onDone={show}
          confirm={{
            title: 'Cancel this delivery?',
            body: (
              <p>
                No further attempt is made, so the receiver does not get this event. An attempt that
                is under way may still arrive. It can be retried later.
              </p>
            ),
            yes: 'Cancel the delivery',
          }}
        />
      )}
      {may.retry && (
        <Action
          label="Retry now"
          kind="primary"
          run={() => api('POST /deliveries/:delivery_id/retry', { params, body: {} })}
          done="It is sent again."
          onDone={show}
        />
      )}
    </>
  )
}

/** For all users: it changes nothing here. */
function CopyCurl({ delivery }: { delivery: Delivery }) {
  const sent = delivery.history.findLast(({ request }) => request.headers !== undefined)
  const { body } = delivery
  if (!sent?.request.headers || body.is_cut) return null
  const { url, headers } = sent.request
  const copy = async () => {
    const isDone = await copyText(curlOf({ url, headers, body: body.text }))
    if (!isDone) toast('The browser did not let the command be copied.', 'bad')
    else toast('Copied. It contains the original signature, which may have expired.')
  }
  return (
    <button type="button" class="button" onClick={copy}>
      Copy as curl
    </button>
  )
}
