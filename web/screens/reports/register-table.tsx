import type { JSX } from 'preact'
import { dayAndYear, farmTime } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import type { ShowFigure, ShowLog } from './report-tables.tsx'
import type { InspectionDocument, RegisterDocument } from './report-words.ts'

interface RegisterProps {
  readonly document: RegisterDocument
  readonly figure: ShowFigure
  readonly log: ShowLog
}

/** A register: what is missing, a line for each log or animal, and the sums. */
export function RegisterTables({ document, figure: Shown, log }: RegisterProps): JSX.Element {
  const { columns, rows, missing, sums } = document
  if (rows.length === 0) return <p>{say('reports.nothing.register')}</p>
  return (
    <>
      {missing.length > 0 && (
        <ul class="remark">
          {missing.map(({ column, label, count, list }) => (
            <li key={column}>
              {say('reports.missing', { column: label })}: <Shown figure={{ count, list }}>{count}</Shown>
            </li>
          ))}
        </ul>
      )}
      <div class="wide-table">
        <table class="rep register">
          <thead>
            <tr>
              {columns.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <RegisterLine key={row.logs.join() || at} row={row} columns={columns} log={log} />
            ))}
          </tbody>
        </table>
      </div>
      {sums.length > 0 && <Sums sums={sums} />}
    </>
  )
}

interface InspectionProps extends Omit<RegisterProps, 'document'> {
  readonly document: InspectionDocument
}

/** All registers, one after the other, and first what is missing in them. */
export function InspectionTables({ document, figure: Shown, log }: InspectionProps): JSX.Element {
  return (
    <>
      {document.missing.length > 0 && (
        <ul class="remark">
          {document.missing.map(({ what, count, list }) => (
            <li key={what}>
              {say(`reports.lacks.${what}`)}: <Shown figure={{ count, list }}>{count}</Shown>
            </li>
          ))}
        </ul>
      )}
      {document.registers.map((register) => (
        <section key={register.report}>
          <h2>{say(`reports.${register.report}`)}</h2>
          <RegisterTables document={register} figure={Shown} log={log} />
        </section>
      ))}
    </>
  )
}

/** On paper and in links: the photos that were chosen. */
export function ChosenPhotos({ photos }: Pick<InspectionDocument, 'photos'>): JSX.Element {
  return (
    <>
      {photos
        .filter(({ chosen }) => chosen)
        .map((photo) => (
          <figure key={photo.id}>
            <img src={photoSource(photo)} alt={photo.name} />
            <figcaption>
              {dayAndYear(farmTime(photo.day))} <bdi>{photo.name}</bdi>
            </figcaption>
          </figure>
        ))}
    </>
  )
}

/** The public address of the farm may differ from the one that this page uses. */
export const photoSource = ({ address, data }: InspectionDocument['photos'][number]): string =>
  data ?? (address === undefined ? '' : new URL(address).pathname)

interface LineProps {
  readonly row: RegisterDocument['rows'][number]
  readonly columns: RegisterDocument['columns']
  readonly log: ShowLog
}

function RegisterLine({ row, columns, log: Log }: LineProps): JSX.Element {
  const [only] = row.logs
  return (
    <tr>
      {columns.map(({ name, label }, at) => {
        const words = cellWords(name, row.cells[name] ?? '')
        return (
          <td key={name} class={row.missing.includes(name) ? 'lacking' : undefined}>
            {at === 0 && only !== undefined && words !== '' ? <Log id={only} name={words} /> : <bdi>{words}</bdi>}
            {row.missing.includes(name) && words === '' && (
              <span class="soft" role="img" aria-label={say('reports.missing', { column: label })}>
                –
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
}

const ofDays = /day|entered|born|since$|free_from|seeding|inputs/

/** Days as the reader writes them. */
const cellWords = (column: string, text: string): string =>
  ofDays.test(column) ? text.replace(/\d{4}-\d\d-\d\d/g, (day) => dayAndYear(farmTime(day))) : text

function Sums({ sums }: Pick<RegisterDocument, 'sums'>): JSX.Element {
  return (
    <section>
      <h2>{say('reports.sums')}</h2>
      <table class="rep">
        <tbody>
          {sums.map((sum) => (
            <tr key={`${sum.of} ${sum.amount}`}>
              <th scope="row">
                <bdi>{sum.of}</bdi>
              </th>
              <td class="n">{sum.amount}</td>
              <td class="n">{sum.size}</td>
              <td class="n">{sum.rate}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The head of a paper: where the farm is, its numbers, and who certifies it. */
export function PaperHead({ head }: Pick<RegisterDocument, 'head'>): JSX.Element {
  const { address, holding_numbers, certifier, certifier_number } = head
  return (
    <>
      {lines(address).map((line) => (
        <p key={line}>{line}</p>
      ))}
      {holding_numbers !== '' && (
        <p>
          {say('reports.holding')}: {lines(holding_numbers).join(', ')}
        </p>
      )}
      {certifier !== '' && (
        <p>
          {say('reports.certifier')}: {[certifier, certifier_number].filter(Boolean).join(', ')}
        </p>
      )}
    </>
  )
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '')
