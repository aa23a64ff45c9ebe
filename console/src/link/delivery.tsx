// One of a buyer's own deliveries.

import { DeliveryFrame } from '../parts/delivery-frame.tsx'
import type { Params } from '../paths.ts'
import { useLinkData } from './use-link-data.ts'

const LIST = '/link/deliveries'
const HOME = { path: LIST, title: 'All deliveries' }

export function LinkDelivery({ params }: { params: Params }) {
  const { delivery_id = '' } = params
  const loaded = useLinkData('GET /link/deliveries/:delivery_id', { params: { delivery_id } })
  return <DeliveryFrame delivery_id={delivery_id} loaded={loaded} list={LIST} home={HOME} />
}
