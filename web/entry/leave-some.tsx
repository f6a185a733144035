import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { PickRow } from '../form/pick-row.tsx'
import { Loading } from '../look/loading.tsx'
import { assets } from '../store/copy.ts'
import { idsIn } from '../store/row.ts'
import type { KeptRecord } from '../store/types.ts'
import { moveWithout } from './changes.ts'
import { keepEntry, showSaved } from './save-entry.ts'
import { useSavedLog } from './saved-log.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'

/** All who moved are ticked; a tap leaves one behind. */
export function LeaveSome({ uuid }: { readonly uuid: string }): JSX.Element {
  const log = useSavedLog(uuid)
  if (log === null || log === undefined) return <Loading />
  return <WhoMoved key={log.version} log={log} />
}

function WhoMoved({ log }: { readonly log: KeptRecord }): JSX.Element {
  const named = idsIn(log.fields.asset).flatMap((id) => assets.value.get(id) ?? [])
  const heads = named.filter(({ bundle }) => bundle !== 'group')
  const [left, setLeft] = useState<readonly string[]>([])
  const chosen = heads.map(({ id }) => id).filter((id) => !left.includes(id))
  const keep = async () => {
    const words = say('entry.moved.left', { count: left.length })
    if ((await keepEntry({ changes: [moveWithout(log, left)], words })) !== null) showSaved('move', log.uuid)
  }
  return (
    <Step
      label={say('entry.move')}
      before={`/add/move?saved=${log.uuid}`}
      title={say('entry.moved.stays')}
      second={left.length > 0 ? say('entry.moved.left', { count: left.length }) : undefined}
      foot={
        <button type="button" class="btn main-do fill" disabled={left.length === 0} onClick={keep}>
          {say('entry.moved.leave')}
        </button>
      }
    >
      <ul>
        {heads.map((head) => (
          <PickRow
            key={head.uuid}
            record={head}
            look={{ chosen }}
            onPick={({ id }) => setLeft(left.includes(id) ? left.filter((other) => other !== id) : [...left, id])}
          />
        ))}
      </ul>
    </Step>
  )
}
