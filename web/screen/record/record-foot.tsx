import type { ComponentChildren, JSX } from 'preact'
import { people } from '../../store/copy.ts'
import { idsIn, isOnFarm, typeOnTheWire } from '../../store/row.ts'
import type { KeptRecord } from '../../store/types.ts'
import { dayAndClock } from '../../words/format.ts'
import { leftToRight } from '../../words/left-to-right.ts'
import { Changes } from './changes.tsx'
import { Changing } from './changing.tsx'
import { Disclosure } from './disclosure.tsx'
import { Facts } from './facts.tsx'
import { say } from './say.ts'

interface RecordFootProps {
  readonly record: KeptRecord
  readonly children?: ComponentChildren
}

/** At the end of every page: who and when, what became of it, and how programs call it. */
export function RecordFoot({ record, children }: RecordFootProps): JSX.Element {
  const recorded = recordedWords(record)
  return (
    <footer class="record-foot">
      <Changing record={record} />
      {recorded !== '' && <p class="soft small">{recorded}</p>}
      {children}
      {isOnFarm(record) && (
        <Disclosure name="history" title={say('history.title')}>
          {() => <Changes record={record} />}
        </Disclosure>
      )}
      <Disclosure name="ids" title={say('record.ids')}>
        {() => <Ids record={record} />}
      </Disclosure>
    </footer>
  )
}

function recordedWords({ fields }: KeptRecord): string {
  const who = people.value.get(idsIn(fields.uid)[0] ?? '')
  const created = Number(fields.created ?? 0)
  const changed = Number(fields.changed ?? 0)
  const words = [
    created > 0 && who !== undefined && say('record.recorded-by', { who, when: dayAndClock(created) }),
    created > 0 && who === undefined && say('record.recorded', { when: dayAndClock(created) }),
    changed > created && say('record.changed', { when: dayAndClock(changed) }),
  ]
  return words.filter((one) => one !== false).join(' · ')
}

function Ids({ record: { type, id, uuid, version } }: { readonly record: KeptRecord }): JSX.Element {
  const address = `/${typeOnTheWire[type]}/${id}.json`
  const link = (
    <a class="because tap" href={address} target="_blank" rel="noopener noreferrer">
      {leftToRight(location.origin + address)}
    </a>
  )
  return (
    <Facts
      facts={[
        { label: say('record.number'), words: id },
        { label: say('record.uuid'), words: leftToRight(uuid) },
        { label: say('record.version'), words: leftToRight(version) },
        { label: say('record.for-programs'), words: link },
      ]}
    />
  )
}
