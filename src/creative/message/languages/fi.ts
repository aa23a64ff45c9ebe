// Finnish: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const fi: MessageLanguage = {
  texts: {
    fi: {
      buttons: {
        learn: 'Lue lisää',
        shop: 'Osta nyt',
        book: 'Varaa nyt',
        register: 'Ilmoittaudu',
        apply: 'Hae nyt',
        call: 'Soita meille',
        order: 'Tilaa nyt',
        visit: 'Tule käymään',
        download: 'Lataa sovellus',
        donate: 'Lahjoita',
      },
      callAt: 'Soita:',
      sponsored: null,
    },
  },
  reading: null,
}
