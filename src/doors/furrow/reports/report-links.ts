import type { FastifyInstance } from 'fastify'
import { readQuery } from '../../../formats/query-string.ts'
import { limits } from '../../../limits.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import {
  endReportLink,
  type ListedLink,
  listReportLinks,
  makeReportLink,
  mostDays,
  type ReportSource,
  usualDays,
} from '../../../reports/report-links.ts'
import {
  historyReport,
  inspectionReport,
  type KeptReportName,
  keptReportNames,
  type RegisterName,
  registerColumns,
} from '../../../reports/report-names.ts'
import type { ReportLinkHead } from '../../../storage/access/report-link-rows.ts'
import { readFarmSettings } from '../../../storage/settings.ts'
import { addressToHandOn } from '../../http/addresses-for-others.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { readBody } from '../../http/body.ts'
import { Semaphore } from '../../http/concurrency.ts'
import {
  answer,
  completeObject,
  contentOf,
  type DocumentOf,
  type DoorDescription,
  day,
  described,
  inBody,
  listOf,
  nullable,
  objectOf,
  operation,
  refusedOften,
  responseRef,
  schemaRef,
  text,
  uuidRef,
  yesOrNo,
} from '../../http/openapi.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { managerOf, sendPlainJson } from '../administer/requests.ts'
import { historyDocument, queriedHistory } from './history-document.ts'
import { inspectionDocument } from './inspection-document.ts'
import { registerDocument } from './register-document.ts'
import { daysAsked, filtersOfReport, parametersOf } from './report-query.ts'
import { queriedSums, sumsDocument } from './sums-document.ts'

const list = '/administer/report-links.json'

/** Links that show a report to people without an account: create, list and end (docs/reports.md). */
export function addReportLinks(scope: FastifyInstance, installation: Records): void {
  const places = new Semaphore(limits.reportsAtOnce)
  const tell = reportDocument(installation)
  scope.get(list, async (request, reply) => {
    await managerOf(request, installation)
    const links = (await listReportLinks(installation)).map(listed)
    return sendPlainJson(reply, { list: links })
  })
  scope.post(list, async (request, reply) => {
    const { uid } = await managerOf(request, installation)
    const base = baseAddressOf(request, installation)
    const wanted = { ...linkIn(readBody(request)), base, uid, budget: readBudgetOf(request, installation) }
    const { head, key } = await places.whileInside(() => makeReportLink(installation, tell, wanted))
    return sendPlainJson(
      reply,
      { ...headOf(head), link: `${addressToHandOn(request, installation)}/shared-report#${key}` },
      201,
    )
  })
  scope.delete<{ Params: { id: string } }>('/administer/report-links/:id', async (request, reply) => {
    const { uid } = await managerOf(request, installation)
    await endReportLink(installation, request.params.id, uid)
    return reply.code(204).send()
  })
}

const headOf = ({
  id,
  report,
  first_day,
  last_day,
  with_people,
  created,
  expires,
  checksum,
  log_count,
}: ReportLinkHead) => ({
  id,
  // The cast is safe: a link is only made for these reports.
  report: report as KeptReportName,
  from: first_day,
  to: last_day,
  people: with_people === 1,
  logs: log_count,
  made: String(created),
  ends: String(expires),
  checksum,
})

const listed = (link: ListedLink): DocumentOf<typeof linkSchema> => ({ ...headOf(link), made_by: link.maker })

interface LinkIn {
  readonly report: KeptReportName
  readonly query: string
  readonly people: 'named' | 'left out'
  readonly days: number
}

/** Reports all faults at once. */
function linkIn(body: unknown): LinkIn {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('unreadable-body', 'A JSON object was expected.')
  const { report, query = '', people = false, days = usualDays, ...others } = body as Readonly<Record<string, unknown>>
  const faults: RefusalFault[] = Object.keys(others).map((field) => ({ field, message: 'is not known here' }))
  const known = keptReportNames.find((name) => name === report)
  if (known === undefined) faults.push({ field: 'report', message: 'must be one of these', allowed: keptReportNames })
  if (typeof query !== 'string') faults.push({ field: 'query', message: 'must be text such as from=2026-01-01' })
  if (typeof people !== 'boolean') faults.push({ field: 'people', message: 'must be true or false' })
  if (!Number.isInteger(days) || Number(days) < 1 || Number(days) > mostDays)
    faults.push({ field: 'days', message: `must be a whole number from 1 to ${mostDays}` })
  if (faults.length > 0 || known === undefined)
    throw new Refusal('invalid-content', 'The link could not be made.', { faults })
  return { report: known, query: String(query), people: people === true ? 'named' : 'left out', days: Number(days) }
}

/** The current report document, and the logs that it counts. */
const reportDocument =
  (installation: Records): ReportSource =>
  async (snapshot, { report, query, base, people }) => {
    const entries = [...readQuery(`?${query}`).filter(({ name }) => name !== 'shapes'), shapes]
    const filters = filtersOfReport(entries, parametersOf[report].json)
    if (report === inspectionReport)
      return inspectionDocument(snapshot, installation, { entries, filters, base, people, photos: 'inside' })
    if (isRegister(report)) return registerDocument(snapshot, installation, { report, entries, filters, base, people })
    const settings = await readFarmSettings(snapshot)
    const now = installation.clock()
    const asking = { base, entries, filters, days: daysAsked(entries, { now, zone: settings.timezone }), settings, now }
    if (isHistory(report)) {
      const { told, telling, places } = await queriedHistory(snapshot, installation, asking)
      return { document: historyDocument(told, telling, places), logs: told.logs.map(({ log }) => log.id) }
    }
    const { told, telling, places } = await queriedSums(snapshot, installation, { ...asking, report })
    return { document: sumsDocument(told, telling, places), logs: told.logs }
  }

const shapes = { name: 'shapes', brackets: [], value: '1' }

const isHistory = (report: KeptReportName): report is typeof historyReport => report === historyReport

const isRegister = (report: KeptReportName): report is RegisterName => Object.hasOwn(registerColumns, report)

const seconds = described('Unix seconds', { type: 'string', pattern: '^[0-9]+$' })
const number = { type: 'integer', minimum: 0 } as const
const report = { type: 'string', enum: keptReportNames } as const

const head = {
  id: uuidRef,
  report,
  from: day,
  to: day,
  people: described('Whether people are named', yesOrNo),
  logs: described('How many logs are behind it', number),
  made: seconds,
  ends: seconds,
  checksum: described('The SHA-256 of what it shows, in hexadecimal', text),
}

const linkSchema = completeObject({ ...head, made_by: nullable(text) })
const newLinkSchema = completeObject({ ...head, link: text })

const wanted = objectOf({
  properties: {
    report,
    query: described('As the address of the report has it: from=2026-01-01&group=area', text),
    people: described('Whether people are named; no unless said otherwise', { type: 'boolean' }),
    days: described(`How long it works; ${usualDays} unless said otherwise`, {
      type: 'integer',
      minimum: 1,
      maximum: mostDays,
    }),
  },
  required: ['report'],
})

const row = objectOf({
  properties: {
    day,
    entered: described('Only of late entries', day),
    name: text,
    amounts: listOf(text),
    places: listOf(text),
    people: described('Only where people are named', listOf(text)),
  },
  required: ['day', 'name', 'amounts', 'places'],
})

const members = {
  checksum: described('The SHA-256 of the text of the document, in hexadecimal', text),
  logs: number,
  changed: described('How many of these logs are not what they were, or no longer there', number),
  ends: seconds,
  document: completeObject({
    farm: text,
    made: described('Unix seconds', { type: 'integer' }),
    report: described('As its address answered it then, without addresses', { type: 'object' }),
    rows: described('The logs behind it', listOf(row)),
  }),
}

const words = described('What the page says, where the farm speaks another language than English', { type: 'object' })
const shared = objectOf({ properties: { ...members, words }, required: Object.keys(members) })

export const reportLinksDescription: DoorDescription = {
  paths: {
    '/administer/report-links.json': {
      get: operation({
        id: 'listReportLinks',
        summary: 'The links to reports that still work',
        tag: 'reports',
        responses: {
          '200': answer('The links', 'json', completeObject({ list: listOf(schemaRef('ReportLink')) })),
          ...refusedOften,
        },
      }),
      post: operation({
        id: 'makeReportLink',
        summary: 'A report as it is now, for people without an account',
        tag: 'reports',
        body: contentOf('json', wanted),
        responses: {
          '201': answer('The link, which is told this once', 'json', newLinkSchema),
          '422': responseRef('Invalid'),
          ...refusedOften,
        },
      }),
    },
    '/administer/report-links/{id}': {
      delete: operation({
        id: 'endReportLink',
        summary: 'From now on the link opens nothing',
        tag: 'reports',
        parameters: [{ name: 'id', in: 'path', required: true, schema: uuidRef }],
        responses: { '204': { description: 'It has ended' }, '404': responseRef('NotFound'), ...refusedOften },
      }),
    },
    '/shared-report.json': {
      post: operation({
        id: 'readSharedReport',
        summary: 'What a link shows, for the key behind its #',
        tag: 'reports',
        body: inBody(completeObject({ key: text })),
        responses: {
          '200': answer('The report as it was', 'json', schemaRef('SharedReport')),
          '404': responseRef('NotFound'),
          '4XX': responseRef('Problem'),
          '5XX': responseRef('Problem'),
        },
        security: [],
      }),
    },
  },
  schemas: { ReportLink: linkSchema, SharedReport: shared },
}
