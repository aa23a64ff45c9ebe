// The text of a button before a telephone number, by language.

/** Before a telephone number; in other languages it comes after the words for a call and a colon. */
export const CALL_AT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    en: 'Call',
    de: 'Anrufen:',
    fr: 'Appeler le',
    es: 'Llamar al',
    it: 'Chiama lo',
    pt: 'Ligar:',
    nl: 'Bel',
    pl: 'Zadzwoń:',
    sv: 'Ring',
    da: 'Ring',
    nb: 'Ring',
    fi: 'Soita:',
    cs: 'Volejte',
    hu: 'Hívjon:',
    ro: 'Sună:',
    tr: 'Ara:',
    vi: 'Gọi',
    id: 'Telepon',
    el: 'Καλέστε',
    ru: 'Позвонить:',
    uk: 'Подзвонити:',
    bg: 'Обадете се:',
    'zh-Hans': '致电',
    'zh-Hant': '致電',
    ja: '電話',
    ko: '전화',
  }),
)
