import type { JSX } from 'preact'
import { type ControlProps, inputAttributes, textOf } from './control.ts'

export function TextControl(props: ControlProps): JSX.Element {
  const { field, value, onChange, hint } = props
  return (
    <span class="field">
      <input
        {...inputAttributes(props)}
        type="text"
        dir="auto"
        autocomplete="off"
        value={textOf(value)}
        placeholder={hint}
        required={field.required}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}
