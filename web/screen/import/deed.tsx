import type { JSX } from 'preact'
import { countsOf, keptBy, mostUndoneAtOnce } from './counts.tsx'
import { Failing } from './failing.tsx'
import { check, importIt, stop } from './import-it.ts'
import { say } from './say.ts'
import { checked, isStale, source, subject, work } from './state.ts'

/** What can be done next: to let the farm look, or to keep it. */
export function Deed(): JSX.Element {
  return (
    <div class="words">
      <Failing />
      <p role="status">{work.value !== null && say(`import.${work.value}`)}</p>
      {work.value === null && <Buttons />}
      {work.value === 'checking' && (
        <button type="button" class="btn" onClick={stop}>
          {say('import.stop')}
        </button>
      )}
    </div>
  )
}

function Buttons(): JSX.Element | null {
  const found = checked.value
  const counts = found === null ? {} : countsOf(found)
  if (counts.created === undefined || isStale.value) return <CheckButton />
  const count = keptBy(counts)
  const { fault = 0 } = counts
  if (count === 0 && fault > 0) return null
  if (count === 0) return <p>{say(counts.unchanged === 0 ? 'import.nothing-in-it' : 'import.nothing-new')}</p>
  const keep = () => importIt(fault > 0 ? 'left-out' : 'none')
  return (
    <>
      {count > mostUndoneAtOnce && <p class="small soft">{say('import.large-set')}</p>}
      <button type="button" class={fault > 0 ? 'btn tall fill' : 'btn main-do fill'} onClick={keep}>
        {say(fault > 0 ? 'import.without-faults' : 'import.import', { count })}
      </button>
    </>
  )
}

function CheckButton(): JSX.Element | null {
  if (source.value?.format === 'sheet' && subject.value === null) return null
  return (
    <button type="button" class="btn main-do fill" onClick={check}>
      {say(checked.value === null ? 'import.check' : 'import.check-again')}
    </button>
  )
}
