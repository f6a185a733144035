import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { type Fault, Refusal } from '../../refusal.ts'
import { type KeptReportName, keptReportNames, type TellReport } from '../../reports/kept-report.ts'
import {
  endReportLink,
  type ListedLink,
  listReportLinks,
  makeReportLink,
  mostDays,
  usualDays,
} from '../../reports/report-links.ts'
import type { ReportLinkHead } from '../../storage/access/report-link-rows.ts'
import { readBudgetOf } from '../http/answers/answer-budget.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { limits } from '../http/limits.ts'
import { addressToHandOn } from '../http/listening-addresses.ts'
import { Places } from '../http/places.ts'
import { administering, sendJson } from './administering.ts'

const list = '/administer/report-links.json'

/** Links by which people without an account see a report: made, listed and ended (docs/reports.md). */
export function addReportLinks(scope: FastifyInstance, installation: Records, tell: TellReport): void {
  const places = new Places(limits.reportsAtOnce)
  scope.get(list, async (request, reply) => {
    await administering(request, installation)
    const links = (await listReportLinks(installation)).map(listed)
    return sendJson(reply, { list: links })
  })
  scope.post(list, async (request, reply) => {
    const { uid } = await administering(request, installation)
    const base = baseAddressOf(request, installation)
    const wanted = { ...linkIn(readBody(request)), base, uid, budget: readBudgetOf(request, installation) }
    const { head, key } = await places.whileInside(() => makeReportLink(installation, tell, wanted))
    return sendJson(
      reply,
      { ...headOf(head), link: `${addressToHandOn(request, installation)}/shared-report#${key}` },
      201,
    )
  })
  scope.delete<{ Params: { id: string } }>('/administer/report-links/:id', async (request, reply) => {
    const { uid } = await administering(request, installation)
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
  report,
  from: first_day,
  to: last_day,
  people: with_people === 1,
  logs: log_count,
  made: String(created),
  ends: String(expires),
  checksum,
})

const listed = (link: ListedLink) => ({ ...headOf(link), made_by: link.maker })

interface LinkIn {
  readonly report: KeptReportName
  readonly query: string
  readonly people: 'named' | 'left out'
  readonly days: number
}

/** All that is wrong with it is told together. */
function linkIn(body: unknown): LinkIn {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal('unreadable-body', 'A JSON object was expected.')
  const { report, query = '', people = false, days = usualDays, ...others } = body as Readonly<Record<string, unknown>>
  const faults: Fault[] = Object.keys(others).map((field) => ({ field, message: 'is not known here' }))
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
