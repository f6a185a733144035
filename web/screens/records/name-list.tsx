import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { flagsOf } from '../../look/names.ts'
import { assets, terms } from '../../store/local-copy.ts'
import { isArchived, isArea, type LocalRecord } from '../../store/record.ts'
import { untaggedAnimals } from '../../store/search.ts'
import { contentsOf, membersOf } from '../../store/stays.ts'
import { byName, useFirstBeside, Windowed } from '../long-list.tsx'
import type { Filters } from './list-address.ts'
import { NameRow } from './list-rows.tsx'
import { NothingFound } from './nothing-found.tsx'

/** Assets, areas or terms by name. */
export function NameList({ filters }: { readonly filters: Filters }): JSX.Element {
  const known = recordsFor(filters)
  const filterKey = JSON.stringify(filters)
  const found = useMemo(() => namesFor(JSON.parse(filterKey)), [known, filterKey])
  useFirstBeside(found)
  if (found.length === 0) return <NothingFound filters={filters} />
  return (
    <Windowed items={found} key={filterKey}>
      {(some) => (
        <ul>
          {some.map((record) => (
            <NameRow key={record.uuid} record={record} />
          ))}
        </ul>
      )}
    </Windowed>
  )
}

const recordsFor = ({ of }: Filters) => (of === 'assets' ? assets.value : terms.value)

export const namesFor = (filters: Filters): readonly LocalRecord[] =>
  filters.of === 'assets' && filters.tag !== null
    ? untaggedAnimals().filter(wanted(filters))
    : [...recordsFor(filters).values()].filter(wanted(filters)).sort(byName)

function wanted(filters: Filters): (record: LocalRecord) => boolean {
  if (filters.of === 'assets') return wantedAsset(filters)
  if (filters.of === 'areas') {
    return (term) => isArea(term) && (filters.type === null || term.fields.area_type === filters.type)
  }
  return (term) => (filters.type === null ? !isArea(term) : term.bundle === filters.type)
}

function wantedAsset({ type, archived, flag, area, asset: herd }: Filters): (asset: LocalRecord) => boolean {
  const there = area === null ? null : new Set(contentsOf(area).map(({ asset }) => asset))
  const members = herd === null ? null : new Set(membersOf(herd).map(({ asset }) => asset))
  return (asset) =>
    (type === null || asset.bundle === type) &&
    isArchived(asset) === (archived === 'yes') &&
    (flag === null || flagsOf(asset).includes(flag)) &&
    (there === null || there.has(asset.id)) &&
    (members === null || members.has(asset.id))
}
