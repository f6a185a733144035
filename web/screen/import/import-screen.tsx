import type { JSX } from 'preact'
import { Empty } from '../../look/empty.tsx'
import { Loading } from '../../look/loading.tsx'
import { Title } from '../../look/title.tsx'
import { useUp } from '../../look/up.ts'
import { me } from '../../store/copy.ts'
import { mayWrite } from '../../store/rights.ts'
import { status } from '../../sync/status.ts'
import { Brought } from './brought.tsx'
import { Deed } from './deed.tsx'
import { Findings } from './findings.tsx'
import { OutcomeOf } from './outcome.tsx'
import { say } from './say.ts'
import { outcome, source, work } from './state.ts'

/** A sheet or a map: chosen, looked at by the farm, put right, kept, and taken back if it was not meant so. */
export function ImportScreen(): JSX.Element {
  useUp({ to: '/more', label: say('shell.more') })
  return (
    <>
      <div class="head">
        <Title text={say('import.title')} />
      </div>
      <Steps />
    </>
  )
}

function Steps(): JSX.Element {
  const { kind } = status.value
  if (me.value === null)
    return kind === 'starting' || kind === 'loading' ? (
      <Loading />
    ) : (
      <Empty text={say('shell.failed.unauthenticated')} />
    )
  if (!mayWrite()) return <Empty text={say('import.no-right')} />
  if (outcome.value !== null) return <OutcomeOf outcome={outcome.value} />
  return (
    <>
      {kind === 'offline' && (
        <p class="banner" role="status">
          {say('import.offline')}
        </p>
      )}
      {/* What is looked at stays as it is. */}
      <fieldset disabled={work.value !== null}>
        <Brought />
        {source.value !== null && <Findings />}
      </fieldset>
      {source.value !== null && <Deed />}
    </>
  )
}
