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

type SelectFieldProps = Omit<TextFieldProps, 'offers'> & { readonly offers: readonly string[] }

/** One of a long list of words. The present value stays a choice, also if it is not listed. */
export function SelectField({ label, value, onText, offers }: SelectFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <select value={value} onChange={({ currentTarget }) => onText(currentTarget.value)}>
          {[...new Set([value, ...offers])].map((offer) => (
            <option key={offer} value={offer}>
              {offer}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}
