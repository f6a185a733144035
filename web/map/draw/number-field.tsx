import type { JSX } from 'preact'

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  readonly mode?: 'decimal' | 'numeric'
}

/** A number with a comma or a point, as it is typed. */
export function NumberField({ label, value, onText, mode = 'decimal' }: NumberFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          value={value}
          inputMode={mode}
          autocomplete="off"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </span>
    </label>
  )
}
