import type { JSX } from 'preact'
import { doneAt, doneChange, lacksAmount } from '../../entry/done.ts'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { go } from '../../look/router.ts'
import { offerUndo, orTell } from '../../look/undo.tsx'
import { mayWrite } from '../../store/local-copy.ts'
import { isArchived, isDone, type KeptRecord } from '../../store/record.ts'

import { save } from '../../sync/save.ts'
import { now } from '../../words/format.ts'
import { say } from './say.ts'

/** What is done most with a record, at its head; nothing that would be refused. */
export function Actions({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  if (!mayWrite() || isArchived(record)) return null
  const { type, bundle, id } = record
  if (type === 'asset')
    return (
      <Ways
        move={{ to: `/add/move?asset=${id}`, words: say('act.move') }}
        log={{ to: `/add?asset=${id}`, words: say('act.log') }}
      />
    )
  if (bundle === 'farm_areas')
    return (
      <Ways
        move={{ to: `/add/move?area=${id}`, words: say('act.move-here') }}
        log={{ to: `/add?area=${id}`, words: say('act.log-here') }}
      />
    )
  return type === 'log' && !isDone(record) ? <DoneButton plan={record} /> : null
}

interface WaysProps {
  readonly move: { readonly to: string; readonly words: string }
  readonly log: { readonly to: string; readonly words: string }
}

function Ways({ move, log }: WaysProps): JSX.Element {
  return (
    <nav class="two" aria-label={say('act.record')}>
      <Link to={move.to} class="btn tall">
        <Icon name="move" />
        {move.words}
      </Link>
      <Link to={log.to} class="btn tall">
        <Icon name="plus" />
        {log.words}
      </Link>
    </nav>
  )
}

function DoneButton({ plan }: { readonly plan: KeptRecord }): JSX.Element {
  const finish = async () => {
    if (lacksAmount(plan)) return go(`/add/done?log=${plan.id}`)
    const saved = await orTell(save([doneChange(plan, doneAt(plan, now()))]))
    if (saved !== null) offerUndo([saved], say('done.said', { name: plan.name }))
  }
  return (
    <p class="two">
      <button type="button" class="btn main-do" onClick={finish}>
        <Icon name="check" />
        {say('done.done')}
      </button>
    </p>
  )
}
