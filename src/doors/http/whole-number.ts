/** A whole number given as a number or as its digits; anything else, also `012` and `1e9` in quotes, is not one. */
export function wholeNumber(input: unknown): number | undefined {
  if (typeof input === 'string' && !/^(0|-?[1-9]\d{0,15})$/.test(input)) return undefined
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const number = Number(input)
  return Number.isSafeInteger(number) ? number + 0 : undefined
}
