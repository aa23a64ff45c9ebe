// Norwegian: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const nb: MessageLanguage = {
  texts: {
    nb: {
      buttons: {
        learn: 'Les mer',
        shop: 'Handle nå',
        book: 'Bestill time',
        register: 'Meld deg på',
        apply: 'Søk nå',
        call: 'Ring oss',
        order: 'Bestill nå',
        visit: 'Besøk oss',
        download: 'Last ned',
        donate: 'Gi en gave',
      },
      callAt: 'Ring',
      sponsored: null,
    },
  },
  reading: null,
}
