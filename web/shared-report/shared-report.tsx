import type { ComponentChildren, JSX } from 'preact'
import type { Plural } from '../../src/words/words.ts'
import type { ReportDocument } from '../screen/reports/documents.ts'
import { dayAndClockOf } from '../screen/reports/paper/moment.ts'
import { Paper } from '../screen/reports/paper/paper.tsx'
import { say } from '../screen/reports/say.ts'
import { dayAndYear, farmTime } from '../words/format.ts'
import type { Chosen } from '../words/say.ts'

interface Row {
  readonly day: string
  readonly name: string
  readonly amounts: readonly string[]
  readonly places: readonly string[]
  readonly people?: readonly string[]
}

/** What the farm answers for the key of a link. */
export interface Shared {
  readonly checksum: string
  readonly logs: number
  readonly changed: number
  readonly ends: string
  /** Of the farm's language, where it is another than English. */
  readonly words?: Pick<Chosen, 'direction'> & {
    readonly language: string
    readonly texts: readonly (string | Plural)[]
  }
  readonly document: {
    readonly farm: string
    readonly made: number
    readonly report: ReportDocument
    readonly rows: readonly Row[]
  }
}

/** A report as it was when the link was made, and the logs behind it. */
export function SharedReport({ shared }: { readonly shared: Shared }): JSX.Element {
  const { document, checksum, changed, logs, ends } = shared
  const notice = (
    <p class="notice">
      {say('reports.as-then')}{' '}
      <b>{changed === 0 ? say('reports.unchanged', { count: logs }) : say('reports.changed', { count: changed })}</b>
    </p>
  )
  return (
    <>
      <button type="button" class="do-print" onClick={() => print()}>
        {say('reports.print')}
      </button>
      <Paper document={document.report} farm={document.farm} made={document.made} notice={notice}>
        <Rows rows={document.rows} />
        <footer>
          <p>{say('reports.checksum', { checksum })}</p>
          <p>{say('reports.ends', { time: dayAndClockOf(Number(ends)) })}</p>
        </footer>
      </Paper>
    </>
  )
}

function Rows({ rows }: { readonly rows: readonly Row[] }): JSX.Element | null {
  if (rows.length === 0) return null
  const hasPeople = rows.some(({ people }) => people !== undefined)
  return (
    <section>
      <h2>{say('reports.logs-behind')}</h2>
      <table class="rep">
        <thead>
          <tr>
            <th scope="col">{say('reports.day')}</th>
            <th scope="col">{say('reports.what')}</th>
            <th scope="col">{say('reports.places')}</th>
            {hasPeople && <th scope="col">{say('reports.people')}</th>}
            <th scope="col" class="n">
              {say('reports.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              <td>{dayAndYear(farmTime(row.day))}</td>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              <Several texts={row.places} />
              {hasPeople && <Several texts={row.people ?? []} />}
              <td class="n">{row.amounts.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Several = ({ texts }: { readonly texts: readonly string[] }): JSX.Element => <td>{texts.join(', ')}</td>

export const Told = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <p class="told" role="status">
    {children}
  </p>
)
