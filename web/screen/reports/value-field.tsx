import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

interface ValueFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** A line to type into, by which choices are found. */
export function ValueField({ label, value, onText }: ValueFieldProps): JSX.Element {
  const id = useId()
  return (
    <label class="values" for={id}>
      {label}
      <span class="field">
        <input id={id} value={value} autocomplete="off" onInput={({ currentTarget }) => onText(currentTarget.value)} />
      </span>
    </label>
  )
}
