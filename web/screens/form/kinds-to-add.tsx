import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { animalBundle, groupBundle } from '../../../src/farm/bundle-names.ts'
import { lastShown } from '../../look/desk.ts'
import { Icon } from '../../look/icon.tsx'
import { iconOfKind } from '../../look/icon-of.ts'
import { Row, Section } from '../../look/list.tsx'
import { bundlesOf, labelOf } from '../../look/names.ts'
import { Pane, Title, useUp } from '../../look/page.tsx'
import { route } from '../../look/router.ts'
import type { LocalRecordType } from '../../store/record.ts'
import { dayAndClock } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { formDrafts, formOf } from './drafts.ts'

/** All bundles, grouped by record type. */
export function KindsToAdd({ as }: { readonly as: PageType }): JSX.Element {
  useUp({ to: lastShown.value, label: say('form.add'), icon: 'close' })
  const types: readonly LocalRecordType[] = [typeOfPage[as], ...others(typeOfPage[as])]
  return (
    <Pane name="form" class="book">
      <div class="head">
        <Title text={say('form.add-title')} />
      </div>
      <Unfinished />
      {types.map((type) => (
        <Kinds type={type} key={type} />
      ))}
    </Pane>
  )
}

/** Types with a page of their own, which leads to all fields. */
const quickWays: Readonly<Record<string, string>> = {
  [animalBundle]: '/add/animals/new',
  [groupBundle]: '/add/animals/herd',
}

const others = (first: LocalRecordType): LocalRecordType[] =>
  (['log', 'asset', 'term'] as const).filter((type) => type !== first)

function Kinds({ type }: { readonly type: LocalRecordType }): JSX.Element {
  const { search } = new URL(`app:/?${route.value.query}`)
  return (
    <section aria-label={say(`form.add-${type}`)}>
      <div class="sec">
        <h2>{say(`form.add-${type}`)}</h2>
      </div>
      <ul>
        {bundlesOf(type).map(({ bundle }) => (
          <Row
            key={bundle}
            to={quickWays[bundle] ?? `/add/${type}/${bundle}${search}`}
            margin={<Icon name={iconOfKind(type, bundle)} />}
            title={labelOf({ type, bundle })}
            end={<Icon name="next" size="small" />}
          />
        ))}
      </ul>
    </section>
  )
}

/** Drafts, each with a link to continue. */
function Unfinished(): JSX.Element | null {
  const [left, setLeft] = useState<Awaited<ReturnType<typeof formDrafts>>>([])
  useEffect(() => {
    formDrafts().then((all) => setLeft(all.toSorted(([, one], [, other]) => other.at - one.at)))
  }, [])
  if (left.length === 0) return null
  return (
    <Section title={say('form.unfinished')} tone="pencil">
      {left.map(([key, draft]) => (
        <Row
          key={key}
          to={formOf(key)}
          title={<bdi>{String(draft.values.name ?? '') || say('form.nameless')}</bdi>}
          second={dayAndClock(draft.at)}
          end={<Icon name="next" size="small" />}
        />
      ))}
    </Section>
  )
}

/** Record type in addresses: areas are terms with their own pages. */
export type PageType = 'log' | 'asset' | 'area' | 'term'

export const typeOfPage: Readonly<Record<PageType, LocalRecordType>> = {
  log: 'log',
  asset: 'asset',
  area: 'term',
  term: 'term',
}
