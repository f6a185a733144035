import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { areaBundle } from '../../../farm/bundle-names.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { dayAt, spelledDay } from '../../../fields/day.ts'
import { wholeNumber, yesNoWords, yesOrNo } from '../../../fields/scalars.ts'
import { type QueryEntry, readQuery } from '../../../formats/query-string.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import {
  chosenPhotos,
  type InspectionPhoto,
  photosOfLogs,
  type ReadPhoto,
  readPhotos,
} from '../../../reports/inspection-photos.ts'
import { drawnPlaces, type ReportPlace } from '../../../reports/named-records.ts'
import {
  inspectionReport,
  type RegisterColumn,
  type RegisterName,
  registerNames,
} from '../../../reports/report-names.ts'
import { totalsOf } from '../../../reports/totals.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { idsOfBundle } from '../../../storage/records/record-lookup.ts'
import { parameter } from '../../../wire-1x/list-query.ts'
import { addressOfFile } from '../../../wire-1x/record-documents.ts'
import { addressesOfFigures } from '../../../wire-1x/report-figures.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { Semaphore } from '../../http/concurrency.ts'
import { attachmentNamed } from '../../http/content-disposition.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { deliver, withEtag } from '../../http/record-answers.ts'
import { jsonAnswer } from '../answers.ts'
import { inspectionArchive } from './inspection-archive.ts'
import type { InspectionDocument } from './register-description.ts'
import { type RegisterQuery, type RegisterResult, registerDocument } from './register-document.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { placesOf } from './sums-document.ts'

/** Everything for an inspector: on one page, and as a ZIP of print pages, sheets and photos. */
export function inspectionRoutes(app: FastifyInstance, installation: Records): void {
  const atOnce = new Semaphore(limits.reportsAtOnce)
  const read = (request: FastifyRequest, query: InspectionQuery) =>
    atOnce.whileInside(() =>
      installation.database.read(
        (snapshot) => inspectionDocument(snapshot, installation, query),
        readBudgetOf(request, installation),
      ),
    )
  app.get(`/reports/${inspectionReport}.json`, async (request, reply) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const query = queryIn(request, installation, parametersOf[inspectionReport].json)
    const { document } = await read(request, { ...query, photos: 'by address' })
    return deliver(reply, withEtag(request, jsonAnswer(document)))
  })
  app.get(`/reports/${inspectionReport}.zip`, async (request, reply) => {
    requireRight(await callerOf(request, installation), 'read-records')
    const query = queryIn(request, installation, [...parametersOf[inspectionReport].xlsx, 'people'])
    const people = peopleAsked(query.entries)
    const { document, places, photos } = await read(request, { ...query, people, photos: 'inside' })
    const name = `${inspectionReport}-${document.from}-${document.to}`
    const headers = { 'content-type': 'application/zip', 'content-disposition': attachmentNamed(`${name}.zip`) }
    const body = await inspectionArchive(document, { places, photos })
    return deliver(reply, withEtag(request, { status: 200, headers, body }))
  })
}

function queryIn(request: FastifyRequest, installation: Records, own: readonly string[]) {
  const entries = readQuery(request.url)
  return { entries, filters: filtersOfReport(entries, own), base: baseAddressOf(request, installation) }
}

/** As in links, people are named only if the user says so. */
function peopleAsked(entries: readonly QueryEntry[]): 'named' | 'left out' {
  const given = parameter(entries, 'people') ?? '0'
  const isNamed = yesOrNo(given)
  if (isNamed === undefined) throw badQuery('people', `${JSON.stringify(given)} is neither yes nor no`, yesNoWords)
  return isNamed ? 'named' : 'left out'
}

interface InspectionQuery extends Omit<RegisterQuery, 'report'> {
  /** Where readers without an account get it, the chosen photos are inside. */
  readonly photos: 'by address' | 'inside'
}

interface InspectionResult {
  readonly document: InspectionDocument
  readonly logs: readonly number[]
  readonly places: readonly ReportPlace[]
  /** Chosen photos that the document contains. */
  readonly photos: readonly ReadPhoto[]
}

/** All registers of a period, what is missing in the records, the areas as they are drawn, and photos. */
export async function inspectionDocument(
  snapshot: Snapshot,
  installation: Records,
  query: InspectionQuery,
): Promise<InspectionResult> {
  const found: RegisterResult[] = []
  for (const report of registerNames) found.push(await registerDocument(snapshot, installation, { ...query, report }))
  const [first] = found.map(({ document }) => document)
  if (first === undefined) throw new Error('There are no registers.')
  const { from, to, time_zone, language, head } = first
  const logs = [...new Set(found.flatMap((one) => one.logs))]
  const places = await drawnPlaces(snapshot, await idsOfBundle(snapshot, 'term', areaBundle))
  const listed = await photosOfLogs(snapshot, logs)
  const chosen = chosenPhotos(listed, numbersAsked(query.entries))
  const photos = query.photos === 'inside' ? await readPhotos(snapshot, chosen) : []
  const spelled = (photo: InspectionPhoto) => ({
    id: String(photo.id),
    log: String(photo.log),
    name: photo.name,
    day: spelledDay(dayAt(photo.timestamp, time_zone)),
    chosen: chosen.includes(photo),
  })
  return {
    document: {
      ...{ report: inspectionReport, from, to, time_zone, language, head },
      missing: await missingIn(snapshot, installation, { found, zone: time_zone, query }),
      registers: found.map(({ document }) => document),
      places: placesOf(places).places ?? [],
      photos:
        query.photos === 'inside'
          ? photos.map(({ photo, bytes, mime }) => ({
              ...spelled(photo),
              data: `data:${mime};base64,${bytes.toString('base64')}`,
            }))
          : listed.map((photo) => ({
              ...spelled(photo),
              address: addressOfFile(query.base, { id: photo.id, name: photo.fileName }),
            })),
    },
    logs,
    places,
    photos,
  }
}

function numbersAsked(entries: readonly QueryEntry[]): readonly number[] {
  const given = parameter(entries, 'photos') ?? ''
  return [...new Set(given.split(',').filter((one) => one !== ''))].map((one) => {
    const id = wholeNumber(one)
    if (id === undefined || id <= 0) throw badQuery('photos', `${JSON.stringify(one)} is not the number of a file`)
    return id
  })
}

interface MissingQuery {
  readonly found: readonly RegisterResult[]
  readonly zone: string
  readonly query: InspectionQuery
}

async function missingIn(snapshot: Snapshot, installation: Records, { found, zone, query }: MissingQuery) {
  const { from, to } = daysAsked(query.entries, { now: installation.clock(), zone })
  const harvest = { report: 'harvest', groups: ['crop'], from, to } as const
  const asked = { from, to, filters: [] }
  const { withoutLot } = await totalsOf(snapshot, installation, { ...harvest, asked, zone })
  const list = addressesOfFigures(`${query.base}/${resourceNames.log}.json?`, harvest)('no-lot')
  return [
    { what: 'harvest-lot' as const, count: withoutLot.length, list },
    ...lackingIn(found, 'input-register', { column: 'amount', what: 'input-amount' }),
    ...lackingIn(found, 'medicine-book', { column: 'withholding', what: 'treatment-withholding' }),
    ...lackingIn(found, 'seed-register', { column: 'source', what: 'seed-source' }),
  ].filter(({ count }) => count > 0)
}

type MissingKind = InspectionDocument['missing'][number]['what']

/** Rows of a register that lack a value in one column. */
const lackingIn = (
  found: readonly RegisterResult[],
  report: RegisterName,
  { column, what }: { readonly column: RegisterColumn; readonly what: MissingKind },
) =>
  found
    .filter(({ document }) => document.report === report)
    .flatMap(({ document }) => document.missing.filter((one) => one.column === column))
    .map(({ count, list }) => ({ what, count, list }))
