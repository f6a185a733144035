import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Empty } from '../../look/empty.tsx'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { iconOfKind } from '../../look/icon-of.ts'
import { Loading } from '../../look/loading.tsx'
import { labelOf } from '../../look/names.ts'
import { Row } from '../../look/row.tsx'
import { Title } from '../../look/title.tsx'
import { tell } from '../../look/undo.tsx'
import { people } from '../../store/local-copy.ts'
import { type KeptRecordType, typeOnTheWire } from '../../store/record.ts'

import { shortDay } from '../../words/format.ts'
import { useAsked } from './asked.ts'
import { BringBackButton } from './bring-back-button.tsx'
import { say } from './say.ts'

interface Removed {
  readonly uuid: string
  readonly resource: string
  readonly type: string
  readonly name: string
  readonly removed: string
  readonly removed_by: { readonly id: string } | null
  readonly ends: string
}

/** `/trash.json` */
interface Trash {
  readonly list: readonly Removed[]
  readonly next?: string
}

/** What was removed and can come back, the last first. */
export function TrashScreen(): JSX.Element {
  return (
    <>
      <div class="head">
        <Title text={say('trash.title')} />
      </div>
      <TrashPage page={0} />
    </>
  )
}

function TrashPage({ page }: { readonly page: number }): JSX.Element {
  const [wantsMore, setWantsMore] = useState(false)
  const [back, setBack] = useState<readonly string[]>([])
  const { answer, again } = useAsked<Trash>(`/trash.json?limit=50&page=${page}`)
  if (answer === null) return <Loading />
  if (answer.failure !== null) return <Failed failure={answer} onRetry={again} />
  const removed = answer.body.list.filter(({ uuid, resource }) => !back.includes(uuid) && typeOf(resource) !== null)
  return (
    <>
      {page === 0 && removed.length === 0 && <Empty text={say('trash.empty')} />}
      <ul>
        {removed.map((one) => (
          <RemovedRow
            key={one.uuid}
            removed={one}
            onBack={() => {
              setBack([...back, one.uuid])
              tell(say('change.brought-back', { name: one.name }))
            }}
          />
        ))}
      </ul>
      {answer.body.next !== undefined && !wantsMore && (
        <p class="words">
          <button type="button" class="btn" onClick={() => setWantsMore(true)}>
            {say('trash.earlier')}
          </button>
        </p>
      )}
      {wantsMore && <TrashPage page={page + 1} />}
    </>
  )
}

/** Quantities lie there, too, but have no page. */
const typeOf = (resource: string): KeptRecordType | null =>
  (['log', 'asset', 'term'] as const).find((type) => typeOnTheWire[type] === resource) ?? null

interface RemovedRowProps {
  readonly removed: Removed
  readonly onBack: () => void
}

function RemovedRow({
  removed: { uuid, resource, type: bundle, name, ...rest },
  onBack,
}: RemovedRowProps): JSX.Element {
  const type = typeOf(resource) ?? 'log'
  const kind = labelOf({ type, bundle })
  const when = shortDay(Number(rest.removed))
  const who = people.value.get(rest.removed_by?.id ?? '')
  return (
    <Row
      margin={<Icon name={iconOfKind(type, bundle)} />}
      title={<bdi>{name}</bdi>}
      second={
        <>
          {who === undefined ? say('trash.what', { kind, when }) : say('trash.what-by', { kind, when, who })}
          {' · '}
          {say('trash.ends', { when: shortDay(Number(rest.ends)) })}
        </>
      }
      end={<BringBackButton uuid={uuid} name={name} onBack={onBack} />}
    />
  )
}
