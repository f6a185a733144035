import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { configRoutes } from './config/config-resources.ts'
import { entryRoutes } from './entry.ts'
import { resourceRoutes } from './resources.ts'
import { subrequestRoutes } from './subrequests/subrequests.ts'
import { userRoutes } from './users/users.ts'

/** The newer interface. */
export function apiDoor(app: FastifyInstance, installation: Records): void {
  entryRoutes(app, installation)
  userRoutes(app, installation)
  configRoutes(app, installation)
  subrequestRoutes(app, installation)
  resourceRoutes(app, installation)
}
