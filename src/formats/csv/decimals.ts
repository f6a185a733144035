export type DecimalSign = ',' | '.'
export const decimalSigns: readonly DecimalSign[] = ['.', ',']

/** White space and apostrophes that some countries use as thousands separators. */
const gaps = "[ \\u00a0\\u2009\\u202f'’]"

const patterns: Readonly<Record<DecimalSign, RegExp>> = { '.': patternWith('\\.', ','), ',': patternWith(',', '\\.') }

/** One thousands separator throughout, and no leading zero. */
function patternWith(sign: string, group: string): RegExp {
  const whole = `\\d+|[1-9]\\d{0,2}(?:${group}\\d{3})+|[1-9]\\d{0,2}(?:${gaps}\\d{3})+`
  return new RegExp(`^[+-]?(?:(?:${whole})(?:${sign}\\d+)?|${sign}\\d+)$`)
}

/** The number in plain digits with a point; undefined if the text is none. */
export function numberBy(sign: DecimalSign, text: string): string | undefined {
  const plain = text.trim().replace('−', '-')
  if (!patterns[sign].test(plain)) return undefined
  return plain.replace(new RegExp(sign === '.' ? `,|${gaps}` : `\\.|${gaps}`, 'g'), '').replace(',', '.')
}

/** Longer texts are no amount: the regular expression would take too long. */
const longestAmount = 400

/** A number and its unit: `12,5 kg`. Undefined without a number or without a unit. */
export function amountIn(text: string): { readonly number: string; readonly unit: string } | undefined {
  if (text.length > longestAmount) return undefined
  const [, number = '', unit] = /^\s*([+\-−]?[\d.,][\d.,\s'’]*?)\s*([^\d.,\s'’+−-].*?)\s*$/su.exec(text) ?? []
  return unit === undefined ? undefined : { number, unit }
}

interface NumberCell {
  readonly row: number
  readonly text: string
}

/** The decimal sign of a column, or the reason why it is ambiguous. */
type SignOfColumn = { readonly sign: DecimalSign } | UnclearColumn

/** Collects evidence for the decimal sign of one column. */
export class DecimalEvidence {
  readonly #proofs: Partial<Record<DecimalSign, NumberCell>> = {}
  #doubt: NumberCell | undefined

  /** `known` is the same number in the existing record; it settles the sign. */
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

/** The reason why a column's format is ambiguous: an example cell, and the option that settles it. */
export interface UnclearColumn {
  readonly fault: string
  readonly row: number
  readonly text: string
  readonly allowed?: readonly string[]
}
