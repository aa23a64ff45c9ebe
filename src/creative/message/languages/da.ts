// Danish: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const da: MessageLanguage = {
  texts: {
    da: {
      buttons: {
        learn: 'Læs mere',
        shop: 'Køb nu',
        book: 'Book nu',
        register: 'Tilmeld dig',
        apply: 'Søg jobbet',
        call: 'Ring til os',
        order: 'Bestil nu',
        visit: 'Besøg os',
        download: 'Hent appen',
        donate: 'Giv et bidrag',
      },
      callAt: 'Ring',
      sponsored: null,
    },
  },
  reading: null,
}
