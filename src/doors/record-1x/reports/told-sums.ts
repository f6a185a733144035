import type { ReportName } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import type { Records } from '../../../records/records.ts'
import { type DrawnPlace, drawnPlaces } from '../../../reports/places.ts'
import { type SumsReport, sumsReport } from '../../../reports/sums-report.ts'
import type { UnitSystem } from '../../../reports/unit-words.ts'
import type { ShownUnits } from '../../../reports/units.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { QueryEntry } from '../../http/query.ts'
import { filtersIn } from '../intake/filters.ts'
import { parameter } from '../intake/paging.ts'
import { typeAsked } from '../intake/type-asked.ts'
import { addressesOfFigures, groupings } from './figure.ts'
import { filterTextOf } from './filter-text.ts'
import { type Days, groupsAsked, shapesAsked, unitsAsked } from './report-query.ts'
import type { Telling } from './sums-document.ts'

export interface SumsAsking {
  readonly report: ReportName
  readonly base: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly days: Days
  readonly zone: string
  /** The farm's own units. */
  readonly usual: UnitSystem
  readonly now: number
}

export interface ToldSums {
  readonly told: SumsReport
  readonly telling: Telling
  readonly places: readonly DrawnPlace[] | undefined
}

/** A report that adds up, as a query asks for it. */
export async function toldSums(snapshot: Snapshot, installation: Records, asking: SumsAsking): Promise<ToldSums> {
  const { report, base, entries, filters, days, zone, usual, now } = asking
  const groups = groupsAsked(entries, groupings[report])
  const list = `${base}/${resourceNames.log}.json`
  const figureOf = { report, groups, from: days.from, to: days.to }
  const telling: Telling = {
    farm: installation.farm,
    report,
    groups,
    days,
    zone,
    units: unitsAsked(entries, usual),
    address: addressesOfFigures(`${list}?${filterTextOf(filters)}`, figureOf),
    oneLog: (id) => `${list}?id=${id}`,
  }
  const shapes = shapesAsked(entries)
  const type = await typeAsked(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { ...days, filters: filtersIn(installation, type, filters) }
  const shownUnits: ShownUnits = {
    system: telling.units,
    written: parameter(entries, 'units') !== undefined ? 'converted' : 'kept',
  }
  const told = await sumsReport(snapshot, installation, { ...telling, shownUnits, asked, now })
  const areas = told.lines.flatMap((line) => line.areas.map(({ id }) => id))
  return { told, telling, places: shapes ? await drawnPlaces(snapshot, areas) : undefined }
}
