import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import {
  inspectionReport,
  type KeptReportName,
  keptReportNames,
  registerColumns,
  registerNames,
} from '../../../src/reports/report-names.ts'
import { owner } from '../../../src/words/en/owner.ts'
import { records } from '../../../src/words/en/records.ts'
import { reports } from '../../../src/words/en/reports.ts'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { Row, Section } from '../../look/list.tsx'
import { dotted } from '../../look/names.ts'
import { Pane, Title, useUp } from '../../look/page.tsx'
import { route } from '../../look/router.ts'
import type { Failure } from '../../sync/request.ts'
import { status } from '../../sync/status.ts'
import { dayAndYear } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { administer } from '../owner/administer.ts'
import { ConfirmPassword, useAdminAnswer } from '../owner/owner-page.tsx'
import { ReportScreen } from './report-screen.tsx'
import { daysOf } from './report-words.ts'
import { links, mayShare, WhyNot } from './share.tsx'

addWords(owner, records, reports)

/** All reports, or one by name. */
export function Part(): JSX.Element {
  const [, , name] = route.value.path.split('/')
  return name === undefined ? <ReportsScreen /> : <ReportScreen name={name} />
}

/** All reports, and the shared links. */
export function ReportsScreen(): JSX.Element {
  useUp({ to: '/more', label: say('shell.more') })
  const [listing, setListing] = useState(false)
  return (
    <Pane class="book alone" name="page">
      <div class="head">
        <Title text={say('reports.title')} />
      </div>
      {status.value.kind === 'offline' && (
        <p class="banner" role="status">
          {say('reports.needs-signal')}
        </p>
      )}
      <ul>
        {keptReportNames
          .filter((name) => !Object.hasOwn(registerColumns, name) && name !== inspectionReport)
          .map((name) => (
            <ReportRow key={name} name={name} />
          ))}
      </ul>
      <Section title={say('reports.registers')}>
        {([inspectionReport, ...registerNames] as const).map((name) => (
          <ReportRow key={name} name={name} />
        ))}
      </Section>
      {mayShare() && (
        <Section title={say('reports.links')}>
          {listing ? (
            <Links />
          ) : (
            <li class="words">
              <button type="button" class="btn" onClick={() => setListing(true)}>
                {say('reports.show-links')}
              </button>
            </li>
          )}
        </Section>
      )}
      <ConfirmPassword />
    </Pane>
  )
}

const ReportRow = ({ name }: { readonly name: KeptReportName }): JSX.Element => (
  <Row
    to={`/reports/${name}`}
    title={say(`reports.${name}`)}
    second={say(`reports.${name}-hint`)}
    end={<Icon name="next" size="small" />}
  />
)

interface Link {
  readonly id: string
  readonly report: KeptReportName
  readonly from: string
  readonly to: string
  readonly people: boolean
  readonly ends: string
  readonly made_by: string | null
}

/** Active links, each with a button to revoke it. */
export function Links(): JSX.Element {
  const { answer, again } = useAdminAnswer<{ readonly list: readonly Link[] }>(links)
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
