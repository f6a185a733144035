import type { JSX } from 'preact'
import { Choosing } from '../look/choosing.ts'
import { FindField } from '../look/find-field.tsx'
import { Title } from '../look/title.tsx'
import { wide } from '../look/wide.ts'
import { mayWrite } from '../store/local-copy.ts'
import { say } from '../words/say.ts'
import { chooserOf, chosenIds } from './records/choosing.ts'
import { ChosenBar } from './records/chosen-bar.tsx'
import { FilterChips } from './records/filter-chips.tsx'
import { kindOf, readFilters } from './records/filters.ts'
import { Found } from './records/found.tsx'
import { KindTabs } from './records/kind-tabs.tsx'
import { LogList } from './records/log-list.tsx'
import { NameList } from './records/name-list.tsx'

interface RecordsProps {
  readonly query: URLSearchParams
}

/** One search over everything that is recorded, and lists of each kind with filters. */
export function RecordsScreen({ query }: RecordsProps): JSX.Element {
  const filters = readFilters(query)
  const chosen = filters.q === '' && mayWrite() ? chosenIds(query) : null
  return (
    <>
      <Title text={say('shell.records')} class="out" />
      <div class="records-head">
        {!wide.value && <FindField />}
        <KindTabs filters={filters} />
        {filters.q === '' && <FilterChips filters={filters} />}
      </div>
      <Choosing.Provider value={chosen && chooserOf(chosen)}>
        {filters.q !== '' ? (
          <Found filters={filters} />
        ) : kindOf(filters) === 'logs' ? (
          <LogList filters={filters} />
        ) : (
          <NameList filters={filters} />
        )}
      </Choosing.Provider>
      {chosen && <ChosenBar filters={filters} chosen={chosen} />}
    </>
  )
}
