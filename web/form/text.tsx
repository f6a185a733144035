import type { JSX } from 'preact'
import { type ControlProps, isFaulty, textOf } from './control.ts'

export function TextControl({
  field,
  id,
  value,
  onChange,
  faults,
  describedBy,
  spoken,
  hint,
}: ControlProps): JSX.Element {
  return (
    <span class="field">
      <input
        id={id}
        aria-label={spoken}
        type="text"
        dir="auto"
        autocomplete="off"
        value={textOf(value)}
        placeholder={hint}
        required={field.required}
        aria-invalid={isFaulty({ faults })}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}
