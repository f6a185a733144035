import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import type { ScriptAccess } from '../http/script-access.ts'
import { addBackup } from './backup.ts'
import { addClients } from './clients.ts'
import { addConfirmation } from './confirmation.ts'
import { addDoctor } from './doctor.ts'
import { addEvents } from './events.ts'
import { addInvitations } from './invitations.ts'
import { addPeople } from './people.ts'
import { addSettings } from './settings.ts'

/** A script of another origin has a token of its own; nothing here is for a page of somebody else's. */
export const administerScriptAccess: readonly ScriptAccess[] = [{ paths: /^\/administer(?:\/|$)/, openTo: 'nobody' }]

/** Running the farm: who may enter, what it is called, what leaves it. Each route asks for the right to administer (`administering`). */
export function administerDoor(app: FastifyInstance, installation: Records): void {
  addConfirmation(app, installation)
  addPeople(app, installation)
  addInvitations(app, installation)
  addClients(app, installation)
  addEvents(app, installation)
  addSettings(app, installation)
  addBackup(app, installation)
  addDoctor(app, installation)
}
