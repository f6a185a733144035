import { areaVocabulary } from '../farm/newer/type-of-record.ts'
import { siteOf } from '../history/implications.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { logsNamingArea, logsNamingAssets } from '../storage/history/naming-logs.ts'
import { type PositionOfStay, type StayInPlace, stayPage } from '../storage/history/stay-pages.ts'
import { type AnyLog, type LogNote, logsAmong, notesOfLogs } from '../storage/records/logs-between.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import type { MeasuredQuantity } from './amounts.ts'
import { keyOf } from './line.ts'
import { factsOf, isEnteredLate, KnownThings, type LogFacts } from './log-facts.ts'
import { listedBy, type NamedRecord, namedTerms, type Terms, type TermWithParent } from './named-records.ts'
import type { HistoryGrouping } from './report-names.ts'
import { conditionsOf, type LogSelection } from './totals.ts'

interface HistoryAsked {
  readonly area: number
  readonly group: HistoryGrouping
  readonly asked: LogSelection
}

/** An asset in the area, with start and end. */
export interface AreaStay {
  readonly asset: NamedRecord
  readonly type: string
  readonly crops: readonly TermWithParent[]
  readonly stay: StayInPlace
}

export interface AreaLog {
  readonly log: NamedRecord
  readonly bundle: string
  readonly timestamp: number
  /** When it was entered, if that was late. */
  readonly entered: number | null
  readonly crops: readonly TermWithParent[]
  readonly assets: readonly NamedRecord[]
  readonly materials: readonly NamedRecord[]
  readonly amounts: readonly MeasuredQuantity[]
}

export interface HistoryLine {
  readonly key: string
  readonly logs: readonly number[]
  readonly bundles: readonly string[]
  readonly crops: readonly TermWithParent[]
  readonly assets: readonly NamedRecord[]
}

export interface FieldHistory {
  readonly area: NamedRecord
  readonly stays: readonly AreaStay[]
  readonly logs: readonly AreaLog[]
  readonly lines: readonly HistoryLine[]
}

/** The history of one area; undefined without such an area. */
export async function fieldHistory(
  snapshot: Snapshot,
  installation: Records,
  asked: HistoryAsked,
): Promise<FieldHistory | undefined> {
  const [vocabulary] = areaVocabulary(installation.farm)
  const known = await recordsByIds(snapshot, 'term', [asked.area])
  if (known.get(asked.area)?.bundle !== vocabulary) return undefined
  const found = await foundIn(snapshot, installation, asked)
  const { things, stays, facts } = found
  const terms = await namedTerms(snapshot, [
    asked.area,
    ...facts.flatMap(({ subject, materials }) => [...subject.crops, ...materials]),
    ...stays.flatMap(({ asset }) => things.assets.get(asset)?.crops ?? []),
  ])
  const area = terms.get(asked.area)
  if (area === undefined) return undefined
  const notes = await notesOfLogs(
    snapshot,
    facts.map(({ id }) => id),
  )
  return {
    area,
    stays: stays.flatMap((stay) => shownStay(stay, things, terms)),
    logs: facts.map((one) => ({
      log: { id: one.id, name: notes.get(one.id)?.name ?? '' },
      bundle: one.bundle,
      timestamp: one.timestamp,
      entered: enteredLate(one, notes.get(one.id)),
      crops: listedBy(terms, one.subject.crops),
      assets: listedBy(things.assets, one.subject.assets),
      materials: listedBy(terms, one.materials),
      amounts: one.measured,
    })),
    lines: [...linesOf(facts, asked.group)].map(([key, those]) => ({
      key,
      logs: those.map(({ id }) => id),
      bundles: [...new Set(those.map(({ bundle }) => bundle))].toSorted(),
      crops: listedBy(terms, new Set(those.flatMap(({ subject }) => subject.crops))),
      assets: listedBy(things.assets, new Set(those.flatMap(({ subject }) => subject.assets))),
    })),
  }
}

const enteredLate = ({ timestamp }: LogFacts, note: LogNote | undefined): number | null =>
  note !== undefined && isEnteredLate({ ...note, timestamp }) ? note.created : null

/** The logs of one figure of a field history. */
export async function logsOfHistory(
  snapshot: Snapshot,
  installation: Records,
  { key, ...asked }: HistoryAsked & { readonly key: string },
): Promise<readonly number[]> {
  const { facts } = await foundIn(snapshot, installation, asked)
  const those = key === 'all' ? facts : (linesOf(facts, asked.group).get(key) ?? [])
  return those.map(({ id }) => id)
}

interface HistorySource {
  readonly things: KnownThings
  readonly stays: readonly StayInPlace[]
  readonly logs: readonly AnyLog[]
  readonly facts: readonly LogFacts[]
}

async function foundIn(
  snapshot: Snapshot,
  installation: Records,
  { area, asked }: HistoryAsked,
): Promise<HistorySource> {
  const stays = await staysIn(snapshot, area, asked)
  const assets = [...new Set(stays.map(({ asset }) => asset))]
  const named = new Set(await logsNamingArea(snapshot, area, asked))
  const beside = await logsNamingAssets(snapshot, assets, asked)
  const byAsset = new Map<number, StayInPlace[]>(assets.map((asset) => [asset, []]))
  for (const stay of stays) byAsset.get(stay.asset)?.push(stay)
  const inside = beside.filter(({ target, timestamp }) =>
    byAsset.get(target)?.some(({ began, ended }) => began <= timestamp && timestamp < ended),
  )
  const ids = [...new Set([...named, ...inside.map(({ log }) => log)])]
  const conditions = await conditionsOf(snapshot, installation, asked.filters)
  const among = await logsAmong(snapshot, ids, conditions)
  // A log that names another area happened there.
  const logs = among.filter(({ id, values }) => named.has(id) || siteOf(values).areas.length === 0)
  const things = new KnownThings(asked.to)
  await things.learn(snapshot, logs)
  await things.learnAssets(snapshot, new Set(assets))
  return { things, stays, logs, facts: logs.map((log) => factsOf(log, log.bundle, things)) }
}

const staysAtOnce = 5_000

async function staysIn(snapshot: Snapshot, area: number, { from, to }: LogSelection): Promise<readonly StayInPlace[]> {
  const stays: StayInPlace[] = []
  let after: PositionOfStay | undefined
  do {
    const place = { areas: [area], within: 'these areas', assets: [], kind: 'movement' } as const
    // Independent of the current time, so that a figure lists the same logs tomorrow.
    const page = await stayPage(snapshot, { ...place, now: to, from, to, after, limit: staysAtOnce })
    stays.push(...page.stays)
    after = page.last
  } while (after !== undefined)
  return stays
}

function shownStay(stay: StayInPlace, things: KnownThings, terms: Terms): readonly AreaStay[] {
  const asset = things.assets.get(stay.asset)
  return asset === undefined ? [] : [{ asset, type: asset.bundle, crops: listedBy(terms, asset.crops), stay }]
}

const kindOf: Readonly<Record<HistoryGrouping, (facts: LogFacts) => string>> = {
  type: ({ bundle }) => bundle,
  crop: ({ subject }) => subject.kindOfCrop,
  asset: ({ subject }) => subject.assets.join(),
}

function linesOf(facts: readonly LogFacts[], group: HistoryGrouping): ReadonlyMap<string, readonly LogFacts[]> {
  const lines = new Map<string, LogFacts[]>()
  for (const one of facts) {
    const kind = kindOf[group](one)
    const line = lines.get(kind)
    if (line === undefined) lines.set(kind, [one])
    else line.push(one)
  }
  const inOrder = [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(inOrder.map(([kind, those]) => [keyOf(['history', group, kind]), those]))
}
