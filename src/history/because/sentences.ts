import type { ComputedRule } from '../../fields/field.ts'
import type { Value, Values } from '../../fields/value.ts'
import { isPresent, type PointInTime } from '../../storage/farm-state.ts'
import type { StayKind } from '../../storage/history/stay-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { adjustmentsOf, assetsOf, membershipOf, momentOf, movementOf, plainCount } from '../implications.ts'

const timeOf = (log: StoredRecord): string => spelled(momentOf(log.values))

const spelled = (second: number): string =>
  `${new Date(second * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const called = (log: StoredRecord): string => `log ${log.id}, “${log.values.name}”, of ${timeOf(log)}`

const subjects: Readonly<Record<Topic, string>> = {
  movement: 'where it went',
  membership: 'its groups',
  inventory: 'how much there is of it',
}

/** Reasons why a log did not decide. */
export const notDecisive = {
  saysNothing: (topic: Topic): CounterReason => ({
    code: 'says-nothing',
    sentence: `This log says nothing of ${subjects[topic]}.`,
  }),
  notDone: (log: StoredRecord): CounterReason => ({
    code: 'not-done',
    sentence: `This log is not done yet. Once it is marked as done, it counts from ${timeOf(log)} on.`,
  }),
  notYet: (log: StoredRecord, time: PointInTime): CounterReason => ({
    code: 'not-yet',
    sentence: isPresent(time)
      ? `This log is planned: its time, ${timeOf(log)}, has not come yet.`
      : `This log came later: it is of ${timeOf(log)}, and ${spelled(time.second)} was asked for.`,
  }),
  earlier: (log: StoredRecord, decisive: StoredRecord): CounterReason => ({
    code: 'earlier',
    sentence: `This log is of ${timeOf(log)}, and a later one counts: ${called(decisive)}.`,
  }),
  sameSecond: (decisive: StoredRecord): CounterReason => ({
    code: 'same-second',
    sentence: `Both logs are of the same second, and then the higher number counts: ${called(decisive)}.`,
  }),
}

export const inTheTrash = (removed: number): CounterReason => ({
  code: 'removed',
  sentence: `This log was removed at ${spelled(removed)} and lies in the trash. It counts again when it is restored.`,
})

interface DecisionSentence {
  readonly value: Value | undefined
  readonly decidedBy: readonly StoredRecord[]
  readonly more: number
}

export const becauseSentence: Readonly<Record<ComputedRule, (decision: DecisionSentence) => string>> = {
  location: ({ decidedBy: [log] }) => {
    if (log === undefined) return 'No done log says where it is.'
    const { areas = [], assets = [], geometry = '' } = movementOf(log.values) ?? {}
    if (areas.length === 0) return `The latest done log that moves it ${instead(assets, geometry)}: ${called(log)}.`
    return `The latest done log that moves it says so: ${called(log)}.`
  },
  geometry: ({ decidedBy: [log], value }) => {
    if (log === undefined) return 'No done log says where it is.'
    if (value === '' || value === undefined)
      return `The latest done log that moves it gives no shape, and its areas have none: ${called(log)}.`
    if (movementOf(log.values)?.geometry === '')
      return `It has the shape of the areas, as they are drawn today, that the latest done log moves it to: ${called(log)}.`
    return `The latest done log that moves it gives this shape: ${called(log)}.`
  },
  groups: ({ decidedBy: [log] }) => {
    if (log === undefined) return 'No done log puts it into a group.'
    if (membershipOf(log.values)?.length === 0)
      return `The latest done log that speaks of its groups takes it out of all: ${called(log)}.`
    return `The latest done log that puts it into groups says so: ${called(log)}.`
  },
  inventory: ({ decidedBy, more }) => {
    const count = decidedBy.length + more
    if (count === 0) return 'No done log says how much there is of it, so it is 0.'
    return count === 1 ? 'One done log says so.' : `${count} done logs add up to it.`
  },
  contents: (decision) =>
    occupied(decision, 'Nothing is here: no done log that is the latest of an asset moves it here.'),
  members: (decision) =>
    occupied(decision, 'It has no members: no done log that is the latest of an asset puts it in.'),
  withheld: namedInValue,
  'withheld-area': namedInValue,
}

function namedInValue({ value }: DecisionSentence): string {
  return Array.isArray(value) && value.length > 0
    ? 'Each product names its log.'
    : 'No done log withholds anything of it.'
}

/** The words for a movement without an area. */
function instead(assets: readonly number[], geometry: string): string {
  if (assets.length > 0) return 'puts it into an asset, and no area'
  return geometry === '' ? 'takes it out of every place' : 'gives a shape but no area'
}

function occupied({ value }: DecisionSentence, empty: string): string {
  const count = Array.isArray(value) ? value.length : 0
  if (count === 0) return empty
  const there = count === 1 ? 'One asset is there' : `${count} assets are there`
  return `${there}, and the list says for each which log put it there.`
}

export type Topic = StayKind | 'inventory'

interface TopicRule {
  /** The fields that name the assets of the topic. */
  readonly fields: readonly string[]
  /** True if the log says something about the asset. */
  readonly speaks: (log: Values, asset: number) => boolean
}

export const topics: Readonly<Record<Topic, TopicRule>> = {
  movement: {
    fields: ['asset'],
    speaks: (log, asset) => assetsOf(log).includes(asset) && movementOf(log) !== undefined,
  },
  membership: {
    fields: ['asset'],
    speaks: (log, asset) => assetsOf(log).includes(asset) && membershipOf(log) !== undefined,
  },
  inventory: {
    fields: ['inventory.asset', 'quantity.inventory_asset', 'asset'],
    speaks: (log, asset) =>
      adjustmentsOf(log).some(
        ({ thing, measure, unit }) =>
          thing.type === 'asset' && thing.id === asset && measure === plainCount.measure && unit === plainCount.unit,
      ),
  },
}

export const codesAgainst = ['says-nothing', 'not-done', 'not-yet', 'earlier', 'same-second', 'removed'] as const

/** The reason why a log did not decide: a code for programs, a sentence for people. */
export interface CounterReason {
  readonly code: (typeof codesAgainst)[number]
  readonly sentence: string
}
