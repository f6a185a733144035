import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import { configRoutes } from './config/config-resources.ts'
import { entryRoutes } from './entry.ts'
import { fileRoutes } from './files/files.ts'
import { uploadRoutes } from './files/uploads.ts'
import { resourceRoutes } from './resources.ts'
import { schemaRoutes } from './schemas/schema-routes.ts'
import { subrequestRoutes } from './subrequests/subrequests.ts'
import { userRoutes } from './users/users.ts'

/** A script of another origin that asks first is told 200, as clients of this interface know it. */
export const apiScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/(?:api|subrequests)(?:\/|$)/, openTo: 'every registered origin', preflight: 200 },
]

/** The newer interface. */
export function apiDoor(app: FastifyInstance, installation: Records): void {
  entryRoutes(app, installation)
  userRoutes(app, installation)
  configRoutes(app, installation)
  schemaRoutes(app, installation)
  fileRoutes(app, installation)
  uploadRoutes(app, installation)
  subrequestRoutes(app, installation)
  resourceRoutes(app, installation)
}
