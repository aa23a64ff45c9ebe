// A secret that the server returns once: held only by this dialog, and gone when it is closed.

import { CopyButton } from './copy.tsx'
import { Dialog, DialogButtons } from './dialog.tsx'

interface Props {
  title: string
  /** `key`, `link`. */
  what: string
  text: string
  /** What to do with it. */
  about: string
  onClose(): void
}

export function SecretDialog({ title, what, text, about, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <div class="secret">
        <code>{text}</code>
        <CopyButton text={text} what={what} />
      </div>
      <p class="soft small">
        It is displayed only once. The server does not store it, and you cannot recover it later.
      </p>
      <DialogButtons>
        <button type="button" class="button primary" onClick={onClose}>
          I saved it
        </button>
      </DialogButtons>
    </Dialog>
  )
}
