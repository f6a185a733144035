import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { Section } from '../../look/list.tsx'
import { Loading } from '../../look/page.tsx'
import { useCopy } from '../../look/use-logs.ts'
import { isArea, type LocalRecord } from '../../store/record.ts'
import { search } from '../../store/search.ts'
import type { Failure } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { logsNamed } from '../logs-on-server.ts'
import { useFirstBeside } from '../long-list.tsx'
import type { Filters, ListKind } from './list-address.ts'
import { RecordRow } from './list-rows.tsx'
import { NothingFound } from './nothing-found.tsx'

/** Matches by name, tag or lot: one list per kind, the best match first. */
export function SearchResults({ filters }: { readonly filters: Filters }): JSX.Element {
  const { q, of } = filters
  // The previous results stay while typing, without a flicker.
  const found = useCopy(() => search(q), q)?.filter((record) => of === null || kindOf(record) === of) ?? null
  useFirstBeside(found)
  if (found === null) return <Loading />
  return (
    <>
      {kindsIn(found).map((kind) => (
        <Section key={kind} title={say(`records.${kind}`)}>
          {found
            .filter((record) => kindOf(record) === kind)
            .map((record) => (
              <RecordRow key={record.uuid} record={record} />
            ))}
        </Section>
      ))}
      <FoundOnServer key={q} filters={filters} known={found} />
    </>
  )
}

/** Kinds in order of their best match. */
function kindsIn(found: readonly LocalRecord[]): readonly ListKind[] {
  return [...new Set(found.map(kindOf))]
}

function kindOf(record: LocalRecord): ListKind {
  if (record.type === 'term') return isArea(record) ? 'areas' : 'terms'
  return `${record.type}s`
}

interface FoundOnServerProps {
  readonly filters: Filters
  readonly known: readonly LocalRecord[]
}

/** Logs that the copy no longer has; needs signal, so a tap starts it. */
function FoundOnServer({ filters, known }: FoundOnServerProps): JSX.Element | null {
  const [older, setOlder] = useState<readonly LocalRecord[] | Failure | null>(null)
  if (filters.of !== null && filters.of !== 'logs')
    return known.length === 0 ? <NothingFound filters={filters} /> : null
  const look = async () => setOlder(await logsNamed(filters.q, known))
  if (older === null) {
    const button = (
      <button type="button" class="btn" onClick={look}>
        {say('records.older')}
      </button>
    )
    return known.length === 0 ? <NothingFound filters={filters}>{button}</NothingFound> : <p class="words">{button}</p>
  }
  if ('failure' in older) return <Failed failure={older} onRetry={look} />
  if (older.length === 0) {
    return known.length === 0 ? <NothingFound filters={filters} /> : <p class="words soft">{say('records.no-older')}</p>
  }
  return (
    <Section title={say('records.older-found')}>
      {older.map((log) => (
        <RecordRow key={log.uuid} record={log} />
      ))}
    </Section>
  )
}
