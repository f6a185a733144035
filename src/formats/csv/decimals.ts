/** What stands before the decimals of a number. */
export type DecimalSign = ',' | '.'
export const decimalSigns: readonly DecimalSign[] = ['.', ',']

/** White space and apostrophes that some countries put between the thousands. */
const gaps = "[ \\u00a0\\u2009\\u202f'’]"

const patterns: Readonly<Record<DecimalSign, RegExp>> = { '.': patternWith('\\.', ','), ',': patternWith(',', '\\.') }

/** Thousands are put together by one sign throughout, and never begin with a zero. */
function patternWith(sign: string, group: string): RegExp {
  const whole = `\\d+|[1-9]\\d{0,2}(?:${group}\\d{3})+|[1-9]\\d{0,2}(?:${gaps}\\d{3})+`
  return new RegExp(`^[+-]?(?:(?:${whole})(?:${sign}\\d+)?|${sign}\\d+)$`)
}

/** The number that a text is by that sign, in plain digits with a point; undefined where it is none. */
export function numberBy(sign: DecimalSign, text: string): string | undefined {
  const plain = text.trim().replace('−', '-')
  if (!patterns[sign].test(plain)) return undefined
  return plain.replace(new RegExp(sign === '.' ? `,|${gaps}` : `\\.|${gaps}`, 'g'), '').replace(',', '.')
}

/** No number and its unit are longer, and to look for one in white space without end would take time without end. */
const longestAmount = 400

/** An amount with what it is an amount of: `12,5 kg`. Undefined where the text does not begin with a number, or is one. */
export function amountIn(text: string): { readonly number: string; readonly unit: string } | undefined {
  if (text.length > longestAmount) return undefined
  const [, number = '', unit] = /^\s*([+\-−]?[\d.,][\d.,\s'’]*?)\s*([^\d.,\s'’+−-].*?)\s*$/su.exec(text) ?? []
  return unit === undefined ? undefined : { number, unit }
}

interface NumberCell {
  readonly row: number
  readonly text: string
}

/** Which sign the numbers of a column have, or why that cannot be told. */
type SignOfColumn = { readonly sign: DecimalSign } | UnclearColumn

/** Gathers what the cells of one column say about their decimal sign. */
export class DecimalEvidence {
  readonly #proofs: Partial<Record<DecimalSign, NumberCell>> = {}
  #doubt: NumberCell | undefined

  /** Of the same number in the record that the row is about: what it says there already is not in doubt. */
  add(row: number, text: string, known?: string): void {
    const [point, comma] = [numberBy('.', text), numberBy(',', text)]
    if (point === comma) return
    if (point === undefined) this.#proofs[','] ??= { row, text }
    else if (comma === undefined || point === known) this.#proofs['.'] ??= { row, text }
    else this.#doubt ??= { row, text }
  }

  get isInDoubt(): boolean {
    return this.#doubt !== undefined && this.#proofs['.'] === undefined && this.#proofs[','] === undefined
  }

  sign(): SignOfColumn {
    const { '.': point, ',': comma } = this.#proofs
    if (point !== undefined && comma !== undefined)
      return {
        ...comma,
        fault: `"${comma.text}" has a decimal comma and "${point.text}" in row ${point.row} a decimal point; write all in one way`,
      }
    if (comma !== undefined) return { sign: ',' }
    if (point !== undefined || this.#doubt === undefined) return { sign: '.' }
    const { row, text } = this.#doubt
    const allowed = decimalSigns.map((sign) => `decimal=${sign}`)
    return {
      ...{ row, text, allowed },
      fault: `"${text}" may be ${numberBy('.', text)} or ${numberBy(',', text)}; say ${allowed.join(' or ')} to have it read so`,
    }
  }
}

/** Why it cannot be told how a column is written: a cell that leaves it open, and what whoever sends the sheet may say. */
export interface UnclearColumn {
  readonly fault: string
  readonly row: number
  readonly text: string
  readonly allowed?: readonly string[]
}
