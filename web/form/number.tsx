import type { JSX } from 'preact'
import { idsIn } from '../store/row.ts'
import { type ControlProps, filled, inputAttributes } from './control.ts'

/** What is referred to by its number alone, several with commas between. */
export function NumberControl(props: ControlProps): JSX.Element {
  const { field, value, onChange } = props
  const change = (text: string) => {
    const references = (text.match(/\d+/g) ?? []).map((number) => ({ id: number }))
    onChange(field.many === true ? filled(references) : references[0])
  }
  return (
    <span class="field">
      <input
        {...inputAttributes(props)}
        type="text"
        inputmode="numeric"
        autocomplete="off"
        value={idsIn(value).join(', ')}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </span>
  )
}
