import type { FastifyInstance } from 'fastify'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { batchRoutes } from './batch.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { Recollection } from './recollection.ts'
import type { RecordHouse } from './record-house.ts'
import { recordRoutes } from './records.ts'
import { userRoutes } from './users.ts'
import { vocabularyRoutes } from './vocabularies.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, house: RecordHouse): void {
  const recollection = new Recollection(house)
  farmInfoRoutes(app, house, recollection)
  recordRoutes(app, house, recollection)
  batchRoutes(app, house)
  vocabularyRoutes(app, house)
  userRoutes(app, house)
  fileRoutes(app, house)
  areasGeojsonRoutes(app, house)
}
