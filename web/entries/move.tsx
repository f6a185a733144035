import type { ComponentChildren, JSX } from 'preact'
import { PickRecord } from '../forms/pick-record.tsx'
import { today } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { Empty } from '../look/page.tsx'
import { go, replace, route, withQuery } from '../look/router.ts'
import { assets } from '../store/local-copy.ts'
import { isArchived, type KeptRecord } from '../store/record.ts'

import { daysBetween, now } from '../words/format.ts'
import { shortList } from './entry-words.ts'
import { headsOf, isHerd, whereIs } from './herds.ts'
import { isLate, type PlannedMoves, usePlannedMoves } from './move-where.tsx'
import { saveMove } from './save-move.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'
import { TimeChips } from './timing.tsx'

interface MoveWhoProps {
  /** Where to, if it is known: then a tap on a herd saves. */
  readonly areas: readonly KeptRecord[]
}

/** Herds first; a single animal by its tag, or from the list of all. */
export function MoveWho({ areas }: MoveWhoProps): JSX.Element {
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
  if (!hasHerds()) return null
  const isAll = showsAll()
  return (
    <button type="button" class="btn plain" onClick={() => replace(withQuery({ of: isAll ? null : 'animals' }))}>
      <Icon name={isAll ? 'back' : 'plus'} />
      {say(isAll ? 'entry.move.groups' : 'entry.move.single')}
    </button>
  )
}

/** "Hill 2 · 10 days · move is late" */
function whereWords(asset: KeptRecord, plans: PlannedMoves): ComponentChildren {
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

function NobodyYet(): JSX.Element {
  return (
    <Empty text={say('entry.move.no-herd')}>
      <Link to="/add/group" class="btn tall">
        {say('entry.new-herd')}
      </Link>
    </Empty>
  )
}
