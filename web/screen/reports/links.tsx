import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Failed } from '../../look/failure.tsx'
import { dotted } from '../../look/names.ts'
import { Row } from '../../look/row.tsx'
import type { Failure } from '../../sync/request.ts'
import { dayAndYear } from '../../words/format.ts'
import { administer } from '../owner/administer.ts'
import { useAsked } from '../owner/asked.tsx'
import type { ReportName } from './documents.ts'
import { say } from './say.ts'
import { links, WhyNot } from './share.tsx'
import { daysOf } from './words.ts'

interface Link {
  readonly id: string
  readonly report: ReportName
  readonly from: string
  readonly to: string
  readonly people: boolean
  readonly ends: string
  readonly made_by: string | null
}

/** The links that still work, each to be ended by a tap. */
export function Links(): JSX.Element {
  const { answer, again } = useAsked<{ readonly list: readonly Link[] }>(links)
  const [failure, setFailure] = useState<Failure | null>(null)
  if (answer === null) return <li class="words soft">{say('reports.working')}</li>
  if (answer.failure !== null)
    return (
      <li>
        <Failed failure={answer} onRetry={again} />
      </li>
    )
  const end = async ({ id }: Link) => {
    const ended = await administer(`/administer/report-links/${id}`, { method: 'DELETE' })
    setFailure(ended.failure === null || ended.failure === 'not-found' ? null : ended)
    await again()
  }
  const { list } = answer.body
  return (
    <>
      {failure !== null && (
        <li class="words">
          <WhyNot failure={failure} />
        </li>
      )}
      {list.length === 0 && <li class="words soft">{say('reports.no-links')}</li>}
      {list.map((link) => {
        const what = `${say(`reports.${link.report}`)}, ${daysOf(link)}`
        return (
          <Row
            key={link.id}
            title={what}
            second={dotted([
              say('reports.link-ends', { day: dayAndYear(Number(link.ends)) }),
              link.people ? say('reports.link-names-people') : undefined,
              link.made_by ?? undefined,
            ])}
            end={
              <button
                type="button"
                class="btn plain"
                aria-label={say('reports.end-of', { what })}
                onClick={() => end(link)}
              >
                {say('reports.end-now')}
              </button>
            }
          />
        )
      })}
    </>
  )
}
