import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { Section } from '../../look/section.tsx'
import type { KeptRecord } from '../../store/types.ts'
import type { Failure } from '../../sync/ask.ts'
import type { Filters } from './filters.ts'
import { FoundRow } from './found-row.tsx'
import { logsNamed } from './logs-on-server.ts'
import { NothingFound } from './nothing-found.tsx'
import { say } from './say.ts'

interface FoundOnServerProps {
  readonly filters: Filters
  readonly known: readonly KeptRecord[]
}

/** Logs that the copy no longer has: asked for by a tap, since it needs signal. */
export function FoundOnServer({ filters, known }: FoundOnServerProps): JSX.Element | null {
  const [older, setOlder] = useState<readonly KeptRecord[] | Failure | null>(null)
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
        <FoundRow key={log.uuid} record={log} />
      ))}
    </Section>
  )
}
