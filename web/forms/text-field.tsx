import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
  /** Suggestions. */
  readonly offers?: readonly string[]
}

export function TextField({ label, value, onText, offers = [] }: TextFieldProps): JSX.Element {
  const id = useId()
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          value={value}
          list={offers.length > 0 ? id : undefined}
          autocomplete="off"
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </span>
      {offers.length > 0 && (
        <datalist id={id}>
          {[...new Set(offers)].map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
    </label>
  )
}
