import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CatalogueField } from '../../../src/doors/app/documents.ts'
import { Link, pageOf, pageOfAsset, pageOfLog, pageOfTerm } from '../../look/link.tsx'
import { Mark } from '../../look/mark.tsx'
import { amountIn } from '../../look/names.ts'
import { assetBy, catalogue, termBy } from '../../store/local-copy.ts'
import type { Conflict, Entry, EntryProblem } from '../../store/outbox-entry.ts'
import { partsIn, typeOnTheWire } from '../../store/record.ts'
import {
  type ConflictChoice,
  recordAgain,
  removeAnyway,
  resolveConflicts,
  tryAgain,
} from '../../sync/outbox-decisions.ts'
import type { UnsentSet } from '../../sync/send-state.ts'
import { day, dayAndClock } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { fieldValue } from '../record/facts.tsx'
import { exportAll, titleOf } from './unsent-sets.ts'

interface ConflictCardProps {
  readonly one: UnsentSet
  readonly entry: Entry
}

/** Conflict: the user chooses one side or both for each field. The last choice sends it. */
export function ConflictCard({ one, entry }: ConflictCardProps): JSX.Element {
  const { conflicts = [], by } = entry.problem ?? {}
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictChoice>>(new Map())
  const who = by === undefined || by.name === '' ? say('outbox.somebody') : by.name
  const choose = (field: string, choice: ConflictChoice) => {
    const now = new Map(choices).set(field, choice)
    setChoices(now)
    if (conflicts.every((conflict) => now.has(conflict.field))) void resolveConflicts(one.entries, entry, now)
  }
  return (
    <section class="card needs">
      <CardHead
        title={say('outbox.two-answers', { name: entry.name })}
        text={say('outbox.changed-meanwhile', { who })}
      />
      {conflicts.map((conflict) => (
        <ConflictField
          key={conflict.field}
          entry={entry}
          conflict={conflict}
          who={who}
          chosen={choices.get(conflict.field)}
          onChoose={(choice) => choose(conflict.field, choice)}
        />
      ))}
      <p class="small soft">{say('outbox.until-you-choose')}</p>
    </section>
  )
}

interface ConflictFieldProps {
  readonly entry: Entry
  readonly conflict: Conflict
  readonly who: string
  readonly chosen: ConflictChoice | undefined
  readonly onChoose: (choice: ConflictChoice) => void
}

function ConflictField({ entry, conflict, who, chosen, onChoose }: ConflictFieldProps): JSX.Element {
  const theirTime = entry.problem?.by?.at
  const show = (value: unknown) => wordsFor(entry, conflict.field, value)
  return (
    <fieldset class="contested">
      <legend>{fieldLabel(entry, conflict.field)}</legend>
      <div class="sides">
        <Side
          who={say('outbox.theirs', { who, time: theirTime === undefined ? '' : dayAndClock(theirTime) })}
          label={say('outbox.keep-theirs', { who })}
          value={show(conflict.theirs)}
          isChosen={chosen === 'theirs'}
          onChoose={() => onChoose('theirs')}
        />
        <Side
          who={say('outbox.yours', { time: dayAndClock(entry.at) })}
          label={say('outbox.keep-mine')}
          value={show(conflict.mine)}
          isChosen={chosen === 'mine'}
          onChoose={() => onChoose('mine')}
        />
      </div>
      {conflict.kind !== 'value' && (
        <button type="button" class="btn" aria-pressed={chosen === 'both'} onClick={() => onChoose('both')}>
          {say('outbox.keep-both')}
        </button>
      )}
    </fieldset>
  )
}

interface SideProps {
  readonly who: string
  readonly label: string
  readonly value: ComponentChildren
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Side({ who, label, value, isChosen, onChoose }: SideProps): JSX.Element {
  return (
    <div class={isChosen ? 'side on' : 'side'}>
      <small>{who}</small>
      <div class="said">{value}</div>
      <button type="button" class="btn plain keep" aria-pressed={isChosen} onClick={onChoose}>
        {label}
      </button>
    </div>
  )
}

function wordsFor(entry: Entry, name: string, value: unknown): ComponentChildren {
  if (name === 'quantity') return partsIn(value).map(amountIn).join(', ') || say('outbox.empty-value')
  const field = fieldAt(entry, name)
  const words = field === undefined ? String(value ?? '') : fieldValue(value, field)
  return words === null || words === '' ? say('outbox.empty-value') : words
}

interface RefusedCardProps {
  readonly one: UnsentSet
  readonly onDiscard: () => void
}

/** A refused entry: reason, and what the user can do. */
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

/** In a set, only the entry with the fault has details. */
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

/** Faults in the server's words, each at its field. */
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

/** Name of the field, or a link to the records in the way. */
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

interface CardHeadProps {
  readonly title: string
  readonly text: string
}

function CardHead({ title, text }: CardHeadProps): JSX.Element {
  return (
    <>
      <h3 class="card-title">
        <Mark kind="needs" />
        <bdi>{title}</bdi>
      </h3>
      <p class="small soft">{text}</p>
    </>
  )
}

/** Catalogue field at the start of a path such as `quantity[1].measure`. */
function fieldAt({ type, bundle }: Entry, path: string): CatalogueField | undefined {
  const [name = ''] = path.split(/[.[]/)
  return catalogue.value?.types[typeOnTheWire[type]][bundle]?.fields[name]
}

function fieldLabel(entry: Entry, path: string): string {
  return path === 'name' ? say('outbox.name') : (fieldAt(entry, path)?.label ?? path)
}
