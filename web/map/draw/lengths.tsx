import type { JSX } from 'preact'
import { decimalIn } from '../../forms/typed-number.ts'
import { usesAcres } from '../../look/place/area-size.ts'
import { figure } from '../../words/format.ts'
import { say } from '../../words/say.ts'

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly mode?: 'decimal' | 'numeric'
}

/** A number with a comma or a point, as it is typed. */
export function NumberField({ label, value, onText, mode = 'decimal' }: NumberFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          value={value}
          inputMode={mode}
          autocomplete="off"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </span>
    </label>
  )
}

const foot = 0.3048

const metresInUnit = (): number => (usesAcres() ? foot : 1)

/** "158 m", "7.5 m", or in feet on a farm with US units. */
export function lengthText(metres: number): string {
  const amount = metres / metresInUnit()
  return say(usesAcres() ? 'draw.feet' : 'draw.metres', { amount: figure(amount, amount < 20 ? 1 : 0) })
}

/** What fields for lengths are labelled with: "Length, m". */
export const withUnit = (label: string): string =>
  say('draw.in-unit', { label, unit: say(usesAcres() ? 'draw.unit.feet' : 'draw.unit.metres') })

/** Metres; undefined where nothing above 0 was typed. */
export function metresTyped(typed: string): number | undefined {
  const metres = Number(decimalIn(typed) ?? Number.NaN) * metresInUnit()
  return metres > 0 && metres < 100_000 ? metres : undefined
}

/** A length to be typed over: rounded down to a tenth, so that what fits goes on fitting. */
export const typedMetres = (metres: number): string => String(Math.floor((metres / metresInUnit()) * 10 + 1e-6) / 10)
