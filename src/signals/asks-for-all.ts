// Whether a brief requests the whole list (spec 4.3): "show all available signals" describes no audience, so there is
// nothing to search for. A brief with any word that could describe people is searched.

/** Request words, in the most common languages of briefs. */
const ASKING = words(`
  show list give get return display browse see find fetch discover explore present provide me us please can could you
  i we want need would like to let have do does is are there what which whats
  zeig zeige zeigen liste auflisten gib bitte mir uns welche gibt es
  montre montrer liste lister donne afficher moi nous quels quelles sont
  muestra mostrar lista listar dame ver por favor que cuales hay
  mostra mostrare elenca elencare dammi vedere quali sono
  mostre listar liste quais sao
  toon lijst geef mij ons welke zijn er
`)
/** All of them. */
const ALL = words(`
  all every everything any anything available entire whole complete full
  alle alles verfügbaren verfügbare vorhandenen gesamte gesamten
  tous toutes tout disponibles
  todos todas todo disponibles
  tutti tutte tutto disponibili
  disponíveis
  beschikbare
`)
/** What they are. */
const SIGNALS = words(`
  signal signals audience audiences segment segments offering offerings catalog catalogue inventory
  signale zielgruppen zielgruppe segmente katalog
  signaux audiences
  señales audiencias segmentos catálogo
  segnali catalogo
  sinais públicos
  signalen doelgroepen
`)
const SMALL = words(`
  the a an of in from your our my this that and for with by on at
  die der das den dem ein eine einen aus im in von und
  le la les des de du un une et dans
  el los las del una y en
  il lo gli i di della e nel
  o os as do da dos das um uma no na
  het een en uit
`)

const WORDS = /[\p{L}\p{N}]+/gu

export function asksForAll(spec: string): boolean {
  const said = spec.toLowerCase().match(WORDS) ?? []
  // "audience" names what the list contains, not a particular group.
  if (said.length > 0 && said.every((word) => SIGNALS.has(word))) return true
  if (![ALL, SIGNALS].every((kind) => said.some((word) => kind.has(word)))) return false
  return said.every((word) => [ASKING, ALL, SIGNALS, SMALL].some((kind) => kind.has(word)))
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''))
}
