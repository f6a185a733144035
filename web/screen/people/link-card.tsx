import type { JSX } from 'preact'
import { dayAndClock } from '../../words/format.ts'
import { HandedLink } from '../owner/handed-link.tsx'
import type { MadeLink } from './answers.ts'
import { say } from './say.ts'

interface LinkCardProps {
  readonly made: MadeLink
  /** Whose password it is; nothing for an invitation. */
  readonly name?: string
}

/** A link to hand on, and what it is good for. */
export function LinkCard({ made: { link, expires }, name }: LinkCardProps): JSX.Element {
  const until = dayAndClock(Number(expires))
  return (
    <div class="card link-card">
      <p role="status">
        {name === undefined ? say('people.link-account', { until }) : say('people.link-password', { name, until })}{' '}
        {say('people.link-once')}
      </p>
      <HandedLink link={link} label={say('people.link')} />
    </div>
  )
}
