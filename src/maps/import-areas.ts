import { setImmediate as nextTurn } from 'node:timers/promises'
import { areaBundle } from '../farm/bundle-names.ts'
import type { GeometryBounds } from '../fields/wkt/bounds.ts'
import { type LeftOut, propertyNamed } from '../formats/map/feature.ts'
import type { WriteContext } from '../records/writing/write-context.ts'
import { Refusal, type RefusalFault } from '../refusal.ts'
import { Pauses } from '../storage/pauses.ts'
import { readFarmSettings } from '../storage/settings.ts'
import { onItsOwn } from '../storage/sql/fragment.ts'
import { plainReference } from '../wire-1x/spelling.ts'
import { labelsOf } from '../words/words-of.ts'
import { layersOf, type Node, type Parent, Parents } from './area-parents.ts'
import { AreaChanges, AreaCreations, type AreaOutcome, type MapImportContext, type MapToImport } from './area-writes.ts'
import { MapFaults } from './map-faults.ts'
import { matchedAreas, namesakesOf } from './match-areas.ts'
import { plainText, type SentArea, type SentMap } from './sent-map.ts'

interface MapImportResult {
  readonly outcomes: readonly AreaOutcome[]
  readonly refused: ReadonlyMap<number, readonly RefusalFault[]>
  readonly leftOut: LeftOut
  /** New features whose name one area of the farm has already, by index. */
  readonly namesakes: ReadonlyMap<number, number>
}

/** Features per slice; other requests run in between. */
const atOnce = 100

/**
 * Makes and updates the areas of a map inside a transaction. A fault rolls everything back; with `on_fault=skip` only
 * faulty features are left out.
 */
export async function importAreas(work: WriteContext, importing: MapToImport): Promise<MapImportResult> {
  const { map, wish } = importing
  const refused = new Map<number, readonly RefusalFault[]>()
  if (wish.onFault === 'refuse') return { ...(await attempt(work, importing, new MapFaults())), refused }
  for (;;) {
    const faults = new MapFaults()
    const areas = map.areas.filter(({ index }) => !refused.has(index))
    try {
      return { ...(await onItsOwn(work.tx, () => attempt(work, { ...importing, areas }, faults))), refused }
    } catch (error) {
      const ofFeatures = [...faults.features].flatMap(([feature, those]) =>
        feature === 'parent' ? [] : [[feature, those] as const],
      )
      if (!(error instanceof Refusal) || ofFeatures.length === 0) throw error
      for (const [feature, those] of ofFeatures) refused.set(feature, those)
    }
  }
}

interface Attempt extends MapToImport {
  /** The features to import; default: all. */
  readonly areas?: readonly SentArea[]
}

async function attempt(
  work: WriteContext,
  { map, wish, base, areas = map.areas }: Attempt,
  faults: MapFaults,
): Promise<Omit<MapImportResult, 'refused'>> {
  const leftOut = map.leftOut.copy()
  for (const { index, fault } of areas)
    if (fault !== undefined) faults.add(index, { field: 'geometry', message: fault })
  const matched = await matchedAreas(work.tx, { areas, wish, faults })
  const parents = await Parents.among(work.tx, areas, { wish, faults })
  const fresh = areas.filter(({ index }) => !matched.has(index))
  const namesakes = wish.match === 'name' ? new Map<number, number>() : await namesakesOf(work.tx, fresh)
  const pauses = new Pauses()
  const wanted = new Map<Node, readonly Parent[]>()
  for (const area of fresh) {
    wanted.set(area.index, parents.ofNew(area))
    await pauses.ifDue()
  }
  for (const [path, unmade] of parents.unmade) wanted.set(path, unmade.parents)
  const { layers, left } = layersOf(wanted)
  for (const node of left)
    if (typeof node === 'number') faults.add(node, { field: 'parent', message: 'would put the area below itself' })
  const known = new Map<Node, number>(matched)
  const context = { work, wish, base, map, leftOut, faults, known }
  const names = await namesFor(fresh, context)
  const creations = new AreaCreations(context, { parents, wanted, names })
  const outcomes: AreaOutcome[] = []
  for (const nodes of layers.flatMap(inSlices)) {
    outcomes.push(...(await creations.make(nodes)))
    await nextTurn()
  }
  const changes = new AreaChanges(context, parents)
  for (const some of inSlices(areas.filter(({ index }) => matched.has(index)))) {
    outcomes.push(...(await changes.make(some)))
    await nextTurn()
  }
  faults.refuse()
  return { outcomes: outcomes.toSorted(inTheOrderOfTheMap), leftOut, namesakes }
}

/**
 * A name for each feature without one: "Area 3" in the farm's language. None if a property of the map probably holds
 * the names.
 */
async function namesFor(
  fresh: readonly SentArea[],
  { work, map, wish }: MapImportContext,
): Promise<ReadonlyMap<Node, string>> {
  const nameless = fresh.filter(({ said }) => !said.has('name'))
  const mayBeElsewhere =
    map.areas.every(({ said }) => !said.has('name')) &&
    wish.sources.get('name')?.length !== 0 &&
    map.leftOut.all.some(({ what }) => what.startsWith(propertyNamed('')))
  if (nameless.length === 0 || mayBeElsewhere) return new Map()
  const { language } = await readFarmSettings(work.tx)
  const own = work.installation.farm.records.term.bundles[areaBundle]?.label ?? areaBundle
  const [word = own] = (await labelsOf(language))?.types[areaBundle] ?? []
  return new Map(nameless.map(({ index }) => [index, `${word} ${index + 1}`]))
}

const inSlices = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, slice) => all.slice(slice * atOnce, (slice + 1) * atOnce))

/** Parents made for features come last. */
const inTheOrderOfTheMap = ({ node }: AreaOutcome, { node: other }: AreaOutcome): number =>
  placeOf(node) - placeOf(other)

const placeOf = (node: Node): number => (typeof node === 'number' ? node : Number.MAX_SAFE_INTEGER)

/** The report of an import: counts, bounds, what was left out, and each feature. */
export function importReport({ outcomes, refused, leftOut, namesakes }: MapImportResult, map: SentMap, base: string) {
  const countOf = (wanted: string) => outcomes.filter(({ result }) => result === wanted).length
  return {
    counts: {
      created: countOf('created'),
      changed: countOf('changed'),
      unchanged: countOf('unchanged'),
      ...(refused.size === 0 ? {} : { fault: refused.size }),
    },
    where: whereOf(map, refused),
    left_out: leftOut.all,
    features: [
      ...outcomes.map(({ node, name, result, id, uuid, isNamed }) => ({
        ...(typeof node === 'number' ? { feature: node } : { parent: name }),
        result,
        name,
        ...(isNamed ? { named: true as const } : {}),
        ...(typeof node === 'number' && namesakes.has(node) ? { namesake: String(namesakes.get(node)) } : {}),
        ...plainReference(base, 'term', id),
        uuid,
      })),
      ...[...refused].slice(0, mostFaultsTold).map(([feature, faults]) => ({
        ...{ feature, result: 'fault' as const, faults },
        name: plainText(map.areas[feature]?.said.get('name')?.text ?? ''),
      })),
    ],
  }
}

/** Limits of the shapes in an answer: a preview has to draw them. */
const mostShapes = 2_000
const mostShapeText = 4_000_000

/** Adds the shape of each feature as WKT, those with faults first, and counts the shapes beyond the limits. */
export function withShapes(report: ImportReport, { areas }: SentMap) {
  const shapes = new Map<number, string>()
  let [length, notShown] = [0, 0]
  for (const one of report.features.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const area = 'feature' in one ? areas[one.feature] : undefined
    if (area === undefined || area.wkt === null) continue
    length += area.wkt.length
    if (shapes.size < mostShapes && length <= mostShapeText) shapes.set(area.index, area.wkt)
    else notShown += 1
  }
  return {
    ...report,
    shapes: { shown: shapes.size, not_shown: notShown },
    features: report.features.map((one) => {
      const shape = 'feature' in one ? shapes.get(one.feature) : undefined
      return shape === undefined ? one : { ...one, shape }
    }),
  }
}

const rankOf = ({ result }: { readonly result: string }): number => (result === 'fault' ? 0 : 1)

/** Further features with faults are counted, not listed. */
const mostFaultsTold = 1_000

export type ImportReport = ReturnType<typeof importReport>

function whereOf({ areas }: SentMap, refused: MapImportResult['refused']) {
  let all: GeometryBounds | undefined
  for (const { index, bounds } of areas) {
    if (bounds === undefined || refused.has(index)) continue
    all ??= bounds
    all = {
      left: Math.min(all.left, bounds.left),
      bottom: Math.min(all.bottom, bounds.bottom),
      right: Math.max(all.right, bounds.right),
      top: Math.max(all.top, bounds.top),
    }
  }
  return all === undefined ? null : { west: all.left, south: all.bottom, east: all.right, north: all.top }
}
