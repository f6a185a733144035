import type { ComponentChildren, JSX } from 'preact'
import { Section } from '../../look/section.tsx'
import type { KeptRecord } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import type { LogsSoFar } from './logs-so-far.ts'
import { say } from './say.ts'
import { isStillLoading } from './still-loading.ts'
import { TimelineRow } from './timeline-row.tsx'

interface ToDoProps {
  readonly plans: readonly KeptRecord[]
  readonly aside: (log: KeptRecord) => string | undefined
}

/** What is planned, in the order of time: what is late comes first. */
export function ToDo({ plans, aside }: ToDoProps): JSX.Element | null {
  if (plans.length === 0) return null
  return (
    <Section title={say('record.to-do')} count={plans.length}>
      {plans.toReversed().map((log) => (
        <TimelineRow log={log} aside={aside(log)} key={log.uuid} />
      ))}
    </Section>
  )
}

/** Why what is older did not come. */
export const olderWords = ({ failure }: Failure): string =>
  say(failure === 'offline' ? 'record.older-needs-signal' : 'record.older-failed')

interface HappenedProps {
  readonly title: string
  readonly soFar: LogsSoFar
  /** Rows. */
  readonly children: readonly ComponentChildren[]
}

/** A timeline, and the way to what is older. */
export function Happened({ title, soFar: { failure, showMore, isAsking }, children }: HappenedProps): JSX.Element {
  return (
    <>
      <Section title={title}>{children}</Section>
      {children.length === 0 && (
        <p class="words soft">{isStillLoading() ? say('record.still-loading') : say('record.nothing-yet')}</p>
      )}
      <p class="words soft" role="status">
        {failure && olderWords(failure)}
      </p>
      {showMore && (
        <p class="words">
          <button type="button" class="btn" disabled={isAsking} onClick={showMore}>
            {say('record.older')}
          </button>
        </p>
      )}
    </>
  )
}
