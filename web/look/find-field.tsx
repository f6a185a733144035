import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { say } from '../words/say.ts'
import { beside, lastList, wide } from './desk.ts'
import { Icon } from './icon.tsx'
import { addressOf, arriving, go, replace, route } from './router.ts'

const records = '/records'

/** Search field over all records; its words are in the address. */
export function FindField(): JSX.Element {
  const text = listQuery().get('q') ?? ''
  return (
    <search class="find">
      <form class="field" onSubmit={openFirst}>
        <SearchInput label={say('shell.find')} text={text} onText={find} enterkeyhint="search" data-find />
        {text !== '' && (
          <button type="button" class="icon-btn" aria-label={say('shell.clear')} onClick={() => find('')}>
            <Icon name="close" />
          </button>
        )}
        {text === '' && wide.value && <kbd>/</kbd>}
      </form>
    </search>
  )
}

/** Query of the list on the screen, or of the last list. */
function listQuery(): URLSearchParams {
  const { path, query } = route.value
  if (path === records) return query
  const url = new URL(lastList.value, 'app:/')
  return wide.value && url.pathname === records && /^\/(log|asset|area|term)\//.test(path)
    ? url.searchParams
    : new URLSearchParams()
}

function find(text: string): void {
  const query = new URLSearchParams(listQuery())
  if (text === '') query.delete('q')
  else query.set('q', text)
  const to = addressOf({ path: records, query })
  if (route.peek().path === records) {
    replace(to)
  } else {
    go(to)
    // Keeps the focus in the field while the user types.
    arriving.value = false
  }
}

function openFirst(event: Event): void {
  event.preventDefault()
  if (beside.value !== null && route.peek().path === records) go(beside.value)
}

/** Focuses the search field; opens the records if the screen has none. */
export function startFinding(): void {
  const field = () => document.querySelector<HTMLInputElement>('[data-find]')
  if (field() === null) {
    go(records)
    arriving.value = false
    requestAnimationFrame(() => field()?.focus())
  }
  // Focuses at once, so that the next key is typed into it.
  field()?.focus()
}

interface SearchInputProps extends Pick<JSX.IntrinsicElements['input'], 'id' | 'enterkeyhint' | 'onKeyDown'> {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
}

function SearchInput({ label, text, onText, ...more }: SearchInputProps): JSX.Element {
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

export function SearchField(props: SearchInputProps): JSX.Element {
  const id = useId()
  return (
    <label class="field" for={id}>
      <SearchInput {...props} id={id} />
    </label>
  )
}
