import type { JSX } from 'preact'
import { Failed } from '../../look/failure.tsx'
import { Link, pageOfLog } from '../../look/link.tsx'
import { bundleOf } from '../../look/names.ts'
import { Loading } from '../../look/page.tsx'
import type { LocalRecord } from '../../store/record.ts'
import { dayAndClock } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { useRequest } from './use-request.ts'

type Code = 'not-done' | 'not-yet' | 'earlier' | 'same-second' | 'removed' | 'says-nothing'

interface NamedLog {
  readonly id: string
  readonly name: string
  readonly timestamp: string
  readonly who: { readonly name: string | null }
}

interface ExplainedValue {
  readonly field: string
  readonly decided_by: readonly NamedLog[]
  readonly others: readonly { readonly log: NamedLog; readonly code: Code }[]
}

/** `/farm_asset/5/because.json` */
interface Explanation {
  readonly values: readonly ExplainedValue[]
}

/** Explains computed values: the deciding log, and why others did not decide. */
export function Reasons({ asset }: { readonly asset: LocalRecord }): JSX.Element {
  const { answer, again } = useRequest<Explanation>(`/farm_asset/${asset.id}/because.json`)
  if (answer === null) return <Loading />
  if (answer.failure !== null) return <Failed failure={answer} onRetry={again} />
  const decided = answer.body.values.filter(({ field, decided_by }) => field !== 'geometry' && decided_by.length > 0)
  if (decided.length === 0) return <p class="soft">{say('because.nothing')}</p>
  return (
    <>
      {decided.map(({ field, decided_by, others }) => (
        <section class="reason" key={field}>
          <h3>{bundleOf(asset)?.fields[field]?.label ?? field}</h3>
          {decided_by.map((log) => (
            <p key={log.id}>
              <LogLink log={log} /> <span class="soft small">{whoAndWhen(log)}</span>
            </p>
          ))}
          {others.length > 0 && (
            <ul class="small">
              {others.map(({ log, code }) => (
                <li key={log.id}>
                  <LogLink log={log} /> <span class="soft">{say(`because.${code}`)}</span>
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </>
  )
}

function LogLink({ log: { id, name } }: { readonly log: NamedLog }): JSX.Element {
  return (
    <Link to={pageOfLog(id)} class="because tap">
      <bdi>{name}</bdi>
    </Link>
  )
}

function whoAndWhen({ timestamp, who }: NamedLog): string {
  const when = dayAndClock(Number(timestamp))
  return who.name === null ? when : say('because.who-and-when', { who: who.name, when })
}
