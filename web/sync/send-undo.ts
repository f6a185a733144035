import { discardPhotos, freeze } from '../store/amend.ts'
import type { Entry, PhotoWaiting } from '../store/entry.ts'
import { photosOf } from '../store/outbox.ts'
import { ask, type Failure } from './ask.ts'
import { needsPerson, type Outgoing, pause, problemOf, type Step } from './outgoing.ts'
import { sendPhoto } from './send-photo.ts'
import { sendSet } from './send-set.ts'
import { settleRead } from './settle.ts'
import { tell } from './tell.ts'
import { verdictOn } from './verdict.ts'

/** Takes back on the server what a set has done there; where nobody has heard its name, entry by entry. */
export async function sendUndo(outgoing: Outgoing, set: readonly Entry[], undone: string): Promise<Step> {
  const photos = (await photosOf(outgoing.database)).filter((photo) => photo.set === undone)
  const mayBeThere = photos.find(({ state }) => state === 'frozen')
  if (mayBeThere !== undefined) return sendPhoto(outgoing, mayBeThere)
  await dropPhotos(outgoing, photos)
  const changeSets = await changeSetsOf(outgoing, undone)
  const [first] = set
  if (changeSets.length === 0 || first === undefined) return oneByOne(outgoing, set)
  await freeze(
    outgoing.database,
    set.map(({ n }) => n),
  )
  for (const changeSet of changeSets) {
    const headers = { 'idempotency-key': `${first.key}-${changeSet}` }
    const answer = await tell(`/changes/${changeSet}/undo`, { method: 'POST', headers })
    if (answer.failure !== null && !(await isUndone(changeSet, answer))) return refused(outgoing, set, answer)
  }
  return settleRead(outgoing, set, null)
}

/** What the farm has not taken by now need not be there any more. */
function dropPhotos({ database }: Outgoing, photos: readonly PhotoWaiting[]): Promise<void> {
  return discardPhotos(
    database,
    photos.map(({ uuid }) => uuid),
  )
}

/** The photos of a set were added after it, so they go before it. */
async function changeSetsOf({ database }: Outgoing, set: string): Promise<string[]> {
  const sent = (await database.getAll('sent')).filter((row) => row.set === set)
  const photos = (await database.getAll('photo')).filter((photo) => photo.set === set && photo.state === 'sent')
  const lastFirst = photos.sort((one, other) => (other.sentAt ?? 0) - (one.sentAt ?? 0))
  const names = [...lastFirst, ...sent].map(({ changeSet }) => changeSet ?? null)
  return sent.length > 0 && names.every((name) => name !== null) ? [...new Set(names)] : []
}

async function oneByOne(outgoing: Outgoing, [first]: readonly Entry[]): Promise<Step> {
  return sendSet(outgoing, first === undefined ? [] : [first])
}

interface SetOfChanges {
  readonly undone_by: string | null
}

/** Undone before, or nothing that was changed by it: both is what was wanted. */
async function isUndone(changeSet: string, answer: Failure): Promise<boolean> {
  if (verdictOn(answer) === 'missing') return true
  if (answer.status !== 409) return false
  const known = await ask<SetOfChanges>(`/sets/${changeSet}.json`)
  return known.failure === null && known.body.undone_by !== null
}

async function refused(outgoing: Outgoing, set: readonly Entry[], answer: Failure): Promise<Step> {
  const verdict = verdictOn(answer)
  if (verdict === 'log-in' || verdict === 'no-right') return { kind: 'rest', why: verdict }
  if (verdict !== 'refused') return pause(answer)
  return needsPerson(outgoing, set, new Map(set.map(({ n }) => [n, problemOf(answer)])))
}
