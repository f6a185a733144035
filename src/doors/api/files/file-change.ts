import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { soundFileName } from '../../../fields/file-name.ts'
import { endingOf } from '../../../fields/mime.ts'
import { shown } from '../../../fields/place.ts'
import type { Records } from '../../../records/records.ts'
import { faultsRefused } from '../../../records/writing/draft.ts'
import { renameFileIn } from '../../../records/writing/files.ts'
import { type Fault, Refusal } from '../../../refusal.ts'
import type { StoredFile } from '../../../storage/file-rows.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readTree } from '../intake/body.ts'
import { SentPlace } from '../intake/sent-place.ts'
import { requireSameId, type SentResource, sentResource } from '../intake/sent-resource.ts'
import { drawnDocument } from '../wire/document.ts'
import { addressOf } from '../wire/resource-object.ts'
import { readingOf, writerOf, written } from '../writing.ts'
import { fileAt, fileType } from './file-reading.ts'
import { drawFile } from './file-resource.ts'

/** Gives a file another name. The rest of it is what it is: sent back, it changes nothing. */
export async function changeFile(installation: Records, request: FastifyRequest, reply: FastifyReply) {
  const caller = await writerOf({ installation }, request)
  refuseMatch(request)
  const resource = sentResource(readTree(request))
  return written({ installation }, { request, reply, caller }, async (work) => {
    const file = await fileAt(request, work.tx, caller.uid)
    requireSameId(resource, file.uuid)
    const name = nameIn(resource, file)
    if (name !== file.name) await renameFileIn(work, { id: file.id, name })
    const drawn = drawFile(await fileAt(request, work.tx, caller.uid))
    const base = baseAddressOf(request, installation)
    const links = { self: { href: addressOf(base, fileType, drawn.id) } }
    const shaping = { base, include: [], sparse: new Map() }
    return {
      status: 200,
      headers: {},
      json: await drawnDocument(readingOf({ installation }, work), shaping, { data: drawn, links }),
    }
  })
}

/** Nobody removes a file: it goes with the last record that names it. */
export async function keepFile(installation: Records, request: FastifyRequest): Promise<never> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  await installation.database.read((snapshot) => fileAt(request, snapshot, caller.uid))
  throw new Refusal('forbidden', 'A file is not removed by itself: take it out of the records that name it.')
}

/** Of files there are no revisions, so that none can have been seen. */
function refuseMatch({ headers }: FastifyRequest): void {
  const match = headers['if-match']?.trim()
  if (match !== undefined && match !== '*')
    throw new Refusal('bad-request', 'A file has no revisions: leave If-Match out.')
}

function nameIn({ attributes, relationships }: SentResource, file: StoredFile): string {
  const { name: before } = file
  const known = Object.keys(drawFile(file).attributes)
  const faults: Fault[] = []
  const placeOf = (...path: string[]) => new SentPlace(['data', ...path], { faults, words: () => [] })
  for (const name of Object.keys(attributes))
    if (!known.includes(name)) placeOf('attributes', name).fault(`${fileType} has no such attribute`, known)
  for (const name of Object.keys(relationships))
    if (name !== 'uid') placeOf('relationships', name).fault(`${fileType} has no such relationship`, ['uid'])
  const sent = attributes.filename ?? before
  const name = sent === before ? before : soundName(sent, before, placeOf('attributes', 'filename'))
  if (faults.length > 0) throw faultsRefused(faults)
  return name ?? before
}

function soundName(sent: unknown, before: string, place: SentPlace): string | undefined {
  if (typeof sent !== 'string') return place.fault(`must be a text, not ${shown(sent)}`)
  const sound = soundFileName(sent)
  if (sound === undefined || sound !== sent.normalize('NFC'))
    return place.fault(
      `may have no slash, no control character, no dot in front, and 255 bytes, such as ${sound ?? before}`,
    )
  if (endingOf(sound) !== endingOf(before)) return place.fault(`must end as before, in .${endingOf(before)}`)
  return sound
}
