import type { JSX } from 'preact'
import { type ControlProps, isFaulty, textOf } from './control.ts'
import { say } from './say.ts'
import { stepped } from './typed-number.ts'

/** Kept as it was typed, to the digit; one more or one less by a tap. */
export function DecimalControl({ label, id, value, onChange, faults, describedBy, spoken }: ControlProps): JSX.Element {
  const text = textOf(value)
  const step = (by: 1 | -1) => (
    <button
      type="button"
      class="btn"
      aria-label={say(by === 1 ? 'form.one-more' : 'form.one-less', { label })}
      onClick={() => onChange(stepped(text, by))}
    >
      {by === 1 ? '+' : '−'}
    </button>
  )
  return (
    <span class="tally">
      {step(-1)}
      <span class="field">
        <input
          id={id}
          aria-label={spoken}
          class="num"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          value={text}
          aria-invalid={isFaulty({ faults })}
          aria-describedby={describedBy}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </span>
      {step(1)}
    </span>
  )
}
