import type { FastifyInstance } from 'fastify'
import { rightsOf } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { checkLogin } from '../../access/login.ts'
import { confirmSession } from '../../access/sessions.ts'
import { Refusal } from '../../refusal.ts'
import { readForm } from '../http/body.ts'
import { callerOf } from '../http/caller.ts'
import { visitorOf } from '../http/visitor.ts'
import { sendJson } from './administering.ts'

/** A password that is shown again lets its session administer for a while. It counts as a login, so that nobody can try passwords here. */
export function addConfirmation(app: FastifyInstance, installation: Installation): void {
  app.post('/administer/confirmation', async (request, reply) => {
    const caller = await callerOf(request, installation)
    const ofRole = rightsOf({ role: caller.role, isService: false }, null)
    if (caller.carrier !== 'cookie' || !ofRole.has('administer')) {
      throw new Refusal('forbidden', 'Only the session of a manager can be confirmed.')
    }
    const password = readForm(request).values.get('password') ?? ''
    const shown = await checkLogin(installation, { name: caller.name, password, ...visitorOf(request, installation) })
    if (shown?.uid !== caller.uid) throw new Refusal('wrong-password', 'This is not your password: type it again.')
    const until = await confirmSession(installation, shown, caller.bond)
    return sendJson(reply, { confirmed_until: String(until) })
  })
}
