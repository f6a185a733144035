import type { JSX } from 'preact'
import { Link } from '../../look/link.tsx'
import { type Filters, type Kind, kindOf, kinds, listAt } from './filters.ts'
import { say } from './say.ts'

/** Which kind of record is listed; a search looks in all of them unless one is chosen. */
export function KindTabs({ filters }: { readonly filters: Filters }): JSX.Element {
  const { q } = filters
  const searching = q !== ''
  const shown = searching ? filters.of : kindOf(filters)
  const tab = (kind: Kind | null) => (
    <li key={kind ?? 'all'}>
      <Link to={listAt({ q, of: kind })} current={kind === shown ? 'page' : undefined}>
        {say(`records.${kind ?? 'all'}`)}
      </Link>
    </li>
  )
  return (
    <nav aria-label={say('records.kinds')}>
      <ul class="tabs">
        {searching && tab(null)}
        {kinds.map(tab)}
      </ul>
    </nav>
  )
}
