import { cropBundle, plantingBundle } from '../../farm/bundle-names.ts'
import { trimmedTextKey } from '../../fields/key.ts'
import type { Tree } from '../../fields/place.ts'
import { isoTime } from '../../fields/time.ts'
import { momentIn } from '../../formats/csv/dates.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type Arrival, areasAt, areasOverTime } from '../../storage/history/asset-timelines.ts'
import { type RecordLabel, recordsCalled, recordsNumbered } from '../../storage/records/record-lookup.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import { firstReferrers } from '../../storage/records/referrers.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { isPerennial } from '../../words/sheet-words.ts'
import { topicCell, topicsOf, withClock } from './row-topics.ts'
import { cellIn, columnNamed, type RowGroup, type SheetInput } from './sheet-input.ts'

/** A crop on an area in a year, as rows of logs name it. */
export interface NamedCrop {
  readonly crop: string
  readonly area: string
  /** Empty for a crop that stands over several years. */
  readonly year: string
  readonly second: number
}

/** The planting that a row is about: one that is there, one that is to be made, or why that cannot be told. */
export type CropPlanting =
  | { readonly is: 'there'; readonly id: number; readonly name: string }
  | { readonly is: 'several'; readonly names: readonly string[] }
  | { readonly is: 'new'; readonly planting: PlantingToMake; readonly isDoubtful: boolean }

/** One for each crop, area and year, whatever number of rows names it. */
export interface PlantingToMake {
  readonly name: string
  readonly crop: string
  readonly area: string
  readonly year: string
  /** The first and the last time that a row names it. */
  first: number
  last: number
  /** Its number, once it is made. */
  id: number | undefined
}

/** Whether rows name crops that mean plantings. */
export const namesCrops = (sheet: SheetInput): boolean =>
  sheet.type.name === 'log' && topicsOf(sheet, 'crop').length > 0 && columnNamed(sheet, 'asset') === undefined

/** The plantings that these rows are about, on one snapshot. Those that are to be made are the same for all rows. */
export async function lookUpPlantings(
  snapshot: Snapshot,
  sheet: SheetInput,
  groups: readonly RowGroup[],
): Promise<(group: RowGroup) => CropPlanting | undefined> {
  if (!namesCrops(sheet)) return () => undefined
  const named = new Map(
    groups.flatMap((group) => {
      const one = cropNamedIn(sheet, group)
      return one === undefined ? [] : [[group, one] as const]
    }),
  )
  const there = await plantingsThere(snapshot, [...named.values()])
  const made = new Map<string, PlantingToMake>()
  const found = new Map([...named].map(([group, one]) => [group, plantingOf(one, { there, made, sheet })] as const))
  return (group) => found.get(group)
}

/** Without a crop, or without a day that can be read, a row names no planting. */
function cropNamedIn(sheet: SheetInput, { rows: [row] }: RowGroup): NamedCrop | undefined {
  const crop = [topicCell(sheet, row, 'crop'), topicCell(sheet, row, 'variety')].filter((one) => one !== '').join(' ')
  const day = columnNamed(sheet, 'timestamp')
  const order = sheet.forms.get(day?.at ?? -1)?.order ?? 'ymd'
  const moment = momentIn(day === undefined ? '' : withClock(sheet, { row, column: day }), { order, zone: sheet.zone })
  if (crop === '' || !('second' in moment)) return undefined
  const area = cellIn(row, columnNamed(sheet, 'area') ?? columnNamed(sheet, 'movement.area')).trim()
  return { crop, area, year: isoTime(moment.second, sheet.zone).slice(0, 4), second: moment.second }
}

interface PlantingsOfCrops {
  /** Plantings that are called as the sheet calls a crop. */
  readonly called: ReadonlyMap<string, readonly RecordLabel[]>
  /** By the key of the crop's name. */
  readonly byCrop: ReadonlyMap<string, readonly StoredRecord[]>
  readonly areas: ReadonlyMap<string, readonly number[]>
  readonly seasons: ReadonlyMap<number, string>
  readonly timelines: ReadonlyMap<number, readonly Arrival[]>
}

/** Plantings of one crop that are looked at. */
const mostPlantings = 500

async function plantingsThere(snapshot: Snapshot, named: readonly NamedCrop[]): Promise<PlantingsOfCrops> {
  const keysOf = (texts: readonly string[]) => [...new Set(texts.map(trimmedTextKey))].filter((key) => key !== '')
  const crops = await recordsCalled(snapshot, 'term', keysOf(named.map(({ crop }) => crop)))
  const places = await recordsCalled(snapshot, 'term', keysOf(named.map(({ area }) => area)))
  const byCrop = new Map<string, readonly StoredRecord[]>()
  for (const [key, terms] of crops) {
    const ids: number[] = []
    for (const { id } of terms.filter(({ bundle }) => bundle === cropBundle)) {
      const referrers = await firstReferrers(snapshot, { type: 'term', id, most: mostPlantings })
      ids.push(...referrers.flatMap((one) => (one.type === 'asset' && one.fields.includes('crop') ? [one.id] : [])))
    }
    const stored = await recordsByIds(snapshot, 'asset', [...new Set(ids)])
    byCrop.set(
      key,
      [...stored.values()].filter(({ bundle }) => bundle === plantingBundle),
    )
  }
  const all = [...byCrop.values()].flat()
  const seasons = all.flatMap(({ values }) => (values.season ?? []) as readonly number[])
  const called = await recordsCalled(snapshot, 'asset', keysOf(named.map(({ crop }) => crop)))
  return {
    called: new Map([...called].map(([key, those]) => [key, those.filter(({ bundle }) => bundle === plantingBundle)])),
    byCrop,
    areas: new Map([...places].map(([key, terms]) => [key, terms.map(({ id }) => id)])),
    seasons: new Map(
      [...(await recordsNumbered(snapshot, 'term', [...new Set(seasons)]))].map(([id, { name }]) => [id, name]),
    ),
    timelines: await areasOverTime(
      snapshot,
      all.map(({ id }) => id),
      Number.MAX_SAFE_INTEGER,
    ),
  }
}

interface PlantingContext {
  readonly there: PlantingsOfCrops
  readonly made: Map<string, PlantingToMake>
  readonly sheet: SheetInput
}

/** Whether a crop is one planting over all years, by what the sender says. */
function isLasting({ options: { perennial } }: SheetInput, crop: string): boolean {
  if (perennial === undefined || perennial === 'none') return false
  if (perennial === 'all') return isPerennial(crop)
  return perennial.split(';').some((one) => trimmedTextKey(one) === trimmedTextKey(crop))
}

function plantingOf(given: NamedCrop, { there, made, sheet }: PlantingContext): CropPlanting {
  const isOverYears = isLasting(sheet, given.crop)
  const named = isOverYears ? { ...given, year: '' } : given
  const [calledSo, another] = there.called.get(trimmedTextKey(named.crop)) ?? []
  if (calledSo !== undefined && another === undefined) return { is: 'there', id: calledSo.id, name: calledSo.name }
  const candidates = there.byCrop.get(trimmedTextKey(named.crop)) ?? []
  const name = [named.year, named.crop, named.area]
    .filter((one) => one !== '')
    .join(' ')
    .slice(0, 255)
  // One that an import made of a plan stands nowhere yet.
  const fitting = candidates.filter((planting) => nameOf(planting) === name || stoodThere(planting, named, there))
  const [only, second] = fitting
  if (only !== undefined && second === undefined) return { is: 'there', id: only.id, name: nameOf(only) }
  if (only !== undefined) return { is: 'several', names: fitting.map((one) => `${nameOf(one)} #${one.id}`) }
  const key = [named.crop, named.area, named.year].map(trimmedTextKey).join('\n')
  const isDoubtful = sheet.options.perennial === undefined && isPerennial(named.crop)
  const before = made.get(key)
  const planting = before ?? { ...named, name, first: named.second, last: named.second, id: undefined }
  planting.first = Math.min(planting.first, named.second)
  planting.last = Math.max(planting.last, named.second)
  made.set(key, planting)
  return { is: 'new', planting, isDoubtful }
}

const nameOf = ({ values }: StoredRecord): string => String(values.name ?? '')

/** On that area on that day, or at any time of that year; without an area, in the season of that year. */
function stoodThere(
  { id, values }: StoredRecord,
  { crop, area, year, second }: NamedCrop,
  there: PlantingsOfCrops,
): boolean {
  const timeline = there.timelines.get(id) ?? []
  const seasons = ((values.season ?? []) as readonly number[]).map((one) => there.seasons.get(one) ?? '')
  const inYear = (at: number) => year === '' || new Date(at * 1000).getUTCFullYear() === Number(year)
  const isOfYear =
    year === '' ||
    seasons.some((season) => season.includes(year)) ||
    timeline.some(({ timestamp }) => inYear(timestamp))
  const archived = Number(values.archived ?? 0)
  const isStanding = seasons.length === 0 && archived === 0 && isPerennial(crop)
  if (area === '') return isOfYear || isStanding
  const wanted = there.areas.get(trimmedTextKey(area)) ?? []
  const isIn = (areas: readonly number[]) => areas.some((one) => wanted.includes(one))
  if (isIn(areasAt(timeline, second)) && (archived === 0 || archived >= second - secondsOfYear)) return true
  return (isOfYear || isStanding) && timeline.some(({ areas }) => isIn(areas))
}

const secondsOfYear = 366 * 86_400

/** The body of a new planting. One of a past year is archived at its last log. */
export const bodyOfPlanting = ({ name, crop, year, last }: PlantingToMake, thisYear: string): Tree => ({
  type: plantingBundle,
  name,
  crop: [{ name: crop }],
  ...(year === '' ? {} : { season: [{ name: year }] }),
  ...(year !== '' && year < thisYear ? { archived: last } : {}),
})
