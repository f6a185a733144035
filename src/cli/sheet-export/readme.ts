import { isoTime } from '../../fields/time-zone.ts'
import { version } from '../../version.ts'
import type { ExportedFile } from './farm-in-sheets.ts'

interface Told {
  readonly farm: string
  readonly now: number
  readonly zone: string
  readonly files: readonly ExportedFile[]
}

/** What a person without Furrow needs to know. */
export const readmeOf = ({ farm, now, zone, files }: Told): string => `# ${farm.replace(/[\r\n]/g, ' ')}

Everything that was recorded on this farm, as it was on ${isoTime(now, zone)}, written by Furrow ${version}.
The sheets (.csv) open in any spreadsheet; the maps (.geojson) in QGIS and most map programs. Nothing here needs Furrow.

| file | what it is | how many |
|---|---|---|
${files
  .filter(({ form }) => form !== 'photo')
  .map(({ name, about, count }) => `| ${name} | ${about} | ${count()} |`)
  .join('\n')}
| files/ | Photos and other files, called after the record that shows them; files.csv lists them | ${files.filter(({ form }) => form === 'photo').length} |

## How to read the sheets

- They are UTF-8 with commas between the cells; the first row says what the columns are. Each row is one record, and \`id\` is its number: of logs, of assets and of
  terms each their own.
- logs/ holds what happened or was planned, assets/ what the farm has, terms/ its areas, crops and other lists. A type without records has no file.
- Others are given by name. Where several have the same name, the number stands behind: \`Kale #17\`. Several values have \`; \` between them; one that holds a
  semicolon is in quotes.
- Times are those of ${zone}, with their distance from UTC.
- Shapes are Well-Known Text in the sheets, longitude first. In the maps they are GeoJSON.
- \`location\`, \`geometry\`, \`assets\`, \`group\` and \`inventory\` are worked out from the logs, as of that time.
- Quantities stand in the column \`quantity\` of their log as JSON, and in quantities.csv each on a row of its own, with the number of the log.
- A cell that a spreadsheet would have taken for a formula begins with one \`'\` more than was recorded.
- \`version\` and \`uuid\` are what Furrow knows a record by. \`other_fields\` holds what no installed part of Furrow knew any more.

## What is not here

What was removed and lies in the trash, earlier versions of records, passwords and other secrets. \`furrow export DIR\` writes all of that for another Furrow; this
folder is for everybody else.
`
