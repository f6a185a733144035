import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import {
  inspectionReport,
  type KeptReportName,
  peopleColumns,
  type RegisterColumn,
  registerColumns,
} from '../../../src/reports/report-names.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { me } from '../../store/local-copy.ts'
import type { Failure } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { administerWith } from '../owner/administer.ts'
import { ShareLink } from '../owner/share-link.tsx'

/** Managers may share reports with people without an account. */
export const mayShare = (): boolean => me.value?.account.role === 'manager'

interface ShareProps {
  readonly report: KeptReportName
  readonly query: string
  readonly onClose: () => void
}

const usualDays = 30
const mostDays = 366

/** Creates a link to a snapshot of the report. */
export function ShareSheet({ report, query, onClose }: ShareProps): JSX.Element {
  const columns = (registerColumns as Partial<Record<string, readonly RegisterColumn[]>>)[report] ?? []
  const needsPeople = report === inspectionReport || columns.some((name) => peopleColumns.includes(name))
  const [people, setPeople] = useState(needsPeople)
  const [days, setDays] = useState(String(usualDays))
  const [result, setResult] = useState<string | Failure | null>(null)
  const id = useId()
  const make = async () => {
    const answer = await administerWith<{ link: string }>(links, { report, query, people, days: Number(days) })
    setResult(answer.failure === null ? answer.body.link : answer)
  }
  return (
    <ModalSheet title={say('reports.share')} onClose={onClose}>
      <p class="small soft">{say('reports.share-about')}</p>
      {typeof result === 'string' ? (
        <ShareLink link={result} label={say('reports.link')} />
      ) : (
        <form
          class="rep-share"
          onSubmit={(event) => {
            event.preventDefault()
            void make()
          }}
        >
          <PeopleTick people={people} onPeople={setPeople} />
          {needsPeople && <p class="small soft">{say('reports.needs-people')}</p>}
          <label for={id}>
            {say('reports.share-days')}
            <span class="field">
              <input
                id={id}
                type="number"
                min={1}
                max={mostDays}
                required
                value={days}
                onInput={({ currentTarget }) => setDays(currentTarget.value)}
              />
            </span>
          </label>
          {result !== null && <WhyNot failure={result} />}
          <button type="submit" class="btn main-do fill">
            {say('reports.make-link')}
          </button>
        </form>
      )}
    </ModalSheet>
  )
}

interface PeopleTickProps {
  readonly people: boolean
  readonly onPeople: (people: boolean) => void
}

const PeopleTick = ({ people, onPeople }: PeopleTickProps): JSX.Element => (
  <label class="ticked">
    <input type="checkbox" checked={people} onChange={({ currentTarget }) => onPeople(currentTarget.checked)} />
    {say('reports.with-people')}
  </label>
)

/** Everything for an inspector as one ZIP file. */
export function ZipSheet({ query, onClose }: Omit<ShareProps, 'report'>): JSX.Element {
  const [people, setPeople] = useState(true)
  return (
    <ModalSheet title={say('reports.zip')} onClose={onClose}>
      <div class="rep-share">
        <p class="small soft">{say('reports.zip-about')}</p>
        <PeopleTick people={people} onPeople={setPeople} />
        <p class="small soft">{say('reports.needs-people')}</p>
        <a
          class="btn main-do fill"
          href={`/reports/${inspectionReport}.zip?${query}&people=${Number(people)}`}
          download=""
        >
          {say('reports.zip')}
        </a>
      </div>
    </ModalSheet>
  )
}

export const links = '/administer/report-links.json'

/** Refusal in the server's words, or what is missing. */
export function WhyNot({ failure }: { readonly failure: Failure }): JSX.Element {
  const isWorded = failure.failure === 'failed' || failure.failure === 'forbidden'
  return (
    <p class="fault" role="alert">
      {isWorded ? say('reports.refused', { detail: failure.detail }) : say(`shell.failed.${failure.failure}`)}
    </p>
  )
}
