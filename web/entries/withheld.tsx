import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { harvestBundle, saleBundle, type WithheldProduct } from '../../src/farm/bundle-names.ts'
import { entry } from '../../src/words/en/entry.ts'
import { Link, pageOf } from '../look/link.tsx'
import { Row, Section } from '../look/list.tsx'
import { Mark } from '../look/mark.tsx'
import { choiceLabel, dotted } from '../look/names.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { offerUndo, toastOnFailure } from '../look/undo.tsx'
import { useLogs } from '../look/use-logs.ts'
import { assetBy, generation, mayWrite, termBy } from '../store/local-copy.ts'
import { idsIn, isArea, isGroup, type LocalRecord, partsIn, timeOf } from '../store/record.ts'
import { type KeptWithholding, productTaken, WithheldThings, withholdingLogs } from '../store/withheld.ts'
import { save } from '../sync/save.ts'
import { status } from '../sync/status.ts'
import { clock, day, isoDay, now } from '../words/format.ts'
import { addWords, say } from '../words/say.ts'
import { unitOf } from './amount.ts'

addWords(entry)

/** The treatments of the copy that withhold something, read again with every change; null until they are there. */
export function useTreatments(): readonly LocalRecord[] | null {
  const [found, setFound] = useState<readonly LocalRecord[] | null>(null)
  const commit = generation.value
  useEffect(() => {
    let isWanted = true
    withholdingLogs().then((logs) => isWanted && setFound(logs))
    return () => {
      isWanted = false
    }
  }, [commit])
  return found
}

const productWords = (product: string): string => choiceLabel('withheld_products', product)

const untilWords = ({ product, until }: KeptWithholding): string =>
  say('entry.withheld.until', { product: productWords(product), day: day(until) })

/** What is withheld of an animal, a herd, a planting or an area, at the head of its page. */
export function WithheldBanner({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const treatments = useTreatments()
  if (treatments === null || record.type === 'log') return null
  const things = new WithheldThings(treatments)
  const own = (isArea(record) ? things.areas : things.assets).get(record.id) ?? []
  const members = isGroup(record) ? things.ofMembers(record.id) : []
  if (own.length + members.length === 0) return null
  return (
    <div class="banner needs" role="status">
      <Mark kind="needs" />
      <span>
        {own.map((period) => (
          <Line key={period.product} period={period} who="" />
        ))}
        {members.map(([asset, period]) => (
          <Line key={`${asset} ${period.product}`} period={period} who={assetBy(asset)?.name ?? ''} />
        ))}
        {status.value.kind === 'offline' && (
          <small>{say('entry.withheld.as-of', { time: clock(status.value.copyOf ?? now()) })}</small>
        )}
      </span>
    </div>
  )
}

function Line({ period, who }: { readonly period: KeptWithholding; readonly who: string }): JSX.Element {
  return (
    <Link to={pageOf(period.log)} class="withheld-line">
      <b>{dotted([who || undefined, untilWords(period)])}</b>
    </Link>
  )
}

const answers = ['kept-apart', 'thrown-away', 'anyway'] as const
type WithheldAnswer = (typeof answers)[number]

/** What is asked when a withheld product is taken. */
export interface WithheldQuestion {
  readonly who: string
  readonly period: KeptWithholding
}

/** The withheld products among those that somebody takes from these assets or areas now; where it cannot be told which, all. */
export function questionsOf(
  treatments: readonly LocalRecord[],
  sources: readonly LocalRecord[],
  { at, product }: { readonly at: number; readonly product: WithheldProduct | undefined },
): readonly WithheldQuestion[] {
  const things = new WithheldThings(treatments, at)
  const isAsked = (period: KeptWithholding) => product === undefined || period.product === product
  return sources.flatMap((source) => {
    const kept = isArea(source) ? things.areas : things.assets
    const own = (kept.get(source.id) ?? []).map((period) => ({ who: source.name, period }))
    const members = isGroup(source)
      ? things.ofMembers(source.id, at).map(([id, period]) => ({ who: assetBy(id)?.name ?? '', period }))
      : []
    return [...own, ...members].filter(({ period }) => isAsked(period))
  })
}

/** The answer as it is kept in the notes of the log. */
export const answerNote = ({ period }: WithheldQuestion, answer: WithheldAnswer): string =>
  `${say('entry.withheld.note', { product: productWords(period.product), day: isoDay(period.until) })} ${say(`entry.withheld.${answer}`)}`

/** In whichever language it was answered. */
const answered = /^(Withheld|Wartezeit|Plazo de espera) \(/m

interface SheetProps {
  readonly questions: readonly WithheldQuestion[]
  readonly onAnswer: (note: string) => void
  readonly onClose: () => void
}

/** Asked once per entry, and only for the product that is taken. */
export function WithheldSheet({ questions, onAnswer, onClose }: SheetProps): JSX.Element {
  return (
    <ModalSheet title={say('entry.withheld')} onClose={onClose}>
      <ul>
        {questions.map((one) => (
          <Row key={`${one.who} ${one.period.product}`} title={one.who} second={untilWords(one.period)} />
        ))}
      </ul>
      <Answers onAnswer={(answer) => onAnswer(questions.map((one) => answerNote(one, answer)).join('\n'))} />
    </ModalSheet>
  )
}

const Answers = ({ onAnswer }: { readonly onAnswer: (answer: WithheldAnswer) => void }): JSX.Element => (
  <p class="options">
    {answers.map((answer, at) => (
      <button key={answer} type="button" class={at === 0 ? 'btn main-do' : 'btn'} onClick={() => onAnswer(answer)}>
        {say(`entry.withheld.${answer}`)}
      </button>
    ))}
  </p>
)

const recent = 30 * 86_400
const mostTaken = 500
const shown = 20

/** Today: what is withheld now, and what was taken without knowing it, until somebody answers. */
export function WithheldToday(): JSX.Element | null {
  const treatments = useTreatments()
  const from = Math.floor((now() - recent) / 86_400) * 86_400
  const taken = useLogs({ bundles: [harvestBundle, saleBundle], done: true, from, limit: mostTaken })
  if (treatments === null || treatments.length === 0) return null
  const things = new WithheldThings(treatments)
  const named = [...things.assets].flatMap(([id, periods]) => {
    const asset = assetBy(id)
    return asset === undefined ? [] : [{ record: asset, periods }]
  })
  const areas = [...things.areas].flatMap(([id, periods]) => {
    const area = termBy(id)
    return area === undefined ? [] : [{ record: area, periods }]
  })
  const late = (taken ?? []).flatMap((log) => lateQuestions(log, treatments))
  const all = [...named, ...areas]
  return (
    <>
      {mayWrite() && late.map((one) => <LateQuestion key={one.log.uuid} found={one} />)}
      {all.length > 0 && (
        <Section title={say('entry.withheld')} count={all.length}>
          {all.slice(0, shown).map(({ record, periods }) => (
            <Row
              key={record.uuid}
              to={pageOf(record)}
              margin={<Mark kind="needs" />}
              title={<bdi>{record.name}</bdi>}
              second={periods.map(untilWords).join(', ')}
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

/** A harvest or sale of what turned out to be withheld, as long as nobody has answered it. */
function lateQuestions(log: LocalRecord, treatments: readonly LocalRecord[]): readonly LateKnowledge[] {
  if (answered.test(noteOf(log))) return []
  const assets = idsIn(log.fields.asset).flatMap((id) => assetBy(id) ?? [])
  const [part = {}] = partsIn(log.fields.quantity)
  const of = assets.some(({ fields }) => fields.crop !== undefined) ? 'planting' : 'animal'
  const product = log.bundle === saleBundle ? undefined : productTaken(unitOf(part), of)
  const questions = questionsOf(treatments, assets, { at: timeOf(log), product })
  return questions.length === 0 ? [] : [{ log, questions }]
}

const noteOf = ({ fields }: LocalRecord): string =>
  String((fields.notes as { value?: unknown } | undefined)?.value ?? '')

function LateQuestion({ found: { log, questions } }: { readonly found: LateKnowledge }): JSX.Element {
  const answer = async (one: WithheldAnswer) => {
    const note = questions.map((question) => answerNote(question, one)).join('\n')
    const value = [noteOf(log), note].filter(Boolean).join('\n')
    const change = { verb: 'change', type: 'log', uuid: log.uuid, fields: { notes: { value } }, read: log } as const
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
        <p class="small">{questions.map(({ who, period }) => dotted([who, untilWords(period)])).join(', ')}</p>
        <Answers onAnswer={answer} />
      </div>
    </div>
  )
}
