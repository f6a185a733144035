import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { WholeAnswers } from '../../http/answers/whole-answers.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import { type MapFormat, mapOfRecords } from './map-of-records.ts'

const mediaTypes: Readonly<Record<MapFormat, string>> = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
}

/** Lists of records as maps (docs/maps.md). */
export function mapRoutes(app: FastifyInstance, installation: Records, answers: WholeAnswers): void {
  for (const type of recordTypeNames) {
    for (const format of ['geojson', 'kml'] as const) {
      app.get(`/${resourceNames[type]}.${format}`, async (request, reply) => {
        const caller = await callerOf(request, installation)
        requireRight(caller, 'read-records')
        const base = baseAddressOf(request, installation)
        const pieces = mapOfRecords(installation, { caller, type, format, base, entries: readQuery(request.url) })
        const headers = { 'content-type': mediaTypes[format] }
        const write = async (snapshot: Snapshot) => ({ headers, pieces: pieces(snapshot) })
        return answers.send({ request, reply, caller, write })
      })
    }
  }
}
