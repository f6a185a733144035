import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ReportName } from '../../../src/farm/farm.ts'
import {
  type historyReport,
  inspectionReport,
  type KeptReportName,
  keptReportNames,
  registerColumns,
} from '../../../src/reports/report-names.ts'
import { wide } from '../../look/desk.ts'
import { Failed } from '../../look/failure.tsx'
import { Row } from '../../look/list.tsx'
import { Mark } from '../../look/mark.tsx'
import { Empty, Loading, Pane, Title, useUp } from '../../look/page.tsx'
import { AreaShape } from '../../look/place/area-shape.tsx'
import { route } from '../../look/router.ts'
import { areas as areasOfFarm, catalogue, generation, me, terms } from '../../store/local-copy.ts'
import { isArchived, isArea } from '../../store/record.ts'
import { searchNames } from '../../store/search.ts'
import { status } from '../../sync/status.ts'
import { now } from '../../words/format.ts'
import { language } from '../../words/language.ts'
import { say } from '../../words/say.ts'
import { ConfirmPassword } from '../owner/owner-page.tsx'
import { useRequest } from '../record/use-request.ts'
import { FigureLink, FigureLogs, firstFigure, LogLink, ShownFigure } from './figure-logs.tsx'
import { HistoryTables } from './history-tables.tsx'
import { PrintedReport } from './paper/paper.tsx'
import { PhotoChoice } from './photo-choice.tsx'
import { InspectionTables, RegisterTables } from './register-table.tsx'
import { Options, ValueField } from './report-options.tsx'
import { reportQuery } from './report-query.ts'
import { SumsTable, Withholding, YieldsTable } from './report-tables.tsx'
import {
  daysOf,
  type InspectionDocument,
  isHistory,
  isInspection,
  isRegister,
  type RegisterDocument,
  type ReportDocument,
  type SumsDocument,
} from './report-words.ts'
import { mayShare, ShareSheet, ZipSheet } from './share.tsx'

/** One report, and beside it the logs of the chosen figure. */
export function ReportScreen({ name }: { readonly name: string }): JSX.Element {
  const report = keptReportNames.find((one) => one === name) ?? 'harvest'
  const { query } = route.value
  useUp({ to: '/reports', label: say('reports.title') })
  if (report === 'field-history' && query.get('area') === null) return <ChooseArea />
  return <ReportPanes key={report} report={report} query={query} />
}

interface ReportPanesProps {
  readonly report: KeptReportName
  readonly query: URLSearchParams
}

function ReportPanes({ report, query }: ReportPanesProps): JSX.Element {
  const serverQuery = reportQuery(query)
  const more = isWorded(report) ? ['language', language.value] : ['shapes', '1']
  const path = `/reports/${report}.json?${new URLSearchParams([...serverQuery, more])}`
  const { answer, again } = useRequest<ReportDocument>(path, String(generation.value))
  const document = answer?.failure === null ? answer.body : null
  const figure = wide.value && document !== null ? (query.get('figure') ?? firstFigure(document)) : null
  return (
    <div class={figure === null ? 'rep-one' : 'rep-split'}>
      <Pane name="report">
        <div class="rep-in">
          <Head report={report} serverQuery={serverQuery} document={document} />
          {status.value.kind === 'offline' && (
            <p class="banner round" role="status">
              {say('reports.needs-signal')}
            </p>
          )}
          {answer === null && <Waiting />}
          {answer !== null && answer.failure !== null && <Refused failure={answer} again={again} />}
          {document !== null && (
            <ShownFigure.Provider value={figure}>
              <ReportBody document={document} />
            </ShownFigure.Provider>
          )}
        </div>
        {document !== null && (
          <PrintedReport document={document} farm={me.value?.farm.name ?? ''} calculatedAt={now()} />
        )}
      </Pane>
      {document !== null && figure !== null && (
        <Pane class="book" name="figure">
          <FigureLogs key={figure} document={document} listQuery={figure} />
        </Pane>
      )}
    </div>
  )
}

function Waiting(): JSX.Element {
  return (
    <>
      <p class="out" role="status">
        {say('reports.working')}
      </p>
      <Loading />
    </>
  )
}

type Failure = Parameters<typeof Failed>[0]['failure']

/** Refusal in the server's words. */
function Refused({ failure, again }: { readonly failure: Failure; readonly again: () => void }): JSX.Element {
  if (failure.status === 400)
    return (
      <p class="fault" role="alert">
        {failure.detail}
      </p>
    )
  return <Failed failure={failure} onRetry={again} />
}

interface HeadProps {
  readonly report: KeptReportName
  readonly serverQuery: URLSearchParams
  readonly document: ReportDocument | null
}

function Head({ report, serverQuery, document }: HeadProps): JSX.Element {
  const [sharing, setSharing] = useState<'link' | 'zip' | null>(null)
  const types = document === null ? [] : typesIn(document)
  return (
    <>
      <div class="rep-head">
        <div>
          <Title text={titleOf(report, serverQuery)} class="title" />
          <p class="soft">{document && daysOf(document)}</p>
        </div>
        <span class="rep-do">
          {mayShare() && (
            <button type="button" class="btn" onClick={() => setSharing('link')}>
              {say('reports.share')}
            </button>
          )}
          {report === inspectionReport ? (
            <button type="button" class="btn" onClick={() => setSharing('zip')}>
              {say('reports.zip')}
            </button>
          ) : (
            (['xlsx', 'csv'] as const).map((format) => (
              <a
                key={format}
                class="btn"
                href={`/reports/${report}.${format}?${sheetQuery(report, serverQuery)}`}
                download=""
              >
                {say(`reports.${format}`)}
              </a>
            ))
          )}
          <button type="button" class="btn" onClick={() => print()}>
            {say('reports.print')}
          </button>
        </span>
      </div>
      <Options report={report} types={types} />
      {sharing === 'zip' && (
        <ZipSheet query={sheetQuery(report, serverQuery).toString()} onClose={() => setSharing(null)} />
      )}
      {sharing === 'link' && (
        <ShareSheet
          report={report}
          query={sheetQuery(report, serverQuery).toString()}
          onClose={() => setSharing(null)}
        />
      )}
      <ConfirmPassword />
    </>
  )
}

/** Registers come in the reader's language. */
const isWorded = (report: KeptReportName): boolean =>
  report === inspectionReport || Object.hasOwn(registerColumns, report)

/** The columns of a register have the reader's words. */
const sheetQuery = (report: KeptReportName, serverQuery: URLSearchParams): URLSearchParams =>
  isWorded(report) ? new URLSearchParams([...serverQuery, ['language', language.value]]) : serverQuery

function titleOf(report: KeptReportName, serverQuery: URLSearchParams): string {
  const area = report === 'field-history' ? terms.value.get(serverQuery.get('area') ?? '') : undefined
  return area === undefined ? say(`reports.${report}`) : say('reports.of-area', { area: area.name })
}

const typesIn = (document: ReportDocument): readonly string[] => {
  if (isRegister(document) || isInspection(document)) return Object.keys(catalogue.value?.types.log ?? {})
  return typesOfLines(document)
}

const typesOfLines = (document: Exclude<ReportDocument, RegisterDocument | InspectionDocument>): readonly string[] => [
  ...new Set(
    (document.lines as readonly { readonly log_types: readonly { readonly type: string }[] }[]).flatMap(
      ({ log_types }) => log_types.map(({ type }) => type),
    ),
  ),
]

function ReportBody({ document }: { readonly document: ReportDocument }): JSX.Element {
  if (isInspection(document))
    return (
      <>
        <InspectionTables document={document} figure={FigureLink} log={LogLink} />
        <PhotoChoice photos={document.photos} />
      </>
    )
  if (isRegister(document)) return <RegisterTables document={document} figure={FigureLink} log={LogLink} />
  if (isHistory(document)) {
    if (document.logs.count === 0 && document.stays.length === 0) return <Nothing report="field-history" />
    return <HistoryTables document={document} figure={FigureLink} log={LogLink} />
  }
  if (document.logs.count === 0) return <Nothing report={document.report} />
  return (
    <>
      <Warnings document={document} />
      <SumsTable document={document} figure={FigureLink} />
      <p class="small soft rep-note">{say('reports.note')}</p>
      <YieldsTable document={document} figure={FigureLink} />
      <Withholding document={document} log={LogLink} />
    </>
  )
}

const Nothing = ({ report }: { readonly report: ReportName | typeof historyReport }): JSX.Element => (
  <Empty text={say(`reports.nothing.${report}`)} />
)

/** Notes for readers of a printout. */
function Warnings({ document }: { readonly document: SumsDocument }): JSX.Element {
  const { report, no_lot, no_amount } = document
  return (
    <>
      {no_lot.count > 0 && (
        <Warning words={say(`reports.no-lot.${report}`, { count: no_lot.count })}>
          <FigureLink figure={no_lot}>{say('reports.look')}</FigureLink>
        </Warning>
      )}
      {no_amount.count > 0 && (
        <Warning words={say(`reports.no-amount.${report}`, { count: no_amount.count })}>
          <FigureLink figure={no_amount}>{say('reports.look')}</FigureLink>
        </Warning>
      )}
    </>
  )
}

function Warning({ words, children }: { readonly words: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <p class="banner round">
      <Mark kind="needs" />
      <span>
        <b>{words}</b> {children}
      </span>
    </p>
  )
}

const shown = 50

/** A field history needs an area first. */
function ChooseArea(): JSX.Element {
  const [text, setText] = useState('')
  const all = areasOfFarm().filter((area) => !isArchived(area))
  const byName = () => all.sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))
  const areas = text.trim() === '' ? byName() : searchNames(text, isArea)
  return (
    <Pane class="book alone" name="page">
      <div class="head">
        <Title text={say('reports.field-history')} />
        <ValueField label={say('reports.which-area')} value={text} onText={setText} />
      </div>
      <ul>
        {areas.slice(0, shown).map((area) => (
          <Row
            key={area.id}
            to={`/reports/field-history?area=${area.id}`}
            margin={<AreaShape area={area} />}
            title={<bdi>{area.name}</bdi>}
          />
        ))}
      </ul>
      {areas.length > shown && <p class="words soft">{say('reports.more-areas', { count: areas.length - shown })}</p>}
      {areas.length === 0 && (
        <p class="words soft">{say(all.length === 0 ? 'reports.no-areas' : 'reports.no-area-named')}</p>
      )}
    </Pane>
  )
}
