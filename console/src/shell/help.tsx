// What the keyboard does.

import { isHelpOpen } from '../keys.ts'
import { Dialog, DialogButtons } from '../parts/dialog.tsx'
import { NAVIGATION } from '../routes.ts'

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [['/'], 'Search in this list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['?'], 'This help'],
]

export function Help() {
  const close = () => {
    isHelpOpen.value = false
  }
  const places = NAVIGATION.map(({ title, letter }) => [['g', letter], title] as const)
  return (
    <Dialog title="Keyboard" onClose={close}>
      <dl class="keys">
        {[...KEYS, ...places].map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <DialogButtons>
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </DialogButtons>
    </Dialog>
  )
}
