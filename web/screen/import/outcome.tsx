import type { JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { Section } from '../../look/section.tsx'
import { recordsAddress } from './addresses.ts'
import { CountsOf, keptBy, mostUndoneAtOnce } from './counts.tsx'
import { Failing } from './failing.tsx'
import { undo } from './import-it.ts'
import { say } from './say.ts'
import { type Outcome, source, startAnew, subject, work } from './state.ts'

/** What was kept, where it is, and the way back. */
export function OutcomeOf({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const { counts, isUndone } = outcome
  const rows = source.value?.format === 'sheet' ? subject.value : null
  return (
    <Section title={say('import.done')}>
      <li class="words">
        <p role="status">{isUndone ? say('import.undone') : <CountsOf counts={counts} />}</p>
        <div class="ways">
          {!isUndone && (
            <Link to={recordsAddress(rows ?? { type: 'term', bundle: 'farm_areas' })} class="btn">
              {say('import.to-records')}
            </Link>
          )}
          <WayBack outcome={outcome} />
          <button type="button" class="btn" onClick={() => startAnew()}>
            {say('import.another')}
          </button>
        </div>
        <p role="status">{work.value !== null && say(`import.${work.value}`)}</p>
        <Failing />
      </li>
    </Section>
  )
}

function WayBack({ outcome: { counts, set, isUndone } }: { readonly outcome: Outcome }): JSX.Element | null {
  if (isUndone || set === null || keptBy(counts) === 0) return null
  if (keptBy(counts) > mostUndoneAtOnce)
    return <p class="small">{say('import.undo-by-command', { command: `furrow undo ${set}` })}</p>
  return (
    <button type="button" class="btn" disabled={work.value !== null} onClick={undo}>
      <Icon name="undo" />
      {say('act.undo')}
    </button>
  )
}
