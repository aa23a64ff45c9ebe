// One format: its form, or a build for it, with a preview that updates while typing.

import type { FormatRef } from '../../../src/console/api/studio.ts'
import { useData } from '../api/use-data.ts'
import { FaultBanner, FaultNotice } from '../parts/notice.tsx'
import { ViewHead } from '../parts/panel.tsx'
import { Skeletons } from '../parts/skeletons.tsx'
import type { Params } from '../paths.ts'
import { query } from '../router.ts'
import { mayAct } from '../session.ts'
import { AboutFormat, MadeOf } from '../studio/about-format.tsx'
import { Workplace } from '../studio/workplace.tsx'

export function View({ params }: { params: Params }) {
  const { format = '' } = params
  const parameters = parametersOf()
  const { value, fault, refresh } = useData(
    'GET /studio/formats/:format',
    { params: { format }, query: parameters },
    [],
  )
  return (
    <>
      <ViewHead
        title={value?.name ?? 'Format'}
        within={{ title: 'Creative studio', path: '/studio' }}
        {...(value?.description !== undefined && { about: value.description })}
      />
      {value && <FaultBanner fault={fault} retry={refresh} />}
      {fault && !value && <FaultNotice fault={fault} retry={refresh} />}
      {!fault && !value && <Skeletons panels={2} />}
      {value && mayAct() && <Workplace format={value} at={{ id: value.id, ...parameters }} />}
      {value && !mayAct() && (
        <div class="columns">
          <div class="half">
            <MadeOf slots={value.slots} />
          </div>
          <div class="half">
            <AboutFormat format={value} />
          </div>
        </div>
      )}
    </>
  )
}

/** A template's size and length from the address. */
function parametersOf(): Omit<FormatRef, 'id'> {
  const found: Omit<FormatRef, 'id'> = {}
  for (const name of ['width', 'height', 'duration_ms'] as const) {
    const given = Number(query.value.get(name))
    if (Number.isInteger(given) && given > 0) found[name] = given
  }
  return found
}
