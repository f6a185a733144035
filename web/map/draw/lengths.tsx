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

/** Number input with decimal comma or point. */
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

/** "158 m", "7.5 m", or feet with US units. */
export function lengthText(metres: number): string {
  const amount = metres / metresInUnit()
  return say(usesAcres() ? 'draw.feet' : 'draw.metres', { amount: figure(amount, amount < 20 ? 1 : 0) })
}

/** Label with the unit: "Length, m". */
export const withUnit = (label: string): string =>
  say('draw.in-unit', { label, unit: say(usesAcres() ? 'draw.unit.feet' : 'draw.unit.metres') })

/** Metres; undefined unless a number above 0 was typed. */
export function metresTyped(typed: string): number | undefined {
  const metres = Number(decimalIn(typed) ?? Number.NaN) * metresInUnit()
  return metres > 0 && metres < 100_000 ? metres : undefined
}

/** Suggested length, rounded down to a tenth so that it still fits. */
export const typedMetres = (metres: number): string => String(Math.floor((metres / metresInUnit()) * 10 + 1e-6) / 10)
