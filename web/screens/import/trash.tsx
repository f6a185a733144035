import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { record } from '../../../src/words/en/record.ts'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { iconOfKind } from '../../look/icon-of.ts'
import { Row } from '../../look/list.tsx'
import { labelOf } from '../../look/names.ts'
import { Empty, Loading, Title } from '../../look/page.tsx'
import { showToast } from '../../look/undo.tsx'
import { people } from '../../store/local-copy.ts'
import { type LocalRecordType, typeOnTheWire } from '../../store/record.ts'
import { shortDay } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { BringBackButton } from '../record/one-record.tsx'
import { useRequest } from '../record/use-request.ts'

addWords(record)

interface TrashRecord {
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
  readonly list: readonly TrashRecord[]
  readonly next?: string
}

/** Removed records that can be restored, the latest first. */
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
  const { answer, again } = useRequest<Trash>(`/trash.json?limit=50&page=${page}`)
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
              showToast(say('change.brought-back', { name: one.name }))
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

/** Quantities are in the trash as well, but have no page. */
const typeOf = (resource: string): LocalRecordType | null =>
  (['log', 'asset', 'term'] as const).find((type) => typeOnTheWire[type] === resource) ?? null

interface RemovedRowProps {
  readonly removed: TrashRecord
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
