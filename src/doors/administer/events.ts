import type { FastifyInstance } from 'fastify'
import { type AccessEvent, accessEvents, type EventView, listEvents } from '../../access/events.ts'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { administering, sendJson } from './administering.ts'
import { askedIn, wholeNumberAsked } from './asked.ts'

/** How many events an answer has. */
const perAnswer = { usual: 100, most: 1000 } as const

/** What happened to accounts, clients and tokens, newest first. */
export function addEvents(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/events.json', async (request, reply) => {
    await administering(request, installation)
    const asked = askedIn(request, ['kind', 'since', 'limit'])
    const since = wholeNumberAsked(asked('since'), { name: 'since', least: 0, most: 253_402_300_799 })
    const most = wholeNumberAsked(asked('limit'), { name: 'limit', least: 1, most: perAnswer.most })
    const question = { kinds: asked('kind').map(kindOf), since: since ?? 0, most: most ?? perAnswer.usual }
    return sendJson(reply, { events: (await listEvents(installation, question)).map(eventOf) })
  })
}

function kindOf(word: string): AccessEvent {
  const kind = accessEvents.find((known) => known === word)
  if (kind !== undefined) return kind
  throw new Refusal('bad-query', `"${word}" is no kind of event: ${accessEvents.join(', ')} are.`)
}

const eventOf = ({ at, kind, uid, user, client, address, actor, by }: EventView) => ({
  at: String(at),
  kind,
  user: uid === null ? null : { id: String(uid), name: user },
  by: actor === null ? null : { id: String(actor), name: by },
  client,
  address,
})
