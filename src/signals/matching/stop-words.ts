// Words that carry little meaning: one list for indexing, for queries and for reading a brief.

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** These describe how something is said, not what. */
export const STOP_WORDS = listed(
  `a about above across after again all already also am an and any are as at be because been
  before being between both but by can could d did do does doing down during each either else
  etc ever every few for from further get gets getting had has have having he her here hers him
  his how i if in into is it its itself just let like ll lot lots m many may me might more most
  much must my need needs no nor not now of off on once one only onto or other our ours out over
  own please re really s same shall she should so some still such t than that the their theirs
  them then there these they this those through to too under until up upon us ve very was we
  were what when where which while who whom whose why will with within would you your yours`,
)

/** These say that an audience is meant, but not which one: every signal is one. */
const AUDIENCE_WORDS = listed(
  `anyone audience audiences consumer consumers everyone find folks individual individuals
  looking people person reach segment segments signal signals someone target user users want
  wants`,
)

/** These say as little in a brief, but something in a name: "home buyers" are other people than "homes". */
const WEAK_WORDS = listed(
  `adults anybody buyers crowd crowds customer customers data enjoy enjoys everybody folk group
  groups guys household households humans interest interested interests kind kinds likes love
  loves market peeps persons population public shoppers somebody targeting targets type types
  viewers`,
)

/** Whether a word is neither indexed nor queried. */
export function isStopWord(word: string): boolean {
  return word.length < 2 || STOP_WORDS.has(word) || AUDIENCE_WORDS.has(word)
}

/** Words in a brief that only say that people are meant. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set([...AUDIENCE_WORDS, ...WEAK_WORDS])

/** Whether a word of a brief says which audience is meant. */
export function isContentWord(word: string): boolean {
  return !STOP_WORDS.has(word) && !GENERIC_WORDS.has(word)
}
