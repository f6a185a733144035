import './english-words.ts'
import { expect, test } from 'vitest'
import { choicesNamed, fieldChoices } from '../../web/screens/import/columns.tsx'
import {
  mapAddress,
  propertiesIn,
  questionsIn,
  recordsAddress,
  rowTypeOfFile,
  sheetAddress,
  withoutAdvice,
} from '../../web/screens/import/import-api.ts'
import { recognise } from '../../web/screens/import/import-state.ts'
import { sheetFindings } from '../../web/screens/import/sheet-findings.ts'

const called = (name: string, content: string, size = content.length) =>
  recognise({ name, size, beginning: Buffer.from(content, 'latin1') })

test('the format of a file is recognised by its first bytes', () => {
  for (const [name, content, expected] of [
    ['', 'name,timestamp\nKale,1', 'csv'],
    ['', '\xef\xbb\xbfname\tdone', 'csv'],
    ['a.json', ' {"type": "FeatureCollection"', 'geojson'],
    ['a.xml', '<?xml version="1.0"?>\n<kml xmlns=""', 'kml'],
    ['a.kmz', 'PK\x03\x04files/x.png', 'kmz'],
    ['a.zip', 'PK\x03\x04\x14\0doc.kml', 'kmz'],
    ['a.xlsb', 'PK\x03\x04[Content_Types].xml', 'workbook'],
    ['a.XLSX', 'PK\x03\x04\x14\0', 'xlsx'],
    ['a', 'PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'workbook'],
    ['a.xls', '\xd0\xcf\x11\xe0\xa1', 'workbook'],
    ['fields.zip', 'PK\x03\x04fields.shp', 'shapefile'],
    ['a.gpx', '<?xml version="1.0"?><gpx version="1.1">', 'gpx'],
    ['a.csv', '\xff\xfen\0', 'csv'],
    ['a.html', '<!doctype html>', 'other'],
    ['a.pdf', '%PDF-1.7', 'other'],
    ['a.csv', 'na\0me', 'other'],
    ['a.csv', '\xef\xbb\xbf \r\n', 'empty'],
    ['a.csv', '', 'empty'],
  ] as const)
    expect(called(name, content), name + content).toBe(expected)
  expect(called('a.csv', 'name', 33 * 1024 * 1024)).toBe('large')
})

test('the address contains the chosen options only', () => {
  const harvest = { type: 'log', bundle: 'farm_harvest' } as const
  expect(sheetAddress(harvest, { map: {}, parameters: { dates: '' } })).toBe('/log?type=farm_harvest')
  const address = sheetAddress(harvest, {
    map: { Beet: 'area', Alt: '', Neu: undefined },
    parameters: { dates: 'dmy' },
  })
  expect(Object.fromEntries(new URL(address, 'http://farm').searchParams)).toEqual({
    type: 'farm_harvest',
    dates: 'dmy',
    map: '{"Beet":"area","Alt":""}',
  })
  expect(mapAddress({ map: { name: 'NAM', type: '', parent: undefined }, parameters: { far: 'ok' } })).toBe(
    '/taxonomy_term?far=ok&map=name%3DNAM%2Ctype%3D',
  )
  expect(recordsAddress(harvest)).toBe('/records?of=logs&type=farm_harvest')
  expect(recordsAddress({ type: 'term', bundle: 'farm_areas' })).toBe('/records?of=areas')
})

test('an exported file is recognised by its name', () => {
  const all = [
    { type: 'term', bundle: 'farm_crop' },
    { type: 'term', bundle: 'farm_crop_families' },
  ] as const
  expect(rowTypeOfFile('farm_crop_families-2026-11-17.csv', all)?.bundle).toBe('farm_crop_families')
  expect(rowTypeOfFile('ernte.csv', all)).toBeUndefined()
})

test('the properties of a map are found without parsing it', () => {
  expect(propertiesIn('{"features":[{"properties": {"NAM": "x", "a,b": 1}},{"properties":{"use":null}}]}')).toEqual([
    'NAM',
    'use',
  ])
  expect(propertiesIn('<Data name="use"><value>x</value></Data><SimpleData name="ha">3')).toEqual(['use', 'ha'])
})

test('a column maps to writable fields, and similar names suggest one', () => {
  const choices = fieldChoices({
    fields: {
      changed: { label: 'Changed', kind: 'timestamp', read_only: true },
      location: { label: 'Location', kind: 'reference', computed: 'location' },
      notes: { label: 'Notes', kind: 'rich-text' },
      movement: { label: 'Movement', kind: 'part', fields: { area: { label: 'Area', kind: 'reference' } } },
    },
  })
  expect(choices.map(({ name }) => name)).toEqual(['notes', 'movement', 'movement.area', 'id', 'uuid'])
  expect(choicesNamed(['notes', 'Notes', 'Movement: Area'], choices).map(({ name }) => name)).toEqual([
    'notes',
    'movement.area',
  ])
})

test('a question appears once, without the hints for scripts', () => {
  const asked = { column: 'Datum', value: '03/04/2024', allowed: ['dates=dmy', 'dates=mdy'] }
  expect(
    questionsIn([
      { ...asked, row: 2 },
      { ...asked, column: 'Ende', row: 3 },
      { column: 'x', value: '', row: 4 },
    ]),
  ).toEqual([{ fault: { ...asked, row: 2 }, answers: ['dates=dmy', 'dates=mdy'] }])
  expect(withoutAdvice('is required: say which property is the name by map=name=PROPERTY')).toBe('is required')
  expect(withoutAdvice('is the same record as row 2; for several of its parts use rows=')).toBe(
    'is the same record as row 2',
  )
  expect(withoutAdvice('is not one of the words (the property type; map=type= leaves it out)')).toBe(
    'is not one of the words',
  )
  expect(withoutAdvice('"x" is not a day by the order dmy; write it as 2024-05-01')).toContain('write it as')
})

test('each problem is listed at its column, cell or row', () => {
  const [head, ...shown] = [
    { row: 1, cells: ['Datum', 'Name'] },
    { row: 2, cells: ['40.5.', 'Kale'] },
  ]
  const fault = (column: string) => ({ column, value: '', message: 'is wrong' })
  const findings = sheetFindings({
    found: {
      ...{ format: 'csv', encoding: 'utf-8', separator: 'semicolon', head_row: 1, match: null, timezone: 'UTC' },
      columns: [{ column: 'Name', field: 'name' }],
    },
    rows: [
      { row: 1, result: 'fault', faults: [fault('Datum')] },
      { row: 2, result: 'fault', faults: [fault('Datum'), fault('timestamp')] },
      { row: 900, result: 'fault', faults: [fault('Name')] },
    ],
    head,
    shown,
  })
  expect(
    findings.columns.map(({ header, faults, found, example }) => [header, faults.length, found?.field, example]),
  ).toEqual([
    ['Datum', 1, undefined, '40.5.'],
    ['Name', 0, 'name', 'Kale'],
  ])
  expect(findings.at(2, 'Datum')).toHaveLength(1)
  expect(findings.atRow(2).map(({ column }) => column)).toEqual(['timestamp'])
  expect(findings.elsewhere.map(({ row }) => row)).toEqual([900])
})
