import type { JSX } from 'preact'
import { type ControlProps, isFaulty, textOf } from './control.ts'

const mostLines = 12

export function LongTextControl({ id, value, onChange, faults, describedBy, spoken }: ControlProps): JSX.Element {
  const text = textOf(value)
  return (
    <span class="field">
      <textarea
        id={id}
        aria-label={spoken}
        dir="auto"
        rows={Math.min(mostLines, Math.max(3, text.split('\n').length))}
        value={text}
        aria-invalid={isFaulty({ faults })}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </span>
  )
}
