import { databaseName } from '../store/database.ts'
import { leaver } from '../store/last-opened.ts'
import { memory } from '../store/memory.ts'
import { keepCatalogue, keepMe, type OpenCopy } from '../store/open-copy.ts'
import type { Catalogue, Me } from '../store/types.ts'
import { answerTo, type Failure, NoAnswer, noAnswer } from './ask.ts'
import { answerMaybeEarly } from './early.ts'
import { askForFirstLoad, cataloguePath } from './first-answers.ts'
import { endSession, finishLeaving } from './leave.ts'
import { announce, announceOffline, lock, open, opened, show, visitOver } from './shown.ts'

export type Meeting =
  | { readonly copy: OpenCopy; readonly failure: null }
  | { readonly copy: null; readonly failure: Failure | null }

/** Asks the server who this is, and opens what belongs to them. */
export async function meet(): Promise<Meeting> {
  try {
    return await introduced()
  } catch (error) {
    if (error instanceof NoAnswer) return refused(error.failure)
    throw error
  }
}

async function introduced(): Promise<Meeting> {
  const over = visitOver()
  if (opened.copy === null) void askForFirstLoad()
  const { body: me } = await answerTo<Me>('/me.json')
  if (over.aborted) return { copy: null, failure: null }
  return leaver() === null ? welcome(me) : leaveFirst(me)
}

async function welcome(me: Me): Promise<Meeting> {
  const copy = await copyFor(me)
  await keepMe(copy, me)
  if (me.account.role === null) {
    announce({ kind: 'no-role' })
    return { copy: null, failure: null }
  }
  if (memory.database === null) await show(copy)
  if (memory.catalogue.value?.catalogue !== me.catalogue) await readCatalogue(copy)
  return { copy, failure: null }
}

async function copyFor({ farm, account }: Me): Promise<OpenCopy> {
  const isOpen = opened.copy?.name === databaseName(farm.uuid, account.id)
  return isOpen && opened.copy !== null ? opened.copy : open(farm.uuid, account.id)
}

export async function readCatalogue(copy: OpenCopy): Promise<void> {
  const { body } = await answerMaybeEarly<Catalogue>(cataloguePath)
  await keepCatalogue(copy, body)
}

/** Whoever logged out without signal is logged out before anything else; somebody else may have logged in since. */
async function leaveFirst(me: Me): Promise<Meeting> {
  if (leaver() !== databaseName(me.farm.uuid, me.account.id)) {
    await finishLeaving()
    return welcome(me)
  }
  if (!(await endSession(me.csrf_token))) return refused(noAnswer)
  await turnAway()
  return { copy: null, failure: null }
}

async function refused(failure: Failure): Promise<Meeting> {
  if (failure.failure === 'unauthenticated') await turnAway()
  else if (opened.copy === null || memory.database !== null) await announceOffline(opened.copy)
  return { copy: null, failure }
}

async function turnAway(): Promise<void> {
  await finishLeaving()
  if (opened.copy === null) announce({ kind: 'needs-login' })
  else await lock(opened.copy, 'session-ended')
}
