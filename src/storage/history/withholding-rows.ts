import { textKey } from '../../fields/key.ts'
import type { Snapshot } from '../database.ts'
import { toTarget, toValue } from '../records/path.ts'
import type { StoredRecord } from '../records/stored.ts'
import { ask, type Fragment, fragment, inSlices, listed, paced } from '../sql/fragment.ts'
import type { PlacedThings, StayKind } from './stay-rows.ts'

const toAssets = toTarget('log', { field: 'asset', target: 'asset' })
const toAreas = toTarget('log', { field: 'area', target: 'term' })
const toLabels = toValue('log', 'quantity.label')

interface LabelledQuery {
  /** Labels of quantities, of which a log has at least one. */
  readonly labels: readonly string[]
  readonly until: number
}

const labelled = (labels: readonly string[]): Fragment =>
  fragment`facet.path = ${toLabels} and facet.key in (${listed(labels.map(textKey))})`

/** The done logs up to a second that name one of these assets or areas and have a quantity labelled so. */
export async function labelledLogsNaming(
  snapshot: Snapshot,
  { type, ids }: PlacedThings,
  { labels, until }: LabelledQuery,
): Promise<readonly number[]> {
  const path = type === 'asset' ? toAssets : toAreas
  const found = await inSlices(ids, (slice) =>
    ask<{ readonly log: number }>(
      snapshot,
      fragment`select distinct log.id as log from facet join log on log.id = facet.record_id
        join reference on reference.source_id = log.id and reference.path = ${path}
        where ${labelled(labels)} and reference.target_id in (${listed(slice)})
          and ${paced('log.id')}log.status = 'done' and log.timestamp <= ${until}`,
    ),
  )
  return [...new Set(found.map(({ log }) => log))]
}

/** A stay of an asset, with its end by later logs. */
export interface StaySpan {
  readonly asset: number
  readonly place: number
  readonly from: number
  readonly until: number
}

/** Every stay of these assets that began up to a second: in areas, or in groups. */
export const staysOfAssets = (
  snapshot: Snapshot,
  assets: readonly number[],
  { kind, until }: { readonly kind: StayKind; readonly until: number },
): Promise<readonly StaySpan[]> =>
  inSlices(assets, (slice) =>
    ask<StaySpan>(
      snapshot,
      fragment`select thing_id as asset, place_id as place, timestamp as "from", until from stay
        where kind = ${kind} and thing_type = 'asset' and place_type = ${kind === 'movement' ? 'term' : 'asset'}
          and thing_id in (${listed(slice)}) and timestamp <= ${until}`,
    ),
  )

/** Every stay in these areas, or of members in these groups, that began up to a second. */
export const staysInPlaces = (
  snapshot: Snapshot,
  places: readonly number[],
  { kind, until }: { readonly kind: StayKind; readonly until: number },
): Promise<readonly StaySpan[]> =>
  inSlices(places, (slice) =>
    ask<StaySpan>(
      snapshot,
      fragment`select thing_id as asset, place_id as place, timestamp as "from", until from stay
        where kind = ${kind} and thing_type = 'asset' and place_type = ${kind === 'movement' ? 'term' : 'asset'}
          and place_id in (${listed(slice)}) and ${paced('thing_id')}timestamp <= ${until}`,
    ),
  )

/** A done log without such labels, and a log that was created together with it. */
export interface LogPair {
  readonly log: number
  readonly timestamp: number
  /** Both as they were created. */
  readonly created: StoredRecord
  readonly other: StoredRecord
}

/** Entries of one set are this close to each other in the journal; an import of many logs is no pair. */
const nearby = 20

interface PairQuery extends LabelledQuery {
  readonly bundle: string
}

/** Logs of a type about these assets, each with the only other log that its change set created. */
export const pairsAbout = (
  snapshot: Snapshot,
  assets: readonly number[],
  query: PairQuery,
): Promise<readonly LogPair[]> =>
  pairsFrom(snapshot, assets, {
    ...query,
    from: fragment`reference join log on log.id = reference.source_id`,
    among: (slice) => fragment`reference.path = ${toAssets} and reference.target_id in (${listed(slice)})`,
  })

/** Those of these logs. */
export const pairsOfLogs = (
  snapshot: Snapshot,
  logs: readonly number[],
  query: PairQuery,
): Promise<readonly LogPair[]> =>
  pairsFrom(snapshot, logs, { ...query, from: fragment`log`, among: (slice) => fragment`log.id in (${listed(slice)})` })

interface PairSource extends PairQuery {
  readonly from: Fragment
  readonly among: (slice: readonly number[]) => Fragment
}

async function pairsFrom(
  snapshot: Snapshot,
  ids: readonly number[],
  { from, among, bundle, labels, until }: PairSource,
): Promise<readonly LogPair[]> {
  const rows = await inSlices(ids, (slice) =>
    ask<PairRow>(
      snapshot,
      fragment`select distinct log.id as log, log.timestamp as timestamp, made.after as created, other.after as other
        from ${from}
        join journal as made on made.record_type = 'log' and made.record_id = log.id and made.verb = 'create'
        join journal as other on other.set_id = made.set_id and other.record_type = 'log' and other.verb = 'create'
          and other.record_id <> log.id and other.sequence between made.sequence - ${nearby} and made.sequence + ${nearby}
        where ${among(slice)}
          and ${paced('log.id')}log.bundle = ${bundle} and log.status = 'done' and log.timestamp <= ${until}
          and not exists (select 1 from facet where facet.record_id = log.id and ${labelled(labels)})`,
    ),
  )
  const pairs = new Map<number, PairRow & { readonly others: Set<string> }>()
  for (const row of rows) {
    const pair = pairs.get(row.log) ?? { ...row, others: new Set<string>() }
    pairs.set(row.log, pair)
    if (row.other !== null) pair.others.add(row.other)
  }
  return [...pairs.values()].flatMap(({ log, timestamp, created, others }) => {
    const [only, another] = others
    if (created === null || only === undefined || another !== undefined) return []
    // Nothing but records is in the journal.
    return [{ log, timestamp, created: JSON.parse(created) as StoredRecord, other: JSON.parse(only) as StoredRecord }]
  })
}

interface PairRow {
  readonly log: number
  readonly timestamp: number
  readonly created: string | null
  readonly other: string | null
}
