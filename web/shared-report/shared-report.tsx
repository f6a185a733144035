import { type ComponentChild, type ComponentChildren, type JSX, render } from 'preact'
import { reports } from '../../src/words/en/reports.ts'
import type { Plural } from '../../src/words/words.ts'
import { PrintedReport, titleOf } from '../screens/reports/paper/paper.tsx'
import type { ReportDocument } from '../screens/reports/report-words.ts'
import { dayAndClockOf } from '../screens/reports/report-words.ts'
import { dayAndYear, farmTime } from '../words/format.ts'
import { locale, localeFor, timeZone } from '../words/locale.ts'
import { addWords, type LanguageTexts, say, translation } from '../words/say.ts'

addWords(reports)

interface Row {
  readonly day: string
  /** Only of late entries. */
  readonly entered?: string
  readonly name: string
  readonly amounts: readonly string[]
  readonly places: readonly string[]
  readonly people?: readonly string[]
}

/** Answer of the server for the key of a link. */
interface SharedReportAnswer {
  readonly checksum: string
  readonly logs: number
  readonly changed: number
  readonly ends: string
  /** Texts of the farm's language, unless that is English. */
  readonly words?: Pick<LanguageTexts, 'direction'> & {
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

/** Snapshot of a report, and its logs. */
function SharedReport({ shared }: { readonly shared: SharedReportAnswer }): JSX.Element {
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
      <PrintedReport document={document.report} farm={document.farm} calculatedAt={document.made} notice={notice}>
        <Rows rows={document.rows} />
        <footer>
          <p>{say('reports.checksum', { checksum })}</p>
          <p>{say('reports.ends', { time: dayAndClockOf(Number(ends)) })}</p>
        </footer>
      </PrintedReport>
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
              <td>
                {dayAndYear(farmTime(row.day))}
                {row.entered && (
                  <small class="soft">{say('reports.entered', { day: dayAndYear(farmTime(row.entered)) })}</small>
                )}
              </td>
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

const Message = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <p class="told" role="status">
    {children}
  </p>
)

/** The key is in the fragment, which browsers do not send. */
async function open(): Promise<void> {
  show(<Message>{say('reports.opening')}</Message>)
  const shared = await fetchReport(location.hash.slice(1))
  if (typeof shared === 'string') return show(<Message>{say(`reports.${shared}`)}</Message>)
  const { report, farm } = shared.document
  timeZone.value = report.time_zone
  if (shared.words !== undefined) speak(shared.words)
  document.title = `${titleOf(report)} · ${farm}`
  show(<SharedReport shared={shared} />)
}

function speak({ language, direction, texts }: NonNullable<SharedReportAnswer['words']>): void {
  const [first = ''] = Object.keys(reports)
  translation.value = { direction, texts: { [first]: texts }, labels: { types: {}, fields: {}, lists: {} } }
  locale.value = localeFor(language, navigator.languages)
  Object.assign(document.documentElement, { lang: language, dir: direction })
}

async function fetchReport(key: string): Promise<SharedReportAnswer | 'not-there' | 'no-answer'> {
  try {
    const answer = await fetch(`/shared-report.json${location.search}`, {
      method: 'POST',
      credentials: 'omit',
      cache: 'no-store',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    })
    if (answer.status === 404) return 'not-there'
    return answer.ok ? ((await answer.json()) as SharedReportAnswer) : 'no-answer'
  } catch {
    return 'no-answer'
  }
}

function show(what: ComponentChild): void {
  const root = document.getElementById('report')
  if (root !== null) render(what, root)
}

addEventListener('hashchange', () => void open())
void open()
