import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip, ChosenChip } from '../../look/chip.tsx'
import { choiceLabel } from '../../look/names.ts'
import { replace } from '../../look/router.ts'
import { assets, mayWrite, terms } from '../../store/local-copy.ts'

import { day, farmTime } from '../../words/format.ts'
import { startChoosing } from './choosing.ts'
import { FilterSheet } from './filter-sheet.tsx'
import { type ChipName, chosen, type Filters, kindOf, listAt, listOnServer } from './filters.ts'
import { say } from './say.ts'
import { typesOf } from './types-of.ts'

/** What narrows the list, each to be taken away by a tap, and the way to more. */
export function FilterChips({ filters }: { readonly filters: Filters }): JSX.Element {
  const [open, setOpen] = useState(false)
  const list = listOnServer(filters)
  return (
    <div class="chips">
      {chosen(filters).map((name) => (
        <ChosenChip
          key={name}
          label={say('records.without', { filter: labelOf(name, filters) })}
          onPress={() => replace(listAt({ ...filters, [name]: null }))}
        >
          {labelOf(name, filters)}
        </ChosenChip>
      ))}
      {kindOf(filters) === 'logs' && filters.done === null && (
        <Chip onPress={() => replace(listAt({ ...filters, done: 'no' }))}>{say('records.not-done')}</Chip>
      )}
      <Chip onPress={() => setOpen(true)}>{say('records.filter')}</Chip>
      {mayWrite() && kindOf(filters) !== 'terms' && <Chip onPress={startChoosing}>{say('select.select')}</Chip>}
      {list !== null &&
        formatsOf(filters).map((format) => (
          <a key={format} class="chip" href={list.replace('?', `.${format}?`)} download="">
            {say(`records.${format}`)}
          </a>
        ))}
      {open && <FilterSheet filters={filters} onClose={() => setOpen(false)} />}
    </div>
  )
}

/** Terms have no place on a map. */
const formatsOf = (filters: Filters) =>
  kindOf(filters) === 'terms' ? (['csv'] as const) : (['csv', 'geojson', 'kml'] as const)

function labelOf(name: ChipName, filters: Filters): string {
  const value = filters[name] ?? ''
  const words: Readonly<Record<ChipName, () => string>> = {
    type: () => typesOf(kindOf(filters)).find(({ type }) => type === value)?.label ?? value,
    done: () => say(value === 'yes' ? 'records.done' : 'records.not-done'),
    archived: () => say('records.archived'),
    flag: () => choiceLabel('flags', value),
    area: () => terms.value.get(value)?.name ?? value,
    asset: () => assets.value.get(value)?.name ?? value,
    from: () => say('records.from-day', { day: day(farmTime(value)) }),
    to: () => say('records.to-day', { day: day(farmTime(value)) }),
    figure: () => say('records.figure'),
  }
  return words[name]()
}
