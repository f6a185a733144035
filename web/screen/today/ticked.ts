import { type ReadonlySignal, signal } from '@preact/signals'
import { again, doneAt, doneChange, lacksAmount } from '../../entry/done.ts'
import { go } from '../../look/router.ts'
import { offerUndo, orTell, takeBack } from '../../look/undo.tsx'
import { type KeptRecord, timeOf } from '../../store/record.ts'

import { type LocalChange, type SavedSet, save } from '../../sync/save.ts'
import { daysLater, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'

/** A plan that was just done: it stays in its line for as long as it can be taken back. */
export interface Ticked {
  /** As it was. */
  readonly plan: KeptRecord
  readonly at: number
  readonly saves: readonly SavedSet[]
  readonly again: number | null
}

const all = signal<readonly Ticked[]>([])
const seconds = 8

export const ticked: ReadonlySignal<readonly Ticked[]> = all

/** One tap: done, now; a plan without its amount asks for it first. */
export async function tick(plan: KeptRecord): Promise<void> {
  if (lacksAmount(plan)) return go(`/add/done?log=${plan.id}`)
  const at = doneAt(plan, now())
  await note({ plan, at, saves: [], again: null }, doneChange(plan, at))
}

/** It was done on the day it was planned for. */
export const keepDay = (done: Ticked): Promise<void> => {
  const at = timeOf(done.plan)
  return note({ ...done, at }, doneChange(done.plan, at))
}

export function planAgain(done: Ticked, days: number): Promise<void> {
  const at = daysLater(now(), days)
  return note({ ...done, again: at }, again(done.plan, at))
}

export async function untick({ plan, saves }: Ticked): Promise<void> {
  leave(plan)
  await takeBack(saves)
}

async function note(done: Ticked, change: LocalChange): Promise<void> {
  const saved = await orTell(save([change]))
  if (saved === null) return
  const saves = [...done.saves, saved]
  offerUndo(saves, say('done.said', { name: done.plan.name }), 'by-the-page')
  leave(done.plan)
  all.value = [...all.value, { ...done, saves }]
  running.set(done.plan.uuid, setTimeout(leaveUnlessHeld, seconds * 1000, done.plan))
}

const running = new Map<string, ReturnType<typeof setTimeout>>()

function leave({ uuid }: KeptRecord): void {
  clearTimeout(running.get(uuid))
  all.value = all.value.filter(({ plan }) => plan.uuid !== uuid)
}

/** Not under the finger, nor while somebody types. */
function leaveUnlessHeld(plan: KeptRecord): void {
  if (document.querySelector('.row.done:is(:hover, :focus-within)') === null) leave(plan)
  else running.set(plan.uuid, setTimeout(leaveUnlessHeld, 1000, plan))
}
