import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Section } from '../../look/section.tsx'
import { throwAway } from '../../sync/decide.ts'
import { needing, type UnsentSet } from '../../sync/waiting.ts'
import { say } from '../device-say.ts'
import { ConflictCard } from './conflict-card.tsx'
import { RefusedCard } from './refused-card.tsx'
import { titleOf } from './set-words.ts'

/** What only a person can decide. */
export function NeedsYou(): JSX.Element | null {
  if (needing.value.length === 0) return null
  return (
    <Section title={say('outbox.needs-you')} tone="late" count={needing.value.length}>
      {needing.value.map((one) => (
        <li class="needs-card" key={one.set}>
          <Card one={one} />
        </li>
      ))}
    </Section>
  )
}

/** Nobody is asked "are you sure": for a while it can be undone. */
const longEnough = 8000

function Card({ one }: { readonly one: UnsentSet }): JSX.Element {
  const [isGoing, setGoing] = useState(false)
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => void throwAway(one), longEnough)
    return () => clearTimeout(timer)
  }, [isGoing])
  if (isGoing)
    return (
      <p class="card">
        {say('outbox.discarded', { name: titleOf(one) })}
        <button type="button" class="btn plain far" onClick={() => setGoing(false)}>
          {say('outbox.undo')}
        </button>
      </p>
    )
  const contested = one.entries.find(({ problem }) => (problem?.conflicts?.length ?? 0) > 0)
  const discard = () => setGoing(true)
  return contested === undefined ? (
    <RefusedCard one={one} onDiscard={discard} />
  ) : (
    <ConflictCard one={one} entry={contested} />
  )
}
