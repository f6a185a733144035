import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon, type IconName } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { Empty, namePage, Title } from '../look/page.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { route, withQuery } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'

import { assetBy, mayWrite, termBy } from '../store/local-copy.ts'
import { recentChoices } from '../store/recent-choices.ts'
import type { KeptRecord } from '../store/record.ts'
import { now } from '../words/format.ts'
import { DoneEntry } from './done-amount.tsx'
import { chosenAreas, chosenAssets, sameSubjectQuery } from './entry-subject.ts'
import { logNames, shortList } from './entry-words.ts'
import { HarvestEntry } from './harvest.tsx'
import { allWhoMove, headsIn, whereIs } from './herds.ts'
import { InputEntry } from './input.tsx'
import { MaintainEntry } from './maintain.tsx'
import { MoveWho } from './move.tsx'
import { MoveSaved } from './move-saved.tsx'
import { MoveWhere } from './move-where.tsx'
import { ObserveEntry } from './observe.tsx'
import { openCamera } from './photos.ts'
import { Plant } from './planting.tsx'
import { saveMove } from './save-move.ts'
import { say } from './say.ts'
import { leaveEntry, leaveSheet, Step, useEntryUp } from './step.tsx'

import { isPlan, TimeChips } from './timing.tsx'
import { TreatEntry } from './treat.tsx'
import { WeighEntry } from './weigh.tsx'

const entries: Readonly<Record<string, () => JSX.Element>> = {
  '/add/move': MoveEntry,
  '/add/harvest': HarvestEntry,
  '/add/observe': ObserveEntry,
  '/add/weigh': WeighEntry,
  '/add/treat': TreatEntry,
  '/add/seed': SeedEntry,
  '/add/transplant': TransplantEntry,
  '/add/input': InputEntry,
  '/add/maintain': MaintainEntry,
  '/add/done': DoneEntry,
}

/** The sheet, or the entry that the address names; whoever may only read is told whom to ask. */
export function EntryScreen(): JSX.Element {
  const { path } = route.value
  if (path === '/add') return mayWrite() ? <AddSheet /> : <AskOnSheet />
  const Entry = entries[path]
  return mayWrite() && Entry !== undefined ? <Entry key={path} /> : <AskSomebody />
}

function AskOnSheet(): JSX.Element {
  return (
    <ModalSheet title={say('act.add')} onClose={leaveSheet}>
      <p>{say('entry.ask')}</p>
    </ModalSheet>
  )
}

function AskSomebody(): JSX.Element {
  useEntryUp(say('act.add'))
  return (
    <>
      <Title text={say('act.add')} class="out" />
      <Empty text={say('entry.ask')}>
        <button type="button" class="btn tall" onClick={leaveEntry}>
          {say('entry.finish')}
        </button>
      </Empty>
    </>
  )
}

export function SeedEntry(): JSX.Element {
  return <Plant entry="seed" />
}

export function TransplantEntry(): JSX.Element {
  return <Plant entry="transplant" />
}

/** Who moves, and where to: what the address says already is not asked. */
export function MoveEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <MoveSaved uuids={saved} />
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length === 0) return <MoveWho areas={areas} />
  if (areas.length === 0) return <MoveWhere assets={assets} />
  return <MoveConfirm assets={assets} areas={areas} />
}

const icons: Readonly<Record<OfferedEntry, IconName>> = {
  move: 'move',
  harvest: 'harvest',
  observe: 'eye',
  weigh: 'weigh',
  treat: 'treat',
  seed: 'seed',
  input: 'input',
  maintain: 'maintain',
}

/** What can be recorded with a few taps, each a large button; what was used last stands first. */
export function AddSheet(): JSX.Element {
  useEffect(() => namePage(say('act.add')), [])
  const about = sameSubjectQuery()
  return (
    <ModalSheet title={question()} onClose={leaveSheet}>
      <ul class="tiles">
        {entriesInOrder().map((name) => (
          <li key={name}>
            <Link
              to={`/add/${name}${about}`}
              class="btn tile"
              {...(name === 'observe' ? { onFollow: openCamera } : {})}
            >
              <Icon name={icons[name]} />
              <span>
                <b>{say(`entry.${name}`)}</b> <small>{lastTime(name) ?? say(`entry.${name}.about`)}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to={`/add/log${about}`} class="btn plain fill">
        {say('entry.more')}
      </Link>
    </ModalSheet>
  )
}

function question(): string {
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length > 0) return say('entry.what-with', { what: shortList(assets.map(({ name }) => name)) })
  if (areas.length > 0) return say('entry.what-in', { place: shortList(areas.map(({ name }) => name)) })
  return say('entry.what')
}

/** "Milkers → North 3" */
function lastTime(name: OfferedEntry): string | undefined {
  if (name === 'move') {
    const [herd, place] = [assetBy(recentChoices('herd')[0] ?? ''), termBy(recentChoices('paddock')[0] ?? '')]
    return herd && place && `${herd.name} → ${place.name}`
  }
  return name === 'harvest' ? assetBy(recentChoices('harvested')[0] ?? '')?.name : undefined
}

/** What the sheet offers; planting out is behind Seed. */
const offered = ['move', 'harvest', 'observe', 'weigh', 'treat', 'seed', 'input', 'maintain'] as const

export type OfferedEntry = (typeof offered)[number]

/** What was used last comes first. */
export function entriesInOrder(): readonly OfferedEntry[] {
  const used = recentChoices('entry')
  const rank = (name: string) => (used.includes(name) ? used.indexOf(name) : used.length)
  return offered.toSorted((one, other) => rank(one) - rank(other))
}

interface MoveConfirmProps {
  readonly assets: readonly KeptRecord[]
  readonly areas: readonly KeptRecord[]
}

/** An address that says both: opening it moves nobody, a tap does. */
export function MoveConfirm({ assets, areas }: MoveConfirmProps): JSX.Element {
  const [who, place] = [shortList(assets.map(({ name }) => name)), shortList(areas.map(({ name }) => name))]
  const [from] = assets.flatMap((asset) => whereIs(asset, now()) ?? [])
  const heads = headsIn(allWhoMove(assets, now()))
  return (
    <Step
      label={say('entry.move')}
      before={withQuery({ area: null })}
      title={logNames.move(who, place)}
      second={heads > 1 ? say('entry.several', { count: heads }) : undefined}
      foot={
        <>
          <TimeChips />
          <button type="button" class="btn main-do fill" onClick={() => saveMove(assets, areas)}>
            {say(isPlan() ? 'entry.move.confirm-plan' : 'entry.move.confirm', { place })}
          </button>
        </>
      }
    >
      {areas[0] && <PlaceMap area={areas[0]} from={from?.area} />}
      <p class="words">
        <Link to={withQuery({ asset: null })} class="btn plain">
          {say('entry.change')}
        </Link>
      </p>
    </Step>
  )
}
