import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { say } from '../../form/say.ts'
import { Icon } from '../../look/icon.tsx'
import { Row } from '../../look/row.tsx'
import { Section } from '../../look/section.tsx'
import { dayAndClock } from '../../words/format.ts'
import { type Unfinished as Left, unfinished } from './drafts.ts'

/** What somebody was writing when something else came up: one tap leads on with it. */
export function Unfinished(): JSX.Element | null {
  const [left, setLeft] = useState<readonly Left[]>([])
  useEffect(() => {
    unfinished().then(setLeft)
  }, [])
  if (left.length === 0) return null
  return (
    <Section title={say('form.unfinished')} tone="pencil">
      {left.map(({ to, draft }) => (
        <Row
          key={to}
          to={to}
          title={<bdi>{String(draft.values.name ?? '') || say('form.nameless')}</bdi>}
          second={dayAndClock(draft.at)}
          end={<Icon name="next" size="small" />}
        />
      ))}
    </Section>
  )
}
