import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { choiceLabel } from '../../look/names.ts'
import { sizeText } from '../../look/place/area-size.ts'
import { terms } from '../../store/local-copy.ts'
import { idsIn, type KeptRecord, partsIn, type RecordFields, timeOf } from '../../store/record.ts'
import { placesOf } from '../../store/stays.ts'

import { type Fact, factOf } from './facts.tsx'
import { amountIn } from './quantity.ts'
import { say } from './say.ts'
import { shapeWords } from './shape-words.ts'
import { AssetName, Reference } from './shown.tsx'
import { whoIn } from './who.ts'

type Tell = (value: unknown, label: string) => readonly Fact[]

/** The fields of logs that are told in words of their own. */
export function logFacts(log: KeptRecord): Readonly<Record<string, Tell>> {
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

/** Groups first: they stand for their members. */
function Assets({ log }: { readonly log: KeptRecord }): JSX.Element {
  const [showsAll, setShowsAll] = useState(false)
  const { groups, others } = whoIn(log)
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

/** Where the first of its assets was just before. */
function comingFrom(log: KeptRecord): readonly Fact[] {
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

/** "Weight: 648 kg"; what it is called comes before what it measures. */
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
