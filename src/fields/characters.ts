/**
 * Characters that no text of a farm may hold: those that XML 1.0 (section 2.2) cannot carry, so that whatever is written
 * in one format can be read in the other. Half a surrogate pair matches because of the `u` flag.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const uncarriable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u

export function nameOfCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
