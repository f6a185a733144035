import type { JSX } from 'preact'
import type { ControlProps } from './control.ts'
import { say } from './say.ts'

/** A switch. It is spelled as it was: some fields have digits for yes and no. */
export function YesNoControl({ id, value, onChange, describedBy, spoken }: ControlProps): JSX.Element {
  const isYes = value === true || value === '1'
  return (
    <span class="switch">
      <input
        id={id}
        aria-label={spoken}
        type="checkbox"
        role="switch"
        checked={isYes}
        aria-checked={isYes}
        aria-describedby={describedBy}
        onChange={({ currentTarget: { checked } }) =>
          onChange(typeof value === 'string' ? (checked ? '1' : '0') : checked)
        }
      />
      <span aria-hidden="true">{isYes ? say('form.yes') : say('form.no')}</span>
    </span>
  )
}
