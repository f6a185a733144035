import { databaseName } from '../store/database.ts'
import { pendingLogout } from '../store/local-storage.ts'
import { memory } from '../store/memory.ts'
import { keepCatalogue, keepMe, type OpenCopy } from '../store/open-copy.ts'
import type { CatalogueDocument, Me } from '../store/record.ts'
import { cataloguePath, prefetchFirstLoad } from './first-load.ts'
import { endSession, finishLeaving } from './logout.ts'
import { askServerOrThrow, type Failure, offlineFailure, prefetchedOrAsk, ServerFailure } from './request.ts'
import {
  announceOffline,
  announceStatus,
  lockSession,
  openSession,
  session,
  sessionEnd,
  showSession,
} from './session.ts'

type LoginResult =
  | { readonly copy: OpenCopy; readonly failure: null }
  | { readonly copy: null; readonly failure: Failure | null }

/** Identifies the account at the server, and opens its copy. */
export async function identify(): Promise<LoginResult> {
  try {
    return await askWhoIsThere()
  } catch (error) {
    if (error instanceof ServerFailure) return refused(error.failure)
    throw error
  }
}

async function askWhoIsThere(): Promise<LoginResult> {
  const over = sessionEnd()
  if (session.copy === null) void prefetchFirstLoad()
  const { body: me } = await askServerOrThrow<Me>('/me.json')
  if (over.aborted) return { copy: null, failure: null }
  return pendingLogout() === null ? welcome(me) : leaveFirst(me)
}

async function welcome(me: Me): Promise<LoginResult> {
  const copy = await copyFor(me)
  await keepMe(copy, me)
  if (me.account.role === null) {
    announceStatus({ kind: 'no-role' })
    return { copy: null, failure: null }
  }
  if (memory.database === null) await showSession(copy)
  if (memory.catalogue.value?.catalogue !== me.catalogue) await readCatalogue(copy)
  return { copy, failure: null }
}

async function copyFor({ farm, account }: Me): Promise<OpenCopy> {
  const isOpen = session.copy?.name === databaseName(farm.uuid, account.id)
  return isOpen && session.copy !== null ? session.copy : openSession(farm.uuid, account.id)
}

export async function readCatalogue(copy: OpenCopy): Promise<void> {
  const { body } = await prefetchedOrAsk<CatalogueDocument>(cataloguePath)
  await keepCatalogue(copy, body)
}

/** Finishes a logout that was made without signal; another account may have logged in since. */
async function leaveFirst(me: Me): Promise<LoginResult> {
  if (pendingLogout() !== databaseName(me.farm.uuid, me.account.id)) {
    await finishLeaving()
    return welcome(me)
  }
  if (!(await endSession(me.csrf_token))) return refused(offlineFailure)
  await turnAway()
  return { copy: null, failure: null }
}

async function refused(failure: Failure): Promise<LoginResult> {
  if (failure.failure === 'unauthenticated') await turnAway()
  else if (session.copy === null || memory.database !== null) await announceOffline(session.copy)
  return { copy: null, failure }
}

async function turnAway(): Promise<void> {
  await finishLeaving()
  if (session.copy === null) announceStatus({ kind: 'needs-login' })
  else await lockSession(session.copy, 'session-ended')
}
