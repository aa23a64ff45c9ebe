// Romanian: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const ro: MessageLanguage = {
  texts: {
    ro: {
      buttons: {
        learn: 'Află mai multe',
        shop: 'Cumpără acum',
        book: 'Rezervă',
        register: 'Înscrie-te',
        apply: 'Aplică',
        call: 'Sună-ne',
        order: 'Comandă',
        visit: 'Vizitează-ne',
        download: 'Descarcă',
        donate: 'Donează',
      },
      callAt: 'Sună:',
      sponsored: null,
    },
  },
  reading: null,
}
