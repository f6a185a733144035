import type { JSX } from 'preact'
import { pageOf, pageOfAsset, pageOfLog, pageOfTerm } from '../../look/address-of.ts'
import { Link } from '../../look/link.tsx'
import { assetBy, termBy } from '../../store/local-copy.ts'
import type { Entry, EntryProblem } from '../../store/outbox-entry.ts'
import { recordAgain, removeAnyway, tryAgain } from '../../sync/outbox-decisions.ts'
import type { UnsentSet } from '../../sync/send-state.ts'
import { day } from '../../words/format.ts'
import { say } from '../device-say.ts'
import { CardHead } from './card-head.tsx'
import { exportAll } from './export-all.ts'
import { fieldLabel } from './field-label.ts'
import { titleOf } from './set-words.ts'

interface RefusedCardProps {
  readonly one: UnsentSet
  readonly onDiscard: () => void
}

/** Why the farm did not take something, in words, and what can be done about it. */
export function RefusedCard({ one, onDiscard }: RefusedCardProps): JSX.Element {
  const faulty = one.entries.find(({ problem }) => problem !== null && saysMore(problem)) ?? one.entries[0]
  const problem = faulty?.problem ?? one.photos.find((photo) => photo.problem !== null)?.problem ?? null
  return (
    <section class="card needs">
      <CardHead title={titleOf(one)} text={problem === null ? say('outbox.why.refused') : whyWords(problem)} />
      {problem !== null && <Faults entry={faulty} problem={problem} />}
      <div class="ways">
        <Ways one={one} entry={faulty} problem={problem} />
        <button type="button" class="btn" onClick={exportAll}>
          {say('outbox.export')}
        </button>
        <button type="button" class="btn" onClick={onDiscard}>
          {say('outbox.discard')}
        </button>
      </div>
    </section>
  )
}

/** Of a set only the entry that has the fault says more than that something was refused. */
const saysMore = ({ errors, removed, conflicts }: EntryProblem): boolean =>
  errors.length > 0 || removed !== undefined || conflicts !== undefined

function whyWords({ status, removed, by, conflicts }: EntryProblem): string {
  const who = by?.name === '' || by === undefined ? say('outbox.somebody') : by.name
  if (removed === 'to-trash') return say('outbox.why.removed', { who, day: day(by?.at ?? 0) })
  if (removed === 'for-good') return say('outbox.why.removed-for-good')
  if (conflicts !== undefined) return say('outbox.why.changed-before-removal', { who, day: day(by?.at ?? 0) })
  if (status === 413) return say('outbox.why.too-large')
  if (status === 409) return say('outbox.why.in-the-way')
  return say(status !== null && status >= 500 ? 'outbox.why.failed' : 'outbox.why.refused')
}

interface FaultsProps {
  readonly entry: Entry | undefined
  readonly problem: EntryProblem
}

/** The farm's own words, each at its field. */
function Faults({ entry, problem: { errors, detail, requestId, removed, conflicts } }: FaultsProps): JSX.Element {
  const isSaid = removed !== undefined || conflicts !== undefined
  return (
    <>
      {!isSaid && errors.length === 0 && detail !== '' && <p>{detail}</p>}
      {!isSaid && errors.length > 0 && (
        <ul class="faults">
          {errors.map(({ field, message }) => (
            <li key={field + message}>
              <FaultPlace entry={entry} field={field} /> {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== null && <p class="small soft">{say('outbox.request', { id: requestId })}</p>}
    </>
  )
}

interface FaultPlaceProps {
  readonly entry: Entry | undefined
  readonly field: string
}

/** Mostly a field; where others are in the way, the way to them. */
function FaultPlace({ entry, field }: FaultPlaceProps): JSX.Element {
  const [type = '', id] = field.split('/')
  if (id === undefined) return <b>{entry === undefined ? field : fieldLabel(entry, field)}</b>
  const known = pages[type]
  return (
    <Link to={known?.page(id) ?? '/records'} class="because tap">
      <bdi>{known?.name(id) ?? field}</bdi>
    </Link>
  )
}

interface PageOf {
  readonly page: (id: string) => string
  readonly name: (id: string) => string
}

const pages: Readonly<Record<string, PageOf>> = {
  log: { page: pageOfLog, name: (id) => say('outbox.log-number', { id }) },
  farm_asset: { page: pageOfAsset, name: (id) => assetBy(id)?.name ?? id },
  taxonomy_term: { page: pageOfTerm, name: (id) => termBy(id)?.name ?? id },
}

interface WaysProps {
  readonly one: UnsentSet
  readonly entry: Entry | undefined
  readonly problem: EntryProblem | null
}

function Ways({ one, entry, problem }: WaysProps): JSX.Element {
  if (entry !== undefined && problem?.removed !== undefined)
    return (
      <button type="button" class="btn main-do" onClick={() => void recordAgain(one, entry)}>
        {say('outbox.record-again')}
      </button>
    )
  if (entry !== undefined && problem?.conflicts !== undefined)
    return (
      <button type="button" class="btn main-do" onClick={() => void removeAnyway(one.entries, entry)}>
        {say('outbox.remove-anyway')}
      </button>
    )
  const isForm = entry !== undefined && (problem?.status === 400 || problem?.status === 422)
  return (
    <>
      {isForm && (
        <Link to={`${pageOf(entry)}/edit`} class="btn main-do">
          {say('outbox.change-it')}
        </Link>
      )}
      <button type="button" class="btn" onClick={() => void tryAgain(one)}>
        {say('outbox.try-again')}
      </button>
    </>
  )
}
