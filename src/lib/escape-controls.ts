// JSON that is safe to read in a terminal: its value is unchanged, and characters that would control a terminal are
// escaped.

/** JSON itself has already escaped the other control characters; its line breaks are layout. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

export function escapeControls(json: string): string {
  return json.replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
