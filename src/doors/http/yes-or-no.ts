const yes: readonly unknown[] = [true, 1, '1', 'true']
const no: readonly unknown[] = [false, 0, '0', 'false']

/** The ways to write yes and no that a query can have, too. */
export const yesNoWords: readonly string[] = ['1', '0', 'true', 'false']

export function yesOrNo(input: unknown): boolean | undefined {
  if (yes.includes(input)) return true
  return no.includes(input) ? false : undefined
}
