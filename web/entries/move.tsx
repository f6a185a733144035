import type { ComponentChildren, JSX } from 'preact'
import { PickRecord } from '../forms/pick-record.tsx'
import { today } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { shortList } from '../look/names.ts'
import { Empty } from '../look/page.tsx'
import { PlaceMap } from '../look/place/place-map.tsx'
import { go, replace, route, withQuery } from '../look/router.ts'
import { assets } from '../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../store/record.ts'
import { daysBetween, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { chosenAreas, chosenAssets } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { headsIn, headsOf, isHerd, movingAssets, whereIs } from './herds.ts'
import { MoveSaved } from './move-saved.tsx'
import { isLate, MoveWhere, type PlannedMoves, saveMove, usePlannedMoves } from './move-where.tsx'
import { Step } from './step.tsx'
import { isPlan, TimeChips } from './timing.tsx'

/** Chooses assets, then a destination; skips what the address has already. */
export function MoveEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <MoveSaved uuids={saved} />
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length === 0) return <MoveWho areas={areas} />
  if (areas.length === 0) return <MoveWhere assets={assets} />
  return <MoveConfirm assets={assets} areas={areas} />
}

interface MoveWhoProps {
  /** Destination, if known: then a tap on a herd saves. */
  readonly areas: readonly LocalRecord[]
}

/** Herds first; a single animal by tag or from the list. */
function MoveWho({ areas }: MoveWhoProps): JSX.Element {
  const plans = usePlannedMoves()
  const title =
    areas.length === 0
      ? say('entry.move.who')
      : say('entry.move.who-to', { place: shortList(areas.map(({ name }) => name)) })
  const among = showsAll() ? () => true : isHerd
  const foot = (
    <>
      {areas.length > 0 && <TimeChips />}
      <WhoButton />
    </>
  )
  return (
    <Step label={say('entry.move')} title={title} foot={foot}>
      {isEmpty() ? (
        <NobodyYet />
      ) : (
        <PickRecord
          of={{ type: 'asset', bundles: ['group', 'animal'] }}
          among={among}
          used="herd"
          recentTitle={say('entry.move.last')}
          onPick={(asset) => (areas.length === 0 ? go(withQuery({ asset: asset.id })) : saveMove([asset], areas))}
          title={(asset) => (headsOf(asset) > 1 ? `${asset.name}, ${headsOf(asset)}` : asset.name)}
          second={(asset) => whereWords(asset, plans)}
        />
      )}
    </Step>
  )
}

const showsAll = (): boolean => route.value.query.get('of') === 'animals' || !hasHerds()

const hasHerds = (): boolean => [...assets.value.values()].some((asset) => isHerd(asset) && !isArchived(asset))

const isEmpty = (): boolean =>
  ![...assets.value.values()].some(({ bundle }) => bundle === 'animal' || bundle === 'group')

function WhoButton(): JSX.Element | null {
  if (isEmpty()) return null
  const isAll = showsAll()
  return (
    <div class="options">
      {hasHerds() && (
        <button type="button" class="btn plain" onClick={() => replace(withQuery({ of: isAll ? null : 'animals' }))}>
          <Icon name={isAll ? 'back' : 'plus'} />
          {say(isAll ? 'entry.move.groups' : 'entry.move.single')}
        </button>
      )}
      <Link to={newHerdAddress} class="btn plain">
        {say('entry.new-herd')}
      </Link>
    </div>
  )
}

/** "Hill 2 · 10 days · move is late" */
function whereWords(asset: LocalRecord, plans: PlannedMoves): ComponentChildren {
  const where = whereIs(asset, now())
  const plan = plans.of(asset.id)
  const days = where === undefined ? 0 : daysBetween(where.since, now())
  return (
    <>
      {where === undefined
        ? say('entry.nowhere')
        : days === 0
          ? say('entry.here-since-today', { place: where.area.name })
          : say('entry.days-here', { place: where.area.name, count: days })}
      {plan !== undefined && isLate(plan, today.value) && (
        <>
          {' · '}
          <span class="late">{say('entry.move.late')}</span>
        </>
      )}
    </>
  )
}

/** Returns to the move with the new herd chosen. */
const newHerdAddress = '/add/animals/herd?back=/add/move'

function NobodyYet(): JSX.Element {
  return (
    <Empty text={say('entry.move.no-herd')}>
      <Link to={newHerdAddress} class="btn tall">
        {say('entry.new-herd')}
      </Link>
    </Empty>
  )
}

interface MoveConfirmProps {
  readonly assets: readonly LocalRecord[]
  readonly areas: readonly LocalRecord[]
}

/** For an address with assets and destination: opening it moves nothing, a tap does. */
function MoveConfirm({ assets, areas }: MoveConfirmProps): JSX.Element {
  const [who, place] = [shortList(assets.map(({ name }) => name)), shortList(areas.map(({ name }) => name))]
  const [from] = assets.flatMap((asset) => whereIs(asset, now()) ?? [])
  const heads = headsIn(movingAssets(assets, now()))
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
