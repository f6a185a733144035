/** Has no accents to take away; of tens of thousands of names most have none. */
const isPlain = /^[ -~]*$/

/** Text as it is compared: without case, accents and the space around it. */
export function folded(text: string): string {
  if (isPlain.test(text)) return text.toLowerCase().trim()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

export function foldedWords(text: string): string[] {
  return [...new Set(folded(text).split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== '')
}
