import { doneAt, doneChange } from '../../entry/done.ts'
import { offerUndo, orTell } from '../../look/undo.tsx'
import { assetBy, log } from '../../store/copy.ts'
import { isArchived, isDone } from '../../store/row.ts'
import { type Change, type Saved, save, undo } from '../../sync/save.ts'
import { now } from '../../words/format.ts'
import { endChoosing } from './choosing.ts'
import { say } from './say.ts'

/** The plans among them are done; what is done already stays as it is. */
export async function finishAll(ids: readonly string[]): Promise<void> {
  const logs = await Promise.all(ids.map(log))
  const plans = logs.flatMap((one) => (one === undefined || isDone(one) ? [] : [one]))
  await saveTogether(
    plans.map((plan) => doneChange(plan, doneAt(plan, now()))),
    say('select.were-done', { count: plans.length }),
  )
}

export async function archiveAll(ids: readonly string[]): Promise<void> {
  const assets = ids.flatMap((id) => assetBy(id) ?? []).filter((asset) => !isArchived(asset))
  await saveTogether(
    assets.map(({ uuid }) => ({ verb: 'change', type: 'asset', uuid, fields: { archived: String(now()) } })),
    say('select.archived', { count: assets.length }),
  )
}

const mostInOneSet = 1000

/** As many as go out together, and all of them taken back by one tap; none where one of them cannot be kept. */
async function saveTogether(changes: readonly Change[], words: string): Promise<void> {
  const saves: Saved[] = []
  for (let at = 0; at < changes.length; at += mostInOneSet) {
    const saved = await orTell(save(changes.slice(at, at + mostInOneSet)))
    if (saved === null) return undoAll(saves)
    saves.push(saved)
  }
  offerUndo(saves, words)
  endChoosing()
}

async function undoAll(saves: readonly Saved[]): Promise<void> {
  for (const saved of saves.toReversed()) await undo(saved)
}
