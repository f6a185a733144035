import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Conflict, Entry } from '../../store/outbox-entry.ts'
import { partsIn } from '../../store/record.ts'
import { type ConflictChoice, resolveConflicts } from '../../sync/outbox-decisions.ts'
import type { UnsentSet } from '../../sync/send-state.ts'
import { dayAndClock } from '../../words/format.ts'
import { say } from '../device-say.ts'
import { amountIn } from '../record/quantity.ts'
import { shown } from '../record/shown.tsx'
import { CardHead } from './card-head.tsx'
import { fieldAt, fieldLabel } from './field-label.ts'

interface ConflictCardProps {
  readonly one: UnsentSet
  readonly entry: Entry
}

/** Two people changed the same: field by field one of them, or both, is kept. The last choice sends it. */
export function ConflictCard({ one, entry }: ConflictCardProps): JSX.Element {
  const { conflicts = [], by } = entry.problem ?? {}
  const [choices, setChoices] = useState<ReadonlyMap<string, ConflictChoice>>(new Map())
  const who = by === undefined || by.name === '' ? say('outbox.somebody') : by.name
  const choose = (field: string, choice: ConflictChoice) => {
    const now = new Map(choices).set(field, choice)
    setChoices(now)
    if (conflicts.every((conflict) => now.has(conflict.field))) void resolveConflicts(one.entries, entry, now)
  }
  return (
    <section class="card needs">
      <CardHead
        title={say('outbox.two-answers', { name: entry.name })}
        text={say('outbox.changed-meanwhile', { who })}
      />
      {conflicts.map((conflict) => (
        <Contested
          key={conflict.field}
          entry={entry}
          conflict={conflict}
          who={who}
          chosen={choices.get(conflict.field)}
          onChoose={(choice) => choose(conflict.field, choice)}
        />
      ))}
      <p class="small soft">{say('outbox.until-you-choose')}</p>
    </section>
  )
}

interface ContestedProps {
  readonly entry: Entry
  readonly conflict: Conflict
  readonly who: string
  readonly chosen: ConflictChoice | undefined
  readonly onChoose: (choice: ConflictChoice) => void
}

function Contested({ entry, conflict, who, chosen, onChoose }: ContestedProps): JSX.Element {
  const theirTime = entry.problem?.by?.at
  const show = (value: unknown) => wordsFor(entry, conflict.field, value)
  return (
    <fieldset class="contested">
      <legend>{fieldLabel(entry, conflict.field)}</legend>
      <div class="sides">
        <Side
          who={say('outbox.theirs', { who, time: theirTime === undefined ? '' : dayAndClock(theirTime) })}
          label={say('outbox.keep-theirs', { who })}
          value={show(conflict.theirs)}
          isChosen={chosen === 'theirs'}
          onChoose={() => onChoose('theirs')}
        />
        <Side
          who={say('outbox.yours', { time: dayAndClock(entry.at) })}
          label={say('outbox.keep-mine')}
          value={show(conflict.mine)}
          isChosen={chosen === 'mine'}
          onChoose={() => onChoose('mine')}
        />
      </div>
      {conflict.kind !== 'value' && (
        <button type="button" class="btn" aria-pressed={chosen === 'both'} onClick={() => onChoose('both')}>
          {say('outbox.keep-both')}
        </button>
      )}
    </fieldset>
  )
}

interface SideProps {
  readonly who: string
  readonly label: string
  readonly value: ComponentChildren
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function Side({ who, label, value, isChosen, onChoose }: SideProps): JSX.Element {
  return (
    <div class={isChosen ? 'side on' : 'side'}>
      <small>{who}</small>
      <div class="said">{value}</div>
      <button type="button" class="btn plain keep" aria-pressed={isChosen} onClick={onChoose}>
        {label}
      </button>
    </div>
  )
}

function wordsFor(entry: Entry, name: string, value: unknown): ComponentChildren {
  if (name === 'quantity') return partsIn(value).map(amountIn).join(', ') || say('outbox.empty-value')
  const field = fieldAt(entry, name)
  const words = field === undefined ? String(value ?? '') : shown(value, field)
  return words === null || words === '' ? say('outbox.empty-value') : words
}
