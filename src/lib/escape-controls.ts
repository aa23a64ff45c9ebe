// JSON that may be read at a terminal: its value stays, and what a terminal would obey is written as an escape.

/** JSON has escaped the other controls itself; its line breaks are layout. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

export function escapeControls(json: string): string {
  return json.replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
