import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import type { FigureDocument } from '../../../src/doors/furrow/reports/report-description.ts'
import { wide } from '../../look/desk.ts'
import { Failed } from '../../look/failure.tsx'
import { Link } from '../../look/link.tsx'
import { Loading } from '../../look/page.tsx'
import { withQuery } from '../../look/router.ts'
import type { LocalRecord } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import { say } from '../../words/say.ts'
import { logsAt } from '../logs-on-server.ts'
import { RecordRow } from '../records/list-rows.tsx'
import { linesInOrder } from './report-tables.tsx'
import { amountText, isHistory, isInspection, isRegister, lineTitle, type ReportDocument } from './report-words.ts'

interface FigureLogPages {
  readonly logs: readonly LocalRecord[]
  readonly pages: number
  readonly hasMore: boolean
  readonly failure: Failure | null
}

const none: FigureLogPages = { logs: [], pages: 0, hasMore: true, failure: null }

interface FigureLogsProps {
  readonly document: ReportDocument
  /** Query for its logs. */
  readonly listQuery: string
}

/** Logs of a figure, beside the report. */
export function FigureLogs({ document, listQuery }: FigureLogsProps): JSX.Element {
  const [listed, setListed] = useState(none)
  const more = async () => setListed(await withNextPage(listed, listQuery))
  useEffect(() => void more(), [])
  const found = figuresOf(document).find(({ figure }) => figureQuery(figure) === listQuery)
  return (
    <>
      <div class="head">
        <p class="soft small">{say('reports.make-up')}</p>
        <h2 class="h24">{found?.words ?? say('reports.title')}</h2>
        <p class="soft small">
          {found && say('reports.figure-logs', { count: found.figure.count })}{' '}
          <Link to={recordsAt(listQuery)} class="because">
            {say('reports.in-records')}
          </Link>
        </p>
      </div>
      <ul>
        {listed.logs.map((log) => (
          <RecordRow key={log.uuid} record={log} />
        ))}
      </ul>
      {listed === none && <Loading />}
      {listed.failure !== null && <Failed failure={listed.failure} onRetry={more} />}
      {listed.pages > 0 && listed.hasMore && listed.failure === null && (
        <p class="words">
          <button type="button" class="btn" onClick={more}>
            {say('reports.more-logs')}
          </button>
        </p>
      )}
    </>
  )
}

async function withNextPage(listed: FigureLogPages, listQuery: string): Promise<FigureLogPages> {
  const query = new URLSearchParams(listQuery)
  query.set('sort', 'timestamp')
  query.set('direction', 'DESC')
  query.set('page', String(listed.pages))
  const page = await logsAt(query, listed.logs)
  if ('failure' in page) return { ...listed, failure: page }
  return { logs: [...listed.logs, ...page.logs], pages: listed.pages + 1, hasMore: page.hasMore, failure: null }
}

interface NamedFigure {
  readonly figure: FigureDocument
  readonly words: string
}

/** Figure shown first: the first amount. */
export function firstFigure(document: ReportDocument): string | null {
  if (isRegister(document) || isInspection(document)) return null
  const lines = isHistory(document) ? [] : linesInOrder(document.lines)
  const figure = lines.flatMap(({ amounts }) => amounts)[0]?.logs ?? document.lines[0]?.logs
  return figure === undefined ? null : figureQuery(figure)
}

/** All figures of a report with names. */
function figuresOf(document: ReportDocument): readonly NamedFigure[] {
  if (isInspection(document))
    return document.missing.map(({ what, count, list }) => ({
      figure: { count, list },
      words: say(`reports.lacks.${what}`),
    }))
  if (isRegister(document))
    return document.missing.map(({ label, count, list }) => ({
      figure: { count, list },
      words: say('reports.missing', { column: label }),
    }))
  if (isHistory(document))
    return document.lines.map(({ logs, log_types }) => ({
      figure: logs,
      words: log_types.map(({ label }) => label).join(', '),
    }))
  const { report, no_lot, no_amount, lines, yields } = document
  return [
    { figure: no_lot, words: say(`reports.no-lot.${report}`, { count: no_lot.count }) },
    { figure: no_amount, words: say(`reports.no-amount.${report}`, { count: no_amount.count }) },
    ...lines.flatMap((line) => {
      const what = lineTitle(line, document)
      return [
        { figure: line.logs, words: what },
        ...line.amounts.map((amount) => ({
          figure: amount.logs,
          words: say('reports.of', { amount: amountText(amount), what }),
        })),
      ]
    }),
    ...yields.map((one) => ({
      figure: one.logs,
      words: say('reports.of', { amount: amountText(one), what: one.planting.name }),
    })),
  ]
}

/** Query of a figure; the path may be renamed by a proxy. */
const figureQuery = ({ list }: FigureDocument): string => list.slice(list.indexOf('?') + 1)

/** Figure whose logs are beside the report. */
export const ShownFigure = createContext<string | null>(null)

/** Links a figure to its logs: beside the report if there is room, else to the list. */
export function FigureLink({
  figure,
  children,
}: {
  readonly figure: FigureDocument
  readonly children: ComponentChildren
}): JSX.Element {
  const listQuery = figureQuery(figure)
  const isShown = useContext(ShownFigure) === listQuery
  return (
    <Link
      to={wide.value ? withQuery({ figure: listQuery }) : recordsAt(listQuery)}
      class={isShown ? 'fig on' : 'fig'}
      current={isShown ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}

const recordsAt = (figure: string): string => `/records?${new URLSearchParams({ of: 'logs', figure })}`

export const LogLink = ({ id, name }: { readonly id: string; readonly name: string }): JSX.Element => (
  <Link to={`/log/${id}`} class="fig name">
    {name}
  </Link>
)
