import type { ComponentChildren, JSX } from 'preact'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { Link } from '../../look/link.tsx'
import { Empty } from '../../look/page.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { say } from '../../words/say.ts'
import { activeFilters, type Filters, kindOf, type ListKind, listAddress } from './list-address.ts'

interface NothingFoundProps {
  readonly filters: Filters
  /** Other places to search. */
  readonly children?: ComponentChildren
}

/** Empty result, with other places to search. */
export function NothingFound({ filters, children }: NothingFoundProps): JSX.Element {
  const { q } = filters
  if (q !== '') {
    return (
      <Empty text={say('records.none-named', { text: q })}>
        {filters.of === null ? children : <LookIn to={listAddress({ q })} />}
      </Empty>
    )
  }
  if (activeFilters(filters).length === 0) return <NoneYet kind={kindOf(filters)} />
  return (
    <Empty text={say('records.none-like-this')}>
      <LookIn to={listAddress({ of: filters.of })} />
    </Empty>
  )
}

const waysToAdd: Readonly<Record<ListKind, string>> = {
  logs: '/add',
  assets: '/add/asset',
  areas: `/add/area/${areaBundle}`,
  terms: '/add/term',
}

function NoneYet({ kind }: { readonly kind: ListKind }): JSX.Element {
  return (
    <Empty text={say(`records.none.${kind}`)}>
      {mayWrite() && (
        <Link to={waysToAdd[kind]} class="btn main-do">
          {say('act.add')}
        </Link>
      )}
    </Empty>
  )
}

function LookIn({ to }: { readonly to: string }): JSX.Element {
  return (
    <Link to={to} class="btn tall">
      {say('records.look-in-all')}
    </Link>
  )
}
