import { noteChoice } from '../store/recent-choices.ts'
import type { LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { movesOf } from './changes.ts'
import { logNames, movedAs, movedWords, shortList } from './entry-words.ts'
import { areTooMany, headsIn, maxAssetsPerMove, movingAssets } from './herds.ts'
import { compareLater } from './pending-comparisons.ts'
import { refuse, saveEntry, showSaved } from './save-entry.tsx'
import { timing } from './timing.tsx'

/** Saves a move of the assets and all their members, then shows the result. */
export async function saveMove(chosen: readonly LocalRecord[], to: readonly LocalRecord[]): Promise<void> {
  const when = timing()
  const all = movingAssets(chosen, when.at)
  if (areTooMany(all)) {
    refuse(say('entry.move.too-many', { count: all.length, most: maxAssetsPerMove }))
    return
  }
  const [who, place] = [shortList(chosen.map(({ name }) => name)), shortList(to.map(({ name }) => name))]
  const changes = movesOf({ name: logNames.move(who, place), timing: when, assets: all, to })
  const words = movedWords({ who, as: movedAs(all), count: headsIn(all), to: place })
  const saved = await saveEntry({ entry: 'move', changes, words })
  if (saved === null) return
  const logs = changes.map(({ uuid }) => uuid)
  for (const { id } of chosen.toReversed()) noteChoice('herd', id)
  for (const { id } of to) noteChoice('paddock', id)
  const groups = groupsIn(all)
  if (when.kind === 'done' && groups.length > 0) await compareLater({ logs, groups, known: all.map(({ id }) => id) })
  showSaved('move', ...logs)
}

const groupsIn = (all: readonly LocalRecord[]): readonly string[] =>
  all.filter(({ bundle }) => bundle === 'group').map(({ id }) => id)
