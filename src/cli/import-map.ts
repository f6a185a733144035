import { readFileSync, statSync } from 'node:fs'
import { inMebibytes } from '../fields/byte-size.ts'
import { fileFormatNames, formatOfFile, isMapFormat, type MapFormatName } from '../formats/file-formats.ts'
import { mapLimits } from '../formats/map/feature.ts'
import { refuseFarAway } from '../maps/far-away.ts'
import { type ImportReport, importAreas, importReport } from '../maps/import-areas.ts'
import { mapOptionsOf } from '../maps/map-options.ts'
import { sentMap } from '../maps/sent-map.ts'
import { openRecords } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import { command, existingFarmOptions } from './command.ts'
import { callerCalled, inExistingFarm, inOneChange } from './existing-farm.ts'
import { flag, one } from './option.ts'
import { anyText, oneOf } from './option-values.ts'
import { say, sayJson, sayTable, unreadableFile } from './terminal.ts'

export const importMap = command({
  words: 'import map',
  summary:
    'Make areas of a map, or change them: GeoJSON, KML, KMZ, GPX or zipped shapefile; `furrow undo` takes it back',
  takes: { FILE: 'The map, of at most 32 MiB' },
  options: {
    'dry-run': flag({ help: 'Say what would become of each feature, and keep nothing' }),
    map: one('FIELD=PROPERTY,…', anyText, {
      help: 'Which property says which field: name=NAME,type=KIND,parent=BLOCK; nothing behind = leaves it out',
    }),
    match: one('WORD', oneOf(['uuid', 'id', 'name']), { help: 'By what an area is known: uuid, id or name' }),
    far: one('ok', oneOf(['ok']), { help: 'It does lie more than 100 km from all areas of the farm' }),
    tracks: one('WORD', oneOf(['area', 'line']), { help: 'What open tracks of GPX become: area or line' }),
    'area-type': one('WORD', anyText, { help: 'The type of areas that say none, such as field' }),
    overwrite: flag({ help: 'Also change what has changed since the map was exported' }),
    'skip-faults': flag({ help: 'Take the features that are right, and list the others' }),
    author: one('NAME', anyText, { help: 'The account that the change is noted as that of; none where none is given' }),
    json: flag({ help: 'As JSON, for programs: what became of each feature' }),
    ...existingFarmOptions,
  },
  async run({ names: { FILE: file }, options }) {
    const {
      'dry-run': isDry,
      'skip-faults': skips,
      map: fields,
      match,
      far,
      overwrite,
      tracks,
      'area-type': area_type,
      author,
      json,
      ...farm
    } = options
    const { bytes, format } = mapFile(file)
    const { report, set } = await inExistingFarm(farm, async (installation) => {
      const records = await openRecords(installation)
      const on_fault = skips ? 'skip' : 'refuse'
      const words = { map: fields, match, far, overwrite: overwrite ? '1' : '0', on_fault, tracks, area_type }
      const wish = mapOptionsOf(records.farm, words)
      const map = await sentMap(bytes, format, wish)
      const caller = await callerCalled(installation, author)
      await refuseFarAway(records, { caller, map, wish })
      const base = records.settings.baseUrl ?? ''
      return inOneChange(installation, { author, ending: isDry ? 'undone' : 'kept' }, async (work) => {
        const imported = await importAreas(work, { map, wish, base })
        return { report: importReport(imported, map, base), set: work.set.id }
      })
    })
    if (json) return sayJson(report)
    sayReport(report)
    if (isDry) say('This was a dry run: nothing was kept.')
    else if (report.counts.created + report.counts.changed > 0) say(`\`furrow undo ${set}\` takes it back.`)
  },
})

function sayReport({ counts, where, left_out: leftOut, features }: ImportReport): void {
  const { created, changed, unchanged, fault = 0 } = counts
  say(
    `${created} areas created, ${changed} changed, ${unchanged} unchanged${fault === 0 ? '' : `, ${fault} left out`}.`,
  )
  const named = features.flatMap((one) => ('named' in one ? [one.name] : []))
  if (named.length > 0) say(`The map has no name for ${named.length} of them: ${named.slice(0, 20).join(', ')}.`)
  const namesakes = features.flatMap((one) => ('namesake' in one ? [one.name] : []))
  if (namesakes.length > 0)
    say(`The farm has areas of these names already, --match name updates them: ${namesakes.slice(0, 20).join(', ')}.`)
  for (const one of features)
    if ('faults' in one)
      for (const { field, message } of one.faults) say(`features[${one.feature}].${field}: ${message}`)
  if (where !== null)
    say(`They lie between ${where.west} and ${where.east} longitude, ${where.south} and ${where.north} latitude.`)
  if (leftOut.length > 0)
    sayTable(
      ['LEFT OUT', 'TIMES'],
      leftOut.map(({ what, count }) => [what, String(count)]),
    )
}

/** Reads a map file and recognises its format by the first bytes. */
function mapFile(path: string): { readonly bytes: Buffer; readonly format: MapFormatName } {
  const bytes = bytesOf(path)
  const file = { name: path, bytes: bytes.toString('latin1', 0, 1024) }
  const format = formatOfFile(file, fileFormatNames.filter(isMapFormat))
  if (format !== undefined) return { bytes, format }
  throw new Refusal('unreadable-body', `${path} is no map: it is neither GeoJSON nor KML nor KMZ.`)
}

function bytesOf(path: string): Buffer {
  try {
    if (statSync(path).size > mapLimits.bytes)
      throw new Refusal('too-large', `A map may have ${inMebibytes(mapLimits.bytes)}, ${path} has more: divide it.`)
    return readFileSync(path)
  } catch (error) {
    throw unreadableFile(path, error)
  }
}
