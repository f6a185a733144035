import type { JSX } from 'preact'
import { idsIn } from '../store/row.ts'
import { type ControlProps, filled, isFaulty } from './control.ts'

/** What is referred to by its number alone, several with commas between. */
export function NumberControl({ field, id, value, onChange, faults, describedBy, spoken }: ControlProps): JSX.Element {
  const change = (text: string) => {
    const references = (text.match(/\d+/g) ?? []).map((number) => ({ id: number }))
    onChange(field.many === true ? filled(references) : references[0])
  }
  return (
    <span class="field">
      <input
        id={id}
        aria-label={spoken}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        value={idsIn(value).join(', ')}
        aria-invalid={isFaulty({ faults })}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </span>
  )
}
