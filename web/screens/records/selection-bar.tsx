import type { JSX } from 'preact'
import { doneAt, doneChange } from '../../entries/done.ts'
import { Chip } from '../../look/chip.tsx'
import { Link } from '../../look/link.tsx'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { assetBy, log } from '../../store/local-copy.ts'
import { isArchived, isDone } from '../../store/record.ts'
import { type LocalChange, type SavedSet, save, undo } from '../../sync/save.ts'
import { now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { chooseAll, endChoosing, type Filters, kindOf } from './list-address.ts'
import { namesFor } from './name-list.tsx'

interface ChosenBarProps {
  readonly filters: Filters
  readonly chosen: readonly string[]
}

/** Actions on the chosen records. */
export function ChosenBar({ filters, chosen }: ChosenBarProps): JSX.Element {
  const ids = chosen.join(',')
  const kind = kindOf(filters)
  return (
    <div class="foot choosing">
      <div class="options">
        <b class="chip on" role="status">
          {say('select.chosen', { count: chosen.length })}
        </b>
        {chosen.length > 0 && kind === 'assets' && (
          <>
            <Way to={`/add?asset=${ids}`} words={say('select.log')} />
            <Way to={`/add/move?asset=${ids}`} words={say('select.move')} />
            <Way to={`/add/animals/into?asset=${ids}`} words={say('select.into-herd')} />
            <Chip onPress={() => archiveAll(chosen)}>{say('select.archive')}</Chip>
          </>
        )}
        {chosen.length > 0 && kind === 'areas' && <Way to={`/add?area=${ids}`} words={say('select.log')} />}
        {chosen.length > 0 && kind === 'logs' && (
          <Chip icon="check" onPress={() => finishAll(chosen)}>
            {say('select.done')}
          </Chip>
        )}
        {kind !== 'logs' && (
          <Chip onPress={() => chooseAll(namesFor(filters).map(({ id }) => id))}>{say('select.all')}</Chip>
        )}
        <Chip onPress={endChoosing}>{say('select.end')}</Chip>
      </div>
    </div>
  )
}

function Way({ to, words }: { readonly to: string; readonly words: string }): JSX.Element {
  return (
    <Link to={to} class="chip">
      {words}
    </Link>
  )
}

/** Marks the chosen plans as done; skips logs that are done already. */
async function finishAll(ids: readonly string[]): Promise<void> {
  const logs = await Promise.all(ids.map(log))
  const plans = logs.flatMap((one) => (one === undefined || isDone(one) ? [] : [one]))
  await saveTogether(
    plans.map((plan) => doneChange(plan, doneAt(plan, now()))),
    say('select.were-done', { count: plans.length }),
  )
}

async function archiveAll(ids: readonly string[]): Promise<void> {
  const assets = ids.flatMap((id) => assetBy(id) ?? []).filter((asset) => !isArchived(asset))
  await saveTogether(
    assets.map(({ uuid }) => ({ verb: 'change', type: 'asset', uuid, fields: { archived: String(now()) } })),
    say('select.archived', { count: assets.length }),
  )
}

const mostInOneSet = 1000

/** Saves all changes with one Undo; none if one of them fails. */
async function saveTogether(changes: readonly LocalChange[], words: string): Promise<void> {
  const saves: SavedSet[] = []
  for (let at = 0; at < changes.length; at += mostInOneSet) {
    const saved = await toastOnFailure(save(changes.slice(at, at + mostInOneSet)))
    if (saved === null) return undoAll(saves)
    saves.push(saved)
  }
  offerUndo(saves, words)
  endChoosing()
}

async function undoAll(saves: readonly SavedSet[]): Promise<void> {
  for (const saved of saves.toReversed()) await undo(saved)
}
