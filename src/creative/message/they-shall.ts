// `Que pidan una demo`: Spanish and Portuguese express a call to action in the third person. On a button the same
// verb is an infinitive.

import type { FoldedText } from './phrases.ts'

const INFINITIVES: ReadonlyMap<string, string> = new Map(
  `pidan pedir|reserven reservar|llamen llamar|compren comprar|visiten visitar|descarguen descargar|soliciten solicitar|prueben probar|contacten contactar|vengan venir|donen donar|
  escriban escribir|conozcan conocer|entren entrar|inscriban inscribir|apunten apuntar|registren registrar|suscriban suscribir|agenden agendar|encarguen encargar|ayuden ayudar|voten votar|participen participar|
  peçam pedir|reservem reservar|liguem ligar|comprem comprar|visitem visitar|baixem baixar|descarreguem descarregar|solicitem solicitar|experimentem experimentar|contactem contactar|venham vir|doem doar|
  escrevam escrever|conheçam conhecer|entrem entrar|inscrevam inscrever|registem registar|agendem agendar|marquem marcar|encomendem encomendar|ajudem ajudar|participem participar|simulem simular`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]),
)

/** What such a button begins with, which may appear nowhere in the message. */
export const BUTTON_VERBS: readonly string[] = [...INFINITIVES.values()].flatMap((verb) => [
  verb,
  `${verb}se`,
  `${verb}-se`,
])

/** What they should do, for a button; undefined if nothing is said about them. */
export function theyShall({ text, words }: FoldedText): string | undefined {
  const [que, ...rest] = words
  if (que?.exact !== 'que') return undefined
  const isReflexive = rest[0]?.exact === 'se'
  const verb = rest[isReflexive ? 1 : 0]
  const infinitive = INFINITIVES.get(verb?.exact ?? '')
  if (!verb || infinitive === undefined) return undefined
  const isPortuguese = verb.exact.endsWith('em') || verb.exact.endsWith('am')
  const reflexive = isReflexive ? (isPortuguese ? '-se' : 'se') : ''
  return `${infinitive}${reflexive}${text.slice(verb.end)}`
}
