import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'

interface SelectChoice {
  readonly value: string
  readonly label: string
}

interface SelectProps {
  readonly label: ComponentChildren
  readonly value: string
  /** Choices, optionally grouped under headings. */
  readonly choices: readonly (SelectChoice | { readonly heading: string; readonly choices: readonly SelectChoice[] })[]
  readonly isWrong?: boolean
  readonly onChoose: (value: string) => void
}

/** A select with its label above. */
export function Select({ label, value, choices, isWrong, onChoose }: SelectProps): JSX.Element {
  const id = useId()
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      <span class="field">
        <select
          id={id}
          value={value}
          aria-invalid={isWrong || undefined}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {choices.map((choice) =>
            'heading' in choice ? (
              <optgroup key={choice.heading} label={choice.heading}>
                {choice.choices.map(option)}
              </optgroup>
            ) : (
              option(choice)
            ),
          )}
        </select>
      </span>
    </div>
  )
}

const option = ({ value, label }: SelectChoice): JSX.Element => (
  <option key={value} value={value}>
    {label}
  </option>
)
