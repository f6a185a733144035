/**
 * Characters that no text of a farm may hold: those that XML 1.0 (section 2.2) cannot carry, so that whatever is written
 * in one format can be read in the other. Half a surrogate pair matches because of the `u` flag.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

/**
 * Characters that a text of one line may not hold: control characters, line and paragraph separators, and those that turn the direction of the
 * text around them. A terminal or a list would show something else than what is there. Joiners and marks of direction are letters of some scripts.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

/** What is wrong with a text of one line; null where nothing is. */
export function faultOfLine(text: string): string | null {
  const found = unprintable.exec(text)
  return found && `holds the character ${nameOfCharacter(found[0])}, which a text of one line cannot have: leave it out`
}

export function nameOfCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

/** A text of somebody else as one line of a terminal, which it cannot take over. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')

const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as element content or quoted attribute of HTML. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => htmlNames[character] ?? '')
