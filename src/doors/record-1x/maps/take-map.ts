import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import type { RecordTypeName } from '../../../farm/farm.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { carryOut } from '../../http/answers/idempotency.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { bytesOf } from '../../http/body.ts'
import { callerOf } from '../../http/caller.ts'
import { contentTypeOf, requirePlainUtf8 } from '../../http/content-type.ts'
import { type QueryEntry, readQuery } from '../../http/query.ts'
import { parameter } from '../intake/paging.ts'
import { sendOne } from '../wire/answer.ts'
import { importAreas } from './import-areas.ts'
import { importReport } from './import-report.ts'
import { importWords, mapImportOf } from './map-import.ts'
import { refuseFarAway } from './refuse-far-away.ts'
import { type SentFormat, sentMap } from './sent-areas.ts'

const formats = new Map<string, SentFormat>([
  ['application/geo+json', 'geojson'],
  ['application/vnd.google-earth.kml+xml', 'kml'],
  ['application/vnd.google-earth.kmz', 'kmz'],
])

/** Whether a request brings a map instead of a record. */
export const bringsMap = (type: RecordTypeName, request: FastifyRequest): boolean =>
  type === 'term' && formats.has(contentTypeOf(request).type)

/** The areas of a map, made or changed in one go. */
export async function takeMap(
  installation: Records,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  const contentType = contentTypeOf(request)
  requirePlainUtf8(request, contentType)
  const wish = mapImportOf(installation.farm, wordsIn(readQuery(request.url)))
  const map = await sentMap(bytesOf(request), formats.get(contentType.type) ?? 'geojson', wish)
  await refuseFarAway(installation, { caller, map, wish })
  const base = baseAddressOf(request, installation)
  const json = await carryOut(installation, { request, reply, caller, beside: 'nobody' }, async (work) => {
    const imported = await importAreas(work, { map, wish, base })
    return { status: 200, headers: {}, json: JSON.stringify(importReport(imported, map, base)) }
  })
  return sendOne(request, reply, { root: 'import', json })
}

/** Words that say how any write is done. */
const ofEveryWrite: readonly string[] = ['dry_run']

/** A slip here would write otherwise than was meant: what is not known is refused. */
function wordsIn(entries: readonly QueryEntry[]) {
  const known: readonly string[] = [...importWords, ...ofEveryWrite]
  for (const { name, brackets } of entries) {
    if (!known.includes(name) || brackets.length > 0) throw badQuery(name, 'does not go with a map', known)
  }
  return Object.fromEntries(importWords.map((word) => [word, parameter(entries, word)]))
}
