import { describe, expect, it } from 'vitest'
import { mimeByName } from '../../src/fields/mime.ts'
import { fileFormatNames, fileFormats, formatOfMediaType, isMapFormat } from '../../src/formats/file-formats.ts'
import { mapOutputFormats } from '../../src/formats/map/map-formats.ts'

const howEach = (name: string, bytes: string) =>
  Object.fromEntries(
    fileFormatNames
      .map((format) => [format, fileFormats[format].recognise({ name, bytes })] as const)
      .filter(([, how]) => how !== 'no'),
  )

describe('the table of file formats', () => {
  it.each([
    ['map.json', '{"type":"FeatureCollection"}', { geojson: 'sure', csv: 'sure' }],
    ['map.json', '\xef\xbb\xbf\n {}', { geojson: 'sure', csv: 'sure' }],
    ['map.json', '{\0', { geojson: 'likely' }],
    ['map.xml', '<?xml version="1.0"?><kml>', { kml: 'sure' }],
    ['map.kml', '<?xml version="1.0"?>', { kml: 'sure' }],
    ['page.html', '<!doctype html>', { kml: 'likely' }],
    ['map.kmz', 'PK\x03\x04', { kmz: 'sure' }],
    ['map.zip', 'PK\x03\x04doc.kml', { kmz: 'sure' }],
    ['book.xlsx', 'PK\x03\x04xl/', { xlsx: 'sure' }],
    ['harvest', 'PK\x03\x04\x14\0[Content_Types].xml', { xlsx: 'sure' }],
    ['sheet.csv', 'PKD,1', { kmz: 'likely', csv: 'sure' }],
    ['sheet.csv', 'name;done', { csv: 'sure' }],
    ['paper.pdf', '%PDF-1.7', {}],
    ['empty.csv', ' \n', {}],
  ])('recognises %s that begins with %j', (name, bytes, formats) => {
    expect(howEach(name, bytes)).toEqual(formats)
  })
  it('finds a format by its media type', () => {
    for (const name of fileFormatNames) expect(formatOfMediaType(fileFormats[name].mediaType)).toBe(name)
    expect(formatOfMediaType('application/json')).toBeUndefined()
  })
  it('has the media types that attachments of the same ending have', () => {
    for (const name of fileFormatNames)
      expect(mimeByName(`a.${fileFormats[name].endings[0]}`)).toBe(fileFormats[name].mediaType)
  })
  it('shows lists in formats of maps only', () => {
    expect(mapOutputFormats).toEqual(['geojson', 'kml'])
    expect(mapOutputFormats.every(isMapFormat)).toBe(true)
  })
})
