import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { pageOf } from '../../look/address-of.ts'
import { Icon } from '../../look/icon.tsx'
import { Mark } from '../../look/mark.tsx'
import { dotted } from '../../look/names.ts'
import { route, withQuery } from '../../look/router.ts'
import { Row } from '../../look/row.tsx'
import { generation } from '../../store/copy.ts'
import type { SentEntry } from '../../store/entry.ts'
import { photosSentOf, sentOf } from '../../store/outbox.ts'
import { onFarm } from '../../words/format.ts'
import { say } from '../device-say.ts'
import { timeWords } from './set-words.ts'

const days = 30

/** What the farm has acknowledged: a tap shows each of them. */
export function SentRow(): JSX.Element {
  const [sent, setSent] = useState<readonly SentEntry[]>([])
  const [photos, setPhotos] = useState(0)
  useEffect(() => {
    void sentOf(days).then(setSent)
    void photosSentOf(days).then(setPhotos)
  }, [generation.value])
  const isOpen = route.value.query.get('show') === 'sent'
  const words = dotted([
    sent.length > 0 ? say('outbox.sent-records', { count: sent.length }) : say('outbox.sent-none'),
    photos > 0 ? say('outbox.sent-photos', { count: photos }) : '',
  ])
  return (
    <>
      <Row
        {...(sent.length > 0 ? { to: withQuery({ show: isOpen ? null : 'sent' }) } : {})}
        margin={<Mark kind="sent" />}
        title={say('outbox.sent-title')}
        second={words}
        end={sent.length > 0 && <Icon name="next" size="small" />}
      />
      {isOpen && sent.map((one) => <SentOne key={one.n} sent={one} />)}
    </>
  )
}

function SentOne({ sent: { entry, sentAt } }: { readonly sent: SentEntry }): JSX.Element {
  const isThere = entry.method !== 'DELETE'
  return (
    <Row
      {...(isThere ? { to: pageOf({ ...entry, id: entry.record }) } : {})}
      title={say(isThere ? 'outbox.verb.record' : 'outbox.verb.DELETE', { name: entry.name })}
      second={timeWords(onFarm(sentAt))}
    />
  )
}
