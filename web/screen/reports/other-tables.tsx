import type { JSX } from 'preact'
import { dayAndYear, farmTime } from '../../words/format.ts'
import type { SumsDocument } from './documents.ts'
import { say } from './say.ts'
import type { TableProps } from './sums-table.tsx'
import { allNames, amountText, conversions, measured, written } from './words.ts'

/** What each planting by itself has yielded. */
export function YieldsTable({ document, figure: Shown }: TableProps<SumsDocument>): JSX.Element | null {
  if (document.yields.length === 0) return null
  return (
    <section>
      <h2>{say('reports.yields')}</h2>
      <table class="rep">
        <thead>
          <tr>
            <th scope="col">{say('reports.planting')}</th>
            <th scope="col" class="n y">
              {say('reports.size')}
            </th>
            <th scope="col" class="n">
              {say('reports.amount')}
            </th>
            <th scope="col" class="n">
              {say('reports.yield')}
            </th>
          </tr>
        </thead>
        <tbody>
          {document.yields.map((one) => (
            <tr key={`${one.planting.id} ${one.measure} ${one.label} ${one.unit}`}>
              <th scope="row">
                <bdi>{one.planting.name}</bdi>
                <small class="soft">{allNames(one.crops)}</small>
              </th>
              <td class="n y">{say('reports.square-metres', { size: written(one.yield.square_metres) })}</td>
              <td class="n">
                <Shown figure={one.logs}>{amountText(one)}</Shown>
                {conversions(one).map((words) => (
                  <small key={words} class="soft counted">
                    {words}
                  </small>
                ))}
              </td>
              <td class="n wraps">{measured(one.yield.value, one.yield.unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** A log by its name, on the screen as a way to it. */
export type ShowLog = (props: { readonly id: string; readonly name: string }) => JSX.Element

interface WithholdingProps {
  readonly document: SumsDocument
  readonly log: ShowLog
}

/** Until when nothing of treated animals is used, and after what. */
export function Withholding({ document, log: Log }: WithholdingProps): JSX.Element | null {
  if (document.withholding.length === 0) return null
  return (
    <section>
      <h2>{say('reports.withholding')}</h2>
      <table class="rep">
        <tbody>
          {document.withholding.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Log id={one.id} name={one.name} />
                <small class="soft">{allNames(one.assets)}</small>
              </th>
              <td>
                {say('reports.until', { day: dayAndYear(farmTime(one.until)) })}
                {one.treatments.map((treatment) => (
                  <small key={treatment.id}>
                    <AfterTreatment log={Log} {...treatment} />
                  </small>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const hole = '\u0000'

function AfterTreatment({ log: Log, id, name }: { log: ShowLog; id: string; name: string }): JSX.Element {
  const [before, after] = say('reports.after', { treatment: hole }).split(hole)
  return (
    <>
      {before}
      <Log id={id} name={name} />
      {after}
    </>
  )
}
