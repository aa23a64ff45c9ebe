// Hashtags at the end of a line are labels for a social network and not copy; within a sentence one is a word of it.

export interface Untagged {
  text: string
  hashtags: readonly string[]
}

const TAG = /^[#＃][\p{L}\p{N}_]/u
const WORD = /[\p{L}\p{N}]/u

/** They stay if nothing else is said. */
export function withoutHashtags(message: string): Untagged {
  const hashtags: string[] = []
  const lines = message.split('\n').map((line) => {
    const words = line.split(' ')
    let end = words.length
    while (end > 0 && isLoose(words[end - 1] ?? '')) end--
    const tags = words.slice(end).filter((word) => TAG.test(word))
    hashtags.push(...tags)
    return tags.length === 0 ? line : words.slice(0, end).join(' ')
  })
  const text = lines.join('\n')
  return WORD.test(text) ? { text, hashtags } : { text: message, hashtags: [] }
}

/** A hashtag, or signs between hashtags. */
function isLoose(word: string): boolean {
  return TAG.test(word) || !WORD.test(word)
}
