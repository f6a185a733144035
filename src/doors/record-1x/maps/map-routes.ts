import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { recordTypeNames } from '../../../farm/fields-of.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import type { Records } from '../../../records/records.ts'
import { WholeAnswers } from '../../http/answers/whole-answers.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { limits } from '../../http/limits.ts'
import { readQuery } from '../../http/query.ts'
import { type MapFormat, mapOfRecords } from './map-of-records.ts'

const mediaTypes: Readonly<Record<MapFormat, string>> = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
}

/** Lists of records as maps (docs/maps.md). */
export function mapRoutes(app: FastifyInstance, installation: Records): void {
  const answers = new WholeAnswers(installation.database, limits.mapsAtOnce)
  for (const type of recordTypeNames) {
    for (const format of ['geojson', 'kml'] as const) {
      app.get(`/${resourceNames[type]}.${format}`, async (request, reply) => {
        const caller = await callerOf(request, installation)
        requireRight(caller, 'read-records')
        const base = baseAddressOf(request, installation)
        const pieces = mapOfRecords(installation, { caller, type, format, base, entries: readQuery(request.url) })
        const headers = { 'content-type': mediaTypes[format] }
        return answers.send({ request, reply, write: async (snapshot) => ({ headers, pieces: pieces(snapshot) }) })
      })
    }
  }
}
