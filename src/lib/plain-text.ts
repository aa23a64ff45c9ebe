// Sanitizes untrusted text for one line on a screen: it must not break the line or move the cursor.

const MAX_CHARS = 300

export function plainText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, MAX_CHARS)
}
