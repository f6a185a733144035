import type { JSX } from 'preact'
import { dayAndYear, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import type { ShowFigure, ShowLog } from './report-tables.tsx'
import type { HistoryDocument } from './report-words.ts'
import { allNames, amountText } from './report-words.ts'

interface HistoryProps {
  readonly document: HistoryDocument
  readonly figure: ShowFigure
  readonly log: ShowLog
}

/** Contents of an area, and the work done there. */
export function HistoryTables({ document, figure: Shown, log: Log }: HistoryProps): JSX.Element {
  return (
    <>
      {document.lines.length > 0 && (
        <table class="rep">
          <thead>
            <tr>
              <th scope="col">{say(`reports.each.${document.group}`)}</th>
              <th scope="col" class="n">
                {say('reports.logs')}
              </th>
            </tr>
          </thead>
          <tbody>
            {document.lines.map((line) => (
              <tr key={line.logs.list || historyTitle(line, document.group)}>
                <th scope="row">{historyTitle(line, document.group)}</th>
                <td class="n">
                  <Shown figure={line.logs}>{line.logs.count}</Shown>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {document.stays.length > 0 && <Stays document={document} log={Log} />}
      {document.done.length > 0 && <Done document={document} log={Log} />}
    </>
  )
}

type HistoryLine = HistoryDocument['lines'][number]

function historyTitle({ log_types, crops, assets }: HistoryLine, group: HistoryDocument['group']): string {
  const types = log_types.map(({ label }) => label).join(', ')
  if (group === 'type') return types
  return allNames(group === 'crop' ? crops : assets) || types
}

const dayText = (iso: string): string => dayAndYear(farmTime(iso))

function Stays({ document, log: Log }: Omit<HistoryProps, 'figure'>): JSX.Element {
  return (
    <section>
      <h2>{say('reports.was-there')}</h2>
      <table class="rep">
        <thead>
          <tr>
            <th scope="col">{say('reports.asset')}</th>
            <th scope="col">{say('reports.from')}</th>
            <th scope="col">{say('reports.to')}</th>
          </tr>
        </thead>
        <tbody>
          {document.stays.map((stay) => (
            <tr key={`${stay.asset.id} ${stay.log} ${stay.from}`}>
              <th scope="row">
                <bdi>{stay.asset.name}</bdi>
                <small class="soft">{allNames(stay.crops)}</small>
              </th>
              <td>
                <Log id={stay.log} name={dayText(stay.from)} />
              </td>
              <td>{stay.until === null ? say('reports.until-now') : dayText(stay.until)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Done({ document, log: Log }: Omit<HistoryProps, 'figure'>): JSX.Element {
  return (
    <section>
      <h2>{say('reports.was-done')}</h2>
      <table class="rep">
        <thead>
          <tr>
            <th scope="col">{say('reports.day')}</th>
            <th scope="col">{say('reports.what')}</th>
            <th scope="col" class="n">
              {say('reports.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {document.done.map((one) => (
            <tr key={one.id}>
              <td class="day">
                {dayText(one.day)}
                {one.entered && <small class="soft">{say('reports.entered', { day: dayText(one.entered) })}</small>}
              </td>
              <th scope="row">
                <Log id={one.id} name={one.name} />
                <small class="soft">
                  {[one.label, allNames(one.materials), allNames(one.assets)].filter(Boolean).join(' · ')}
                </small>
              </th>
              <td class="n wraps">
                {one.amounts.map((amount) => (
                  <span key={`${amount.measure} ${amount.label} ${amount.value}`} class="one">
                    {amountText(amount)}
                  </span>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
