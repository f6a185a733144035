import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Mark } from '../../look/mark.tsx'
import { Row } from '../../look/row.tsx'
import { me } from '../../store/copy.ts'
import { lookForOthers, type OthersEntries, others, sendInNameOf } from '../../sync/others.ts'
import { say } from '../device-say.ts'

/** Somebody else has left entries on this device. */
export function OthersWaiting(): JSX.Element | null {
  useEffect(() => void lookForOthers(), [me.value?.account.id])
  if (others.value.length === 0) return null
  return (
    <ul>
      {others.value.map((one) => (
        <Row
          key={one.uid}
          margin={<Mark kind="waiting" />}
          title={say('outbox.others', { count: one.count, name: one.name })}
          second={<HowToSend one={one} />}
        />
      ))}
    </ul>
  )
}

function HowToSend({ one }: { readonly one: OthersEntries }): JSX.Element {
  const { name } = one
  if (me.value?.account.role !== 'manager') return <>{say('outbox.others-how', { name })}</>
  return (
    <>
      {say('outbox.others-how', { name })} {say('outbox.send-for-how', { name })}
      <button type="button" class="btn spaced" onClick={() => void sendInNameOf(one)}>
        {say('outbox.send-for', { name })}
      </button>
    </>
  )
}
