import type { FastifyInstance } from 'fastify'
import { ResponseCache } from '../http/answers/response-cache.ts'
import type { RecordHouse } from '../http/record-house.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { batchRoutes } from './batch.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { recordRoutes } from './records.ts'
import { userRoutes } from './users.ts'
import { vocabularyRoutes } from './vocabularies.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, house: RecordHouse): void {
  const responses = new ResponseCache(house)
  farmInfoRoutes(app, house, responses)
  recordRoutes(app, house, responses)
  batchRoutes(app, house)
  vocabularyRoutes(app, house)
  userRoutes(app, house)
  fileRoutes(app, house)
  areasGeojsonRoutes(app, house)
}
