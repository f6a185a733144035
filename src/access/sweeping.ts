import { sweepEvents } from '../storage/access/event-rows.ts'
import { sweepExpired } from '../storage/access/expiry.ts'
import { emptyTrash, freeForgottenFiles } from '../storage/emptying.ts'
import { sweepAnswers } from '../storage/kept-answers.ts'
import { readTrashDays } from '../storage/settings.ts'
import type { Installation } from './installation.ts'
import { sweepFailures } from './login.ts'

const inOneTransaction = 200
const day = 86_400

/** Deletes expired rows, a few per transaction, so that others wait only briefly. */
export async function sweep({ database, clock, settings }: Installation): Promise<void> {
  const now = clock()
  await database.write((tx) => sweepFailures(tx, now))
  for (const some of [sweepExpired, sweepAnswers]) {
    while ((await database.write((tx) => some(tx, now, inOneTransaction))) > 0);
  }
  const before = now - settings.eventDays * day
  while ((await database.write((tx) => sweepEvents(tx, before, inOneTransaction))) > 0);
  const until = now - (await database.ask(readTrashDays)) * day
  await emptyTrash(database, { until, now, ifBusy: 'leave' })
  await freeForgottenFiles(database, { until: now - day, now, ifBusy: 'leave' })
  await database.giveRoomBack?.()
}

interface Sweeper {
  readonly everyMs: number
  /** A failed sweep loses nothing: the next one repeats its work. */
  readonly whenFailed: (error: unknown) => void
}

/** Sweeps at intervals, independent of requests. Returns a function that stops it. */
export function keepSwept(installation: Installation, { everyMs, whenFailed }: Sweeper): () => Promise<void> {
  let underWay = sweep(installation).catch(whenFailed)
  const timer = setInterval(() => {
    underWay = underWay.then(() => sweep(installation)).catch(whenFailed)
  }, everyMs).unref()
  return () => {
    clearInterval(timer)
    return underWay
  }
}
