import { geometryIn } from '../../doors/record-1x/maps/shape.ts'
import { sheetRows } from '../../doors/record-1x/sheets/sheet.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { aroundGeojson, geojsonOf } from '../../formats/geojson/write-geojson.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { everyColumn, everyField } from './every-column.ts'
import type { ExportedFile, FarmInSheets } from './farm-in-sheets.ts'
import { recordsIn, sheetOf } from './record-files.ts'

/** Maps of everything that has a shape. */
export function* mapFiles(whole: FarmInSheets): Generator<ExportedFile> {
  const { term } = whole.records.farm.records
  for (const [bundle, { plural, kinds }] of Object.entries(term.bundles)) {
    if (kinds === undefined) continue
    const about = `${plural} that have a shape`
    yield mapFile(whole, { type: 'term', name: 'maps/areas.geojson', about }, recordsIn(whole, 'term', bundle))
  }
  for (const [type, name] of [
    ['asset', 'assets'],
    ['log', 'logs'],
  ] as const) {
    const about = type === 'asset' ? 'Assets that are somewhere' : 'Logs that have a shape, or moved something to one'
    yield mapFile(whole, { type, name: `maps/${name}.geojson`, about }, recordsIn(whole, type))
  }
}

interface Described extends Pick<ExportedFile, 'name' | 'about'> {
  readonly type: RecordTypeName
}

function mapFile(
  whole: FarmInSheets,
  { type, name, about }: Described,
  records: AsyncIterable<readonly StoredRecord[]>,
): ExportedFile {
  const recordType = whole.records.farm.records[type]
  const shown = everyField(recordType)
  const columns = everyColumn(recordType, whole.records.edition, Object.keys(recordType.bundles).map(shown))
  const sheet = sheetOf(whole, { columns, shown })
  const told = columns.filter(({ kind }) => kind !== 'geometry')
  const { before, between, behind } = aroundGeojson
  let count = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(before)
    for await (const { rows, form } of sheetRows(whole.snapshot, sheet, records)) {
      for (const row of rows) {
        const geometry = geometryIn(row.shown, { ...row.record.values, ...row.computed })
        if (geometry === null) continue
        const cells = told.map((column) => [column.name, column.cellIn(row, form)] as const)
        const properties = new Map(cells.filter(([, cell]) => cell !== ''))
        yield Buffer.from((count === 0 ? '' : between) + geojsonOf({ geometry, properties }))
        count += 1
      }
      whole.report(name, count, 0)
    }
    yield Buffer.from(behind)
  }
  return { name, about, form: 'map', bytes: bytes(), count: () => count }
}
