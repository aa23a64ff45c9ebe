// The language and the register of a labelled message, which authors describe in their own words.

export function languageOf({ language }) {
  if (language.includes('+')) return 'mixed'
  if (language.startsWith('zh')) return 'zh'
  return language.includes('Latn') ? 'hi-Latn' : language.split('-')[0]
}

/** The words that authors use for each. */
const REGISTERS = {
  copy: /^(?:copy|slogan|facts?|short|proverb)/,
  email: /^e-?mail/,
  chat: /^(?:chat|slack|plain|polite)/,
  voice: /^voice/,
  form: /^(?:form|bullets|json|formul|fiche|label)/,
  'sloppy typing': /^(?:sloppy|caps)/,
  brief: /^brief/,
  revision: /^(?:revision|feedback|complaint|keep)/,
  agent: /^agent/,
  question: /^(?:question|request)/,
  order: /^(?:imperative|instruction|consigne|anweisung|istruzione|polecenie|pokyn|utas)/,
  mixed: /^(?:mixed|copy\+instr)/,
}

export function registerOf({ register = '' }) {
  const found = Object.entries(REGISTERS).find(([, pattern]) => pattern.test(register))
  return found?.[0] ?? 'other'
}
