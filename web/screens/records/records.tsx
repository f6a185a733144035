import type { JSX } from 'preact'
import { records } from '../../../src/words/en/records.ts'
import { wide } from '../../look/desk.ts'
import { FindField } from '../../look/find-field.tsx'
import { Choosing } from '../../look/list.tsx'
import { Title } from '../../look/page.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { addWords, say } from '../../words/say.ts'
import { FilterChips, KindTabs } from './filter-bar.tsx'
import { chooserOf, chosenIds, kindOf, readFilters } from './list-address.ts'
import { LogList } from './log-list.tsx'
import { NameList } from './name-list.tsx'
import { SearchResults } from './search-results.tsx'
import { ChosenBar } from './selection-bar.tsx'

addWords(records)

interface RecordsProps {
  readonly query: URLSearchParams
}

/** Search over all records, and filtered lists of each kind. */
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
          <SearchResults filters={filters} />
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
