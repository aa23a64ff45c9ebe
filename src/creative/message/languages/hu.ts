// Hungarian: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const hu: MessageLanguage = {
  texts: {
    hu: {
      buttons: {
        learn: 'Bővebben',
        shop: 'Vásárlás',
        book: 'Foglalás',
        register: 'Jelentkezés',
        apply: 'Jelentkezés',
        call: 'Hívjon minket',
        order: 'Rendelés',
        visit: 'Látogasson el',
        download: 'Letöltés',
        donate: 'Adományozás',
      },
      callAt: 'Hívjon:',
      sponsored: null,
    },
  },
  reading: null,
}
