import type { ComponentChildren, JSX } from 'preact'
import { devicePosition, metresTo } from '../forms/nearby.ts'
import { Chip } from '../look/chip.tsx'
import { byName, dotted, shortList } from '../look/names.ts'
import { kindOf } from '../look/place/area-kind.ts'
import { sizeText } from '../look/place/area-size.ts'
import { occupantsOf } from '../look/place/occupants.ts'
import { go } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { areas } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { areasNamedIn, idsIn, isArchived, type LocalRecord, timeOf } from '../store/record.ts'
import { restOf } from '../store/stays.ts'
import { daysBetween, figure, now, shortDay } from '../words/format.ts'
import { say } from '../words/say.ts'
import { movesOf } from './changes.ts'
import { idsOf } from './entry-subject.ts'
import { logNames, movedAs, movedWords, nameOfAsset } from './entry-words.ts'
import { areTooMany, headsIn, maxAssetsPerMove, movingAssets, whereIs } from './herds.ts'
import { compareLater } from './pending-comparisons.ts'
import { refuse, saveEntry, showSaved } from './save-entry.tsx'
import { PickPlace, Step } from './step.tsx'
import { TimeChips, timing } from './timing.tsx'

/** A tap on a place saves the move. Recent and near places come first, then the longest rested. */
export function MoveWhere({ assets }: { readonly assets: readonly LocalRecord[] }): JSX.Element {
  const plans = usePlannedMoves()
  const from = assets.length === 1 ? assets.flatMap((asset) => whereIs(asset, now()) ?? []) : []
  const current = from.map(({ area }) => area.id)
  return (
    <Step
      label={say('entry.move')}
      before="/add/move"
      title={say('entry.move.where', { who: shortList(assets.map(({ name }) => name)) })}
      second={whoWords(assets)}
      foot={
        <TimeChips>
          <span class="far">
            <Chip icon="map" onPress={() => go(`/map?asset=${idsOf(assets)}`)}>
              {say('entry.move.map')}
            </Chip>
          </span>
        </TimeChips>
      }
    >
      <PickPlace
        newType="paddock"
        among={({ id }) => !current.includes(id)}
        used="paddock"
        othersTitle={say('entry.move.rested-longest')}
        order={restedLongest(areas())}
        onPick={(area) => saveMove(assets, [area])}
        second={(area) => areaWords(area, plans)}
        end={(area) => <Rest area={area} />}
      />
    </Step>
  )
}

/** "42, now in Hill 1, 4 days" */
function whoWords(assets: readonly LocalRecord[]): string | undefined {
  const heads = headsIn(movingAssets(assets, now()))
  const [first] = assets
  const where = first && assets.length === 1 ? whereIs(first, now()) : undefined
  if (where === undefined) return heads > 1 ? figure(heads) : undefined
  const place = where.area.name
  if (heads <= 1) return say('entry.move.here-now', { place })
  const days = daysBetween(where.since, now())
  if (days === 0) return say('entry.move.now-in-today', { number: heads, place })
  return say('entry.move.now-in', { number: heads, place, count: days })
}

const grazed: readonly string[] = ['paddock', 'field']
const pastures = [...grazed, 'building', 'greenhouse']

/** Orders the longest rested paddocks first, then other pastures, then ungrazed areas. */
function restedLongest(all: readonly LocalRecord[]): (one: LocalRecord, other: LocalRecord) => number {
  const rank = new Map(all.map((area) => [area.id, rankOf(area)]))
  return (one, other) => (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0) || byName(one.name, other.name)
}

function rankOf(area: LocalRecord): number {
  if (isArchived(area)) return 1e9
  const kind = pastures.indexOf(kindOf(area))
  const rest = restOf(area.id)
  if (rest !== null) return kind === 0 ? -1e6 - rest : -rest
  return (kind < 0 ? pastures.length : kind) + 1
}

function areaWords(area: LocalRecord, plans: PlannedMoves): string {
  const [occupant] = occupantsOf(area.id).filter(({ isAnimal }) => isAnimal)
  const plan = plans.to(area.id)
  const planned = plan && say('entry.move.planned', { who: firstOf(plan), day: shortDay(timeOf(plan)) })
  const there = occupant && say('entry.move.occupied', { who: withCount(occupant.asset.name, occupant.count) })
  return dotted([sizeText(area), distanceWords(area), there, planned])
}

const withCount = (name: string, count: number): string => (count > 1 ? `${name} (${count})` : name)

const firstOf = (plan: LocalRecord): string => nameOfAsset(idsIn(plan.fields.asset)[0] ?? '')

function distanceWords(area: LocalRecord): string | undefined {
  if (devicePosition.value === null) return undefined
  const metres = metresTo(area, devicePosition.value)
  if (metres === null || metres === 0) return undefined
  return metres < 1000
    ? say('entry.distance', { metres: figure(Math.round(metres / 10) * 10) })
    : say('entry.distance-km', { kilometres: figure(metres / 1000, 1) })
}

function Rest({ area }: { readonly area: LocalRecord }): ComponentChildren {
  const rest = restOf(area.id)
  if (rest !== null)
    return (
      <span class="rest">
        <b class="num">{rest}</b> {say('entry.move.days', { count: rest })}
        <span class="out"> {say('entry.move.rested')}</span>
      </span>
    )
  const isGrazed = grazed.includes(kindOf(area)) && occupantsOf(area.id).some(({ isAnimal }) => isAnimal)
  return isGrazed ? say('entry.move.grazed') : ''
}

export interface PlannedMoves {
  readonly of: (asset: string) => LocalRecord | undefined
  readonly to: (area: string) => LocalRecord | undefined
}

const mostPlans = 1000

export function usePlannedMoves(): PlannedMoves {
  const plans = useLogs({ done: false, limit: mostPlans }) ?? []
  const moves = plans.filter(({ fields }) => fields.movement !== undefined).toReversed()
  return {
    of: (asset) => moves.find(({ fields }) => idsIn(fields.asset).includes(asset)),
    to: (area) => moves.find((move) => areasNamedIn(move).includes(area)),
  }
}

export const isLate = (plan: LocalRecord, today: number): boolean => timeOf(plan) < today

/** Saves a move of the assets and all their members, then shows the result. */
export async function saveMove(chosen: readonly LocalRecord[], to: readonly LocalRecord[]): Promise<void> {
  const when = timing()
  const all = movingAssets(chosen, when.at)
  if (areTooMany(all)) {
    refuse(say('entry.move.too-many', { count: all.length, most: maxAssetsPerMove }))
    return
  }
  const [who, place] = [shortList(chosen.map(({ name }) => name)), shortList(to.map(({ name }) => name))]
  const changes = movesOf({ name: logNames.move(who, place), timing: when, assets: all, to })
  const words = movedWords({ who, as: movedAs(all), count: headsIn(all), to: place })
  const saved = await saveEntry({ entry: 'move', changes, words })
  if (saved === null) return
  const logs = changes.map(({ uuid }) => uuid)
  for (const { id } of chosen.toReversed()) noteChoice('herd', id)
  for (const { id } of to) noteChoice('paddock', id)
  const groups = groupsIn(all)
  if (when.kind === 'done' && groups.length > 0) await compareLater({ logs, groups, known: all.map(({ id }) => id) })
  showSaved('move', ...logs)
}

const groupsIn = (all: readonly LocalRecord[]): readonly string[] =>
  all.filter(({ bundle }) => bundle === 'group').map(({ id }) => id)
