// Bulgarian: the texts that an advertisement adds to a message. Its requests are not read by words of their own.

import type { MessageLanguage } from './message-language.ts'

export const bg: MessageLanguage = {
  texts: {
    bg: {
      buttons: {
        learn: 'Научете повече',
        shop: 'Купете сега',
        book: 'Резервирайте',
        register: 'Запишете се',
        apply: 'Кандидатствайте',
        call: 'Обадете се',
        order: 'Поръчайте',
        visit: 'Посетете ни',
        download: 'Изтеглете',
        donate: 'Дарете',
      },
      callAt: 'Обадете се:',
      sponsored: null,
    },
  },
  reading: null,
}
