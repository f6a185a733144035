import type { JSX } from 'preact'
import { Chip } from '../../look/chip.tsx'
import { Link } from '../../look/link.tsx'
import { archiveAll, finishAll } from './act-on-chosen.ts'
import { chooseAll, endChoosing } from './choosing.ts'
import { type Filters, kindOf } from './filters.ts'
import { namesFor } from './name-list.tsx'
import { say } from './say.ts'

interface ChosenBarProps {
  readonly filters: Filters
  readonly chosen: readonly string[]
}

/** What can be done with several at once. */
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
