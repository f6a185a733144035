import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { type RecordDoorParts, recordRoutes } from './record-routes.ts'
import { shortListRoutes } from './short-lists.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, parts: RecordDoorParts): void {
  farmInfoRoutes(app, installation, parts.responses)
  recordRoutes(app, installation, parts)
  shortListRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
}
