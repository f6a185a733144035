import { noteChoice } from '../store/recent-choices.ts'
import type { KeptRecord } from '../store/record.ts'
import { movesOf } from './changes.ts'
import { compareLater } from './compared-later.ts'
import { allWhoMove, headsIn } from './herds.ts'
import { areTooMany, mostAtOnce } from './members.ts'
import { movedAs, movedWords } from './moved.ts'
import { composed, listed } from './names.ts'
import { refuse } from './refusal.tsx'
import { keepEntry, showSaved } from './save-entry.ts'
import { say } from './say.ts'
import { timing } from './timing.tsx'

/** Saves that they move, with all their members, each named; leads to what has changed. */
export async function saveMove(chosen: readonly KeptRecord[], to: readonly KeptRecord[]): Promise<void> {
  const when = timing()
  const all = allWhoMove(chosen, when.at)
  if (areTooMany(all)) {
    refuse(say('entry.move.too-many', { count: all.length, most: mostAtOnce }))
    return
  }
  const [who, place] = [listed(chosen.map(({ name }) => name)), listed(to.map(({ name }) => name))]
  const changes = movesOf({ name: composed.move(who, place), timing: when, assets: all, to })
  const words = movedWords({ who, as: movedAs(all), count: headsIn(all), to: place })
  const saved = await keepEntry({ entry: 'move', changes, words })
  if (saved === null) return
  const logs = changes.map(({ uuid }) => uuid)
  for (const { id } of chosen.toReversed()) noteChoice('herd', id)
  for (const { id } of to) noteChoice('paddock', id)
  const groups = groupsIn(all)
  if (when.kind === 'done' && groups.length > 0) compareLater({ logs, groups, known: all.map(({ id }) => id) })
  showSaved('move', ...logs)
}

const groupsIn = (all: readonly KeptRecord[]): readonly string[] =>
  all.filter(({ bundle }) => bundle === 'group').map(({ id }) => id)
