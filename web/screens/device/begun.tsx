import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Link } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Mark } from '../../look/mark.tsx'
import { draftsUnder, dropDraft, keepDraft } from '../../store/drafts.ts'
import { generation, termBy } from '../../store/local-copy.ts'
import { clock, dayAndClock, daysBetween, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { formDrafts, formOf } from '../form/drafts.ts'

/** A draft of an entry, a form or a drawing. */
interface BegunDraft {
  readonly key: string
  /** Address that restores it. */
  readonly to: string
  /** Unix seconds of the last change. */
  readonly at: number
  readonly name: string
  readonly stored: unknown
}

/** Tray on Today: everything begun and not saved, the latest first. */
export function BegunTray(): JSX.Element | null {
  const [all, setAll] = useState<readonly BegunDraft[]>([])
  const [discarded, setDiscarded] = useState<readonly string[]>([])
  const commit = generation.value
  useEffect(() => {
    if (discarded.length === 0) void begunDrafts().then(setAll)
  }, [commit, discarded])
  if (all.length === 0) return null
  const discard = ({ key }: BegunDraft) => {
    void dropDraft(key)
    setDiscarded([...discarded, key])
  }
  const bringBack = async ({ key, stored }: BegunDraft) => {
    await keepDraft(key, stored)
    setDiscarded(discarded.filter((other) => other !== key))
  }
  return (
    <Section title={say('begun.title', { count: all.length - discarded.length })} tone="pencil">
      {all.map((one) =>
        discarded.includes(one.key) ? (
          <DraftRow
            key={one.key}
            title={say('outbox.discarded', one)}
            label={say('outbox.undo')}
            act={() => bringBack(one)}
          />
        ) : (
          <DraftRow
            key={one.key}
            title={<Link to={one.to}>{say('begun.draft', { when: whenWords(one.at), what: one.name })}</Link>}
            label={say('outbox.discard')}
            act={() => discard(one)}
          />
        ),
      )}
    </Section>
  )
}

interface DraftRowProps {
  readonly title: JSX.Element | string
  readonly label: string
  readonly act: () => void
}

const DraftRow = ({ title, label, act }: DraftRowProps): JSX.Element => (
  <Row
    margin={<Mark kind="waiting" />}
    title={<bdi>{title}</bdi>}
    end={
      <button type="button" class="btn plain" onClick={act}>
        {label}
      </button>
    }
  />
)

const whenWords = (at: number): string => (daysBetween(at, now()) === 0 ? clock(at) : dayAndClock(at))

async function begunDrafts(): Promise<readonly BegunDraft[]> {
  const [entries, forms, drawings] = await Promise.all([
    draftsUnder<{ readonly address: string; readonly at: number; readonly name: string }>('entry '),
    formDrafts(),
    draftsUnder<{ readonly at: number }>('draw '),
  ])
  return [
    ...entries.map(([key, stored]) => ({ key, to: stored.address, at: stored.at, name: stored.name, stored })),
    ...forms.map(([key, stored]) => ({
      key,
      to: formOf(key),
      at: stored.at,
      name: String(stored.values.name ?? '') || say('begun.form'),
      stored,
    })),
    ...drawings.map(([key, stored]) => ({ key, ...drawingOf(key), at: stored.at, stored })),
  ].sort((one, other) => other.at - one.at)
}

/** `draw new`, or `draw beds UUID` for an area. */
function drawingOf(key: string): { readonly to: string; readonly name: string } {
  const [, what = '', area] = key.split(' ')
  if (area === undefined) return { to: '/draw', name: say('begun.drawing') }
  return { to: `/draw/${area}/${what}`, name: termBy(area)?.name ?? say('begun.drawing') }
}
