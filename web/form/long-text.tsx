import type { JSX } from 'preact'
import { type ControlProps, inputAttributes, textOf } from './control.ts'

const mostLines = 12

export function LongTextControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  const text = textOf(value)
  return (
    <span class="field">
      <textarea
        {...inputAttributes(props)}
        dir="auto"
        rows={Math.min(mostLines, Math.max(3, text.split('\n').length))}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}
