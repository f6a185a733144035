import type { JSX } from 'preact'
import { Icon } from './icon.tsx'

export interface SearchInputProps extends Pick<JSX.IntrinsicElements['input'], 'id' | 'enterkeyhint' | 'onKeyDown'> {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
}

/** Inside of whatever frames it. */
export function SearchInput({ label, text, onText, ...more }: SearchInputProps): JSX.Element {
  return (
    <>
      <Icon name="search" size="small" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        {...more}
      />
    </>
  )
}
