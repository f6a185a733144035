import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { SearchInput, type SearchInputProps } from './search-input.tsx'

export function SearchField(props: SearchInputProps): JSX.Element {
  const id = useId()
  return (
    <label class="field" for={id}>
      <SearchInput {...props} id={id} />
    </label>
  )
}
