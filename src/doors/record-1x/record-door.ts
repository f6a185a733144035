import type { FastifyInstance } from 'fastify'
import { recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { MatchPage } from '../../records/finding/find.ts'
import type { Records } from '../../records/records.ts'
import { SnapshotCache } from '../../storage/snapshot-cache.ts'
import type { DocumentCache } from '../../wire-1x/document-cache.ts'
import type { BodyImport } from '../http/body-import.ts'
import { takesDryRun } from '../http/dry-run.ts'
import type { ResponseCache } from '../http/response-cache.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { list, show } from './read-records.ts'
import { shortListRoutes } from './short-lists.ts'
import { change, drop, make } from './write-records.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  farmInfoRoutes(app, installation, parts.responses)
  recordRoutes(app, installation, parts)
  shortListRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
}

/** About how many ids are remembered. */
const mostFound = 100_000

interface RecordDoorParts {
  /** What was shown and answered before. */
  readonly documents: DocumentCache
  readonly responses: ResponseCache
  /** What can be posted in place of a record. */
  readonly imports: readonly BodyImport[]
}

/** The same few routes for logs, assets and terms (spec 4). */
function recordRoutes(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  const { documents, responses, imports } = parts
  for (const type of recordTypeNames) {
    const findings = {
      present: new SnapshotCache<string, MatchPage>(mostFound),
      past: new SnapshotCache<string, MatchPage>(mostFound),
    }
    const collection = { installation, documents, type, findings }
    const resource = `/${resourceNames[type]}`
    for (const path of [resource, `${resource}.json`, `${resource}.xml`]) {
      app.get(path, (request, reply) => responses.answer(request, reply, () => list(collection, request)))
      app.post(path, takesDryRun, (request, reply) => {
        const other = imports.find((one) => one.isSentBy(request, type))
        return other?.take(collection, request, reply) ?? make(collection, request, reply)
      })
    }
    app.get(`${resource}/:id`, (request, reply) => responses.answer(request, reply, () => show(collection, request)))
    app.put(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.post(`${resource}/:id`, takesDryRun, (request, reply) => change(collection, request, reply))
    app.delete(`${resource}/:id`, takesDryRun, (request, reply) => drop(collection, request, reply))
  }
}
