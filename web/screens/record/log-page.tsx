import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { amountIn, choiceLabel, labelOf } from '../../look/names.ts'
import { Title } from '../../look/page.tsx'
import { sizeText } from '../../look/place/area-size.ts'
import { terms } from '../../store/local-copy.ts'
import {
  areasNamedIn,
  idsIn,
  isDone,
  type LocalRecord,
  partsIn,
  type RecordFields,
  timeOf,
} from '../../store/record.ts'
import { placesOf, restOf } from '../../store/stays.ts'
import { say } from '../../words/say.ts'
import { AssetName, type Fact, Facts, factOf, factsOf, nameOfArea, Reference, shapeWords, timeWords } from './facts.tsx'
import { movedTo, planWords, sinceWords, subjectsOf, subjectWords } from './log-words.ts'
import { FilesOf, NoteOf } from './notes.tsx'
import { ownPhotos, Photos } from './photos.tsx'
import { RecordFoot } from './record-foot.tsx'
import { Actions, EditLink, Flags, SmallMap } from './record-head.tsx'

const elsewhere = ['notes', 'images', 'files', 'flags', 'timestamp', 'done']

export function LogPage({ log }: { readonly log: LocalRecord }): JSX.Element {
  const plan = planWords(log)
  const moved = moveWords(log)
  return (
    <article class="record log">
      <header class="record-head">
        <EditLink record={log} />
        <p class="soft">{kindLine(log)}</p>
        <Title text={log.name} class="title">
          <bdi>{log.name}</bdi>
        </Title>
        {plan && (
          <p>
            <span class={plan.isLate ? 'late' : 'due'}>
              {plan.words}
              {moved && '.'}
            </span>{' '}
            {moved}
          </p>
        )}
        <Actions record={log} />
      </header>
      <Flags record={log} />
      <LogMap log={log} />
      <div class="log-columns">
        <section class="block">
          <h2 class="sub">{isDone(log) ? say('log.what') : say('log.what-is-planned')}</h2>
          <Facts facts={factsOf(log, { elsewhere, otherwise: logFacts(log) })} />
        </section>
        <div>
          <NoteOf record={log} field="notes" />
          <Photos photos={ownPhotos(log)} />
          <FilesOf record={log} />
        </div>
      </div>
      <RecordFoot record={log} />
    </article>
  )
}

function kindLine(log: LocalRecord): string {
  const [kind, when] = [labelOf(log), timeWords(timeOf(log))]
  return isDone(log) ? say('log.done', { kind, when }) : say('log.planned', { kind, when })
}

/** For a planned move: "64 ewes are in Hill 2 since 6 June. Hill 3 has rested for 38 days." */
function moveWords(log: LocalRecord): string {
  const [[asset], [to]] = [idsIn(log.fields.asset), movedTo(log)]
  const [stay] = asset === undefined ? [] : placesOf(asset)
  const rest = to === undefined ? null : restOf(to)
  const who = subjectWords(log)
  return [
    to !== undefined &&
      stay?.place &&
      who &&
      say('log.is-in', { who, place: nameOfArea(stay.place), since: sinceWords(stay.from) }),
    to !== undefined && rest !== null && say('log.has-rested', { place: nameOfArea(to), count: rest }),
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ')
}

/** Map of the place, or of a move with its origin. */
function LogMap({ log }: { readonly log: LocalRecord }): JSX.Element | null {
  const [to] = [...movedTo(log), ...areasNamedIn(log)]
  const area = to === undefined ? undefined : terms.value.get(to)
  if (area === undefined) return null
  return (
    <div class="log-map">
      <SmallMap area={area} from={movedTo(log).length === 0 ? undefined : previousPlaceOf(log)} />
    </div>
  )
}

function previousPlaceOf(log: LocalRecord): LocalRecord | undefined {
  const [asset] = idsIn(log.fields.asset)
  const [before] = asset === undefined ? [] : placesOf(asset, timeOf(log) - 1)
  if (before === undefined || before.place === null || movedTo(log).includes(before.place)) return undefined
  return terms.value.get(before.place)
}

type Tell = (value: unknown, label: string) => readonly Fact[]

/** Log fields with their own wording. */
function logFacts(log: LocalRecord): Readonly<Record<string, Tell>> {
  return {
    asset: (_, label) => factOf(label, <Assets log={log} />),
    movement: (value) => [...comingFrom(log), ...partsIn(value).flatMap(goingTo)],
    membership: (value) =>
      partsIn(value).flatMap(({ group }) =>
        factOf(say('log.joins'), listed(idsIn(group).map((id) => <AssetName id={id} />))),
      ),
    quantity: (value, label) => partsIn(value).flatMap((quantity) => measured(quantity, label)),
    inventory: (value) => partsIn(value).flatMap(adjusted),
  }
}

const first = 6

/** Groups first: they represent their members. */
function Assets({ log }: { readonly log: LocalRecord }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false)
  const { groups, others } = subjectsOf(log)
  const room = groups.length > 0 && others.length > first ? 0 : first
  const shownOthers = showsAll || others.length <= first ? others : others.slice(0, room)
  const left = others.length - shownOthers.length
  return (
    <>
      {listed([...groups, ...shownOthers].map((id) => <AssetName id={id} key={id} />))}
      {left > 0 && (
        <>
          {' '}
          <button type="button" class="because tap" onClick={() => setShowsAll(true)}>
            {room === 0 ? say('log.members', { count: left }) : say('log.more', { count: left })}
          </button>
        </>
      )}
    </>
  )
}

function listed(items: readonly ComponentChildren[]): ComponentChildren {
  return items.map((item, index) => (index === 0 ? item : [', ', item]))
}

/** Previous place of the first asset. */
function comingFrom(log: LocalRecord): readonly Fact[] {
  const [asset] = idsIn(log.fields.asset)
  const places = asset === undefined ? [] : placesOf(asset, timeOf(log) - 1).flatMap(({ place }) => place ?? [])
  return places.length === 0 ? [] : factOf(say('log.from'), listed(places.map((id) => <AreaName id={id} />)))
}

function goingTo({ area, geometry }: RecordFields): readonly Fact[] {
  const areas = idsIn(area)
  const shape = typeof geometry === 'string' ? shapeWords(geometry) : null
  return [
    ...(areas.length === 0 ? [] : factOf(say('log.to'), listed(areas.map((id) => <AreaName id={id} />)))),
    ...factOf(say('log.spot'), shape),
  ]
}

function AreaName({ id }: { readonly id: string }): JSX.Element {
  const area = terms.value.get(id)
  const size = area === undefined ? undefined : sizeText(area)
  return (
    <>
      <Reference to="taxonomy_term" value={{ id }} />
      {size !== undefined && <span class="soft">, {size}</span>}
    </>
  )
}

/** "Weight: 648 kg"; the label is preferred to the measure. */
function measured(quantity: RecordFields, label: string): readonly Fact[] {
  const { measure, label: own } = quantity
  const kind = typeof measure === 'string' ? choiceLabel('measures', measure) : label
  return factOf(typeof own === 'string' ? own : kind, amountIn(quantity))
}

function adjusted({ asset, value }: RecordFields): readonly Fact[] {
  const sign = Number(value) > 0 ? '+' : ''
  return factOf(
    say('log.inventory'),
    <>
      {listed(idsIn(asset).map((id) => <AssetName id={id} />))}{' '}
      <span class="num">{`${sign}${value}`.replace('-', '−')}</span>
    </>,
  )
}
