import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  activityBundle,
  harvestBundle,
  saleBundle,
  slaughterCategory,
  type WithheldProduct,
} from '../../src/farm/bundle-names.ts'
import { entry } from '../../src/words/en/entry.ts'
import { Link, pageOf } from '../look/link.tsx'
import { Row, Section } from '../look/list.tsx'
import { Mark } from '../look/mark.tsx'
import { byName, choiceLabel, dotted, shortList } from '../look/names.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { offerUndo, toastOnFailure } from '../look/undo.tsx'
import { useCopy, useLogs } from '../look/use-logs.ts'
import { grouped } from '../store/grouped.ts'
import { assetBy, log as logBy, mayWrite, termBy } from '../store/local-copy.ts'
import type { LocalChange } from '../store/outbox-entry.ts'
import { isDone, type LocalRecord, partsIn, timeOf } from '../store/record.ts'
import { isAnimal, placesOf } from '../store/stays.ts'
import {
  type KeptWithholding,
  productTaken,
  type WithheldThing,
  WithheldThings,
  withholdingLogs,
} from '../store/withheld.ts'
import { save } from '../sync/save.ts'
import { status } from '../sync/status.ts'
import { clock, day, isoDay, now } from '../words/format.ts'
import { addWords, say } from '../words/say.ts'
import { unitOf } from './amount.ts'

addWords(entry)

/** The treatments of the copy that withhold something; null until they are there. */
const useTreatments = () => useCopy(withholdingLogs)

const productWords = (product: string): string => choiceLabel('withheld_products', product)

const untilWords = ({ product, until }: KeptWithholding): string =>
  say('entry.withheld.until', { product: productWords(product), day: day(until) })

/** What is withheld of an animal, a herd, a planting or an area, at the head of its page. */
export function WithheldBanner({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const treatments = useTreatments()
  const things = new WithheldThings(treatments ?? []).of(record)
  if (things.length === 0) return null
  return (
    <div class="banner needs" role="status">
      <Mark kind="needs" />
      <span>
        {alike(things.flatMap(linesOf), record.id).map(({ who, period }) => (
          <Link key={untilWords(period)} to={pageOf(period.log)}>
            <b>{dotted([who, untilWords(period)])}</b>
          </Link>
        ))}
        {status.value.kind === 'offline' && (
          <small>{say('entry.withheld.as-of', { time: clock(status.value.copyOf ?? now()) })}</small>
        )}
      </span>
    </div>
  )
}

const linesOf = ({ record, periods }: WithheldThing) => periods.map((period) => ({ record, period }))

/** One line for all that are withheld alike: "101, 102 +38". */
function alike(lines: readonly Pick<WithheldQuestion, 'record' | 'period'>[], page = '') {
  return [...grouped(lines, ({ period }) => untilWords(period)).values()].flatMap((some) => {
    const names = some.flatMap(({ record }) => (record.id === page ? [] : record.name)).sort(byName)
    return some.slice(0, 1).map(({ period }) => ({ period, who: names.length < some.length ? '' : shortList(names) }))
  })
}

/** Answers by what is asked: a withheld product, the sale of a living animal, a place that may not be used. */
const answersTo = {
  taken: ['kept-apart', 'thrown-away', 'anyway'],
  sold: ['told', 'anyway'],
  place: ['anyway'],
} as const
type WithheldAnswer = (typeof answersTo)[keyof typeof answersTo][number]

interface WithheldQuestion {
  readonly kind: keyof typeof answersTo
  readonly record: LocalRecord
  readonly period: KeptWithholding
}

/** Fields of a log that is about to be saved, or of one in the copy. */
type AskedLog = Pick<LocalRecord, 'uuid' | 'bundle' | 'fields'>

/** Questions about one log: for the product that is taken, and for the places that it leads into. */
function questionsOf(log: AskedLog, treatments: readonly LocalRecord[]): readonly WithheldQuestion[] {
  const { fields, bundle, uuid } = log
  const at = timeOf(log)
  const things = new WithheldThings(
    treatments.filter((one) => one.uuid !== uuid),
    at,
  )
  if (things.all.size === 0) return []
  const assets = named(fields.asset).flatMap((id) => assetBy(id) ?? [])
  const areas = named(fields.area).flatMap((id) => termBy(id) ?? [])
  const to = partsIn(fields.movement).flatMap(({ area }) => named(area).flatMap((id) => termBy(id) ?? []))
  const stood = () => assets.flatMap(({ id }) => placesOf(id, at).flatMap(({ place }) => termBy(place ?? '') ?? []))
  const places = areas.length + to.length > 0 ? [...areas, ...to] : stood()
  const product = isDone(log) ? takenBy({ fields, bundle }, assets) : 'none'
  const ask = (
    kind: WithheldQuestion['kind'],
    records: readonly LocalRecord[],
    isAsked: (product: string) => boolean,
  ): readonly WithheldQuestion[] =>
    records
      .flatMap((record) => things.of(record))
      .flatMap(linesOf)
      .filter(({ period }) => isAsked(period.product))
      .map((line) => ({ kind, ...line }))
  return [
    ...ask(bundle === saleBundle && product === 'any' ? 'sold' : 'taken', assets.length > 0 ? assets : areas, (one) =>
      product === 'any'
        ? one !== 'entry' && one !== 'grazing'
        : one === product || (one === 'all' && product !== 'none'),
    ),
    ...ask('place', places, (one) => one === 'entry'),
    ...ask('place', assets.some(({ id }) => isAnimal(id)) ? to : [], (one) => one === 'grazing'),
  ]
}

/** References of a log that is not sent yet name records by UUID. */
const named = (references: unknown): readonly string[] =>
  partsIn(references).flatMap(({ id, uuid }) => (id ?? uuid ?? []) as string)

/** The product that a log takes: none, or any where it does not say which. */
function takenBy(
  { bundle, fields }: Pick<AskedLog, 'bundle' | 'fields'>,
  assets: readonly LocalRecord[],
): WithheldProduct | 'none' | 'any' {
  const isSlaughter = named(fields.log_category).some((id) => termBy(id)?.uuid === slaughterCategory)
  if (isSlaughter) return 'meat'
  if (bundle !== harvestBundle && bundle !== saleBundle) return 'none'
  const [part = {}] = partsIn(fields.quantity)
  const isOfAnimals = assets.some(({ id }) => isAnimal(id))
  return productTaken(unitOf(part), isOfAnimals ? 'animal' : 'planting') ?? 'any'
}

interface OpenQuestion {
  readonly questions: readonly WithheldQuestion[]
  readonly onAnswer: (answer: WithheldAnswer | null) => void
}

const open = signal<OpenQuestion | null>(null)

/**
 * Asks once about everything that an entry takes while it is withheld, and about places that may not be used.
 * Returns the changes with the answer in the notes, or null if the user closed the question.
 */
export async function askWithheld(changes: readonly LocalChange[]): Promise<readonly LocalChange[] | null> {
  const treatments = await withholdingLogs()
  const logs = await Promise.all(changes.map(loggedBy))
  const asked = logs.map((log) => questionsOf(log, treatments))
  const questions = [...new Map(asked.flat().map((one) => [keyOf(one), one])).values()]
  if (questions.length === 0) return changes
  const answer = await new Promise<WithheldAnswer | null>((onAnswer) => {
    open.value = { questions, onAnswer }
  })
  open.value = null
  if (answer === null) return null
  return changes.map((change, at) => {
    const [log, questions = []] = [logs[at], asked[at]]
    if (log === undefined || questions.length === 0 || !('fields' in change)) return change
    return { ...change, fields: { ...change.fields, ...answeredNotes(log, questions, answer) } }
  })
}

/** The log as it will be; a plan that is ticked is in the copy. */
async function loggedBy(change: LocalChange): Promise<AskedLog> {
  if (change.verb === 'make') return change
  const { uuid, ...rest } = change
  const { bundle = '', fields = {} } = ('fields' in rest && rest.fields.done === '1' && (await logBy(uuid))) || {}
  return { uuid, bundle, fields: 'fields' in rest && bundle !== '' ? { ...fields, ...rest.fields } : {} }
}

const keyOf = ({ record, period }: WithheldQuestion): string => `${record.uuid} ${period.product}`

/** The answer is kept in the notes of the log, after what they said. */
function answeredNotes(log: AskedLog, questions: readonly WithheldQuestion[], answer: WithheldAnswer) {
  const lines = questions.map(
    ({ period: { product, until } }) =>
      `${say('entry.withheld.note', { product: productWords(product), day: isoDay(until) })} ${say(`entry.withheld.${answer}`)}`,
  )
  return { notes: { value: [noteOf(log), ...new Set(lines)].filter(Boolean).join('\n') } }
}

/** In whichever language it was answered. */
const answered = /^(Withheld|Wartezeit|Plazo de espera) \(/m

/** The open question of an entry. */
export function WithheldSheet(): JSX.Element | null {
  useEffect(() => () => open.peek()?.onAnswer(null), [])
  if (open.value === null) return null
  const { questions, onAnswer } = open.value
  return (
    <ModalSheet title={titleOf(questions)} onClose={() => onAnswer(null)}>
      <ul>
        {alike(questions).map(({ who, period }) => (
          <Row key={period} title={who} second={untilWords(period)} />
        ))}
      </ul>
      <Answers questions={questions} onAnswer={onAnswer} />
    </ModalSheet>
  )
}

const titleOf = (questions: readonly WithheldQuestion[]): string =>
  say(questions[0]?.kind === 'sold' ? 'entry.withheld.tell' : 'entry.withheld')

const Answers = ({ questions, onAnswer }: OpenQuestion): JSX.Element => (
  <p class="options">
    {answersTo[questions[0]?.kind ?? 'place'].map((answer, at) => (
      <button key={answer} type="button" class={at === 0 ? 'btn main-do' : 'btn'} onClick={() => onAnswer(answer)}>
        {say(`entry.withheld.${answer}`)}
      </button>
    ))}
  </p>
)

const mostTaken = 2_000

/** Today: what is withheld now, and what was taken without knowing it, until somebody answers. */
export function WithheldToday(): JSX.Element | null {
  const treatments = useTreatments()
  const from = Math.min(now(), ...(treatments ?? []).map(timeOf))
  const taken = useLogs({ bundles: [harvestBundle, saleBundle, activityBundle], done: true, from, limit: mostTaken })
  if (treatments === null || treatments.length === 0) return null
  const late = (taken ?? []).flatMap((log) => lateQuestions(log, treatments))
  const all = [...new WithheldThings(treatments).all.values()]
  return (
    <>
      {mayWrite() && late.map((one) => <LateQuestion key={one.log.uuid} found={one} />)}
      {all.length > 0 && (
        <Section title={say('entry.withheld')} count={all.length}>
          {alike(all.flatMap(linesOf)).map(({ who, period }) => (
            <Row
              key={period}
              to={pageOf(period.log)}
              margin={<Mark kind="needs" />}
              title={<bdi>{who}</bdi>}
              second={untilWords(period)}
            />
          ))}
        </Section>
      )}
    </>
  )
}

interface LateKnowledge {
  readonly log: LocalRecord
  readonly questions: readonly WithheldQuestion[]
}

/** A harvest, sale or slaughter of what turned out to be withheld, as long as nobody has answered it. */
function lateQuestions(log: LocalRecord, treatments: readonly LocalRecord[]): readonly LateKnowledge[] {
  if (answered.test(noteOf(log))) return []
  const questions = questionsOf(log, treatments).filter(({ kind }) => kind !== 'place')
  return questions.length === 0 ? [] : [{ log, questions }]
}

const noteOf = ({ fields }: Pick<LocalRecord, 'fields'>): string =>
  String((fields.notes as { value?: unknown } | undefined)?.value ?? '')

function LateQuestion({ found: { log, questions } }: { readonly found: LateKnowledge }): JSX.Element {
  const answer = async (one: WithheldAnswer | null) => {
    if (one === null) return
    const fields = answeredNotes(log, questions, one)
    const change = { verb: 'change', type: 'log', uuid: log.uuid, fields, read: log } as const
    const saved = await toastOnFailure(save([change]))
    if (saved !== null) offerUndo([saved], say(`entry.withheld.${one}`))
  }
  return (
    <div class="banner needs" role="status">
      <Mark kind="needs" />
      <div>
        <Link to={pageOf(log)}>
          <b>{log.name}</b>
        </Link>
        <p class="small">
          {titleOf(questions)}:{' '}
          {alike(questions)
            .map(({ who, period }) => dotted([who, untilWords(period)]))
            .join(', ')}
        </p>
        <Answers questions={questions} onAnswer={answer} />
      </div>
    </div>
  )
}
