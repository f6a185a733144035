import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import { addApp } from './app-pages.ts'
import { addSharedReport } from './shared-report.ts'
import { addCatalogue } from './spelled-catalogue.ts'
import { addMe } from './tell-me.ts'

/** The app is for people; programs read what it reads. */
export const webScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/app(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/shared-report(?:\.|$)/, openTo: 'nobody' },
]

/** The app, and what it needs to know before it asks for records. */
export function webDoor(app: FastifyInstance, installation: Records): void {
  addMe(app, installation)
  addCatalogue(app, installation)
  addSharedReport(app, installation)
  if (installation.settings.app) addApp(app, installation)
}
