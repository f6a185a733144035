import type { JSX } from 'preact'
import { type ControlProps, inputAttributes } from './control.ts'
import { say } from './say.ts'

/** A switch. It is spelled as it was: some fields have digits for yes and no. */
export function YesNoControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  const isYes = value === true || value === '1'
  return (
    <span class="switch">
      <input
        {...inputAttributes(props)}
        type="checkbox"
        role="switch"
        checked={isYes}
        aria-checked={isYes}
        onChange={({ currentTarget: { checked } }) =>
          onChange(typeof value === 'string' ? (checked ? '1' : '0') : checked)
        }
      />
      <span aria-hidden="true">{isYes ? say('form.yes') : say('form.no')}</span>
    </span>
  )
}
