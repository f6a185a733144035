import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip, ChosenChip } from '../../look/chip.tsx'
import { Link } from '../../look/link.tsx'
import { choiceLabel } from '../../look/names.ts'
import { replace } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { assets, mayWrite, terms } from '../../store/local-copy.ts'
import { day, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { FilterSheet, monthOf, typesOf } from './filter-sheet.tsx'
import {
  activeFilters,
  type ChipName,
  type Filters,
  filtersOf,
  kindOf,
  kinds,
  type ListKind,
  listAddress,
  listOnServer,
  startChoosing,
} from './list-address.ts'

/** Active filters, each removed by a tap; filters by type and by days; all filters; the list as a file. */
export function FilterChips({ filters }: { readonly filters: Filters }): JSX.Element {
  const [open, setOpen] = useState<'all' | 'type' | 'days' | 'share' | null>(null)
  const close = () => setOpen(null)
  const active = activeFilters(filters)
  const month = monthOf(filters)
  const without = (label: string, changes: Partial<Filters>) => (
    <ChosenChip
      key={label}
      label={say('records.without', { filter: label })}
      onPress={() => replace(listAddress({ ...filters, ...changes }))}
    >
      {label}
    </ChosenChip>
  )
  const hasDays = filtersOf[kindOf(filters)].includes('from')
  const list = listOnServer(filters)
  return (
    <div class="chips">
      {active
        .filter((name) => month === null || (name !== 'from' && name !== 'to'))
        .map((name) => without(labelOf(name, filters), { [name]: null }))}
      {hasDays && month !== null && without(month, { from: null, to: null })}
      {filters.type === null && <Chip onPress={() => setOpen('type')}>{say('records.type')}</Chip>}
      {hasDays && !active.includes('from') && !active.includes('to') && (
        <Chip onPress={() => setOpen('days')}>{say('records.days')}</Chip>
      )}
      <Chip onPress={() => setOpen('all')}>{say('records.filter')}</Chip>
      {mayWrite() && kindOf(filters) !== 'terms' && <Chip onPress={startChoosing}>{say('select.select')}</Chip>}
      {list !== null && <Chip onPress={() => setOpen('share')}>{say('records.share')}</Chip>}
      {open === 'share' && list !== null && <ShareSheet filters={filters} list={list} onClose={close} />}
      {open !== null && open !== 'share' && <FilterSheet filters={filters} of={open} onClose={close} />}
    </div>
  )
}

interface ShareSheetProps {
  readonly filters: Filters
  /** Path of the list on the server. */
  readonly list: string
  readonly onClose: () => void
}

/** The list as a sheet or a map. */
function ShareSheet({ filters, list, onClose }: ShareSheetProps): JSX.Element {
  return (
    <ModalSheet title={say('records.share')} onClose={onClose}>
      <p class="soft">{say('records.share-hint')}</p>
      <div class="chips">
        {formatsOf(filters).map((format) => (
          <a key={format} class="chip" href={list.replace('?', `.${format}?`)} download="" onClick={onClose}>
            {say(`records.${format}`)}
          </a>
        ))}
      </div>
    </ModalSheet>
  )
}

/** Terms have no map formats. */
const formatsOf = (filters: Filters) =>
  kindOf(filters) === 'terms' ? (['xlsx', 'csv'] as const) : (['xlsx', 'csv', 'geojson', 'kml'] as const)

function labelOf(name: ChipName, filters: Filters): string {
  const value = filters[name] ?? ''
  const words: Readonly<Record<ChipName, () => string>> = {
    type: () => typesOf(kindOf(filters)).find(({ type }) => type === value)?.label ?? value,
    done: () => say(value === 'yes' ? 'records.done' : 'records.not-done'),
    archived: () => say('records.archived'),
    tag: () => say('records.no-tag'),
    flag: () => choiceLabel('flags', value),
    area: () => terms.value.get(value)?.name ?? value,
    asset: () => assets.value.get(value)?.name ?? value,
    from: () => say('records.from-day', { day: day(farmTime(value)) }),
    to: () => say('records.to-day', { day: day(farmTime(value)) }),
    figure: () => say('records.figure'),
  }
  return words[name]()
}

/** Record kind of the list; a search covers all unless one is chosen. */
export function KindTabs({ filters }: { readonly filters: Filters }): JSX.Element {
  const { q } = filters
  const searching = q !== ''
  const shown = searching ? filters.of : kindOf(filters)
  const tab = (kind: ListKind | null) => (
    <li key={kind ?? 'all'}>
      <Link to={listAddress({ q, of: kind })} current={kind === shown ? 'page' : undefined}>
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
