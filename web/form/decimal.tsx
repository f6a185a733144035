import type { JSX } from 'preact'
import { type ControlProps, inputAttributes, textOf } from './control.ts'
import { say } from './say.ts'
import { stepped } from './typed-number.ts'

/** Kept as it was typed, to the digit; one more or one less by a tap. */
export function DecimalControl(props: ControlProps): JSX.Element {
  const { label, value, onChange } = props
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
          {...inputAttributes(props)}
          class="num"
          type="text"
          inputmode="decimal"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </span>
      {step(1)}
    </span>
  )
}
