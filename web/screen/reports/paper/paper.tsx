import type { ComponentChildren, JSX } from 'preact'
import { isHistory, type ReportDocument } from '../documents.ts'
import { HistoryTables } from '../history-tables.tsx'
import { Withholding, YieldsTable } from '../other-tables.tsx'
import { say } from '../say.ts'
import { SumsTable } from '../sums-table.tsx'
import { daysOf } from '../words.ts'
import { dayAndClockOf } from './moment.ts'
import { PaperMap } from './paper-map.tsx'

export interface PaperProps {
  readonly document: ReportDocument
  readonly farm: string
  /** When it was added up. */
  readonly made: number
  /** What stands under the head, and at the end. */
  readonly notice?: ComponentChildren
  readonly children?: ComponentChildren
}

const PlainFigure = ({ children }: { readonly children: ComponentChildren }): JSX.Element => <>{children}</>
const PlainLog = ({ name }: { readonly name: string }): JSX.Element => <bdi>{name}</bdi>

/** The report as a document: for a printer, and for whoever was sent a link. */
export function Paper({ document, farm, made, notice, children }: PaperProps): JSX.Element {
  return (
    <article class="paper">
      <header>
        <p class="farm">{farm}</p>
        <h1>{titleOf(document)}</h1>
        <p>{daysOf(document)}</p>
        <p class="made">{say('reports.made', { time: dayAndClockOf(made) })}</p>
        {notice}
      </header>
      <Tables document={document} />
      <PaperMap places={document.places ?? []} />
      {children}
    </article>
  )
}

export const titleOf = (document: ReportDocument): string =>
  isHistory(document) ? say('reports.of-area', { area: document.area.name }) : say(`reports.${document.report}`)

function Tables({ document }: { readonly document: ReportDocument }): JSX.Element {
  if (isHistory(document)) return <HistoryTables document={document} figure={PlainFigure} log={PlainLog} />
  if (document.logs.count === 0) return <p>{say(`reports.nothing.${document.report}`)}</p>
  return (
    <>
      {document.no_lot.count > 0 && (
        <p class="remark">{say(`reports.no-lot.${document.report}`, { count: document.no_lot.count })}</p>
      )}
      {document.no_amount.count > 0 && (
        <p class="remark">{say(`reports.no-amount.${document.report}`, { count: document.no_amount.count })}</p>
      )}
      <SumsTable document={document} figure={PlainFigure} />
      <p class="remark">{say('reports.note')}</p>
      <YieldsTable document={document} figure={PlainFigure} />
      <Withholding document={document} log={PlainLog} />
    </>
  )
}
